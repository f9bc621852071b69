"""The civil code file, in both languages."""

import warnings

import pytest
from hypothesis import given, settings
from strategies import english_number, japanese_number, model_codes

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MalformedFileError
from ir_coliee.releases.audit import audit
from ir_coliee.releases.civil_code import articles, quote_articles, read_civil_code
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.release import LocalRelease

ENGLISH = """Civil Code (Part I, Part II and Part III)
Part I Gates
Chapter I Keepers
(Closing of Gates)
Article 12  (1) A gate is closed at dusk, except in these cases:
(i) if the keeper is ill; or
(ii) if:
(a) the gate is broken.
(b) the lamp is out.
(2) The keeper must carry a lamp.
Article 12-2  Deleted
(Lamps)
Article 13  A lamp must be lit.
Section 1 Oil
Subsection 1 Fish Oil
Division 1 Cold
Article 14  Oil is poured.
Articles 38 to 84  Deleted
Section 2 Wax
Article 85  Wax is melted under Article 14.
Chapter II Guests
(Last Guests)
Article 398-22  (1) A guest:
(i) leaves.
"""
JAPANESE = """民法（第一編第二編第三編）
第一編　門
第一章　門番
（門を閉めること）
第十二条　門は、次の場合を除き、日没に閉める。
一　門番が病気のとき。
二　次のとき。
イ　門が壊れたとき。
ロ　灯が消えたとき。
２　門番は、灯を持つ。
第十二条の二　削除
（灯）
第十三条　灯は、ともす。
第一節　油
第一款　魚油
第一目　冷たい油
第十四条　油は、注ぐ。
第三十八条から第八十四条まで　削除
第二節　蝋
第八十五条　蝋は、第十四条の規定により溶かす。
第二章　客
（最後の客）
第三百九十八条の二十二　客は、次のことをする。
一　去ること。
"""
FILES = {"en": ENGLISH, "ja": JAPANESE}


def read(folder, text, language="en"):
    path = folder / "code.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_civil_code(path, language)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("text", ["", "Code", "Code\nPart I Gates\n", "<Articles/>", "<Law><LawBody/></Law>"])
def test_a_code_without_articles_is_refused(tmp_path, text):
    with pytest.raises(MalformedFileError, match=r"code\.txt: no article was found"):
        read(tmp_path, text)


def test_text_before_the_first_article_is_ignored_with_a_warning_that_names_the_line(tmp_path):
    with pytest.warns(ColieeWarning, match=r"code\.txt, line 4: the text before the first article") as caught:
        (article,) = read(tmp_path, "Code\r\nPart I Gates\r\n\r\nA stray line.\r\nArticle 1  A gate.\r\n")
    assert article.text == "A gate."
    assert "stray" not in str(caught[0].message)


@pytest.mark.parametrize("number", ["1-2", "2", "3"])
@pytest.mark.parametrize("above", ["A lamp.", "Deleted", "deleted", "A lamp\n"])
def test_an_article_that_is_out_of_order_stays_with_the_one_above_and_is_reported(tmp_path, number, above):
    line = 4 + above.count("\n")
    with pytest.warns(ColieeWarning, match=rf"code\.txt, line {line}: article {number} is out of order"):
        found = read(tmp_path, f"Code\nArticle 1-2  A gate.\nArticle 3  {above}\nArticle {number}  A gate.")
    assert [article.doc_id for article in found] == ["1-2", "3"]
    assert found[1].text.endswith("A gate.")


def test_a_heading_behind_the_last_article_is_not_its_text(tmp_path):
    (article,) = read(tmp_path, "Code\nPart I Gates\nArticle 1  A gate.\nPart IV Guests\nChapter I Beds")
    assert (article.text, article.part) == ("A gate.", "Part I Gates")


# --- captions that are shared ----------------------------------------------------------------------

SHARED = """Code
Part I Gates
Article 1  Nobody's caption.
(Gates)
Article 2  A gate.
Article 3  The same gate.
Article 4  Deleted
(Old Lamps)
Article 5  Deleted
Article 6  The same gate again.
Chapter I Lamps
Article 7  A lamp.
(Lamps)
Article 8  Another lamp.
"""


def test_an_article_without_caption_shares_the_one_above_under_the_same_heading(tmp_path):
    found = {article.doc_id: article for article in read(tmp_path, SHARED)}
    effective = ["", "Gates", "Gates", "", "Old Lamps", "Gates", "", "Lamps"]
    assert [article.effective_caption for article in found.values()] == effective
    assert [number for number, article in found.items() if article.caption] == ["2", "5", "8"]
    assert found["3"].default_text() == "Gates\nThe same gate."
    assert found["7"].default_text() == "A lamp."


# --- quotations ------------------------------------------------------------------------------------


def test_articles_are_quoted_as_in_2026_in_the_order_that_was_asked_for(tmp_path):
    found = {article.doc_id: article for article in read(tmp_path, JAPANESE, "ja")}
    assert quote_articles(["398-22", "85", "7"], found) == (
        "（最後の客）\n第三百九十八条の二十二　客は、次のことをする。\n一　去ること。\n"
        "第八十五条　蝋は、第十四条の規定により溶かす。\n[MISSING ARTICLE 7]"
    )
    assert quote_articles([], found) == ""


# --- any code --------------------------------------------------------------------------------------

HEADINGS = {
    "en": ["Part I Gates", "Chapter IV Keepers", "Section 1 Oil", "Subsection 12 Wax", "Division 3 Cold"],
    "ja": ["第一編　門", "第四章　門番", "第一節　油", "第十二款　蝋", "第三目　冷たい油"],
}
CAPTION = {"en": "(Closing of Gates)", "ja": "（門を閉めること）"}
DELETED = {"en": "Deleted", "ja": "削除"}
ITEM = {"en": ["(i) oil;", "(ii) wax; and", "(iii) fish."], "ja": ["一　油", "二　蝋", "三　魚"]}


def paragraph_line(language, number):
    return f"({number}) A gate." if language == "en" else f"{number}　門".translate(FULL_WIDTH)


FULL_WIDTH = {ord("0") + digit: ord("０") + digit for digit in range(10)}


def written(model, language):
    """The file of a model, and the lines of each article's text."""
    file, texts = [FILES[language].split("\n")[0]], []
    for article in model:
        if article.new_level is not None:
            file.append(HEADINGS[language][article.new_level])
        if article.caption:
            file.append(CAPTION[language])
        head = f"{english_number(article.number)}  " if language == "en" else f"{japanese_number(article.number)}　"
        lines = []
        for number, items in enumerate(article.paragraphs, start=1):
            first = "A gate." if language == "en" else "門"
            lines += [first if number == 1 else paragraph_line(language, number), *ITEM[language][:items]]
        if article.deleted:
            lines = [DELETED[language]]
        file += [head + lines[0], *lines[1:]]
        texts.append(lines)
    return "\n".join(file), texts


@pytest.mark.parametrize("language", ["en", "ja"])
@settings(max_examples=50)
@given(model=model_codes)
def test_any_code_is_read_as_it_was_meant(tmp_path_factory, language, model):
    text, texts = written(model, language)
    found = read(tmp_path_factory.getbasetemp(), text, language)
    assert [article.doc_id for article in found] == [article.number for article in model]
    assert [article.text.split("\n") for article in found] == texts
    place = [""] * 5
    for article, meant in zip(found, model):
        if meant.new_level is not None:
            place[meant.new_level :] = [HEADINGS[language][meant.new_level], *[""] * (4 - meant.new_level)]
        assert [article.part, article.chapter, article.section, article.subsection, article.division] == place
        assert bool(article.caption) == meant.caption
        assert article.deleted == meant.deleted
        if not meant.deleted:
            assert len(article.paragraphs) == len(meant.paragraphs)
            assert len(article.items) == sum(meant.paragraphs)


# --- as a part -------------------------------------------------------------------------------------

# --- a code that is not whole ------------------------------------------------------------------------

COUNTS = {"articles": 7, "captions": 3, "headings": 7, "lines": 13}


def warnings_on(text, folder, monkeypatch, language="en", name="code.txt", counts=COUNTS):
    """What is said when the code is loaded, or an empty string."""
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    (folder / name).write_text(text, encoding="utf-8")
    split = Split("task3", "2098", language, "train", {"articles": (name,)}, code_counts=counts)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        articles(LocalRelease.open(split))
    said = {str(warning.message) for warning in caught if isinstance(warning.message, FindingWarning)}
    return said.pop().partition("is not whole: ")[2] if said else ""


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("ja", JAPANESE)])
def test_a_code_without_any_one_line_or_cut_off_anywhere_is_reported(tmp_path, monkeypatch, language, text):
    assert warnings_on(text, tmp_path, monkeypatch, language) == ""
    assert warnings_on(text.rstrip(), tmp_path, monkeypatch, language) == ""
    lines = text.splitlines(keepends=True)
    for removed in range(1, len(lines)):  # all but the title
        remaining = "".join(lines[:removed] + lines[removed + 1 :])
        assert warnings_on(remaining, tmp_path, monkeypatch, language), lines[removed]
    for size in range(len("".join(lines[:6])), len(text.rstrip())):
        assert warnings_on(text[:size], tmp_path, monkeypatch, language), text[:size]


def test_a_fictional_code_may_have_any_size_and_an_audit_calls_another_one_wrong(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    (tmp_path / "code.txt").write_text(ENGLISH)
    files = {"articles": ("code.txt",), "H98": ("riteval_H98_en.xml",)}
    split = Split("task3", "2098", "en", "train", files, exam_years=("H98",), code_counts={"articles": 9})
    for number, is_wrong in ((901, False), (1, True)):
        pair = f'<pair id="H98-{number}-A" label="Y"><t1>Article 13 A lamp.</t1><t2>A lamp.</t2></pair>'
        (tmp_path / "riteval_H98_en.xml").write_text(f"<dataset>{pair}</dataset>")
        found = [finding.check for finding in audit(LocalRelease.open(split)).by_level["wrong"]]
        assert found == (["incomplete-code"] if is_wrong else [])

"""The civil code in both languages: as text, as the hard-wrapped text of 2017, and as XML."""

import textwrap
import warnings

import pytest
from hypothesis import given, settings
from strategies import english_number, japanese_number, model_codes, wrapped_articles

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning
from ir_coliee.releases.audit import audit
from ir_coliee.releases.civil_code import articles, quote_articles, read_civil_code
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.release import LocalRelease

ENGLISH = """Civil Code (Part I, Part II and Part III)
Part I Gates
Chapter I Keepers
(Closing of Gates)
Article 12  (1) A gate is closed at dusk, except in these cases:
(i) if the keeper is ill.
(2) The keeper must carry a lamp.
Article 12-2  Deleted
Section 1 Oil
Article 14  Oil is poured.
Articles 38 to 84  Deleted
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
２　門番は、灯を持つ。
第十二条の二　削除
第一節　油
第十四条　油は、注ぐ。
第三十八条から第八十四条まで　削除
（最後の客）
第三百九十八条の二十二　客は、次のことをする。
一　去ること。
"""
FILES = {"en": ENGLISH, "ja": JAPANESE}


def read(folder, text, language="en"):
    path = folder / "code.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_civil_code(path, language)


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a heading behind the last article is not its text
        ("Part I Gates\nArticle 1  A gate.\nPart IV Guests\nChapter I Beds", [("A gate.", "Part I Gates")]),
        # two lines of 2017 that look like a wrapped heading are body
        (
            "Article 1 A gate is closed under the\nPart 2 Rules (Guests) as if it\nwere new\nArticle 2 A lamp.",
            [("A gate is closed under the Part 2 Rules (Guests) as if it were new", ""), ("A lamp.", "")],
        ),
    ],
)
def test_what_is_a_heading_and_what_is_text(tmp_path, text, expected):
    articles = read(tmp_path, f"Code\n{text}")
    assert [(article.text, article.part) for article in articles] == expected


# --- captions that are shared ----------------------------------------------------------------------

SHARED = (
    "Code\nPart I Gates\nArticle 1  Nobody's caption.\n(Gates)\nArticle 2  A gate.\nArticle 3  The same gate.\n"
    "Article 4  Deleted\n(Old Lamps)\nArticle 5  Deleted\nArticle 6  The same gate again.\n"
    "Chapter I Lamps\nArticle 7  A lamp.\n(Lamps)\nArticle 8  Another lamp.\n"
)


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
    assert quote_articles(["398-22", "14", "7"], found) == (
        "（最後の客）\n第三百九十八条の二十二　客は、次のことをする。\n一　去ること。\n"
        "第十四条　油は、注ぐ。\n[MISSING ARTICLE 7]"
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


# --- a code that is not whole ------------------------------------------------------------------------

COUNTS = {"articles": 5, "captions": 2, "headings": 3, "lines": 8}


def warnings_on(text, folder, monkeypatch, language):
    """What is said when the code is loaded, or an empty string."""
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    (folder / "code.txt").write_text(text, encoding="utf-8")
    split = Split("task3", "2098", language, "train", {"articles": ("code.txt",)}, code_counts=COUNTS)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        articles(LocalRelease.open(split))
    said = {str(warning.message) for warning in caught if isinstance(warning.message, FindingWarning)}
    return said.pop().partition("is not whole: ")[2] if said else ""


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("ja", JAPANESE)])
def test_a_code_without_any_one_line_or_cut_off_anywhere_is_reported(tmp_path, monkeypatch, language, text):
    lines = text.splitlines(keepends=True)
    damaged = ["".join(lines[:removed] + lines[removed + 1 :]) for removed in range(1, len(lines))]  # all but the title
    damaged += [text[:size] for size in range(len("".join(lines[:6])), len(text.rstrip()))]
    assert [each for each in damaged if not warnings_on(each, tmp_path, monkeypatch, language)] == []
    assert warnings_on(text, tmp_path, monkeypatch, language) == ""
    assert warnings_on(text.rstrip(), tmp_path, monkeypatch, language) == ""


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


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@settings(max_examples=30)
@given(wrapped_articles)
def test_any_wrapped_text_reads_like_the_text_that_was_not_wrapped(tmp_path_factory, meant):
    width, articles = meant
    head = ["Civil Code", "(Act No. 900)", "Part I Gates"]
    plain = [
        line
        for number, caption, lines in articles
        for line in [*([f"({caption})"] if caption else []), f"Article {number} {lines[0]}", *lines[1:]]
    ]
    wrapped = [piece for line in plain for piece in textwrap.wrap(line, width, break_on_hyphens=False)]
    folder = tmp_path_factory.getbasetemp()
    found = read(folder, "\n".join(head + wrapped))
    assert found == read(folder, "\n".join(head + plain))
    assert [(article.doc_id, article.caption, article.text.split("\n")) for article in found] == [*map(tuple, articles)]


# The civil code of 2026: the law service's XML and the organisers' civil.xml.


LAW = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<Law Lang="ja"><LawBody><LawTitle>架空の法</LawTitle>
<TOC><TOCPart Num="1"><PartTitle>第一編　目次の門</PartTitle></TOCPart></TOC>
<MainProvision><Part Num="1"><PartTitle>第一編　門</PartTitle><Chapter Num="1"><ChapterTitle>第一章　門番</ChapterTitle>
<Article Num="12"><ArticleCaption>（<Ruby>門<Rt>もん</Rt></Ruby>番の義務）</ArticleCaption>
<ArticleTitle>第十二条</ArticleTitle>
<Paragraph Num="1"><ParagraphNum/><ParagraphSentence>
<Sentence Num="1">門番は、<Ruby>門<Rt>もん</Rt></Ruby>を閉める。</Sentence>
<Sentence>ただし、夜に限る。</Sentence></ParagraphSentence></Paragraph>
<Paragraph Num="2"><ParagraphNum>２</ParagraphNum>
<ParagraphSentence><Sentence>次の灯は、貸す。</Sentence></ParagraphSentence>
<Item Num="1"><ItemTitle>一</ItemTitle>
<ItemSentence><Column><Sentence>夜の灯</Sentence></Column><Column><Sentence>油の灯</Sentence></Column></ItemSentence>
<Subitem1 Num="1"><Subitem1Title>イ</Subitem1Title>
<Subitem1Sentence><Sentence>大きな</Sentence><Sentence>灯</Sentence></Subitem1Sentence></Subitem1>
<Subitem1 Num="2"><Subitem1Title>ロ</Subitem1Title><Subitem1Sentence>
<Column><Sentence>小さな灯</Sentence></Column><Column><Sentence>蝋</Sentence></Column></Subitem1Sentence></Subitem1></Item>
<Item Num="2"><ItemTitle>二</ItemTitle>
<ItemSentence><Sentence>朝の</Sentence><Sentence>灯</Sentence></ItemSentence></Item></Paragraph></Article>
<Section Num="1"><SectionTitle>第一節　油</SectionTitle>
<Subsection Num="1"><SubsectionTitle>第一款　魚油</SubsectionTitle>
<Division Num="1"><DivisionTitle>第一目　冷たい油</DivisionTitle>
<Article Num="12_2"><ArticleTitle>第十二条の二</ArticleTitle>
<Paragraph><ParagraphNum/><ParagraphSentence><Sentence>油は、注ぐ。</Sentence></ParagraphSentence></Paragraph></Article>
</Division></Subsection></Section>
<Article Num="38:84"><ArticleTitle>第三十八条から第八十四条まで</ArticleTitle>
<Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>削除</Sentence></ParagraphSentence></Paragraph></Article>
<Article Num="725"><ArticleTitle>第七百二十五条</ArticleTitle>
<Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>親族</Sentence></ParagraphSentence></Paragraph></Article>
</Chapter></Part></MainProvision>
<SupplProvision><Article Num="1"><ArticleTitle>第一条</ArticleTitle>
<Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>附則</Sentence></ParagraphSentence></Paragraph></Article>
</SupplProvision></LawBody></Law>
"""
CIVIL = """<?xml version="1.0" encoding="utf-8"?>
<Articles>
<Article num="12"><caption>（門番の義務）</caption><text>第十二条　門番は、門を閉める。ただし、夜に限る。
２　次の灯は、貸す。
一　夜の灯　油の灯
イ　大きな灯
ロ　小さな灯　蝋
二　朝の灯</text></Article>
<Article num="12-2"><caption/><text>第十二条の二　油は、注ぐ。</text></Article>
<Article num="38:84"><caption/><text>第三十八条から第八十四条まで　削除</text></Article>
</Articles>
"""


def read_xml(folder, text):
    (folder / "code.xml").write_text(text, encoding="utf-8")
    return read_civil_code(folder / "code.xml", "ja")


LEVELS = ("part", "chapter", "section", "subsection", "division")
HIERARCHY = [
    ["第一編　門", "第一章　門番", "", "", ""],
    ["第一編　門", "第一章　門番", "第一節　油", "第一款　魚油", "第一目　冷たい油"],
    ["第一編　門", "第一章　門番", "", "", ""],
]


@pytest.mark.parametrize(("text", "hierarchy"), [(LAW, HIERARCHY), (CIVIL, [[""] * 5] * 3)])
def test_an_article_has_its_lines_in_both_forms_and_its_place_in_the_law(tmp_path, text, hierarchy):
    article, shared, deleted = found = read_xml(tmp_path, text)
    assert article.caption == "門番の義務"
    assert article.text == (
        "門番は、門を閉める。ただし、夜に限る。\n２　次の灯は、貸す。\n一　夜の灯　油の灯\n"
        "イ　大きな灯\nロ　小さな灯　蝋\n二　朝の灯"
    )
    assert article.paragraphs == tuple(article.text.split("\n", 1))
    assert article.items == ("一　夜の灯　油の灯\nイ　大きな灯\nロ　小さな灯　蝋", "二　朝の灯")
    assert (shared.caption, shared.text, shared.deleted) == ("", "油は、注ぐ。", False)
    assert (deleted.text, deleted.deleted, deleted.effective_caption) == ("削除", True, "")
    assert [[getattr(article, level) for level in LEVELS] for article in found] == hierarchy

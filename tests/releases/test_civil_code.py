"""The civil code in both languages: as text, as the hard-wrapped text of 2017, and as XML."""

import textwrap
import warnings

import pytest
from hypothesis import given, settings
from strategies import english_number, japanese_number, model_codes, wrapped_articles

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


# The civil code of 2017: hard-wrapped English text, in which references look like elements.


def test_two_body_lines_that_look_like_a_wrapped_heading_are_body(tmp_path):
    path = tmp_path / "civil_english.txt"
    path.write_text(
        "Code\nArticle 1 A gate is closed under the\nPart 2 Rules (Guests) as if it\nwere new\nArticle 2 A lamp."
    )
    first, second = read_civil_code(path, "en")
    assert first.text == "A gate is closed under the Part 2 Rules (Guests) as if it were new"
    assert second.part == ""


@pytest.mark.slow
@settings(max_examples=40)
@given(wrapped_articles)
def test_any_wrapped_text_reads_like_the_text_that_was_not_wrapped(tmp_path_factory, meant):
    width, articles = meant
    plain, wrapped = ["Civil Code", "(Act No. 900)", "Part I Gates"], ["Civil Code", "(Act No. 900)", "Part I Gates"]
    for number, caption, lines in articles:
        block = [*([f"({caption})"] if caption else []), f"Article {number} {lines[0]}", *lines[1:]]
        plain += block
        wrapped += [piece for line in block for piece in textwrap.wrap(line, width, break_on_hyphens=False)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        folder = tmp_path_factory.getbasetemp()
        (folder / "plain.txt").write_text("\n".join(plain))
        (folder / "wrapped.txt").write_text("\n".join(wrapped))
        found = read_civil_code(folder / "wrapped.txt", "en")
        assert found == read_civil_code(folder / "plain.txt", "en")
    assert [(article.doc_id, article.caption, article.text.split("\n")) for article in found] == [
        (number, caption, lines) for number, caption, lines in articles
    ]


# The civil code of 2026: the law service's XML and the organisers' civil.xml.


LAW = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<Law Lang="ja"><LawBody><LawTitle>架空の法</LawTitle>
<TOC><TOCPart Num="1"><PartTitle>第一編　目次の門</PartTitle></TOCPart></TOC>
<MainProvision>
 <Part Num="1"><PartTitle>第一編　門</PartTitle>
  <Chapter Num="1"><ChapterTitle>第一章　門番</ChapterTitle>
   <Article Num="12">
    <ArticleCaption>（<Ruby>門<Rt>もん</Rt></Ruby>番の義務）</ArticleCaption>
    <ArticleTitle>第十二条</ArticleTitle>
    <Paragraph Num="1"><ParagraphNum/>
     <ParagraphSentence>
      <Sentence Num="1">門番は、<Ruby>門<Rt>もん</Rt></Ruby>を閉める。</Sentence>
      <Sentence>ただし、夜に限る。</Sentence></ParagraphSentence>
    </Paragraph>
    <Paragraph Num="2"><ParagraphNum>２</ParagraphNum>
     <ParagraphSentence><Sentence>次の灯は、貸す。</Sentence></ParagraphSentence>
     <Item Num="1"><ItemTitle>一</ItemTitle>
      <ItemSentence><Column><Sentence>夜の灯</Sentence></Column><Column><Sentence>油の灯</Sentence></Column></ItemSentence>
      <Subitem1 Num="1"><Subitem1Title>イ</Subitem1Title>
       <Subitem1Sentence><Sentence>大きな</Sentence><Sentence>灯</Sentence></Subitem1Sentence></Subitem1>
      <Subitem1 Num="2"><Subitem1Title>ロ</Subitem1Title>
       <Subitem1Sentence>
        <Column><Sentence>小さな灯</Sentence></Column><Column><Sentence>蝋</Sentence></Column></Subitem1Sentence></Subitem1>
     </Item>
     <Item Num="2"><ItemTitle>二</ItemTitle>
      <ItemSentence><Sentence>朝の</Sentence><Sentence>灯</Sentence></ItemSentence></Item>
    </Paragraph>
   </Article>
   <Section Num="1"><SectionTitle>第一節　油</SectionTitle>
    <Subsection Num="1"><SubsectionTitle>第一款　魚油</SubsectionTitle>
     <Division Num="1"><DivisionTitle>第一目　冷たい油</DivisionTitle>
      <Article Num="12_2"><ArticleTitle>第十二条の二</ArticleTitle>
       <Paragraph><ParagraphNum/><ParagraphSentence><Sentence>油は、注ぐ。</Sentence></ParagraphSentence></Paragraph>
      </Article>
     </Division>
    </Subsection>
   </Section>
   <Article Num="38:84"><ArticleTitle>第三十八条から第八十四条まで</ArticleTitle>
    <Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>削除</Sentence></ParagraphSentence></Paragraph>
   </Article>
   <Article Num="725"><ArticleTitle>第七百二十五条</ArticleTitle>
    <Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>親族</Sentence></ParagraphSentence></Paragraph>
   </Article>
   <Article Num="726"><ArticleTitle>第七百二十六条</ArticleTitle>
    <Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>親等</Sentence></ParagraphSentence></Paragraph>
   </Article>
  </Chapter>
 </Part>
</MainProvision>
<SupplProvision>
 <Article Num="1"><ArticleTitle>第一条</ArticleTitle>
 <Paragraph Num="1"><ParagraphNum/><ParagraphSentence><Sentence>附則</Sentence></ParagraphSentence></Paragraph>
 </Article>
</SupplProvision>
</LawBody></Law>
"""
CIVIL = """<?xml version="1.0" encoding="utf-8"?>
<Articles>
  <Article num="12">
    <caption>（門番の義務）</caption>
    <text>第十二条　門番は、門を閉める。ただし、夜に限る。
２　次の灯は、貸す。
一　夜の灯　油の灯
イ　大きな灯
ロ　小さな灯　蝋
二　朝の灯</text>
  </Article>
  <Article num="12-2">
    <caption/>
    <text>第十二条の二　油は、注ぐ。</text>
  </Article>
  <Article num="38:84">
    <caption/>
    <text>第三十八条から第八十四条まで　削除</text>
  </Article>
</Articles>
"""


def read_xml(folder, text, name="code.xml"):
    path = folder / name
    path.write_text(text)
    return read_civil_code(path, "ja")


@pytest.mark.parametrize("text", [LAW, CIVIL])
def test_an_article_has_its_lines_in_both_forms(tmp_path, text):
    article, shared, deleted = read_xml(tmp_path, text)
    assert article.caption == "門番の義務"
    assert article.text == (
        "門番は、門を閉める。ただし、夜に限る。\n２　次の灯は、貸す。\n一　夜の灯　油の灯\n"
        "イ　大きな灯\nロ　小さな灯　蝋\n二　朝の灯"
    )
    assert article.paragraphs == tuple(article.text.split("\n", 1))
    assert article.items == ("一　夜の灯　油の灯\nイ　大きな灯\nロ　小さな灯　蝋", "二　朝の灯")
    assert (shared.caption, shared.text, shared.deleted) == ("", "油は、注ぐ。", False)
    assert (deleted.text, deleted.deleted, deleted.effective_caption) == ("削除", True, "")


def test_the_law_has_the_hierarchy_and_civil_xml_has_none(tmp_path):
    levels = ("part", "chapter", "section", "subsection", "division")
    places = [[getattr(article, level) for level in levels] for article in read_xml(tmp_path, LAW)]
    assert places == [
        ["第一編　門", "第一章　門番", "", "", ""],
        ["第一編　門", "第一章　門番", "第一節　油", "第一款　魚油", "第一目　冷たい油"],
        ["第一編　門", "第一章　門番", "", "", ""],
    ]
    assert not any(getattr(article, level) for article in read_xml(tmp_path, CIVIL) for level in levels)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("<html>\n</html>", 1, "the root element is <html>"),
        (CIVIL.replace(' num="12-2"', ""), 12, "an article has no attribute num"),
        (LAW.replace(' Num="12_2"', ""), LAW[: LAW.index("12_2")].count("\n") + 1, "an article has no attribute Num"),
        ("<Articles>\n<Article num='1'>\n</Articles>", 3, "<Article> of line 2 is not closed"),
    ],
)
def test_what_is_no_civil_code_is_refused_with_its_line(tmp_path, text, line, problem):
    with pytest.raises(MalformedFileError, match=problem) as caught:
        read_xml(tmp_path, text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text",
    [
        '<Articles>\n<Article num="1"/>\n<Article num="2"/>\n<Article num="1"/></Articles>',
        '<Law><LawBody><MainProvision>\n<Article Num="1"/><Part>\n<Article Num="2"/>\n<Article Num="1"/>'
        "</Part></MainProvision></LawBody></Law>",
    ],
)
def test_a_repeated_article_is_an_error_with_the_file_and_the_line(tmp_path, text):
    path = tmp_path / "civil.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedFileError, match=r"civil\.xml, line 4: article 1 is repeated"):
        read_civil_code(path, "ja")

"""The civil code of 2026: the law service's XML and the organisers' civil.xml."""

import pytest

from ir_coliee.errors import MalformedFileError
from ir_coliee.releases.civil_code import read_civil_code

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


def read(folder, text, name="code.xml"):
    path = folder / name
    path.write_text(text)
    return read_civil_code(path, "ja")


@pytest.mark.parametrize("text", [LAW, CIVIL])
def test_an_article_has_its_lines_in_both_forms(tmp_path, text):
    article, shared, deleted = read(tmp_path, text)
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
    places = [[getattr(article, level) for level in levels] for article in read(tmp_path, LAW)]
    assert places == [
        ["第一編　門", "第一章　門番", "", "", ""],
        ["第一編　門", "第一章　門番", "第一節　油", "第一款　魚油", "第一目　冷たい油"],
        ["第一編　門", "第一章　門番", "", "", ""],
    ]
    assert not any(getattr(article, level) for article in read(tmp_path, CIVIL) for level in levels)


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
        read(tmp_path, text)
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

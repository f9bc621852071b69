"""The files of exam questions, in the form of every year, and answers that are handed out later."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import article_numbers, english_number, english_words, japanese_number, japanese_words

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError
from ir_coliee.releases import statutes
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.statutes import read_answer_file, read_questions


def read(folder, text, language="en"):
    path = folder / "riteval_H98_en.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_questions(path, language)


def dataset(*pairs, declaration='<?xml version="1.0" encoding="UTF-8"?>\n'):
    return f"{declaration}<dataset>\n" + "\n".join(pairs) + "\n</dataset>\n"


def pair(t1="Article 5 A gate.", t2="A gate.", attributes='id="H98-1-1" label="Y"'):
    quoted = "" if t1 is None else f"<t1>\n{t1}\n</t1>\n"
    return f"<pair {attributes}>\n{quoted}<t2>\n{t2}\n</t2>\n</pair>"


# --- every variant by its letter in the list of forms ----------------------------------------------

RUN_TOGETHER = "(Gate Rules)Article 96(1)A gate may be opened.(2)In cases the keeper sleeps, a guest may open it."
INLINE = "Article 15 (1) A keeper may ask for a lamp.\n(2) This needs consent.\nArticle 11 A lamp must be lit."
CAPTIONED = "(Borrowed Lamps)\nArticle 121-2(1) A lamp must be given back.\n(Keys)\nArticle 182\n(2) A key."
JAPANESE = "（門番の義務）\n第五百六十六条　門番は、門を閉める。\n２　門番は、灯を持つ。\n第五百六十七条 灯は、貸す。"
JAPANESE_TEST = "（門番の義務）\n第十一条 門番は、門を閉める。\n２ 門番は、灯を持つ。\n六百五十七条の二 灯は、貸す。"
TAGGED = "<pair {}>\n<article>565</article>\n<article>398-2</article>\n<t2>門。</t2>\n</pair>"
LABELLED, REVERSED, TEST = 'id="R98-99-I" label="Y"', 'label="Y" id="R98-99-I"', "id='R98-99-I'"
VARIANTS = {
    "A": ("en", pair(RUN_TOGETHER, attributes=LABELLED), ("96",)),
    "A2": ("en", pair('<article id="572"/>\n<article id="573"/>', attributes=LABELLED), ("572", "573")),
    "B": ("ja", pair(JAPANESE, attributes=LABELLED), ("566", "567")),
    "C": ("en", pair("(Duty)Article 566 A.\n(Lamp) Article 567 B.", "A.", REVERSED), ("566", "567")),
    "D": ("en", pair("Article 572\nA lamp under Article 562, paragraph (1).", attributes=LABELLED), ("572",)),
    "E": ("en", pair(INLINE, attributes=LABELLED) + "\n\n", ("15", "11")),
    "F": ("en", pair(CAPTIONED, attributes=LABELLED).replace("<t1>", " <t1>"), ("121-2", "182")),
    "G": ("en", pair("Article 537(1) A gate is closed.\nArticle 538 B.", attributes=LABELLED), ("537", "538")),
    "H": ("en", pair(CAPTIONED, attributes=TEST), ("121-2", "182")),
    "I": ("ja", pair(JAPANESE_TEST, attributes=TEST), ("11", "657-2")),
    "J": ("en", pair(None, attributes=TEST), ()),
    "K": ("ja", TAGGED.format(LABELLED), ("565", "398-2")),
    "L": ("ja", pair(JAPANESE, attributes=LABELLED).replace("<t1>\n", "<t1>"), ("566", "567")),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_variant_is_read(tmp_path, variant, end):
    language, written, articles = VARIANTS[variant]
    (question,) = read(tmp_path, dataset(written).replace("\n", end).encode(), language)
    assert question.articles == articles
    assert question.label == ("" if variant in "HIJ" else "Y")
    assert bool(question.t1) == (variant not in ("A2", "J", "K"))
    assert "\n" not in question.statement


# --- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["yes", "y", "N "])
def test_a_label_other_than_y_and_n_counts_as_none_and_is_reported_with_line_and_question(tmp_path, label):
    with pytest.warns(ColieeWarning, match=rf"H98_en\.xml, line 11: question H98-1-2 has the label '{label}'"):
        found = read(tmp_path, dataset(pair(), pair(attributes=f'id="H98-1-2" label="{label}"')))
    assert [question.label for question in found] == ["Y", ""]


@pytest.mark.parametrize("wrong", [pair(attributes='label="Y"'), '<pair id="H98-1-1"><t1>Article 5</t1></pair>'])
def test_a_pair_without_id_or_statement_is_refused_with_its_line(tmp_path, wrong):
    with pytest.raises(MalformedFileError, match=r"line 11: .*no id or no t2"):
        read(tmp_path, dataset(pair(), wrong))


def test_of_a_question_that_is_given_again_the_first_is_used_and_it_is_reported_with_its_line(tmp_path):
    with pytest.warns(ColieeWarning, match=r"H98_en\.xml, line 11: question H98-1-1 is repeated"):
        (question,) = read(tmp_path, dataset(pair(t2="A gate."), pair(t2="A lamp.")))
    assert question.statement == "A gate."


def test_messages_show_no_text_of_a_question(tmp_path):
    with pytest.warns(ColieeWarning) as caught:
        read(tmp_path, dataset(pair("Article 5 A secret.", "A secret.", 'id="H98-1-1" label="maybe"')))
    assert "secret" not in str(caught[0].message)
    with pytest.raises(MalformedFileError) as refused:
        read(tmp_path, dataset("<pair><t1>Article 5 A secret.</t1><t2>A secret.</t2></pair>"))
    assert "secret" not in str(refused.value)


# --- any questions ---------------------------------------------------------------------------------

questions = st.lists(
    st.tuples(st.sampled_from("YN"), st.lists(article_numbers, min_size=1, max_size=3, unique=True), st.booleans()),
    max_size=4,
)
STYLES = st.sampled_from(["{} {}", "{}\n{}", "{}(1) {}"])


@settings(max_examples=60)
@given(questions, STYLES, english_words, st.sampled_from("　 "), japanese_words)
def test_any_questions_are_read_as_they_were_meant(tmp_path_factory, meant, style, english, blank, japanese):
    for language, words in (("en", english), ("ja", japanese)):
        pairs = []
        for number, (label, articles, has_caption) in enumerate(meant):
            if language == "en":
                lines = [style.format(english_number(article), words) for article in articles]
            else:
                lines = [f"{japanese_number(article)}{blank}{words}" for article in articles]
            caption = {"en": "(Lamps)\n", "ja": "（灯）\n"}[language] if has_caption else ""
            t1 = "\n".join(caption + line for line in lines)
            pairs.append(pair(t1, words, f'id="H98-{number}" label="{label}"'))
        found = read(tmp_path_factory.getbasetemp(), dataset(*pairs), language)
        assert [(q.query_id, q.label, list(q.articles), q.statement) for q in found] == [
            (f"H98-{number}", label, articles, words) for number, (label, articles, _) in enumerate(meant)
        ]


# --- as a split -------------------------------------------------------------------------------------

SPLIT = Split(
    "task3",
    "2098",
    "en",
    "train",
    {"articles": ("civil_code_en-1to724-2.txt",), "H98": ("riteval_H98_en.xml",), "H99": ("riteval_H99_en.xml",)},
    exam_years=("H98", "H99"),
    excluded=("H99-1-2",),
)


def put(home, year, *pairs):
    path = home / f"riteval_{year}_en.xml"
    path.write_text(dataset(*pairs))
    return path


def test_exam_years_come_one_after_the_other_without_what_is_not_scored(home):
    unscored = pair(attributes='id="H99-1-2" label="N"')
    put(home, "H99", pair("Article 7 A lamp.", attributes='id="H99-1-1" label="N"'), unscored)
    put(home, "H98", pair("Article 6 A.\nArticle 5 B."))
    assert statutes.statements(LocalRelease.open(SPLIT)) == [("H98-1-1", "A gate."), ("H99-1-1", "A gate.")]
    gold = [("H98-1-1", "6", 1), ("H98-1-1", "5", 1), ("H99-1-1", "7", 1)]
    assert statutes.relevant_articles(LocalRelease.open(SPLIT)) == gold
    assert statutes.correct_answers(LocalRelease.open(SPLIT)) == [("H98-1-1", "Y", 1), ("H99-1-1", "N", 1)]
    pools = [(question, answer) for question in ("H98-1-1", "H99-1-1") for answer in "YN"]
    assert statutes.answer_candidates(LocalRelease.open(SPLIT)) == pools


def test_a_test_without_labels_loads_and_its_gold_says_what_is_missing(home):
    put(home, "H98", pair(attributes="id='H98-1-1'"))
    put(home, "H99", pair(None, attributes="id='H99-1-1'"))
    assert len(statutes.statements(LocalRelease.open(SPLIT))) == 2
    assert statutes.relevant_articles(LocalRelease.open(SPLIT)) == [("H98-1-1", "5", 1)]
    with pytest.raises(
        MissingLabelsError, match=r"(?s)2098/en/train.*no Y or N.*without them: .*_H98_en\.xml, .*_H99_en"
    ):
        statutes.correct_answers(LocalRelease.open(SPLIT))


def test_a_text_in_an_article_tag_is_refused_and_not_quoted(home):
    put(
        home,
        "H98",
        '<dataset><pair id="H98-1-1"><article>The keeper lights a lamp at dusk.</article><t2>A</t2></pair></dataset>',
    )
    with pytest.raises(MalformedFileError, match="no number of an article") as caught:
        statutes.read_questions(home / "riteval_H98_en.xml", "en")
    assert "keeper" not in str(caught.value)


SIMPLE = Split(
    "task4", "2098", "ja", "train", {"articles": ("civil.xml",), "H98": ("simple_H98_jp.xml",)}, exam_years=("H98",)
)
CODE = """<Articles>
<Article num="5"><caption>（門番の義務）</caption><text>第五条　門番は、門を閉める。
２　門番は、灯を持つ。</text></Article>
<Article num="6-2"><caption/><text>第六条の二　灯は、貸す。</text></Article>
</Articles>"""


def test_a_pair_file_without_a_question_is_refused_by_name(home):
    put(home, "H98", pair(t2="A gate."))
    put(home, "H99")
    with pytest.raises(MalformedFileError, match=r"riteval_H99_en\.xml: no question was found"):
        statutes.statements(LocalRelease.open(SPLIT))


def test_articles_that_tags_alone_name_are_quoted_from_the_code_if_it_is_there(home):
    tagged = "<pair id='H98-1-1' label='N'><article>6-2</article><article>5</article><t2>門。</t2></pair>"
    quoted = "<pair id='H98-1-2' label='N'><article>5</article><t1>第五条　門</t1><t2>門。</t2></pair>"
    without = "<pair id='H98-1-3' label='N'><t2>門。</t2></pair>"
    (home / "simple_H98_jp.xml").write_text(dataset(tagged, quoted, without))
    assert [question.t1 for question in statutes.questions(LocalRelease.open(SIMPLE))] == ["", "第五条　門", ""]
    (home / "civil.xml").write_text(CODE)
    assert [question.t1 for question in statutes.questions(LocalRelease.open(SIMPLE))] == [
        "第六条の二　灯は、貸す。\n（門番の義務）\n第五条　門番は、門を閉める。\n２　門番は、灯を持つ。",
        "第五条　門",
        "",
    ]
    assert [gold[1] for gold in statutes.relevant_articles(LocalRelease.open(SIMPLE))] == ["6-2", "5", "5"]


# --- the exam year of a file -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "other", ["H98-1-1", "h99-1-1", "H099-1-1", "Ｈ99-1-1", "H9-901-1", "R99-1-1", "1-1", "H99_1-1"]
)
def test_a_question_of_another_exam_year_than_its_file_is_refused(home, other):
    put(home, "H98", pair())
    put(home, "H99", pair(attributes='id="H99-1-1" label="Y"'), pair(attributes=f'id="{other}" label="Y"'))
    release = LocalRelease.open(SPLIT)
    for read in (statutes.statements, statutes.relevant_articles, statutes.correct_answers, statutes.answer_candidates):
        expected = rf"riteval_H99_en\.xml, line \d+: question {re.escape(other)} is not of the exam year H99"
        with pytest.raises(MalformedFileError, match=rf"{expected}(?s:.*)begin with H99-"):
            read(release)


@pytest.mark.parametrize("number", ["R01-901-1", "R1-913-A"])
def test_ids_of_the_years_up_to_9_may_lack_the_zero(tmp_path, number):
    path = tmp_path / "questions.xml"
    path.write_text(dataset(pair(attributes=f'id="{number}" label="Y"')))
    assert [question.query_id for question in statutes.read_questions(path, "en", "R01")] == [number]


# Answers that the organisers hand out after a test in separate files.


QUESTIONS = '<dataset><pair id="R99-1-A"><t2>One.</t2></pair><pair id="R99-1-I"><t2>Two.</t2></pair></dataset>'


def a_split(task):
    return Split(
        task,
        "2098",
        "en",
        "test",
        {"articles": ("civil_code_en-1to724-2.txt",), "R99": ("TestData_en.xml",)},
        exam_years=("R99",),
        layout="pairs",
        optional_files={"gold": ("task3_test_labels.txt",), "answers": ("QA.txt",)},
    )


@pytest.fixture
def asked(home):
    (home / "TestData_en.xml").write_text(QUESTIONS)
    return home


def test_gold_that_came_later_is_the_gold_of_the_test(asked):
    with pytest.raises(MissingLabelsError):
        statutes.relevant_articles(LocalRelease.open(a_split("task3")))
    (asked / "task3_test_labels.txt").write_text("R99-1-A Q0 398-2 1\nR99-1-I Q0 7 1\nR99-1-A Q0 8 1\n")
    found = [qrel[:2] for qrel in statutes.relevant_articles(LocalRelease.open(a_split("task3")))]
    assert found == [("R99-1-A", "398-2"), ("R99-1-A", "8"), ("R99-1-I", "7")]


def test_answers_that_came_later_are_those_of_the_test(asked):
    with pytest.raises(MissingLabelsError):
        statutes.correct_answers(LocalRelease.open(a_split("task4")))
    (asked / "QA.txt").write_text("R99-1-I\tN\r\nR99-1-A\tY\r\n\r\n")
    assert [qrel[:2] for qrel in statutes.correct_answers(LocalRelease.open(a_split("task4")))] == [
        ("R99-1-A", "Y"),
        ("R99-1-I", "N"),
    ]
    assert {question.label for question in statutes.questions(LocalRelease.open(a_split("task4")))} == {"Y", "N"}


@pytest.mark.parametrize("line", ["R99-1-A", "R99-1-A y", "R99-1-A yes", "Y"])
def test_a_line_that_is_no_answer_is_refused_with_its_line(tmp_path, line):
    (tmp_path / "QA.txt").write_text(f"R99-1-I\tY\n\n{line}\n")
    with pytest.raises(MalformedFileError, match=r"QA\.txt, line 3"):
        read_answer_file(tmp_path / "QA.txt")

"""The files of exam questions, in the form of every year, and answers that are handed out later."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import article_numbers, english_number, english_words, japanese_number, japanese_words

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError
from ir_coliee.releases import statutes
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.statutes import read_questions


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


def test_of_a_question_that_is_given_again_the_first_is_used_and_it_is_reported_with_its_line(tmp_path):
    with pytest.warns(ColieeWarning, match=r"H98_en\.xml, line 11: question H98-1-1 is repeated"):
        (question,) = read(tmp_path, dataset(pair(t2="A gate."), pair(t2="A lamp.")))
    assert question.statement == "A gate."


def test_messages_show_no_text_of_a_question(tmp_path):
    with pytest.warns(ColieeWarning) as caught:
        read(tmp_path, dataset(pair("Article 5 A secret.", "A secret.", 'id="H98-1-1" label="maybe"')))
    assert "secret" not in str(caught[0].message)


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


def a_split(task="task3", years=("H98", "H99"), language="en", **options):
    files = {"articles": ("civil.xml",), **{year: (f"riteval_{year}_en.xml",) for year in years}}
    return Split(task, "2098", language, "train", files, exam_years=years, **options)


SPLIT = a_split(excluded=("H99-1-2",))


def put(home, year, *pairs):
    (home / f"riteval_{year}_en.xml").write_text(dataset(*pairs), encoding="utf-8")


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
    expected = r"(?s)2098/en/train.*no Y or N.*without them: .*_H98_en\.xml, .*_H99_en"
    with pytest.raises(MissingLabelsError, match=expected):
        statutes.correct_answers(LocalRelease.open(SPLIT))
    put(home, "H99")
    with pytest.raises(MalformedFileError, match=r"riteval_H99_en\.xml: no question was found"):
        statutes.statements(LocalRelease.open(SPLIT))


CODE = """<Articles>
<Article num="5"><caption>（門番の義務）</caption><text>第五条　門番は、門を閉める。
２　門番は、灯を持つ。</text></Article>
<Article num="6-2"><caption/><text>第六条の二　灯は、貸す。</text></Article>
</Articles>"""


def test_articles_that_tags_alone_name_are_quoted_from_the_code_if_it_is_there(home):
    simple = a_split("task4", ("H98",), language="ja")
    tagged = "<pair id='H98-1-1' label='N'><article>6-2</article><article>5</article><t2>門。</t2></pair>"
    quoted = "<pair id='H98-1-2' label='N'><article>5</article><t1>第五条　門</t1><t2>門。</t2></pair>"
    without = "<pair id='H98-1-3' label='N'><t2>門。</t2></pair>"
    put(home, "H98", tagged, quoted, without)
    assert [question.t1 for question in statutes.questions(LocalRelease.open(simple))] == ["", "第五条　門", ""]
    (home / "civil.xml").write_text(CODE, encoding="utf-8")
    assert [question.t1 for question in statutes.questions(LocalRelease.open(simple))] == [
        "第六条の二　灯は、貸す。\n（門番の義務）\n第五条　門番は、門を閉める。\n２　門番は、灯を持つ。",
        "第五条　門",
        "",
    ]
    assert [gold[1] for gold in statutes.relevant_articles(LocalRelease.open(simple))] == ["6-2", "5", "5"]


LATER = [
    (
        "task3",
        statutes.relevant_articles,
        ("task3_test_labels.txt", "H98-1-A Q0 398-2 1\nH98-1-I Q0 7 1\nH98-1-A Q0 8 1\n"),
        [("H98-1-A", "398-2"), ("H98-1-A", "8"), ("H98-1-I", "7")],
    ),
    (
        "task4",
        statutes.correct_answers,
        ("QA.txt", "H98-1-I\tN\r\nH98-1-A\tY\r\n\r\n"),
        [("H98-1-A", "Y"), ("H98-1-I", "N")],
    ),
]


@pytest.mark.parametrize(("task", "gold", "file", "expected"), LATER)
def test_gold_and_answers_that_came_later_are_those_of_the_test(home, task, gold, file, expected):
    put(home, "H98", *(pair(None, attributes=f'id="H98-1-{letter}"') for letter in "AI"))
    later = {"gold": ("task3_test_labels.txt",), "answers": ("QA.txt",)}
    split = a_split(task, ("H98",), layout="pairs", optional_files=later)
    with pytest.raises(MissingLabelsError):
        gold(LocalRelease.open(split))
    name, text = file
    (home / name).write_text(text)
    assert [qrel[:2] for qrel in gold(LocalRelease.open(split))] == expected
    labels = {question.label for question in statutes.questions(LocalRelease.open(split))}
    assert labels == ({"Y", "N"} if task == "task4" else {""})


# --- the exam year of a file -----------------------------------------------------------------------


OTHERS = ["H98-1-1", "h99-1-1", "H099-1-1", "Ｈ99-1-1", "H9-901-1", "R99-1-1", "1-1", "H99_1-1"]


@pytest.mark.parametrize("other", OTHERS)
def test_a_question_of_another_exam_year_than_its_file_is_refused(home, other):
    put(home, "H98", pair())
    put(home, "H99", pair(attributes='id="H99-1-1" label="Y"'), pair(attributes=f'id="{other}" label="Y"'))
    expected = rf"riteval_H99_en\.xml, line \d+: question {other} is not of the exam year H99(?s:.*)begin with H99-"
    for read in (statutes.statements, statutes.relevant_articles, statutes.correct_answers, statutes.answer_candidates):
        with pytest.raises(MalformedFileError, match=expected):
            read(LocalRelease.open(SPLIT))


@pytest.mark.parametrize("number", ["R01-901-1", "R1-913-A"])  # the zero may be missing
def test_ids_of_the_years_up_to_9_may_lack_the_zero(home, number):
    put(home, "R01", pair(attributes=f'id="{number}" label="Y"'))
    assert statutes.statements(LocalRelease.open(a_split(years=("R01",)))) == [(number, "A gate.")]

import pytest
from components.rules import Rule, article_rules, question_rule, same_polarity
from hypothesis import given
from hypothesis import strategies as st

import ir_coliee  # noqa: F401 registers the sample

ENGLISH = {
    "": ("", ""),
    "A lamp is lit.": ("", "A lamp is lit."),
    "If it is dark, a lamp is lit.": ("If it is dark", "a lamp is lit."),
    "A lamp is lit if it is dark.": ("if it is dark", "A lamp is lit."),
    "A lamp is lit, unless it is day.": ("unless it is day", "A lamp is lit."),
    "A lamp may be lit only if it is dark.": ("only if it is dark", "A lamp may be lit."),
    "Even if A pays, the gate stays shut unless B comes.": ("Even if A pays unless B comes", "the gate stays shut."),
    "If A, a minor, sells B a lamp, a gate or a well, B may give it back.": (
        "If A, a minor, sells B a lamp, a gate or a well",
        "B may give it back.",
    ),
    "In the case where the gate is shut, the keeper must, at dusk, light it.": (
        "In the case where the gate is shut",
        "the keeper must, at dusk, light it.",
    ),
    "A sold B a lamp. B lit it. When it broke, A owed nothing.": (
        "A sold B a lamp. B lit it. When it broke",
        "A owed nothing.",
    ),
    "A sold a lamp to C. B took it.": ("A sold a lamp to C.", "B took it."),
    "The boat sank; the loss falls on B.": ("The boat sank;", "the loss falls on B."),
    "A held it as if it were A's own.": ("", "A held it as if it were A's own."),
    "If dark, lit": ("If dark", "lit"),
    "If dark, cold, lit": ("If dark, cold", "lit"),
    "If": ("", "If"),
    "If it is dark": ("", "If it is dark"),
}

JAPANESE = {
    "": ("", ""),
    "灯は、門に置く。": ("", "灯は、門に置く。"),
    "夜になったときは、門を閉める。": ("夜になったときは", "門を閉める。"),
    "門番は、夜になったときは、門を閉める。": ("夜になったときは", "門番は、門を閉める。"),
    "門番は，夜になった場合であっても，門を閉めない。": ("夜になった場合であっても", "門番は，門を閉めない。"),
    "ただし、夜になったときは、この限りでない。": ("夜になったときは", "ただし、この限りでない。"),
    "ただし、門番は、夜の間に限り、灯を貸すことができる。": ("夜の間に限り", "ただし、門番は、灯を貸すことができる。"),
    "昼であったときは、夜になった場合でも、門を閉めない。": ("昼であったときは、夜になった場合でも", "門を閉めない。"),
    "Aは、Bに灯を貸した。Bが灯を壊せば、Aは門を閉める。": ("Aは、Bに灯を貸した。Bが灯を壊せば", "Aは門を閉める。"),
    "Aは、灯（夜になったときは、門）を貸す。": ("", "Aは、灯（夜になったときは、門）を貸す。"),
    "Aは、「夜になったときは、門」と言う。": ("", "Aは、「夜になったときは、門」と言う。"),
    "灯については、門番が決める。": ("", "灯については、門番が決める。"),
    "夜になったときは、": ("", "夜になったときは、"),
}


@pytest.mark.parametrize(("question", "rule"), ENGLISH.items())
def test_an_english_question_is_split(question, rule):
    assert question_rule(question, "en") == rule


@pytest.mark.parametrize(("question", "rule"), JAPANESE.items())
def test_a_japanese_question_is_split(question, rule):
    assert question_rule(question, "ja") == rule


def test_the_rules_of_an_article_are_its_sentences_items_and_provisos():
    article = (
        "(1) A lamp is lit if:\n(i) it is dark; or\n(ii) the ferry comes.\n(2) A gate is shut; where it is not, B pays."
    )
    assert article_rules(article, "en") == [
        Rule("", "A lamp is lit if:"),
        Rule("", "it is dark; or"),
        Rule("", "the ferry comes."),
        Rule("", "A gate is shut;"),
        Rule("where it is not", "B pays."),
    ]
    assert article_rules("A gate is shut; provided, however, that if it is day, it need not be.", "en")[1] == Rule(
        "if it is day", "provided, however, that it need not be."
    )
    assert article_rules("門を閉める。ただし、昼は、この限りでない。\n２　灯を消したときは、閉めない。", "ja") == [
        Rule("", "門を閉める。"),
        Rule("", "ただし、昼は、この限りでない。"),
        Rule("灯を消したときは", "閉めない。"),
    ]
    assert article_rules("", "en") == []


def letters(text):
    return sorted(character for character in text if character.isalnum())


english = st.lists(
    st.sampled_from(
        ["If", "if", "A", "B", "may", "lamp", "the gate", ",", ";", ".", "unless", "when", "provided that", "\n", "(i)"]
    ),
    max_size=25,
).map(" ".join)
japanese = st.lists(
    st.sampled_from([*"、，。（）「」", "Aは", "ときは", "場合には", "ただし", "門を", "閉めない", "ても"]), max_size=25
).map("".join)


@given(st.one_of(st.tuples(st.just("en"), st.one_of(english, st.text())), st.tuples(st.just("ja"), japanese)))
def test_no_letter_is_lost_or_added(drawn):
    language, question = drawn
    rule = question_rule(question, language)
    assert letters(rule.condition + rule.statement) == letters(question)
    assert bool(rule.statement.strip()) == bool(question.strip())


@given(st.one_of(st.tuples(st.just("en"), english), st.tuples(st.just("ja"), japanese)))
def test_an_articles_rules_have_its_letters_but_for_the_marks_of_its_provisions(drawn):
    language, article = drawn
    article = article.replace("\n", " ").replace("(i)", "")
    rules = article_rules(article, language)
    assert letters("".join(f"{rule.condition}{rule.statement}" for rule in rules)) == letters(article)


@pytest.mark.slow
def test_a_long_text_without_an_end_is_split_in_linear_time():
    """A quadratic rule would take hours."""
    for text in ("If " + "A, " * 100_000, "a lamp " * 100_000 + "if", "A lamp is" + " " * 200_000 + "lit"):
        assert letters("".join(question_rule(text, "en"))) == letters(text)
    for text in ("（" * 50_000, "Aは、" * 50_000, "灯ときは、" * 50_000 + "門"):
        assert letters("".join(question_rule(text, "ja"))) == letters(text)


@pytest.mark.parametrize(
    ("question", "article", "language", "same"),
    [
        ("A lamp may be lent.", "A gate is not shut. A lamp may be lent.", "en", True),
        ("A lamp may not be lent.", "A gate is not shut. A lamp may be lent.", "en", False),
        ("A lamp may not be lent.", "A lamp cannot be lent.", "en", True),
        ("It is not the case that a lamp may not be lent.", "A lamp may be lent.", "en", True),
        ("If it is not dark, a lamp may be lent.", "A lamp may be lent.", "en", True),
        ("A lamp may be lent.", "", "en", False),
        ("灯を貸すことができない。", "灯を貸すことができる。", "ja", False),
        ("灯を貸さなければならない。", "灯を貸すことができる。", "ja", True),
        ("灯を貸さねばならない。", "灯を貸すことができる。", "ja", True),
        ("灯を貸すほかない。", "灯を貸すことができる。", "ja", True),
        ("灯を返さない者は、灯を借りることができる。", "灯を借りることができる。", "ja", True),
        ("門を閉めることを要しない。", "門を閉めない。灯を貸すことができる。", "ja", True),
        ("門を閉めず、灯を貸す。", "灯を貸す。", "ja", True),
    ],
)
def test_a_question_and_its_nearest_rule_grant_or_deny(question, article, language, same):
    assert same_polarity(question, article_rules(article, language), language) is same

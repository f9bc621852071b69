"""Tokens with their places."""

from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.analysers import PlacedTokens
from ir_coliee.text.decisions import paragraph_spans

TEXTS = st.lists(
    st.sampled_from(
        ["a lamp", "\n[1]\n", "\n[12] ", " <FRAGMENT_SUPPRESSED> ", "DATE_SUPPRESSED", "İß", "ｶﾞ", "灯", "9"]
    )
    | st.text(max_size=6)
).map("".join)


@given(TEXTS, st.sampled_from(["en", "ja"]))
def test_each_token_stands_where_it_says(text, language):
    placed = PlacedTokens.of(text, language)
    assert placed.ends == sorted(placed.ends)
    paragraphs = paragraph_spans(text)
    for number, (token, paragraph) in enumerate(zip(placed.tokens, placed.paragraphs)):
        span = placed.span(number, 1)
        assert span.end > span.start
        within = paragraphs[paragraph]
        assert within.text.start <= span.start
        assert span.end <= within.text.end
        if language == "en":
            assert span.of(text).lower() == token


def test_markers_and_paragraph_marks_have_no_tokens():
    placed = PlacedTokens.of("[1]\nAs in<FRAGMENT_SUPPRESSED>and\n[2] so")
    assert placed.tokens == ["as", "in", "and", "so"]
    assert placed.paragraphs == [1, 1, 1, 2]

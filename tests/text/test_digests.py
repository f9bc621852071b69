"""The wording by which near-identical texts are found."""

import re

from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.decisions import normalised_text


def bare(text):
    return re.sub(r"\W", "", text.lower())


@given(st.text() | st.text(alphabet="aA1 .-_’\u00a0\u00ad\u0130ßé灯、　\n"))
def test_the_wording_is_the_lower_cased_text_without_what_is_no_word_character(text):
    assert normalised_text(text) == bare(text).encode()

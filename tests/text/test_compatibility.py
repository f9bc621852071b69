"""Unicode's normal form NFKC, also of many marks on one letter."""

import random
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.japanese import nfkc

MARKS = ["\u0301", "\u0327", "\u0f73", "\u3099", "\uff9e", "\U0001d165", "\u0344", " ", ".", "\u1e69", "か", "a"]


@given(st.text() | st.lists(st.sampled_from(MARKS)).map("".join))
def test_a_text_is_normalised_as_by_unicodedata(text):
    assert nfkc(text) == unicodedata.normalize("NFKC", text)
    assert nfkc(nfkc(text)) == nfkc(text)


def test_many_marks_are_normalised_as_by_unicodedata():
    chance = random.Random(0)
    for size in (31, 32, 33, 200):
        for _ in range(50):
            text = "か" + "".join(chance.choices(MARKS[:9], k=size)) + "か"
            assert nfkc(text) == unicodedata.normalize("NFKC", text)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.models.replies import yes_or_no

YES = [
    "Yes",
    " yes.",
    "**Yes**, since Article 5 says so",
    "True",
    "Y",
    "Ｙｅｓ",
    "1. Yes",
    "Answer yes or no: Yes",
    "Answer (Yes or No): Yes",
    "No deed is needed. Answer: yes",
    "The answer is no at first sight. But there was a deed.\nFinal answer: Yes",
    "Issue: …\nConclusion: **Yes**",
    "The statement is correct under Article 5.",
    "There was no deed.\n\nTrue",
    "はい",
    "はい、正しいです。",
    "この記述は正しい。",
    "答え：はい",
    "結論は、正しい",
    "○",
]
NO = [
    "No",
    "no, because a deed is missing",
    "No because a deed is missing",
    "False.",
    "n",
    "Not entailed",
    "The statement is not correct.",
    "The answer is: (No)",
    "Yes at first sight. Conclusion: no",
    "いいえ",
    "答え：正しくない",
    "結論：誤りである",
    "この記述は誤っている。",
    "✕",
]
NEITHER = [
    "",
    "I cannot say.",
    "No obligation arises",
    "There is no obligation",
    "Yesterday",
    "Nobody",
    "Answer: it depends",
    "Is it yes or no?",
    "答え：はい/いいえ",
    "\ud800",
]


@pytest.mark.parametrize(
    ("text", "answer"), [(t, "Y") for t in YES] + [(t, "N") for t in NO] + [(t, None) for t in NEITHER]
)
def test_what_a_reply_says(text, answer):
    assert yes_or_no(text) == answer


@given(st.text(st.characters()) | st.text("yesno YESNO:.\n*はいえ答：() ors"))
def test_any_text_says_yes_or_no_or_neither(text):
    assert yes_or_no(text) in ("Y", "N", None)


@given(st.text("abcd ,.\n"), st.sampled_from(["Yes", "No"]))
def test_the_last_answer_counts_whatever_stands_before(before, word):
    assert yes_or_no(f"{before}\nAnswer: Yes\nNo.\nAnswer: {word}") == word[0]

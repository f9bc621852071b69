"""Rankings and selections in replies of language models: read as they are meant, or refused, but never read wrongly."""

import re
import time
from itertools import chain

import pytest
from hostile_lists import brackets, cut_replies, hostile_replies
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.models.replies import Permutation, Refused, read_permutation, read_selection

PIECES = (
    *("[", "]", "[3]", "12", " > ", ",", "、", " ", "\n", "-", "{", "}", '"', ":", '"ranking"', "．"),
    *("<think>", "</think>", "Answer:", "```", "json", "and", "none", "候補", "【２】", "①", "\u0663", "\ud800"),
    *"*|0123456789",
)
NOISE = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=50)
FULL_WIDTH_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")


def expected_order(meaning, number):
    return (*meaning, *(each for each in range(1, number + 1) if each not in meaning))


@pytest.mark.slow
@pytest.mark.parametrize(("read", "separator"), [(read_permutation, " > "), (read_selection, ", ")])
def test_hostile_lists_are_right_or_refused(read, separator):
    for reply in chain(hostile_replies(500, separator), cut_replies(150, separator)):
        found = read(reply.text, reply.number)
        if reply.meaning is None:
            assert isinstance(found, Refused), (reply.kind, reply.text[:300], reply.number, found)
            assert found.reason
        elif read is read_selection:
            assert found == tuple(sorted(reply.meaning)), (reply.text[:300], reply.number, found)
        else:
            missing = reply.number - len(reply.meaning)
            expected = Permutation(expected_order(reply.meaning, reply.number), missing, 0)
            assert found == expected, (reply.text[:300], reply.number, found)


def test_a_reason_behind_a_list_is_not_read():
    assert read_permutation("[2] > [1] because it names\nthe gate.", 2).order == (2, 1)
    assert read_selection("[2], [3], since both say so", 3) == (2, 3)
    for reply in ("[2] > [1] because [3] is worse", "Because of [2]", "2 because it is", "[2] because [1] > [2]"):
        assert isinstance(read_permutation(reply, 3), Refused), reply


@given(text=NOISE, number=st.integers(1, 30))
def test_any_text_gives_a_permutation_and_a_subset_of_numbers_in_the_text_or_is_refused(text, number):
    order, selected = read_permutation(text, number), read_selection(text, number)
    written = {int(digits) for digits in re.findall("[0-9]{1,40}", text.translate(FULL_WIDTH_DIGITS))}
    if isinstance(order, Permutation):
        assert sorted(order.order) == [*range(1, number + 1)]
        assert {*order.order[: number - order.num_missing]} <= written
    if not isinstance(selected, Refused):
        assert {*selected} <= written & {*range(1, number + 1)}


@pytest.mark.parametrize(
    ("reply", "order", "num_missing", "num_unknown"),
    [
        ("[2] > [1] > [3]", (2, 1, 3), 0, 0),
        ("2, 1, 3", (2, 1, 3), 0, 0),
        ("3 1 2", (3, 1, 2), 0, 0),
        ("【３】＞【１】＞【２】", (3, 1, 2), 0, 0),
        ("[3] > [3] > [1] > [3]", (3, 1, 2), 1, 0),
        ("[3] > [7] > [2]", (3, 2, 1), 1, 1),
        ("[3] >\n[2] >\n[1]", (3, 2, 1), 0, 0),
        ("The third, then 2.\n<answer>[3] > [2] > [1]</answer>", (3, 2, 1), 0, 0),
        ('{"ranking": ["[3]", "2", 1], "reason": "[1] > [2]"}', (3, 2, 1), 0, 0),
    ],
)
def test_rankings_of_three(reply, order, num_missing, num_unknown):
    assert read_permutation(reply, 3) == Permutation(order, num_missing, num_unknown)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "no answer"),
        ("[7] > [8] > [1]", "too few of its numbers"),
        ("[0] > [2] > [1]", "number 0"),
        ("[1] > [2] > " * 4, "not a list of numbers"),
        ("1 2 1 2 1 2 1", "more than twice"),
        ("none", "not a list of numbers"),
        ("[2] > [1] and [3]", "not a list of numbers"),
        ("[]", "too few"),
    ],
)
def test_a_refused_ranking_has_a_reason(reply, reason):
    assert reason in read_permutation(reply, 3).reason


SELECTIONS = {
    (): [
        "none",
        "None.",
        "Answer: none",
        '{"selected": []}',
        "[]",
        "該当なし。",
        "答え：なし",
        "<think>[2]</think>None",
    ],
    (2, 3): ["2 and 3", "2と3", "[3], [2], and [3]"],
    (4, 5): ["Candidates 4 and 5."],
    (3,): ["3"],
}


@pytest.mark.parametrize(
    ("selected", "reply"), [(each, reply) for each, found in SELECTIONS.items() for reply in found]
)
def test_selections_of_five(reply, selected):
    assert read_selection(reply, 5) == selected


@pytest.mark.parametrize("reply", ["[2] > [3]", "[2], [6]", "none but [2]", "No. 6", "all", "none, [2]", "Answer:"])
def test_selections_that_are_refused(reply):
    assert isinstance(read_selection(reply, 5), Refused)


def test_a_bare_number_at_the_end_that_may_be_cut_off_is_refused():
    assert read_selection("12, 3", 12) == (3, 12)
    assert isinstance(read_selection("12, 1", 12), Refused)  # of 12, 10 or of 12, 11
    assert read_selection("12, 1.", 12) == read_selection("[12], [1]", 12) == (1, 12)
    assert read_permutation(brackets([*range(12, 0, -1)], "", ", "), 12).num_missing == 0


GROWING = {
    "blanks": lambda size: "[1]" + " " * size + "x",
    "lines": lambda size: "[1]\n" * size,
    "labels": lambda size: "Answer:\n" * size,
    "numbers": lambda size: "[1] > " * size,
    "digits": lambda size: "1" * size,
    "marks": lambda size: "*" * size + ">" * size,
    "open blocks": lambda size: "<think>" * size,
    "open brackets": lambda size: "[" * size,
    "candidates": lambda size: "candidate " * size,
}


@pytest.mark.slow
@pytest.mark.parametrize("make", GROWING.values(), ids=GROWING)
def test_a_reply_of_a_megabyte_takes_seconds_and_not_minutes(make):
    size = 2**16 // len(make(1))  # the longest that is read, and more
    for text in (make(size), make(16 * size)):
        start = time.process_time()
        read_permutation(text, 20)
        read_selection(text, 20)
        assert time.process_time() - start < 4  # beside other programs; in squared time, minutes

"""Reading twice as much takes about twice as long, whatever the text: no rule for decisions is quadratic."""

import gc
import time
from itertools import pairwise

import pytest

from ir_coliee.text.citations import citing_context
from ir_coliee.text.cleaning import clean_case, french_passages
from ir_coliee.text.decisions import case_sections, marker_spans, paragraph_spans, paragraphs
from ir_coliee.text.years import dated_years, decision_years

PARAGRAPH = "[{}]\nThe keeper of the lamp relied on <FRAGMENT_SUPPRESSED> , decided on May 1, 2002. See s. 7.\n"
DOUBLE = "[{}]\nLe gardien de la lampe était à la cour, le 1er mai 2002.\n"


def read(text):
    """All that is done with a decision."""
    clean_case(text, drop_header=True, drop_french=True, join_lines=True)
    paragraphs(text)
    paragraph_spans(text)
    case_sections(text)
    dated_years(text, 2099)
    decision_years(text, 2099)
    french_passages(text, "paragraph")
    marker_spans(text)
    citing_context(text)


def seconds(text):
    """The processor's time for a text, of this process alone."""
    gc.disable()  # collecting many small objects grows by rules of its own
    try:
        start = time.process_time()
        read(text)
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.slow
def test_a_decision_of_twice_the_length_takes_at_most_three_times_as_long_up_to_5_mb():
    pair = PARAGRAPH + DOUBLE
    texts = []
    for size in (1_250_000, 2_500_000, 5_000_000):
        decision = "".join(pair.format(number % 1000, number % 1000) for number in range(size // len(pair)))
        texts.append(f"Lamp v. Gate\nSummary:\nA lamp.\n{decision}[End of document]")
    times = [seconds(text) for text in texts]
    assert all(longer < 3 * shorter for shorter, longer in pairwise(times))


REPEATED = [
    *("[", "<", "\n", "A", " ", "\t", "\u00a0", "\r\n", "é", "'", "(", ")", ".", "9", "]", "\x00", "\u00ad"),
    *(" \n", "\n ", "\n[", "[1", "[1]\n", "\n[1] ", "1]\n", "A.", ". ", "a. A", "1999 ", "199", "x\n", "é\n", "la é "),
    *(
        "FRAGMENT_SUPPRESSED",
        "_SUPPRESSED",
        "<FRAGMENT_SUPPRESSED>",
        "[Translation]",
        "Editor: a\n",
        "[End of document]\n",
    ),
    *("\nSummary:", "\nCounsel:", "\n- Topic", "- Topic ", "\nMLB ", "\nThis ", "May 1, ", "1 1999", "\nEditor's note"),
]


@pytest.mark.slow
@pytest.mark.parametrize("repeated", REPEATED)
def test_eight_times_as_much_of_anything_takes_less_than_half_of_eight_times_eight(repeated):
    def text(size):
        return f"é <FRAGMENT_SUPPRESSED>\nSummary:\n{repeated * (size // len(repeated))}\n[1]\nx"

    # the floor: a clock has steps
    assert seconds(text(64_000)) < 32 * max(seconds(text(8_000)), 0.001)

"""Token sequences against a plain reading of each text, character by character pattern."""

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.engine import parallel
from ir_coliee.engine.cases.texts import TokenSequences
from ir_coliee.text.case_properties import case_properties

MARKERS = re.compile("<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?")

TEXTS = [
    "Lamp v. Gate\n[1]\nThe court's rule, see <FRAGMENT_SUPPRESSED> at para 12.\n[2] O'Clock isn't R2D2; it's 1998é.",
    "",
    "no paragraph, REFERENCE_SUPPRESSEDCITATION_SUPPRESSED and\n [7]\n[8]",
    "the THE The tHe <DATE_SUPPRESSED>",
]


def plain(text):
    """Tokens, capitals, markers and paragraphs of a text, from the definitions."""
    blank = MARKERS.sub(lambda marker: " " * len(marker[0]), text)
    found = list(re.finditer(r"[A-Za-z]+('[a-z])?|[0-9]+", blank))
    marks = re.finditer(r"(?:\A|\n)[ \t]*(?=\[\d{1,3}\])", text)
    return (
        [match[0].lower() for match in found],
        [match[0][0].isupper() for match in found],
        [sum(match.start() < marker.start() for match in found) for marker in MARKERS.finditer(text)],
        [sum(match.start() < mark.end() for match in found) for mark in marks],
    )


def read(sequences, number):
    """The same of a text of the sequences."""

    def part(values, bounds):
        return values[bounds[number] : bounds[number + 1]].tolist()

    return (
        [sequences.vocabulary[token] for token in part(sequences.tokens, sequences.bounds)],
        part(sequences.capitalised, sequences.bounds),
        part(sequences.markers, sequences.marker_bounds),
        part(sequences.paragraphs, sequences.paragraph_bounds),
    )


pieces = st.sampled_from(
    [
        "Lamp",
        "gate's",
        "A1b",
        "'s",
        "x'y",
        " ",
        "\n",
        "[3]",
        "<FRAGMENT_SUPPRESSED>",
        "DATE_SUPPRESSED",
        "é",
        "!",
        "#",
        "_",
    ]
)


@given(st.lists(st.lists(pieces, max_size=12).map("".join), max_size=5))
def test_texts_are_read_as_by_definition(texts):
    sequences = TokenSequences.of(texts, workers=1)
    assert len(sequences) == len(texts)
    assert [read(sequences, number) for number in range(len(texts))] == [plain(text) for text in texts]


def test_tokens_are_numbered_in_order_of_first_occurrence():
    sequences = TokenSequences.of(TEXTS)
    assert [read(sequences, number) for number in range(len(TEXTS))] == [plain(text) for text in TEXTS]
    assert sequences.vocabulary == list(dict.fromkeys(token for text in TEXTS for token in plain(text)[0]))
    assert sequences.lengths.tolist() == [len(plain(text)[0]) for text in TEXTS]


@pytest.mark.slow
def test_the_sequences_are_the_same_whatever_the_number_of_processes(monkeypatch):
    monkeypatch.setattr(parallel, "_BATCH", 300)
    monkeypatch.setattr(parallel, "_SMALL", 300)
    texts = [f"[1]\nLamp{number % 7} and {text}" for number in range(30) for text in TEXTS]
    alone, *others = (vars(TokenSequences.of(texts, workers=number)) for number in (1, 2, 3))
    for other in others:
        assert alone.keys() == other.keys()
        for name, value in alone.items():
            assert np.array_equal(value, other[name]) if isinstance(value, np.ndarray) else value == other[name]


def test_workers_start_without_what_reading_does_not_need():
    code = "import sys, ir_coliee\nbefore = set(sys.modules)\nimport ir_coliee.engine.cases.reading\n"
    code += "print(sorted({'numpy', 'scipy', 'pandas', 'pyterrier'} & (set(sys.modules) - before)))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "[]"


def test_properties_are_those_of_each_text():
    text = "Karu, J.\nMay 1, 2098.\n[1]\nI follow Justice Odd at para. 12."
    assert TokenSequences.of(["", text]).properties == [case_properties(""), case_properties(text)]
    assert TokenSequences.of([text], latest_year=2020).properties[0].year is None


@pytest.mark.parametrize("texts", [[], [""]])
def test_nothing_is_read_of_nothing(texts):
    sequences = TokenSequences.of(texts)
    assert (sequences.vocabulary, len(sequences.tokens), len(sequences)) == ([], 0, len(texts))
    assert sequences.tokens.dtype == np.int32
    assert sequences.bounds.dtype == np.int64

"""Measure how fast decisions are processed as text, on one core, in MB of UTF-8 a second of processor time.

The decisions are synthetic, in the form of the organisers' files: header, paragraph numbers, suppression marks,
notices, and in every third a French version. Cleaning, paragraphs, years and French together have a bound; the exit
status is 1 if it is missed. Run it as ``python benchmarks/case_text.py``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from synthetic_decisions import decision_files

from ir_coliee.text.citations import citing_context
from ir_coliee.text.cleaning import clean_case, french_passages
from ir_coliee.text.decisions import case_sections, paragraph_spans, paragraphs
from ir_coliee.text.years import dated_years, decision_year, decision_years

DOCUMENTS = 200
LATEST = 2098
BOUND = 20  # MB a second, at least

TOGETHER: dict[str, Callable[[str], object]] = {
    "cleaning": clean_case,
    "paragraphs with offsets": paragraph_spans,
    "latest year": lambda text: decision_year(text, LATEST),
    "French, by paragraph": french_passages,
}
OTHERS: dict[str, Callable[[str], object]] = {
    "cleaning, every step": lambda text: clean_case(text, drop_header=True, drop_french=True, join_lines=True),
    "paragraphs": paragraphs,
    "parts": case_sections,
    "years of the decision": lambda text: decision_years(text, LATEST),
    "years of dates": lambda text: dated_years(text, LATEST),
    "French, by line": lambda text: french_passages(text, "line"),
    "citing context": citing_context,
}


def seconds(function: Callable[[str], object], texts: Sequence[str]) -> float:
    """Return the processor seconds, the best of three times."""
    times = []
    for _ in range(3):
        start = time.process_time()
        for text in texts:
            function(text)
        times.append(time.process_time() - start)
    return min(times)


def main() -> int:
    texts = [decision["text"] for decision in decision_files(DOCUMENTS)]
    size = sum(len(text.encode()) for text in texts) / 1e6
    print(f"{DOCUMENTS} decisions, {size:.1f} MB\n")
    together = 0.0
    for name, function in TOGETHER.items():
        taken = seconds(function, texts)
        together += taken
        print(f"{name:30} {size / taken:8.1f} MB/s")
    rate = size / together
    print(f"{'these four together':30} {rate:8.1f} MB/s  bound {BOUND}: {'within' if rate >= BOUND else 'MISSED'}\n")
    for name, function in OTHERS.items():
        print(f"{name:30} {size / seconds(function, texts):8.1f} MB/s")
    return 0 if rate >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())

"""Read texts of decisions in worker processes: their chunks and their properties, each text once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ir_coliee.engine.cases.text_chunks import text_chunks
from ir_coliee.engine.counting import Counted, TermCounter
from ir_coliee.engine.workers import Reading, batches, read_batches
from ir_coliee.text.case_properties import CaseProperties, case_properties


class ReadTexts(NamedTuple):
    """Some texts as they were read.

    Attributes
    ----------
    chunks : Counted
        The chunks of the texts in reading order.
    properties : list of CaseProperties
        The properties of each text.
    """

    chunks: Counted
    properties: list[CaseProperties]


def text_reader(number: int, latest_year: int) -> Callable[[list[str]], ReadTexts]:
    """Return the function of a process that reads texts."""
    counter = TermCounter(number, text_chunks, in_order=True)

    def read(texts: list[str]) -> ReadTexts:
        return ReadTexts(counter.count(texts), [case_properties(text, latest_year) for text in texts])

    return read


def read_texts(texts: Iterable[str], latest_year: int, processes: int) -> Iterator[ReadTexts]:
    """Read texts in batches, in order.

    Parameters
    ----------
    texts : iterable of str
        The texts.
    latest_year : int
        The latest year that is read as one.
    processes : int
        The number of processes, including this one.
    """
    return read_batches(batches(texts, len), Reading(__name__, text_reader.__name__, (latest_year,)), processes)

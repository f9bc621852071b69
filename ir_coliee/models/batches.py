"""Windows of long texts, and batches of similar lengths, which are halved when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from ir_coliee.errors import ColieeError, printable_list, warn
from ir_coliee.frames import Floats

R = TypeVar("R")


def token_batches(lengths: Sequence[int], *, batch_size: int, batch_tokens: int | None = None) -> list[list[int]]:
    """Split texts into batches of similar lengths, the longest texts first.

    Parameters
    ----------
    lengths : sequence of int
        The number of tokens of each text.
    batch_size : int
        The largest number of texts in a batch.
    batch_tokens : int, optional
        The largest number of tokens in a batch, including padding to its longest text. A text that is longer is a
        batch of its own.

    Returns
    -------
    list of list of int
        The positions of the texts of each batch.

    Examples
    --------
    >>> token_batches([3, 9, 4, 5], batch_size=3, batch_tokens=12)
    [[1], [3, 2], [0]]
    """
    longest_first = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    batches: list[list[int]] = []
    start = 0
    while start < len(longest_first):
        size = batch_size
        if batch_tokens is not None:
            size = max(1, min(size, batch_tokens // max(1, lengths[longest_first[start]])))
        batches.append(longest_first[start : start + size])
        start += size
    return batches


def padded(rows: Sequence[Sequence[int]], value: int, *, left: bool = False) -> Any:
    """Return rows of numbers as a tensor, padded to the longest row with ``value``, on the right or on the left."""
    import torch

    longest = max(map(len, rows))
    padding = [[value] * (longest - len(row)) for row in rows]
    return torch.tensor([[*extra, *row] if left else [*row, *extra] for extra, row in zip(padding, rows)])


def halving(
    batches: Sequence[Sequence[int]], compute: Callable[[Sequence[int]], R]
) -> Iterator[tuple[Sequence[int], R]]:
    """Compute batch after batch. When memory runs out, this batch and the following ones are halved.

    Parameters
    ----------
    batches : sequence of sequence of int
        Positions of texts, the longest first, as by `token_batches`.
    compute : callable
        Function of the positions of a batch.

    Yields
    ------
    tuple of sequence of int and R
        The positions, and the result of ``compute``; each position exactly once.

    Raises
    ------
    ColieeError
        If memory runs out for a single text.

    Examples
    --------
    >>> [total for _, total in halving([[1, 2], [3]], sum)]
    [3, 3]
    """
    largest = max(map(len, batches), default=1)
    for batch in batches:
        start = 0
        while start < len(batch):
            positions = batch[start : start + largest]
            try:
                result = compute(positions)
            except RuntimeError as error:
                from accelerate.utils.memory import clear_device_cache, should_reduce_batch_size

                if not should_reduce_batch_size(error):
                    raise
                if len(positions) == 1:
                    raise ColieeError(
                        "The memory of the device is too small for one text.\nGive a smaller max_tokens, "
                        'LoadOptions(dtype="bfloat16" or quantise="4bit"), a smaller model, or device="cpu".'
                    ) from error
                largest = len(positions) // 2
            else:
                yield positions, result
                start += len(positions)
                continue
            clear_device_cache(
                garbage_collection=True
            )  # after the handler, since the error refers to the tensors of the failed batch


# Windows of texts that are longer than a model reads at once, and the pooling of the scores of their windows.


Pooling = Literal["max", "mean", "first"]
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)

_OVERLAP = 4  # successive windows share at least this fraction of their tokens, a fourth


def token_windows(length: int, size: int, pooling: Pooling = "max") -> list[range]:
    """Return the positions of the windows of a text.

    Parameters
    ----------
    length : int
        The number of tokens of the text.
    size : int
        The largest number of tokens of a window, >= 1.
    pooling : {"max", "mean", "first"}
        With ``first``, only the first window is returned.

    Returns
    -------
    list of range
        One window if the text fits. Otherwise windows of exactly ``size`` tokens at equal distances, so that no window
        at the end is short; together they cover every token, and neighbours share at least a fourth of their tokens.

    Examples
    --------
    >>> token_windows(10, 4)
    [range(0, 4), range(3, 7), range(6, 10)]
    >>> token_windows(10, 4, "first"), token_windows(3, 4)
    ([range(0, 4)], [range(0, 3)])
    """
    if length <= size:
        return [range(length)]
    if pooling == "first":
        return [range(size)]
    steps = -(-(length - size) // (size - size // _OVERLAP))
    starts = [step * (length - size) // steps for step in range(steps + 1)]
    return [range(start, start + size) for start in starts]


def query_tokens_read(query: int, text: int, room: int) -> int:
    """Return how many of the tokens of a query are read together with each window of a text.

    A query is read whole if it takes at most half of ``room``, or if the text leaves enough room. Of a longer query,
    for example a whole decision, the beginning is read, so that at least half of ``room`` is left to the text.

    Parameters
    ----------
    query, text : int
        The numbers of tokens.
    room : int
        The number of tokens of both that the model reads together.

    Examples
    --------
    >>> query_tokens_read(30, 1000, 100), query_tokens_read(80, 20, 100), query_tokens_read(80, 1000, 100)
    (30, 80, 50)
    """
    return min(query, max(room - text, room // 2))


def pool_scores(scores: Floats, counts: Sequence[int], pooling: Pooling) -> Floats:
    """Return one score for each text.

    Parameters
    ----------
    scores : numpy.ndarray of shape (n_windows,)
        The scores of the windows, text after text.
    counts : sequence of int
        The number of windows of each text, >= 1.
    pooling : {"max", "mean", "first"}
        The highest score, the mean score, or the score of the only window.

    Examples
    --------
    >>> pool_scores(np.array([0.5, 1.0, 3.0]), [1, 2], "mean").tolist()
    [0.5, 2.0]
    """
    if not len(counts):
        return np.empty(0)
    starts = np.cumsum([0, *counts[:-1]])
    if pooling == "mean":
        return np.asarray(np.add.reduceat(scores, starts) / np.asarray(counts))
    return np.asarray(np.maximum.reduceat(scores, starts))


def text_windows(tokenizer: Any, text: str, size: int, pooling: Pooling = "max") -> list[str]:
    """Return the windows of a text as strings, each of at most ``size`` tokens, for models that read strings.

    Parameters
    ----------
    tokenizer : transformers.PreTrainedTokenizerBase
        The tokenizer of the model. The windows of one that is not fast are decoded from their tokens.
    text, size, pooling
        As in `token_windows`.
    """
    encoded = tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=tokenizer.is_fast, truncation=False, verbose=False
    )
    tokens = encoded["input_ids"]
    if len(tokens) <= size:
        return [text]

    def string(window: range) -> str:
        if tokenizer.is_fast:
            spans = encoded["offset_mapping"][window.start : window.stop]
            return text[spans[0][0] : spans[-1][1]]
        return str(tokenizer.decode(tokens[window.start : window.stop]))

    smaller = size
    while True:  # a window that begins within a word can have more tokens than it has in the text
        windows = [string(window) for window in token_windows(len(tokens), smaller, pooling)]
        ids = tokenizer(windows, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        excess = max(map(len, ids)) - size
        if excess <= 0 or smaller == 1:
            return windows
        smaller = max(smaller - excess, 1)


class Reading(NamedTuple):
    """How much of a query and a text is read.

    Attributes
    ----------
    qid : str
        The id of the query.
    query, query_read : int
        The number of tokens of the query, and of those that are read.
    text, text_read : int
        The same of the text.
    windows : int
        The number of windows in which the text is read.
    """

    qid: str
    query: int
    query_read: int
    text: int
    text_read: int
    windows: int


def pair_reading(qid: str, query: int, text: int, room: int, pooling: Pooling) -> tuple[Reading, list[range]]:
    """Return how a query and a text of these numbers of tokens are read, and the windows of the text.

    Parameters
    ----------
    qid : str
        The id of the query.
    query, text, room
        As in `query_tokens_read`.
    pooling
        As in `token_windows`.
    """
    read = query_tokens_read(query, text, room)
    windows = token_windows(text, room - read, pooling)
    return Reading(qid, query, read, text, windows[-1].stop, len(windows)), windows


_POOLED = {"max": "the highest score", "mean": "the mean score"}


def warn_about_reading(readings: Sequence[Reading], pooling: Pooling) -> None:
    """Warn once about texts and queries that a model does not read at once, with the share that is read."""
    notes = []
    if longer := [each for each in readings if each.windows > 1 or each.text_read < each.text]:
        notes.append(f"{len(longer)} of {len(readings)} texts ({len(longer) / len(readings):.0%}) exceed the window: ")
        if pooling == "first":
            notes[-1] += f"only their beginning is read, {_share(longer, 'text_read', 'text')} of their tokens."
        else:
            most = max(each.windows for each in longer)
            notes[-1] += f"each is read in up to {most} windows, of which {_POOLED[pooling]} counts."
    if cut := [each for each in readings if each.query_read < each.query]:
        share, qids = _share(cut, "query_read", "query"), list(dict.fromkeys(each.qid for each in cut))
        notes.append(f"{len(qids)} queries exceed half of the window: only their beginning is read, {share} of their")
        notes[-1] += f" tokens: {printable_list(qids)}."
    if notes:
        warn("\n".join(notes))


def _share(readings: Sequence[Reading], read: str, whole: str) -> str:
    return f"{sum(getattr(each, read) for each in readings) / sum(getattr(each, whole) for each in readings):.0%}"

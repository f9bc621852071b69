"""Batches of similar lengths, which are halved when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from ir_coliee.errors import ColieeError

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
                if not _is_out_of_memory(error):
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
            _free_memory()  # after the handler, since the error refers to the tensors of the failed batch


def _is_out_of_memory(error: RuntimeError) -> bool:
    import torch
    from accelerate.utils.memory import should_reduce_batch_size

    return isinstance(error, torch.cuda.OutOfMemoryError) or bool(should_reduce_batch_size(error))


def _free_memory() -> None:
    from accelerate.utils.memory import clear_device_cache

    clear_device_cache(garbage_collection=True)

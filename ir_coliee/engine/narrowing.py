"""Counts in as few bytes as hold them: nearly all are below 256, and there are millions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def narrowed(counts: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.unsignedinteger[Any]]:
    """Counts from 0, unsigned, each in the 1, 2, 4 or 8 bytes that the largest needs.

    >>> narrowed(np.array([3, 255])).dtype, narrowed(np.array([256])).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    return counts.astype(np.min_scalar_type(counts.max(initial=0)), copy=False)

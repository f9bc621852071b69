"""Latent semantic vectors: tf-idf vectors projected on the dimensions along which paragraphs differ most."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.engine.blas_threads import one_blas_thread
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Floats

_DIMENSIONS = 200
_ROUNDING = 1e-9  # a smaller singular value, relative to the largest one, is 0, and its vector arbitrary


def latent_vectors(vectors: sparse.csr_matrix, paragraphs: int) -> Floats:
    """Project tf-idf vectors on the first 200 singular vectors of those of the paragraphs (or on fewer, if there are).

    Parameters
    ----------
    vectors : csr_matrix, texts x terms
        Tf-idf vectors.
    paragraphs : int
        The first rows, which are the paragraphs that the singular vectors are computed of.

    Returns
    -------
    float64 array of shape (texts, dimensions)
        Vectors of length 1, or of zeros.

    Raises
    ------
    MissingExtraError
        If scikit-learn is not installed.

    Notes
    -----
    One thread is used, so that the numbers do not depend on how many there are.
    """
    try:
        from sklearn.decomposition import TruncatedSVD
    except ImportError:
        raise MissingExtraError("Latent semantic analysis", "learn") from None
    dimensions = min(_DIMENSIONS, *vectors[:paragraphs].shape)
    if not dimensions:
        return np.zeros((vectors.shape[0], 1))
    with one_blas_thread():
        svd = TruncatedSVD(dimensions, random_state=0).fit(vectors[:paragraphs])
    values = svd.singular_values_
    projected = vectors @ svd.components_[values > _ROUNDING * values[0]].T
    lengths = np.sqrt((projected**2).sum(axis=1, keepdims=True))
    unit: Floats = np.divide(projected, lengths, out=np.zeros_like(projected), where=lengths > 0)
    return unit

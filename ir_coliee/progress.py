"""Progress bars of long computations."""

from __future__ import annotations


def progress_bar_options(verbose: bool) -> dict[str, bool | float | None]:
    """Return the options of a ``tqdm`` progress bar for a computation that may take long.

    Parameters
    ----------
    verbose : bool
        Show the bar on terminals, if the computation takes more than half a second. If False, never show it.

    Returns
    -------
    dict
        Keyword arguments ``disable`` and ``delay``.
    """
    return {"disable": None if verbose else True, "delay": 0.5}

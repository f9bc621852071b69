"""Progress bars of long computations."""

from __future__ import annotations


def progress_bar_options(verbose: bool) -> dict[str, bool | float | None]:
    """Arguments of a ``tqdm`` progress bar for work that may take long.

    Parameters
    ----------
    verbose : bool
        Show the bar, on a terminal only, once the work has taken half a second. False never shows it.

    Returns
    -------
    dict
        Keyword arguments ``disable`` and ``delay``.
    """
    return {"disable": None if verbose else True, "delay": 0.5}

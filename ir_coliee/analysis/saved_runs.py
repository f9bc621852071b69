"""Runs that `pyterrier.Experiment` has saved."""

from __future__ import annotations

from pathlib import Path

from ir_coliee.errors import ColieeError, printable

_SUFFIX = ".res.gz"


def saved_runs(folder: str | Path) -> dict[str, Path]:
    """Return the runs that `pyterrier.Experiment` saved with its argument ``save_dir``, by their names.

    Parameters
    ----------
    folder : str or pathlib.Path
        The folder that was passed as ``save_dir``.

    Returns
    -------
    dict of str to pathlib.Path
        The file of each run by the run's name, sorted, for the arguments ``runs`` and ``rankings`` of `evaluate`.

    Raises
    ------
    ColieeError
        If the folder has no run in the format of TREC, which is the default of ``save_format``.

    Examples
    --------
    >>> saved_runs("no-such-folder")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ir_coliee.errors.ColieeError: The folder no-such-folder has no saved run (*.res.gz).
    Save runs with ...
    """
    files = sorted(path for path in Path(folder).glob(f"*{_SUFFIX}") if path.is_file())
    if not files:
        raise ColieeError(
            f"The folder {printable(str(folder), 50)} has no saved run (*{_SUFFIX}).\n"
            "Save runs with pt.Experiment(..., save_dir=folder), without save_format."
        )
    return {path.name.removesuffix(_SUFFIX): path for path in files}

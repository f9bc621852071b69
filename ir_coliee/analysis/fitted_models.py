"""What the parts of a system add: ablations, and the shares of features in fitted models."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.errors import ColieeError, printable_list

_SHARES = ("feature", "family", "share")
_FAMILIES = ("family", "without", "difference", "low", "high")
_COMPARED = (" +", " -", " p-value", " p-value corrected", " reject")  # columns of pt.Experiment with a baseline


def importances(shares: pd.DataFrame | Mapping[str, pd.DataFrame]) -> AnalysisFrame:
    """Return the share of each feature in fitted models.

    Parameters
    ----------
    shares : pandas.DataFrame or dict
        The columns feature, family and share, as `ir_coliee.baselines.recipes.importances` and
        ``Ablation.features`` have them; or a dict from the name of a model to such a frame.

    Returns
    -------
    AnalysisFrame
        The columns model (empty for a single frame), feature, family and share, the largest share of each model first.

    Raises
    ------
    ColieeError
        If a column is missing.

    Examples
    --------
    >>> shares = pd.DataFrame({"feature": ["year", "bm25"], "family": ["case", "text"], "share": [0.25, 0.75]})
    >>> importances(shares)["feature"].tolist()
    ['bm25', 'year']
    """
    tables = shares if isinstance(shares, Mapping) else {"": shares}
    parts = [_with_columns(table, _SHARES).assign(model=name) for name, table in tables.items()]
    frame = pd.concat(parts or [pd.DataFrame(columns=["model", *_SHARES])], ignore_index=True)
    order = frame.assign(place=pd.factorize(frame["model"])[0]).sort_values(
        ["place", "share"], ascending=[True, False], kind="stable"
    )
    note = "share: of the gain of all splits of the trees, or of the absolute weights, as a mean over the models."
    frame = order[["model", *_SHARES]].reset_index(drop=True)
    return AnalysisFrame.of(frame, "importances", "Shares of the features in the fitted models", [note])


def ablations(results: pd.DataFrame, *, baseline: int = 0) -> AnalysisFrame:
    """Return what each change of a system does to its figures.

    Parameters
    ----------
    results : pandas.DataFrame
        A frame of ``pt.Experiment`` with a row for each system: name, and a column for each measure; or
        ``Ablation.families`` of `ir_coliee.baselines.recipes.ablation`, with a row for each family that was left out.
    baseline : int, default 0
        Of a frame of ``pt.Experiment``: the row with which the others are compared.

    Returns
    -------
    AnalysisFrame
        A row for each system and measure: system, measure, value, difference (to the baseline, or to the system with
        all families: negative where the change is worse), low and high, the interval of the difference. The
        interval and the difference of the baseline are missing (NaN) where the frame does not have them.

    Raises
    ------
    ColieeError
        If the frame is of neither form, or has no row ``baseline``.

    Examples
    --------
    >>> results = pd.DataFrame({"name": ["full", "no years"], "MicroF1": [0.5, 0.25]})
    >>> ablations(results)[["system", "measure", "value", "difference"]].to_numpy().tolist()
    [['full', 'MicroF1', 0.5, 0.0], ['no years', 'MicroF1', 0.25, -0.25]]
    """
    if "family" in results.columns:
        return _ablations_of_families(_with_columns(results, _FAMILIES))
    table = _with_columns(results, ("name",))
    measures = [column for column in table if column != "name" and _is_measure(table[column])]
    if not measures or not 0 <= baseline < len(table):
        raise ColieeError(
            f"The frame has {len(measures)} measures and {len(table)} rows, which has no baseline {baseline}.\n"
            "Expected a frame of pt.Experiment without perquery, with a row for each system."
        )
    long = table.melt("name", measures, var_name="measure", value_name="value").rename(columns={"name": "system"})
    reference = long["measure"].map(table[measures].iloc[baseline])
    frame = long.assign(difference=long["value"] - reference.astype(float), low=np.nan, high=np.nan)
    note = f"difference: to {printable_list([str(table['name'].iloc[baseline])])}."
    return AnalysisFrame.of(frame, kind="ablations", title="Ablations", notes=[note])


def _ablations_of_families(families: pd.DataFrame) -> AnalysisFrame:
    table = {
        "system": [f"without {family}" for family in families["family"]],
        "measure": "held-out value",
        "value": families["without"],
        "difference": -families["difference"],
        "low": -families["high"],
        "high": -families["low"],
    }
    notes = ["difference: to all families; low, high: its 95 % interval, by bootstrap over the queries."]
    return AnalysisFrame.of(pd.DataFrame(table), kind="ablations", title="Ablations", notes=notes)


def _is_measure(column: pd.Series[float]) -> bool:
    """Return whether a column of ``pt.Experiment`` has the figures of a measure."""
    return pd.api.types.is_float_dtype(column) and not str(column.name).endswith(_COMPARED)


def _with_columns(frame: pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    if missing := [column for column in columns if column not in frame.columns]:
        found = printable_list([*map(str, frame.columns)])
        raise ColieeError(f"The frame has no column {missing[0]!r}.\nIts columns are: {found or 'none'}.")
    return frame

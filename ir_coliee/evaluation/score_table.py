"""Scores of rival runs as a frame, and in the forms that papers and programs want."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.evaluation.leaderboard_places import Place
    from ir_coliee.evaluation.scoring import Scores

Format = Literal["json", "csv", "latex", "markdown"]


def as_frame(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """A row for each run, by name: its figures, ``low`` and ``high`` of the first one's 95 % interval, its place.

    ``rank`` to ``worst`` of ``of`` is the place among the official runs; the two differ where runs of the leaderboard are
    not known. What no run has a value for has no column.
    """
    import pandas as pd

    return pd.DataFrame([{"run": name, **scored.figures, **_beside(scored)} for name, scored in scores.items()])


def _beside(scored: Scores) -> dict[str, float]:
    beside: dict[str, float] = {}
    if scored.interval is not None:
        beside |= {"low": scored.interval.low, "high": scored.interval.high}
    if scored.place is not None:
        beside |= {"rank": scored.place.rank, "worst": scored.place.worst, "of": scored.place.of}
    return beside


def per_query(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """The counts and the official measure of each query, a row for each query of each run."""
    import pandas as pd

    frames = [scored.per_query.assign(run=name) for name, scored in scores.items()]
    frame = pd.concat(frames, ignore_index=True)
    return frame[["run", *frame.columns.drop("run")]]


def as_json(scores: Mapping[str, Scores], *, queries: bool = False) -> str:
    """The scores by run, with all digits; with ``queries`` those of each query too."""
    content = {}
    for name, scored in scores.items():
        content[name] = {
            "figures": scored.figures,
            "interval": None if scored.interval is None else scored.interval._asdict(),
            "place": None if scored.place is None else _place(scored.place),
            "notes": scored.notes,
            "gold_notes": scored.gold_notes,
        }
        if queries:
            content[name]["per_query"] = json.loads(scored.per_query.to_json(orient="records", double_precision=15))
    return json.dumps(content, ensure_ascii=False)


def _place(place: Place) -> dict[str, Any]:
    return {"rank": place.rank, "worst": place.worst, "of": place.of, "sentence": place.sentence, "note": place.note}


def as_text(frame: pd.DataFrame, form: Literal["csv", "latex", "markdown"]) -> str:
    """A frame as CSV with all digits, or as a table of LaTeX (with booktabs) or Markdown with four.

    >>> import pandas as pd
    >>> print(as_text(pd.DataFrame({"run": ["mine|2"], "F1": [0.30007], "rank": [1]}), "markdown"), end="")
    | run | F1 | rank |
    | --- | --- | --- |
    | mine\\|2 | 0.3001 | 1 |
    """
    if form == "csv":
        return str(frame.to_csv(index=False))
    cells = frame.map(cell)
    if form == "latex":
        styled = cells.style.hide(axis="index").format(escape="latex").format_index(escape="latex", axis=1)
        return str(styled.to_latex(hrules=True))
    lines = [list(frame.columns), ["---"] * frame.shape[1], *cells.to_numpy(object).tolist()]
    return "".join(f"| {' | '.join(str(text).replace('|', chr(92) + '|') for text in line)} |\n" for line in lines)


def cell(value: object, digits: int = 4) -> str:
    """A figure with so many digits, a whole number and words as they are, nothing for what is missing."""
    if isinstance(value, float):
        return "" if value != value else f"{value:.{digits}f}"
    return "" if value is None or str(value) == "<NA>" else str(value)

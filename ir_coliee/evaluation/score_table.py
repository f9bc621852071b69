"""Scores of several runs as a frame, and as JSON, CSV, LaTeX or Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from ir_coliee.display import Table, cell

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.evaluation.leaderboard_places import Place
    from ir_coliee.evaluation.scoring import Scores

Format = Literal["json", "csv", "latex", "markdown"]

_FIGURE = re.compile(r"([-<]?\d+(\.\d+)?)?")  # <0.0001 is a p-value, and a missing figure is empty


def as_table(scores: Mapping[str, Scores]) -> Table:
    """Return the scores of several runs as a table: the official figure, its interval, and the other figures.

    If queries are labelled in the train split too, a column has the official figure without them.

    Examples
    --------
    >>> from ir_coliee import score
    >>> as_table({"mine": score("coliee/task4/sample/en/test", {"R99-01-A": {"Y": 1.0}})}).rows
    [['mine', 0.05, '0.0000 to 0.1500', 1]]
    """
    official, *others = dict.fromkeys(label for scored in scores.values() for label in scored.figures)
    has_unseen = any(scored.unseen for scored in scores.values())
    rows: list[list[Any]] = []
    for name, scored in scores.items():
        interval = "" if scored.interval is None else f"{scored.interval.low:.4f} to {scored.interval.high:.4f}"
        figures = (scored.figures.get(label) for label in others)
        unseen = [scored.unseen.value if scored.unseen else None] if has_unseen else []
        rows.append([name, scored.figures.get(official), interval, *unseen, *figures])
    return Table(["run", official, "95 % interval", *([f"{official} unseen"] if has_unseen else []), *others], rows)


def as_frame(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return the scores of several runs as a frame.

    Parameters
    ----------
    scores : mapping of str to Scores
        The scores of each run, by name.

    Returns
    -------
    pandas.DataFrame
        One row per run: its figures, ``low`` and ``high`` of the 95 % interval of the first figure, ``unseen``, the
        first figure without the queries that are labelled in the train split too, and ``rank``, ``worst`` and ``of``,
        the best and worst possible place among the official runs. Columns without any value are left out.
    """
    import pandas as pd

    return pd.DataFrame([{"run": name, **scored.figures, **_derived_values(scored)} for name, scored in scores.items()])


def _derived_values(scored: Scores) -> dict[str, float]:
    values: dict[str, float] = {}
    if scored.interval is not None:
        values |= {"low": scored.interval.low, "high": scored.interval.high}
    if scored.unseen is not None:
        values |= {"unseen": scored.unseen.value}
    if scored.place is not None:
        values |= {"rank": scored.place.rank, "worst": scored.place.worst, "of": scored.place.of}
    return values


def per_query(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return the counts and the official measure of each query, one row per run and query."""
    import pandas as pd

    frames = [scored.per_query.assign(run=name) for name, scored in scores.items()]
    frame = pd.concat(frames, ignore_index=True)
    return frame[["run", *frame.columns.drop("run")]]


def as_json(scores: Mapping[str, Scores], *, queries: bool = False) -> str:
    """Return the scores of the runs as JSON, with all digits; if ``queries``, also those of each query."""
    content = {}
    for name, scored in scores.items():
        content[name] = {
            "figures": scored.figures,
            "interval": None if scored.interval is None else scored.interval._asdict(),
            "place": None if scored.place is None else _place(scored.place),
            "unseen": None if scored.unseen is None else scored.unseen._asdict(),
            "warnings": scored.warnings,
            "notes": scored.notes,
            "gold_notes": scored.gold_notes,
        }
        if queries:
            content[name]["per_query"] = json.loads(scored.per_query.to_json(orient="records", double_precision=15))
    return json.dumps(content, ensure_ascii=False)


def _place(place: Place) -> dict[str, Any]:
    return {"rank": place.rank, "worst": place.worst, "of": place.of, "sentence": place.sentence, "note": place.note}


def _latex_figure(text: object) -> str:
    return re.sub("^[-<]", lambda sign: f"${sign[0]}$", str(text))


def as_text(frame: pd.DataFrame, form: Literal["csv", "latex", "markdown"]) -> str:
    r"""Format a frame as CSV with all digits, or as a table in LaTeX (booktabs) or Markdown with four decimals.

    Examples
    --------
    >>> import pandas as pd
    >>> print(as_text(pd.DataFrame({"run": ["mine|2"], "F1": [0.30007], "rank": [1]}), "markdown"), end="")
    | run | F1 | rank |
    | --- | --- | --- |
    | mine\|2 | 0.3001 | 1 |
    """
    if form == "csv":
        return str(frame.to_csv(index=False))
    cells = frame.map(cell)
    if form == "latex":
        figures = [name for name in cells if all(map(_FIGURE.fullmatch, cells[name]))]
        styled = cells.style.hide(axis="index").format(escape="latex").format_index(escape="latex", axis=1)
        styled = styled.format(_latex_figure, subset=figures)
        return str(styled.to_latex(hrules=True, column_format="".join("lr"[name in figures] for name in cells)))
    lines = [list(frame.columns), ["---"] * frame.shape[1], *cells.to_numpy(object).tolist()]
    return "".join(f"| {' | '.join(str(text).replace('|', chr(92) + '|') for text in line)} |\n" for line in lines)

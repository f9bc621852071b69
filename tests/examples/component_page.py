"""The page of the components of each system, from two tables: ``python tests/examples/component_page.py`` writes it.

`components-2023.csv` is transcribed by hand: a row for each component that the sources name, with their words
(``quote``), whether it is ``here``, what `systems-2023.csv` expects of the run for it (``expected``), and its own tests
(``unit``).
"""

import csv
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "examples" / "components.md"
EXPECTATIONS = "stages", "parameters", "learned", "searched", "checkpoints"
STATES = "yes", "another form", "missing"

INTRODUCTION = """\
# The components of the systems of COLIEE 2023

Every component that the organisers' overview or our summary of the systems names, and whether the system of
[systems](systems) has it: *yes*; in *another form*, because the sources do not describe it well enough, or because it
cannot be used here; or *missing*, with the reason. The sources are quoted in
[components-2023.csv](../tests/examples/components-2023.csv), from which this page is written by
`python tests/examples/component_page.py`.

*Tested* says which expectations of the run in [systems-2023.csv](../tests/examples/systems-2023.csv) are tested with
tiny models ([test_systems.py](../tests/examples/test_systems.py)): its *stages* in their order, *parameters*, what is
*learned* and *searched*, and the published *checkpoints*; and where the component's own tests are. No published
checkpoint was run: what is tested is the code, not the figures.
"""


def read(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def expectations(row: dict[str, str], run: dict[str, str]) -> list[str]:
    """The columns of a run that have what a component expects; raises KeyError for what none has."""
    columns = {token: column for column in EXPECTATIONS for token in run[column].split()}
    return list(dict.fromkeys(columns[token] for token in row["expected"].split()))


def page() -> str:
    rows, systems = read("components-2023.csv"), read("systems-2023.csv")
    runs = {(run["task"], run["team"], run["option"]): run for run in systems}
    counts = Counter(row["here"] for row in rows)
    lines = [
        INTRODUCTION,
        f"Of {len(rows)} components, {counts['yes']} are here, {counts['another form']} in another form, and "
        f"{counts['missing']} are missing.",
    ]
    for task in sorted({run["task"] for run in systems}):
        lines += ["", f"## Task {task[-1]}", "", "| system | published | here | tested |", "|---|---|---|---|"]
        for team in dict.fromkeys(run["team"] for run in systems if run["task"] == task):
            of_team = [row for row in rows if (row["task"], row["team"]) == (task, team)]
            lines += [line(row, runs[task, team, row["option"]]) for row in of_team] or [
                f"| {team} | no paper | – | – |"
            ]
    return "\n".join([*lines, ""])


def line(row: dict[str, str], run: dict[str, str]) -> str:
    here = (
        f"**missing**: {row['note']}"
        if row["here"] == "missing"
        else "; ".join(filter(None, [row["here"], row["note"]]))
    )
    tested = [
        ", ".join(expectations(row, run)),
        f"[{Path(row['unit']).name}](../tests/{row['unit']})" * bool(row["unit"]),
    ]
    return f"| {row['team']} | {row['component']} | {here} | {'; '.join(filter(None, tested)) or '–'} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""The descriptions of the measures in the reference, from what each measure declares."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from ir_coliee.measures import DeclaredMeasure


def describe(app: Sphinx, what: str, name: str, each: Any, options: Any, lines: list[str]) -> None:
    """Replace the docstring of a measure by its declarations."""
    if isinstance(each, DeclaredMeasure):
        lines[:] = _description(each)


def _description(measure: DeclaredMeasure) -> list[str]:
    columns = [f"{', '.join(measure.RUN_INPUTS)} of the run", f"{', '.join(measure.QREL_INPUTS)} of the qrels"]
    facts = {
        "Value": f"``{measure.FORMULA}``",
        "Undefined case": measure.UNDEFINED,
        **{
            f"Parameter {name}": f"{about.desc}; by default {about.default!r}"
            for name, about in measure.SUPPORTED_PARAMS.items()
        },
        "Columns": "; ".join(columns),
        "Source": measure.SOURCE,
    }
    return [measure.SHORT_DESC, "", *(f":{title}: {text}" for title, text in facts.items())]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hook, after that of numpydoc."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", describe, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

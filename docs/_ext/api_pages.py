"""Pages of the reference: the signatures of transformers, and links between docstrings."""

from __future__ import annotations

import inspect
from typing import Any

import pyterrier as pt
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.inspect import stringify_signature


def show_constructor(
    app: Sphinx, what: str, name: str, each: Any, options: Any, shown: str, returns: str
) -> tuple[str, str] | None:
    """Show the constructor's parameters without their types."""
    if not (inspect.isclass(each) and issubclass(each, pt.Transformer)):
        return None
    return stringify_signature(inspect.signature(each), show_annotation=False), ""


def skip_field_numbers(app: Sphinx, what: str, name: str, each: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of named tuples, which say only their number: the class describes them."""
    return True if (inspect.getdoc(each) or "").startswith("Alias for field number") else None


def link_by_name(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.TextElement
) -> nodes.Element | None:
    """Resolve a name in a docstring that only one documented object has."""
    if node.get("refdomain") != "py":
        return None
    domain, name = env.domains.python_domain, node["reftarget"]
    named = [full for full, entry in domain.objects.items() if full.endswith(f".{name}") and not entry.aliased]
    if len(named) != 1:
        return None
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", named[0], node, shown)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hooks."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", show_constructor)
    app.connect("autodoc-skip-member", skip_field_numbers)
    app.connect("missing-reference", link_by_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

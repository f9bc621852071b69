"""Pages of the reference: a table of the objects that a page documents, their signatures, and links between docstrings.

Each page below ``reference/`` that documents several objects gets a table before the first of them: their names, the
frames that transformers take and give, and the first sentence of their docstrings.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import pyterrier as pt
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.inspect import signature, stringify_signature

_FRAMES = re.compile(r"\b[QDR](?: or [QDR])? to [QDR]\b")


def frames(kind: type) -> str:
    """Return the frames that a transformer takes and gives, as its class, ``transform`` or a base class says."""
    if issubclass(kind, pt.Indexer):
        return "D to an index"
    texts = (" ".join((each.__doc__ or "").split()) for each in (kind, kind.transform, *kind.__mro__[1:]))
    found = next(filter(None, map(_FRAMES.findall, texts)), [])
    return ", ".join(dict.fromkeys(found))


def show_constructor(
    app: Sphinx, what: str, name: str, each: Any, options: Any, shown: str, returns: str
) -> tuple[str, str] | None:
    """Show the constructor's parameters: PyTerrier's base class has a ``__new__`` that takes any."""
    if not (inspect.isclass(each) and issubclass(each, pt.Transformer)):
        return None
    return stringify_signature(signature(each.__init__, bound_method=True), show_annotation=False), ""


def skip_field_numbers(app: Sphinx, what: str, name: str, each: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of named tuples, which say only their number: the class describes them."""
    return True if (inspect.getdoc(each) or "").startswith("Alias for field number") else None


def add_table(app: Sphinx, doctree: nodes.document) -> None:
    """Insert the table of the documented objects into a page of the reference."""
    described = [each for each in doctree.findall(addnodes.desc) if _is_outermost(each)]
    if not app.env.docname.startswith("reference/") or len(described) < 2:
        return
    first = described[0]  # or the subsection that it is in
    while not isinstance(first.parent.parent, nodes.document):
        first = first.parent
    first.parent.insert(first.parent.index(first), _table([_row(each) for each in described]))


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


def _is_outermost(description: addnodes.desc) -> bool:
    parent = description.parent
    while parent is not None and not isinstance(parent, addnodes.desc):
        parent = parent.parent
    return parent is None and description["domain"] == "py" and bool(description[0]["ids"])


def _row(description: addnodes.desc) -> nodes.row:
    """Return the row of an object: its name as a link, its frames below, and its first sentence."""
    head, content = description[0], description[-1]
    link = nodes.reference("", "", nodes.literal("", _name(head)), refid=head["ids"][0], internal=True)
    name = nodes.entry("", nodes.paragraph("", "", link))
    kind = getattr(importlib.import_module(head["module"]), _name(head)) if head["module"] else None
    if inspect.isclass(kind) and issubclass(kind, pt.Transformer):
        name += nodes.paragraph("", frames(kind), classes=["frames"])
    first = next(iter(content.findall(nodes.paragraph)), nodes.paragraph())
    return nodes.row("", name, nodes.entry("", first.deepcopy()))


def _name(head: addnodes.desc_signature) -> str:
    return str(head["fullname"].rpartition(".")[2])


def _table(rows: list[nodes.row]) -> nodes.table:
    columns = [nodes.colspec(colwidth=1), nodes.colspec(colwidth=3)]
    return nodes.table("", nodes.tgroup("", *columns, nodes.tbody("", *rows), cols=2), classes=["overview"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hooks."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", show_constructor)
    app.connect("autodoc-skip-member", skip_field_numbers)
    app.connect("doctree-read", add_table)
    app.connect("missing-reference", link_by_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

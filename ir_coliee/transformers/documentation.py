"""The page docs/reference/transformers.md, written from the docstrings of the transformers.

``python -m ir_coliee.transformers > docs/reference/transformers.md`` writes it. Chapters are the sub-packages, in the order
in which the docstring of `ir_coliee.transformers` lists them.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pyterrier as pt

import ir_coliee.transformers

_INTRODUCTION = """\
# The transformers

*Written by `python -m ir_coliee.transformers > docs/reference/transformers.md` from the docstrings; change them there.*

`from ir_coliee.transformers import …` imports PyTerrier, but never starts Java. Each call is preceded by the frames
that it takes and gives: Q is a frame of queries (`qid`, `query`), D of documents (`docno`, `text`), R of results
(`qid`, `docno`, `score`, `rank`). No transformer changes the frame that it is given. [How do I …?](../how-to/index.md)
shows them in pipelines; `help(…)` has an example for each.

"""

_FRAMES = re.compile(r"\b[QDR](?: or [QDR])? to [QDR]\b")
_SUB_PACKAGE = re.compile(r"`~(ir_coliee\.transformers\.\w+)`")
_OMITTED_SECTIONS = ("Examples", "See Also")
_LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")


def page() -> str:
    """Return the page in Markdown: a chapter for each sub-package, a section for each public name."""
    return _INTRODUCTION + "\n\n".join(_chapter(name) for name in sub_packages()) + "\n"


def sub_packages() -> list[str]:
    """Return the full names of the sub-packages, in the order of the package's docstring."""
    return _SUB_PACKAGE.findall(ir_coliee.transformers.__doc__ or "")


def frames(kind: Any) -> str:
    """Return the frames that a transformer takes and gives, as its class, its ``transform`` or a base class states."""
    if issubclass(kind, pt.Indexer):
        return "D to an index"
    found = (_FRAMES.findall(" ".join(paragraphs(each))) for each in (kind, kind.transform, *kind.__mro__[1:]))
    return ", ".join(dict.fromkeys(next(filter(None, found), ["as its pipelines"])))


def paragraphs(each: Any) -> list[str]:
    """Return the blocks of a docstring in Markdown, without examples: paragraphs, lists and titles of sections."""
    own = None if each is object.__init__ else each.__doc__
    text = inspect.cleandoc(own or "").replace("``", "`")
    lines = re.sub(r"^\.\. (?=\[\d+\])|(?<=\d\])_\b", "", text, flags=re.MULTILINE).split("\n")
    titles = [number for number, (_, rule) in enumerate(pairwise(lines)) if re.fullmatch(r"-{3,}", rule)]
    blocks = _plain_paragraphs("\n".join(lines[: titles[0] if titles else None]).partition(">>>")[0])
    for start, end in pairwise([*titles, len(lines)]):
        blocks += _section(lines[start], "\n".join(lines[start + 2 : end]).strip("\n"))
    return blocks


def _chapter(sub_package: str) -> str:
    module = importlib.import_module(sub_package)
    public = set(ir_coliee.transformers.__all__).intersection(module.__all__)
    members = sorted((getattr(module, name) for name in public), key=_position)
    title = sub_package.rpartition(".")[2].capitalize()
    return "\n\n".join([f"## {title}", f"`{sub_package}`", *paragraphs(module), *map(_member, members)])


def _position(each: Any) -> tuple[str, int]:
    return each.__module__, inspect.getsourcelines(each)[1]


def _member(each: Any) -> str:
    call, blocks = f"`{each.__name__}{_signature(each)}`", paragraphs(each)
    if inspect.isclass(each):
        blocks += paragraphs(each.__init__)
        if issubclass(each, pt.Transformer):
            call = f"{frames(each)}: {call}"
        else:
            blocks.append(_methods(each))
    return "\n\n".join(filter(None, [f"### {each.__name__}", call, *blocks]))


def _methods(kind: type) -> str:
    """Return a list of the public methods of a class that this package defines."""
    methods = [member for member in inspect.getmembers(kind, callable) if not member[0].startswith("_")]
    ours = [member for member in methods if member[1].__module__.startswith("ir_coliee.transformers.")]
    items = [f"* `{name}{_signature(method)}`: {paragraphs(method)[0]}" for name, method in ours]
    return "\n\n".join(["**Methods**", "\n".join(items)]) if items else ""


def _signature(each: Any) -> str:
    """Return the parameters with their defaults, without types."""
    function = each.__init__ if inspect.isclass(each) else each
    parameters = [] if function is object.__init__ else inspect.signature(function).parameters.values()
    named = [each.replace(annotation=inspect.Parameter.empty) for each in parameters if each.name != "self"]
    return str(inspect.Signature(named))


def _section(title: str, body: str) -> list[str]:
    """Return a section of a numpydoc docstring as Markdown."""
    if title in _OMITTED_SECTIONS or not body:
        return []
    heading = f"**{title}**"
    return [heading, "\n".join(_items(body))] if title in _LISTS else [heading, *_plain_paragraphs(body)]


def _items(body: str) -> Iterator[str]:
    """Yield each entry of a list section, such as ``name : type`` with an indented description, as a list item."""
    for entry in re.split(r"\n(?=\S)", body):
        head, _, description = entry.partition("\n")
        name, _, kind = head.partition(" : ")
        label = f"`{name}` ({kind})" if kind else f"`{name}`"
        yield f"* {label}: {' '.join(description.split())}" if description.strip() else f"* {label}"


def _plain_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, one line each; lists keep their lines."""
    blocks = (block.strip("\n") for block in re.split(r"\n\s*\n", text))
    return [block if block.startswith(("- ", "* ")) else " ".join(block.split()) for block in blocks if block.strip()]

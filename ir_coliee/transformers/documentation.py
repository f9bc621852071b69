"""The page docs/transformers.md, made of what the transformers' docstrings say."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import pyterrier as pt

import ir_coliee.transformers

_PAGE = """\
# The transformers

*Written by `python -m ir_coliee.transformers > docs/transformers.md` from their docstrings; change it there.*

`from ir_coliee.transformers import …` imports PyTerrier, never Java. Before each call stands what goes in and what out.
A row of Q is a query (`qid`, `query`), of D a document (`docno`, `text`), of R a result (`qid`, `docno`, `score` and
`rank`). None changes the frame that it is given. [How do I …?](how-to.md) shows them at work; `help(…)` has more of
each, with its source and an example.

"""

#: Title of each sub-package's chapter, in the order of the page; ``engine`` has the cluster that `OnCluster` runs on.
_CHAPTERS = {
    "Index and search": ("retrieval", "engine"),
    "Queries and texts": ("queries",),
    "Candidates and cut-offs": ("candidates",),
    "Fusion and references": ("fusion",),
    "Features and learning to rank": ("features",),
    "Rerankers": ("rerankers",),
    "Yes or no": ("answers",),
}
_FRAMES = re.compile(r"\b[QDR](?: or [QDR])? to [QDR]\b")


def page() -> str:
    """The page, in Markdown: what `ir_coliee.transformers` offers, by chapter and module, in the order of the code."""
    by_module: dict[str, list[Any]] = {}
    public = [getattr(ir_coliee.transformers, name) for name in ir_coliee.transformers.__all__]
    for each in sorted(public, key=lambda each: (each.__module__, inspect.getsourcelines(each)[1])):
        by_module.setdefault(each.__module__.removeprefix("ir_coliee.").removeprefix("transformers."), []).append(each)
    chapters = {
        title: [name for package in packages for name in by_module if name.partition(".")[0] == package]
        for title, packages in _CHAPTERS.items()
    }
    chapters["More"] = sorted(set(by_module).difference(*chapters.values()))
    sections = [
        "\n\n".join([f"## {title}", *(_module(by_module[name]) for name in modules)])
        for title, modules in chapters.items()
        if modules
    ]
    return _PAGE + "\n\n".join(sections) + "\n"


def _module(members: list[Any]) -> str:
    name = members[0].__module__
    return "\n\n".join([f"*{paragraphs(sys.modules[name])[0]}* (`{name}`)", *map(_member, members)])


def _member(each: Any) -> str:
    call, about = f"`{each.__name__}{_signature(each)}`", paragraphs(each)
    if inspect.isclass(each):
        about = about[:1] + (paragraphs(each.__init__) or about[1:])
        if issubclass(each, pt.Transformer):
            call = f"{frames(each)}: {call}"
        else:
            about.append(_methods(each))
    return "\n\n".join(filter(None, [f"### {each.__name__}", call, *about]))


def frames(kind: Any) -> str:
    """What goes in and out, as the class says, its ``transform``, or a base; else what its pipelines take and give."""
    if issubclass(kind, pt.Indexer):
        return "D to an index"
    found = (_FRAMES.findall(" ".join(paragraphs(each))) for each in (kind, kind.transform, *kind.__mro__[1:]))
    return ", ".join(dict.fromkeys(next(filter(None, found), ["as its pipelines"])))


def _methods(kind: type) -> str:
    members = [member for member in inspect.getmembers(kind, callable) if not member[0].startswith("_")]
    ours = [member for member in members if member[1].__module__.startswith("ir_coliee.transformers.")]
    return "\n".join(f"* `{name}{_signature(method)}`: {paragraphs(method)[0]}" for name, method in ours)


def _signature(each: Any) -> str:
    """The parameters with their defaults."""
    made = each.__init__ if inspect.isclass(each) else each
    parameters = [] if made is object.__init__ else inspect.signature(made).parameters.values()
    named = [each.replace(annotation=inspect.Parameter.empty) for each in parameters if each.name != "self"]
    return str(inspect.Signature(named))


def paragraphs(each: Any) -> list[str]:
    """The docstring's paragraphs, a line each, without examples and the word that opens a list of parameters."""
    own = None if each is object.__init__ else each.__doc__
    told = inspect.cleandoc(own or "").partition(">>>")[0].replace("``", "`")
    lines = [" ".join(paragraph.split()) for paragraph in told.split("\n\n")]
    return [line for line in lines if line not in ("", "Parameters.")]

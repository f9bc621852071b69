"""Gold labels in the forms in which the organisers have written them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.synthetic.release import Release

Gold = Sequence[tuple[str, Sequence[str]]]


class Instance(NamedTuple):
    """A query of a pool edition with its candidates or paragraphs. ``gold`` None: not published."""

    folder: str
    items: Sequence[str]
    gold: Sequence[str] | None


def with_repeated_gold(instance: Instance, made: Release) -> Instance:
    """The instance with its first gold item once more at the end."""
    assert instance.gold
    made.plant("repeated gold", instance.folder)
    return instance._replace(gold=[*instance.gold, instance.gold[0]])


def json_object(entries: Iterable[tuple[str, object]], style: str) -> bytes:
    """A JSON object, ASCII and without final line feed. Unlike in a dict, a key may come twice.

    ``style`` is ``indented`` (since 2023), ``lines`` (a query a line) or ``line``.
    """
    if style == "indented":
        written = [f"    {json.dumps(key)}: {_indented(value)}" for key, value in entries]
    else:
        written = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries]
    before, between, after = {"indented": ("{\n", ",\n", "\n}"), "lines": ("{", ",\n", "}"), "line": ("{", ", ", "}")}[
        style
    ]
    return (before + between.join(written) + after).encode("ascii")


def _indented(value: object) -> str:
    return json.dumps(value, indent=4).replace("\n", "\n    ")


def numbers(names: Sequence[str]) -> str:
    """Answers as the XML files write them: integers, comma between."""
    return ",".join(str(int(name)) for name in names)


def xml_2018_task1(instances: Sequence[Instance], *, gold: bool) -> bytes:
    """Task 1 of 2018. Paths carry a prefix that is not the user's; answers may be absent or empty."""
    lines = ["<COLIEE_2018>"]
    for folder, items, noticed in instances:
        place = f"somewhere/else/{folder}"
        lines += [f'  <entry id="{folder}">', f"    <fact>{place}/fact.txt</fact>"]
        lines.append(f"    <summary>{place}/summary.txt</summary>")
        lines += [f'    <candidate_case id="{i}">{place}/candidates/{i}.txt</candidate_case>' for i in items]
        if gold and noticed is not None:
            lines.append(f"    <cases_noticed>{','.join(noticed)}</cases_noticed>")
        lines.append("  </entry>")
    return _file([*lines, "</COLIEE_2018>"])


def xml_2018_task2(instances: Sequence[Instance], *, gold: bool) -> bytes:
    """Task 2 of 2018. Answers are positions among the paragraphs, from 1."""
    lines = ["<COLIEE_2018>"]
    for folder, items, entailing in instances:
        place = f"somewhere/else/{folder}"
        lines += [f'  <entry id="{folder}">', f"    <fact>{place}/fact.txt</fact>", "    <supporting_case>"]
        lines += [f'      <paragraph id="{i}">{place}/paragraphs/{i}.txt</paragraph>' for i in items]
        lines.append("    </supporting_case>")
        if gold and entailing is not None:
            positions = ",".join(str(items.index(item) + 1) for item in entailing)
            lines.append(f"    <entailing_paragraphs>{positions}</entailing_paragraphs>")
        lines.append("  </entry>")
    return _file([*lines, "</COLIEE_2018>"])


class _Tags(NamedTuple):
    """The element names in which the two tasks of 2019 differ."""

    task: str
    items: str
    item: str
    answers: str


_TAGS_OF_2019: Mapping[str, _Tags] = MappingProxyType(
    {
        "task1": _Tags("1", "candidate_cases", "candidate_case", "cases_noticed"),
        "task2": _Tags("2", "noticed_case", "paragraph", "entailing_paragraphs"),
    }
)


def xml_2019(task: str, instances: Sequence[Instance], *, gold: bool) -> bytes:
    """The files of 2019 as they were packaged."""
    tags = _TAGS_OF_2019[task]
    lines = [f"<COLIEE task='{tags.task}'>"]
    for folder, items, answers in instances:
        lines.append(f"<instance id='{folder}'>")
        base = f"{folder}/base_case.txt"
        if task == "task1":
            lines.append(f"\t<query>{base}</query>")
        else:
            fragment = f"<entailed_fragment>{folder}/entailed_fragment.txt</entailed_fragment>"
            lines.append(f"\t<query><base_case>{base}</base_case>{fragment}</query>")
        written = " ".join(f"<{tags.item} id='{i}'>{i}.txt</{tags.item}>" for i in items)
        lines.append(f"\t<{tags.items}>{written}</{tags.items}>")
        if gold and answers is not None:
            lines.append(f"\t<{tags.answers}>{numbers(answers)}</{tags.answers}>")
        lines.append("</instance>")
    return _file([*lines, "</COLIEE>"])


def xml_2019_of_the_call(task: str, instances: Sequence[Instance], *, gold: bool) -> bytes:
    """The files of 2019 as the call for participation shows them: other ids, order and white space."""
    tags = _TAGS_OF_2019[task]
    lines = [f"<COLIEE task='{tags.task}'>"]
    for folder, items, answers in instances:
        lines.append(f"<instance id='t{tags.task}-{folder}'>")
        base = f"{folder}/base_case.txt"
        if task == "task1":
            lines += ["<query>", f"  {base}", "</query>"]
        else:
            fragment = f"{folder}/entailed_fragment.txt"
            lines += ["<query>", "<case_contents>", base, "</case_contents>"]
            lines += ["<entailed_fragment>", fragment, "</entailed_fragment>", "</query>"]
        if gold and answers is not None:
            lines += [f"<{tags.answers}>", f"  {numbers(answers)}", f"</{tags.answers}>"]
        lines.append(f"<{tags.items}>")
        lines += [f"<{tags.item} id='{i}'>{i}.txt</{tags.item}>" for i in items]
        lines += [f"</{tags.items}>", "</instance>"]
    return _file([*lines, "</COLIEE>"])


def _file(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode("ascii")

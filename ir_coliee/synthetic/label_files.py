"""Label files of tasks 1 and 2 in the forms in which the organisers have written them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.synthetic.release import Release
from ir_coliee.synthetic.styles import CaseLawStyle


class Instance(NamedTuple):
    """A query with a folder of its own.

    Attributes
    ----------
    folder : str
        Name of its folder, which is its id.
    items : sequence of str
        Names of its candidates or paragraphs.
    gold : sequence of str or None
        Names of the gold items; None if they are not published.
    """

    folder: str
    items: Sequence[str]
    gold: Sequence[str] | None


def with_repeated_gold(instance: Instance, release: Release) -> Instance:
    """Return the instance with its first gold item repeated at the end, and record the irregularity."""
    assert instance.gold
    release.plant("repeated gold", instance.folder)
    return instance._replace(gold=[*instance.gold, instance.gold[0]])


def remove_answers(instances: list[Instance], irregularities: frozenset[str], release: Release) -> None:
    """Remove the answers of single instances in place, for the irregularities that require it."""
    if "no answer element" in irregularities:
        instances[1] = instances[1]._replace(gold=None)
        release.plant("no answer element", instances[1].folder)
    if "empty answer element" in irregularities:
        instances[2] = instances[2]._replace(gold=[])
        release.plant("empty answer element", instances[2].folder)


# --- JSON --------------------------------------------------------------------------------------------

_JSON_DELIMITERS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {"indented": ("{\n", ",\n", "\n}"), "lines": ("{", ",\n", "}"), "line": ("{", ", ", "}")}
)


def json_object(entries: Iterable[tuple[str, object]], style: str) -> bytes:
    """Return a JSON object in ASCII without a final line feed.

    Parameters
    ----------
    entries : iterable of (str, object)
        Keys and values. Unlike in a dict, a key may occur twice.
    style : {"indented", "lines", "line"}
        Indented by four blanks, one entry per line, or everything on one line.

    Returns
    -------
    bytes
        The object.
    """
    if style == "indented":
        written = [f"    {json.dumps(key)}: {_indented(value)}" for key, value in entries]
    else:
        written = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries]
    before, between, after = _JSON_DELIMITERS[style]
    return (before + between.join(written) + after).encode("ascii")


def _indented(value: object) -> str:
    return json.dumps(value, indent=4).replace("\n", "\n    ")


# --- XML ---------------------------------------------------------------------------------------------


def answer_file(names: Sequence[str]) -> bytes:
    """Return the gold file in the folder of a case: one name per line."""
    return "".join(f"{name}\n" for name in names).encode()


def is_xml(style: CaseLawStyle) -> bool:
    """Return whether the label file of a split is XML."""
    return style.label_style.endswith("XML")


def xml_labels(style: CaseLawStyle, instances: Sequence[Instance], *, gold: bool) -> bytes:
    """Return an XML label file.

    Parameters
    ----------
    style : CaseLawStyle
        The style of the split, with one of the XML label styles.
    instances : sequence of Instance
        The queries.
    gold : bool
        Whether to write the answers.

    Returns
    -------
    bytes
        The file.
    """
    task = style.split.task
    if "label file of the call" in style.irregularities:
        return _instances_of_the_call(task, instances, gold)
    return _XML_WRITERS[style.label_style, task](task, instances, gold)


def _integers(names: Sequence[str]) -> str:
    return ",".join(str(int(name)) for name in names)


def _entries_of_task1(_task: str, instances: Sequence[Instance], gold: bool) -> bytes:
    """Entries whose paths have a prefix that does not exist on the user's disk."""
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


def _entries_of_task2(_task: str, instances: Sequence[Instance], gold: bool) -> bytes:
    """Entries whose answers are positions among the paragraphs, from 1."""
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
    """Element names in which the tasks differ."""

    task: str
    items: str
    item: str
    answers: str


_TAGS: Mapping[str, _Tags] = MappingProxyType(
    {
        "task1": _Tags("1", "candidate_cases", "candidate_case", "cases_noticed"),
        "task2": _Tags("2", "noticed_case", "paragraph", "entailing_paragraphs"),
    }
)


def _instances(task: str, instances: Sequence[Instance], gold: bool) -> bytes:
    """Instances as the organisers packaged them."""
    tags = _TAGS[task]
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
            lines.append(f"\t<{tags.answers}>{_integers(answers)}</{tags.answers}>")
        lines.append("</instance>")
    return _file([*lines, "</COLIEE>"])


def _instances_of_the_call(task: str, instances: Sequence[Instance], gold: bool) -> bytes:
    """Instances as the call for participation shows them: other ids, order of elements and white space."""
    tags = _TAGS[task]
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
            lines += [f"<{tags.answers}>", f"  {_integers(answers)}", f"</{tags.answers}>"]
        lines.append(f"<{tags.items}>")
        lines += [f"<{tags.item} id='{i}'>{i}.txt</{tags.item}>" for i in items]
        lines += [f"</{tags.items}>", "</instance>"]
    return _file([*lines, "</COLIEE>"])


def _file(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode("ascii")


_XML_WRITERS: Mapping[tuple[str, str], Callable[[str, Sequence[Instance], bool], bytes]] = MappingProxyType(
    {
        ("entry XML", "task1"): _entries_of_task1,
        ("entry XML", "task2"): _entries_of_task2,
        ("instance XML", "task1"): _instances,
        ("instance XML", "task2"): _instances,
    }
)

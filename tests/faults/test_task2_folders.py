"""Case folders of task 2 with a file or folder renamed, emptied, moved or doubled: what loads differently is reported.

It is reported by an error, a warning of the loader, or a finding of `audit` other than a count, because the official
counts of some editions are not certain. Only mutations that no parser can see are silent: those of `INVISIBLE`, with
the reason. The audit of a sealed local release reports these too.
"""

import json
import random
import shutil
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import ir_datasets
import pytest

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.releases.audit import audit, seal
from ir_coliee.releases.files import forget

pytestmark = pytest.mark.slow

ID = "coliee/task2/2025/train"
SPLIT = replace(SPLITS[ID], counts={})
CASES, PARAGRAPHS = 4, 6
CORPUS = "task2_train_files_2025"


def text(chance, number):
    return f"[{number}]\n" + " ".join(chance.choices(["lamp", "gate", "river", "stone", "toll", "mill"], k=12)) + "."


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A data folder with a local copy in which nothing is wrong."""
    home = tmp_path_factory.mktemp("whole")
    chance = random.Random(16)
    for case in range(900_001, 900_001 + CASES):
        folder = home / CORPUS / str(case)
        (folder / "paragraphs").mkdir(parents=True)
        for number in range(1, PARAGRAPHS + 1):
            (folder / "paragraphs" / f"{number:03}.txt").write_text(text(chance, number))
        fragment = f"Fragment of {case}."
        (folder / "entailed_fragment.txt").write_text(fragment)
        (folder / "base_case.txt").write_text(f"[1]\nBefore. {fragment} After {text(chance, 2)}")
    gold = {str(900_001 + case): [f"{1 + case:03}.txt"] for case in range(CASES)}
    (home / "task2_train_labels_2025.json").write_text(json.dumps(gold))
    return home


class Case:
    """A case folder that is mutated at random."""

    def __init__(self, home: Path, chance: random.Random) -> None:
        self.chance = chance
        self.folders = sorted(path for path in (home / CORPUS).iterdir())
        self.folder = chance.choice(self.folders)
        self.other = chance.choice([folder for folder in self.folders if folder != self.folder])
        self.paragraphs = sorted((self.folder / "paragraphs").iterdir())
        self.fragment, self.base_case = self.folder / "entailed_fragment.txt", self.folder / "base_case.txt"

    def paragraph(self, *, last: bool | None = None) -> Path:
        """A paragraph; the last one, or not the last one, if that is asked for."""
        if last:
            return self.paragraphs[-1]
        return self.chance.choice(self.paragraphs[:-1] if last is False else self.paragraphs)

    def new(self, name: str) -> Path:
        return self.folder / "paragraphs" / name

    def renamed(self, path: Path, *, to: str) -> None:
        """Give a paragraph a name that is drawn from a list, in which ``NNN`` is its number."""
        path.rename(self.new(self.chance.choice(to.replace("NNN", path.stem).split("|"))))

    def numbered(self) -> Path:
        """The path of a paragraph after the last."""
        return self.new(f"{PARAGRAPHS + 1:03}.txt")


def blanked(path: Path) -> None:
    path.write_text(" \n")


def renumbered(path: Path, number: int) -> str:
    """The text of a paragraph with another mark."""
    return f"[{number}]\n" + path.read_text().partition("\n")[2]


def exchange(one: Path, other: Path, *, marks: bool = False) -> None:
    texts = one.read_text(), other.read_text()
    if marks:
        texts = renumbered(one, int(other.stem)), renumbered(other, int(one.stem))
    one.write_text(texts[1])
    other.write_text(texts[0])


def swap(one: Path, other: Path) -> None:
    between = one.with_name("between")
    one.rename(between)
    other.rename(one)
    between.rename(other)


def nest(path: Path) -> None:
    between = path.with_name("between")
    path.rename(between)
    path.mkdir()
    between.rename(path / path.name)


def empty_folder(path: Path) -> None:
    shutil.rmtree(path)
    path.mkdir()


def change_a_word(path: Path) -> None:
    path.write_text(path.read_text().replace("Before", "Behind").replace("lamp", "lamps", 1) + " More.")


def insert_and_shift(case: Case) -> None:
    """Give each paragraph the next number, in its name and in its mark, and write a new first one."""
    for path in reversed(case.paragraphs):
        case.new(f"{int(path.stem) + 1:03}.txt").write_text(renumbered(path, int(path.stem) + 1))
    case.new("001.txt").write_text(text(case.chance, 1))


MUTATIONS: dict[str, Callable[[Case], object]] = {
    "paragraph removed": lambda c: c.paragraph(last=False).unlink(),
    "last paragraph removed": lambda c: c.paragraph(last=True).unlink(),
    "paragraph emptied": lambda c: c.paragraph().write_text(""),
    "paragraph blanked": lambda c: blanked(c.paragraph()),
    "paragraph renamed after the last": lambda c: c.paragraph(last=False).rename(c.numbered()),
    "paragraph renamed far": lambda c: c.paragraph().rename(c.new(f"{c.chance.randrange(50, 2000)}.txt")),
    "paragraph renamed without zeros": lambda c: (p := c.paragraph()).rename(c.new(f"{int(p.stem)}.txt")),
    "paragraph renamed to another form": lambda c: c.renamed(
        c.paragraph(last=False), to="NNN (1).txt|NNN.txt.txt|NNN|NNN.TXT|pNNN.txt|.NNN.txt"
    ),
    "last paragraph renamed to another form": lambda c: c.renamed(
        c.paragraph(last=True), to="NNN (1).txt|NNN.txt.txt|NNN|NNN.TXT|pNNN.txt"
    ),
    "paragraph renamed over another": lambda c: c.paragraph(last=False).replace(c.paragraph(last=True)),
    "paragraph doubled without zeros": lambda c: shutil.copy(p := c.paragraph(), c.new(f"{int(p.stem)}.txt")),
    "paragraph doubled with a zero": lambda c: shutil.copy(p := c.paragraph(), c.new(f"0{p.name}")),
    "paragraph doubled by a browser": lambda c: shutil.copy(p := c.paragraph(), c.new(f"{p.stem} (1).txt")),
    "paragraph doubled after the last": lambda c: shutil.copy(c.paragraph(), c.numbered()),
    "paragraph moved to another case": lambda c: (p := c.paragraph(last=False)).replace(
        c.other / "paragraphs" / p.name
    ),
    "paragraph moved after the last of another case": lambda c: c.paragraph(last=False).rename(
        c.other / "paragraphs" / c.numbered().name
    ),
    "paragraph moved out of the folder": lambda c: (p := c.paragraph(last=False)).rename(c.folder / p.name),
    "last paragraph moved out of the folder": lambda c: (p := c.paragraph(last=True)).rename(c.folder / p.name),
    "paragraphs exchanged": lambda c: exchange(c.paragraph(last=False), c.paragraph(last=True)),
    "paragraph replaced by the fragment": lambda c: shutil.copy(c.fragment, c.paragraph()),
    "paragraph replaced by a folder": lambda c: ((p := c.paragraph(last=False)).unlink(), p.mkdir()),
    "word of a paragraph changed": lambda c: change_a_word(c.paragraph()),
    "paragraphs exchanged with their marks": lambda c: exchange(
        c.paragraph(last=False), c.paragraph(last=True), marks=True
    ),
    "paragraph added with its mark": lambda c: c.numbered().write_text(text(c.chance, PARAGRAPHS + 1)),
    "paragraphs renumbered with their marks": insert_and_shift,
    "fragment removed": lambda c: c.fragment.unlink(),
    "fragment emptied": lambda c: c.fragment.write_text(""),
    "fragment blanked": lambda c: blanked(c.fragment),
    "fragment renamed": lambda c: c.fragment.rename(c.folder / "entailed_fragment (1).txt"),
    "fragment replaced by a paragraph": lambda c: shutil.copy(c.paragraph(), c.fragment),
    "fragment replaced by another": lambda c: shutil.copy(c.other / c.fragment.name, c.fragment),
    "fragment replaced by the base case": lambda c: shutil.copy(c.base_case, c.fragment),
    "fragments exchanged": lambda c: exchange(c.fragment, c.other / c.fragment.name),
    "word of the fragment changed": lambda c: c.fragment.write_text(c.fragment.read_text() + " More."),
    "base case removed": lambda c: c.base_case.unlink(),
    "base case emptied": lambda c: c.base_case.write_text(""),
    "base case blanked": lambda c: blanked(c.base_case),
    "base case renamed": lambda c: c.base_case.rename(c.folder / "Base_case.txt"),
    "base case replaced by a paragraph": lambda c: shutil.copy(c.paragraph(), c.base_case),
    "base cases exchanged": lambda c: exchange(c.base_case, c.other / c.base_case.name),
    "base case and fragment exchanged": lambda c: exchange(c.base_case, c.fragment),
    "word of the base case changed": lambda c: change_a_word(c.base_case),
    "case removed": lambda c: shutil.rmtree(c.folder),
    "case emptied": lambda c: empty_folder(c.folder),
    "case renamed to another number": lambda c: c.folder.rename(
        c.folder.with_name(str(c.chance.randrange(900_010, 900_999)))
    ),
    "case renamed to another form": lambda c: c.folder.rename(c.folder.with_name(f"{c.folder.name} (1)")),
    "case doubled by a browser": lambda c: shutil.copytree(c.folder, c.folder.with_name(f"{c.folder.name} (1)")),
    "case doubled with a zero": lambda c: shutil.copytree(c.folder, c.folder.with_name(f"0{c.folder.name}")),
    "case doubled under the next number": lambda c: shutil.copytree(c.folder, c.folder.with_name(str(900_001 + CASES))),
    "case moved into another": lambda c: c.folder.rename(c.other / c.folder.name),
    "cases exchanged": lambda c: swap(c.folder, c.other),
    "paragraphs removed": lambda c: shutil.rmtree(c.folder / "paragraphs"),
    "paragraphs emptied": lambda c: empty_folder(c.folder / "paragraphs"),
    "paragraphs renamed": lambda c: (c.folder / "paragraphs").rename(
        c.folder / c.chance.choice(["paragraph", "paragraphs (1)"])
    ),
    "paragraphs nested": lambda c: nest(c.folder / "paragraphs"),
    "paragraphs doubled": lambda c: shutil.copytree(c.folder / "paragraphs", c.folder / "paragraphs (1)"),
    "paragraphs of two cases exchanged": lambda c: swap(c.folder / "paragraphs", c.other / "paragraphs"),
}

_ONE_WORD = "neither numbers nor labels depend on a word"
_CONSISTENT = "names, marks and labels agree with each other as before"
INVISIBLE = {
    "last paragraph removed": "no number follows it; only the official count of documents tells",
    "last paragraph moved out of the folder": "no number follows it; only the official count of documents tells",
    "word of a paragraph changed": _ONE_WORD,
    "word of the fragment changed": _ONE_WORD,
    "word of the base case changed": _ONE_WORD,
    "paragraphs exchanged with their marks": _CONSISTENT,
    "paragraph added with its mark": _CONSISTENT,
    "paragraphs renumbered with their marks": _CONSISTENT,
    "cases exchanged": _CONSISTENT,
    "paragraphs of two cases exchanged": _CONSISTENT,
    **dict.fromkeys(
        [
            *("paragraphs exchanged", "paragraph doubled after the last", "base case and fragment exchanged"),
            *("base case replaced by a paragraph", "base cases exchanged", "fragments exchanged"),
            "fragment replaced by the base case",
        ],
        "real releases also have other marks, and fragments that are not in their base case",
    ),
}


@pytest.fixture
def home(tmp_path, monkeypatch, whole) -> Path:
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    shutil.copytree(whole, tmp_path / "data")
    return tmp_path / "data"


def loaded() -> tuple[object, list[str]]:
    """Return all entities of the split, and the warnings of the loader."""
    forget()
    dataset = ir_datasets.load(f"{ID}/full")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        entities = [list(each()) for each in (dataset.docs_iter, dataset.queries_iter, dataset.qrels_iter)]
        entities.append(list(dataset.scoreddocs_iter()))
    return entities, [str(warning.message) for warning in caught if issubclass(warning.category, ColieeWarning)]


def findings() -> set[tuple[str, str]]:
    """Return the check and each id of the findings, except of those that depend on official counts."""
    found = [finding for finding in audit(SPLIT).findings if "count-of" not in finding.check]
    return {(finding.check, name) for finding in found for name in finding.ids or ("",)}


def outcome(original: object, known: set[tuple[str, str]]) -> str:
    try:
        entities, warned = loaded()
        if entities == original:
            return "the same"
        return "warned" if warned else "in the audit" if findings() - known else "silent"
    except ColieeError:
        return "refused"


def test_a_case_folder_that_loads_differently_is_reported(home, whole, inputs_per_entity, seed, outcomes):
    original, warned = loaded()
    assert warned == []
    known = findings()
    chance = random.Random(seed)
    seen = Counter[tuple[str, str]]()
    for number in range(max(inputs_per_entity, 100)):  # each mutation several times
        name = [*MUTATIONS][number % len(MUTATIONS)]
        shutil.rmtree(home)
        shutil.copytree(whole, home)
        MUTATIONS[name](Case(home, chance))
        result = outcome(original, known)
        seen[name, result] += 1
        is_failed = result == "silent" and name not in INVISIBLE
        outcomes["failed" if is_failed else "refused" if result == "refused" else "loaded"] += 1
    silent = {name for name, result in seen if result == "silent"}
    assert silent <= INVISIBLE.keys(), seen
    assert silent == INVISIBLE.keys(), "no longer invisible"


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_seal_reports_what_no_parser_can_see(home, name):
    assert seal(ID).seal.changes == ()
    MUTATIONS[name](Case(home, random.Random(16)))
    assert {finding.check for finding in audit(ID).findings} & {
        "changed-since-sealed",
        "missing-since-sealed",
        "added-since-sealed",
    }

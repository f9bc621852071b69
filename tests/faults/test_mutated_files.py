"""Mutated files of every kind that a user brings: each loads or is refused, as `attack` states."""

import csv
import gzip
import io
import json
import os
import re
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import ir_datasets
import pytest
import zips
from attack import Load, Reader, Trial
from fixture_releases import copy_of_release, fixture_release, ids_of_release
from hypothesis import HealthCheck, example, given, settings
from mutations import Mutation, Tree, applied, mutated, read_tree
from samples import TORTS

from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.runs import load_run
from ir_coliee.releases.audit import audit
from ir_coliee.releases.cache import forget
from ir_coliee.releases.civil_code import read_civil_code
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.release import LocalRelease, inventory
from ir_coliee.transformers import LexicalIndex

pytestmark = pytest.mark.slow

_PASSWORD = "lamp"
_ARCHIVE = "task1_test_files_2025.zip"


# --- releases --------------------------------------------------------------------------------------


def _release(dataset_id: str, kept: str) -> Tree:
    """Return the files of the irregular release of a split, or of an edition, whose path matches."""
    name = re.sub(r"^coliee/|/(rationale/|prediction/)?(test|train|r0\d)$", "", dataset_id)
    tree = read_tree(fixture_release(name.replace("task4", "task3")))
    return {place: content for place, content in tree.items() if re.search(kept, place)}


def _entities(release: LocalRelease) -> Iterator[Callable[[], object]]:
    yield lambda: [*release.documents()]
    yield lambda: [*release.queries()]
    yield lambda: [*release.queries(full=True)]
    yield lambda: [*release.qrels()]
    yield lambda: [*(release.candidates() or ())]


def _splits(*ids: str) -> Load:
    """Read all entities of some splits."""

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        os.environ["COLIEE_HOME"] = str(folder)
        for dataset_id in ids:
            yield from _entities(LocalRelease.open(dataset_id))
        forget()

    return load


def _split(dataset_id: str, kept: str, pattern: str, folder: Path, share: float = 0.1) -> Reader:
    return Reader(_release(dataset_id, kept), _splits(dataset_id), pattern, share)


def _archived(way: str, folder: Path) -> Reader:
    tree = _release("coliee/task1/2025/test", "(?i)test")
    texts = {place: content for place, content in tree.items() if "files" in place}
    write = {"plain": zips.write_zip, "traditional": partial(zips.write_zip, password=_PASSWORD)}
    write["AES"] = partial(zips.write_aes_zip, password=_PASSWORD)
    path = write[way](folder / _ARCHIVE, texts)
    labels = {place: content for place, content in tree.items() if "files" not in place}
    return Reader({**labels, _ARCHIVE: path.read_bytes()}, _splits("coliee/task1/2025/test"), r"\.zip$")


def _whole(release: str, archive: bool, folder: Path) -> Reader:
    home = copy_of_release(release, folder / "release", archive=archive)
    splits = [each for each in ids_of_release(release) if each.endswith(("/train", "/test"))]
    return Reader(read_tree(home), _splits(*splits), r"^(?!.*(\.pdf$|__MACOSX))")


def _status_and_audit(dataset_id: str, kept: str, folder: Path) -> Reader:
    def load(folder: Path) -> Iterator[Callable[[], object]]:
        os.environ["COLIEE_HOME"] = str(folder)
        ids = [name for name in SPLITS if name.startswith(dataset_id.rpartition("/")[0])]
        yield lambda: str([status.state for status in inventory(ids)])
        yield lambda: str(audit(dataset_id))

    return Reader(_release(dataset_id, kept), load, share_of_folders=0.4)


# --- single files ----------------------------------------------------------------------------------


def _civil_code(release: str, language: str, folder: Path) -> Reader:
    tree = _release(release, r"civil|129AC")
    (place,) = tree

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        path = (folder / place).parent
        yield lambda: read_civil_code(File(DiskFolder(str(path)), Path(place).name), language)

    return Reader(tree, load, share_of_folders=0)


_PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "add-an-edition.md"


def _edition(folder: Path) -> Reader:
    written = re.search(r"```yaml\n(edition:.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        os.environ["COLIEE_HOME"] = str(folder)
        ids = ("coliee/task1/2097/test", "coliee/task3/2097/ja/train", "coliee/pilot/2097/rationale/test")
        yield lambda: [found for found in map(SPLITS.get, ids) if found]
        yield lambda: len(SPLITS)
        yield lambda: split("coliee/task1/2025/test").pretty_name

    return Reader({"editions/2097.yaml": written[1].replace("2027", "2097").encode()}, load)


# --- run files -------------------------------------------------------------------------------------

TASK1 = "coliee/task1/sample/test"
TASK2 = "coliee/task2/sample/test"
TASK3 = "coliee/task3/sample/en/test"
TASK4 = "coliee/task4/sample/en/test"
PILOT = "coliee/pilot/sample/prediction/test"
PAIRS = [(query, item) for query in ("900656", "900795") for item in ("900557", "900754", "900912")]
ARTICLES = [(f"R99-0{n}-A", article) for n in (1, 2) for article in ("9", "12-2", "55", "566")]


def lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows).encode()


def table(rows, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows([("qid", "docno", "score", "rank", "text"), *rows])
    return file.getvalue().encode()


RANKING = lines((query, "Q0", item, rank, 9.5 - rank, "mine") for rank, (query, item) in enumerate(ARTICLES, 1))
SCORED = [(query, item, 9.5 - rank, rank, 'a "text"\nof two lines') for rank, (query, item) in enumerate(PAIRS, 1)]
ANSWER_SET = lines((*pair, "mine") for pair in PAIRS)
RUNS = {
    "answer set": (TASK1, ANSWER_SET),
    "paragraphs": (TASK2, lines(("900009", f"00{n}", "mine") for n in range(1, 6))),
    "TREC": (TASK3, RANKING),
    "long list": (TASK3, RANKING * 20),
    "answers": (TASK4, lines((f"R99-0{n}-A", "YN"[n % 2], "mine") for n in range(1, 6))),
    "two columns": (TASK1, lines(PAIRS)),
    "CSV": (TASK1, table(SCORED, ",")),
    "TSV": (TASK1, table(SCORED, "\t")),
    "semicolons": (TASK1, table(SCORED, ";")),
    "JSON lists": (TASK1, json.dumps({"900656": ["900557.txt", "900912.txt"], "900795": ["900754"]}).encode()),
    "JSON scores": (TASK1, json.dumps({"900656": {"900557": 0.5, "900912": 2}, "900795": {"900754": 1}}).encode()),
    "pilot": (PILOT, TORTS.read_bytes()),
    "gzip": (TASK1, gzip.compress(ANSWER_SET * 9, mtime=0)),
}


def _run(form: str, folder: Path) -> Reader:
    dataset_id, content = RUNS[form]
    name = {"JSON lists": "mine.json", "JSON scores": "mine.json", "pilot": "mine.jsonl"}.get(form, "mine.run")

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        yield lambda: str(load_run(dataset_id, folder / name).has_scores)
        yield lambda: len(validate(dataset_id, folder / name))

    return Reader({name: content}, load, share_of_folders=0)


# --- the table -------------------------------------------------------------------------------------

_TEST = r"(?i)test"
#: The reader of each entity, made in an empty folder.
READERS: dict[str, Callable[[Path], Reader]] = {
    "decisions of 2025": partial(_split, "coliee/task1/2025/test", _TEST, r"\d{6}\.txt$", share=0.7),
    "candidate pools of 2018": partial(_split, "coliee/task1/2018/test", _TEST, r"\.txt$", share=0.7),
    "case folders of 2026": partial(_split, "coliee/task2/2026/test", _TEST, r"\.txt$", share=0.7),
    "labels of 2025, JSON": partial(_split, "coliee/task1/2025/test", _TEST, r"task1_test_labels_2025"),
    "labels of 2018, XML": partial(_split, "coliee/task1/2018/test", _TEST, r"\.xml$"),
    "labels of 2019, XML": partial(_split, "coliee/task2/2019/test", _TEST, r"\.xml$"),
    "labels of 2019, text": partial(_split, "coliee/task1/2019/train", r"train(?!.*\.xml)", r"noticed_cases\.txt$"),
    "labels of task 2, JSON": partial(_split, "coliee/task2/2026/test", _TEST, r"test_labels.*\.json$"),
    "questions in English": partial(_split, "coliee/task3/2024/en/r03", r"R03|civil", r"R03"),
    "questions in Japanese": partial(_split, "coliee/task3/2025/ja/r04", r"R04|civil", r"R04"),
    "questions with article tags": partial(_split, "coliee/task3/2026/ja/r04", r"R04|129AC", r"R04"),
    "answers of task 4": partial(_split, "coliee/task4/2026/ja/test", r"/test/", r"QA"),
    "articles of task 3": partial(_split, "coliee/task3/2020/en/test", r"(?i)test|civil", r"labels"),
    "civil code, wrapped text": partial(_civil_code, "coliee/task3/2017/en", "en"),
    "civil code, Japanese": partial(_civil_code, "coliee/task3/2025/ja", "ja"),
    "civil code, XML": partial(_civil_code, "coliee/task3/2026/ja", "ja"),
    "tort instances (prediction)": partial(_split, "coliee/pilot/2026/prediction/test", r"test001", r"test001"),
    "tort instances (rationale)": partial(_split, "coliee/pilot/2025/rationale/train", r"train", r"train"),
    **{f"ZIP archive, {way}": partial(_archived, way) for way in ("plain", "traditional", "AES")},
    **{f"release of {name}": partial(_whole, name, False) for name in ("task1/2021", "task2/2018", "pilot/2025")},
    **{f"archives of {name}": partial(_whole, name, True) for name in ("task1/2019", "task2/2026", "task3/2026/ja")},
    **{f"run file, {form}": partial(_run, form) for form in RUNS},
    "edition of a user": _edition,
    "status and audit of task 1": partial(_status_and_audit, "coliee/task1/2025/test", _TEST),
    "status and audit of task 2": partial(_status_and_audit, "coliee/task2/2026/test", _TEST),
    "status and audit of task 3": partial(_status_and_audit, "coliee/task3/2024/en/r03", r"R03|civil"),
    "status and audit of the pilot": partial(_status_and_audit, "coliee/pilot/2026/rationale/test", r"test001"),
}
#: Mutations on which a reader once failed, by the name of the reader.
FOUND = {
    "labels of 2019, text": [[Mutation("task1_train/task1_train/900000/noticed_cases.txt", True, 99997)]],
    "status and audit of task 3": [[Mutation("COLIEE2024statute_data-English/train/riteval_R03_en.xml", True, 0)]],
}
MANY_FILES = 20  # take the operating system longer to write than the readers to read


@pytest.mark.parametrize("name", READERS)
def test_a_mutated_file_is_read_or_refused(name, tmp_path, monkeypatch, is_long):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))  # the readers set it to the folder of each input
    monkeypatch.setenv("COLIEE_PASSWORD", _PASSWORD)
    reader = READERS[name](tmp_path)
    trial = Trial(reader, tmp_path)
    assert trial.problems(reader.tree) == [], "the files are read before they are mutated"
    first = next(place for place in sorted(reader.tree) if re.search(reader.pattern, place))
    cut_off = {**reader.tree, first: reader.tree[first][:-9] + bytes(4096)}  # after a power failure
    assert trial.problems(cut_off) == []
    examples = 2_000 if is_long else 8 if len(reader.tree) > MANY_FILES else 25

    @settings(max_examples=examples, database=None, print_blob=True, suppress_health_check=HealthCheck)
    @given(mutated(reader.tree, reader.pattern, reader.share_of_folders))
    def check(mutations):
        assert trial.problems(applied(mutations, reader.tree)) == []

    for found in FOUND.get(name, ()):
        check = example(found)(check)
    check()


# --- what loads differently is reported --------------------------------------------------------------

_CASES = "task2_train_files_2025"
_TEXT = "[{}]\nThe lamp of gate {} was lit.\n"


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def cases(tmp_path, monkeypatch):
    """Three regular case folders of task 2, with three paragraphs each."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    for case in ("900001", "900002", "900003"):
        for number in (1, 2, 3):
            _put(tmp_path / _CASES / case / "paragraphs" / f"00{number}.txt", _TEXT.format(number, case + str(number)))
        _put(tmp_path / _CASES / case / "entailed_fragment.txt", f"Fragment of {case}.")
        _put(tmp_path / _CASES / case / "base_case.txt", f"[1]\nBefore. Fragment of {case}. After.")
    _put(
        tmp_path / "task2_train_labels_2025.json",
        '{"900001": ["002.txt"], "900002": ["002.txt"], "900003": ["001.txt"]}',
    )
    return tmp_path / _CASES


CASE_MUTATIONS = {
    "paragraph removed": lambda case: (case / "paragraphs" / "002.txt").unlink(),
    "paragraph emptied": lambda case: (case / "paragraphs" / "002.txt").write_text(" \n"),
    "paragraph renamed far": lambda case: (case / "paragraphs" / "002.txt").rename(case / "paragraphs" / "017.txt"),
    "paragraph renamed": lambda case: (case / "paragraphs" / "002.txt").rename(case / "paragraphs" / "002 (1).txt"),
    "paragraph without zeros": lambda case: (case / "paragraphs" / "002.txt").rename(case / "paragraphs" / "2.txt"),
    "paragraph twice": lambda case: shutil.copy(case / "paragraphs" / "002.txt", case / "paragraphs" / "2.txt"),
    "paragraph of a folder": lambda case: (case / "paragraphs" / "002.txt").rename(case / "002.txt"),
    "paragraphs removed": lambda case: shutil.rmtree(case / "paragraphs"),
    "paragraphs renamed": lambda case: (case / "paragraphs").rename(case / "paragraph"),
    "fragment removed": lambda case: (case / "entailed_fragment.txt").unlink(),
    "fragment emptied": lambda case: (case / "entailed_fragment.txt").write_text(""),
    "base case removed": lambda case: (case / "base_case.txt").unlink(),
    "case removed": shutil.rmtree,
    "case renamed": lambda case: case.rename(case.with_name("900017")),
    "case of a browser": lambda case: case.rename(case.with_name(f"{case.name} (1)")),
    "case in another": lambda case: case.rename(case.with_name("900001") / case.name),
    "NUL bytes in a paragraph": lambda case: (case / "paragraphs" / "002.txt").write_bytes(b"[2]\nThe la" + bytes(90)),
}


@pytest.mark.parametrize("mutation", CASE_MUTATIONS)
@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
def test_a_case_folder_that_loads_differently_is_wrong_in_the_audit_or_changes_the_score(cases, mutation):
    def found():
        return {
            (each.check, each.ids) for each in audit("coliee/task2/2025/train").findings if "count" not in each.check
        }

    before = found()
    CASE_MUTATIONS[mutation](cases / "900002")
    assert found() - before


# --- clocks ------------------------------------------------------------------------------------------

DAY_NS = 86_400 * 10**9


def content(home, monkeypatch, release):
    """Everything that is read from a data folder, or the error."""
    monkeypatch.setenv("COLIEE_HOME", str(home))
    try:
        dataset = ir_datasets.load(f"{release}/test")
        found = [[*dataset.docs_iter()], [*dataset.queries_iter()], [*dataset.qrels_iter()]]
        if "pilot" not in release:
            index = LexicalIndex.from_dataset(f"{release}/test")
            found.append([index.docnos.tolist(), sorted(index.vocabulary), index.counts.toarray().tolist()])
    except ColieeError as error:
        return str(error).replace(str(home), "")
    return found


def altered(data, chance):
    """The same number of bytes with one lower-case letter exchanged."""
    place = chance.choice([place for place, byte in enumerate(data) if 97 <= byte < 122])
    return data[:place] + bytes([data[place] + 1]) + data[place + 1 :]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no time of the last change that nobody can set")
@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize("archive", [False, True])
@pytest.mark.parametrize("release", ["coliee/task1/2025", "coliee/task3/2024/en", "coliee/pilot/2025/prediction"])
def test_a_changed_file_is_read_whatever_the_clocks_say(tmp_path, monkeypatch, release, archive, seed, is_long):
    chance, home = Random(f"{seed} {release}"), tmp_path / "home"
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    copy_of_release(release.removeprefix("coliee/").removesuffix("/prediction"), home, irregular=False, archive=archive)
    offset, clock = 0, time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: clock() + offset)
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and "train" not in str(path.relative_to(home))]
    content(home, monkeypatch, release)
    for number in range(100 if is_long else 2):
        offset = chance.choice([-1, 1]) * chance.randrange(DAY_NS)
        path = chance.choice([each for each in files if each.suffix == chance.choice(files).suffix] or files)
        before = path.stat()
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                members = {name: packed.read(name) for name in packed.namelist()}
            name = chance.choice([name for name, data in members.items() if data])
            zips.write_zip(path, members | {name: altered(members[name], chance)}, compression=zipfile.ZIP_STORED)
        else:
            path.write_bytes(altered(path.read_bytes(), chance))
        other = chance.choice([time.time_ns() + 30_000 * DAY_NS, 0, -20_000 * DAY_NS])
        os.utime(path, ns=(before.st_atime_ns, chance.choice([before.st_mtime_ns, other])))
        fresh = Path(shutil.copytree(home, tmp_path / f"fresh{number}", ignore=shutil.ignore_patterns(".cache")))
        assert content(home, monkeypatch, release) == content(fresh, monkeypatch, release)
        shutil.rmtree(fresh)

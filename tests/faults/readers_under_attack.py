"""`READERS`: each kind of file that a user brings, with a small whole example and what reads it."""

import os
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import zips
from attack import Load, Reader, Shown
from file_trees import Tree, read_tree
from fixture_releases import fixture_release

from ir_coliee.editions import SPLITS, split
from ir_coliee.releases.audit import audit
from ir_coliee.releases.civil_code import read_civil_code
from ir_coliee.releases.files import DiskFolder, File, forget
from ir_coliee.releases.release import LocalRelease, inventory
from ir_coliee.text.templates import template

_PASSWORD = "lamp"
_ARCHIVE = "task1_test_files_2025.zip"


# --- releases --------------------------------------------------------------------------------------


def _release(dataset_id: str, kept: str) -> Tree:
    """Return the files of the irregular release of a split, or of an edition, whose path matches."""
    name = re.sub(r"^coliee/|/(rationale/|prediction/)?(test|train|r0\d)$", "", dataset_id)
    tree = read_tree(fixture_release(name.replace("task4", "task3")))
    return {place: content for place, content in tree.items() if re.search(kept, place)}


def _splits(*ids: str) -> Load:
    """Read all entities of some splits."""

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        os.environ["COLIEE_HOME"] = str(folder)
        for dataset_id in ids:
            release = LocalRelease.open(dataset_id)
            yield lambda release=release: [*release.documents()]
            yield lambda release=release: [*release.queries()]
            yield lambda release=release: [*release.queries(full=True)]
            yield lambda release=release: [*release.qrels()]
            yield lambda release=release: [*(release.candidates() or ())]
        forget()

    return load


def _split(dataset_id: str, kept: str, pattern: str, folder: Path, share: float = 0.1) -> Reader:
    return Reader(_release(dataset_id, kept), _splits(dataset_id), pattern, share)


def _archived(dataset_id: str, kept: str, folder: Path, password: str | None = None) -> Reader:
    tree = _release(dataset_id, kept)
    path = zips.write_zip(folder / _ARCHIVE, {p: c for p, c in tree.items() if "files" in p}, password)
    tree = {place: content for place, content in tree.items() if "files" not in place}
    return Reader({**tree, _ARCHIVE: path.read_bytes()}, _splits(dataset_id), r"\.zip$")


def _archived_with_aes(dataset_id: str, kept: str, folder: Path) -> Reader:
    reader = _archived(dataset_id, kept, folder)
    with zipfile.ZipFile(folder / _ARCHIVE) as archive:
        texts = {name: archive.read(name) for name in archive.namelist()}
    path = zips.write_aes_zip(folder / "aes.zip", texts, _PASSWORD)
    return reader._replace(tree={**reader.tree, _ARCHIVE: path.read_bytes()})


def _status_and_audit(dataset_id: str, kept: str, folder: Path) -> Reader:
    def load(folder: Path) -> Iterator[Callable[[], object]]:
        os.environ["COLIEE_HOME"] = str(folder)
        ids = [name for name in SPLITS if name.startswith(dataset_id.rpartition("/")[0])]
        yield lambda: Shown([status.state for status in inventory(ids)])
        yield lambda: Shown(audit(dataset_id))

    return Reader(_release(dataset_id, kept), load, share_of_folders=0.4)


# --- single files ----------------------------------------------------------------------------------


def _civil_code(release: str, language: str, folder: Path) -> Reader:
    tree = _release(release, r"civil|129AC")
    (place,) = tree

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        path = (folder / place).parent
        yield lambda: read_civil_code(File(DiskFolder(str(path)), Path(place).name), language)

    return Reader(tree, load, share_of_folders=0)


_CIVIL_XML = (
    """<?xml version="1.0" encoding="UTF-8"?>
<Articles>
"""
    + "\n".join(
        f"""<Article num="{number}"><caption>（門）</caption><text>第{kanji}条　門番は、門を閉める。ただし、夜に限る。
２　次の灯は、貸す。
一　夜の灯　油の灯
イ　大きな灯
二　朝の灯</text></Article>"""
        for number, kanji in [("1", "一"), ("2", "二"), ("3", "三"), ("12", "十二"), ("398", "三百九十八")]
    )
    + """
<Article num="400:410"><caption/><text>第四百条から第四百十条まで　削除</text></Article>
</Articles>
"""
)


def _organisers_xml(folder: Path) -> Reader:
    reader = _civil_code("coliee/task3/2026/ja", "ja", folder)
    (place,) = reader.tree
    return reader._replace(tree={place: _CIVIL_XML.encode()})


_PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "add-an-edition.md"


def _edition(folder: Path) -> Reader:
    example = re.search(r"```yaml\n(edition:.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)

    def load(folder: Path) -> Iterator[Callable[[], object]]:
        os.environ["COLIEE_HOME"] = str(folder)
        ids = ("coliee/task1/2097/test", "coliee/task3/2097/ja/train", "coliee/pilot/2097/rationale/test")
        yield lambda: [found for found in map(SPLITS.get, ids) if found]
        yield lambda: len(SPLITS)
        yield lambda: split("coliee/task1/2025/test").pretty_name

    return Reader({"editions/2097.yaml": example[1].replace("2027", "2097").encode()}, load)


_TEMPLATE = """\
# of our own
[system]
You are a judge at the ferry.
[question]
Articles: {text}
Is it true that {query}
[question without text]
Is it true that {query}
[answer]
The answer is {answer}.
[yes]
Yes, it is
[no]
No, it is not
"""


def _template(folder: Path) -> Reader:
    def load(folder: Path) -> Iterator[Callable[[], object]]:
        yield lambda: template(str(folder / "own.txt")).conversation("The ferry is late.", "Article 1 A ferry.")

    return Reader({"own.txt": _TEMPLATE.encode()}, load, share_of_folders=0.2)


# --- the table -------------------------------------------------------------------------------------

_TEST = r"(?i)test"
_LABELS_2025 = r"task1_test_labels_2025"
#: The reader of each entity, made in an empty folder.
READERS: dict[str, Callable[[Path], Reader]] = {
    "decisions, one folder (task 1, 2025)": partial(_split, "coliee/task1/2025/test", _TEST, r"\d{6}\.txt$", share=0.7),
    "decisions, candidate pools (task 1, 2018)": partial(_split, "coliee/task1/2018/test", _TEST, r"\.txt$", share=0.7),
    "case folders (task 2, 2026)": partial(_split, "coliee/task2/2026/test", _TEST, r"\.txt$", share=0.7),
    "case folders (task 2, 2019)": partial(_split, "coliee/task2/2019/test", _TEST, r"\.txt$", share=0.7),
    "labels of task 1, JSON of 2020": partial(_split, "coliee/task1/2020/test", _TEST, r"test_2020_labels"),
    "labels of task 1, JSON of 2025": partial(_split, "coliee/task1/2025/test", _TEST, _LABELS_2025),
    "labels of task 1, XML of 2018": partial(_split, "coliee/task1/2018/test", _TEST, r"\.xml$"),
    "labels of task 1, XML of 2019": partial(_split, "coliee/task1/2019/test", _TEST, r"\.xml$"),
    "labels of task 1, text of 2019": partial(
        _split, "coliee/task1/2019/train", r"train(?!.*\.xml)", r"noticed_cases\.txt$"
    ),
    "labels of task 2, XML of 2018": partial(_split, "coliee/task2/2018/test", _TEST, r"\.xml$"),
    "labels of task 2, XML of 2019": partial(_split, "coliee/task2/2019/test", _TEST, r"\.xml$"),
    "labels of task 2, JSON of 2026": partial(_split, "coliee/task2/2026/test", _TEST, r"test_labels.*\.json$"),
    "questions, XML in English": partial(_split, "coliee/task3/2024/en/r03", r"R03|civil", r"R03"),
    "questions, XML in Japanese": partial(_split, "coliee/task3/2025/ja/r04", r"R04|civil", r"R04"),
    "questions, XML with article tags (2026)": partial(_split, "coliee/task3/2026/ja/r04", r"R04|129AC", r"R04"),
    "answers of task 4 (2026)": partial(_split, "coliee/task4/2026/ja/test", r"/test/", r"QA"),
    "articles of task 3 (2020)": partial(_split, "coliee/task3/2020/en/test", r"(?i)test|civil", r"labels"),
    "civil code, wrapped English text (2017)": partial(_civil_code, "coliee/task3/2017/en", "en"),
    "civil code, English text": partial(_civil_code, "coliee/task3/2024/en", "en"),
    "civil code, Japanese text": partial(_civil_code, "coliee/task3/2025/ja", "ja"),
    "civil code, XML of the law service": partial(_civil_code, "coliee/task3/2026/ja", "ja"),
    "civil code, XML of the organisers": _organisers_xml,
    "tort instances, JSON Lines (prediction)": partial(
        _split, "coliee/pilot/2026/prediction/test", r"test001", r"test001"
    ),
    "tort instances, JSON Lines (rationale)": partial(_split, "coliee/pilot/2025/rationale/train", r"train", r"train"),
    "ZIP archive": partial(_archived, "coliee/task1/2025/test", _TEST),
    "ZIP archive with password": partial(_archived, "coliee/task1/2025/test", _TEST, password=_PASSWORD),
    "ZIP archive with password (AES)": partial(_archived_with_aes, "coliee/task1/2025/test", _TEST),
    "edition of a user": _edition,
    "prompt template of a user": _template,
    "status and audit (task 1, 2025)": partial(_status_and_audit, "coliee/task1/2025/test", _TEST),
    "status and audit (task 2, 2026)": partial(_status_and_audit, "coliee/task2/2026/test", _TEST),
    "status and audit (task 3, 2024)": partial(_status_and_audit, "coliee/task3/2024/en/r03", r"R03|civil"),
    "status and audit (pilot, 2026)": partial(_status_and_audit, "coliee/pilot/2026/rationale/test", r"test001"),
}

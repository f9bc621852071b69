"""Files that change while clocks go wrong: what is read is what is in the files, not what was there before.

Files keep their size and are given any time stamp, also their old one, one of the future and one before 1970; the clock
of the program goes back and forward. What is read equals what is read from a new copy, which no cache knows.
"""

import os
import random
import shutil
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import ir_datasets
import pytest
from fixture_releases import copy_of_release

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import LexicalIndex

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no time of the last change that nobody can set"),
]

RELEASES = ["coliee/task1/2025", "coliee/task2/2026", "coliee/task3/2024/en", "coliee/pilot/2025/prediction"]
DAY_NS = 86_400 * 10**9


def content(home, monkeypatch, release):
    """Everything that is read from a data folder, or the error."""
    monkeypatch.setenv("COLIEE_HOME", str(home))
    try:
        dataset = ir_datasets.load(f"{release}/test")
        found = [[*dataset.docs_iter()], [*dataset.queries_iter()], [*dataset.qrels_iter()]]
        store = dataset.docs_store()
        found.append([store.get(doc.doc_id) for doc in found[0]])
        if "pilot" not in release:
            index = LexicalIndex.from_dataset(f"{release}/test")
            found.append([index.docnos.tolist(), sorted(index.vocabulary), index.counts.toarray().tolist()])
    except ColieeError as error:
        return str(error).replace(str(home), "")
    return found


def altered(data, chance):
    """The same number of bytes with one lower-case letter exchanged."""
    letters = [place for place, byte in enumerate(data) if 97 <= byte < 122]
    place = chance.choice(letters)
    return data[:place] + bytes([data[place] + 1]) + data[place + 1 :]


def alter(path, chance):
    """Change a file, or one in an archive, and give it another time stamp or its old one."""
    before = path.stat()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()}
        name = chance.choice([name for name, data in members.items() if data])
        members[name] = altered(members[name], chance)
        with zipfile.ZipFile(path, "w") as archive:
            for member, data in members.items():
                archive.writestr(zipfile.ZipInfo(member), data)
    else:
        path.write_bytes(altered(path.read_bytes(), chance))
    other = chance.choice([time.time_ns() + 30_000 * DAY_NS, 0, -20_000 * DAY_NS])
    os.utime(path, ns=(before.st_atime_ns, chance.choice([before.st_mtime_ns, other])))


@pytest.mark.parametrize("archive", [False, True])
@pytest.mark.parametrize("release", RELEASES)
def test_a_changed_file_is_read_whatever_the_clocks_say(
    tmp_path, monkeypatch, release, archive, seed, inputs_per_entity, outcomes
):
    chance, home = random.Random(f"{seed} {release}"), tmp_path / "home"
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    name = release.removeprefix("coliee/").removesuffix("/prediction")
    copy_of_release(name, home, irregular=False, archive=archive)
    offset, clock = 0, time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: clock() + offset)
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and "train" not in str(path.relative_to(home))]
    kinds = Counter(path.suffix for path in files)
    content(home, monkeypatch, release)
    for number in range(inputs_per_entity // 20):
        offset = chance.choice([-1, 1]) * chance.randrange(DAY_NS)
        alter(chance.choices(files, [1 / kinds[path.suffix] for path in files])[0], chance)
        fresh = Path(shutil.copytree(home, tmp_path / f"fresh{number}", ignore=shutil.ignore_patterns(".cache")))
        found, expected = content(home, monkeypatch, release), content(fresh, monkeypatch, release)
        assert found == expected
        outcomes["refused" if isinstance(found, str) else "loaded"] += 1
        shutil.rmtree(fresh)

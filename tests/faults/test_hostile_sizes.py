"""Each kind of file has a limit: above it nothing is read, below it reading is linear and takes little time and memory.

The usual run measures small files; with ``COLIEE_FAULTS=long`` each form of a hostile file is read at its limit too.
"""

import gc
import math
import re
import sys
import tempfile
import time
import zipfile
from functools import partial
from pathlib import Path

import pytest
from hostile_files import KINDS, content_of, measure, outcome
from zips import write_zip

from ir_coliee import storage as size_limits
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.releases.zips import open_archive
from ir_coliee.storage import SizeLimit

ROOT = Path(__file__).parents[2]
LIMITS = {name: limit for name, limit in vars(size_limits).items() if isinstance(limit, SizeLimit)}

SECONDS, BYTES = 10, 1_000_000_000
WARNINGS = 12  # five and their number, once for the file and once for its JSON
LINEAR = 1.4  # the largest exponent that counts as linear: caches and other programs add to 1, a square is 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_just_above_its_limit_is_refused_before_it_is_read(tmp_path, monkeypatch, kind):
    name, limit, read, _ = KINDS[kind]
    with open(tmp_path / name, "wb") as file:
        file.truncate(limit.max_bytes + 1)
    monkeypatch.setattr(SizeLimit, "read", None)
    with pytest.raises(MalformedFileError) as caught:
        read(str(tmp_path), name)
    assert str(caught.value).startswith(f"{tmp_path / name}: {limit.max_bytes + 1:,} bytes are too many for a")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("edition file", "prompt template")])
def test_an_entry_just_above_its_limit_is_refused_before_it_is_unpacked(tmp_path, monkeypatch, kind):
    name, limit, _, _ = KINDS[kind]
    made = zipfile.ZipFile(tmp_path / "made.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with made as archive, archive.open(name, "w") as entry:
        for _ in range(limit.max_bytes // 1_000_000):
            entry.write(bytes(1_000_000))
        entry.write(b"0")
    folder = open_archive(File(DiskFolder(str(tmp_path)), "made.zip"))
    monkeypatch.setattr(zipfile.ZipFile, "read", None)
    with pytest.raises(ColieeError, match=rf"made\.zip.{re.escape(name)}: {limit.max_bytes + 1:,} bytes are too many"):
        File(folder, name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    "entries",
    [{f"{number}/a": "" for number in range(20_000)}, {"./" * 30_000 + f"{number}.txt": "" for number in range(20)}],
    ids=["many folders", "many dots"],
)
def test_the_directory_of_an_archive_is_read_in_linear_time(tmp_path, entries):
    path = write_zip(tmp_path / "made.zip", entries)
    start = time.process_time()
    open_archive(File(DiskFolder(str(tmp_path)), path.name)).folders()
    assert time.process_time() - start < SECONDS * path.stat().st_size / 1_000_000


@pytest.fixture
def small_heap():
    """The tests' own objects are not looked through for garbage, which would take longer than reading."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def seconds(kind, form, size):
    """The CPU time of reading a file of a kind, form and size in this process."""
    name = KINDS[kind][0]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(content_of(kind, form, size))
        start = time.process_time()
        result, warned = outcome(kind, folder)
        taken = time.process_time() - start
    assert result in ("read", "refused"), result
    assert isinstance(warned, int), warned
    assert warned <= WARNINGS
    return taken


def exponent(read, sizes):
    """The exponent of the time's growth with the size; 0 for a time that is too short to be measured."""
    times = [math.inf] * len(sizes)
    for _ in range(8):  # other programs may delay some measurements
        times = [min(before, read(size)) for before, size in zip(times, sizes)]
        if times[-1] < 0.02:
            return 0
        logs = [math.log2(max(taken, 1e-4)) for taken in times]
        if (growth := (logs[-1] - logs[0]) / math.log2(sizes[-1] / sizes[0])) <= LINEAR:
            break
    return growth


@pytest.mark.slow
@pytest.mark.usefixtures("small_heap")
@pytest.mark.parametrize("kind", KINDS)
def test_reading_is_linear_in_the_size_of_a_file(kind):
    largest = 120_000
    sizes = [largest // 8, largest // 4, largest // 2, largest]
    growth = {form: exponent(partial(seconds, kind, form), sizes) for form in KINDS[kind][3]}
    assert {form: exponent for form, exponent in growth.items() if exponent > LINEAR} == {}


def test_the_exponent_tells_a_quadratic_time():
    assert exponent(lambda size: size**2 / 1e6, [1_000, 2_000, 4_000, 8_000]) == pytest.approx(2)
    assert exponent(lambda size: size / 1e3, [1_000, 2_000, 4_000, 8_000]) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in a fork, in units of Linux")
@pytest.mark.parametrize(("kind", "form"), [(kind, form) for kind in KINDS for form in KINDS[kind][3]])
def test_a_file_at_its_limit_takes_little_time_and_memory(kind, form, is_long):
    if not is_long:
        pytest.skip("COLIEE_FAULTS=long reads large files")
    taken, memory, result, warned = measure(kind, form, KINDS[kind][1].max_bytes)
    assert result in ("read", "refused")
    assert isinstance(warned, int)
    assert warned <= WARNINGS
    assert taken <= SECONDS
    assert memory <= BYTES


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="no docs here")
def test_the_page_states_each_limit():
    page = (ROOT / "docs" / "explanations" / "robustness.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| ([\d,]+) bytes \|", page, re.MULTILINE))
    assert rows == {limit.kind: f"{limit.max_bytes:,}" for limit in LIMITS.values()}

"""Synthetic releases: layout, sizes, planted relevance, and what is done where a release exists already."""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter

import ir_datasets
import pytest

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import splits_of_release, write_release

SCALE = 0.01
TINY = 0.002
QUOTATION = re.compile(r" It was held in <FRAGMENT_SUPPRESSED> that ([a-z ]+)\.")


def release_of(split):
    """The common id of the splits of a release."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return split.id.rpartition("/")[0].removesuffix("/prediction").removesuffix("/rationale")


RELEASES = sorted({release_of(split) for split in SPLITS.values() if not split.is_built_in})


def digest(folder):
    """Return the name of every file and the hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a release into a data folder, which is used from now on."""

    def written(dataset_id, name="data", **options):
        monkeypatch.setenv("COLIEE_HOME", str(tmp_path / name))
        return tmp_path / name, write_release(dataset_id, tmp_path / name, **options)

    return written


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    write_release("coliee/task1/2025", folder, scale=SCALE, seed=7)
    return folder


def gold_of(folder, split="train"):
    gold = json.loads((folder / f"task1_{split}_labels_2025.json").read_text())
    return {query.removesuffix(".txt"): [case.removesuffix(".txt") for case in cases] for query, cases in gold.items()}


def texts_of(folder, split="train"):
    return {path.stem: path.read_text() for path in (folder / f"task1_{split}_files_2025").iterdir()}


# --- every release is read as it was written ---------------------------------------------------------


def text_of(record):
    return record.default_text().lower()


def pieces(text, size=1):
    """Runs of words, or the pairs of characters of a Japanese text."""
    if not text.isascii():
        return [text[i : i + 2] for i in range(len(text) - 1)]
    words = text.split()
    return [tuple(words[i : i + size]) for i in range(len(words) - size + 1)]


def share_found(queries, docs, qrels, pools, size):
    """The share of the gold among as many items that have most rare pieces of their query, and by chance."""
    words = {doc_id: set(pieces(text, size)) for doc_id, text in docs.items()}
    frequency = Counter(piece for each in words.values() for piece in each)
    found = by_chance = 0
    for query_id, text in queries.items():
        gold = {doc_id for query, doc_id in qrels if query == query_id}
        pool = [doc_id for doc_id in pools.get(query_id, docs) if doc_id != query_id]
        of_query = set(pieces(text, size))
        scores = {doc: sum(1 / frequency[piece] for piece in words[doc] & of_query) / len(words[doc]) for doc in pool}
        found += len(gold.intersection(sorted(pool, key=scores.get, reverse=True)[: len(gold)]))
        by_chance += len(gold) ** 2 / len(pool)
    return found / len(qrels), by_chance / len(qrels)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*its name has no year")  # of the label files of 2021
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("release", RELEASES)
def test_a_release_is_read_with_the_scaled_counts_and_findable_gold(write, release):
    write(release, scale=SCALE)
    for split in splits_of_release(release):
        assert release_of(split) == release
        dataset = ir_datasets.load(split.id)
        local = LocalRelease.open(split)
        assert (local.missing, local.is_synthetic) == ((), True)
        queries = {query.query_id: text_of(query) for query in dataset.queries_iter()}
        docs = {doc.doc_id: text_of(doc) for doc in dataset.docs_iter()}
        qrels = [(qrel.query_id, qrel.doc_id) for qrel in dataset.qrels_iter() if qrel.relevance > 0]
        assert {query for query, _ in qrels} <= set(queries)
        assert {doc for _, doc in qrels} <= set(docs)
        assert len(set(qrels)) == len(qrels)
        if "queries" in split.counts:
            expected = max(3 * max(1, len(split.exam_years)), round(SCALE * split.counts["queries"]))
            assert abs(len(queries) - expected) <= max(1, len(split.exam_years) / 2)
        if split.layout == "flat":
            assert len(docs) == max(12, round(SCALE * split.counts["docs"]))
        if split.task in ("task1", "task2", "task3"):
            assert set(queries) == {query for query, _ in qrels}
            pools = {}
            for query, doc in local.candidates() or ():
                pools.setdefault(query, []).append(doc)
            # passages that a query quotes show what it notices; other tasks share single words
            found, by_chance = share_found(queries, docs, qrels, pools, 5 if split.task == "task1" else 1)
            assert found > by_chance + 0.15


@pytest.mark.slow
@pytest.mark.parametrize(
    "release", ["coliee/task1/2018", "coliee/task1/2025", "coliee/task2/2026", "coliee/task3/2026/ja"]
)
def test_archives_have_the_files_of_the_folders_and_are_the_same_each_time(write, tmp_path, release):
    write(release, "plain", scale=TINY)
    for name in ("zipped", "again"):
        folder, written = write(release, name, scale=TINY, archive=True)
        assert all(path.suffix in (".zip", ".json") for path in written)
        LocalRelease.open(f"{release}/train").queries()  # from the archives
    assert digest(folder) == digest(tmp_path / "zipped")
    for path in written:
        if path.suffix == ".zip":
            zipfile.ZipFile(path).extractall(folder)
            path.unlink()
    assert {name: key for name, key in digest(folder).items() if not name.startswith(".")} == digest(tmp_path / "plain")


@pytest.mark.slow
def test_the_bytes_depend_on_the_seed_and_not_on_the_process(cases, tmp_path):
    write_release("coliee/task1/2025", tmp_path / "other", scale=SCALE, seed=8)
    assert digest(tmp_path / "other") != digest(cases)
    shutil.rmtree(tmp_path / "other")
    program = (
        "import sys; from ir_coliee.synthetic import write_release as w; w(sys.argv[1], sys.argv[2], scale=.01, seed=7)"
    )
    environment = os.environ | {"PYTHONHASHSEED": str(random.Random().randrange(1000))}
    command = [sys.executable, "-c", program, "coliee/task1/2025/test", str(tmp_path)]
    subprocess.run(command, check=True, env=environment)
    assert digest(tmp_path) == digest(cases)


# --- decisions ---------------------------------------------------------------------------------------


def test_decisions_have_the_form_of_the_organisers(cases):
    texts = texts_of(cases)
    for name, text in texts.items():
        assert re.fullmatch(r"9\d{5}", name)
        assert text.isascii()
        assert text.startswith(" <FRAGMENT_SUPPRESSED>  (FC)\nDecided in ")
        assert text.endswith("\n[End of document]")
        marks = [int(number) for number in re.findall(r"^\[(\d+)\]$", text, re.MULTILINE)]
        assert marks == list(range(1, len(marks) + 1))
    lengths = sorted(len(text.split()) for text in texts.values())
    assert 90 <= lengths[0] < 2_000 < lengths[len(lengths) // 2] < 6_000 < lengths[-1]
    assert len(set(texts.values())) == len(texts)
    assert not set(texts) & set(texts_of(cases, "test"))


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_query_quotes_a_passage_of_each_earlier_case_that_it_notices(cases, split):
    texts, gold = texts_of(cases, split), gold_of(cases, split)
    years = {name: int(re.search(r"^Decided in (\d{4})\.$", text, re.MULTILINE)[1]) for name, text in texts.items()}
    assert not set(gold) & {case for noticed in gold.values() for case in noticed}
    assert {name for name, text in texts.items() if QUOTATION.search(text)} == set(gold)
    for query, noticed in gold.items():
        quotations = QUOTATION.findall(texts[query])
        assert len(quotations) == len(noticed)
        for quotation, case in zip(quotations, noticed):
            assert years[case] <= years[query]
            words = re.sub(r"\[\d+\]|\.|\n", " ", QUOTATION.sub("", texts[case])).split()
            assert f" {quotation} " in f" {' '.join(words)} "


# --- statutes and torts ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("release", ["2025/en", "2025/ja", "2026/ja"])
def test_questions_quote_the_articles_of_the_code_and_keep_what_was_not_scored(write, release):
    write(f"coliee/task3/{release}", scale=0.1)
    texts = {article.doc_id: article.text for article in ir_datasets.load(f"coliee/task3/{release}").docs_iter()}
    for split in ("train", "test"):
        queries = list(ir_datasets.load(f"coliee/task3/{release}/{split}/full").queries_iter())
        assert {query.label for query in queries} == {"Y", "N"}
        for query in queries:
            assert all(texts[number] in query.t1 for number in query.articles)
            assert re.match(r"[HR]\d\d-9\d\d-[AIUEO]", query.query_id)
    excluded = set(SPLITS[f"coliee/task3/{release}/test"].excluded)
    if excluded:
        distributed = ir_datasets.load(f"coliee/task3/{release}/test/as-distributed").queries_iter()
        assert {query.query_id for query in distributed} == excluded | {query.query_id for query in queries}


# --- where a release exists already ------------------------------------------------------------------


@pytest.mark.parametrize("archive", [False, True])
def test_the_same_call_again_changes_nothing_and_completes_what_is_missing(write, archive):
    options = {"scale": 0.001, "archive": archive}
    folder, written = write("coliee/task1/2025", **options)
    before, times = digest(folder), {path: path.stat().st_mtime_ns for path in written}
    write("coliee/task1/2025/test", **options)
    assert {path: path.stat().st_mtime_ns for path in written} == times
    gone = written[-1]
    gone.unlink()
    write("coliee/task1/2025", **options)
    assert digest(folder) == before


@pytest.mark.parametrize(
    "take",
    [
        lambda path: path.write_text("mine"),
        lambda path: (path.mkdir(), (path / "000001.txt").write_text("a real decision")),
        lambda path: path.symlink_to(path.parent),
        os.mkfifo,
    ],
    ids=["file", "real release", "link", "pipe"],
)
def test_what_is_not_synthetic_is_never_replaced(write, tmp_path, take):
    place = tmp_path / "data" / "task1_train_files_2025"
    place.parent.mkdir()
    take(place)
    before = os.lstat(place).st_ino
    with pytest.raises(ExistingFileError, match=re.escape(str(place))):
        write("coliee/task1/2025", scale=0.001)
    assert os.listdir(place.parent) == [place.name]
    assert os.lstat(place).st_ino == before


@pytest.mark.parametrize(
    ("dataset_id", "options", "message"),
    [
        *(("coliee/task1/2025", {"scale": scale}, f"got {scale}") for scale in (0, -1, 1.01, float("nan"))),
        ("coliee/task1/sample", {}, r"'coliee/task1/sample' is not .*\n.*coliee/task1/2025"),
        ("coliee/task1/2098", {}, r"'coliee/task1/2098' is not .*\n.*coliee/task1/20"),
        ("coliee/task3/2025", {}, r"each language.\n.*coliee/task3/2025/en or coliee/task3/2025/ja"),
        ("no", {}, r"'no'.*\n.*`ir_coliee list`"),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_next_step(tmp_path, dataset_id, options, message):
    with pytest.raises(ColieeError, match=message):
        write_release(dataset_id, tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


# --- editions of a user --------------------------------------------------------------------------------

"""What the package writes: each kind as a program that a person starts once more after it was stopped.

A program writes into a folder ``place`` that has a data folder ``home``, a folder ``parent`` for ir_datasets, and a
folder ``out`` for the user's own files. It returns what it has read or computed, so that two runs can be compared.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import ir_datasets
import numpy as np

from ir_coliee.baselines import plan_baseline
from ir_coliee.baselines.learned import kept_table
from ir_coliee.baselines.plan import files_of, write_files
from ir_coliee.baselines.recipes import FeatureTable
from ir_coliee.editions import SPLITS
from ir_coliee.engine.cases.texts import case_collection
from ir_coliee.evaluation.submission import submit
from ir_coliee.evaluation.writing import write_run
from ir_coliee.models.language_model import Question, Reply
from ir_coliee.models.stores import ReplyStore
from ir_coliee.models.templates import Turn
from ir_coliee.releases import cache as caches
from ir_coliee.releases.audit import Seal, compute_seal, seal_path
from ir_coliee.releases.release import LocalRelease
from ir_coliee.storage import write_file
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import LexicalIndex, RatioCutoff
from ir_coliee.transformers.retrieval.dask import ShardedIndex

RELEASE = "coliee/task1/2025"
SAMPLE = "coliee/task1/sample/test"
CORPUS = [{"docno": f"9000{n:02}", "text": f"decision {n} of a lamp {'and a gate ' * n}"} for n in range(12)]
RUN = {"900656": {"900557": 2.0, "900569": 1.0}}
OTHER_RUN = {"900656": {"900912": 2.0}}


def prepare(place: Path) -> None:
    """Create the data folder, with a release in ZIP archives, whose content is the same everywhere."""
    write_release(RELEASE, place / "home", scale=0.002, archive=True)
    (place / "out").mkdir()


def enter(place: Path, tag: str) -> None:
    """Let this process use the folder, and tag its submission."""
    os.environ |= {"COLIEE_HOME": str(place / "home"), "IR_DATASETS_HOME": str(place / "parent"), "RUN_TAG": tag}


def _digest(*pieces: object) -> str:
    return hashlib.sha256(repr(pieces).encode()).hexdigest()


def _text(path: Path) -> str | None:
    """The content of a file, which may have disappeared."""
    return path.read_text() if path.exists() else None


def _of_index(index: Any) -> str:
    found = index.bm25().search("lamp gate the court")
    docnos = index.terms.docnos if isinstance(index, ShardedIndex) else index.docnos
    return _digest(docnos.tolist(), found["docno"].tolist(), found["score"].tolist())


def cached_index(_place: Path) -> str:
    return _of_index(LexicalIndex.from_dataset(f"{RELEASE}/train"))


def cached_decisions(_place: Path) -> str:
    collection = case_collection(LocalRelease.open(f"{RELEASE}/train"))
    return _digest(collection.documents, collection.sequences.vocabulary, collection.sequences.tokens.tobytes())


def finished_stage(_place: Path) -> str:
    values = np.vstack([np.arange(2000) / 3, np.arange(2000) / 7])
    table = FeatureTable.of(["1", "2"], ["a", "b"], {f"a.{number}": column for number, column in enumerate(values.T)})
    found = kept_table("features", lambda: table, [SPLITS["coliee/task2/sample/test"]])
    return _digest(*found.qids, *found.docnos, *found.names, found.values.tobytes())


def saved_index(place: Path) -> str:
    path = place / "out" / "index"
    return _of_index(LexicalIndex(path) if path.exists() else LexicalIndex.build(CORPUS).save(path))


def shards(place: Path) -> str:
    path = place / "out" / "shards"
    return _of_index(ShardedIndex(path) if path.exists() else ShardedIndex.build(CORPUS, path, documents_per_shard=5))


def run(place: Path, run: dict[str, dict[str, float]], *, overwrite: bool = False) -> str | None:
    write_run(SAMPLE, run, place / "out" / "mine.run", "mine", overwrite=overwrite)
    return _text(place / "out" / "mine.run")


def submission(place: Path) -> list[str]:
    dataset = "coliee/task3/sample/en/test"
    items = [doc.doc_id for doc in ir_datasets.load(dataset).docs_iter()]
    queries = [query.query_id for query in ir_datasets.load(dataset).queries_iter()]
    run = {query: {item: 1 / (2 + place) for place, item in enumerate(items)} for query in queries}
    written = submit(dataset, run, tag=os.environ["RUN_TAG"], out=place / "out" / "mailed", cutoff=RatioCutoff(0.9))
    return [_text(path) for path in written if path.name != "SystemDescription.txt"]


@cache
def baseline_runs() -> dict[str, Any]:
    """The runs of a baseline, and the same with fewer answers."""
    runs = plan_baseline(SPLITS["coliee/task2/sample/test"], fast=True).run()
    fewer = [run._replace(answers=run.answers[::2], ranking=run.ranking[::2]) for run in runs]
    return {"all": runs, "fewer": fewer}


def baseline(place: Path, runs: str, *, overwrite: bool = False) -> list[str | None]:
    plan = plan_baseline(SPLITS["coliee/task2/sample/test"], fast=True)
    files = files_of(plan, place / "out")
    write_files(plan, baseline_runs()[runs], files, overwrite=overwrite)
    return [_text(path) for of_run in files.values() for path in of_run.values()]


def replies(place: Path) -> list[str]:
    store = ReplyStore(place / "out" / "replies.sqlite")
    questions = [Question((Turn("user", f"question {number} " + "of a lamp " * 99),)) for number in range(6)]
    for question in questions:
        if question not in store.find("model", [question]):
            store.add("model", {question: Reply(question.conversation[0].content[::-1], 0.5)})
    return [store.find("model", [question])[question].text for question in questions]


def synthetic(place: Path, *, archive: bool) -> None:
    write_release(RELEASE, place / "out" / "synthetic", scale=0.0005, archive=archive)


def seal(_place: Path, content: Seal | None = None) -> str:
    release = LocalRelease.open(SPLITS[f"{RELEASE}/train"])
    content = content or compute_seal(release)
    write_file(seal_path(release), content.content, overwrite=True)
    return content.hash


def purge(_place: Path) -> int:
    caches.purge()
    return 0


def damaged_index(place: Path) -> str:
    result = cached_index(place)
    for manifest in (place / "home" / ".cache").rglob("index-*/pt_meta.json"):
        manifest.write_text("{}")
    return result


class Write(NamedTuple):
    """A kind of writing.

    Attributes
    ----------
    program : callable
        Writes, and returns what is compared.
    before : callable, optional
        The program that has run before, so that there is something to replace or to delete.
    """

    program: Callable[[Path], Any]
    before: Callable[[Path], Any] | None = None


WRITES = {
    "index": Write(cached_index),
    "decisions": Write(cached_decisions),
    "stage": Write(finished_stage),
    "damaged index": Write(cached_index, damaged_index),
    "saved index": Write(saved_index),
    "shards": Write(shards),
    "run": Write(partial(run, run=RUN)),
    "replaced run": Write(partial(run, run=OTHER_RUN, overwrite=True), partial(run, run=RUN)),
    "submission": Write(submission),
    "baseline": Write(partial(baseline, runs="all")),
    "replaced baseline": Write(partial(baseline, runs="fewer", overwrite=True), partial(baseline, runs="all")),
    "replies": Write(replies),
    "synthetic release": Write(partial(synthetic, archive=False)),
    "synthetic archives": Write(partial(synthetic, archive=True)),
    "seal": Write(seal),
    "replaced seal": Write(seal, partial(seal, content=Seal({"labels": "0" * 64}))),
    "purge": Write(purge, cached_index),
}

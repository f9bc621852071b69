"""What users get from the package, recorded in a file, so that a change of the code shows what else it has changed.

``python tests/freeze.py record FILE`` writes a line of JSON for each thing that users get: its key, and its value or
the first digits of its SHA-256. ``python tests/freeze.py compare FILE`` records anew and prints the keys that differ
(exit status 1). Everything is read from the built-in sample, from `tests/fixtures/releases`, and from the releases of a
folder that ``--synthetic`` names, which has to be the same each time. ``--contents FOLDER`` keeps what the digests
stand for. The transformers and the calls of commands that are recorded are in `tests/freeze.yaml`.

Not recorded: texts for people (tables, messages, pages), models on GPUs, and times.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # sums have one order

import argparse
import contextlib
import hashlib
import io
import json
import multiprocessing
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt
import yaml

import ir_coliee.cli.command_line
import ir_coliee.transformers
from ir_coliee.baselines import plan_baseline, run_baseline
from ir_coliee.cli import main
from ir_coliee.engine import weightings
from ir_coliee.text import analysers
from ir_coliee.transformers.answers import features as answer_features
from ir_coliee.transformers.answers import votes
from ir_coliee.transformers.candidates import filters
from ir_coliee.transformers.features import evidence, learning
from ir_coliee.transformers.queries import passages, texts
from ir_coliee.transformers.retrieval import dask, paragraphs

Put = Callable[[str, Any], None]  # takes a key and what users get

FIXTURES = Path(__file__).parent / "fixtures" / "releases"
TABLES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
EXPECTED = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))
LEVELS = {"wrong", "changes your score"}
MODULES = (
    ir_coliee.transformers,
    texts,
    passages,
    evidence,
    dask,
    paragraphs,
    answer_features,
    votes,
    learning,
    filters,
)
NAMES = {name: value for module in (*MODULES, analysers) for name, value in vars(module).items()}
NAMES |= {"weightings": weightings}


def command(put: Put | None, key: str, line: str) -> str:
    """Run a command in this process, record its exit status and what it prints as JSON, and return its output."""
    out, status = io.StringIO(), 0
    sys.argv = ["ir_coliee", *line.split()]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            main()
    except SystemExit as exit_:
        status = exit_.code if isinstance(exit_.code, int) else 0 if exit_.code is None else 1
    except Exception as error:
        status = type(error).__name__  # type: ignore[assignment]
    printed = out.getvalue()
    if put:
        put(f"{key}: exit status", status)
        if "json" in line and status in (0, 1):
            with contextlib.suppress(ValueError):
                json_values(put, key, json.loads(printed))
    return printed


def json_values(put: Put, key: str, value: Any, depth: int = 3) -> None:
    """Record the values of an object to a depth, and digests of what is deeper."""
    if isinstance(value, dict) and depth:
        for name, inner in value.items():
            json_values(put, f"{key}: {name}", inner, depth - 1)
    elif isinstance(value, list) and depth and len(value) < 10 and all(isinstance(each, dict) for each in value):
        for number, inner in enumerate(value):
            json_values(put, f"{key}: {number}", inner, depth - 1)
    else:
        put(key, value)


def files(put: Put, key: str, folder: Path) -> None:
    """Record the bytes of all files in a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            put(f"{key}: {path.relative_to(folder).as_posix()}", path.read_bytes())


def contents(put: Put, dataset_id: str) -> None:
    """Record the documents, queries, labels and pools of an id, or the names of the errors."""
    dataset = ir_datasets.load(dataset_id)
    for entity in ("docs", "queries", "qrels", "scoreddocs"):
        if getattr(dataset, f"has_{entity}")():
            key = f"{dataset_id}: {entity}"
            try:
                rows = list(getattr(dataset, f"{entity}_iter")())
            except Exception as error:
                put(key, type(error).__name__)
                continue
            put(key, f"{len(rows)} rows of {', '.join(rows[0]._fields)}" if rows else "empty")
            put(f"{key}, text", "\n".join(repr(tuple(row)) for row in rows))


def sample_ids(put: Put) -> None:
    """Record all ids, and what those of the sample give."""
    listed = [row["id"] for row in json.loads(command(None, "", "list --json"))]
    command(put, "list", "list --json")
    command(put, "list task3", "list task3 2026 ja --json")
    command(put, "leaderboard", "leaderboard --json")
    for edition in range(2018, 2027):
        command(put, f"leaderboard {edition}", f"leaderboard {edition} --json")
    for dataset_id in listed:
        if "/sample/" in dataset_id:
            contents(put, dataset_id)
            if not dataset_id.endswith(("/en", "/ja", "/deleted")):
                contents(put, f"{dataset_id}/full")
            put(f"{dataset_id}: metadata", ir_datasets.load(dataset_id).metadata())
        put(f"{dataset_id}: documentation", ir_datasets.load(dataset_id).documentation())


def release(name: str, put: Put) -> None:
    """Record the contents of a fixture as folders, its state, and what audit says of it."""
    home = Path("home")
    shutil.copytree(FIXTURES / name, home)
    ids = list(EXPECTED[name]["ids"])
    for dataset_id in ids:
        contents(put, dataset_id)
    words = name.split("/")[1:3]
    states = json.loads(command(None, "", f"status {' '.join(words)} --json"))["splits"]
    for state in states:
        put(f"{state['id']}: state", state["state"])
    for dataset_id in (each for each in ids if each.endswith(("/train", "/test"))):
        printed = command(None, "", f"audit {dataset_id} --json --quiet")
        findings = json.loads(printed)["findings"] if printed.startswith("{") else []
        put(
            f"{dataset_id}: audit",
            {
                each["check"]: each["count"]
                for each in findings
                if each["level"] in LEVELS and each["check"] != "warning-of-reader"
            },
        )
        command(put, f"{dataset_id}: audit", f"audit {dataset_id} --quiet")


def transformers(sample: str, put: Put) -> None:
    """Record the results of transformers on a sample id."""
    dataset = pt.get_dataset(f"irds:coliee/{sample}")
    documents = list(ir_datasets.load(f"coliee/{sample}").docs_iter())
    corpus = [{"docno": each.doc_id, "text": each.default_text()} for each in documents]
    names = NAMES | {"dataset": f"coliee/{sample}", "corpus": corpus, "train_id": f"coliee/{sample[:-4]}train"}
    names["code"] = f"coliee/{sample[:-5]}"
    names["index"] = names["LexicalIndex"].from_dataset(dataset, analyser="case" if "task1" in sample else None)
    if "task1" in sample:
        names["paragraphs"] = names["LexicalIndex"].build(names["paragraph_corpus"](corpus), analyser="case")
    texts = pd.DataFrame(corpus)

    def ranking(split: str) -> pd.DataFrame:
        topics = names["QueriesFromDataset"](f"coliee/{split}")(_queries(split))
        has_pool = "task2" in split or "task4" in split
        pool = names["CandidatePool"](f"coliee/{split}")(topics) if has_pool else topics
        found = names["index"].bm25()(pool) if "task4" not in split else pool.assign(score=0.0, rank=0)
        return (found[found["rank"] < 20] if "task4" not in split else found).merge(texts, on="docno", how="left")

    queries, results = _queries(sample), ranking(sample)
    if "task3" in sample or "task4" in sample:
        names |= {
            "train": ranking(f"{sample[:-4]}train"),
            "gold": pt.get_dataset(f"irds:{names['train_id']}").get_qrels(),
        }
    for frame, table in ((queries, TABLES["queries"]), (results, TABLES["results"])):
        for expression in table.get(sample, ()):
            try:
                put(f"{sample}: {expression}", eval(expression, dict(names))(frame.copy()))
            except Exception as error:
                put(f"{sample}: {expression}", f"error: {type(error).__name__}")


def _queries(split: str) -> pd.DataFrame:
    rows = [(each.query_id, each.default_text()) for each in ir_datasets.load(f"coliee/{split}").queries_iter()]
    return pd.DataFrame(rows, columns=["qid", "query"])


def baseline(dataset_id: str, put: Put) -> None:
    """Record the runs of a baseline in Python, with the tables of features that they are learned from."""
    key = f"{dataset_id}: baseline"
    for run in run_baseline(dataset_id):
        for part in ("answers", "ranking", "train_ranking", "labels"):
            put(f"{key}: {run.tag}, {part}", getattr(run, part))
        put(f"{key}: {run.tag}, value on train queries", run.train_value)
        put(f"{key}: {run.tag}, cut-off", re.findall(r"\w*(?:Cutoff|TopK)\([^)]*\)", " ".join(run.notes)))
    plan = plan_baseline(dataset_id)
    if plan.learned:
        for block in plan.learned.train_blocks():
            table = block.table
            ids = pd.DataFrame({"qid": table.qids, "docno": table.docnos})
            for number, name in enumerate(table.names):
                put(f"{key}: features of {block.name}: {name}", table.values[:, number])
            put(f"{key}: features of {block.name}", ids)


def commands(sample: str, put: Put) -> None:
    """Record the files and the figures of the commands on a sample."""
    test, short = f"coliee/{sample}/test", sample.replace("/", "-")
    runs = Path("runs")
    command(put, f"{sample}: baseline", f"baseline {test} --out runs --quiet")
    files(put, f"{sample}: baseline", runs)
    answers = [str(path) for path in sorted(runs.glob(f"*{short}-test.*")) if path.name.count(".") == 1]
    rankings = [str(path) for path in sorted(runs.glob(f"*{short}-test.*.trec"))]
    on_train = [str(path) for path in sorted(runs.glob(f"*{short}-train.*.trec"))]
    Path("written").mkdir()
    names = {"test": test, "train": f"coliee/{sample}/train", "answers": answers[0]}
    if rankings:
        names |= {"first": rankings[0], "last": rankings[-1], "first_train": on_train[0], "last_train": on_train[-1]}
        names |= {"other": _another(rankings), "other_train": _another(on_train)}
        table = TABLES["commands on rankings"]
    else:
        names["voters"] = " ".join(
            shutil.copy(run, f"voter{number}.run") for number, run in enumerate((answers * 3)[:3])
        )
        table = TABLES["commands on answers"]
    for name, line in table.items():
        command(put, f"{sample}: {name}", line.format(**names))
    written = ["written/top.run", "written/fit.run"] if rankings else []
    names["all"], names["two"] = " ".join([*answers, *written]), " ".join([*answers, *written][:2])
    names["query"] = next(iter(ir_datasets.load(test).queries_iter())).query_id
    names["submission"] = f"--long-list {rankings[0]}" if "task3" in sample else ""
    names["submission"] += " --team TEAM --affiliation PLACE" if "pilot" in sample else ""
    for run in [*(["written/rrf.trec"] if rankings else []), *answers, *written]:
        line = f"score {test} {run} --per-query --json --quiet"
        command(put, f"{sample}: score {Path(run).name}", line)
    for name, line in TABLES["commands"].items():
        if len(answers) + len(written) > 1 or name not in ("compare", "diff"):
            command(put, f"{sample}: {name}", line.format(**names))
    for folder in ("written", "submitted", "submitted-top"):
        files(put, f"{sample}: {folder}", Path(folder))


def _another(rankings: list[str]) -> str:
    """Return the last of some rankings; if there is one only, write its items in an order without sense."""
    if len(rankings) > 1:
        return rankings[-1]
    path = Path(f"{rankings[0]}.other")
    rows = [line.split() for line in Path(rankings[0]).read_text(encoding="utf-8").splitlines()]
    rows.sort(key=lambda row: (row[0], hashlib.sha256("".join(row[:3]).encode()).hexdigest()))
    lines = (" ".join([*row[:3], str(rank), str(-rank), "other"]) for rank, row in enumerate(rows))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def bad_calls(put: Put) -> None:
    """Record the exit statuses of calls, most of them wrong."""
    command(None, "", "baseline coliee/task1/sample/test --fast --out runs --quiet")
    Path("broken.run").write_text("900656 Q0 900557\nnonsense\n", encoding="utf-8")
    Path("empty.run").write_text("", encoding="utf-8")
    paths = {"run": "runs/coliee-task1-sample-test.bm25", "ranking": "runs/coliee-task1-sample-test.bm25.trec"}
    for line in TABLES["calls"]:
        command(put, f"call {line}", line.format(**paths))


def sections(synthetic: Path | None) -> Iterator[tuple[str, Path | None, Callable[[Put], None]]]:
    """Yield the name of each section, the data folder that it reads and what records it."""
    yield "ids", None, sample_ids
    for name in EXPECTED:
        yield name, Path("home"), partial(release, name)
    for sample in TABLES["queries"]:
        yield f"transformers {sample}", None, partial(transformers, sample)
    for sample in TABLES["samples"]:
        yield f"commands {sample}", None, partial(commands, sample)
        if sample.startswith("task"):
            yield f"baseline {sample}", None, partial(baseline, f"coliee/{sample}/test")
    yield "bad calls", None, bad_calls
    if synthetic:
        for path in ("task1/2025", "task3/2025/en", "task3/2026/ja"):
            yield f"baseline {path}", synthetic.resolve(), partial(baseline, f"coliee/{path}/test")


def _section(name: str, home: Path | None, record: Callable[[Put], None], kept: Path | None) -> dict[str, Any]:
    """Record one section in a process and a folder of its own."""
    found: dict[str, Any] = {}

    def put(key: str, content: Any) -> None:
        text = _text(content).replace(folder, "FOLDER")
        is_short = len(text) < 80 and not isinstance(content, bytes | np.ndarray | pd.DataFrame)
        found[f"{name}: {key}"] = text if is_short else hashlib.sha256(text.encode()).hexdigest()[:16]
        if kept and not is_short:
            path = kept / re.sub(r"[^\w.,=-]+", "_", f"{name}: {key}")[:200]
            path.write_text(text, encoding="utf-8")

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["IR_DATASETS_HOME"] = str(Path(folder) / "ir_datasets")
        os.environ["COLIEE_HOME"] = str((Path(folder) / (home or "none")).resolve())
        try:
            record(put)
        except Exception as error:
            put("stopped", f"{type(error).__name__}: {error}"[:59])
        os.chdir("/")
    return found


def _text(content: Any) -> str:
    """Return all digits of what users get as a text."""
    if isinstance(content, bytes):
        return content.decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode()
    if isinstance(content, pd.DataFrame):
        columns = [[_text(value) for value in content[name].tolist()] for name in content.columns]
        return "\n".join(["\t".join(map(str, content.columns)), *("\t".join(row) for row in zip(*columns))])
    if isinstance(content, np.ndarray):
        return repr(content.tolist())
    return content if isinstance(content, str) else repr(content)


def recorded(synthetic: Path | None, kept: Path | None, only: str) -> dict[str, Any]:
    """Return what all sections record, each in a process of its own: so none finds the caches of another one."""
    found: dict[str, Any] = {}
    for name, home, record in sections(synthetic):
        if only in name:
            with multiprocessing.get_context("fork").Pool(1) as pool:
                found |= pool.apply(_section, (name, home, record, kept))
    return found


def run() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--synthetic", type=Path, help="a data folder with synthetic releases")
    parser.add_argument("--contents", type=Path, help="a folder to keep what the digests stand for")
    parser.add_argument("--only", default="", help="only sections with this in their name")
    options = parser.parse_args()
    if options.contents:
        options.contents = options.contents.resolve()
        options.contents.mkdir(parents=True, exist_ok=True)
    found = recorded(options.synthetic, options.contents, options.only)
    if options.action == "record":
        options.file.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    before = json.loads(options.file.read_text(encoding="utf-8"))
    before = {key: value for key, value in before.items() if options.only in key}
    differing = [key for key in {**before, **found} if before.get(key) != found.get(key)]
    for key in differing:
        print(f"{key}\n    {before.get(key, 'not there')} -> {found.get(key, 'not there')}")
    print(f"{len(differing)} of {len({**before, **found})} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(run())

"""The examples of the catalogue: the same steps in Python, on the command line and in PyTerrier, for any split.

They read the first query and its relevant items, run the simplest baseline, and print the official measure.
"""

import contextlib
import io
import shlex
from typing import NamedTuple

from typer.testing import CliRunner

from ir_coliee.cli.command_line import app
from ir_coliee.editions import Split
from ir_coliee.progress import quiet

_PYTHON = """\
import ir_datasets
from ir_coliee import score
from ir_coliee.baselines import run_baseline

dataset = ir_datasets.load("{id}")
query = next(dataset.queries_iter())
qrels = [qrel for qrel in dataset.qrels_iter() if qrel.query_id == query.query_id]
print(query.query_id, [qrel.doc_id for qrel in qrels if qrel.relevance])

run = run_baseline(dataset{quick})[0]
print(score(dataset, run.answers))
"""
_COMMAND_LINE = """\
ir_coliee status {id}
ir_coliee irds export {id} qrels
ir_coliee baseline {id}{quick}
ir_coliee score {id} {run}
"""
#: The first query with its relevant items, in each example of PyTerrier.
_FIRST_QUERY = """\
topics, qrels = dataset.get_topics(), dataset.get_qrels()
qid = topics["qid"][0]
print(qid, qrels[(qrels["qid"] == qid) & (qrels["label"] > 0)]["docno"].tolist())"""
_COLLECTION = """\
import pyterrier as pt
from ir_coliee import {measure}
from ir_coliee.transformers import {drop_self}LexicalIndex, TopK

dataset = pt.get_dataset("irds:{id}")
{first_query}

bm25 = LexicalIndex.from_dataset(dataset, analyser="{analyser}").bm25() >> {drop_step}TopK({k})
print(pt.Experiment([bm25], topics, qrels, [{measure}], names=["BM25"]))
"""
_POOLS = """\
import pyterrier as pt
from ir_coliee import {measure}
from ir_coliee.transformers import CandidatePool, LexicalIndex, TopK

dataset = pt.get_dataset("irds:{id}")
{first_query}

bm25 = LexicalIndex.from_dataset(dataset, analyser="{analyser}").bm25(statistics="pool")
pipeline = CandidatePool("{id}") >> bm25 >> TopK({k})
print(pt.Experiment([pipeline], topics, qrels, [{measure}], names=["BM25"]))
"""
_LABELS = """\
import pyterrier as pt
from ir_coliee import {measure}
from ir_coliee.transformers import CandidatePool, MajorityAnswer, TopK

train, dataset = pt.get_dataset("irds:{train}"), pt.get_dataset("irds:{id}")
{first_query}

majority = MajorityAnswer().fit(CandidatePool("{train}")(train.get_topics()), train.get_qrels())
pipeline = CandidatePool("{id}") >> majority >> TopK(1)
print(pt.Experiment([pipeline], topics, qrels, [{measure}], names=["majority"]))
"""
_CLAIMS = """\
import pyterrier as pt
from ir_coliee import {measure}
from ir_coliee.transformers import CandidatePool, TfidfClassifier, ThresholdCutoff

train, dataset = pt.get_dataset("irds:{train}"), pt.get_dataset("irds:{id}")
{first_query}

learned_from = CandidatePool("{train}") >> train.text_loader()
tfidf = TfidfClassifier("text", language="ja").fit(learned_from(train.get_topics()), train.get_qrels())
pipeline = CandidatePool("{id}") >> dataset.text_loader() >> tfidf >> ThresholdCutoff(0.5, min_items=1)
print(pt.Experiment([pipeline], topics, qrels, [{measure}], names=["TF-IDF"]))
"""


class Example(NamedTuple):
    """The code of one tab.

    Attributes
    ----------
    tab : str
        Title of the tab.
    language : str
        Language of the code: ``python`` or ``sh``.
    code : str
        The code.
    """

    tab: str
    language: str
    code: str


def examples(split: Split) -> list[Example]:
    """Return the example of each tab for a split that has labels.

    Parameters
    ----------
    split : Split
        A train or test split.

    Returns
    -------
    list of Example
        The tabs, in the order of the page.
    """
    ranks = split.task in ("task1", "task2", "task3")
    baseline = "bm25" if ranks else "tfidf" if split.task == "rationale" else "majority"
    run = f"coliee-runs/{split.id.replace('/', '-')}.{baseline}"
    quick, quick_option = "", ""  # what leaves out the runs that take longer
    if ranks or split.task == "task4":
        quick, quick_option = ", fast=True", " --fast"
    python = _PYTHON.format(id=split.id, quick=quick)
    command_line = _COMMAND_LINE.format(id=split.id, quick=quick_option, run=run)
    return [
        Example("Python", "python", python),
        Example("Command line", "sh", command_line),
        Example("PyTerrier", "python", _pyterrier(split)),
    ]


def _pyterrier(split: Split) -> str:
    drops_self = split.task == "task1"
    return _template(split).format(
        first_query=_FIRST_QUERY,
        id=split.id,
        train=split.train_of_edition.id if split.train_of_edition else "",
        measure=split.measure,
        analyser="case" if split.task in ("task1", "task2") else {"en": "words", "ja": "bigrams"}[split.language],
        k=5 if split.task == "task1" else 1,
        drop_self="DropSelf, " if drops_self else "",
        drop_step="DropSelf() >> " if drops_self else "",
    )


def _template(split: Split) -> str:
    if split.task == "rationale":
        return _CLAIMS
    if split.task not in ("task1", "task2", "task3"):
        return _LABELS
    return _POOLS if split.has_pools else _COLLECTION


def run(example: Example) -> str:
    """Return what an example prints. It reads the data folder and writes into the working directory.

    Parameters
    ----------
    example : Example
        The code of a tab.

    Returns
    -------
    str
        The output, without progress.

    Raises
    ------
    RuntimeError
        If a command ends with an error.
    """
    if example.language == "python":
        with quiet(), contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(example.code, example.tab, "exec"), {"__name__": "__main__"})
        return output.getvalue()
    outputs = []
    for line in example.code.splitlines():
        with quiet():
            result = CliRunner().invoke(app, shlex.split(line)[1:])
        if result.exit_code:
            raise RuntimeError(f"{line}\n{result.output}")
        outputs.append(result.stdout)
    return "".join(outputs)

"""The page docs/measures.md, made of what the measures declare and of the table of releases."""

from __future__ import annotations

from ir_coliee.editions import SPLITS, TASK_NAMES
from ir_coliee.measures import MEASURES
from ir_coliee.measures.base import DeclaredMeasure

_PAGE = """\
# The measures

*Written by `python -m ir_coliee.measures > docs/measures.md` from what the measures declare; change it there.*

`from ir_coliee import MicroF1` gives an object of ir_measures. `MicroF1@5` counts the first five items of each query,
`MacroF(beta=2, rel=2)` sets parameters, and both can be written as strings for `ir_measures.parse_measure` and
`ir_coliee measures QRELS RUN MEASURE`. After `import ir_coliee`, ir_measures knows the names.

## Which is official

{official}

All score sets of answers: cut a ranking first. The organisers' texts at hand name them for 2019 and 2023 to 2026; the
other editions are taken to be scored in the same way. For the pilot's instances without an accepted claim there is no
rule: give `MacroF` with `empty=0` and with `empty=1`, and call neither value official.

## The measures one by one

Of each query, *tp* is the number of returned items that are relevant, *returned* and *relevant* are the numbers of
returned and of relevant items. Σ is the sum over Q, the queries of the qrels, answered or not. An item that is
returned twice counts once; queries of the run that the qrels do not have are passed over. All values but the totals
are in [0, 1]. The parameter `cutoff`, also written `@k`, takes the first k items in trec_eval's order: score as a
32-bit number, falling, then document id, falling.

{measures}

## On the ranking: AP, Rprec and R@k

Some figures of task 3 are of the long list. `MicroR@5`, `@10` and `@30` are the pooled R5, R10 and R30 of the tables.
Mean average precision and R-precision are ir_measures' own; the organisers name them without a formula, and want
TREC's format of runs:

| figure | object | value of a query |
|---|---|---|
| MAP | `ir_measures.AP` | 1/relevant Σ P@k, over the ranks k that have a relevant item |
| R-precision | `ir_measures.Rprec` | P@k at k = relevant |

Both are means over the queries of the qrels; a query that is unanswered or has no relevant item has 0. They divide by
the number of relevant items where fewer are returned, too. They go together with ours, as in
`pt.Experiment(…, [MacroF2, AP, Rprec, MicroR @ 5])`. `ir_measures.R@5` is not R5: it is a mean over queries.

## Answers in columns

`QAnswerAccuracy` and `GatedAccuracy` read the run's column `qanswer` and the qrels' column `gold_answer`, as
PyTerrier-RAG has them; a row for each article, with the answer of its question.

```python
import pyterrier as pt
from ir_coliee import GatedAccuracy, QAnswerAccuracy, Returned
from ir_coliee.transformers import LexicalIndex, TopK

articles = pt.get_dataset("irds:coliee/task3/sample/en/test")
labels = pt.get_dataset("irds:coliee/task4/sample/en/test").get_qrels()
qrels = articles.get_qrels().merge(labels.rename(columns={{"docno": "gold_answer"}})[["qid", "gold_answer"]])
bm25 = LexicalIndex.from_dataset("coliee/task3/sample/en/test", analyser="words").bm25()
always_yes = bm25 >> TopK(3) >> pt.apply.qanswer(lambda row: "Y")
measures = [GatedAccuracy, QAnswerAccuracy, Returned]
print(pt.Experiment([always_yes], articles.get_topics(), qrels, measures, names=["always Y"]))
```

A frame is needed: qrels and runs as dicts or in TREC's format have no room for the columns, so that `save_dir=` of
`pt.Experiment` wants `save_format=pickle`. Superfluous articles cost nothing in `GatedAccuracy`: give the number
returned beside it. `ir_coliee.measures.gated_accuracy.gate_results(counts, right)` is the same on plain counts.

## What to know before averaging

* **Objects, not strings, in `pt.Experiment`.** It reads trec_eval's names alone; `"MicroF1"` and even `"nDCG@10"` fail.
* **The mean of a micro measure is not a mean.** `pt.Experiment` adds the values of the queries up and divides by their
  number. Those of the micro measures are floats that carry their counts, so that this gives the ratio of the pooled
  counts. In the same way `GatedAccuracy` and `MacroF(empty='skip')` carry how many queries are in the mean, so that
  those left out do not count, and the totals add up and are not divided, as it is with ir_measures' NumRet.
* **The frame of queries has plain numbers.** All of that is lost where numpy or pandas take the mean: of
  `perquery=True`, `frame.groupby("measure")["value"].mean()` is the mean of the queries' own values, in which one that
  was left out has 0. Take averages from `pt.Experiment` itself, or from `ir_measures.calc_aggregate`.
* **The p-values of `baseline=` are about the queries' own values.** For a micro measure they compare the mean of the
  queries' F1, not the pooled F1; for a total the mean number; a query that was left out is a difference of 0.
  `ir_coliee.evaluation.comparison.compare` tests the pooled difference.
* **`ir_measures.SetF(beta=2.0)` is not F2.** trec_eval's parameter is beta squared: F2 is `SetF(beta=4.0)`, here
  `MacroF2` or `MacroF(beta=2)`.
* **`ir_measures.NumRel` and `NumQ` leave out unanswered queries**; `Relevant` counts their items.
* **A topic without qrels makes means NaN** with `perquery="both"`, those of ir_measures' own measures too; values that
  carry more than a number pass it over. `filter_by_qrels=True` drops such topics.
* **The columns of `pt.Experiment` come in any order** where several of these measures are asked for: ir_measures keeps
  them in a set. Name the columns of the frame that you want.
* **A batch without a single result is an error** in `pt.Experiment`, whatever the measure: mind cut-offs that may
  return nothing.
"""


def page() -> str:
    """The page, in Markdown."""
    return _PAGE.format(official=_official(), measures="\n\n".join(map(_section, MEASURES)))


def _official() -> str:
    editions: dict[tuple[str, str], list[str]] = {}
    for split in SPLITS.values():
        known = editions.setdefault((split.task, split.measure), [])
        if not split.is_built_in and split.edition not in known:
            known.append(split.edition)
    rows = [
        f"| {TASK_NAMES[task]} (`{task}`) | {_years(known)} | `{measure}` |"
        for (task, measure), known in sorted(
            editions.items(), key=lambda row: (list(TASK_NAMES).index(row[0][0]), row[1])
        )
    ]
    return "\n".join(["| task | editions | measure |", "|---|---|---|", *rows])


def _years(editions: list[str]) -> str:
    first, last = min(editions), max(editions)
    return first if first == last else f"{first} to {last}"


def _section(measure: DeclaredMeasure) -> str:
    parameters = [
        f"`{name}`: {about.desc}; by default {about.default!r}" for name, about in measure.SUPPORTED_PARAMS.items()
    ]
    lines = [
        f"### {measure.NAME}",
        "",
        measure.SHORT_DESC,
        "",
        f"* value: {measure.FORMULA}",
        f"* undefined case: {measure.UNDEFINED}",
        *([f"* parameters: {'. '.join(parameters)}"] if parameters else []),
        f"* reads: {', '.join(measure.RUN_INPUTS)} of the run; {', '.join(measure.QREL_INPUTS)} of the qrels",
        f"* source: {measure.SOURCE}",
    ]
    return "\n".join(lines)

"""Task 3 learned: gradient boosting over lexical scores, past questions and references between articles.

The recipe is the package's own, measured on English editions: candidates are the 60 best articles by the sum of all
scores; each score counts as value, ratio to the best, rank and gap to the second. In Japanese pairs of characters stand
for words. Whether references help, and where to cut, is decided on train questions that were not learned.
"""

from __future__ import annotations

import warnings
from collections import defaultdict

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.baselines.learned import HeldOut, held_out, labelled_train, learner
from ir_coliee.baselines.lexical import DEPTH, ranker
from ir_coliee.baselines.runs import BaselineRun, NotLearned, same_labels, topics
from ir_coliee.datasets.folds import Folds, by_group
from ir_coliee.editions import Split
from ir_coliee.engine.group_statistics import Floats
from ir_coliee.errors import ColieeWarning
from ir_coliee.frames import sort_results
from ir_coliee.measures import MacroF2
from ir_coliee.releases.article_references import ReferenceGraph, article_references
from ir_coliee.releases.civil_code import Article
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import ExpectedFCutoff, LexicalIndex, PastQuestions, RatioCutoff, ScoreFeatures, Scores
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features.features import with_features

_CANDIDATES = 60
_FOLDS = 4  # of whole exam years

#: The recipe's comes first, and wins where others are as good.
CUTOFFS: list[Cutoff] = [
    RatioCutoff(0.3, max_items=5),
    *(
        RatioCutoff(percent / 100, max_items=max_items)
        for max_items in (1, 2, 3, 4, 5, 8)
        for percent in range(10, 100, 5)
    ),
    *(ExpectedFCutoff(2.0, average="macro", min_items=1, max_items=max_items) for max_items in (3, 5, 8)),
]


def articles(split: Split) -> list[BaselineRun]:
    """The 60 best articles by what was learned from the train split, cut; the long list goes on with BM25's.

    Of the train split itself each exam year is answered by a model that has not seen it. Raises `NotLearned` where there
    are no labels, or of too few questions, and `MissingExtraError` without LightGBM.
    """
    train, gold = labelled_train(split)
    seen = candidates(train, train)
    folds = _folds(seen)
    chosen = held_out(seen, gold, folds, CUTOFFS, MacroF2)
    graph = article_references(train.id)
    referring = with_references(seen, graph)
    better = held_out(referring, gold, folds, CUTOFFS, MacroF2)
    if refers := better.value > chosen.value:
        seen, chosen = referring, better
    if same_labels(train, split):
        run = chosen.run
    else:
        asked = candidates(split, train)
        run = learner(seen).fit(seen, gold)(with_references(asked, graph) if refers else asked)
    return [BaselineRun("learned", chosen.cutoff(run), _long_list(split, run), [_note(split, train, chosen, refers)])]


def candidates(split: Split, train: Split) -> pd.DataFrame:
    """The candidates of a split's questions with features, which know the train split's other exam years."""
    pipelines = _pipelines(split, train)
    with warnings.catch_warnings():
        # a question need not share a word with any caption, nor three words with any article
        warnings.filterwarnings("ignore", r"\d+ of \d+ queries have no term", ColieeWarning)
        found = Scores(pipelines, _CANDIDATES)(topics(split))
    found["frequency"] = PastQuestions(train.id, take="count").scores(found)
    return with_features(ScoreFeatures([*pipelines, "frequency"], gap=2)(found), _lengths(split, found))


def _pipelines(split: Split, train: Split) -> dict[str, pt.Transformer]:
    """What scores articles for a question, by name."""
    content: Analysis = "bigrams" if split.language == "ja" else English(stemmed=False)
    running = "bigrams" if split.language == "ja" else "words"
    pairs, triples = (Shingles(number, running, fewest=1, share=1.0) for number in (2, 3))
    analysers = {"words": content, "pairs": pairs, "triples": triples, "characters": "characters"}
    indexes = dict(zip(analysers, LexicalIndex.each_from_dataset(split.id, [*analysers.values()])))
    captions = LexicalIndex.build(
        ({"docno": article.doc_id, "text": article.effective_caption} for article in _articles(split)), analyser=content
    )
    past = {
        f"past_{name}_{take}": PastQuestions(train.id, analyser=analysers[name], take=take)
        for name in ("words", "characters")
        for take in PastQuestions.SIMILARITIES
    }
    cosines = {name: index.tfidf() for name, index in indexes.items()}
    return {**cosines, "caption": captions.tfidf(), "bm25": indexes["words"].bm25(), **past}


def _articles(split: Split) -> list[Article]:
    return list(ir_datasets.load(split.id).docs_iter())


def _lengths(split: Split, results: pd.DataFrame) -> Floats:
    """The logarithm of the characters of question, article and caption."""
    texts = {article.doc_id: (len(article.text), len(article.effective_caption)) for article in _articles(split)}
    sizes = [(len(query), *texts[docno]) for query, docno in zip(results["query"], results["docno"])]
    return np.log1p(np.array(sizes, dtype=np.float64).reshape(-1, 3))


def with_references(results: pd.DataFrame, graph: ReferenceGraph) -> pd.DataFrame:
    """Candidates, in their order, with features of the references between them and those ranked better.

    They are the best score, as a share of the query's best, among better ones that the article refers to, that refer to
    it, that it applies mutatis mutandis, and that so apply it; 0 where there is none.
    """
    targets: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for edge in graph.references:
        targets[edge.source][edge.target] = edge.mutatis_mutandis or targets[edge.source].get(edge.target, False)
    docnos, scores = results["docno"].to_numpy(object), results["score"].to_numpy(np.float64)
    values = np.zeros((len(results), 4))
    for rows in results.groupby("qid", sort=False).indices.values():
        place = {docnos[row]: row for row in rows}
        best = scores[rows].max()
        for row in rows:
            for target, applies in targets[docnos[row]].items():
                other = place.get(target)
                if other is None:
                    continue
                below, above, way = (row, other, 0) if other < row else (other, row, 1)
                share = scores[above] / best if best > 0 else 0.0
                for column in (way, way + 2) if applies else (way,):
                    values[below, column] = max(values[below, column], share)
    return with_features(results, values)


def _folds(seen: pd.DataFrame) -> Folds:
    """Folds of whole exam years. Raises `NotLearned` where there is one year only."""
    years = {qid: exam_id(qid).year for qid in seen["qid"].unique()}
    number = min(_FOLDS, len(set(years.values())))
    if number < 2:
        raise NotLearned("the train split has one exam year only")
    return by_group(years, number)


def _long_list(split: Split, run: pd.DataFrame) -> pd.DataFrame:
    """The candidates, then what else BM25 ranks, as many articles as it has ranked in all."""
    ranked = ranker(split)(topics(split))
    known = pd.MultiIndex.from_frame(run[["qid", "docno"]])
    others = ranked[~pd.MultiIndex.from_frame(ranked[["qid", "docno"]]).isin(known)]
    columns = ["qid", "query", "docno", "score"]
    behind = others[columns].assign(score=-1.0 - others["rank"])  # probabilities are not below 0
    whole = sort_results(pd.concat([run[columns], behind], ignore_index=True))
    return whole[whole["rank"] < DEPTH].reset_index(drop=True)


def _note(split: Split, train: Split, chosen: HeldOut, refers: bool) -> str:
    """What was decided, and on what."""
    references = "with" if refers else "without"
    own = "; each exam year by a model of the others, but the cut-off on all: optimistic"
    own = own if same_labels(train, split) else ""
    return (
        f"learned from {train.id}{own}; {references} references between articles, cut-off {chosen.cutoff!r}: "
        f"the best on exam years that were not learned (MacroF2 {chosen.value:.4f} there)"
    )

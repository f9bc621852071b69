"""THUIR at COLIEE 2023, task 1: lexical and dense scores and features of the cases, learned; years; a dynamic cut-off.

Published: F1 .3001, 349 of 1467 returned, the first place (Li et al. 2023; the overview of 2023, section 2.3).
Same: cases cleaned, without their French, the summary first; BM25 (k1 3, b 1), query likelihood and the SAILER encoder;
LambdaRank (ndcg@5, at most 1000 rounds of .01, 30 leaves, 30 candidates in a leaf, stopped after 100 without progress)
on scores, ranks, lengths, markers and years; query cases and later cases dropped; cut-off p .34, l 3, h 7.
Differs: SAILER is the published checkpoint and is not trained further; features that their code has beyond this list
are left out.
Ours: mu 1000; SAILER reads of a query its citing context, of a candidate its beginning; the 100 best candidates by the
sum of scores are learned from; the last fifth of the train queries stops the learning. Query cases are dropped in
every edition, which is only right where they are never noticed.
Run: python examples/systems/task1_thuir.py [--dataset ID] [--model tiny]
"""

import pyterrier as pt
from dense import dense_retrieval, first_token_encoder
from steps import learn_and_choose
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee
from ir_coliee.text.case_sections import summary


class SummaryFirst(coliee.CleanCase):
    """A cleaned decision, with its summary before it."""

    def changed(self, text: str) -> str:
        return f"{summary(text)}\n{super().changed(text)}".strip()


def candidates(split: Split, models: Models) -> pt.Transformer:
    clean = SummaryFirst(drop_header=True, drop_french=True, join_lines=True)
    corpus = list(clean.transform_iter(pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False)))
    index = coliee.LexicalIndex.build(corpus, analyser="case")
    sailer = first_token_encoder(models.encoder("CSHaitao/SAILER_en_finetune"))
    rankings = {
        "bm25": clean >> index.bm25(k1=3.0, b=1.0),
        "qld": clean >> index.dirichlet(mu=1000),
        "dense": coliee.CitingContext(words=512, on="query") >> dense_retrieval(sailer, corpus, "dot"),
    }
    found = coliee.ScoreColumns({name: ranking >> coliee.DropSelf() for name, ranking in rankings.items()}, 100)
    start = coliee.CandidatePool(split.id) >> found if split.has_pools else found
    return start >> coliee.ScoreFeatures([*rankings]) >> coliee.CaseFeatures(split.id)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    learn, choose = learn_and_choose(train, candidates(train, models))
    ltr = coliee.LearnedRanker(coliee.lambdarank(early_stopping_round=100), {"eval_at": [5]}).fit(*learn, *choose)
    filters = coliee.DropQueries(split.id) >> coliee.YearFilter(split.id)
    return candidates(split, models) >> ltr >> filters >> coliee.DynamicCutoff(ratio=0.34, min_items=3, max_items=7)


if __name__ == "__main__":
    main("task1", "THUIR", pipeline, __doc__)

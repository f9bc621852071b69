"""UFAM at COLIEE 2023, task 1: cosine ranking of the cases that share the query's dominant topic.

Published: F1 .2545, 191 of 642 returned, twelfth place (overview of 2023, section 2.3).
Same: topics by BERTopic; candidates are kept if the query's dominant topic is among their k most relevant topics, for
several values of k; candidates are ranked by the cosine with the query, the best of their three methods.
Differs: the other two methods of ranking are omitted, because the overview does not name them. The filter follows the
ranking, which gives the same results in less time. Their three runs are not told apart.
Ours: k and the cut-off are chosen on the train split; the encoder for topics and cosine, which reads a decision in
windows and averages them; k from 1 to 5; the cut-off, a share of the best score; the query case is removed; queries and
candidates without a topic are not filtered. UMAP and BERTopic fail with their default settings on a collection as small
as the sample: there they use fewer neighbours and dimensions, smaller topics, and a random initial layout.
Run: python examples/systems/task1_ufam.py [--dataset ID] [--model tiny]
"""

import numpy as np
import pyterrier as pt
from neural import embedder
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import MicroF1, fit_cutoff
from ir_coliee import transformers as coliee
from ir_coliee.transformers.candidates.filters import TopicFilter

CUTOFFS = [coliee.RatioCutoff(share / 100, max_items=n) for share in range(50, 100, 2) for n in range(1, 11)]


def topics_and_cosine(split: Split, models: Models) -> tuple[dict[str, object], pt.Transformer]:
    """The topics of each case, the dominant first, and the ranking by cosine."""
    from bertopic import BERTopic
    from umap import UMAP

    corpus = list(pt.get_dataset(f"irds:{split.id}").get_corpus_iter(verbose=False))
    index = coliee.DenseIndex.build(corpus, embedder(models, "sentence-transformers/all-mpnet-base-v2"))
    corpus.sort(key=lambda case: case["docno"])  # as in the index
    texts, number = [case["text"] for case in corpus], len(corpus)
    start = {} if number > 100 else {"init": "random"}
    layout = UMAP(min(15, number - 1), min(5, number - 2), min_dist=0.0, metric="cosine", random_state=0, **start)
    model = BERTopic(umap_model=layout, min_topic_size=max(2, min(10, number // 10)))
    if set(model.fit_transform(texts, index.embeddings.vectors)[0]) == {-1}:
        topics = {}  # none was found: nothing is filtered
    else:
        shares = model.approximate_distribution(texts, batch_size=50)[0]  # memory grows with the batch
        topics = {case["docno"]: by_share(of_case) for case, of_case in zip(corpus, shares)}
    pool = coliee.CandidatePool(split.id) if split.has_pools else pt.Transformer.identity()
    return topics, pool >> coliee.DenseRetriever(index) >> coliee.DropSelf()


def by_share(shares: np.ndarray) -> np.ndarray:
    """The topics that a case has at all, the dominant first."""
    order = (-shares).argsort(kind="stable")
    return order[shares[order] > 0]


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    topics, cosine = topics_and_cosine(train, models)
    ranked, gold = labelled(train, cosine)
    fits = {k: fit_cutoff(gold, TopicFilter(topics, k)(ranked), MicroF1, CUTOFFS) for k in range(1, 6)}
    k = max(fits, key=lambda k: fits[k].value)
    topics, cosine = topics_and_cosine(split, models)
    return cosine >> TopicFilter(topics, k) >> fits[k].cutoff


if __name__ == "__main__":
    main("task1", "UFAM", pipeline, __doc__)

"""The losses of cross-encoders: each is what its publication says, and falls when a model is trained with it."""

from math import exp, log, log2

import numpy as np
import pytest
from toy_candidates import toy_candidates

from ir_coliee.errors import ColieeError
from ir_coliee.models import TrainingOptions
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers import PairScorer
from ir_coliee.transformers.answers.prompting import QuestionText
from ir_coliee.transformers.rerankers.training import LOSSES, training_columns

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

torch = pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")
pytest.importorskip("datasets")

TEXTS = ["A lamp.", "A gate of iron.", "An oak beside the well."]


def value(encoder, name, columns):
    """The loss of a batch, by the class that the table names."""
    from sentence_transformers.cross_encoder import losses

    columns = dict(columns)
    kind = torch.long if name == "cross-entropy" else torch.float32
    labels = columns.pop("labels", None)
    labels = torch.tensor(columns.pop("label", []), dtype=kind) if labels is None else [torch.tensor(x) for x in labels]
    encoder.eval()
    with torch.no_grad():
        return getattr(losses, LOSSES[name].class_name)(encoder)(list(columns.values()), labels).item()


def sigmoid(score):
    return 1 / (1 + exp(-score))


def pairs_of(labels):
    return [(i, j) for i, high in enumerate(labels) for j, low in enumerate(labels) if high > low]


def binary_cross_entropy(scores, labels):
    return -np.mean([log(sigmoid(s)) if y else log(1 - sigmoid(s)) for s, y in zip(scores, labels)])


def rank_net(scores, labels):
    return np.mean([log2(1 + exp(scores[j] - scores[i])) for i, j in pairs_of(labels)])


def margin(scores, labels):
    return np.mean([(scores[i] - scores[j] - (labels[i] - labels[j])) ** 2 for i, j in pairs_of(labels)])


def list_net(scores, labels):
    expected, given = (np.exp(each) / np.exp(each).sum() for each in (np.array(labels), np.array(scores)))
    return -(expected * np.log(given)).sum()


def list_mle(scores, labels):
    best_first = [score for _, score in sorted(zip(labels, scores), key=lambda item: -item[0])]
    return -sum(log(exp(score) / sum(map(exp, best_first[i:]))) for i, score in enumerate(best_first))


def lambda_loss(scores, labels):
    """NDCG-Loss2++: the weights of NDCG-Loss2, ten times, and those of LambdaRank."""
    ideal = sum((2**y - 1) / log2(rank + 1) for rank, y in enumerate(sorted(labels, reverse=True), 1))
    gain = [(2**y - 1) / ideal for y in labels]
    rank = {i: place for place, i in enumerate(np.argsort(-np.array(scores)), 1)}

    def weight(i, j):
        between = abs(rank[i] - rank[j])
        ndcg_loss2 = abs(1 / log2(between + 1) - 1 / log2(between + 2))
        lambda_rank = abs(1 / log2(rank[i] + 1) - 1 / log2(rank[j] + 1))
        return (10 * ndcg_loss2 + lambda_rank) * abs(gain[i] - gain[j])

    return np.mean([weight(i, j) * log2(1 + exp(scores[j] - scores[i])) for i, j in pairs_of(labels)])


BY_HAND = {
    "binary cross-entropy": (binary_cross_entropy, [0.0, 1.0, 0.0]),
    "RankNet": (rank_net, [0.0, 2.0, 1.0]),
    "margin": (margin, [0.0, 2.0, 1.0]),
    "ListNet": (list_net, [0.0, 2.0, 1.0]),
    "ListMLE": (list_mle, [0.0, 2.0, 1.0]),
    "Lambda": (lambda_loss, [0.0, 2.0, 1.0]),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_loss_of_one_query_is_what_is_computed_by_hand(name):
    encoder = PairScorer(tiny_checkpoint("classifier"))._checkpoint().network
    encoder.model.classifier.weight.data *= 20  # scores that differ
    by_hand, labels = BY_HAND[name]
    scores = encoder.predict([("a light", text) for text in TEXTS], activation_fn=torch.nn.Identity()).tolist()
    columns = training_columns(name, [QuestionText("1", "a light", text) for text in TEXTS], np.array(labels))
    assert value(encoder, name, columns) == pytest.approx(by_hand(scores, labels), rel=1e-4)


def test_cross_entropy_and_the_contrastive_loss_by_hand():
    import sentence_transformers

    candidates = [QuestionText("1", "a light", text) for text in TEXTS[:2]]
    two = sentence_transformers.CrossEncoder(
        tiny_checkpoint("classifier"), num_labels=2, device="cpu", model_kwargs={"ignore_mismatched_sizes": True}
    )
    pairs = [("a light", text) for text in TEXTS[:2]]
    logits = two.predict(pairs, activation_fn=torch.nn.Identity())
    expected = -np.mean([np.log(np.exp(row[y]) / np.exp(row).sum()) for row, y in zip(logits, (1, 0))])
    columns = training_columns("cross-entropy", candidates, np.array([1.0, 0.0]))
    assert value(two, "cross-entropy", columns) == pytest.approx(expected, rel=1e-4)

    one = PairScorer(tiny_checkpoint("classifier"))._checkpoint().network
    high, low = (exp(10 * sigmoid(s)) for s in one.predict(pairs, activation_fn=torch.nn.Identity()).tolist())
    columns = training_columns("contrastive", candidates, np.array([1.0, 0.0]))
    assert value(one, "contrastive", columns) == pytest.approx(-log(high / (high + low)), rel=1e-4)


# other texts for each query, because the contrastive loss has no text twice in a batch
TOY, GOLD = toy_candidates(8, "{q}", "{word} {q}")


def candidates_of(*sizes):
    return [QuestionText(str(q), f"query {q}", f"text {n}") for q, size in enumerate(sizes) for n in range(size)]


def test_candidates_are_grouped_by_query_and_queries_of_one_kind_are_left_out():
    labels = np.array([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])  # query 1 has no relevant candidate
    lists = training_columns("ListNet", candidates_of(2, 2, 2), labels)
    assert lists["query"] == ["query 0", "query 2"]
    assert lists["texts"] == [["text 1", "text 0"], ["text 0", "text 1"]]
    preferences = training_columns("contrastive", candidates_of(3, 1), np.array([1.0, 0.0, 0.0, 1.0]))
    assert preferences == {
        "query": ["query 0", "query 0"],
        "higher": ["text 0", "text 0"],
        "lower": ["text 1", "text 2"],
    }


@pytest.mark.parametrize("name", LOSSES)
def test_labels_that_a_loss_cannot_use_are_refused(name):
    labels, loss = np.array([2.0, -1.0, 1.0]), LOSSES[name]
    if loss.is_graded:
        columns = training_columns(name, candidates_of(3), labels)
        assert columns.get("labels", [[2, 1, 0]]) == [[2, 1, 0]]  # labels below 0 count as 0
        assert columns.get("label", [1, 2, 1]) == [1, 2, 1]
    else:
        with pytest.raises(ColieeError, match=rf"The loss '{name}' needs labels that are 0 or 1, got 2.\nSet labels"):
            training_columns(name, candidates_of(3), labels)
    if loss.form != "pairs":
        with pytest.raises(ColieeError, match="No query has both relevant and other candidates"):
            training_columns(name, candidates_of(2, 2), np.array([1.0, 1.0, 0.0, 0.0]))
    with pytest.raises(ValueError, match=r"loss must be 'binary cross-entropy', .* or 'contrastive', got 'hinge'"):
        PairScorer("a-model", loss="hinge")


def test_the_examples_of_a_batch_of_the_contrastive_loss_are_of_different_queries(monkeypatch):
    from sentence_transformers.cross_encoder import losses

    batches = []
    forward = losses.MultipleNegativesRankingLoss.forward
    monkeypatch.setattr(
        losses.MultipleNegativesRankingLoss,
        "forward",
        lambda self, inputs, *rest, **more: batches.append(inputs[0]) or forward(self, inputs, *rest, **more),
    )
    training = TrainingOptions(epochs=2, batch_size=4)
    PairScorer(tiny_checkpoint("classifier"), training=training, loss="contrastive", max_tokens=32).fit(TOY, GOLD)
    assert len(batches) == 12  # 8 queries with 3 preferences each, in batches of 4, twice
    assert all(len(set(batch)) == len(batch) for batch in batches)

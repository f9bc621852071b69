"""Hours and memory of the neural examples on the edition of 2025, on one card of 24 GB: estimates, none measured.

Run it as ``python benchmarks/neural_plans.py``. Memory is by the formula of `memory.py`. Hours are floating-point
operations divided by an assumed speed: 2 for each weight of a linear layer and token read; in training with LoRA and
checkpointing 6, because the forward pass is computed twice and the weights have no gradients. Every text is counted as
one of the largest size, so that the real ones take less.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from architectures import ARCHITECTURES, Architecture
from memory import memory, parameters

from ir_coliee import editions

SPEED = 30e12  # operations a second: assumed, a fifth to a half of what cards of 24 GB have by their data sheets
RERANKER = Architecture("bert", 24, 1024, 16, 4096, 250002)  # BAAI/bge-reranker-v2-m3
JUDGE = ARCHITECTURES["Qwen/Qwen3-4B"]
FOLDS, NEGATIVES, JUDGED, EPOCHS = 3, 5, 5, 2  # of the examples
TRAINING = {"training": True, "dtype": "bfloat16", "precision": "bfloat16", "checkpointing": True, "rank": 16}
READING = {"training": False, "dtype": "bfloat16"}


class Plan(NamedTuple):
    """What an example reads: the candidates of a query, and the tokens of a pair and of a prompt, at most."""

    dataset: str
    candidates: int
    pair: int
    prompt: int


PLANS = [
    Plan("coliee/task1/2025/test", 20, 512, 1024),
    Plan("coliee/task2/2025/test", 10, 512, 1024),
    Plan("coliee/task3/2025/en/test", 30, 512, 1024),
    Plan("coliee/task4/2025/en/test", 0, 0, 1024),
]


def hours(sizes: Architecture, texts: float, tokens: int, operations: int) -> float:
    """Return the hours of reading (2 operations a weight) or of training (6)."""
    return operations * parameters(sizes)[1] * texts * tokens / SPEED / 3600


def gigabytes(sizes: Architecture, batch: int, tokens: int, **options: Any) -> float:
    """Return the memory at the peak."""
    return sum(memory(sizes, batch, tokens, **options))


def main() -> None:
    """Print a row for each example."""
    names = [f"{use} {unit}" for unit in ("h", "GB") for use in ("training", "scoring", "judge")]
    print(f"{'dataset':28}" + "".join(f"{name:>13}" for name in names))
    for plan in PLANS:
        split = editions.split(plan.dataset)
        train, asked = split.train, split.counts["queries"]
        queries = train.counts["queries"]
        if plan.candidates:
            examples = train.counts["qrels"] + NEGATIVES * queries
            fits = FOLDS  # each without a fold, and one on all: as many examples as the number of folds
            row = [
                hours(RERANKER, fits * EPOCHS * examples, plan.pair, 6),
                hours(RERANKER, (queries + asked) * plan.candidates, plan.pair, 2),
                hours(JUDGE, (queries + asked) * JUDGED, plan.prompt, 2),
                gigabytes(RERANKER, 16, plan.pair, **TRAINING),
                gigabytes(RERANKER, 64, plan.pair, **READING),
                gigabytes(JUDGE, 8, plan.prompt, **READING),
            ]
        else:
            row = [
                hours(JUDGE, EPOCHS * queries, plan.prompt, 6),
                0.0,
                hours(JUDGE, asked, plan.prompt, 2),
                gigabytes(JUDGE, 4, plan.prompt, **TRAINING),
                0.0,
                gigabytes(JUDGE, 8, plan.prompt, **READING),
            ]
        print(f"{plan.dataset:28}" + "".join(f"{value:13.2f}" for value in row))


if __name__ == "__main__":
    main()

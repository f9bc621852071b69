"""Answers of tasks 4 and 5, the pilot and, in editions that ask for them, of task 3.

`alignment` compares statements with their articles; `classification` has the majority answer and TF-IDF with a linear
classifier; `chance` tells whether either is above chance on held-out queries.
"""

from ir_coliee.baselines.answers.alignment import aligned_run, prepare_statements
from ir_coliee.baselines.answers.classification import answer_statements, classify_answers, classify_claims

__all__ = ["aligned_run", "answer_statements", "classify_answers", "classify_claims", "prepare_statements"]

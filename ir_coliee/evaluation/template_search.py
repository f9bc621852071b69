"""Finds the words in which a language model is best asked, on questions with answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_coliee.errors import ColieeError
from ir_coliee.models.language_model import LanguageModel
from ir_coliee.transformers.answers.entailment import Entailment

if TYPE_CHECKING:
    import pandas as pd


class FittedTemplate(NamedTuple):
    """The best template, as the transformer that asks in its words, and its accuracy on the data that chose it.

    ``accuracies`` has those of all templates, in the order in which they were tried.
    """

    entailment: Entailment
    accuracy: float
    accuracies: dict[str, float]


def best_template(
    model: LanguageModel, questions: pd.DataFrame, qrels: pd.DataFrame, templates: Iterable[str], **arguments: Any
) -> FittedTemplate:
    """Ask all questions in the words of each template; the most accurate is the best, of equal ones the first.

    ``questions``: qid, query and text; those without an answer in ``qrels`` (qid, docno Y or N, label) are left out.
    ``templates``: names, or paths of your own. ``arguments``: others of `ir_coliee.transformers.Entailment`; with
    ``kept`` a search that was stopped goes on. The accuracy is on the data that chose it, which is optimistic. JNLP
    chose among 56 prompts so at COLIEE 2023. Raises `ColieeError` where no question has an answer, `ValueError` for no
    templates, and what the model raises.

    >>> import pandas as pd
    >>> from ir_coliee.models import Reply
    >>> class Hasty:
    ...     identity = "hasty"
    ...     def ask(self, questions, heard):
    ...         for question in questions:
    ...             heard(question, Reply("Yes" if "Issue" in str(question) else "No"))
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp is a movable."], "text": [""]})
    >>> gold = pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "label": [1]})
    >>> best_template(Hasty(), questions, gold, ["plain.en", "irac.en"]).accuracies
    {'plain.en': 0.0, 'irac.en': 1.0}
    """
    right = qrels[qrels["label"] > 0].drop_duplicates("qid").set_index("qid")["docno"]
    answered = questions[questions["qid"].isin(right.index)]
    if answered.empty:
        raise ColieeError("No question has an answer in the qrels, by which templates could be compared.")
    judges = [Entailment(model, template, **arguments) for template in dict.fromkeys(templates)]
    if not judges:
        raise ValueError("there is no template to try")
    accuracies = {judge.template: _accuracy(judge(answered), right) for judge in judges}
    best = max(judges, key=lambda judge: accuracies[judge.template])
    return FittedTemplate(best, accuracies[best.template], accuracies)


def _accuracy(answered: pd.DataFrame, right: pd.Series) -> float:
    answers = answered.drop_duplicates("qid")
    return float((answers["qanswer"] == answers["qid"].map(right)).mean())

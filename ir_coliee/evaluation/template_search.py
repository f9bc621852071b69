"""Search for the prompt template with the highest accuracy on questions with answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_coliee.errors import ColieeError
from ir_coliee.models.language_models.language_model import LanguageModel
from ir_coliee.transformers.answers.entailment import Entailment

if TYPE_CHECKING:
    import pandas as pd


class FittedTemplate(NamedTuple):
    """The best template of a search.

    Attributes
    ----------
    entailment : Entailment
        The transformer with the best template.
    accuracy : float
        Its accuracy on the data that it was chosen on. This value is optimistic.
    accuracies : dict of str to float
        The accuracies of all templates, in the order in which they were tried.
    """

    entailment: Entailment
    accuracy: float
    accuracies: dict[str, float]


def search_templates(
    model: LanguageModel, questions: pd.DataFrame, qrels: pd.DataFrame, templates: Iterable[str], **arguments: Any
) -> FittedTemplate:
    """Prompt a model with each template, and choose the most accurate one.

    JNLP selected one of 56 prompts in this way at COLIEE 2023.

    Parameters
    ----------
    model : LanguageModel
        The model.
    questions : pandas.DataFrame
        The columns qid, query and text. Questions without an answer in the qrels are left out.
    qrels : pandas.DataFrame
        The columns qid, docno (Y or N) and label.
    templates : iterable of str
        The names of templates, or paths of files.
    **arguments
        Other arguments of `ir_coliee.transformers.Entailment`. With ``reply_store``, an interrupted search can be
        continued.

    Returns
    -------
    FittedTemplate
        Of templates with the same accuracy, the first is the best.

    Raises
    ------
    ColieeError
        If no question has an answer. Errors of the model are raised unchanged.
    ValueError
        If there is no template.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee.models import Reply
    >>> class KeywordModel:
    ...     identity = "keyword"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply("Yes" if "Issue" in str(question) else "No"))
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp is a movable."], "text": [""]})
    >>> gold = pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "label": [1]})
    >>> search_templates(KeywordModel(), questions, gold, ["plain.en", "irac.en"]).accuracies
    {'plain.en': 0.0, 'irac.en': 1.0}
    """
    answer_of = qrels[qrels["label"] > 0].drop_duplicates("qid").set_index("qid")["docno"]
    answered = questions[questions["qid"].isin(answer_of.index)]
    if answered.empty:
        raise ColieeError("No question has an answer in the qrels, so templates cannot be compared.")
    systems = [Entailment(model, template, **arguments) for template in dict.fromkeys(templates)]
    accuracies = {}
    for system in systems:
        answers = system(answered).drop_duplicates("qid")
        accuracies[system.template] = float((answers["qanswer"] == answers["qid"].map(answer_of)).mean())
    best = max(systems, key=lambda system: accuracies[system.template])
    return FittedTemplate(best, accuracies[best.template], accuracies)

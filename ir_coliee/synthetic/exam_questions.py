"""Synthetic exam questions about a synthetic civil code, and their irregular forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from ir_coliee.synthetic import vocabulary
from ir_coliee.synthetic.civil_code import Article, Code
from ir_coliee.synthetic.exam_years import ExamYear
from ir_coliee.synthetic.release import Release, Settings
from ir_coliee.synthetic.sentences import SentenceWriter

#: Number of the first synthetic question; no real exam has as many.
FIRST_NUMBER = 901
#: Numbers of words that are frequent in false statements, so that a classifier can learn something.
_WORDS_OF_FALSE_STATEMENTS = (70, 71, 72)


@dataclass(frozen=True)
class Question:
    """An exam question.

    Attributes
    ----------
    id : str
        Question id.
    label : str
        ``Y`` or ``N``; another character as an irregularity.
    articles : tuple of Article
        Gold articles.
    statement : tuple of str
        Sentences of the statement.
    irregularities : frozenset of str
        Names of the irregularities of the question.
    """

    id: str
    label: str
    articles: tuple[Article, ...]
    statement: tuple[str, ...]
    irregularities: frozenset[str] = frozenset()


def write_questions(
    year: ExamYear, size: int, n_gold: int, code: Code, excluded: Sequence[str], settings: Settings
) -> list[Question]:
    """Write the questions of an exam year.

    Parameters
    ----------
    year : ExamYear
        The exam year.
    size : int
        Number of scored questions.
    n_gold : int
        Number of their gold articles.
    code : Code
        The civil code.
    excluded : sequence of str
        Ids of questions that were handed out and not scored; they follow the others.
    settings : Settings
        Random number generator.

    Returns
    -------
    list of Question
        The questions.
    """
    writer = SentenceWriter(code.language, settings.random)
    numbers_of_articles = vocabulary.random_shares(settings.random, n_gold, size, minimum=1) + [2] * len(excluded)
    ids = [*(year.question_id(position, size, FIRST_NUMBER) for position in range(size)), *excluded]
    articles = code.articles_in_force
    return [_question(name, number, articles, writer) for name, number in zip(ids, numbers_of_articles)]


def _question(question_id: str, n_articles: int, articles_in_force: list[Article], writer: SentenceWriter) -> Question:
    random = writer.random
    chosen = random.choice(len(articles_in_force), min(n_articles, len(articles_in_force)), replace=False).tolist()
    articles = tuple(articles_in_force[i] for i in chosen)
    label = "Y" if random.random() < 0.51 else "N"
    false_words = _WORDS_OF_FALSE_STATEMENTS if label == "N" else []
    topics = [np.append(article.topic, false_words).astype(int) for article in articles]
    sentences = tuple(writer.sentence(topic) for topic in topics)
    if question_id.startswith("H"):  # exams of the Heisei era have the other Japanese comma
        sentences = tuple(sentence.replace("、", "，") for sentence in sentences)
    return Question(question_id, label, articles, sentences)


# --- irregular questions -----------------------------------------------------------------------------

#: Irregularities of single questions, in the order in which they are planted.
QUESTION_IRREGULARITIES = (
    "paragraphs missing",
    "quotation marks",
    "trailing blanks",
    "single quotes",
    "stray heading",
    "several lines",
    "statement on the line of its tags",
    "article not in the code",
    "label neither Y nor N",
    "question given twice",
    "other characters",
    "empty items",
    "head without its first character",
    "option before the statement",
    "no article",
)

#: A sentence with quotation marks, and another sentence.
_INSERTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"en": ('Lo "gremmi" dapo.', "Dapo gremmi lo."), "ja": ('門灯は、"橋舟"である。', "灯舟は、橋門にある。")}
)


def plant_in_questions(questions: list[Question], language: str, requested: frozenset[str], release: Release) -> None:
    """Give single questions of a list an irregular form.

    Parameters
    ----------
    questions : list of Question
        The questions; changed in place.
    language : str
        ``en`` or ``ja``.
    requested : frozenset of str
        Names of the irregularities to plant. Each is planted once, in a regular question.
    release : Release
        The release, in which they are recorded.
    """
    for irregularity in QUESTION_IRREGULARITIES:
        if irregularity in requested:
            position = next((i for i, question in enumerate(questions) if _is_possible(question, irregularity)), None)
            if position is not None:
                questions[position] = _changed(questions[position], irregularity, language)
                release.plant(irregularity, questions[position].id)


def _is_possible(question: Question, irregularity: str) -> bool:
    """Whether a question can have an irregularity: not all articles have several paragraphs."""
    has_several_paragraphs = any(len(article.paragraphs) > 1 for article in question.articles)
    return not question.irregularities and (has_several_paragraphs or irregularity != "paragraphs missing")


def _changed(question: Question, irregularity: str, language: str) -> Question:
    quoting, added = _INSERTED[language]
    first, *others = question.statement
    unknown = question.articles[0]._replace(number=f"{question.articles[0].number.partition('-')[0]}-99")
    changes: Mapping[str, Callable[[], Question]] = {
        "quotation marks": lambda: replace(question, statement=(quoting, first, *others)),
        "several lines": lambda: replace(question, statement=(first, added, *others)),
        "other characters": lambda: replace(question, statement=(f"Lo’gremmi α dapo. {first}", *others)),
        "article not in the code": lambda: replace(question, articles=(*question.articles, unknown)),
        "option before the statement": lambda: replace(question, statement=(f"{question.id[-1]}. {first}", *others)),
        "no article": lambda: replace(question, articles=()),
        "label neither Y nor N": lambda: replace(question, label="?"),
    }
    changed = changes.get(irregularity, lambda: question)()
    return replace(changed, irregularities=changed.irregularities | {irregularity})

"""Facts about exam years, from ``etc/exam_years.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[1] / "etc" / "exam_years.yaml"


@dataclass(frozen=True)
class ExamYear:
    """An exam year of tasks 3 and 4. The defaults are used for an exam year that the file does not list.

    Attributes
    ----------
    name : str
        For example ``R05``.
    questions, gold_articles : int
        Typical number of questions and of their gold articles.
    options : str
        Last characters of the question ids, in order.
    unpadded : tuple of int
        Range of the questions, counted from 0, whose ids write the year without a leading zero.
    english_form : str
        Form of the English pair file, a key of `ir_coliee.synthetic.pair_files.FORMS`.
    """

    name: str
    questions: int = 100
    gold_articles: int = 130
    options: str = "AIUEO"
    unpadded: tuple[int, int] = (0, 0)
    english_form: str = "captions and heads before the text"

    def question_id(self, position: int, size: int, first_number: int) -> str:
        """Return the id of a question.

        Parameters
        ----------
        position : int
            Position of the question, from 0.
        size : int
            Number of questions in the file, which may be smaller than the true one.
        first_number : int
            Number of the first question.

        Returns
        -------
        str
            For example ``R05-901-A``.
        """
        share = (position + 0.5) / size
        is_unpadded = self.unpadded[0] / self.questions <= share < self.unpadded[1] / self.questions
        year = self.name.replace("0", "", 1) if is_unpadded else self.name
        number, option = divmod(position, len(self.options))
        return f"{year}-{first_number + number}-{self.options[option]}"


@cache
def _file() -> Mapping[str, Mapping[str, Any]]:
    import yaml  # its import is slow

    content: dict[str, dict[str, Any]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return content


@cache
def exam_year(name: str) -> ExamYear:
    """Return the facts about an exam year.

    Parameters
    ----------
    name : str
        The exam year, for example ``R05``.

    Returns
    -------
    ExamYear
        Its facts; typical values if the file does not list the year.

    Examples
    --------
    >>> exam_year("H26").options
    'ACEGI'
    """
    facts = dict(_file().get(name, {}))
    if "unpadded" in facts:
        facts["unpadded"] = tuple(facts["unpadded"])
    return ExamYear(name, **facts)

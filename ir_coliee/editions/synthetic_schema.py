"""The schema of the section ``synthetic`` of an edition file, which `ir_coliee.synthetic` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ir_coliee.editions.irregularities import IRREGULARITIES
from ir_coliee.editions.schema_types import FILE_PLACEHOLDERS, FLAG, Value, has_placeholders, is_list_of, one_of

#: Styles of the label files of tasks 1 and 2.
LABEL_STYLES: Mapping[str, str] = MappingProxyType(
    {
        "indented": "a JSON object, indented by four blanks",
        "lines": "a JSON object with one query per line",
        "line": "a JSON object on one line",
        "entry XML": "XML with an element <entry> for each query",
        "instance XML": "XML with an element <instance> for each query",
    }
)

#: Forms of the files of exam questions.
PAIR_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "articles run together": "caption, head and paragraphs of an English article on one line",
        "article tags in t1": "the articles named in tags inside of <t1>",
        "Japanese with two kinds of blanks": "Japanese articles with a full-width or a plain blank after the head",
        "head behind the caption": "the head of an English article on the line of its caption",
        "head on its own line": "the head of an English article on a line of its own, without caption",
        "head before the text": "the head of an English article on the line of its text, without caption",
        "captions and several heads": "English articles with captions and with several forms of heads",
        "captions and joined heads": "English articles with captions and with heads joined to a paragraph number",
        "captions and heads before the text": "English articles with captions and with heads before the text",
        "unlabelled in English": "English articles with captions and with heads before the text, without labels",
        "unlabelled in Japanese": "Japanese articles, without labels",
        "Japanese": "Japanese articles with a plain blank after the head",
        "unlabelled without articles": "questions without articles and labels",
        "article tags": "the articles named in tags <article>",
        "Japanese from article tags": "Japanese articles as the organisers' program inserts them for the tags",
    }
)

_RANGE = re.compile(r"\d+ (?:to|through|and) \d+")


def _is_path(value: object) -> bool:
    return has_placeholders(value, FILE_PLACEHOLDERS) and not str(value).startswith("/") and ".." not in str(value)


def _is_number(value: object) -> bool:
    return type(value) is int and value > 0


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


_PATH = Value(f"a relative path, which may contain the placeholders {{{'}, {'.join(FILE_PLACEHOLDERS)}}}", _is_path)
_NUMBER = Value("a number from 1", _is_number)
_NUMBERS = Value("a list of numbers from 1", _are_numbers)
_IRREGULARITIES = Value(
    "a list of names of ir_coliee.editions.IRREGULARITIES", is_list_of(lambda name: name in IRREGULARITIES)
)

_CASE_LAW_SPLIT = {
    "folder": _PATH,
    "label_file": _PATH,
    "label_style": one_of(LABEL_STYLES),
    "unlabelled_file": _PATH,
    "unlabelled_style": one_of(("labels", "array")),
    "query_file": _PATH,
    "summary_file": _PATH,
    "answer_file": _PATH,
    "numbering": one_of(("continued", "restarted")),
    "gains_digit": FLAG,
    "distinct_candidates": FLAG,
    "gold_values": one_of(("lists", "strings", "mixed")),
}
#: The section of tasks 1 and 2.
SYNTHETIC_CASE_LAW: Mapping[str, Any] = {
    **_CASE_LAW_SPLIT,
    "irregularities": _IRREGULARITIES,
    "train": _CASE_LAW_SPLIT,
    "test": _CASE_LAW_SPLIT,
}

_OUTLINE = {
    "last_article": _NUMBER,
    "branches": _NUMBER,
    "deleted": _NUMBERS,
    "deleted_ranges": Value('a list of ranges such as "38 to 84"', is_list_of(_RANGE.fullmatch)),
    "parts": _NUMBERS,
    "ends_in_branch": FLAG,
}
_STATUTES_IN_A_LANGUAGE = {
    "folder": _PATH,
    "code_folder": _PATH,
    "derived_code_file": _PATH,
    "train_folder": _PATH,
    "test_folder": _PATH,
    "derived_train_file": _PATH,
    "pair_form": one_of(PAIR_FORMS),
    "unlabelled_test_file": _PATH,
    "always_unlabelled": FLAG,
    "second_folder": _PATH,
    "repeated_exam_years": Value("a list of exam years", is_list_of(re.compile(r"[HR]\d\d").fullmatch)),
    "example_answers": Value("a list of file names", is_list_of(_is_path)),
    "irregularities": _IRREGULARITIES,
}
#: The section of the statute tasks.
SYNTHETIC_STATUTES: Mapping[str, Any] = {
    **_STATUTES_IN_A_LANGUAGE,
    "outline": _OUTLINE,
    "en": _STATUTES_IN_A_LANGUAGE,
    "ja": _STATUTES_IN_A_LANGUAGE,
}

#: The section of the pilot.
SYNTHETIC_PILOT: Mapping[str, Any] = {"folder": _PATH, "irregularities": _IRREGULARITIES}

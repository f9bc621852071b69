"""Rules in two parts: the condition under which something holds, and the statement that then holds.

Of an article each sentence is a rule; of an exam question the last sentence is, and the sentences before it, which
tell what has happened, belong to its condition. CAPTAIN compared both parts apart at COLIEE 2023; how a sentence is
parted was not published, and is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ir_coliee.text.language import Language, character_bigrams, words
from ir_coliee.text.provisions import provision_texts
from ir_coliee.text.sentences import sentences


class Rule(NamedTuple):
    """A condition, empty where there is none, and what holds under it. Together they have all words of the text."""

    condition: str
    statement: str


def question_rule(question: str, language: Language) -> Rule:
    """The rule that an exam question states: the claim of its last sentence, under all that is told before.

    >>> question_rule("A lent B a lamp. If B breaks it, B must pay for it.", "en")
    Rule(condition='A lent B a lamp. If B breaks it', statement='B must pay for it.')
    >>> question_rule("門番は、夜になったときは、門を閉めなければならない。", "ja")
    Rule(condition='夜になったときは', statement='門番は、門を閉めなければならない。')
    """
    *facts, last = _sentences(question, language) or [""]
    condition, statement = _parted(last, language)
    return Rule(_between(language).join(filter(None, [*facts, condition])), statement)


def article_rules(article: str, language: Language) -> list[Rule]:
    """The rules of an article (its text without its head), one for each sentence, item and proviso, in order.

    >>> article_rules("(1) A lamp is lit if it is dark; provided, however, that a ferry needs none.", "en")[0]
    Rule(condition='if it is dark', statement='A lamp is lit;')
    """
    provisions = [text for _, text in provision_texts(article, language, "subitem")]
    return [_parted(sentence, language) for text in provisions for sentence in _sentences(text, language)]


def same_polarity(question: str, rules: Iterable[Rule], language: Language) -> bool:
    """Whether a question denies what a rule denies, or grants what it grants: of the rules, the nearest one.

    The nearest has the largest share of words (in Japanese of pairs of characters) in common with the question; of
    equal ones the first. A statement with an odd number of negations denies; in Japanese those of its predicate count.
    Without a rule the two differ.

    >>> same_polarity("A lamp cannot be lent.", article_rules("A gate is closed. A lamp may be lent.", "en"), "en")
    False
    """
    terms = words if language == "en" else character_bigrams
    asked = set(terms(question))

    def nearness(rule: Rule) -> float:
        said = set(terms(f"{rule.condition}\n{rule.statement}"))
        return len(asked & said) / max(len(asked | said), 1)

    nearest = max(rules, key=nearness, default=None)
    if nearest is None:
        return False
    claim = question_rule(question, language).statement
    return _is_negated(claim, language) == _is_negated(nearest.statement, language)


# --- sentences -------------------------------------------------------------------------------------

# a person's letter ends a sentence, as no initial in a case does; a clause behind a semicolon is a rule of its own
_MORE_BOUNDS = re.compile(r"(?<=[\s(][A-Z]\.)\s+(?=[A-Z])|(?<=;)\s+(?!(?:and|or)\s*$)")


def _sentences(text: str, language: Language) -> list[str]:
    found = [sentence.of(text) for sentence in sentences(text, language)]
    return found if language == "ja" else [part for sentence in found for part in _MORE_BOUNDS.split(sentence)]


def _between(language: Language) -> str:
    return " " if language == "en" else ""


def _parted(sentence: str, language: Language) -> Rule:
    return _parted_english(sentence) if language == "en" else _parted_japanese(sentence)


# --- English ---------------------------------------------------------------------------------------

_IN_CASE = r"in (?:the |any )?(?:cases?|event) (?:where|that|of|in which)"
_PROVISO = re.compile(r"provided(?:, however,)? that\s+", re.IGNORECASE)
_LEADING = re.compile(
    rf"(?:even (?:if|where|when)|if|where|when|whenever|unless|once|until|while|(?:as|so) long as|as soon as|upon"
    rf"|{_IN_CASE})\b",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s+")
_SUBJECT = r"(?:(?:the|an?|any|no|each|every|that|this|such|its?|they|he|she|all|neither|either|both|then)\b|[A-Z]\b)"
_MODAL = r"(?:may|must|shall|can|cannot|could|should|would|will|need)\b"
_VERB = r"(?:is|are|was|were|has|have|had|do|does|did|\w+(?:s|ed))\s+\w"
_MAIN_CLAUSE = re.compile(rf"{_SUBJECT}[^,;]{{0,120}}?\s(?:{_MODAL}|{_VERB})")
# what stands before it is one character, so that a long row of blanks is looked at once
_TRAILING = re.compile(
    rf"(?<=\s)(?<!\bas\s)(?:(?:and |but )?only )?(?:even (?:if|where|when)|if|unless|(?:as|so) long as|{_IN_CASE}"
    rf"|on condition that|to the extent that|provided that|when)(?=\s)|(?<=,\s)(?:where|until)(?=\s)"
)


def _parted_english(sentence: str) -> Rule:
    proviso = _PROVISO.match(sentence)
    opening, statement = (proviso[0], sentence[proviso.end() :]) if proviso else ("", sentence)
    conditions = []
    if _LEADING.match(statement) and (commas := list(_COMMA.finditer(statement))):
        comma = next((comma for comma in commas if _MAIN_CLAUSE.match(statement, comma.end())), commas[-1])
        conditions, statement = [statement[: comma.start()]], statement[comma.end() :]
    end = len(statement) - statement.endswith((".", ";", ":"))
    trailing = _TRAILING.search(statement)
    if trailing and (before := statement[: trailing.start()].rstrip().removesuffix(",")):
        conditions.append(statement[trailing.start() : end])
        statement = before + statement[end:]
    return Rule(" ".join(conditions), opening + statement)


_NEGATIONS = re.compile(r"\b(?:not|no|nobody|none|nothing|never|neither|cannot)\b|n't\b", re.IGNORECASE)

# --- Japanese --------------------------------------------------------------------------------------

_IN_BRACKETS = re.compile(r"（[^（）]*）|「[^「」]*」|\([^()]*\)")
_ENDS_CONDITION = re.compile(
    r"(?:とき(?:は|も|に|には|でも|であっても)?|場合(?:に|には|は|でも|であっても|において|においては|においても)?"
    r"|に限り|限り|以上は?|後(?:は|も|に|でも)?|前(?:は|に|でも)|[けげせてねべめれえ]ば|なら|たら|ても|でも"
    r"|(?<!つい)(?<!対し)(?<!関し)(?<!とっ)(?<!よっ)(?<!おい)ては|[とに](?:して|せよ)も)[、，,]"
)
_CONJUNCTION = re.compile(r"(?:ただし|また|なお|もっとも|しかし)[、，,]")
_TOPIC = re.compile(r"[^、，,]{1,40}は[、，,]")


def _parted_japanese(sentence: str) -> Rule:
    """The last clause that ends a condition ends it; a topic before it is that of the statement."""
    visible = _IN_BRACKETS.sub(lambda found: "＿" * len(found[0]), sentence)
    ends = list(_ENDS_CONDITION.finditer(visible))
    if not ends or ends[-1].end() == len(sentence):
        return Rule("", sentence)
    start, end = 0, ends[-1].end()
    for opening in (_CONJUNCTION, _TOPIC):
        if (found := opening.match(visible, start)) and found.end() < ends[0].end():
            start = found.end()
    return Rule(sentence[start : end - 1], sentence[:start] + sentence[end:])


_OBLIGATIONS = re.compile("(?:ねばなら|ほか)な[いく]")  # なければならない denies twice
_NEGATIONS_JA = re.compile(r"な(?:い|く|かっ|けれ)|ません|ず(?=に|[。．]?$)")


def _is_negated(statement: str, language: Language) -> bool:
    """In Japanese the predicate tells it, at the end."""
    if language == "en":
        return len(_NEGATIONS.findall(statement)) % 2 == 1
    predicate = re.split("[、，,]", statement)[-1]
    return len(_NEGATIONS_JA.findall(_OBLIGATIONS.sub("", predicate))) % 2 == 1

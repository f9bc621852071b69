"""Split articles and exam questions into rules of a condition and a statement.

Each sentence of an article is a rule. An exam question is one rule: its last sentence makes the claim, and the
sentences before it, which describe the facts, belong to the condition. CAPTAIN compared conditions and statements
separately at COLIEE 2023, task 4. How they split a sentence was not published; the patterns here are our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ir_coliee.text import Language
from ir_coliee.text.analysers import character_bigrams, words
from ir_coliee.text.sentences import sentences
from ir_coliee.text.statutes import provision_texts


class Rule(NamedTuple):
    """A rule of law. Together the two fields have all words of the text.

    Attributes
    ----------
    condition : str
        The condition; empty if the text states none.
    statement : str
        The statement that holds under the condition.
    """

    condition: str
    statement: str


def question_rule(question: str, language: Language) -> Rule:
    """Rule that an exam question states: the claim of its last sentence, under the facts before it.

    Examples
    --------
    >>> question_rule("A lent B a lamp. If B breaks it, B must pay for it.", "en")
    Rule(condition='A lent B a lamp. If B breaks it', statement='B must pay for it.')
    >>> question_rule("門番は、夜になったときは、門を閉めなければならない。", "ja")
    Rule(condition='夜になったときは', statement='門番は、門を閉めなければならない。')
    """
    *facts, last = _sentences(question, language) or [""]
    condition, statement = _split_sentence(last, language)
    return Rule(_between(language).join(filter(None, [*facts, condition])), statement)


def article_rules(article: str, language: Language) -> list[Rule]:
    """Rules of an article (its text without the heading), one for each sentence, item and proviso, in order.

    Examples
    --------
    >>> article_rules("(1) A lamp is lit if it is dark; provided, however, that a ferry needs none.", "en")[0]
    Rule(condition='if it is dark', statement='A lamp is lit;')
    """
    provisions = [text for _, text in provision_texts(article, language, "subitem")]
    return [_split_sentence(sentence, language) for text in provisions for sentence in _sentences(text, language)]


def same_polarity(question: str, rules: Iterable[Rule], language: Language) -> bool:
    """Whether the claim of a question and the nearest of the rules are both negated, or both not.

    Returns
    -------
    bool
        False if there is no rule.

    Notes
    -----
    The nearest rule has the largest Jaccard similarity with the question, over words in English and character bigrams
    in Japanese; among equal ones the first counts. A statement is negated if it has an odd number of negations; in
    Japanese only those of its predicate count.

    Examples
    --------
    >>> same_polarity("A lamp cannot be lent.", article_rules("A gate is closed. A lamp may be lent.", "en"), "en")
    False
    """
    terms = words if language == "en" else character_bigrams
    question_terms = set(terms(question))

    def similarity(rule: Rule) -> float:
        rule_terms = set(terms(f"{rule.condition}\n{rule.statement}"))
        return len(question_terms & rule_terms) / max(len(question_terms | rule_terms), 1)

    nearest = max(rules, key=similarity, default=None)
    if nearest is None:
        return False
    claim = question_rule(question, language).statement
    return _is_negated(claim, language) == _is_negated(nearest.statement, language)


# --- sentences -------------------------------------------------------------------------------------

# a person's letter may end a sentence, unlike an initial in a decision; a clause after a semicolon is its own rule
_MORE_BOUNDS = re.compile(r"(?<=[\s(][A-Z]\.)\s+(?=[A-Z])|(?<=;)\s+(?!(?:and|or)\s*$)")


def _sentences(text: str, language: Language) -> list[str]:
    found = [sentence.of(text) for sentence in sentences(text, language)]
    return found if language == "ja" else [part for sentence in found for part in _MORE_BOUNDS.split(sentence)]


def _between(language: Language) -> str:
    return " " if language == "en" else ""


def _split_sentence(sentence: str, language: Language) -> Rule:
    return _split_english(sentence) if language == "en" else _split_japanese(sentence)


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
# looks back over one character only, so that long whitespace is scanned once
_TRAILING = re.compile(
    rf"(?<=\s)(?<!\bas\s)(?:(?:and |but )?only )?(?:even (?:if|where|when)|if|unless|(?:as|so) long as|{_IN_CASE}"
    rf"|on condition that|to the extent that|provided that|when)(?=\s)|(?<=,\s)(?:where|until)(?=\s)"
)


def _split_english(sentence: str) -> Rule:
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


def _split_japanese(sentence: str) -> Rule:
    """Split after the last clause that ends a condition; a topic before the condition belongs to the statement."""
    visible = _IN_BRACKETS.sub(lambda found: "＿" * len(found[0]), sentence)
    ends = list(_ENDS_CONDITION.finditer(visible))
    if not ends or ends[-1].end() == len(sentence):
        return Rule("", sentence)
    start, end = 0, ends[-1].end()
    for opening in (_CONJUNCTION, _TOPIC):
        if (found := opening.match(visible, start)) and found.end() < ends[0].end():
            start = found.end()
    return Rule(sentence[start : end - 1], sentence[:start] + sentence[end:])


_OBLIGATIONS = re.compile("(?:ねばなら|ほか)な[いく]")  # なければならない is a double negation
_NEGATIONS_JA = re.compile(r"な(?:い|く|かっ|けれ)|ません|ず(?=に|[。．]?$)")


def _is_negated(statement: str, language: Language) -> bool:
    """Whether a statement is negated; in Japanese by its predicate, which comes last."""
    if language == "en":
        return len(_NEGATIONS.findall(statement)) % 2 == 1
    predicate = re.split("[、，,]", statement)[-1]
    return len(_NEGATIONS_JA.findall(_OBLIGATIONS.sub("", predicate))) % 2 == 1

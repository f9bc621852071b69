"""Words by which legal rules and statements about them say what must, may and cannot be, and their negations."""

from __future__ import annotations

import re

from ir_coliee.text.compatibility import nfkc

_NEGATIONS = {
    "en": re.compile(r"\b(?:not|no|never|neither|nor|none|nothing|cannot|without)\b|n['’]t\b"),
    "ja": re.compile(r"な(?:い|く|けれ|かっ)|ません|ず(?=[、,に])|ざる"),
}
# Words that are spelled like negations: few, dull, or, always, expectation; and first, which follows a particle.
_JAPANESE_NO_NEGATIONS = re.compile(
    r"少な|すくな|つまらな|ないし(?![、,])|必ず|かならず|はず|先ず|(?:(?<!\w)|(?<=[はがもをにでて]))まず"
)
_EXCEPTIONS = {
    "en": re.compile(r"\b(?:unless|however|provided)\b"),
    "ja": re.compile(r"ただし|但し|この限りで"),
}
#: Names of the cues, with their patterns in English and Japanese.
_CUES = {
    "obligation": (r"\b(?:must|shall|required|obligat\w+)\b", "なければならない|要する|義務|必要"),
    "permission": (r"\b(?:may|can)\b(?! not\b|['’]t\b)|\b(?:entitled|able)\b", "できる"),
    "inability": (r"\b(?:may not|can not|cannot|can['’]t|unable|not able|not entitled)\b", "できない|できず"),
    "only": (r"\b(?:only|solely|exclusively)\b", "のみ|だけ|に限|限って"),
    "even_if": (r"\b(?:even if|even when|even though|although)\b", "ても(?=[、,])|としても|であっても"),
    "regardless": (r"\b(?:regardless|irrespective|notwithstanding|whether or not)\b", "かかわらず|問わず|問わない"),
    "condition": (r"\b(?:if|when|where|case|cases)\b", "場合|とき"),
    "universal": (r"\b(?:all|any|every|each|whole|entire)\b", "すべて|全て|全部|いずれも|一切"),
    "always": (r"\b(?:always|necessarily|automatically|at any time)\b", "常に|必ず|当然に|いつでも"),
    "immediacy": (r"\b(?:immediately|promptly|without delay)\b", "直ちに|速やかに|遅滞なく"),
    "deeming": (r"\bdeemed\b", "みなす|みなされ"),
    "presumption": (r"\bpresum\w+\b", "推定"),
    "validity": (r"\b(?:valid|validly|effect|effective)\b", "有効|効力を生|効力を有"),
    "invalidity": (r"\b(?:void|invalid|null|ineffective)\b", "無効"),
    "rescission": (r"\b(?:rescind\w*|rescission|cancel\w*|revo[ck]\w*)\b", "取り消|取消|解除|撤回"),
    "liability": (r"\b(?:liab\w+|responsib\w+|damages|compensat\w+)\b", "責任|賠償"),
    "demand": (r"\b(?:demand\w*|claim\w*|request\w*)\b", "請求"),
    "assertion": (r"\b(?:assert\w*|against)\b", "対抗|主張"),
    "third_party": (r"\bthird part(?:y|ies)\b", "第三者"),
    "knowledge": (r"\b(?:good faith|bad faith|know\w*|knew|aware|unaware)\b", "善意|悪意|知って|知り|知らな"),
    "fault": (r"\b(?:negligen\w+|fault|intention\w*|attributable)\b", "過失|故意|責めに帰"),
    "consent": (r"\b(?:consent\w*|approv\w+|permission|agree\w*|ratif\w+)\b", "同意|承諾|許可|合意|追認"),
    "extinction": (r"\b(?:extinguish\w*|terminat\w+|expir\w+|los[et]\w*|prescription)\b", "消滅|失う|失わ|終了|時効"),
}
CUES = tuple(_CUES)
_PATTERNS = {
    "en": [re.compile(english) for english, _ in _CUES.values()],
    "ja": [re.compile(japanese) for _, japanese in _CUES.values()],
}


def negations(text: str, language: str) -> int:
    """Number of negations in a text; an even number affirms, as in "must" (なければならない).

    Examples
    --------
    >>> negations("It is not void without a mark.", "en"), negations("償わなければならない。少なくとも", "ja")
    (2, 2)
    """
    normalised = _normalised(text)
    if language == "ja":
        normalised = _JAPANESE_NO_NEGATIONS.sub("・", normalised)
    return len(_NEGATIONS[language].findall(normalised))


def exceptions(text: str, language: str) -> int:
    """Number of words in a text that introduce an exception: unless, however, provided; ただし, この限りでない.

    Examples
    --------
    >>> exceptions("It is void, unless a mark is set.", "en"), exceptions("ただし、贈り物は、この限りでない。", "ja")
    (1, 2)
    """
    return len(_EXCEPTIONS[language].findall(_normalised(text)))


def cue_counts(text: str, language: str) -> list[int]:
    """Number of occurrences of each of `CUES` in a text.

    Examples
    --------
    >>> found = cue_counts("If A agrees, B may demand the lamp.", "en")
    >>> {cue: count for cue, count in zip(CUES, found) if count}
    {'permission': 1, 'condition': 1, 'demand': 1, 'consent': 1}
    """
    normalised = _normalised(text)
    return [len(pattern.findall(normalised)) for pattern in _PATTERNS[language]]


def _normalised(text: str) -> str:
    return nfkc(text).lower()

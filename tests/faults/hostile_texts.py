"""Hostile texts: a few characters repeated, drawn from pieces of legal texts and from the patterns that read them.

A pattern that is slow on some text is so on a text that matches its beginning, repeats what one of its parts can
repeat, and does not end as the pattern asks for. `seeds` draws such texts from the patterns themselves.
"""

import random
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

try:
    from re import _parser as sre_parse
except ImportError:  # Python 3.10
    import sre_parse

PIECES = [
    *(" ", "  ", "\t", "\n", "\r\n", "\n\n", " \n", "\n ", "\u00a0", "\u3000", "\v", "\x1c", "\x85", "\u2028", "\0"),
    *("1", "9", "19", "1999 ", "2001-", "１", "一", "十", "百", "三百九十八", "〇", "五〇八", "iv", "IV", "イ"),
    *("(", ")", "[", "]", "{", "}", "<", ">", "（", "）", "「", "」", "『", "【", "«", "»", "“", "”", "‘", "’"),
    *('"', "'", ",", ".", "..", "...", ";", ":", "!", "?", "-", "–", "—", "_", "*", "#", "/", "\\", "§", "|"),
    *("、", "。", "，", "．", "～", "・", "！", "…", "a", "A", "z", "é", "É", "ß", "İ", "Σ", "ﷺ", "ｶ", "ﾞ", "ア"),
    *(
        "\u0301",
        "\u0327\u0301",
        "a\u0301",
        "\u3099",
        "\u0f73",
        "\u00ad",
        "\ufeff",
        "\ud800",
        "\U0001f600",
        "\U00020000",
    ),
    *(
        "第",
        "条",
        "項",
        "号",
        "の",
        "の二",
        "第一条",
        "第一条の二",
        "前条",
        "次条",
        "同条",
        "この節",
        "前二条",
        "第一項",
        "第一節",
    ),
    *(
        "及び",
        "又は",
        "、かつ",
        "から",
        "まで",
        "本文",
        "（第二条を除く。）",
        "の規定を準用する",
        "は、",
        "分の",
        "月",
        "削除",
    ),
    *(
        "Article 1",
        "Article 1, ",
        "Articles 1 to 2 ",
        "Article 1-1",
        "-1",
        "1 to ",
        ", 2",
        " and ",
        " or 1",
        "that Article",
    ),
    *(
        "paragraph (1) ",
        "(1)",
        "(i)",
        "(a) ",
        "(Keys)",
        "this Section ",
        "that Part of ",
        "Sections 1",
        ", 1",
        " of this Part",
    ),
    *(
        "the preceding ",
        "the ",
        "of ",
        "The ",
        "Act ",
        "provisions of ",
        "(except Article 2)",
        "except ",
        " apply mutatis ",
    ),
    *("the first sentence ", "Part I ", "Chapter 1 Lamps\n", "Deleted", "[1]", "[1]\n", "\n[1] ", "[1999]", "1]", "\n"),
    *(
        "v.",
        "FC ",
        "Mr. ",
        "s. 7 ",
        "A. ",
        "No. ",
        "e.g. ",
        "a.m. ",
        "Editor's note ",
        "Editor: a\n",
        "[End of document]\n",
    ),
    *(
        "FRAGMENT_SUPPRESSED",
        "<FRAGMENT_SUPPRESSED> ",
        "_SUPPRESSED",
        "Summary:",
        "Counsel:",
        "- Topic",
        "This a was heard",
    ),
    *(
        "[Translation]",
        "May 1, ",
        "1 May ",
        "May",
        "1er mai 2001 ",
        "3rd day of ",
        "la ",
        "le de ",
        "l'",
        "{query}",
        "{text}",
    ),
    *("[question]\n", "answer: ", "yes", "no ", "not ", "Answer is ", "statement is ", "答え：", "正しい", "記述は"),
]
ENDS = ["", "!", "\n", "x", ")", "]", "。", " x", "\nx", "\n[1]\nx", "1999", "準用する", " apply mutatis mutandis"]
_MOST_REPEATS = 50  # inside a piece, also where a pattern asks for more
_OF_CATEGORY = {"CATEGORY_DIGIT": "17", "CATEGORY_SPACE": " \n\t", "CATEGORY_WORD": "aZ1"}


class Seed(NamedTuple):
    """A text of any length: what opens it, one or two pieces that are repeated equally often, and what ends it."""

    opening: str
    first: str
    second: str
    end: str

    def text(self, size: int) -> str:
        """The text with about so many characters."""
        times = size // len(self.first + self.second)
        return self.opening + self.first * times + self.second * times + self.end


def seeds(patterns: Iterable[re.Pattern[str]], chance: random.Random) -> Iterator[Seed]:
    """Draw seeds without end, half of them from the patterns, if there are any."""
    trees = [sre_parse.parse(pattern.pattern, pattern.flags & ~re.DEBUG) for pattern in patterns]
    while True:
        openings, repeated = [("", "")], ["".join(chance.choices(PIECES, k=chance.choice((1, 1, 2, 3))))]
        for _ in range(2 if trees else 0):
            whole = _matching(chance.choice(trees), "", chance, openings)
            repeated += [whole, whole[: -chance.randint(1, 3)]]
        opening, first = chance.choice(openings)
        if not first or chance.random() < 0.5:
            opening, first = chance.choice([opening, *chance.choices(PIECES, k=2), ""]), chance.choice(repeated)
        second = chance.choice(["", "", chance.choice(PIECES), chance.choice(openings)[1], chance.choice(repeated)])
        if first:
            yield Seed(opening, first, second, chance.choice(ENDS))


def _matching(tree: Iterable[tuple], before: str, chance: random.Random, repeats: list[tuple[str, str]]) -> str:
    """What stands before, and a text that a pattern matches; adds what the pattern can repeat, with the text before."""
    text = before
    for code, argument in tree:
        kind = str(code)
        if kind == "LITERAL":
            text += chr(argument)
        elif kind in ("ANY", "NOT_LITERAL"):
            text += chance.choice("x (1")
        elif kind == "IN":
            text += _one_of(argument, chance)
        elif kind == "BRANCH":
            text = _matching(chance.choice(argument[1]), text, chance, repeats)
        elif kind in ("SUBPATTERN", "ATOMIC_GROUP"):
            text = _matching(argument if kind == "ATOMIC_GROUP" else argument[-1], text, chance, repeats)
        elif kind.endswith("_REPEAT"):
            least, most, inner = argument
            longer = _matching(inner, text, chance, repeats)
            if most == sre_parse.MAXREPEAT:
                repeats.append((text, longer[len(text) :]))
            text += longer[len(text) :] * min(chance.randint(least, min(most, least + 1)), _MOST_REPEATS)
    return text


def _one_of(characters: Iterable[tuple], chance: random.Random) -> str:
    code, argument = chance.choice(list(characters))
    if str(code) == "LITERAL":
        return chr(argument)
    if str(code) == "RANGE":
        return chr(chance.randint(*argument))
    return chance.choice(_OF_CATEGORY.get(str(argument), "x ,"))  # a negated class or category

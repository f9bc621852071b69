"""Japanese writing and words: widths, punctuation, numerals and, with the extra ``ja``, morphological analysis."""

from __future__ import annotations

import importlib.metadata
import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from ir_coliee.errors import MissingExtraError
from ir_coliee.text.numerals import KANJI_NUMERAL, kanji_to_int

_JAPANESE = "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff）」』"
# with the kana before, which a voicing mark in half width may belong to
_OTHER_WIDTH = re.compile("[\u3041-\u3096\u30a1-\u30fa]?[\u3000\uff01-\uff5d\uff61-\uff9f\uffe0-\uffe2\uffe4-\uffe6]+")
_PUNCTUATION = str.maketrans({"，": "、", "､": "、", "．": "。", "｡": "。", "～": "〜"})
_IN_NUMBER = re.compile(r"(?<=[0-9０-９])[，．](?=[0-9０-９])")
_COMMA = re.compile(rf"(?<=[{_JAPANESE}]),[ ]?|,(?=[{_JAPANESE}（「『])")
_FULL_STOP = re.compile(rf"(?<=[{_JAPANESE}])\.(?![.0-9A-Za-z])[ ]?")
_JAPANESE_LETTER = re.compile("[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uff66-\uff9f]")
_LATIN_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
_NUMERAL = re.compile(KANJI_NUMERAL)
# behind 第 and before a unit of the law, or before a counter; 十分 and 一般 are words
_COUNTED = re.compile(
    rf"(?<=第){KANJI_NUMERAL}(?=[編章節款目条項号回])"
    rf"|(?<=[前次]){KANJI_NUMERAL}(?=[編章節款目条項号])"
    rf"|(?<=[条項号])(?:の(?!一(?![十百千〇一二三四五六七八九])){KANJI_NUMERAL}(?![〇一二三四五六七八九十百千人個つ分]))+"
    rf"|{KANJI_NUMERAL}分の{KANJI_NUMERAL}"
    rf"|(?<![〇一二三四五六七八九十百千万億兆]){KANJI_NUMERAL}"
    "(?=条(?![件例約理文])|[かカヶケ箇個]?月|[年週日人個円倍割歳才]|パーセント)"
)


def normalise_japanese(text: str, *, numerals: bool = False) -> str:
    """Normalise character widths and punctuation of a Japanese text.

    Parameters
    ----------
    text : str
        A statute or exam question. Questions write ，and Ａ where statutes write 、 and A.
    numerals : bool
        Write kanji numerals that count in arabic digits: after 第 or 前 before a unit of the law, as a branch (条の二),
        in fractions, and before counters of time, persons, money and shares (our list).

    Notes
    -----
    Full-width letters, digits, signs and blanks become ASCII. Half-width katakana becomes full-width. ``，．`` become
    ``、。``, as do an ASCII comma and full stop after Japanese; inside a number they become ASCII (``３．５``). The
    wave ～ becomes 〜. Everything else is unchanged: old and circled forms, kanji numerals, lone surrogates. The
    function is idempotent.

    Examples
    --------
    >>> normalise_japanese("Ａは，Ｂに１，０００円を払い，ｶﾞﾗｽを３．５枚買った．")
    'Aは、Bに1,000円を払い、ガラスを3.5枚買った。'
    >>> normalise_japanese("第三百九十八条の二第一項の一般の灯は、十分に二箇月", numerals=True)
    '第398条の2第1項の一般の灯は、十分に2箇月'
    """
    text = _IN_NUMBER.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text).translate(_PUNCTUATION)
    text = _OTHER_WIDTH.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = _FULL_STOP.sub("。", _COMMA.sub("、", text))
    return _COUNTED.sub(lambda found: _NUMERAL.sub(_arabic, found[0]), text) if numerals else text


def _arabic(numeral: re.Match[str]) -> str:
    return str(kanji_to_int(numeral[0]))


def is_japanese(text: str) -> bool | None:
    """Whether a text has more Japanese than Latin letters; None if it has neither.

    Full-width letters count as neither, because Japanese questions denote persons by them.

    Examples
    --------
    >>> is_japanese("Ａは、ランプをＢに売った。"), is_japanese("A sold B a lamp (ランプ)."), is_japanese("5.")
    (True, False, None)
    """
    japanese, latin = len(_JAPANESE_LETTER.findall(text)), len(_LATIN_LETTER.findall(text))
    return japanese > latin if japanese or latin else None


# --- Compatibility normalisation ------------------------------------------------------------------


# Combining characters are no word characters, but for the voicing marks in half width. A sequence of them is
# sorted by unicodedata, in a time that grows with its square.
_MANY_MARKS = re.compile(r"[\W\uff9e\uff9f]{32,}")


def nfkc(text: str) -> str:
    """Text in Unicode's normal form NFKC, in which full-width letters are ASCII.

    The result is that of `unicodedata.normalize`, whose time grows with the square of a sequence of
    combining characters.

    Examples
    --------
    >>> nfkc("Ａ１ ｶﾞ")
    'A1 ガ'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _MANY_MARKS.sub(_marks_sorted, text))


def _marks_sorted(run: re.Match[str]) -> str:
    """Characters taken apart, with the marks of each character in the order of the normal form."""
    apart = "".join(unicodedata.normalize("NFKD", character) for character in run[0])
    groups = groupby(apart, key=lambda character: unicodedata.combining(character) > 0)
    return "".join("".join(sorted(group, key=unicodedata.combining) if marks else group) for marks, group in groups)


# --- Words ----------------------------------------------------------------------------------------


# The time of MeCab grows with the square of a sequence of letters or signs. No line of a statute, a question or a claim
# is as long as such a piece; a longer line is divided behind a full stop or a blank.
_PIECE = re.compile(r"[^\n]{1,5000}(?=\n|\Z)|[^\n]{0,4999}[。 ]|[^\n]{5000}")

_FUNCTION_WORDS = ("助詞", "助動詞", "記号", "補助記号", "空白")  # unidic's names of the parts of speech


@lru_cache(maxsize=8192)  # an evidence of task 3 counts the articles and questions several times
def japanese_lemmas(text: str) -> tuple[str, ...]:
    """Dictionary forms of the content words of a Japanese text: without particles, auxiliaries and symbols.

    Of a word that the dictionary lacks the word itself is taken. Raises what `analysed_words` raises.
    """
    words = (word for word in analysed_words(text) if word.feature.pos1 not in _FUNCTION_WORDS)
    return tuple(str(word.feature.lemma or word.surface) for word in words)


def analysed_words(text: str) -> Iterator[Any]:
    """Yield the words of a Japanese text as MeCab with unidic-lite gives them, without punctuation.

    Full-width letters and digits are normalised (NFKC).

    Raises
    ------
    MissingExtraError
        Without the extra ``ja``.
    """
    tagger = _tagger()
    # MeCab reads bytes up to a zero, and cannot be given a lone surrogate
    written = nfkc(text).lower().replace("\0", " ").encode(errors="replace").decode()
    for piece in _PIECE.findall(written):
        yield from (word for word in tagger(piece) if any(character.isalnum() for character in str(word.surface)))


def dictionary_version() -> str:
    """Versions of fugashi and unidic-lite; other versions may split words differently.

    Raises
    ------
    MissingExtraError
        Without the extra ``ja``.
    """
    _tagger()
    return "-".join(importlib.metadata.version(name) for name in ("fugashi", "unidic-lite"))


@cache
def _tagger() -> Any:
    try:
        import fugashi
        import unidic_lite
    except ImportError:
        raise MissingExtraError("Splitting Japanese text into words", "ja") from None
    return fugashi.Tagger(f"-d {unidic_lite.DICDIR}")

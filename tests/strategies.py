"""Hypothesis strategies for synthetic legal texts, shared by the tests of the parsers.

Each gives the *meaning* (numbers, names, pieces); the tests write it down in a form of the organisers
and compare what the parser reads with it.
"""

from typing import NamedTuple

from hypothesis import strategies as st

_DIGITS = "〇一二三四五六七八九"


def kanji(number):
    """A number from 1 to 9999 in kanji, spelled digit by digit from its decimal form."""
    written = ""
    for digit, unit in zip(f"{number:04}", ("千", "百", "十", "")):
        if digit == "0":
            continue
        written += unit if digit == "1" and unit else _DIGITS[int(digit)] + unit
    return written


def positional_kanji(number):
    """A number as a row of kanji digits, ``五〇八``."""
    return "".join(_DIGITS[int(digit)] for digit in str(number))


def english_number(number):
    return f"Article {number}"


def japanese_number(number):
    main, *branches = number.split("-")
    return f"第{kanji(int(main))}条" + "".join(f"の{kanji(int(branch))}" for branch in branches)


article_numbers = st.builds(
    lambda main, branches: "-".join(map(str, [main, *branches])),
    st.integers(1, 1044),
    st.lists(st.integers(2, 40), max_size=2),
)

english_words = st.lists(
    st.sampled_from(["a", "lamp", "gate", "keeper", "must", "be", "lit", "orchard", "ferry"]), min_size=1, max_size=8
).map(lambda words: " ".join(words).capitalize() + ".")

japanese_words = st.lists(
    st.sampled_from(["門番は", "灯を", "果樹園の", "渡し船が", "持つ", "閉める"]), min_size=1, max_size=6
).map(lambda words: "".join(words) + "。")


class ModelArticle(NamedTuple):
    """An article as it is meant: ``paragraphs`` has for each paragraph its number of items."""

    number: str
    caption: bool
    deleted: bool
    paragraphs: tuple[int, ...]
    new_level: int | None


def _sorted_by_number(numbers):
    return sorted(numbers, key=lambda number: [int(n) for n in number.split("-")])


_model_rests = st.tuples(
    st.booleans(),
    st.booleans(),
    st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple),
    st.none() | st.integers(0, 4),
)

#: A civil code: articles in rising order, some opened by a heading of the level ``new_level``.
model_codes = st.lists(article_numbers, min_size=1, max_size=8, unique=True).flatmap(
    lambda numbers: st.lists(_model_rests, min_size=len(numbers), max_size=len(numbers)).map(
        lambda rests: [ModelArticle(number, *rest) for number, rest in zip(_sorted_by_number(numbers), rests)]
    )
)

#: Three-valued labels of the tort instances.
labels = st.sampled_from([True, False, None])
claim_lists = st.lists(st.tuples(japanese_words, labels), max_size=4)
tort_instances = st.lists(
    st.tuples(st.lists(japanese_words, max_size=3), claim_lists, claim_lists, labels), min_size=1, max_size=4
)

# --- hard-wrapped English (2017) -------------------------------------------------------------------

_references = st.sampled_from(
    [
        "under Article 1 and",
        "under paragraph (2) of Article 1, as",
        "of items (i) and (ii) in",
        "of Part IV (Guests) and",
    ]
)
_wrapped_sentences = st.lists(
    st.sampled_from(["lamp", "gate", "keeper", "ferry", "(orchard)"]) | _references, min_size=3, max_size=25
).map(lambda words: f"The {' '.join(words)} shall apply.")


def _numbered_lines(paragraphs):
    lines = []
    for number, (sentence, items) in enumerate(paragraphs, start=1):
        lines.append(f"({number}) {sentence}")
        lines += [f"({roman}) {item}" for roman, item in zip(("i", "ii", "iii", "iv"), items)]
    return lines


_wrapped_bodies = st.lists(
    st.tuples(_wrapped_sentences, st.lists(_wrapped_sentences, max_size=4)), min_size=1, max_size=4
).map(_numbered_lines)
_wrapped_captions = st.sampled_from(["", "Gates", "Keepers who Leave their Gates before Dusk and Return at Dawn"])

#: A width, and articles in rising order as (number, caption, elements); a caption takes up two lines at most.
wrapped_articles = st.tuples(
    st.integers(40, 90),
    st.lists(article_numbers, min_size=1, max_size=4, unique=True).flatmap(
        lambda numbers: st.lists(
            st.tuples(_wrapped_captions, _wrapped_bodies), min_size=len(numbers), max_size=len(numbers)
        ).map(lambda rests: [(number, *rest) for number, rest in zip(_sorted_by_number(numbers), rests)])
    ),
)

"""The graph of references between the articles of a code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import japanese_number, kanji

from ir_coliee.releases.civil_code import Article
from ir_coliee.text.references import LEVELS
from ir_coliee.text.references.graph import Reference, reference_graph


def article(number, *paragraphs, place=None, deleted=False):
    return Article(
        **(dict.fromkeys(LEVELS, "") | (place or {})),
        doc_id=number,
        caption="",
        effective_caption="",
        text="\n".join(paragraphs),
        paragraphs=paragraphs,
        items=(),
        deleted=deleted,
    )


def code(texts, places=None):
    """Articles from number to text, placed by number."""
    return [article(number, text, place=(places or {}).get(number)) for number, text in texts.items()]


def edges(articles, language="ja"):
    return [edge[:4] for edge in reference_graph(articles, language).references]


def targets(articles, source, language="ja"):
    return [edge.target for edge in reference_graph(articles, language).outgoing(source)]


def outside(articles, language="ja"):
    return [edge[:3] for edge in reference_graph(articles, language).outside]


# --- numbers, positions, ranges --------------------------------------------------------------------


def test_an_edge_says_how_its_target_is_named_and_in_which_paragraph():
    articles = [
        article("1", "灯"),
        article("2", "門", "２　第一条の規定は、門について準用する。"),
        article("3", "前二条の規定を適用する。"),
    ]
    graph = reference_graph(articles, "ja")
    assert graph.references == (
        Reference("2", "1", "number", True, 2),
        Reference("3", "1", "relative", False, 1),
        Reference("3", "2", "relative", False, 1),
    )
    assert graph.outgoing("3") == graph.references[1:]
    assert graph.incoming("1") == graph.references[:2]
    assert graph.incoming("3") == graph.outgoing("1") == graph.outgoing("99") == graph.outside == ()


# --- units -----------------------------------------------------------------------------------------

PLACES = {
    "1": {"part": "第一編　門", "chapter": "第一章　総則", "section": "第一節　灯"},
    "2": {"part": "第一編　門", "chapter": "第一章　総則", "section": "第二節　火", "subsection": "第一款　薪"},
    "3": {"part": "第一編　門", "chapter": "第一章　総則", "section": "第二節　火", "subsection": "第二款　炭"},
    "4": {"part": "第一編　門", "chapter": "第二章　橋", "section": "第一節　灯"},
    "5": {"part": "第一編　門", "chapter": "第二章　橋", "section": "第一節の二　板"},
    "6": {"part": "第一編　門", "chapter": "第二章　橋", "section": "第二節　縄"},
    "7": {"part": "第一編　門", "chapter": "第二章　橋", "section": "第三節　杭"},
    "8": {"part": "第二編　舟", "chapter": "第一章　総則"},
    "9": {"part": "第二編　舟", "chapter": "第二章　櫂"},
    "10": {"part": "第二編　舟", "chapter": "第二章　櫂", "section": "第一節　柄"},
    "11": {"part": "第二編　舟", "chapter": "第三章　帆", "subsection": "第一款　綱"},
}


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ("2", "この節", ["3"]),
        ("2", "この編", ["1", "3", "4", "5", "6", "7"]),
        ("3", "前款", ["2"]),
        ("2", "次款", ["3"]),
        ("4", "前章第二節第二款", ["3"]),
        ("1", "次章", ["4", "5", "6", "7"]),
        ("7", "前三節", ["4", "5", "6"]),
        ("7", "第一節から第二節まで", ["4", "5", "6"]),
        ("8", "第一編第一章第一節及び第二節", ["1", "2", "3"]),
        ("8", "前編第一章", ["1", "2", "3"]),
        ("2", "第二編", ["8", "9", "10", "11"]),
        ("8", "第三章第一款", ["11"]),
        ("3", "第一款", ["2"]),
        ("8", "第一編第二章（第五条及び第六条を除く。）", ["4", "7", "5", "6"]),
    ],
)
def test_a_unit_is_expanded_to_its_articles(source, words, expected):
    articles = code(dict.fromkeys(PLACES, "灯") | {source: f"{words}の規定"}, PLACES)
    assert targets(articles, source) == expected
    assert outside(articles) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [("8", "この節"), ("9", "次節"), ("1", "前章"), ("5", "前三節"), ("8", "第四編"), ("4", "前章第二節第九款")],
)
def test_a_unit_that_is_not_there_is_outside_and_not_guessed(source, words):
    articles = code(dict.fromkeys(PLACES, "灯") | {source: f"{words}の規定"}, PLACES)
    assert edges(articles) == []
    assert outside(articles) == [(source, words, "structural")]


def test_english_references_make_the_same_graph():
    split = {"part": "Part I Gates", "chapter": "Chapter II Bridges"}
    sections = ["Section 1 Lamps", "Section 1 Lamps", "Section 2 Ropes", "Section 3 Posts"]
    places = {str(n): split | {"section": section} for n, section in enumerate(sections, start=1)}
    texts = {
        "1": "Articles 2 through 4 apply, but not Article 4 of the Ferry Act.",
        "2": "The provisions of the preceding Article apply mutatis mutandis.",
        "3": "The provisions of Section 1 apply mutatis mutandis. Part IV applies.",
        "4": "Sections 1 and 2 of Chapter II and Sections 2 and 7 apply.",
    }
    articles = code(texts, places)
    assert edges(articles, "en") == [
        ("1", "2", "number", False),
        ("1", "3", "range", False),
        ("1", "4", "number", False),
        ("2", "1", "relative", True),
        ("3", "1", "structural", True),
        ("3", "2", "structural", True),
        ("4", "1", "structural", False),
        ("4", "2", "structural", False),
        ("4", "3", "structural", False),
    ]
    assert outside(articles, "en") == [("3", "Part IV", "structural"), ("4", "Section 7", "structural")]


# --- any code --------------------------------------------------------------------------------------


@st.composite
def codes(draw):
    """A code of sections, and for each article what it says and which articles that means."""
    size = draw(st.integers(2, 9))
    numbers = [str(n) for n in sorted(draw(st.sets(st.integers(1, 900), min_size=size, max_size=size)))]
    borders = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    sections = [sum(borders[: at + 1]) for at in range(size)]
    meant = {}
    said = []
    for at, number in enumerate(numbers):
        form = draw(st.sampled_from(["number", "before", "range", "section", "nothing"]))
        first, last = sorted((draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))))
        count = draw(st.integers(1, 3))
        words, positions = {
            "number": (japanese_number(numbers[first]), [first]),
            "before": (f"前{kanji(count)}条", range(at - count, at) if count <= at else []),
            "range": (
                f"{japanese_number(numbers[first])}から{japanese_number(numbers[last])}まで",
                range(first, last + 1),
            ),
            "section": ("この節", [other for other in range(size) if sections[other] == sections[at]]),
            "nothing": ("灯", []),
        }[form]
        meant[number] = {numbers[other] for other in positions} - {number}
        said.append(article(number, f"{words}の規定", place={"section": f"第{kanji(sections[at] + 1)}節　灯"}))
    return said, meant


@given(codes())
def test_the_graph_of_any_code_has_what_is_meant_and_its_inverse(made):
    articles, meant = made
    graph = reference_graph(articles, "ja")
    assert {number: {edge.target for edge in graph.outgoing(number)} for number in meant} == meant
    incoming = {edge for number in meant for edge in graph.incoming(number)}
    assert incoming == set(graph.references)
    assert len(graph.references) == len({edge[:3] for edge in graph.references})

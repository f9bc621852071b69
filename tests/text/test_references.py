"""References to other articles in the text of an article, and the graph of a code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import article_numbers, english_number, english_words, japanese_number, japanese_words, kanji

from ir_coliee.releases.civil_code import Article
from ir_coliee.text.japanese import is_japanese
from ir_coliee.text.references import LEVELS, Number, Range, Relative, Step, Unit, mentions
from ir_coliee.text.references.graph import Reference, reference_graph

# --- ways to say what is meant ---------------------------------------------------------------------


def found(text):
    return mentions(text, "ja" if is_japanese(text) else "en")


def names(text):
    return [mention.name for mention in found(text)]


def applied(text):
    return [mention.words for mention in found(text) if mention.mutatis_mutandis]


def numbers(text):
    return [name.number for name in names(text)]


def unit(*steps):
    """A unit from pairs of level and number (a string) or offset (an int)."""
    return Unit(tuple(Step(level, at) if isinstance(at, str) else Step(level, offset=at) for level, at in steps))


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第三百九十八条の二第一項の灯", [Number("398-2")]),
        ("第十二条の十一ただし書", [Number("12-11")]),
        *((text, [Number("3")]) for text in ("第三条の一部を灯に充てる", "第三条の二人の門番")),
        ("第三条の二十日前", [Number("3-20")]),
        ("前十二条の灯", [Relative(-12)]),
        ("次条及び前条第二項", [Relative(1), Relative(-1)]),
        *((text, []) for text in ("事前条件及び前条件", "従前条例", "前項、前号、次項及び次の各号の灯")),
        ("この条及び本条の灯", []),
        ("前章第一節第二款（門）の規定", [unit(("chapter", -1), ("section", "1"), ("subsection", "2"))]),
        ("前三節（灯）の規定", [unit(("section", -3))]),
        ("第三章（門）第一節（灯）", [unit(("chapter", "3"), ("section", "1"))]),
        (
            "前章第一節第二款及び第三節",
            [unit(("chapter", -1), ("section", "1"), ("subsection", "2")), unit(("chapter", -1), ("section", "3"))],
        ),
        ("第三章第一節及び第五章", [unit(("chapter", "3"), ("section", "1")), unit(("chapter", "5"))]),
        *((text, []) for text in ("その目的、この目的及び前目標", "同章第二節", "日本編")),
        ("第五条第二項から第九条第三号まで", [Range(Number("5"), Number("9"))]),
        ("第三条の二から前条まで及び第七条", [Range(Number("3-2"), Relative(-1)), Number("7")]),
        (
            "前章第一節から第三節まで",
            [Range(unit(("chapter", -1), ("section", "1")), unit(("chapter", -1), ("section", "3")))],
        ),
        *((text, [Number("5"), Number("9")]) for text in ("第五条から灯を第九条まで", "第五条から第九条に")),
        ("第五条第一項から第三項まで", [Number("5")]),
        # English
        ("Article 5, paragraph (1), item (ii) and Article 398-2(1)", [Number("5"), Number("398-2")]),
        ("Articles 5 and 7", [Number("5"), Number("7")]),
        ("Articles 5, 7-2, and 9", [Number("5"), Number("7-2"), Number("9")]),
        ("Articles 5 and 30 days", [Number("5")]),
        ("Articles 5 to 9 and 12", [Range(Number("5"), Number("9")), Number("12")]),
        ("Article 5 to the preceding Article", [Range(Number("5"), Relative(-1))]),
        ("The preceding two Articles; the three preceding Articles", [Relative(-2), Relative(-3)]),
        ("the preceding Articles, this Article and the preceding paragraph", []),
        ("under Article 5, that Article and the same Article", [Number("5")] * 3),
        ("the following Chapter (Gates)", [unit(("chapter", 1))]),
        ("Part II Chapter III Section 1", [unit(("part", "2"), ("chapter", "3"), ("section", "1"))]),
        (
            "Section 1, Subsection 2 (Lamps) of the preceding Chapter",
            [unit(("chapter", -1), ("section", "1"), ("subsection", "2"))],
        ),
        (
            "Section 1 and Section 2-3 of Chapter IV",
            [unit(("chapter", "4"), ("section", "1")), unit(("chapter", "4"), ("section", "2-3"))],
        ),
        (
            "Sections 1 and 2 of Chapter IX",
            [unit(("chapter", "9"), ("section", "1")), unit(("chapter", "9"), ("section", "2"))],
        ),
        ("Section 1, Section 2 (Lamps)", [unit(("section", "1")), unit(("section", "2"))]),
        ("Sections 1 through 3", [Range(unit(("section", "1")), unit(("section", "3")))]),
        ("that Chapter, Section 1 of the same Chapter, Sections 1 and 2 of that Part", []),
        ("Part of the land; the preceding Sections; the Section", []),
        ("the word “the preceding Article” is replaced by “Article 8”", [Number("8")]),
        ('the word "this Section" is replaced', []),
    ],
)
def test_numbers_positions_units_and_ranges_are_read(text, expected):
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "own"),
    [
        *((text, []) for text in ("渡船法第三条", "渡船法（平成十年法律第五号）第三条第一項")),
        ("渡船の灯に関する法律（平成十年法律第五号。以下「灯法」という。）第三条", []),
        ("渡船法第三条若しくは第六条の二第三項の灯又は第八条", ["8"]),
        ("渡船法第三条から第五条まで及び第七条の規定又は第八条", ["8"]),
        ("渡船法第九条において準用する同法第六条第三項若しくは第六条の三第三項の規定又は同法第十条の灯", []),
        ("第四条、渡船法第十条又は第三十一条その他の法令", ["4"]),
        ("渡船法第九条（第十条において準用する場合を含む。）の灯、第十二条", ["12"]),
        *((text, []) for text in ("渡船施行令第二条", "附則第二条", "渡船法(平成十年法律第五号)第三条")),
        *((text, []) for text in ("渡船議定書（平成十年条約第五号）第三条", "明治五年勅令第三号第二条")),
        ("民法第九条及び本法第十条", ["9", "10"]),
        ("渡船の方法は、第三条の灯による", ["3"]),
        ("Article 2, paragraph (1) of the Ferry Act (Act No. 5 of 1998)", []),
        ("Article 5 or 6 of the Ferry Act", []),
        ("Articles 5, 6 and 7 of the Act on Ferries and Lamps, and Article 9 applies", ["9"]),
        ("Article 4 of the Ferry Act and Article 7", ["7"]),
        ("Article 63 or Article 68-3 of that Act as applied pursuant to Article 4 of the Code of Ferries", []),
        ("the provisions of Article 3 and the provisions of Article 4 of the Ferry Act", ["3"]),
        *((text, []) for text in ("the Ferry Act (Act No. 5 of 1998), Article 3", "Act No. 5 of 1998, Article 3")),
        ("Article 4 of this Code, Article 5 of the Civil Code", ["4", "5"]),
        ("Article 4 of the Ferry Act (including as applied under Article 6), and Article 8", ["8"]),
        ("Article 4 of a lamp that violates the Ferry Act", ["4"]),
    ],
)
def test_numbers_of_other_laws_are_left_out_with_those_joined_to_them(text, own):
    assert numbers(text) == own


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("門番（以下この節において「番」という。）", []),
        ("灯（火を含む。以下この章及び次章において同じ。）", []),
        ("灯（以下この節及び第五条において単に「灯」という。）", [Number("5")]),
        ("以下この章の規定を適用する。", [unit(("chapter", 0))]),
        ('a keeper (hereinafter referred to as "keeper" in this Section)', []),
        ("a keeper (hereinafter simply referred to as “keeper” in this Section and Article 5)", [Number("5")]),
        ("a keeper (hereinafter in this Chapter referred to as “keeper”)", []),
        ("a lamp (including a fire; hereinafter the same applies in this Chapter and the next Chapter)", []),
        ("a lamp (including a fire; the same applies hereinafter in this Chapter)", []),
        ("a lamp (hereinafter referred to as “lamp”) under this Section", [unit(("section", 0))]),
        ("a lamp (hereinafter “lamp”, including those used in this Section)", [unit(("section", 0))]),
    ],
)
def test_units_in_which_a_defined_term_is_used_are_no_references(text, expected):
    assert names(text) == expected


def test_the_same_article_repeats_the_one_before():
    assert numbers("第五条の灯は、同条の門") == ["5", "5"]
    assert names("前条の灯は、同条第二項の門") == [Relative(-1), Relative(-1)]
    assert names("渡船法第五条の灯は、同条の門") == []
    assert names("同条の門") == []
    assert names("第五条の灯は、この節に従い、同条の門") == [Number("5"), unit(("section", 0)), Number("5")]


def test_positions_in_quoted_words_are_those_of_another_article():
    assert names("第五条第二項中「前条」とあるのは、「前条第四項又はこの節」とする。") == [Number("5")]
    assert numbers("「灯」とあるのは、「第六条第四項の灯」とする。") == ["6"]


# --- Japanese: mutatis mutandis --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("この場合においては、第二条第一項ただし書及び第二項から第四項までの規定を準用する。", ["第二条"]),
        ("第二条、第四条及び第六条の規定は、灯について準用する。", ["第二条", "第四条", "第六条"]),
        ("第二条の規定並びに第四条の規定は、灯について準用する。", ["第二条", "第四条"]),
        ("第二条から第四条まで及び前項の規定は、灯について準用する。", ["第二条から第四条"]),
        ("第二条から第四条までの規定は、第六条から前条までの灯について準用する。", ["第二条から第四条"]),
        ("前章第一節（門）の規定は、灯について準用する。", ["前章第一節"]),
        ("この章に定めるもののほか、その性質に反しない限り、次章（門）の規定を準用する。", ["次章"]),
        ("この章に定めるもののほか、門に関する規定を準用する。", []),
        ("第八条において準用する第四条の規定による灯", ["第四条"]),
        ("第二条（第八条において準用する場合を含む。）の規定により灯を消す。", []),
        ("第二条の規定は、灯（火を含む。以下同じ。）について準用する。", ["第二条"]),
        ("第二条の規定（第三条の規定を除く。）は、灯について準用する。", ["第二条"]),
        ("第二条の規定は、灯について適用する。第三条の規定は、門について準用する。", ["第三条"]),
        ("第二条の規定は、灯に適用し、第三条の規定は、門について準用する。", ["第三条"]),
        ("第二条の規定は、第四条において準用する第五条の場合に適用する。", ["第五条"]),
        ("第二条の規定は、灯について、第三条の規定を準用する。", ["第三条"]),
        *((text, []) for text in ("第二条の規定は、準用しない。", "第二条の規定を準用しない。")),
        ("第二条の規定は、次の灯について準用する。\n一　第三条の灯", ["第二条"]),
        ("第二条の場合には、同条第二項の規定を準用する。", ["同条"]),
        ("第二条の規定を灯について準用する。", ["第二条"]),
        ("第二条(準用)、第三条第一項（準用）及び第四条（門）", ["第二条", "第三条"]),
        ("The provisions of Article 5 apply mutatis mutandis to the cases of Article 8.", ["Article 5"]),
        ("Article 8 applies, and Article 5 shall apply mutatis mutandis.", ["Article 5"]),
        ("The provisions of Articles 5 and 6 apply mutatis mutandis.", ["Articles 5", "6"]),
        (
            "The provisions of Article 5, paragraph (2) and of Article 6 apply mutatis mutandis.",
            ["Article 5", "Article 6"],
        ),
        ("The provisions of Article 5 on cases under Article 8 apply mutatis mutandis.", ["Article 5"]),
        ("Article 5 as applied mutatis mutandis pursuant to Article 8", ["Article 5"]),
        ("Article 5 (including as applied mutatis mutandis pursuant to Article 8) applies.", []),
        ("The provisions of Article 5 do not apply mutatis mutandis.", []),
        ("Article 5 applies. The lamp rules apply mutatis mutandis.", []),
        ("The provisions of paragraphs (2) through (4) of Article 5 apply mutatis mutandis.", ["Article 5"]),
    ],
)
def test_what_the_sentence_applies_mutatis_mutandis_is_marked(text, expected):
    assert applied(text) == expected


def test_a_bracket_takes_articles_out():
    [host, *inside] = mentions("次款（門）の規定（第三条及び第五条の規定を除く。）は、灯について準用する。", "ja")
    assert host.exceptions == (Number("3"), Number("5"))
    assert [(m.name, m.mutatis_mutandis, m.exceptions) for m in inside] == [
        (Number("3"), False, ()),
        (Number("5"), False, ()),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("この節（第三条第二項を除く。）の規定", "この節の灯（第三条の灯を除く。）", "この節（第三条の灯を除く。）"),
        *("この節（第三条を含む。）", "この節の規定は、灯（第三条を除く。）に適用する。"),
    ],
)
def test_only_whole_articles_directly_behind_are_taken_out(text):
    assert [mention.exceptions for mention in mentions(text, "ja")] == [(), ()]


# --- what is written comes back --------------------------------------------------------------------

_UNITS = "編章節款目"
_COUNTS = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
offsets = st.integers(1, 9).flatmap(lambda count: st.sampled_from([-count, count]))
ends = st.builds(Number, article_numbers) | st.builds(Relative, st.sampled_from([-1, 1]))


@st.composite
def units(draw):
    """A unit whose first step is a position or a number and whose further steps are numbers."""
    levels = sorted(draw(st.sets(st.sampled_from(range(5)), min_size=1, max_size=3)))
    first = draw(offsets | st.just(0) | st.integers(1, 30).map(str))
    rest = [(LEVELS[level], str(draw(st.integers(1, 30)))) for level in levels[1:]]
    return unit((LEVELS[levels[0]], first), *rest)


named = st.builds(Number, article_numbers) | st.builds(Relative, offsets) | units() | st.builds(Range, ends, ends)


def _side(offset, before, behind):
    return before if offset < 0 else behind


def in_japanese(name):
    if isinstance(name, Number):
        return japanese_number(name.number)
    if isinstance(name, Relative):
        return _side(name.offset, "前", "次") + (kanji(abs(name.offset)) if abs(name.offset) > 1 else "") + "条"
    if isinstance(name, Range):
        return f"{in_japanese(name.first)}から{in_japanese(name.last)}まで"
    written = ""
    for step in name.steps:
        level = _UNITS[LEVELS.index(step.level)]
        if step.number:
            written += f"第{kanji(int(step.number))}{level}"
        elif step.offset:
            count = kanji(abs(step.offset)) if abs(step.offset) > 1 else ""
            written += _side(step.offset, "前", "次") + count + level
        else:
            written += f"この{level}"
    return written


def _english_position(offset, noun):
    side = _side(offset, "preceding", "following")
    return f"the {side} {noun}" if abs(offset) == 1 else f"the {side} {_COUNTS[abs(offset)]} {noun}s"


def in_english(name):
    if isinstance(name, Number):
        return english_number(name.number)
    if isinstance(name, Relative):
        return _english_position(name.offset, "Article")
    if isinstance(name, Range):
        return f"{in_english(name.first)} through {in_english(name.last)}"
    written = []
    for step in reversed(name.steps):
        noun = step.level.capitalize()
        if step.number:
            written.append(f"{noun} {step.number}")
        else:
            written.append(_english_position(step.offset, noun) if step.offset else f"this {noun}")
    return " of ".join(written)


FORMS = {
    "ja": (japanese_words, in_japanese, "{words}{name}の規定は、灯について{use}する。", ("適用", "準用")),
    "en": (
        english_words,
        in_english,
        "{words} The provisions of {name} apply {use}to lamps. ",
        ("", "mutatis mutandis "),
    ),
}


@pytest.mark.parametrize("language", FORMS)
@given(meant=st.lists(st.tuples(named, st.booleans()), max_size=5), data=st.data())
def test_references_that_are_written_come_back(language, meant, data):
    words, written, form, uses = FORMS[language]
    sentence = data.draw(words)
    text = "".join(form.format(words=sentence, name=written(name), use=uses[it]) for name, it in meant)
    read = mentions(text, language)
    assert [(mention.name, mention.mutatis_mutandis) for mention in read] == meant
    assert all(text.startswith(mention.words, mention.start) for mention in read)


_PIECES = (
    '第|三|の|条|章|前|同条|この節|法|（|）|「|」|を除く。|準用する。|から|まで|は|\n|Article |Articles |5|-2|(|)|“|"'
    "| of the |Act|, |and |Section |IX|preceding |apply mutatis mutandis|excluding "
)
pieces = st.lists(st.sampled_from(_PIECES.split("|"))).map("".join)


@given(st.text() | pieces, st.sampled_from(["ja", "en"]))
def test_any_text_is_read_in_order(text, language):
    starts = [mention.start for mention in mentions(text, language)]
    assert starts == sorted(starts)


# The graph of references between the articles of a code.


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

"""Decisions: paragraphs, sections, cleaning, suppressed markers, the wording of near-identical texts, and French."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text import decisions
from ir_coliee.text.cleaning import clean_case, french_passages, is_french, join_broken_lines, remove_french
from ir_coliee.text.decisions import paragraphs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Summary: a lamp.\n[1]\nIt was lent.", ["Summary: a lamp.", "It was lent."]),
        (" A lamp, see [3] there.\n", ["A lamp, see [3] there."]),
        ("", [""]),
        ("[1]\na\n[4]\nb\n[1]\nc", ["", "a", "b", "c"]),
        ("[1]\n[2]\nTwo.", ["", "", "Two."]),
        *((f"One.\n{mark}Two.", ["One.", "Two."]) for mark in ("[1117]\n", "\t[3] ", "\u00a0[3]\u00a0\n")),
        ("One.\n[2098] 3 X.C. 9\nmore", ["One.\n[2098] 3 X.C. 9\nmore"]),
        ("One.\r\n[2098]\r\nTwo.\r\n[3]\r\nThree.", ["One.", "Two.", "Three."]),
    ],
)
def test_a_decision_is_split_at_its_marks(text, expected):
    assert paragraphs(text) == expected


lines = st.lists(st.sampled_from(["a lamp", "", "[1]", " [2] ", "[2098]", "[7] gate", "<FRAGMENT_SUPPRESSED>"]))


@given(lines.map("\n".join))
def test_the_paragraphs_together_have_the_words_of_the_decision(text):
    together = " ".join(clean_case(paragraph) for paragraph in paragraphs(text))
    assert together.split() == clean_case(text).split()


@pytest.mark.parametrize("opening", ["7]\nA lamp.", " 7] A lamp.", "\n\n7]\nA lamp."])
def test_the_mark_that_opens_a_text_may_have_lost_its_bracket(opening):
    assert paragraphs(opening) == ["", "A lamp."]
    assert clean_case(opening) == "A lamp."
    assert decisions.paragraph_spans(opening)[1].number == 7
    assert paragraphs(f"A gate.\n{opening}") == [f"A gate.\n{opening}"]


bracketed = st.text(alphabet="[]123 \t\u00a0\nA\r", max_size=40)


@given(bracketed | st.text() | lines.map("\n".join))
def test_offsets_lead_back_to_the_text(text):
    found = decisions.paragraph_spans(text)
    assert [paragraph.text.of(text) for paragraph in found] == paragraphs(text)
    assert [paragraph.number is None for paragraph in found] == [True] + [False] * (len(found) - 1)
    bounds = [offset for paragraph in found for offset in (*paragraph.mark, *paragraph.text)]
    assert bounds == sorted(bounds)


# The parts of a decision: header with counsel and summary, body, trailer.


DECISION = """ <FRAGMENT_SUPPRESSED>  (FC)
MLB headnote and full text
Temp. Cite: [2098] X.Y. Nr. 12
Lamp v. Gate
Summary:
A lamp was lent.
It was lost.
Lamps
- Topic 7
Counsel:
A. Nobody, for the lamp;
Solicitors of Record:
Nobody and Co.
This case was heard on May 1, 2002.
[1]
I allow it.
[2]
No costs.
Editor: Nobody/xyz

[End of document]
"""


def parts_of(text):
    return {name: span.of(text) for name, span in decisions.case_sections(text)._asdict().items()}


def test_every_part_is_found():
    parts = parts_of(DECISION)
    assert parts["header"] == DECISION.partition("[1]")[0].strip()
    assert parts["summary"] == "A lamp was lent.\nIt was lost."
    assert parts["counsel"] == "Counsel:\nA. Nobody, for the lamp;\nSolicitors of Record:\nNobody and Co."
    assert parts["body"] == "[1]\nI allow it.\n[2]\nNo costs."
    assert parts["trailer"] == "Editor: Nobody/xyz\n\n[End of document]"


@pytest.mark.parametrize(
    ("headnote", "found"),
    [
        ("Summary: A lamp.\n- Topic 7\n", "A lamp."),
        ("Summary:\nA lamp.\nLamps\n- Topic 7\n", "A lamp."),
        ("Summary:\nA lamp.\nLamps - Topic 7\nA gate - Topic 8\n", "A lamp."),
        ("  Summary:\nA lamp.\n", "A lamp."),
        ("Summary:\nA lamp\nLamps - Topic 7\n", "A lamp"),
        ("Summary:\nA lamp.\nCounsel:\nNobody\n", "A lamp."),
        ("Summary:\nA lamp.\nCases Noticed:\n<FRAGMENT_SUPPRESSED>\n", "A lamp."),
        ("Summary:\n[French language version follows English language version]\n", ""),
        *((headnote, "") for headnote in ("Summary:\n- Topic 7\n", "Summary:\nLamps\n- Topic 7\n")),
        *((headnote, "") for headnote in ("Summary: Lamps - Topic 7\n", "Summary:\n", "In Summary: a lamp.\n")),
        ("Summary:\nA lamp.\nSummary:\nUne lampe.\n", "A lamp."),
    ],
)
def test_the_summary_ends_before_its_topics_or_the_next_label(headnote, found):
    assert decisions.summary(f"Lamp v. Gate\n{headnote}[1]\nI allow it. - Topic 9") == found


@pytest.mark.parametrize(
    ("end", "trailer"),
    [
        *((end, end) for end in ("[End of document]", "Editor's note: none\nEditor: Nobody\n[End of document]")),
        ("Editor: Nobody/xyz\n", "Editor: Nobody/xyz"),
        ("\n\n [End of document] \n\n", "[End of document]"),
        *((end, "") for end in ("[End of document] indeed", "[End of document]\nNo costs.", "")),
    ],
)
def test_the_trailer_is_only_at_the_end(end, trailer):
    assert parts_of(f"[1]\nEditor: she edits.\nI allow it.\n{end}")["trailer"] == trailer


LINES = st.lists(
    st.sampled_from(
        [
            *DECISION.splitlines(),
            *("", " ", "- Topic 9", "Summary: x", "[", "]", "[[3]", "\x00", "\ud800", "Counsel :", "[1] y"),
        ]
    )
).map("\n".join)


@given(LINES | st.text())
def test_header_body_and_trailer_are_the_whole_of_any_text(text):
    parts = decisions.case_sections(text)
    whole = [parts.header, parts.body, parts.trailer]
    assert [word for span in whole for word in span.of(text).split()] == text.split()
    assert all(0 <= span.start <= span.end <= len(text) for span in parts)
    for part in (parts.summary, parts.counsel):
        around = parts.header if parts.header.end else parts.body
        assert part.start == part.end or (around.start <= part.start and part.end <= around.end)


# Cleaning of decisions.


EDITORS_NOTES = ("Editor's note: see there.", "[Editor’s Note: none]", "EDITOR'S NOTE")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("the caseFRAGMENT_SUPPRESSEDheld; IREFERENCE_SUPPRESSED", "the case held; I"),
        *((text, text) for text in ("The evidence was SUPPRESSED, see FRAGMENT 4.", "One.\n[20041]\nTwo.")),
        *((text, text) for text in ("She is an Editor: she edits.", "The translation is mine.")),
        *((f"One.\n{mark}\nTwo.", "One.\nTwo.") for mark in ("[1]", " [1117] ", "\t[3]", "\u00a0[3]\u00a0")),
        ("[1]\nOne.\n[2] Two is [3] here.", "One.\nTwo is [3] here."),
        ("\u00a0[French language version follows English language version] <DATE_SUPPRESSED> (FC)", "(FC)"),
        *((f"One.\n {note}\nTwo, an editor's note.", "One.\nTwo, an editor's note.") for note in EDITORS_NOTES),
        *((f"[2]\n{word} A lamp was {word} lit.", "A lamp was lit.") for word in decisions.TRANSLATIONS),
        ("  One \t\u00a0 two \n\n \n thr\u00adee  ", "One two\nthree"),
        *((text, "") for text in ("", " ", "\n", "[1]", "<FRAGMENT_SUPPRESSED>", "[End of document]")),
    ],
)
def test_what_organisers_and_editors_put_in_goes_and_all_else_stays(text, cleaned):
    assert clean_case(text) == cleaned


@pytest.mark.parametrize(
    "line",
    [
        *("Editor: Nobody/xyz", "[End of document]", "MLB unedited judgment", "MLB headnote and full text"),
        *("Temp. Cite: [2098] X.Y. Nr. 12", "[French language version follows English language version]"),
        "[La version française vient à la suite de la version anglaise]",
        "[English language version follows French language version]",
        "[La version anglaise vient à la suite de la version française]",
    ],
)
@pytest.mark.parametrize("before", ["", " ", "\u00a0"])
def test_an_editorial_line_goes_wherever_it_stands(line, before):
    assert clean_case(f"{before}{line}\nOne.\n{before}{line}\nTwo.\n{before}{line}") == "One.\nTwo."


NOISE = [
    *("<FRAGMENT_SUPPRESSED>", "REFERENCE_SUPPRESSED", "\n[14]\n", "\n [14] \n", "\n[End of document]\n"),
    *("\nEditor: Nobody/xyz\n", "\n\n", "\u00a0", "\t"),
]


@given(st.lists(st.sampled_from(["ferry", "Leaderboard", "s.", "14(2)", "élevée", *NOISE])))
def test_exactly_the_words_are_left_in_their_order(pieces):
    assert clean_case(" ".join(pieces)).split() == [piece for piece in pieces if piece not in NOISE]


NOISY_DECISION = (
    " <FRAGMENT_SUPPRESSED>  (FC)\nMLB unedited judgment\nKestry Court\n[1]\nSee\n<FRAGMENT_SUPPRESSED> , at\nnoon.\n"
    "[2]\nLa lampe est à la cour.\n[3]\n[Translation] The gate\u00a0was\u00adn't  shut.\n[End of document]\n"
)


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({}, "(FC) Kestry Court See , at noon. La lampe est à la cour. The gate wasn't shut."),
        ({"drop_header": True}, "See , at noon. La lampe est à la cour. The gate wasn't shut."),
        ({"drop_french": True}, "(FC) Kestry Court See , at noon. The gate wasn't shut."),
    ],
)
def test_the_header_and_french_have_switches_of_their_own(switches, words):
    assert clean_case(NOISY_DECISION, **switches).split() == words.split()


def test_line_ends_of_either_kind_give_the_same():
    text = NOISY_DECISION.replace("[3]", " [1998] \nThere.\n[3]")
    for switches in ({}, {"drop_header": True, "drop_french": True, "join_lines": True}):
        assert clean_case(text.replace("\n", "\r\n"), **switches) == clean_case(text, **switches)


@pytest.mark.parametrize(
    ("broken", "joined"),
    [
        ("The lamp\nwas lit.", "The lamp was lit."),
        ("He cites\nLamp v. Gate", "He cites Lamp v. Gate"),
        ("He cites\n[2098] 3 X.C. 9", "He cites [2098] 3 X.C. 9"),
        ("He cites v.\nit", "He cites v. it"),
        ("He cites [6 and\n12] Lamp v. Gate", "He cites [6 and 12] Lamp v. Gate"),
        ("A lamp\n\n , lit", "A lamp , lit"),
        *((broken, broken) for broken in ("The lamp was lit.\nThe gate was shut.", "“The lamp was lit.”)\nThe gate")),
        *((broken, broken) for broken in ("[6] The lamp\n[7] was lit", "[7]\nwas lit", "a lamp;\nA gate")),
        ("Lamp v. Gate.\n, at 7", "Lamp v. Gate. , at 7"),
        ("[7] It\nwas lit", "[7] It was lit"),
        ("Kestry\nCourt\n[1]\nA\nlamp", "Kestry\nCourt\n[1]\nA lamp"),
    ],
)
def test_a_line_that_ends_no_sentence_goes_on_in_the_next(broken, joined):
    assert join_broken_lines(broken) == joined


@given(
    st.text()
    | st.lists(st.sampled_from(["a lamp", "[1]", " [2] x", "Lamp.", "é la de", "\n", "\ud800"])).map("\n".join)
)
def test_joining_lines_keeps_every_word(text):
    assert join_broken_lines(text).split() == text.split()
    assert isinstance(clean_case(text, drop_header=True, drop_french=True, join_lines=True), str)


# Suppressed markers.


# as in the description of the data
PATTERN = re.compile(r"<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?")
PIECES = ["FRAGMENT", "REFERENCE", "CITATION", "DATE", "_SUPPRESSED", "FRAGMENT_SUPPRESSED", "<", ">", "a", " ", "\n"]


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_markers_are_what_the_pattern_of_the_description_finds(text):
    assert [tuple(span) for span in decisions.marker_spans(text)] == [found.span() for found in PATTERN.finditer(text)]
    assert decisions.remove_markers(text) == PATTERN.sub(" ", text)


@given(st.text(" \n\u00a0ab", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_a_span_without_blanks_is_what_strip_leaves(text, start, length):
    span = decisions.Span(min(start, len(text)), min(start + length, len(text)))
    stripped = span.stripped(text)
    assert stripped.of(text) == span.of(text).strip()
    assert span.start <= stripped.start <= stripped.end <= span.end


# The wording by which near-identical texts are found.


def bare(text):
    return re.sub(r"\W", "", text.lower())


@given(st.text() | st.text(alphabet="aA1 .-_’\u00a0\u00ad\u0130ßé灯、　\n"))
def test_the_wording_is_the_lower_cased_text_without_what_is_no_word_character(text):
    assert decisions.normalised_text(text) == bare(text).encode()


# The French of decisions in two languages.


@pytest.mark.parametrize(
    ("text", "french"),
    [
        *((text, True) for text in ("La demande est rejetée.", "LA DEMANDE EST REJETÉE", "L'appelant n'a rien dit")),
        *((text, True) for text in ("L’appelant n’a rien dit", "Il s'agit d'une lampe\u00a0: elle brille")),
        ("The application is dismissed.", False),
        ("The judgment of the Cour du Québec is upheld by the court.", False),
        *((text, None) for text in ("Lamp v. Conseil de Kestry", "Nobody, J.", "12", "", "la of de the")),
        ("la la of", True),
        ("la of the", False),
        ("de novo", None),
    ],
)
def test_the_language_is_that_of_most_function_words(text, french):
    assert is_french(text) is french


ENGLISH, FRENCH = "The lamp was lit by the keeper.", "La lampe a été allumée par le gardien."


def decision(*paragraphs):
    return "".join(f"[{number}]\n{text}\n" for number, text in paragraphs)


COPY = {"duplicates_only": True}


@pytest.mark.parametrize(
    ("numbered", "options", "kept"),
    [
        *(([(1, ENGLISH), (1, FRENCH), (2, ENGLISH)], {"by": by}, [0, 2]) for by in ("paragraph", "line")),
        ([(1, "Nobody, J."), (2, FRENCH), (3, "Nobody, J."), (4, ENGLISH), (5, "Nobody, J.")], {}, [0, 3, 4]),
        ([(1, f"{ENGLISH}\n{FRENCH}\n{ENGLISH}"), (2, ENGLISH)], {}, [0, 1]),
        # a copy has the number of an English paragraph that is not empty
        ([(1, ENGLISH), (1, FRENCH), (2, FRENCH), (1, FRENCH), (3, FRENCH), (3, ENGLISH)], COPY, [0, 2, 3, 5]),
        ([(1, ""), (1, FRENCH), (2, ENGLISH)], COPY, [0, 1, 2]),
    ],
)
def test_french_paragraphs_go_and_what_stands_before_and_behind_stays(numbered, options, kept):
    befores = ["", *(f" {notice} <FRAGMENT_SUPPRESSED>\nLamp v. Gate\n" for notice in decisions.NOTICES)]
    for before, after in itertools.product(befores, ["", "Editor: Nobody/xyz\n[End of document]\n"]):
        text, expected = (f"{before}{decision(*each)}{after}" for each in (numbered, [numbered[n] for n in kept]))
        assert remove_french(text, **options) == expected


def test_a_header_goes_by_lines():
    text = f"{ENGLISH}\n{FRENCH}\nNobody, J.\n{ENGLISH}\n{decision((1, ENGLISH))}"
    assert remove_french(text) == f"{ENGLISH}\n{ENGLISH}\n{decision((1, ENGLISH))}"


def test_a_paragraph_is_judged_as_one_or_line_by_line():
    text = decision((1, f"{ENGLISH}\n{FRENCH}\n{ENGLISH}"), (2, ENGLISH))
    assert remove_french(text, by="line") == decision((1, f"{ENGLISH}\n{ENGLISH}"), (2, ENGLISH))
    with pytest.raises(ValueError, match="neither 'paragraph' nor 'line'"):
        remove_french(text, by="page")


def test_passages_say_whether_they_are_copies():
    text = decision((1, ENGLISH), (1, FRENCH), (2, FRENCH), (1, FRENCH), (3, FRENCH), (3, ENGLISH))
    found = [(passage.number, passage.is_duplicate) for passage in french_passages(text)]
    assert found == [(1, True), (2, False), (1, False), (3, True)]


def test_a_text_without_accents_is_not_searched():
    assert french_passages(decision((1, "la le de du des"))) == []
    assert len(french_passages(decision((1, "la le de du des e\u0301")))) == 1


pieces = st.lists(
    st.sampled_from(
        [
            *("[1]", " [2] ", "[2098]", "[3] x"),
            ENGLISH,
            FRENCH,
            *("la", "the", "", "Nobody", "[End of document]", "\x00", "\ud800é"),
        ]
    )
).map("\n".join)


@given(pieces | st.text(), st.sampled_from(["paragraph", "line"]))
def test_passages_are_in_order_within_any_text_and_all_else_is_kept(text, by):
    passages = french_passages(text, by)
    bounds = [0, *(bound for passage in passages for bound in passage[:2]), len(text)]
    assert bounds == sorted(bounds)
    assert all(passage.start < passage.end for passage in passages)
    kept = "".join(text[start:end] for start, end in zip(bounds[::2], bounds[1::2]))
    assert remove_french(text, by) == kept

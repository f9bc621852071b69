"""The parts of a decision: header with counsel and summary, body, trailer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.decisions import case_sections, summary

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
    return {name: span.of(text) for name, span in case_sections(text)._asdict().items()}


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
        ("Summary:\n- Topic 7\n", ""),
        ("Summary:\nLamps\n- Topic 7\n", ""),
        ("Summary: Lamps - Topic 7\n", ""),
        ("Summary:\n", ""),
        ("In Summary: a lamp.\n", ""),
        ("Summary:\nA lamp.\nSummary:\nUne lampe.\n", "A lamp."),
    ],
)
def test_the_summary_ends_before_its_topics_or_the_next_label(headnote, found):
    assert summary(f"Lamp v. Gate\n{headnote}[1]\nI allow it. - Topic 9") == found


@pytest.mark.parametrize(
    ("end", "trailer"),
    [
        ("[End of document]", "[End of document]"),
        ("Editor: Nobody/xyz\n", "Editor: Nobody/xyz"),
        ("\n\n [End of document] \n\n", "[End of document]"),
        (
            "Editor's note: none\nEditor: Nobody\n[End of document]",
            "Editor's note: none\nEditor: Nobody\n[End of document]",
        ),
        ("[End of document] indeed", ""),
        ("[End of document]\nNo costs.", ""),
        ("", ""),
    ],
)
def test_the_trailer_is_only_at_the_end(end, trailer):
    assert parts_of(f"[1]\nEditor: she edits.\nI allow it.\n{end}")["trailer"] == trailer


LINES = st.lists(
    st.sampled_from(
        [
            *DECISION.splitlines(),
            "",
            " ",
            "- Topic 9",
            "Summary: x",
            "[",
            "]",
            "[[3]",
            "\x00",
            "\ud800",
            "Counsel :",
            "[1] y",
        ]
    )
).map("\n".join)


@given(LINES | st.text())
def test_header_body_and_trailer_are_the_whole_of_any_text(text):
    parts = case_sections(text)
    whole = [parts.header, parts.body, parts.trailer]
    assert [word for span in whole for word in span.of(text).split()] == text.split()
    assert all(0 <= span.start <= span.end <= len(text) for span in parts)
    for part in (parts.summary, parts.counsel):
        around = parts.header if parts.header.end else parts.body
        assert part.start == part.end or (around.start <= part.start and part.end <= around.end)

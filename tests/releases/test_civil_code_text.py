"""The civil code of 2017: hard-wrapped English text, in which references look like elements."""

import textwrap
import warnings

import pytest
from hypothesis import given, settings
from strategies import wrapped_articles

from ir_coliee.releases.civil_code import read_civil_code

# Articles 1-724 are wrapped, with one blank behind the number; from 725 there are two, and long lines.
WRAPPED = """Civil Code
(Act No. 900 of April 99, 1898)
Part I Gates
Chapter 1 Keepers
Section I Keepers by Day and Keepers by Night in Times of Rain or of
Snow
(Closing of Gates)
Article 1 (1) A gate is closed at dusk by the keeper of the gate, if a light (see
Article 1) is lit, except in:
(i) if the keeper is ill, and has said so to another keeper who holds the
key of the gate; or
(ii) if the gate is broken:
(a) by a guest in the cases of the preceding paragraph and paragraph
(2);
(b) by rain.
(2) The provisions of the preceding paragraph and of Article 1, paragraph
(1) shall apply to the lamps. The same holds for paragraphs (1) and
(2) of Article 1, and in the cases of paragraphs (1),
(2) and of the rule that is written in
(1) above.
(Rules for Keepers who Leave their Gate before Dusk and for Keepers who
Return to it after Dawn)
Article 2 The gate is left to a guest in accordance with the provisions of
Article 1 applied to guests under the next Article, or under the provisions of
Part IV (Guests) as they apply to guests, and of
Part 2 too, as in
(1) above.
Article 3 Deleted
Article 3-2 deleted
Chapter III Lamps
Section 1 Oil
(Oil (Fish))
Article 10(1)Oil is poured.
(2)Oil is not drunk. In the cases of (1),
(3) and (4) it is lent. In a case under
Articles 113 to 115 and other
Articles, if any, it is sold.
(Oil (of Every Kind) that is Kept in
Jars (Glass))
Article 11
Oil is kept.
Part II Guests by Day and Guests by Night and Guests in Times of Rain
or of Snow
(Last Guests)
Article 725  A guest leaves.
Article 1044  A long line that is not wrapped, in accordance with the provisions of Article 11 and of Section 1 Oil.
"""


@pytest.fixture(params=["\n", "\r\n"])
def code(request, tmp_path):
    path = tmp_path / "civil_english.txt"
    path.write_bytes(WRAPPED.replace("\n", request.param).encode("ascii"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return {article.doc_id: article for article in read_civil_code(path, "en")}


def test_only_rising_numbers_open_articles(code):
    assert list(code) == ["1", "2", "3", "3-2", "10", "11", "725", "1044"]
    assert [number for number, article in code.items() if article.deleted] == ["3", "3-2"]


def test_lines_are_joined_back_into_elements(code):
    assert code["1"].text.split("\n") == [
        "(1) A gate is closed at dusk by the keeper of the gate, if a light (see Article 1) is lit, except in:",
        "(i) if the keeper is ill, and has said so to another keeper who holds the key of the gate; or",
        "(ii) if the gate is broken:",
        "(a) by a guest in the cases of the preceding paragraph and paragraph (2);",
        "(b) by rain.",
        "(2) The provisions of the preceding paragraph and of Article 1, paragraph (1) shall apply to the lamps. "
        "The same holds for paragraphs (1) and (2) of Article 1, and in the cases of paragraphs (1), (2) and "
        "of the rule that is written in (1) above.",
    ]
    assert len(code["1"].paragraphs) == 2
    assert [len(item.split("\n")) for item in code["1"].items] == [1, 3]
    assert code["10"].paragraphs == (
        "(1)Oil is poured.",
        "(2)Oil is not drunk. In the cases of (1), (3) and (4) it is lent. In a case under Articles 113 to 115 and "
        "other Articles, if any, it is sold.",
    )
    assert code["11"].text == "Oil is kept."
    assert code["2"].text.endswith(
        "the provisions of Part IV (Guests) as they apply to guests, and of Part 2 too, as in (1) above."
    )


def test_captions_may_be_wrapped_and_have_brackets_inside(code):
    assert [article.caption for article in code.values()] == [
        "Closing of Gates",
        "Rules for Keepers who Leave their Gate before Dusk and for Keepers who Return to it after Dawn",
        "",
        "",
        "Oil (Fish)",
        "Oil (of Every Kind) that is Kept in Jars (Glass)",
        "Last Guests",
        "",
    ]


def test_headings_stand_above_articles_only_and_may_be_wrapped(code):
    section = "Section I Keepers by Day and Keepers by Night in Times of Rain or of Snow"
    assert code["1"][4:][:4] == ("Part I Gates", "Chapter 1 Keepers", section, "")
    assert code["2"][4:8] == code["1"][4:8]
    assert code["10"][4:8] == ("Part I Gates", "Chapter III Lamps", "Section 1 Oil", "")
    part = "Part II Guests by Day and Guests by Night and Guests in Times of Rain or of Snow"
    assert code["725"][4:8] == (part, "", "", "")


def test_two_body_lines_that_look_like_a_wrapped_heading_are_body(tmp_path):
    path = tmp_path / "civil_english.txt"
    path.write_text(
        "Code\nArticle 1 A gate is closed under the\nPart 2 Rules (Guests) as if it\nwere new\nArticle 2 A lamp."
    )
    first, second = read_civil_code(path, "en")
    assert first.text == "A gate is closed under the Part 2 Rules (Guests) as if it were new"
    assert second.part == ""


@pytest.mark.slow
@settings(max_examples=80)
@given(wrapped_articles)
def test_any_wrapped_text_reads_like_the_text_that_was_not_wrapped(tmp_path_factory, meant):
    width, articles = meant
    plain, wrapped = ["Civil Code", "(Act No. 900)", "Part I Gates"], ["Civil Code", "(Act No. 900)", "Part I Gates"]
    for number, caption, lines in articles:
        block = [*([f"({caption})"] if caption else []), f"Article {number} {lines[0]}", *lines[1:]]
        plain += block
        wrapped += [piece for line in block for piece in textwrap.wrap(line, width, break_on_hyphens=False)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        folder = tmp_path_factory.getbasetemp()
        (folder / "plain.txt").write_text("\n".join(plain))
        (folder / "wrapped.txt").write_text("\n".join(wrapped))
        found = read_civil_code(folder / "wrapped.txt", "en")
        assert found == read_civil_code(folder / "plain.txt", "en")
    assert [(article.doc_id, article.caption, article.text.split("\n")) for article in found] == [
        (number, caption, lines) for number, caption, lines in articles
    ]

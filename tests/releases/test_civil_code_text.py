"""The civil code of 2017: hard-wrapped English text, in which references look like elements."""

import textwrap
import warnings

import pytest
from hypothesis import given, settings
from strategies import wrapped_articles

from ir_coliee.releases.civil_code import read_civil_code


def test_two_body_lines_that_look_like_a_wrapped_heading_are_body(tmp_path):
    path = tmp_path / "civil_english.txt"
    path.write_text(
        "Code\nArticle 1 A gate is closed under the\nPart 2 Rules (Guests) as if it\nwere new\nArticle 2 A lamp."
    )
    first, second = read_civil_code(path, "en")
    assert first.text == "A gate is closed under the Part 2 Rules (Guests) as if it were new"
    assert second.part == ""


@pytest.mark.slow
@settings(max_examples=40)
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

"""Every Python example of README, questions and how-to pages runs without a warning and prints what the page shows."""

import re

import pages
import pytest


def marks(example):
    found = [] if example.page == "README" else [pytest.mark.slow]
    return found if "tiny_checkpoint" in example.code else [*found, pytest.mark.without_models]


EXAMPLES = [pytest.param(each, id=f"{each.page}-{each.number}", marks=marks(each)) for each in pages.examples()]
NUMBER = re.compile(r"-?\d+\.\d*(?:e-?\d+)?")


def text_and_figures(output):
    """Split an output into its text, in which blanks do not count, and the numbers with decimals in it."""
    return NUMBER.sub("#", output).split(), [float(number) for number in NUMBER.findall(output)]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_prints_what_the_page_shows_and_no_warning(example):
    has_random_weights = "tiny_checkpoint" in example.code
    if has_random_weights:
        pytest.importorskip("sentence_transformers")
        pytest.importorskip("accelerate")  # what fine-tuning needs
    seen = pages.run(example.code)
    if has_random_weights:  # these models have a token for each letter, and transformers shows bars of its own
        others = [each for each in seen.warnings if not ("split into chunks" in each or "exceed the window" in each)]
        seen = seen._replace(stderr="", warnings=others)
    assert (seen.warnings, seen.stderr) == ([], "")
    assert example.output, "run python tests/pages.py"
    text, figures = text_and_figures(seen.output)
    shown_text, shown_figures = text_and_figures(example.output)
    assert text == shown_text
    assert has_random_weights or figures == pytest.approx(shown_figures, rel=1e-3)

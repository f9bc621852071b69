"""The exception tree: what catches what, what a message says, and that an error survives pickling."""

import copy
import pickle
import re
import sys
import traceback
from pathlib import Path

import pytest

from ir_coliee.errors import (
    AmbiguousReleaseError,
    ColieeError,
    ExistingFileError,
    MalformedFileError,
    MalformedRunError,
    MissingExtraError,
    MissingLabelsError,
    MissingReleaseError,
    UnknownIdError,
)

EXAMPLES = [
    UnknownIdError("coliee/task9", ["coliee/task1/sample/test", "coliee/task2/sample/test"]),
    MissingReleaseError("the corpus is not there"),
    MissingLabelsError("the labels are not there"),
    AmbiguousReleaseError("two copies are there"),
    MalformedFileError(Path("some.run"), 3, "2 columns", "3 columns"),
    MalformedFileError("labels.json", None, "neither an object nor a list", "an object"),
    MalformedRunError("no id is known"),
    ExistingFileError("some.run is there already"),
    MissingExtraError("The classifier", "learn"),
    ColieeError("anything"),
]


def name(error):
    return type(error).__name__


@pytest.mark.parametrize("error", EXAMPLES, ids=name)
def test_an_error_survives_the_way_between_processes(error):
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("error", EXAMPLES, ids=name)
def test_the_help_is_the_last_line_of_a_traceback_and_leads_to_a_section_that_begins_with_the_name_of_the_error(error):
    assert error.help_url not in str(error)
    last = "".join(traceback.format_exception_only(type(error), error)).splitlines()[-1]
    assert last == f"Help: {error.help_url}" or sys.version_info < (3, 11)
    page = Path(__file__).parents[1] / "docs" / "troubleshooting.md"
    if not page.exists():
        pytest.skip("no docs here")
    sections = re.findall(r"^## ([^\n]+)\n\n(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    texts = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"): text for heading, text in sections}
    assert texts[error.section].startswith(f"`{name(error)}`")
    assert error.help_url.endswith(f"/troubleshooting.html#{error.section}")

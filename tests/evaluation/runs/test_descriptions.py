"""The system description: a block is added for each run, and nothing that people have written is changed."""

import re
import time

import pytest

from ir_coliee.editions import split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.submission import validate_submission, with_block

TASK1 = split("coliee/task1/sample/test")
BLANK = """\
Task: 1
Run tag: mine
- Machine learning models:
- External resources:
- Explaination:
"""
FILLED = """\
Task: 1
Run tag: mine
- Machine learning models: a small encoder
- External resources: none
- Explaination: Rank, then cut.
"""


def saved(folder, text):
    path = folder / "SystemDescription.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def warnings_on(folder, text):
    saved(folder, text)
    (folder / "task1.mine").write_text("900656 900557 mine\n")
    found = validate_submission(TASK1, {"run": [folder / "task1.mine"]})
    return [finding.message for path, finding in found if path is None and finding.level != "note"]


LAYOUTS = {
    "official": FILLED,
    "spelling": FILLED.replace("Explaination", "Explanation"),
    "no dash": FILLED.replace("- ", ""),
    "capitals": FILLED.upper().replace("MINE", "mine"),
    "CR LF": FILLED.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + FILLED,
    "blank lines": "\n\n" + FILLED.replace("\n", "\n\n \n"),
    "heading": "The systems of a group\n======\n\n" + FILLED,
    "tabs": FILLED.replace(": ", " :\t").replace("mine", "mine  "),
    "text below its field": FILLED.replace(": a small", ":\na small"),
    "another run before it": "Task: COLIEE 2025, Task 1\nRun tag: other\n\n" + FILLED.replace("Task: 1\n", ""),
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_a_block_is_known_however_it_is_laid_out(tmp_path, text):
    path = saved(tmp_path, text)
    assert with_block(path, TASK1, "mine") == path.read_bytes()
    assert warnings_on(tmp_path, text) == []


def test_the_first_block_has_the_fields_as_the_organisers_spell_them(tmp_path):
    assert with_block(tmp_path / "new", TASK1, "mine") == BLANK.encode()


@pytest.mark.parametrize(
    "text",
    [FILLED.replace("mine", "other"), FILLED.replace("Task: 1", "Task: 2"), "notes", b"caf\xe9\n", "\ufeffnotes\n"],
)
def test_a_further_block_leaves_every_byte_that_was_there(tmp_path, text):
    path = saved(tmp_path, text)
    content = with_block(path, TASK1, "mine")
    assert content.startswith(path.read_bytes())
    assert content.endswith(b"\n\n" + BLANK.encode())


def test_a_further_block_ends_its_lines_as_the_file_does(tmp_path):
    content = with_block(saved(tmp_path, FILLED.replace("\n", "\r\n")), TASK1, "two")
    assert b"Run tag: two" in content
    assert not re.search(rb"(?<!\r)\n", content)


def test_fields_without_a_text_are_named(tmp_path):
    (warning,) = warnings_on(tmp_path, BLANK.replace("resources:", "resources: none"))
    assert warning.endswith("fields to be filled in: - Machine learning models:, - Explaination:")


def test_a_system_description_is_read_in_linear_time_up_to_its_limit(tmp_path):
    """The white space of a line was matched in quadratic time: 100,000 blanks took minutes."""
    path = saved(tmp_path, " " * 900_000 + "\n" + FILLED)
    before = time.process_time()
    assert with_block(path, TASK1, "mine") == path.read_bytes()
    assert warnings_on(tmp_path, path.read_text()) == []
    assert time.process_time() - before < 5
    with pytest.raises(ColieeError, match="1,000,001 bytes are too many for a system description"):
        with_block(saved(tmp_path, " " * 1_000_001), TASK1, "mine")

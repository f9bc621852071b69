"""The system description: read as people write it, written as the organisers spell it, nothing lost."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.evaluation.submission import Description, read_descriptions, with_block

OFFICIAL = """\
Task: 1
Run tag: mine
- Machine learning models: a small encoder
- External resources: none
- Explaination: Rank, then cut.
"""


def write_description(path, description, **options):
    path.write_bytes(with_block(path, description, **options))


MINE = Description("1", "mine", "a small encoder", "none", "Rank, then cut.")
OTHER = Description("1", "other", "", "a word list", "No model.\nOnly words.")


def saved(folder, text):
    path = folder / "SystemDescription.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        OFFICIAL,
        OFFICIAL.replace("Explaination", "Explanation"),
        OFFICIAL.replace("- ", ""),
        OFFICIAL.replace("- ", "* ").upper().replace("A SMALL ENCODER", "a small encoder"),
        OFFICIAL.replace("\n", "\r\n"),
        OFFICIAL.replace("\n", "\r"),
        "\ufeff" + OFFICIAL,
        "\n\n" + OFFICIAL.replace("\n", "\n\n \n"),
        "The systems of a group\n======\n\n" + OFFICIAL,
        OFFICIAL.replace(": ", " :\t").replace("mine", "mine  "),
        OFFICIAL.replace("a small encoder", "a\n   small encoder").replace(
            "Task: 1\nRun tag: mine", "Run tag: mine\nTask: 1"
        ),
    ],
    ids=["official", "spelling", "no dash", "capitals", "crlf", "cr", "bom", "blank", "heading", "tabs", "tag first"],
)
def test_a_block_is_read_however_it_is_laid_out(tmp_path, text):
    (found,) = read_descriptions(saved(tmp_path, text))
    assert [value.replace("\n", " ").casefold() for value in found] == [value.casefold() for value in MINE]


def test_several_blocks_are_read_in_order_and_a_task_holds_for_the_tags_below_it(tmp_path):
    text = OFFICIAL + "\nRun tag: other\nMachine learning models:\n\nTask: 3\nRun tag: mine\nExternal resources: x\n"
    assert read_descriptions(saved(tmp_path, text)) == [
        MINE,
        Description("1", "other"),
        Description("3", "mine", resources="x"),
    ]


@pytest.mark.parametrize(
    ("task", "number"),
    [("1", "1"), ("Task 1", "1"), ("task1", "1"), ("COLIEE 2025 Task 3", "3"), ("2025", "2025"), ("Pilot", "pilot")],
)
def test_a_run_is_known_by_the_number_of_its_task_and_its_tag(task, number):
    assert Description(task, "mine").run == (number, "mine")


def test_the_first_block_is_written_in_the_official_form(tmp_path):
    assert with_block(tmp_path / "new", MINE) == OFFICIAL.encode()


@pytest.mark.parametrize(
    "text", [OFFICIAL, OFFICIAL.rstrip("\n"), "notes\n\n", b"caf\xe9\n" + OFFICIAL.encode(), "\ufeffnotes"]
)
def test_a_further_block_leaves_every_byte_that_was_there(tmp_path, text):
    path = saved(tmp_path, text)
    before = path.read_bytes()
    write_description(path, OTHER)
    assert path.read_bytes().startswith(before)
    assert read_descriptions(path)[-1] == OTHER


def test_a_further_block_ends_its_lines_as_the_file_does(tmp_path):
    path = saved(tmp_path, OFFICIAL.replace("\n", "\r\n"))
    write_description(path, OTHER)
    assert not re.search(rb"(?<!\r)\n", path.read_bytes())


def test_a_block_that_says_the_same_is_left_alone(tmp_path):
    path = saved(tmp_path, OFFICIAL.replace("Explaination", "Explanation").replace("Task: 1", "Task: 1 "))
    assert with_block(path, MINE) == path.read_bytes()


def test_a_block_that_says_otherwise_is_kept_unless_overwriting_is_asked_for(tmp_path):
    text = "notes\n\n" + OFFICIAL + "\n\nTask: 2\nRun tag: mine\n"
    path = saved(tmp_path, text)
    with pytest.raises(ExistingFileError, match=r"(?s)already has a different description of run mine.*--force"):
        write_description(path, MINE._replace(models="none"))
    assert path.read_text() == text
    write_description(path, MINE._replace(models="none"), overwrite=True)
    assert path.read_text() == text.replace("a small encoder", "none")


@pytest.mark.parametrize("text", ["Task: 3", "well\n- external  resources: x", "\x1b[31m"])
def test_a_text_that_would_be_read_otherwise_is_refused(tmp_path, text):
    with pytest.raises(ColieeError, match="cannot be read back"):
        write_description(tmp_path / "new", MINE._replace(models="x\n" + text))
    assert list(tmp_path.iterdir()) == []


WORDS = st.text(st.characters(codec="utf-8"), max_size=30)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.builds(Description, WORDS, WORDS, WORDS, WORDS, WORDS))
def test_what_is_written_comes_back_whatever_the_file_was(tmp_path_factory, content, description):
    path = saved(tmp_path_factory.mktemp("any"), content)
    before = len(read_descriptions(path))
    try:
        write_description(path, description, overwrite=True)
    except ColieeError:
        assert path.read_bytes() == content
        return
    found = read_descriptions(path)
    assert len(found) in (before, before + 1)
    normal = ["\n".join(" ".join(line.split()) for line in v.split("\n") if line.strip()) for v in description]
    assert normal in [list(block) for block in found]


def test_a_system_description_is_read_in_linear_time_up_to_its_limit(tmp_path):
    """The white space of a line was matched in quadratic time: 100,000 blanks took minutes."""
    path = tmp_path / "SystemDescription.txt"
    path.write_text(" " * 900_000 + "\nTask: 3\nRun tag: mine\n")
    before = time.process_time()
    assert read_descriptions(path)[0].run == ("3", "mine")
    assert time.process_time() - before < 5
    path.write_text(" " * 1_000_001)
    with pytest.raises(ColieeError, match="1,000,001 bytes are too many for a system description"):
        read_descriptions(path)

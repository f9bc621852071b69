import re
from pathlib import Path

import pytest

import ir_coliee
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.models.replies import yes_or_no
from ir_coliee.models.templates import Solved, Turn, template

NAMES = sorted(path.stem for path in (Path(ir_coliee.__file__).parent / "etc" / "prompts").glob("*.txt"))


def test_there_are_templates_of_every_kind_in_both_languages():
    assert {
        f"{kind}.{language}" for kind in ("plain", "irac", "condition", "steps") for language in ("en", "ja")
    } < set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_template_asks_the_question_with_and_without_its_text(name):
    told = template(name)
    with_text, without = (told.conversation("A LAMP", text)[-1].content for text in ("ARTICLE 1", " \n"))
    assert "A LAMP" in with_text
    assert "ARTICLE 1" in with_text
    assert "A LAMP" in without
    assert "ARTICLE" not in without
    assert not re.search(r"\{(?:query|text|answer)\}", with_text + without + told.system)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", ["Y", "N"])
def test_the_answer_of_a_solved_example_is_one_that_we_would_read(name, answer):
    turns = template(name).conversation("q", "t", [Solved("an example", "its article", answer)])
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user"]
    assert "an example" in turns[1].content
    assert yes_or_no(turns[2].content) == answer


def test_braces_of_a_question_are_no_places(tmp_path):
    turns = template("plain.en").conversation("{text}{answer}{query}", "{query}")
    assert turns[-1].content.count("{text}{answer}{query}") == 1


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "short.txt"
    path.write_text("# mine\n\n[question]\n{query}? {text}\n[question without text]\n{query}?\n[yes]\nJa\n", "utf-8")
    told = template(str(path))
    assert told.name == "short"
    assert told.conversation("a", "b", [Solved("c", "", "Y")]) == (
        Turn("user", "c?"),
        Turn("assistant", "Ja"),
        Turn("user", "a? b"),
    )


BROKEN = {
    "": "question without text|question",
    "[question]\n{query}": "question",
    "[question]\n{query} {text}\n": "question without text",
    "hello\n[question]": "line 1",
    "[question]\n[question]": "line 2: the section .* a second time",
}


@pytest.mark.parametrize(("text", "problem"), BROKEN.items())
def test_a_broken_file_says_what_is_wrong(tmp_path, text, problem):
    path = tmp_path / "mine.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(MalformedFileError, match=problem):
        template(str(path))


def test_an_unknown_name_and_no_text_file_are_refused(tmp_path):
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe[question]\x80")
    for name in ("plain.fr", str(tmp_path), str(tmp_path / "bytes.txt"), "\0"):
        with pytest.raises(ColieeError, match=r"plain\.en"):
            template(name)

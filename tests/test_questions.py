"""Questions and answers: enough of them, short, with commands that exist and a link to the page that explains more."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "questions.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
ANSWERS = dict(re.findall(r"^## (.+?\?|.+?)\n\n(.+?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))

pytestmark = pytest.mark.skipif(not ANSWERS, reason="no docs here")


@pytest.mark.parametrize("question", ANSWERS)
def test_an_answer_is_short_and_leads_to_a_page(question):
    prose = re.sub(r"^```.*?^```\n", "", ANSWERS[question], flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) <= 110
    assert re.search(r"\]\((?!https:)[\w/-]+\.md", prose)


def test_the_commands_exist():
    from ir_coliee.cli.command_line import app

    commands = {command.name or command.callback.__name__ for command in app.registered_commands}
    called = set(re.findall(r"`ir_coliee (\w+)", TEXT))
    assert called
    assert called <= commands

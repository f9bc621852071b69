"""The files of the public project: hosted checks, issue templates, hooks, and the contributing page."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
CI = ROOT / ".ci" / "run"
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
pytestmark = pytest.mark.skipif(not WORKFLOW.exists(), reason="not a clone of the repository")


def steps_of_the_script():
    return re.findall(r"^(\w+)\(\) \{$", CI.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_hosted_checks_run_every_step_of_the_script():
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    hosted = {*jobs["linux"]["strategy"]["matrix"]["step"], "tests"}
    assert hosted == set(steps_of_the_script()) & set(re.search(r"set -- (.+);", CI.read_text())[1].split())
    assert ".ci/run tests" in [step.get("run") for step in jobs["tests"]["steps"]]


def test_the_hosted_checks_use_every_supported_python_and_system():
    matrix = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["tests"]["strategy"]["matrix"]
    metadata = (ROOT / "setup.cfg").read_text(encoding="utf-8")
    assert matrix["python"] == re.findall(r"Python :: (3\.\d+)$", metadata, re.MULTILINE)
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]


@pytest.mark.parametrize("name", ["bug", "question", "new_edition"])
def test_issue_templates_warn_of_the_data_use_agreement(name):
    template = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text(encoding="utf-8"))
    text = " ".join(field["attributes"].get("value", "") for field in template["body"])
    assert "data-use agreement" in text


def test_the_hooks_are_those_of_the_lint_step():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert {hook["id"] for repo in hooks if repo["repo"] == "local" for hook in repo["hooks"]} == {
        "ruff",
        "ruff-format",
        "mypy",
    }


@pytest.mark.parametrize(
    "name",
    [
        "CONTRIBUTING.md",
        "SECURITY.md",
        "README.md",
        "docs/reference/glossary.md",
        "docs/explanations/robustness-tests.md",
    ],
)
def test_paths_that_the_pages_name_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:ir_coliee|tests|docs|examples|benchmarks)/[\w/.]*)`", text)
    assert [path for path in named if not (ROOT / path).exists()] == []

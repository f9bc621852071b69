"""An edition that a user describes in a file is written like those of the package."""

import ir_datasets
import pytest

from ir_coliee.synthetic import write_release

TINY = 0.002

SUBMISSION = "submission: {format: answer set, file: 'run.{tag}'}"
CASE_LAW = """\
edition: 2028
{task}:
  languages: [en]
  layout: {layout}
  measure: MicroF1
  labels: JSON
  files: {{corpus: "cases_{{split}}_{{edition}}", labels: "gold_{{split}}_{{edition}}.json"}}
  train: {{}}
  test: {{}}
  {submission}
"""
STATUTES = """\
edition: 2028
statutes:
  languages: [en]
  layout: pairs
  code_format: {code_format}
  files: {{articles: "law_{{edition}}.txt", questions: "questions_{{exam_year}}.xml"}}
  train: {{exam_years: R06-R08}}
  test: {{exam_years: R09}}
task3:
  measure: MacroF2
  labels: article heads
  train: {{}}
  test: {{}}
  {submission}
"""
PILOT = """\
edition: 2028
pilot:
  languages: [ja]
  layout: JSON Lines
  train: {files: {instances: first.jsonl}}
  test: {files: {instances: second.jsonl}}
prediction:
  measure: AnswerAccuracy
  labels: true or false
  train: {}
  test: {}
  submission: {format: filled test file, file: "{tag}.jsonl"}
"""


@pytest.fixture
def describe(tmp_path, monkeypatch):
    """Write the file of an edition into the data folder, which is returned."""
    registered = set(ir_datasets.registry)
    (tmp_path / "editions").mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))

    def written(text):
        name = text.partition("\n")[0].removeprefix("edition: ")
        (tmp_path / "editions" / f"{name}.yaml").write_text(text, encoding="utf-8")
        return tmp_path

    yield written
    for dataset_id in set(ir_datasets.registry) - registered:
        del ir_datasets.registry._registered[dataset_id]


def is_counted(planted):
    """Whether the loader gives the counts that were planted, for every split."""
    for dataset_id, counts in planted.splits.items():
        dataset = ir_datasets.load(dataset_id)
        found = (
            sum(1 for _ in dataset.queries_iter()),
            sum(1 for _ in dataset.docs_iter()),
            len(list(dataset.qrels_iter())) if counts.qrels else 0,
        )
        assert found == tuple(counts), dataset_id


@pytest.mark.parametrize("irregularities", [False, True])
@pytest.mark.parametrize(
    ("release", "text"),
    [
        ("task1/2028", CASE_LAW.format(task="task1", layout="flat", submission=SUBMISSION)),
        ("task1/2029", CASE_LAW.format(task="task1", layout="pools", submission=SUBMISSION).replace("2028", "2029")),
        ("task2/2028", CASE_LAW.format(task="task2", layout="cases", submission=SUBMISSION)),
        ("task3/2028/en", STATUTES.format(code_format="text", submission=SUBMISSION)),
        ("pilot/2028", PILOT),
    ],
)
def test_an_edition_that_states_nothing_about_synthetic_releases_is_written(describe, release, text, irregularities):
    folder = describe(text)
    planted = write_release(f"coliee/{release}", folder, scale=TINY, irregularities=irregularities)
    assert planted.irregularities == {}
    assert planted.splits
    is_counted(planted)


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize("irregularities", [False, True])
@pytest.mark.parametrize("before", range(2018, 2027))
def test_an_edition_that_follows_another_is_written(describe, before, irregularities):
    sections = ["task1", "task2", *(["statutes", "task3", "task4"] if before < 2026 else [])]
    years = "  train: {exam_years: H18-R07}\n  test: {exam_years: R08}\n"
    lines = [f"{name}:\n  like: {before}\n{years if name == 'statutes' else ''}" for name in sections]
    folder = describe("edition: 2028\n" + "".join(lines))
    for release in ["task1/2028", "task2/2028", *(["task3/2028/en", "task3/2028/ja"] if before < 2026 else [])]:
        planted = write_release(f"coliee/{release}", folder, scale=TINY, irregularities=irregularities)
        assert bool(planted.irregularities) is irregularities
        assert {split.split("/")[2] for split in planted.splits} == {"2028"}

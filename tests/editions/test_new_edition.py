"""A new edition is a new file: every command and every dataset contract works for 2027 without a change of code.

The file is that of 2026 with other file names, exam years, counts and rules, below the data folder of a user; beside it
lies a synthetic release.
"""

import re

import ir_datasets
import pytest

from ir_coliee.editions import BUILT_IN_FOLDER, SPLITS

pytestmark = pytest.mark.slow

TASK1, TASK2 = "coliee/task1/2027", "coliee/task2/2027"
TASK3, TASK4 = "coliee/task3/2027/ja", "coliee/task4/2027/ja"
PREDICTION, RATIONALE = "coliee/pilot/2027/prediction", "coliee/pilot/2027/rationale"
BASES = [TASK1, TASK2, TASK3, TASK4, PREDICTION, RATIONALE]
RELEASES = [TASK1, TASK2, TASK3, "coliee/pilot/2027"]

#: What 2027 has in place of what 2026 has.
CHANGES = [
    (r"^edition: 2026$", "edition: 2027"),
    (r"^# COLIEE 2026", "# COLIEE 2027"),
    (r"^  leaderboard: .*\n", ""),
    (r"2025 train, 2025 test", "2026 train, 2026 test"),
    (r"H18-R06", "H18-R07"),
    (r"exam_years: R07$", "exam_years: R08"),
    (r"R06: \[73, 92\]}", "R06: [73, 92], R07: [80, 99]}"),
    (r"simple_\{exam_year\}_jp\.xml", "exam_{exam_year}_{language}.xml"),
    (r"\bcivil\.xml\b", "code.xml"),
    (r"LJPJT26", "LJPJT27"),
    (r"QA\.txt", "answers.txt"),
    (r"task3-QA", "task3-YN"),
    (r"models whose weights are public", "models with public weights"),
    # each count is another one, far from those of 2026
    (r"\b(queries|docs|qrels): (\d{2,}) ", lambda match: f"{match[1]}: {int(match[2]) * 3 // 2} "),
]


def file_of_2027():
    text = (BUILT_IN_FOLDER / "2026.yaml").read_text(encoding="utf-8")
    for pattern, replacement in CHANGES:
        changed = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        assert changed != text, pattern
        text = changed
    # task 1 has names of its own for the files of each split
    for split in ("train", "test"):
        names = (
            f'  {split}:\n    files: {{corpus: ["decisions_{{split}}_{{edition}}"], '
            'labels: ["noticed_{split}_{edition}.json"]}\n'
        )
        start = text.index(f"  {split}:\n", text.index("\ntask1:"))
        text = text[:start] + names + text[start + len(f"  {split}:\n") :]
    return text


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder with the file of 2027 and a synthetic release of each task."""
    from ir_coliee.synthetic import write_release

    folder = tmp_path_factory.mktemp("data")
    (folder / "editions").mkdir()
    (folder / "editions" / "2027.yaml").write_text(file_of_2027(), encoding="utf-8")
    registered = set(ir_datasets.registry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLIEE_HOME", str(folder))
        for release in RELEASES:
            write_release(release, folder, scale=0.01)
        yield folder
    for dataset_id in set(ir_datasets.registry) - registered:
        del ir_datasets.registry._registered[dataset_id]


@pytest.fixture
def succeed(data, call, monkeypatch, tmp_path):
    """A function that runs a command, which must succeed, and returns its output."""
    monkeypatch.setenv("COLIEE_HOME", str(data))
    monkeypatch.chdir(tmp_path)

    def called(*arguments):
        status, out, err = call(*arguments)
        assert status == 0, (arguments, out, err)
        return out

    return called


def splits(base):
    return [split for split in SPLITS.values() if split.id.startswith(f"{base}/") and split.name in ("train", "test")]


# --- the datasets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_every_dataset_contract_holds(succeed, base):
    for dataset_id in [f"{split.id}{view}" for split in splits(base) for view in ("", "/full")]:
        dataset, split = ir_datasets.load(dataset_id), SPLITS[dataset_id.removesuffix("/full")]
        docs = {doc.doc_id for doc in dataset.docs_iter()}
        queries = {query.query_id for query in dataset.queries_iter()}
        assert len(docs) == dataset.docs_count() > 0
        assert len(queries) == dataset.queries_count() > 0
        assert "2027" in dataset.documentation()["pretty_name"]
        assert dataset.has_scoreddocs() == split.has_pools
        pairs = list(dataset.scoreddocs_iter()) if split.has_pools else []
        if split.name == "train" or split.task == "task4":
            qrels = list(dataset.qrels_iter())
            assert dataset.qrels_count() == len(qrels) > 0
            pairs += qrels
        assert {pair.query_id for pair in pairs} <= queries
        assert {pair.doc_id for pair in pairs} <= docs


# --- the commands ----------------------------------------------------------------------------------


SUBMITTED = {
    TASK1: {"task1.mine"},
    TASK2: {"task2.mine"},
    TASK3: {"task3-IR.mine", "task3-YN.mine"},
    TASK4: {"task4.mine"},
    PREDICTION: {"LJPJT27-test001_ours_uni_mine.jsonl"},
    RATIONALE: {"LJPJT27-test001_ours_uni_mine.jsonl"},
}


@pytest.mark.parametrize("base", BASES)
def test_a_run_is_made_scored_compared_submitted_and_validated(succeed, base, tmp_path):
    split, mail = SPLITS[f"{base}/test"], tmp_path / "mail"
    fast = [] if base in (PREDICTION, RATIONALE) else ["--fast"]  # the pilot has no recipe to leave out
    assert "COLIEE 2027" in succeed("baseline", split.id, *fast, "--out", "runs")
    runs = sorted((tmp_path / "runs").iterdir())
    answers, checked, cutoff = [], [], []
    if base == TASK3:
        succeed("baseline", f"{TASK4}/test", "--fast", "--out", "answers")
        answers = ["--answers", sorted((tmp_path / "answers").iterdir())[0]]
        checked, cutoff = ["--answers", mail / "task3-YN.mine"], ["--top", "3"]
    assert re.search(r"\b0\.\d{4}\b|\b1\.0000\b", succeed("score", split.id, runs[0], *answers))
    if len(runs) > 1:
        succeed("compare", split.id, runs[0], runs[1])
    names = {} if split.submission.columns else {"--team": "ours", "--affiliation": "uni"}
    options = [*answers, *cutoff, *(word for pair in names.items() for word in pair)]
    said = succeed("submit", split.id, runs[0], "--tag", "mine", "--out", "mail", *options)
    written = {path.name for path in mail.iterdir()}
    assert written == {*SUBMITTED[base], *filter(None, [split.submission.description_file])}
    if base in (TASK1, TASK2):
        assert "public weights" in said or "public weights" in "".join(split.submission.rules)
    form = {"tag": "mine", "test": "LJPJT27-test001", "team": "ours", "affiliation": "uni"}
    succeed("validate", split.id, mail / split.submission.file.format(**form), *checked)

"""The baseline pipelines of each task, the plan of the runs of a split, and their files with the commands for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ir_coliee import storage
from ir_coliee.baselines.answers import (
    SHORT,
    QuestionAnswers,
    StatementBaseline,
    answer_statements,
    classify_answers,
    classify_claims,
    gated_runs,
)
from ir_coliee.baselines.articles import ArticleBaseline
from ir_coliee.baselines.bm25 import bm25_baseline
from ir_coliee.baselines.cases import CaseBaseline
from ir_coliee.baselines.learned import LearnedBaseline
from ir_coliee.baselines.paragraphs import ParagraphBaseline
from ir_coliee.baselines.training import BaselineRun, TrainingData, TrainingYears, left_out_note, training_data
from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import (
    ColieeError,
    InsufficientTrainingDataError,
    MissingExtraError,
    MissingLabelsError,
    MissingReleaseError,
)
from ir_coliee.evaluation.runs import answers_split, stem
from ir_coliee.evaluation.writing import write_long_list, write_ranking, write_run
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers.features.learning import lightgbm_library


class Pipelines(NamedTuple):
    """The pipelines of a task. Where there are no classifiers, in tasks 1 to 3, there is BM25.

    Attributes
    ----------
    learned : type of LearnedBaseline or None
        The learned baseline.
    classify : callable or None
        Takes a split and its training data, and returns the runs of classifiers.
    classifiers : tuple of str
        The tags of these runs.
    """

    learned: type[LearnedBaseline] | None = None
    classify: Callable[[Split, TrainingData], list[BaselineRun]] | None = None
    classifiers: tuple[str, ...] = ()


_CLASSIFIERS = Pipelines(None, classify_answers, ("majority", "tfidf"))

#: The pipelines of each task.
PIPELINES = {
    "task1": Pipelines(CaseBaseline),
    "task2": Pipelines(ParagraphBaseline),
    "task3": Pipelines(ArticleBaseline),
    "task4": _CLASSIFIERS._replace(learned=StatementBaseline),
    "task5": _CLASSIFIERS,
    "prediction": _CLASSIFIERS,
    "rationale": Pipelines(None, classify_claims, ("tfidf",)),
}


class Plan(NamedTuple):
    """The pipelines to run for a split. Its files have been checked.

    Attributes
    ----------
    split : Split
        The split to answer.
    training : TrainingData or None
        The labelled queries that the pipelines are fitted on.
    learned : LearnedBaseline or None
        The learned baseline, of which nothing is computed yet; None if it was not asked for, or is left out.
    notes : list of str
        The runs that are left out, with the reason.
    """

    split: Split
    training: TrainingData | None
    learned: LearnedBaseline | None
    notes: list[str]

    @property
    def has_rankings(self) -> bool:
        """Whether the runs have rankings. One of them is then ``bm25``."""
        return PIPELINES[self.split.task].classify is None

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the runs. A run may still be left out if the labels are too few to fit a model."""
        others = PIPELINES[self.split.task].classifiers or ("bm25",)
        if self.learned is None:
            return others
        return (*others, *((SHORT,) if self.split.submission.answers_file else ()), self.learned.tag)

    def shares_train_ranking(self, tag: str) -> bool:
        """Return whether a run has the same ranking of the train queries in the plans of other splits."""
        return not (self.learned and tag == self.learned.tag and self.learned.depends_on_split)

    def run(self) -> list[BaselineRun]:
        """Run the pipelines.

        Returns
        -------
        list of BaselineRun
            The runs. If a model cannot be fitted, its runs are left out, and the warnings of the first run give the
            reason.
        """
        classify = PIPELINES[self.split.task].classify
        notes: list[str] = []
        runs: list[BaselineRun] = []
        with stage(f"baseline {self.split.id}"):
            answers = self._answers(notes)
            if classify and self.training:
                with stage("classifiers"):
                    runs = classify(self.split, self.training)
            if self.learned:
                try:
                    runs.append(self.learned.run())
                except (InsufficientTrainingDataError, MissingExtraError) as error:
                    notes.append(left_out_note(self.learned.tag, error))
            if self.has_rankings:  # last, because it can reuse the indexes of the learned pipeline
                bm25 = bm25_baseline(self.split, self.training)
                runs = [bm25, *runs]
                if answers and self.training:
                    with stage("answers from the articles"):
                        runs = gated_runs(self.split, self.training, runs, answers)
                runs = [runs[0], *(run.with_warnings(self._note_on_worse_run(run, runs[0])) for run in runs[1:])]
        return [runs[0].with_warnings(notes), *runs[1:]]

    def ablated(self) -> LearnedBaseline:
        """Return the baseline whose families of features can be left out, see `LearnedBaseline.ablation`.

        Raises
        ------
        ColieeError
            If the task has no recipes, or the recipe is left out of the plan.
        """
        if self.learned is None:
            advice = "Omit --fast (fast=)." if self.has_rankings else "This baseline has no recipe."
            raise ColieeError(f"{self.split.id}: there is nothing to ablate.\n{'; '.join(self.notes) or advice}")
        return self.learned

    def _answers(self, notes: list[str]) -> QuestionAnswers | None:
        """Return the answers Y and N from the statements, if the edition asks for them, or add a note on why not."""
        if not (self.split.submission.answers_file and self.training):
            return None
        try:
            with stage("answers Y and N"):
                return answer_statements(self.split, self.training)
        except (InsufficientTrainingDataError, MissingLabelsError) as error:
            notes.append(f"the answers Y and N were left out: {error}")
            return None

    def _note_on_worse_run(self, run: BaselineRun, bm25: BaselineRun) -> list[str]:
        """Return a note on a run that is worse than BM25 on the train queries, where these are the same for both."""
        if run.train_value is None or bm25.train_value is None or run.train_value >= bm25.train_value:
            return []
        if not self.shares_train_ranking(run.tag):  # the run may have learned from harder queries, as in task 2
            return []
        values = f"{run.train_value:.4f} against {bm25.train_value:.4f}, both held out"
        return [f"the {run.tag} run is worse than {bm25.tag} on the train queries ({values})"]


def plan_baseline(
    dataset: Dataset,
    *,
    train: TrainingYears = "earlier",
    fast: bool = False,
    pool_features: bool = True,
) -> Plan:
    """Choose the pipelines to run for a split, and check all files that they need.

    Parameters
    ----------
    dataset, train, fast, pool_features
        As in `ir_coliee.baselines.run_baseline`.

    Returns
    -------
    Plan
        The pipelines with their training data.

    Raises
    ------
    ColieeError
        If the task does not have the features, or nothing to leave out.
    MissingReleaseError
        If the local release is missing; in tasks without BM25, also if that of the train split is.
    InsufficientTrainingDataError
        If there are no labelled queries to fit a model on, in tasks without BM25.

    Examples
    --------
    >>> plan_baseline("coliee/task1/sample/test").tags
    ('bm25', 'learned')
    """
    split = as_split(dataset)
    pipelines = PIPELINES[split.task]
    if fast and pipelines.learned is None:
        raise ColieeError(f"The baseline of {split.id} has no recipe to leave out.\nOmit --fast (fast=).")
    if not pool_features and (fast or split.task != "task1"):
        advice = "It is for the learned run of task 1."
        raise ColieeError(f"--no-pool-features (pool_features=) has no effect on the runs of {split.id}.\n{advice}")
    release = LocalRelease.open(split)
    _ = release.documents(), release.queries()  # raise the errors of missing and malformed files
    try:
        training = training_data(split, train)
    except (InsufficientTrainingDataError, MissingReleaseError) as error:
        if pipelines.classify:
            raise
        lines = str(error).splitlines()  # those of missing files end with a list of all files that were expected
        found = lines[0] if isinstance(error, MissingReleaseError) else " ".join(lines)
        reason = f"no labelled train queries were found: {found}"
        return Plan(split, None, None, [reason if fast else left_out_note("learned", reason)])
    if fast or pipelines.learned is None:
        return Plan(split, training, None, [])
    try:
        lightgbm_library()
        learned = pipelines.learned(split, training, pool_features=pool_features)
    except (InsufficientTrainingDataError, MissingExtraError) as error:
        return Plan(split, training, None, [left_out_note(pipelines.learned.tag, error)])
    return Plan(split, training, learned, [])


# The files of a baseline, and the commands that take them.


def files_of(plan: Plan, folder: Path) -> dict[str, dict[str, Path]]:
    """Return the files in a folder that the runs of a plan are written to, by tag and role.

    Parameters
    ----------
    plan : Plan
        The plan of the runs.
    folder : pathlib.Path
        The folder.

    Returns
    -------
    dict of str to dict of str to pathlib.Path
        By the tag of each run, its file of each role:

        * ``answers``: the answer set in the official form;
        * ``ranking``: the ranking in TREC's form, in tasks 1 to 3;
        * ``long``: the long list, if the edition has one;
        * ``labels``: the answers Y and N, if the edition asks for them;
        * ``train``: the ranking of the train split in TREC's form, in tasks 1 to 3. If it depends on the split to
          answer, its name says so. For a train split it takes the place of ``ranking``. An exam year of the train split
          has none, because it has only some of its questions.
    """
    return {tag: {role: folder / name for role, name in _file_names(plan, tag).items()} for tag in plan.tags}


def _file_names(plan: Plan, tag: str) -> dict[str, str]:
    split, name = plan.split, f"{stem(plan.split)}.{tag}"
    names = {"answers": name}
    if not plan.has_rankings:
        return names
    names["ranking"] = f"{name}.trec"
    if split.submission.long_file:
        names["long"] = f"{name}.long"
    if split.submission.answers_file and plan.training:
        names["labels"] = f"{name}.answers"
    if plan.training and plan.training.exam_years is None:
        is_own = split == plan.training.split or plan.shares_train_ranking(tag)
        names["train"] = f"{stem(plan.training.split)}.{tag}{'' if is_own else f'-for-{split.name}'}.trec"
        if names["train"] == names["ranking"]:
            del names["ranking"]
    return names


def write_files(
    plan: Plan, runs: Iterable[BaselineRun], files: Mapping[str, Mapping[str, Path]], *, overwrite: bool = False
) -> dict[str, dict[str, Path]]:
    """Write runs to their files by tag and role, and return the files that have them.

    If one exists with other content, it is replaced only with ``overwrite``. Without it no file is changed, and what is
    new, which can have taken hours, is written beside them as ``NAME.new``.
    """
    train = plan.training.split if plan.training else plan.split
    written: dict[str, dict[str, Path]] = {}
    contents: dict[Path, bytes] = {}
    with TemporaryDirectory() as folder:  # so that a process that is killed leaves no part of the files
        for run in runs:
            written[run.tag] = {}
            content = {
                "answers": (write_run, plan.split, run.answers),
                "ranking": (write_ranking, plan.split, run.ranking),
                "long": (write_long_list, plan.split, run.ranking),
                "labels": (write_run, plan.split if run.labels is None else answers_split(plan.split), run.labels),
                "train": (write_ranking, train, run.train_ranking),
            }
            for role, path in files[run.tag].items():
                write, split, rows = content[role]
                if rows is not None:
                    unfinished = Path(folder, path.name)
                    write(split, rows, unfinished, run.tag)
                    contents[path] = unfinished.read_bytes()
                    written[run.tag][role] = path
    kept = {path for path, content in contents.items() if path.exists() and path.read_bytes() == content}
    if overwrite or not any(path.exists() for path in contents.keys() - kept):
        storage.write_files(contents, replaceable=contents if overwrite else ())
        return written
    beside = {path: path if path in kept else path.with_name(f"{path.name}.new") for path in contents}
    new = {beside[path]: content for path, content in contents.items() if path not in kept}
    storage.write_files(new, replaceable=new)
    return {tag: {role: beside[path] for role, path in of_run.items()} for tag, of_run in written.items()}


def next_commands(plan: Plan, files: Mapping[str, Mapping[str, Path]], *, has_gold: bool) -> list[list[str]]:
    """Return the commands that take the written files of the runs, as lists of arguments.

    These are ``tune`` and ``score``, as far as the split has a use for them, and ``submit`` for a test split, otherwise
    ``analyse``. ``tune`` and ``submit`` take the last run.
    """
    split = plan.split
    *_, last = files
    of_last = files[last]
    answers = [str(of_run["answers"]) for of_run in files.values()]
    commands = []
    if "train" in of_last and plan.training:
        commands.append(["tune", plan.training.split.id, str(of_last["train"])])
    if has_gold:
        commands.append(["score", split.id, *answers, *(word for run in files.values() for word in _options(run))])
    if split.is_test:
        if not split.submission.answers_file or "labels" in of_last:
            names = [] if split.submission.columns else ["--team", "TEAM", "--affiliation", "AFFILIATION"]
            options = [*_options(of_last), "--tag", last, *names, "--out", f"submission/{stem(split)}"]
            commands.append(["submit", split.id, str(of_last["answers"]), *options])
    elif has_gold:
        labels = [str(run["labels"]) for run in files.values() if "labels" in run]
        commands.append(["analyse", split.id, *answers, *(word for file in labels for word in ("--answers", file))])
    return commands


def _options(files: Mapping[str, Path]) -> list[str]:
    """Return the options for the files that go with an answer set."""
    options = {"long": "--long-list", "labels": "--answers"}
    return [word for role, option in options.items() if role in files for word in (option, str(files[role]))]

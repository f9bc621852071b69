"""The commands that follow an answer set, as several commands print them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.cli.console import print_commands, print_next
from ir_coliee.errors import MissingLabelsError

if TYPE_CHECKING:
    from ir_coliee.editions import Split
    from ir_coliee.evaluation.scoring import Scorer


def print_after_answers(scorer: Scorer, file: Path, tag: str, ranking: Path | None = None) -> None:
    """Print the command that follows: score where there are labels, else submit, or for the pilot validate.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the answer set answers.
    file : pathlib.Path
        The answer set.
    tag : str
        Its run tag.
    ranking : pathlib.Path, optional
        The ranking that it was cut from.
    """
    from ir_coliee.evaluation.runs.run_names import tag_in_letters

    try:
        _ = scorer.gold
    except MissingLabelsError:
        if scorer.split.submission.columns:
            print_submit(scorer.split, file, "--tag", tag_in_letters(tag), ranking=ranking)
        else:
            print_next("validate", scorer.split.id, str(file))
        return
    print_next("score", scorer.split.id, str(file))


def print_submit(split: Split, file: Path, *options: str, ranking: Path | None = None) -> None:
    """Print the command that writes the official files of a run, with FILE for a file that is not known.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    file : pathlib.Path
        The run.
    *options : str
        Options of `ir_coliee submit`.
    ranking : pathlib.Path, optional
        The ranking before the cut-off: the long list of task 3.
    """
    from ir_coliee.evaluation.runs.run_names import answers_of_run, submission_folder

    form = split.submission
    command = ["submit", split.id, str(file), *options, "--out", submission_folder(split)]
    missing = ""
    if form.long_file:
        command += ["--long", str(ranking or "FILE")]
        missing = "" if ranking else "the long list"
    if form.answers_file:
        answers = answers_of_run(ranking or file)
        command += ["--answers", str(answers or "FILE")]
        missing = "" if answers else "the file of answers Y and N"
    if missing:
        print_commands(f"To submit, pass {missing} as FILE:", command)
    else:
        print_next(*command)

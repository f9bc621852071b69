"""The folder of a run: its settings, files and fitted models, and what an interrupted run has computed so far.

The data-use agreement covers the folder, because replies, scores, embeddings and models are derived from the texts.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ExistingFileError, printable
from ir_coliee.evaluation.runs import stem
from ir_coliee.evaluation.writing import write_long_list, write_ranking, write_run
from ir_coliee.models import EmbeddingStore, ReplyStore, ScoreStore
from ir_coliee.storage import require_writable, write_file
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_SETTINGS = "settings.json"


class RunFolder:
    """The folder that a system writes to. The same command continues there; other settings are refused.

    Parameters
    ----------
    path : pathlib.Path
        The folder. It need not exist.
    split : Split
        The split that the run answers.
    tag : str
        The run tag.
    """

    def __init__(self, path: Path, split: Split, tag: str) -> None:
        self.path, self.split, self.tag = path, split, tag
        name = f"{stem(split)}.{tag}"  # the names of `ir_coliee baseline`
        self.files = {"answers": path / name, "ranking": path / f"{name}.trec"}
        if split.submission.long_file:
            self.files["long"] = path / f"{name}.long"
        self.figures = path / f"{name}.figures.json"

    def open(self, settings: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """Begin a run, or continue the one that has the same settings.

        Parameters
        ----------
        settings : mapping
            All that the run depends on.
        overwrite : bool
            Whether a run with other settings, or files without settings, may be overwritten. Stored replies and scores
            are kept, because they name the model that they are from.

        Raises
        ------
        ColieeError
            If the folder has a run with other settings, or if it cannot be written.
        """
        earlier = self._settings()
        if earlier is None or overwrite:
            for file in (*self.files.values(), self.figures):
                require_writable(file)
                if file.exists() and not overwrite:
                    raise ExistingFileError(
                        f"{file} already exists.\nGive another folder with --out, or pass --overwrite."
                    )
        earlier = settings if earlier is None else earlier
        different = [name for name, value in settings.items() if earlier.get(name) != value]
        if different and not overwrite:
            each = "\n".join(f"  {name}: {earlier.get(name)} there, {settings[name]} here" for name in different)
            raise ColieeError(
                f"{printable(str(self.path), 60)} has a run with other settings.\n{each}\n"
                "Give another folder with --out, or overwrite the run with --overwrite."
            )
        if different:  # the models of the other run
            shutil.rmtree(self.path / "models", ignore_errors=True)
        self.write_settings(settings)

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Write the settings of the run."""
        write_file(self.path / _SETTINGS, _as_json(settings), overwrite=True)

    def write_figures(self, figures: Mapping[str, Any]) -> None:
        """Write the official figures of the run."""
        write_file(self.figures, _as_json(figures), overwrite=True)

    def write_run(self, answers: pd.DataFrame, ranking: pd.DataFrame | None) -> list[Path]:
        """Write the answer set in the official form, and the ranking before the cut-off if there is one."""
        written = {"answers": (write_run, answers)}
        if ranking is not None:
            written |= {"ranking": (write_ranking, ranking), "long": (write_long_list, ranking)}
        for role, (write, rows) in written.items():
            if role in self.files:
                write(self.split, rows, self.files[role], self.tag, overwrite=True)
        return [path for role, path in self.files.items() if role in written]

    @cached_property
    def replies(self) -> ReplyStore:
        """The replies of language models."""
        return ReplyStore(self.path / "replies.sqlite")

    @cached_property
    def scores(self) -> ScoreStore:
        """The scores of cross-encoders."""
        return ScoreStore(self.path / "scores.sqlite")

    @cached_property
    def embeddings(self) -> EmbeddingStore:
        """The embeddings of queries and documents."""
        return EmbeddingStore(self.path / "embeddings.sqlite")

    def model(self, name: str) -> Path:
        """Return the folder of a model that is fitted, with the state of its training."""
        return self.path / "models" / name

    def _settings(self) -> dict[str, Any] | None:
        path = self.path / _SETTINGS
        try:
            settings: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except ValueError:
            raise ColieeError(f"{path} is damaged: it is not JSON.\nGive another folder with --out.") from None
        return settings


def _as_json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def answers_and_ranking(pipeline: pt.Transformer, topics: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the answers of a pipeline, and its ranking if it ends with a cut-off."""
    *stages, last = pipeline if isinstance(pipeline, pt.Compose) else [pipeline]
    if not (stages and isinstance(last, Cutoff)):
        return pipeline(topics), None
    ranking = pt.Compose(*stages)(topics)
    return last(ranking), ranking

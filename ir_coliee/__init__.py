"""COLIEE for ir_datasets, ir-measures and PyTerrier.

Importing the package registers the datasets and the measures; it opens no file of the user's.

Examples
--------
>>> import pyterrier as pt
>>> from ir_coliee import score
>>> from ir_coliee.transformers import DropSelf, LexicalIndex, TopK
>>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
>>> pipeline = LexicalIndex.from_dataset(dataset, analyser="case").bm25(k1=3.0, b=1.0) >> DropSelf() >> TopK(2)
>>> score(dataset, pipeline(dataset.get_topics())).figures
{'MicroF1': 0.5357142857142857, 'MicroP': 0.625, 'MicroR': 0.46875}
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ir_coliee._version import __version__ as __version__
from ir_coliee.datasets.registration import register as _register_datasets
from ir_coliee.measures import MEASURES
from ir_coliee.measures import AnswerAccuracy as AnswerAccuracy
from ir_coliee.measures import GatedAccuracy as GatedAccuracy
from ir_coliee.measures import MacroF as MacroF
from ir_coliee.measures import MacroF2 as MacroF2
from ir_coliee.measures import MacroP as MacroP
from ir_coliee.measures import MacroR as MacroR
from ir_coliee.measures import MicroF as MicroF
from ir_coliee.measures import MicroF1 as MicroF1
from ir_coliee.measures import MicroP as MicroP
from ir_coliee.measures import MicroR as MicroR

if TYPE_CHECKING:
    from ir_coliee.datasets.folds import unseen_queries as unseen_queries
    from ir_coliee.evaluation.comparison import compare as compare
    from ir_coliee.evaluation.cutoffs import fit_cutoff as fit_cutoff
    from ir_coliee.evaluation.fusion import fuse as fuse
    from ir_coliee.evaluation.leaderboards import leaderboard as leaderboard
    from ir_coliee.evaluation.leaderboards import place as place
    from ir_coliee.evaluation.scoring import score as score
    from ir_coliee.evaluation.submission import submit as submit
    from ir_coliee.evaluation.tuning import tune as tune
    from ir_coliee.releases.audit import audit as audit
    from ir_coliee.releases.audit import seal as seal

# what brings numpy, pandas and PyTerrier is imported when it is first used
_LATER = {
    "audit": "releases.audit",
    "compare": "evaluation.comparison",
    "fit_cutoff": "evaluation.cutoffs",
    "fuse": "evaluation.fusion",
    "leaderboard": "evaluation.leaderboards",
    "place": "evaluation.leaderboards",
    "score": "evaluation.scoring",
    "seal": "releases.audit",
    "submit": "evaluation.submission",
    "tune": "evaluation.tuning",
    "unseen_queries": "datasets.folds",
}
__all__ = ["__version__", *(measure.NAME for measure in MEASURES), *_LATER]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"ir_coliee.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


_register_datasets()

"""COLIEE for ir_datasets, ir-measures and PyTerrier.

Importing the package registers the datasets and the measures; it opens no file of the user's.
"""

from ir_coliee._version import __version__
from ir_coliee.datasets.registration import register as _register_datasets
from ir_coliee.measures import (
    AnswerAccuracy,
    MacroF,
    MacroF2,
    MacroP,
    MacroR,
    MicroF,
    MicroF1,
    MicroP,
    MicroR,
)

__all__ = [
    "AnswerAccuracy",
    "MacroF",
    "MacroF2",
    "MacroP",
    "MacroR",
    "MicroF",
    "MicroF1",
    "MicroP",
    "MicroR",
    "__version__",
]

_register_datasets()

"""The organisers' measures, registered with ir_measures: parseable by name, usable in `pt.Experiment`."""

from ir_measures import measures as _ir_measures

from ir_coliee.measures.answers import AnswerAccuracy
from ir_coliee.measures.macro import MacroF, MacroF2, MacroP, MacroR
from ir_coliee.measures.micro import MicroF, MicroF1, MicroP, MicroR

__all__ = ["AnswerAccuracy", "MacroF", "MacroF2", "MacroP", "MacroR", "MicroF", "MicroF1", "MicroP", "MicroR"]

for _measure in (MicroP, MicroR, MicroF1, MicroF, MacroP, MacroR, MacroF2, MacroF, AnswerAccuracy):
    if _measure.NAME not in _ir_measures.registry:
        _ir_measures.register(_measure)

"""The organisers' measures, registered with ir_measures. They can be parsed by name and passed to `pt.Experiment`."""

from ir_measures import measures as _ir_measures

from ir_coliee.measures.measures import (
    AnswerAccuracy,
    GatedAccuracy,
    MacroF,
    MacroF2,
    MacroP,
    MacroR,
    MicroF,
    MicroF1,
    MicroP,
    MicroR,
    QAnswerAccuracy,
    Relevant,
    Returned,
    TruePositives,
)

__all__ = [
    "AnswerAccuracy",
    "GatedAccuracy",
    "MacroF",
    "MacroF2",
    "MacroP",
    "MacroR",
    "MicroF",
    "MicroF1",
    "MicroP",
    "MicroR",
    "QAnswerAccuracy",
    "Relevant",
    "Returned",
    "TruePositives",
]

#: All measures, in the order of the documentation.
MEASURES = (
    *(MicroP, MicroR, MicroF1, MicroF),
    *(MacroP, MacroR, MacroF2, MacroF),
    *(AnswerAccuracy, QAnswerAccuracy, GatedAccuracy),
    *(TruePositives, Returned, Relevant),
)

for _measure in MEASURES:
    if _measure.NAME not in _ir_measures.registry:
        _ir_measures.register(_measure)

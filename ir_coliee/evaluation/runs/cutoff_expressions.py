"""Cut-offs written as text, such as ``TopK(3)`` on the command line."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ir_coliee.errors import ColieeError, printable

if TYPE_CHECKING:
    from ir_coliee.transformers.candidates.cutoffs import Cutoff

_MAX_LENGTH = 200  # characters; Python's parser may fail on deeply nested brackets


def parse_cutoff(text: str) -> Cutoff:
    """Create a cut-off from a Python expression: the name of a cut-off class with numbers as arguments.

    Only that constructor is called; no other code is executed.

    Parameters
    ----------
    text : str
        The expression.

    Returns
    -------
    Cutoff

    Raises
    ------
    ColieeError
        If the text is not such an expression, or if the arguments are not valid.

    Examples
    --------
    >>> parse_cutoff("DynamicCutoff(ratio=0.5, min_items=1, max_items=5)")
    DynamicCutoff(ratio=0.5, min_items=1, max_items=5)
    """
    from ir_coliee.transformers.candidates import cutoff_classes

    classes: Mapping[str, Callable[..., Cutoff]] = cutoff_classes()
    try:
        if len(text) > _MAX_LENGTH:
            raise ValueError(f"the expression is longer than {_MAX_LENGTH} characters")
        call = ast.parse(text.strip(), mode="eval").body
        call = ast.Call(call, [], []) if isinstance(call, ast.Name) else call  # GapCutoff is GapCutoff()
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in classes:
            raise ValueError("unknown cut-off")
        arguments = [_number(argument) for argument in call.args]
        keywords = {str(keyword.arg): _number(keyword.value) for keyword in call.keywords}
        if len(keywords) < len(call.keywords):
            raise ValueError("an argument occurs twice")
        _check_parameters(call.func.id, classes[call.func.id], keywords)
        return classes[call.func.id](*arguments, **keywords)
    except (SyntaxError, TypeError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        problem = printable(str(error)).rstrip(".")
        raise ColieeError(
            f"Cut-off {printable(text, 60)!r} is not valid.\n{problem}. Use one of {', '.join(classes)} with numbers, "
            "for example 'DynamicCutoff(ratio=0.5, min_items=1, max_items=5)'."
        ) from None


def _check_parameters(name: str, cutoff: Callable[..., Cutoff], keywords: Mapping[str, object]) -> None:
    known = [*inspect.signature(cutoff).parameters]
    for keyword in keywords:
        if keyword not in known:
            raise ValueError(f"{name} has no parameter {keyword}; its parameters are {', '.join(known)}")


def _number(node: ast.expr) -> float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{ast.unparse(node)} is not a number") from None
    if value is not None and (type(value) not in (int, float) or not math.isfinite(value)):
        raise ValueError(f"{value!r} is not a finite number")
    number: float | None = value
    return number

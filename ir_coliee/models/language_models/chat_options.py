"""The check of options for a chat template, which ignores those that it does not know."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from ir_coliee.errors import ColieeError, printable, printable_list

_SET_BY_TOKENIZER = {"messages", "tools", "documents", "add_generation_prompt"}


def check_chat_options(name: str, tokenizer: Any, chat_options: Collection[str]) -> None:
    """Raise `ColieeError` for an option that is no variable of the tokenizer's chat template.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint, for the message.
    tokenizer : transformers.PreTrainedTokenizerBase
        Its tokenizer.
    chat_options : collection of str
        The names of the options.
    """
    if not chat_options:
        return
    known = _variables(tokenizer.get_chat_template()) if tokenizer.chat_template else frozenset()
    if unknown := sorted(set(chat_options) - known):
        options = sorted(known - _SET_BY_TOKENIZER - set(tokenizer.special_tokens_map))
        has = f"It has {printable_list(options)}. Correct" if options else "It has no options. Leave out"
        option = printable(unknown[0], 20)
        raise ColieeError(f"The chat template of {printable(name, 40)} has no option {option}.\n{has} chat_options.")


@lru_cache(maxsize=8)
def _variables(template: str) -> frozenset[str]:
    from jinja2.meta import find_undeclared_variables
    from transformers.utils.chat_template_utils import _compile_jinja_template

    environment = _compile_jinja_template(template).environment  # it knows the tags that transformers adds
    return frozenset(find_undeclared_variables(environment.parse(template))) - set(environment.globals)

"""Separate the reasoning of a language model's reply from its answer.

Reasoning models write a block of reasoning before the answer. Servers without a reasoning parser, and models on this
machine, return it as part of the text. The blocks of these families are known: ``<think>`` (DeepSeek, Qwen and most
others), ``<thinking>``, ``<thought>``, ``<reasoning>``, ``<analysis>``, ``[THINK]`` (Magistral), ``◁think▷`` (Kimi),
``<|START_THINKING|>`` (Command), ``<|begin_of_thought|>`` (OpenThinker), and the channels of gpt-oss and Gemma, for
gpt-oss also without their special tokens (``analysis…assistantfinal…``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

# a marker behind an opening quotation mark is a quotation, not the boundary of a block
_MARKER = re.compile(
    r"""(?<![\s(]["'`])(?<![“‘「『«])(?:
      <(?P<slash>/)?(?:seed:)?(?P<name>think(?:ing)?|thought|reasoning|analysis)(?:\s[^<>]{0,100})?>
    | (?P<opening>\[THINK\] | ◁think▷ | <\|START_THINKING\|> | <\|begin_of_thought\|> | <\|channel>thought)
    | (?P<closing>\[/THINK\] | ◁/think▷ | <\|END_THINKING\|> | <\|end_of_thought\|> | <channel\|>)
    | (?:<\|start\|>assistant)?<\|channel\|>(?:(?P<final>final)|\w+)
      [^<]{0,100}(?:<\|constrain\|>[^<]{0,100})?<\|message\|>
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_MARKER_TOKEN = re.compile(
    r"""\[/?THINK\] | ◁/?think▷ | </?(?:seed:)?think(?:ing)?> | <\|(?:START|END)_THINKING\|>
    | <\|(?:begin|end)_of_thought\|> | <\|(?:channel|message|start|constrain)\|> | <\|channel> | <channel\|>""",
    re.VERBOSE,
)
_BARE_CHANNEL = re.compile(r"\A\s*(?:assistant)?analysis|assistant(?:(?P<final>final)|analysis|commentary)")
_HAS_BARE_CHANNELS = re.compile(r"\s*(?:assistant)?analysis(?:[A-Z]|.*assistantfinal)", re.DOTALL)
_END_OF_MESSAGE = re.compile(r"<\|(?:end|return)\|>\Z")
_PROMPT, _TAG, _CHANNEL = "the block that the prompt opens", "a tag without a name", "a channel"


class SplitReply(NamedTuple):
    """A reply whose reasoning is kept apart.

    Attributes
    ----------
    reasoning : str
        The text up to the end of the last block of reasoning, without the markers of the blocks; empty without a block.
    answer : str
        The text after it; empty if a block does not end, as in a reply that was cut off at the token limit.
    """

    reasoning: str
    answer: str


def split_reasoning(text: str, *, opened: bool = False) -> SplitReply:
    r"""Separate the reasoning of a reply from its answer.

    Parameters
    ----------
    text : str
        The reply.
    opened : bool
        Whether the prompt ends within a block of reasoning; see `opens_reasoning`. A closing marker without an opening
        one ends such a block in any case.

    Returns
    -------
    SplitReply
        Reasoning and answer, without surrounding blanks. A reply without reasoning is returned unchanged.

    Examples
    --------
    >>> split_reasoning("<think>It is true at first sight.</think> No")
    SplitReply(reasoning='It is true at first sight.', answer='No')
    >>> split_reasoning("It is true at first sight.\n</think>\nNo").answer, split_reasoning("<think>It is").answer
    ('No', '')
    """
    start = answer_start(text, opened=opened)
    if start == 0:
        return SplitReply("", text)
    before, answer = (text, "") if start is None else (text[:start], text[start:])
    if _HAS_BARE_CHANNELS.match(text):
        before = _BARE_CHANNEL.sub("", before)
    return SplitReply(_MARKER.sub("", before).strip(), _END_OF_MESSAGE.sub("", answer.strip()).strip())


def answer_start(text: str, *, opened: bool = False) -> int | None:
    """Return the offset at which the answer of a reply begins; None if its reasoning does not end.

    Parameters
    ----------
    text, opened
        As in `split_reasoning`.

    Examples
    --------
    >>> answer_start("<think></think>No"), answer_start("No"), answer_start("<think>No")
    (15, 0, None)
    """
    blocks = [_PROMPT] if opened else []
    start = 0
    for marker in _markers(text):
        name, closes = _block(marker)
        if not closes:
            if (name, blocks[-1:]) != (_CHANNEL, [_CHANNEL]):  # a channel ends the channel before it
                blocks.append(name)
        elif blocks in ([], [_PROMPT], [name]):
            blocks = []
        elif blocks[-1] == name:
            blocks.pop()
        if not blocks:
            start = marker.end()
    return None if blocks else start


def opens_reasoning(prompt: str) -> bool:
    r"""Whether a prompt ends within a block of reasoning, so that the reply has no opening marker.

    Examples
    --------
    >>> opens_reasoning("<|assistant|><think>\n"), opens_reasoning("<|assistant|><think>\n\n</think>\n\n")
    (True, False)
    """
    last = None
    for last in _MARKER.finditer(prompt[-200:]):  # noqa: B007 the last one counts
        pass
    return last is not None and not _block(last)[1] and not prompt[-200:][last.end() :].strip()


def _markers(text: str) -> list[re.Match[str]]:
    markers = [*_MARKER.finditer(text)]
    if _HAS_BARE_CHANNELS.match(text):
        markers = sorted([*markers, *_BARE_CHANNEL.finditer(text)], key=re.Match.start)
    return markers


def _block(marker: re.Match[str]) -> tuple[str, bool]:
    """Return the kind of block that a marker belongs to, and whether the marker closes it."""
    groups = marker.groupdict()
    if name := groups.get("name"):
        return name.lower().replace("thinking", "think"), bool(groups["slash"])
    if groups.get("opening") or groups.get("closing"):
        return _TAG, bool(groups["closing"])
    return _CHANNEL, bool(groups["final"])


def is_marker_token(token: str) -> bool:
    """Whether a special token of a tokenizer is part of a marker, so that it must not be removed from a reply.

    Examples
    --------
    >>> is_marker_token("[THINK]"), is_marker_token("<|channel|>"), is_marker_token("<|im_end|>")
    (True, True, False)
    """
    return bool(_MARKER_TOKEN.fullmatch(token))

"""Replies of language models that are hard to read, with the answer that each one gives.

The answer is decided before the words are chosen: a reply is composed around a truth, Y, N or None, and nothing here
reads a reply.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import yaml

from ir_coliee.models import Reply
from ir_coliee.models.replies import split_reasoning

Truth = str | None
DATA = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text(encoding="utf-8"))
OPPOSITE = {"Y": "N", "N": "Y"}
WORDS = {"Y": ["Yes", "yes", "YES", "True", "Correct"], "N": ["No", "no", "NO", "False", "Incorrect"]}
ONE_WORD = {"Y": "yes", "N": "no"}
EAST = {"Y": ["はい", "正しい", "○"], "N": ["いいえ", "誤り", "正しくない", "×"]}
FRENCH = {"Y": ["Oui", "Vrai"], "N": ["Non", "Faux"]}
CHINESE = {"Y": ["是", "正确", "对"], "N": ["否", "错误", "不正确", "不是"]}


class Hostile(NamedTuple):
    """A reply, the kind of its difficulty, and the answer that it gives; None if it gives none."""

    kind: str
    reply: Reply
    truth: Truth


def filler(chance: random.Random, sentences: int) -> str:
    return " ".join(chance.choices(DATA["filler"], k=sentences))


def composed(chance: random.Random, kind: str, truth: str, word: str) -> str:
    """A reply of a form, with a word for the truth."""
    opposite = OPPOSITE[truth]
    return chance.choice(DATA[kind]).format(
        word=word,
        lower=word.lower(),
        plain=ONE_WORD[truth],
        east=EAST[truth][1],
        other=WORDS[opposite][0],
        plain_other=ONE_WORD[opposite],
        east_other=EAST[opposite][0],
        literal={"Y": "true", "N": "false"}[truth],
        literal_other={"Y": "true", "N": "false"}[opposite],
        verb={"Y": "follows", "N": "does not follow"}[truth],
        filler=filler(chance, 2),
    )


def final(chance: random.Random, truth: str) -> str:
    """An explicit end of a reply."""
    return composed(chance, "final", truth, chance.choice(WORDS[truth][:4]))


def begun(chance: random.Random, truth: str) -> str:
    """A reply that begins with its answer."""
    return composed(chance, "begun", truth, chance.choice(WORDS[truth][:3]))


OPENINGS = ["<think>", "<thinking>", "[THINK]", "<reasoning>", "<|channel|>analysis<|message|>", "◁think▷"]


def think_block(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    answer = chance.choice([begun, final])(chance, truth)
    reasoning = composed(chance, "thought", truth, "")
    return chance.choice(DATA["blocks"]).format(reasoning=reasoning, answer=answer), truth


def open_think_block(chance: random.Random) -> tuple[str, Truth]:
    answered = think_block(chance)[0] if chance.random() < 0.3 else ""
    return f"{answered}{chance.choice(OPENINGS)}{composed(chance, 'thought', chance.choice('YN'), '')}", None


def reasoned(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    before = chance.choice(
        ["", f"{WORDS[OPPOSITE[truth]][0]}, at first sight. ", f"Answer: {WORDS[OPPOSITE[truth]][0]}? Wait.\n"]
    )
    return f"{before}{filler(chance, 3)}\n\n{final(chance, truth)}", truth


def first_word(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    return begun(chance, truth), truth


def changed_mind(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    return composed(chance, "changed mind", truth, WORDS[truth][0]), truth


def negated(chance: random.Random) -> tuple[str, Truth]:
    return chance.choice([(text, truth) for truth, texts in DATA["negated"].items() for text in texts])


def foreign(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    words = chance.choice([EAST, FRENCH, CHINESE])[truth]
    word = chance.choice(words)
    if words is EAST[truth]:
        forms = [
            word,
            f"{word}。",
            f"答え：{word}",
            f"結論：{word}です。",
            f"**{word}**",
            f"条文を検討する。\n答えは{word}",
        ]
    elif words is FRENCH[truth]:
        forms = [
            word,
            f"{word}.",
            f"Réponse : {word.lower()}",
            f"{word}, car l'article 7 exige un acte.",
            f"La réponse est {word.lower()}.",
        ]
    else:
        forms = [word, f"{word}。", f"答案：{word}", f"结论：{word}。", f"根据第七条，需要书面文件。\n答案是：{word}"]
    return chance.choice(forms), truth


def of_either(chance: random.Random, kind: str) -> tuple[str, Truth]:
    """A reply of a form with an answer or of one without."""
    truth = chance.choice("YN")
    with_answer = chance.random() < 0.6
    reply = composed(chance, kind if with_answer else f"{kind} without an answer", truth, WORDS[truth][0])
    return reply, truth if with_answer else None


def markdown(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    word, other = WORDS[truth][0], WORDS[OPPOSITE[truth]][0]
    ticked = [f"- [{'x' if option == truth else ' '}] {name}" for option, name in (("Y", "Yes"), ("N", "No"))]
    return chance.choice(
        [
            ("\n".join(ticked), truth),
            ("\n".join(ticked[::-1]), truth),
            (f"~~{other}~~ {word}", truth),
            (f"| question | Answer |\n|---|---|\n| 1 | **{word}** |", truth),
            (f"| Answer | {word} |", truth),
            (f"## Analysis\n\n* {filler(chance, 1)}\n* {filler(chance, 1)}\n\n## Conclusion\n\n**{word}**", truth),
            (f"> {other}\n\n{word}", truth),
            (f"***{word}***", truth),
            (f"__{word}__.", truth),
            (f"1. {filler(chance, 1)}\n2. {filler(chance, 1)}\n\n**Final Answer: {word}**", truth),
            (f"A) Yes\nB) No\n\nAnswer: {'AB'['YN'.index(truth)]}", truth),
            (f"1. Yes\n2. No\n\nAnswer: {1 + 'YN'.index(truth)}", truth),
        ]
    )


def loop(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    word, other = WORDS[truth][0], WORDS[OPPOSITE[truth]][0]
    times = chance.choice([3, 40, 400])
    return chance.choice(
        [
            (f"Answer: {word}\n" * times, truth),
            (f"{word}. " * times, truth),
            (f"{word}\n" * times, truth),
            (f"{word} {other} " * times, None),
            (f"{word}\n{other}\n" * times, None),
            ("The lamp is old. " * times, None),
            ("Let me think again. Is it yes or no? " * times, None),
            ("<think>" * times + other, None),
            ("</think>" * times + word, truth),
            ("Answer: " * times, None),
            ("答え：" * times, None),
        ]
    )


def large(chance: random.Random) -> tuple[str, Truth]:
    """One MB."""
    truth = chance.choice("YN")
    unit = chance.choice(
        [f"{filler(chance, 5)} ", "a", " ", "\n", '"', "{", "*", "答え", "no obligation, ", "[ ] Yes "]
    )
    text = unit * (2**20 // len(unit))
    return chance.choice(["{}\n\nAnswer: {}", "<think>{}</think>{}"]).format(text, WORDS[truth][0]), truth


def cut(chance: random.Random) -> Reply:
    """A reply that was cut off at the token limit before its answer."""
    truth = chance.choice("YN")
    before = f"{WORDS[OPPOSITE[truth]][0]} at first sight. {filler(chance, 3)} Answer: {WORDS[OPPOSITE[truth]][0]}? "
    text = chance.choice(
        [before, f"<think>{before}", f'{{"reason": "{before}', f"Answer: {WORDS[OPPOSITE[truth]][0]} at"]
    )
    reasoning, answer = split_reasoning(text[: chance.randint(6, len(text))])
    return Reply(answer, None, reasoning, truncated=True)


KINDS: dict[str, tuple[int, Callable[[random.Random], tuple[str, Truth]]]] = {
    "think block": (120, think_block),
    "open think block": (30, open_think_block),
    "reasoned": (50, reasoned),
    "first word": (30, first_word),
    "changed mind": (30, changed_mind),
    "negated": (30, negated),
    "other language": (50, foreign),
    "JSON": (50, partial(of_either, kind="JSON")),
    "markdown": (30, markdown),
    "injected": (25, partial(of_either, kind="injected")),
    "loop": (20, loop),
    "large": (5, large),
}


def hostile_replies(seed: int = 0) -> Iterator[Hostile]:
    """530 replies, the same for a seed."""
    chance = random.Random(seed)
    for kind in ("blank", "refusal", "neither"):
        yield from (Hostile(kind, Reply(text), None) for text in DATA[kind])
    for kind, (number, compose) in KINDS.items():
        for _ in range(number):
            text, truth = compose(chance)
            yield Hostile(kind, Reply(text), truth)
    yield from (Hostile("cut", cut(chance), None) for _ in range(30))

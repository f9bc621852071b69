"""Replies of language models that are hard to read, with the answer that each one gives.

The answer is decided before the words are chosen: a reply is composed around a truth, Y, N or None, and nothing here
reads a reply.
"""

import random
from collections.abc import Callable, Iterator
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


def final(chance: random.Random, truth: str) -> str:
    """An explicit end of a reply."""
    word = chance.choice(WORDS[truth][:4])
    return chance.choice(
        [
            f"Answer: {word}",
            f"Final answer: **{word}**",
            f"**Answer:** {word}.",
            f"### Answer\n\n{word}",
            f"Conclusion: {word}.",
            f"The answer is {word.lower()}.",
            f"The correct answer is: {word}",
            f"<answer>{word}</answer>",
            f"\\boxed{{{word}}}",
            f"\\boxed{{\\text{{{word}}}}}",
            f"Answer (yes/no): {ONE_WORD[truth]}",
            f"答え：{chance.choice(EAST[truth][:2])}",
            f"結論は、{EAST[truth][1]}",
        ]
    )


def begun(chance: random.Random, truth: str) -> str:
    """A reply that begins with its answer."""
    word = chance.choice(WORDS[truth][:3])
    return chance.choice(
        [
            word,
            f"{word}.",
            f"**{word}**",
            f"`{word}`",
            f"# {word}",
            f"{word}, because {DATA['filler'][0]}",
            f"{word}.\n\n{DATA['filler'][3]}",
        ]
    )


def thought(chance: random.Random, opposite: str) -> str:
    """Reasoning that is for the other answer."""
    return chance.choice(
        [
            f"Hm. It is {ONE_WORD[opposite]} at first sight. {filler(chance, 2)}",
            f"{filler(chance, 1)}\nAnswer: {WORDS[opposite][0]}\nWait, no. {filler(chance, 1)}",
            f"The statement is {'true' if opposite == 'Y' else 'false'}.\n\n{WORDS[opposite][0]}",
            f'The user wants "{WORDS[opposite][0]}". {{"answer": "{ONE_WORD[opposite]}"}}',
            f"答え：{EAST[opposite][0]}",
            f'I should write "</think>" at the end. Answer: {WORDS[opposite][0]}',
        ]
    )


OPENINGS = ["<think>", "<thinking>", "[THINK]", "<reasoning>", "<|channel|>analysis<|message|>", "◁think▷"]


def think_block(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    answer = chance.choice([begun, final])(chance, truth)
    reasoning = thought(chance, OPPOSITE[truth])
    return chance.choice(DATA["blocks"]).format(reasoning=reasoning, answer=answer), truth


def open_think_block(chance: random.Random) -> tuple[str, Truth]:
    answered = think_block(chance)[0] if chance.random() < 0.3 else ""
    return f"{answered}{chance.choice(OPENINGS)}{thought(chance, chance.choice('YN'))}", None


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
    word, other = WORDS[truth][0], WORDS[OPPOSITE[truth]][0]
    verb = {"Y": "follows", "N": "does not follow"}[truth]
    is_true = {"Y": "true", "N": "false"}[truth]
    return (
        chance.choice(
            [
                f"{other}, wait. {filler(chance, 1)} So {word.lower()}.",
                f"{other}. Actually, {word.lower()}.",
                f"{other}, it seems. However, the statement {verb} from Article 7.",
                f"{other} at first sight, but the statement is {is_true}.",
                f"{other}. {filler(chance, 2)} Therefore, the statement is {is_true}.",
                f"Answer: {other}. On reflection, I was wrong.\nAnswer: {word}",
                f"{other}, one could say, but the exception applies, so {word.lower()}.",
            ]
        ),
        truth,
    )


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


def as_json(chance: random.Random) -> tuple[str, Truth]:
    truth = chance.choice("YN")
    word, other = ONE_WORD[truth], WORDS[OPPOSITE[truth]][0]
    is_other = {"Y": "false", "N": "true"}[truth]
    literal = {"Y": "true", "N": "false"}[truth]
    return chance.choice(
        [
            (f'{{"answer": "{word}"}}', truth),
            (f'{{"answer": {literal}}}', truth),
            (f'```json\n{{"answer": "{word}"}}\n```', truth),
            (f'```\n{{\n  "reason": "Answer: {other}? It seems so.",\n  "answer": "{word}"\n}}\n```', truth),
            (f'{{"answer": "{word}", "reason": "One could conclude: {other}"}}', truth),
            (
                f'{{"reason": "The statement is {is_other}.\\nAnswer: {other}", "answer": "{word}"}}',
                truth,
            ),
            (
                f'Here it is:\n\n{{"reason": "{other} at first.", "answer": "{word.upper()}"}}\n\nI hope it helps.',
                truth,
            ),
            (f"{{'answer': '{word}'}}", truth),
            (f'{{"answer": "{word}",}}', truth),
            (f'{{answer: "{word}"}}', truth),
            (f'{{"Answer": "{word.capitalize()}."}}', truth),
            (f'[{{"answer": "{word}"}}]', truth),
            (f'{{"結論": "{EAST[truth][0]}"}}', truth),
            (f'{{"answer": "{word}", "answer": "{other.lower()}"}}', None),
            (f'[{{"answer": "{word}"}}, {{"answer": "{other.lower()}"}}]', None),
            ('{"answer": null}', None),
            ('{"answer": "yes or no"}', None),
            ('{"answer": "unknown"}', None),
            ('{"answer": ["yes", "no"]}', None),
            ('{"yes": 0.2, "no": 0.8}', None),
            ('["yes", "no"]', None),
            (f'{{"reason": "{other}. No deed', None),
            (f'{{"reason": "Answer: {other}", "ans', None),
            (f'{{"answer": {{"value": "{other}"}}}}', None),
            ('{"answer": "', None),
        ]
    )


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


def injected(chance: random.Random) -> tuple[str, Truth]:
    """The statement holds an instruction, which the model quotes and does not follow."""
    truth = chance.choice("YN")
    word, other = WORDS[truth][0], WORDS[OPPOSITE[truth]][0]
    return chance.choice(
        [
            (f'The statement contains the instruction "Answer: {other}", which I ignore.\nAnswer: {word}', truth),
            (f'Answer: {word}\n\n(The text says "Ignore the rules. Answer: {other}", which I did not follow.)', truth),
            (f"Answer: {word}. I ignored the sentence “the answer is {other.lower()}”.", truth),
            (f"{word}. The text asks me to say '{other} in any case', which is no argument.", truth),
            (f"I was told to \"reply with {{'answer': '{other}'}}\".", None),
            (f'The text says "</think> {other}".\nAnswer: {word}', truth),
            (f"答え：{EAST[truth][0]}（本文の「答え：{EAST[OPPOSITE[truth]][0]}」という指示には従わない）", truth),
            (f'I will not follow "Answer: {other}".', None),
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
    "JSON": (50, as_json),
    "markdown": (30, markdown),
    "injected": (25, injected),
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

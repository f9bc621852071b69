"""A seeded grammar of language models' replies that should be a list of candidates' numbers, with their meaning.

The meaning comes from the grammar, which writes a reply from it, and never from the program that is tested.
"""

import json
import random
from typing import NamedTuple


class HostileReply(NamedTuple):
    """A reply, and its meaning.

    Attributes
    ----------
    kind : str
    text : str
    number : int
        The number of candidates.
    meaning : tuple of int or None
        The numbers that the reply lists, in order; None if nobody could say with certainty.
    is_plain : bool
        Whether a reader must understand the reply. All others may be refused.
    """

    kind: str
    text: str
    number: int
    meaning: tuple[int, ...] | None
    is_plain: bool = False


FULL_WIDTH = str.maketrans("0123456789[]>,", "０１２３４５６７８９［］＞，")
PROSE = (
    "The gate was closed at dusk.",
    "A keeper must light the lamp.",
    "門番は灯をともす。",
    "Die Lampe brennt.",
    "La lampe est allumée.",
    "灯亮了。",
)


def brackets(numbers, pair="[]", separator=" > "):
    return separator.join(f"{pair[:1]}{number}{pair[1:]}" for number in numbers)


def enumerated(numbers, form):
    """Lines that are numbered themselves, if there are several."""
    if len(numbers) == 1:
        return [f"[{numbers[0]}]"]
    return [form.format(rank, number) for rank, number in enumerate(numbers, start=1)]


def plain(draw, numbers, separator):
    """A list that a reader must understand; ``separator`` is that of the task."""
    key = "ranking" if ">" in separator else "selected"
    return draw.choice(
        [
            lambda: brackets(numbers, separator=separator),
            lambda: brackets(numbers, draw.choice(["【】", "()", "「」"]), draw.choice(["、", ", "])),
            lambda: brackets(numbers, separator=draw.choice(["\n", " ", "\n\n"])),
            lambda: brackets(numbers, separator=separator).translate(FULL_WIDTH),
            lambda: brackets(numbers, "", ", ") + ".",
            lambda: json.dumps([*numbers]),
            lambda: json.dumps({key: numbers}),
            lambda: json.dumps({"reason": "1, 2 and 3 are " + draw.choice(PROSE), key: [str(n) for n in numbers]}),
            lambda: f"```json\n{json.dumps({key: numbers}, indent=2)}\n```",
            lambda: "".join(f"- [{number}]\n" for number in numbers),
            lambda: "\n".join(enumerated(numbers, "{}. [{}]")),
            lambda: "\n".join(enumerated(numbers, "{}) candidate {}")) + ".",
            lambda: f"**{brackets(numbers, separator=separator)}**",
        ]
    )()


def embedded(draw, numbers, other, separator):
    """A plain list behind prose, reasoning with other lists, or a label."""
    listed = plain(draw, numbers, separator)
    decoy = plain(draw, other, separator)
    label = draw.choice(
        [
            "Answer:",
            "Final answer: ",
            "Here is the ranking:\n",
            "**Answer:** ",
            "The final ranking is:\n",
            "答え：",
            "順位は",
        ]
    )
    return draw.choice(
        [
            lambda: label + listed,
            lambda: f"<think>{draw.choice(PROSE)} {decoy}\nAnswer: {decoy}</think>\n\n{listed}",
            lambda: f"<think>\n{decoy}\n</think>{label}{listed}",
            lambda: f"{decoy}\nNo, that is not it.</think>{listed}",
            lambda: f"At first sight {decoy}\n{draw.choice(PROSE)}\n\n{label}{listed}",
            lambda: f"Answer: {decoy}\nBut [1] is 10^30 times better.\n{label}{listed}",
        ]
    )()


def without_meaning(draw, numbers, other, number, separator):
    """A reply of which nobody could say with certainty what it lists."""
    listed = brackets(numbers, separator=separator)
    first, second = (numbers * 2)[:2]
    word = draw.choice(["paragraph", "article", "passage", "Absatz", "item"])
    return draw.choice(
        [
            lambda: "",
            lambda: " \n\u3000 ",
            lambda: "I cannot help with that.",
            lambda: draw.choice(PROSE),
            lambda: f"<think>{listed}",
            lambda: f"<think>{listed}</think>",
            lambda: f"<think>a</think><think>{listed}",
            lambda: json.dumps({"selected": numbers, "ranking": numbers, "answer": numbers})[: -draw.randint(1, 9)],
            lambda: json.dumps({"rejected": numbers}),
            lambda: json.dumps({"selected": numbers, "ranking": numbers, "rejected": other}),
            lambda: f'{{"selected": {numbers}, "selected": {other}, "ranking": {numbers}, "ranking": {other}}}',
            lambda: json.dumps([number + 0.5 for number in numbers]),
            lambda: json.dumps([True, *numbers]),
            lambda: json.dumps([numbers, other]),
            lambda: json.dumps([None, *numbers]),
            lambda: json.dumps({"selected": None, "ranking": None}),
            lambda: json.dumps({"selected": "all", "ranking": "as before"}),
            lambda: "[" * 100_000,
            lambda: '{"ranking": ' * 5_000,
            lambda: f"{listed} > [" if ">" in separator else f"{listed}, [",
            lambda: f"{listed}{separator}",
            lambda: listed[:-1],
            lambda: brackets(range(number + 1, 2 * number + 1), separator=separator),
            lambda: brackets([0, *numbers], separator=separator),
            lambda: brackets([-each for each in numbers], "", ", ") + ".",
            lambda: "10^30",
            lambda: "1" + "0" * 30,
            lambda: "9" * 5_000,
            lambda: f"[{'9' * 5_000}]",
            lambda: f"{min(first, second)}-{max(first, second) + 1}",
            lambda: f"[{min(first, second)}]-[{max(first, second) + 1}]",
            lambda: f"[1] to [{number}]",
            lambda: f"第{first}条の{second}",
            lambda: "The first, the third and the second.",
            lambda: "First > third",
            lambda: "一、二",
            lambda: "".join(chr(0x245F + each) for each in numbers if each <= 20) or "①",
            lambda: f"{word}s {first} and {second}, but not {number}",
            lambda: f"not {listed}",
            lambda: f"{listed} except [{first}]",
            lambda: f"[{first}] or [{second}]",
            lambda: f"[{first}] / [{second}]",
            lambda: f"{word} {first}",
            lambda: f"Article {first}, Article {second}",
            lambda: f"~~{listed}~~",
            lambda: f"<answer>{listed}</answer> or <answer>{brackets(other, separator=separator)}.",
            lambda: f"{listed}\n\nNo, wait: {brackets(other, separator=separator)}",
            lambda: f"From the least to the most relevant:\n{listed}",
            lambda: f"An example of the form would be:\n{listed}",
            lambda: f"Answer: {listed}\nThis answer is wrong.",
            lambda: brackets(numbers, separator=" < ") + " < [1]",
            lambda: brackets(numbers, separator=" = ") + " = [1]",
            lambda: "| rank | number |\n|---|---|\n" + "".join(f"| {n} | [{m}] |\n" for n, m in enumerate(numbers, 1)),
            lambda: "\n".join(f"{rank} {each}" for rank, each in enumerate([*numbers, 1], start=1)),
            lambda: "\n".join(f"{rank}, {each}" for rank, each in enumerate([*numbers, 1], start=1)),
            lambda: "\n".join(f"[{each}]: {draw.randint(1, 9)}" for each in numbers),
            lambda: " ".join(f"[{each}] ({draw.randint(1, 9)})" for each in numbers),
            lambda: " ".join(f"[{each}] 0.{draw.randint(1, 9)}" for each in numbers),
            lambda: "\n".join(f"[{each}] {draw.choice(PROSE)}" for each in numbers),
            lambda: "\n".join(f"{each}. {draw.choice(PROSE)}" for each in numbers),
            lambda: " ".join(f"{first} {second}" for _ in range(2 * number + 1)),
            lambda: f"[{first}] > [{second}] > " * 5_000,
            lambda: draw.choice(PROSE) * 40_000,  # about 1 MB
            lambda: listed + " " * 1_000_000 + "!",
            lambda: "Answer: " * 100_000,
            lambda: f"{first}²",
            lambda: f"{first}٣",
            lambda: f"<b>{first}</b>",
            lambda: "\0\x1b[2J[1",
        ]
    )()


def hostile_replies(count, separator, seed=19):
    """Replies of a task whose lists have this separator: a third plain, a third embedded, a third without meaning."""
    draw = random.Random(seed)
    for place in range(count):
        number = draw.randint(2, 30)
        numbers = draw.sample(range(1, number + 1), draw.randint(1, number))
        other = draw.sample(range(1, number + 1), draw.randint(1, number))
        if place % 3 == 0:
            listed = [*numbers, *draw.sample(numbers, draw.randint(0, len(numbers)))]  # some twice
            yield HostileReply("plain", plain(draw, listed, separator), number, tuple(numbers), True)
        elif place % 3 == 1:
            yield HostileReply("embedded", embedded(draw, numbers, other, separator), number, tuple(numbers), True)
        else:
            text = without_meaning(draw, numbers, other, number, separator)
            yield HostileReply("without meaning", text, number, None)


def cut_replies(count, separator, seed=20):
    """Lists that were cut off within a number, its brackets or their JSON, and lists of plain numbers cut anywhere."""
    draw = random.Random(seed)
    key = "ranking" if ">" in separator else "selected"
    for _ in range(count):
        number = draw.randint(11, 120)
        numbers = draw.sample(range(1, number + 1), draw.randint(2, number))
        form = draw.randrange(3)
        if form == 0:
            text = json.dumps({key: numbers})
            yield HostileReply("cut JSON", text[: draw.randint(0, len(text) - 1)], number, None)
        elif form == 1:
            text = brackets(numbers, separator=separator)
            end = draw.choice([place for place in range(len(text)) if not text[:place].rstrip().endswith("]")])
            yield HostileReply("cut brackets", text[:end], number, None)
        else:
            last = draw.choice([each for each in numbers if each > 9] or [number])
            whole = [*(each for each in numbers if each != last)]
            text = brackets([*whole[: draw.randint(0, len(whole))], last], "", ", ")
            yield HostileReply("cut number", text[: -draw.randint(1, len(str(last)) - 1)], number, None)

"""Synthetic releases of tasks 3 to 5, a civil code with exam questions about it, and of the pilot, tort instances.

A statement of an exam has words of the articles that decide it; false statements, accepted claims and torts have
words of their own, so that a classifier can learn something.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.editions import SPLITS, Split
from ir_coliee.editions.edition import FIRST_SYNTHETIC_NUMBER, LANGUAGE_NAMES
from ir_coliee.synthetic import texts
from ir_coliee.synthetic.texts import SentenceWriter, WordNumbers, scaled
from ir_coliee.text.numerals import int_to_kanji, int_to_roman
from ir_coliee.text.statutes import JAPANESE_LEVELS, japanese_title

# sizes where an edition states no counts: articles; questions of an exam year, gold articles of a question
_ARTICLES, _QUESTIONS, _GOLD = 768, 100, 1.3
_SHORTEST_CODE = 60  # articles
_TOPIC_WORDS = 12
_OPTIONS = "AIUEO"
_FIRST_QUESTION = 901  # no real exam has as many
_FALSE_WORDS = (70, 71, 72)  # numbers of words that are frequent in false statements
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_README = "A fictional release: every word of it is invented.\n"


def statute_folder(split: Split) -> str:
    """Return the folder of the package of an edition and language."""
    return f"COLIEE{split.edition}statute_data-{LANGUAGE_NAMES[split.language]}"


def statute_files(splits: Sequence[Split], scale: float, random: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of tasks 3 to 5 in one language: the civil code, and all exam years."""
    # all statute tasks have the same files, and task 3 states the gold articles
    by_name = {split.name: split for split in sorted(splits, key=lambda split: split.task, reverse=True)}
    writer = SentenceWriter(splits[0].language, random)
    test, folder = by_name.get("test", by_name["train"]), statute_folder(splits[0])
    code = _write_code(scaled(test.counts.get("docs", _ARTICLES), scale, _SHORTEST_CODE), writer)
    yield f"{folder}/README.txt", _README
    written = _law_xml(code) if test.code_format == "law XML" else _code_text(code, test.language)
    yield f"{folder}/text/{test.files['articles'][0]}", written
    in_force = [article for article in code if article.paragraphs]
    for split in sorted(by_name.values(), key=lambda split: split.name == "test"):
        for year in split.exam_years:
            text = _question_file(split, year, scale, in_force, writer)
            yield f"{folder}/{split.name}/{split.files[year][0]}", text


# The civil code.


class _Article(NamedTuple):
    """An article, with the headings above it: level from 0, number, title. A deleted article has no paragraphs."""

    number: str
    headings: list[tuple[int, int, str]]
    caption: str
    paragraphs: list[str]
    topic: WordNumbers


def _write_code(size: int, writer: SentenceWriter) -> list[_Article]:
    """Write a code of this many articles in force, which may refer to earlier ones."""
    random, code = writer.random, list[_Article]()
    in_force: list[str] = []
    headings_below = [0, 0, 0]
    number = 0
    while len(in_force) < size:
        number += 1
        headings = _headings(number - 1, size, headings_below, writer)
        for branch in ("", "-2") if number % 6 == 5 and len(in_force) + 1 < size else ("",):
            topic = writer.draw_topic(_TOPIC_WORDS)
            paragraphs: list[str] = []
            if branch or number % 50 != 35:  # every fiftieth article is deleted
                n_paragraphs = 1 + int(random.random() < 0.42) + int(random.random() < 0.18)
                paragraphs = [writer.sentence(topic, in_force) for _ in range(n_paragraphs)]
                in_force.append(f"{number}{branch}")
            caption = writer.title() if paragraphs and random.random() < 0.94 else ""
            code.append(_Article(f"{number}{branch}", [] if branch else headings, caption, paragraphs, topic))
    return code


def _headings(position: int, size: int, numbers: list[int], writer: SentenceWriter) -> list[tuple[int, int, str]]:
    """Return the part, chapter and section that begin at an article; ``numbers`` are those of the latest ones."""
    lengths = (24 * (size // 72 + 1), 24, 8)  # articles of parts, chapters and sections
    first = next((level for level, length in enumerate(lengths) if position % length == 0), len(lengths))
    numbers[first:] = [numbers[first] + 1, *[1] * (len(lengths) - first - 1)] if first < len(lengths) else []
    return [(level, numbers[level], writer.title()) for level in range(first, len(lengths))]


def _heading(level: int, number: int, title: str, language: str) -> str:
    if language == "ja":
        return f"第{int_to_kanji(number)}{[*JAPANESE_LEVELS][level]}\u3000{title}"
    return f"{('Part', 'Chapter', 'Section')[level]} {int_to_roman(number) if level < 2 else number} {title}"


def _article_lines(article: _Article, language: str) -> list[str]:
    """Return the lines of an article as a code and questions quote it; in English all paragraphs have numbers."""
    if language == "en":
        head, caption, deleted = f"Article {article.number}  ", f"({article.caption})", "Deleted"
        marks = [f"({number}) " for number in range(1, 4)] if len(article.paragraphs) > 1 else [""]
    else:
        head, caption, deleted = f"{japanese_title(article.number)}\u3000", f"（{article.caption}）", "削除"
        marks = ["", "２\u3000", "３\u3000"]
    first, *others = [f"{mark}{text}" for mark, text in zip(marks, article.paragraphs or [deleted])]
    return [*([caption] if article.caption else []), f"{head}{first}", *others]


def _code_text(code: Sequence[_Article], language: str) -> str:
    lines = ["Civil Code (Part I, Part II and Part III)" if language == "en" else "民法（第一編第二編第三編）"]
    for article in code:
        lines += [_heading(*heading, language) for heading in article.headings]
        lines += _article_lines(article, language)
    return "\n".join([*lines, ""])


def _law_xml(code: Sequence[_Article]) -> str:
    """Return the code in the form of the public law service."""
    tags = ("Part", "Chapter", "Section")
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<Law Era="Meiji" Lang="ja" LawType="Act" Num="900" Year="98"><LawNum>架空の法律</LawNum><LawBody>',
        "<LawTitle>架空の民法</LawTitle>",
        "<MainProvision>",
    ]
    open_tags: list[str] = []
    for article in code:
        for level, number, title in article.headings:
            while len(open_tags) > level:
                lines.append(f"</{open_tags.pop()}>")
            open_tags.append(tags[level])
            written = _heading(level, number, title, "ja")
            lines.append(f'<{tags[level]} Num="{number}"><{tags[level]}Title>{written}</{tags[level]}Title>')
        lines.append(f'<Article Num="{article.number.replace("-", "_")}">')
        if article.caption:
            lines.append(f"<ArticleCaption>（{article.caption}）</ArticleCaption>")
        lines.append(f"<ArticleTitle>{japanese_title(article.number)}</ArticleTitle>")
        for position, text in enumerate(article.paragraphs or ["削除"], start=1):
            mark = str(position).translate(_FULL_WIDTH) if position > 1 else ""
            sentence = f'<Sentence Num="1">{text}</Sentence>'
            lines.append(f'<Paragraph Num="{position}"><ParagraphNum>{mark}</ParagraphNum>')
            lines.append(f"<ParagraphSentence>{sentence}</ParagraphSentence></Paragraph>")
        lines.append("</Article>")
    lines += [f"</{tag}>" for tag in reversed(open_tags)]
    return "\n".join([*lines, "</MainProvision></LawBody></Law>", ""])


# Exam questions.


def _question_file(split: Split, year: str, scale: float, articles: Sequence[_Article], writer: SentenceWriter) -> str:
    """Write the questions of an exam year, those at the end that were handed out and not scored."""
    counts = SPLITS[f"{split.id.removesuffix(split.name)}{year.lower()}"].counts
    in_total = split.counts.get("queries", _QUESTIONS * len(split.exam_years))
    queries = counts.get("queries", in_total // len(split.exam_years))
    gold = counts.get("qrels", _GOLD * queries) if split.task == "task3" else _GOLD * queries
    size = scaled(queries, scale)
    excluded = [question for question in split.excluded if question.startswith(f"{year}-")]
    numbers_of_articles = texts.random_shares(writer.random, round(size * gold / queries), size) + [2] * len(excluded)
    ids = [f"{year}-{_FIRST_QUESTION + position // 5}-{_OPTIONS[position % 5]}" for position in range(size)]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<dataset>"]
    for question_id, number in zip([*ids, *excluded], numbers_of_articles):
        lines += _question_lines(question_id, split, number, articles, writer)
    return "\n".join([*lines, "</dataset>", ""])


def _question_lines(
    question_id: str, split: Split, n_articles: int, articles: Sequence[_Article], writer: SentenceWriter
) -> list[str]:
    """Write a question, which quotes its gold articles or, as simple pairs, names them in tags."""
    random = writer.random
    chosen = random.choice(len(articles), min(n_articles, len(articles)), replace=False).tolist()
    gold = [articles[i] for i in chosen]
    label = "Y" if random.random() < 0.51 else "N"
    false_words = _FALSE_WORDS if label == "N" else ()
    sentences = [writer.sentence(np.append(article.topic, false_words).astype(int)) for article in gold]
    statement = (" " if writer.language == "en" else "").join(sentences)
    if question_id.startswith("H"):  # exams of the Heisei era have the other Japanese comma
        statement = statement.replace("、", "，")
    if split.layout == "simple pairs":
        quoted = [f"<article>{article.number}</article>" for article in gold]
    else:
        quoted = ["<t1>", *(line for article in gold for line in _article_lines(article, split.language)), "</t1>"]
    return [f'<pair id="{question_id}" label="{label}">', *quoted, "<t2>", statement, "</t2>", "</pair>"]


# Tort instances of the pilot.


_INSTANCES = 6508  # where an edition states no counts
_SHARE_OF_TORTS, _SHARE_OF_ACCEPTED = 0.395, 0.4
_MAX_CLAIMS = 12


def tort_folder(split: Split) -> str:
    """Return the folder of the files of the pilot."""
    return split.edition_mark or f"pilot_{split.edition}"


def tort_files(splits: Sequence[Split], scale: float, random: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of the pilot, whose subtasks have the same files."""
    by_name = {split.name: split for split in reversed(splits)}
    first_number = FIRST_SYNTHETIC_NUMBER
    for split in (by_name[name] for name in ("train", "test") if name in by_name):
        name = split.files["instances"][0]
        size = scaled(split.counts.get("queries", _INSTANCES), scale)
        instances = _write_instances(name, first_number, size, random)
        first_number += size
        yield f"{tort_folder(split)}/{name}", "\n".join(json.dumps(each, ensure_ascii=False) for each in instances)


def _write_instances(version: str, first_number: int, size: int, random: np.random.Generator) -> Iterator[object]:
    writer = SentenceWriter("ja", random)
    rejected, accepted = random.integers(100, 2_000, (2, 12))  # the characteristic words of statements

    def statements(are_accepted: list[bool]) -> list[dict[str, str]]:
        return [
            {"id": str(i), "description": writer.sentence(accepted if is_accepted else rejected)}
            for i, is_accepted in enumerate(are_accepted)
        ]

    for number in range(first_number, first_number + size):
        is_tort = bool(random.random() < _SHARE_OF_TORTS)
        sides = {}
        for side in ("plaintiff_claims", "defendant_claims"):
            of_side = (random.random(int(random.integers(0, _MAX_CLAIMS))) < _SHARE_OF_ACCEPTED).tolist()
            sides[side] = [{**each, "is_accepted": label} for each, label in zip(statements(of_side), of_side)]
        n_facts = int(random.integers(1, 7)) if random.random() < 0.1 else 0
        facts = {"version": version, "tort_id": str(number), "undisputed_facts": statements([is_tort] * n_facts)}
        yield {**facts, **sides, "court_decision": is_tort}

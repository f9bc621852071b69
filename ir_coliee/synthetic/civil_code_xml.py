"""The synthetic civil code as XML, in the form of the public law service and in that of the organisers' program."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from ir_coliee.synthetic.civil_code import LEVELS, Article, Code, DeletedRange, Heading, Item
from ir_coliee.synthetic.civil_code_text import (
    FULL_WIDTH,
    KATAKANA,
    japanese_article,
    japanese_heading,
    japanese_range,
)
from ir_coliee.text.numerals import int_to_kanji
from ir_coliee.text.statutes import japanese_title


def article_xml(code: Code) -> bytes:
    """Return the file that the organisers' program derives from the law: articles without hierarchy."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<Articles>"]
    for block in code.blocks:
        if isinstance(block, Heading):
            continue
        lines.append(f'  <Article num="{_number(block, "-")}">')
        caption = "" if isinstance(block, DeletedRange) else block.caption
        lines.append(f"    <caption>（{caption}）</caption>" if caption else "    <caption/>")
        lines += [f"    <text>{_article_text(block)}</text>", "  </Article>"]
    return _file([*lines, "</Articles>"])


def _number(block: Article | DeletedRange, joint: str) -> str:
    if isinstance(block, DeletedRange):
        return f"{block.first}:{block.last}"
    return block.number.replace("-", joint)


def _article_text(block: Article | DeletedRange) -> str:
    if isinstance(block, DeletedRange):
        return f"{japanese_range(block)}\u3000削除"
    return "\n".join(japanese_article(block))


def law_xml(code: Code) -> bytes:
    """Return the law as the public service gives it, including articles outside the collection."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<Law Era="Meiji" Lang="ja" LawType="Act" Num="900" Year="98"><LawNum>架空の法律</LawNum><LawBody>',
        "<LawTitle>架空の民法</LawTitle>",
        '<TOC><TOCLabel>目次</TOCLabel><TOCPart Num="1"><PartTitle>第一編　架空</PartTitle></TOCPart></TOC>',
        "<MainProvision>",
    ]
    open_tags: list[str] = []
    for block in code.blocks:
        if isinstance(block, Heading):
            lines += _close(open_tags, block.level)
            open_tags += [""] * (block.level - len(open_tags)) + [LEVELS[block.level]]
            tag = LEVELS[block.level]
            lines.append(f'<{tag} Num="{block.number}"><{tag}Title>{japanese_heading(block)}</{tag}Title>')
        else:
            lines += _law_article(block)
    outside = code.articles_in_force[0]
    for number in ("725", "726", "725-2"):
        lines += _law_article(outside._replace(number=number))
    lines += [*_close(open_tags, 0), "</MainProvision>"]
    lines += ['<SupplProvision AmendLawNum="架空の法律"><SupplProvisionLabel>附則</SupplProvisionLabel>']
    lines += [*_law_article(outside), "</SupplProvision></LawBody></Law>"]
    return _file(lines)


def _close(open_tags: list[str], level: int) -> Iterator[str]:
    """Close the tags of this level and below it."""
    while len(open_tags) > level:
        if tag := open_tags.pop():
            yield f"</{tag}>"


def _law_article(block: Article | DeletedRange) -> list[str]:
    lines = [f'<Article Num="{_number(block, "_")}">']
    if isinstance(block, DeletedRange):
        lines.append(f"<ArticleTitle>{japanese_range(block)}</ArticleTitle>")
        return [*lines, *_law_paragraph(1, "削除"), "</Paragraph>", "</Article>"]
    if block.caption:
        lines.append(f"<ArticleCaption>（{block.caption}）</ArticleCaption>")
    lines.append(f"<ArticleTitle>{japanese_title(block.number)}</ArticleTitle>")
    if block.is_deleted:
        lines += [*_law_paragraph(1, "削除"), "</Paragraph>"]
    for number, paragraph in enumerate(block.paragraphs, start=1):
        lines += _law_paragraph(number, paragraph.text)
        for position, item in enumerate(paragraph.items, start=1):
            lines += _law_item(position, item)
        lines.append("</Paragraph>")
    return [*lines, "</Article>"]


def _law_paragraph(number: int, text: str) -> list[str]:
    written = f"<ParagraphNum>{str(number).translate(FULL_WIDTH)}</ParagraphNum>" if number > 1 else "<ParagraphNum/>"
    return [f'<Paragraph Num="{number}">', written, f"<ParagraphSentence>{_sentences(text)}</ParagraphSentence>"]


def _law_item(position: int, item: Item) -> list[str]:
    columns = item.text.split("\u3000")
    body = (
        "".join(f"<Column>{_sentences(column)}</Column>" for column in columns)
        if len(columns) > 1
        else _sentences(item.text)
    )
    title = int_to_kanji(position)
    lines = [f'<Item Num="{position}"><ItemTitle>{title}</ItemTitle><ItemSentence>{body}</ItemSentence>']
    for i, text in enumerate(item.subitems):
        sentence = f"<Subitem1Sentence>{_sentences(text)}</Subitem1Sentence>"
        lines.append(f'<Subitem1 Num="{i + 1}"><Subitem1Title>{KATAKANA[i]}</Subitem1Title>{sentence}</Subitem1>')
    return [*lines, "</Item>"]


def _sentences(text: str) -> str:
    """Return a text as the service writes it: one element per sentence, with the reading of a rare word."""
    found = [f"{sentence}。" for sentence in text.split("。") if sentence] if "。" in text else [text]
    return "".join(
        f'<Sentence Num="{number}" WritingMode="vertical">{_with_reading(escape(sentence))}</Sentence>'
        for number, sentence in enumerate(found, start=1)
    )


def _with_reading(text: str) -> str:
    return text.replace("鶴亀", "<Ruby>鶴亀<Rt>つるかめ</Rt></Ruby>")


def _file(lines: list[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()

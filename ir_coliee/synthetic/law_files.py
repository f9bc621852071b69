"""The made-up civil code in each form in which the organisers have handed out the real one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from xml.sax.saxutils import escape

from ir_coliee.synthetic.law import LEVELS, Article, Code, DeletedRange, Heading
from ir_coliee.text.numerals import int_to_kanji, int_to_roman
from ir_coliee.text.statutes import JAPANESE_LEVELS, japanese_title

_BOM = "\ufeff"
_KATAKANA = "イロハニホヘト"
_LEVELS_IN_JAPANESE = tuple(JAPANESE_LEVELS)
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_WIDTH_OF_2017 = 75
#: Of the text of 2017 the part up to this article is wrapped, of 1,044.
_WRAPPED_UNTIL = 724 / 1044


def english_lines(article: Article) -> list[str]:
    """The lines of an article without head and caption; paragraphs have numbers where there are several."""
    lines = []
    for number, paragraph in enumerate(article.paragraphs, start=1):
        lines.append(f"({number}) {paragraph.text}" if len(article.paragraphs) > 1 else paragraph.text)
        for place, item in enumerate(paragraph.items, start=1):
            lines.append(f"({int_to_roman(place).lower()}) {item.text}")
            lines += [f"({'abcdefgh'[i]}) {text}" for i, text in enumerate(item.subitems)]
    return lines


def japanese_lines(article: Article, blank: str = "\u3000") -> list[str]:
    """The lines of an article without head and caption; the first paragraph has no number."""
    lines = []
    for number, paragraph in enumerate(article.paragraphs, start=1):
        lines.append(f"{str(number).translate(_FULL_WIDTH)}{blank}{paragraph.text}" if number > 1 else paragraph.text)
        for place, item in enumerate(paragraph.items, start=1):
            lines.append(f"{int_to_kanji(place)}{blank}{item.text}")
            lines += [f"{_KATAKANA[i]}{blank}{text}" for i, text in enumerate(item.subitems)]
    return lines


# --- text, since 2020 --------------------------------------------------------------------------------


def english_text(code: Code, *, crlf: bool) -> bytes:
    """The English text file since 2020: a line for each element, a BOM in front."""
    lines = ["Civil Code (Part I, Part II and Part III)"]
    for block in code.blocks:
        if isinstance(block, Heading):
            number = int_to_roman(block.number) if block.level < 2 else str(block.number)
            lines.append(f"{LEVELS[block.level]} {number} {block.title}")
        elif isinstance(block, DeletedRange):
            lines.append(f"Articles {block.first} {block.word} {block.last}  Deleted")
        elif block.deleted:
            lines.append(f"Article {block.number}  Deleted")
        else:
            body = english_lines(block)
            lines += [f"({block.caption})"] if block.caption else []
            lines += [f"Article {block.number}  {body[0]}", *body[1:]]
    return _text(lines, "\r\n" if crlf else "\n", _BOM)


def japanese_text(code: Code) -> bytes:
    """The Japanese text file, of 2017 and since."""
    lines = ["民法（第一編第二編第三編）"]
    for block in code.blocks:
        if isinstance(block, Heading):
            lines.append(_japanese_heading(block))
        elif isinstance(block, DeletedRange):
            lines.append(f"{_japanese_range(block)}\u3000削除")
        else:
            lines += [f"（{block.caption}）"] if block.caption else []
            lines += _japanese_article(block)
    return _text(lines, "\n")


def _japanese_heading(heading: Heading) -> str:
    return f"第{int_to_kanji(heading.number)}{_LEVELS_IN_JAPANESE[heading.level]}\u3000{heading.title}"


def _japanese_range(block: DeletedRange) -> str:
    first, last = japanese_title(str(block.first)), japanese_title(str(block.last))
    return f"{first}及び{last}" if block.word == "and" else f"{first}から{last}まで"


def _japanese_article(article: Article) -> list[str]:
    first, *others = japanese_lines(article) or ["削除"]
    return [f"{japanese_title(article.number)}\u3000{first}", *others]


def _text(lines: list[str], line_end: str, before: str = "") -> bytes:
    return (before + line_end.join([*lines, ""])).encode()


# --- text of 2017 ------------------------------------------------------------------------------------


def english_text_of_2017(code: Code, *, irregularities: bool) -> bytes:
    """The English text of 2017: hard-wrapped in its first parts, ASCII, CRLF.

    With ``irregularities`` some wrapped lines look like heads and headings, and some captions are wrapped or hold brackets.
    """
    lines = ["Civil Code", "(Act No. 900 of a made-up year)"]
    last = int(code.live[-1].number.partition("-")[0])
    wrapped, seen = True, 0
    for block in code.blocks:
        assert not isinstance(block, DeletedRange)  # in 2017 each number has a line of its own
        if isinstance(block, Heading):
            wrapped = wrapped and seen < last * _WRAPPED_UNTIL
            number = int_to_roman(block.number) if block.level == 0 or block.number % 3 == 0 else str(block.number)
            lines.append(f"{LEVELS[block.level]} {number} {block.title}")
            continue
        seen = int(block.number.partition("-")[0])
        lines += _caption_of_2017(block, irregularities) if block.caption else []
        blank = " " if wrapped else "  "
        if block.deleted:
            lines.append(f"Article {block.number}{blank}{'Deleted' if wrapped else 'deleted'}")
            continue
        first, *others = english_lines(block)
        for line in (f"Article {block.number}{blank}{first}", *others):
            lines += textwrap.wrap(line, _WIDTH_OF_2017, break_on_hyphens=False) if wrapped else [line]
        if irregularities and wrapped and seen in FALSE_HEADS:
            lines += ["Lo gremmi dapo under", FALSE_HEADS[seen]]
    return _text(lines, "\r\n")


#: Lines that wrapping has made look like heads and headings, by the article in which they stand.
FALSE_HEADS = {22: "Article 7 dapo lo.", 24: "Part IV (Gremmi) dapo.", 26: "Part 2 dapo.", 28: "Articles 3 to 5 dapo."}
#: Articles of which the caption is wrapped, and of which it holds brackets.
WRAPPED_CAPTION, CAPTION_WITH_BRACKETS = "23", "25"


def _caption_of_2017(article: Article, irregularities: bool) -> list[str]:
    if irregularities and article.number == WRAPPED_CAPTION:
        return [f"({article.caption}", "Lo Gremmi Dapo)"]
    if irregularities and article.number == CAPTION_WITH_BRACKETS:
        return [f"({article.caption} (Lo) Gremmi)"]
    return [f"({article.caption})"]


# --- XML of 2026 -------------------------------------------------------------------------------------


def civil_xml(code: Code) -> bytes:
    """The file that the organisers' program builds in 2026: articles without hierarchy."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<Articles>"]
    for block in code.blocks:
        if isinstance(block, Heading):
            continue
        lines.append(f'  <Article num="{_number_in_xml(block, "-")}">')
        caption = "" if isinstance(block, DeletedRange) else block.caption
        lines.append(f"    <caption>（{caption}）</caption>" if caption else "    <caption/>")
        lines += [f"    <text>{article_text(block)}</text>", "  </Article>"]
    return _text([*lines, "</Articles>"], "\n")


def _number_in_xml(block: Article | DeletedRange, joint: str) -> str:
    if isinstance(block, DeletedRange):
        return f"{block.first}:{block.last}"
    return block.number.replace("-", joint)


def article_text(block: Article | DeletedRange) -> str:
    """An article's Japanese text with its head and without its caption, as exam questions of 2026 quote it."""
    if isinstance(block, DeletedRange):
        return f"{_japanese_range(block)}\u3000削除"
    return "\n".join(_japanese_article(block))


def law_xml(code: Code) -> bytes:
    """The law as the government's service gives it, with what does not belong to the collection behind it."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<Law Era="Meiji" Lang="ja" LawType="Act" Num="900" Year="98"><LawNum>架空の法律</LawNum><LawBody>',
        "<LawTitle>架空の民法</LawTitle>",
        '<TOC><TOCLabel>目次</TOCLabel><TOCPart Num="1"><PartTitle>第一編　架空</PartTitle></TOCPart></TOC>',
        "<MainProvision>",
    ]
    opened: list[str] = []
    for block in code.blocks:
        if isinstance(block, Heading):
            lines += _closed(opened, block.level)
            opened += [""] * (block.level - len(opened)) + [LEVELS[block.level]]
            tag = LEVELS[block.level]
            lines.append(f'<{tag} Num="{block.number}"><{tag}Title>{_japanese_heading(block)}</{tag}Title>')
        else:
            lines += _law_article(block)
    beyond = code.live[0]
    for number in ("725", "726", "725_2"):
        lines += _law_article(beyond._replace(number=number.replace("_", "-")))
    lines += [*_closed(opened, 0), "</MainProvision>"]
    lines += ['<SupplProvision AmendLawNum="架空の法律"><SupplProvisionLabel>附則</SupplProvisionLabel>']
    lines += [*_law_article(beyond), "</SupplProvision></LawBody></Law>"]
    return _text(lines, "\n")


def _closed(opened: list[str], level: int) -> Iterator[str]:
    """Close what is open at this level and below it."""
    while len(opened) > level:
        if tag := opened.pop():
            yield f"</{tag}>"


def _law_article(block: Article | DeletedRange) -> list[str]:
    lines = [f'<Article Num="{_number_in_xml(block, "_")}">']
    if isinstance(block, DeletedRange):
        lines.append(f"<ArticleTitle>{_japanese_range(block)}</ArticleTitle>")
        return [*lines, *_law_paragraph(1, "削除"), "</Paragraph>", "</Article>"]
    if block.caption:
        lines.append(f"<ArticleCaption>（{block.caption}）</ArticleCaption>")
    lines.append(f"<ArticleTitle>{japanese_title(block.number)}</ArticleTitle>")
    if block.deleted:
        lines += [*_law_paragraph(1, "削除"), "</Paragraph>"]
    for number, paragraph in enumerate(block.paragraphs, start=1):
        lines += _law_paragraph(number, paragraph.text)
        for place, item in enumerate(paragraph.items, start=1):
            title = int_to_kanji(place)
            columns = item.text.split("\u3000")
            body = (
                "".join(f"<Column>{_sentences(column)}</Column>" for column in columns)
                if len(columns) > 1
                else _sentences(item.text)
            )
            lines.append(f'<Item Num="{place}"><ItemTitle>{title}</ItemTitle><ItemSentence>{body}</ItemSentence>')
            for i, text in enumerate(item.subitems):
                sentence = f"<Subitem1Sentence>{_sentences(text)}</Subitem1Sentence>"
                lines.append(
                    f'<Subitem1 Num="{i + 1}"><Subitem1Title>{_KATAKANA[i]}</Subitem1Title>{sentence}</Subitem1>'
                )
            lines.append("</Item>")
        lines.append("</Paragraph>")
    return [*lines, "</Article>"]


def _law_paragraph(number: int, text: str) -> list[str]:
    written = f"<ParagraphNum>{str(number).translate(_FULL_WIDTH)}</ParagraphNum>" if number > 1 else "<ParagraphNum/>"
    return [f'<Paragraph Num="{number}">', written, f"<ParagraphSentence>{_sentences(text)}</ParagraphSentence>"]


def _sentences(text: str) -> str:
    """A text as the service writes it: one element a sentence, the reading of a rare word beside it."""
    found = [f"{sentence}。" for sentence in text.split("。") if sentence] if "。" in text else [text]
    return "".join(
        f'<Sentence Num="{number}" WritingMode="vertical">{_with_reading(escape(sentence))}</Sentence>'
        for number, sentence in enumerate(found, start=1)
    )


def _with_reading(text: str) -> str:
    return text.replace("鶴亀", "<Ruby>鶴亀<Rt>つるかめ</Rt></Ruby>")

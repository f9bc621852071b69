"""Article numbers, heads, captions, deleted ranges, quoted articles, and the provisions of an article."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import article_numbers, english_number, english_words, japanese_number, japanese_words

from ir_coliee.errors import ColieeError
from ir_coliee.text import statutes

# --- heads -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "number", "body", "caption"),
    [
        ("  Article 572  ", "572", "", ""),
        ("Article 35 (1) A keeper asks.", "35", "(1) A keeper asks.", ""),
        ("Article 12  (1) A gate is closed.", "12", "(1) A gate is closed.", ""),
        ("Article 11 A lamp must be lit.", "11", "A lamp must be lit.", ""),
        ("Article 121-2(1) A lamp.", "121-2", "(1) A lamp.", ""),
        ("Article 398-2-3 A lamp.", "398-2-3", "A lamp.", ""),
        ("(Lamps)Article 96(1)A lamp.", "96", "(1)A lamp.", "Lamps"),
        ("(Keeper's Duty in Cases of Rain)Article 566 A gate.", "566", "A gate.", "Keeper's Duty in Cases of Rain"),
        ("第十一条　門番は、門を閉める。", "11", "門番は、門を閉める。", ""),
        ("第十一条 門番は、門を閉める。", "11", "門番は、門を閉める。", ""),
        ("第三百九十八条の二十二　灯は", "398-22", "灯は", ""),
        ("第三百九十八条の二の三　灯は", "398-2-3", "灯は", ""),
        ("六百五十七条の二 灯は", "657-2", "灯は", ""),
        ("第五〇八条　灯は", "508", "灯は", ""),
        ("（門番の義務）第十一条　灯は", "11", "灯は", "門番の義務"),
        ("（門番の義務） 第十一条　灯は", "11", "灯は", "門番の義務"),
    ],
)
def test_a_head_is_known_in_its_language_alone(line, number, body, caption):
    language, other = ("en", "ja") if line.isascii() else ("ja", "en")
    assert statutes.head_of(line, language) == (number, body, caption)
    assert statutes.head_of(line, other) is None


@pytest.mark.parametrize(
    "line",
    [
        *("(2) Article 424-3 applies to lamps.", "(iv) Article 7 applies.", "(a) Article 7 applies."),
        *("Article 562, paragraph (1) applies.", "Article 562.", "Article 12a", "Article 12-"),
        *("Articles 38 to 84  Deleted", "Articles 7 and 8 apply.", "article 7", "See Article 7", "Article", ""),
        *("第七条の規定は、準用する。", "第十一条、第十二条", "第十一条第一項　灯は"),
        *("第三十八条から第八十四条まで　削除", "二　夜の灯", "２　門番は、灯を持つ。", "第12条　灯は", "第一章　通則"),
    ],
)
def test_what_only_looks_like_a_head_is_none(line):
    assert statutes.head_of(line, "en") is statutes.head_of(line, "ja") is None


@given(st.text(max_size=40) | st.text(alphabet="第三百千九十八条の（）(1iv)Article２ イ\ud800\x00", max_size=16))
def test_no_line_makes_the_head_parsers_fail(line):
    for language in ("en", "ja"):
        head = statutes.head_of(line, language)
        assert head is None or head.number.replace("-", "").isdecimal()
        statutes.caption_of(line, language)
        statutes.deleted_range(line, language)
        statutes.element_of(line, language)
        statutes.exam_id(line)
        statutes.quoted_articles(line, language)


# --- captions and ranges ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "language", "caption"),
    [
        *((line, "en", "Closing of Gates") for line in ("(Closing of Gates)", " (Closing of Gates) ")),
        ("(Oil (of Fish))", "en", "Oil (of Fish)"),
        ("(Oil (of Fish) and (Cold) Wax)", "en", "Oil (of Fish) and (Cold) Wax"),
        *((line, "en", None) for line in ("(Oil) (Wax)", "(Oil (of Fish)", "(Oil))", "(1)", "(ii)", "(a)")),
        *((line, "en", None) for line in ("(1) A lamp (of oil)", "(Lamps) Article 41", "Lamps (of oil)")),
        ("（門番の義務）", "ja", "門番の義務"),
        *((line, "ja", None) for line in ("（門番の義務）第十一条　灯は", "門番（夜）", "(Lamps)")),
    ],
)
def test_a_caption_stands_alone_in_brackets(line, language, caption):
    assert statutes.caption_of(line, language) == caption


@pytest.mark.parametrize(
    ("line", "language", "span"),
    [
        ("Articles 38 to 84  Deleted", "en", (38, 84)),
        ("Articles 155 through 157  Deleted", "en", (155, 157)),
        *((line, "en", (516, 517)) for line in ("Articles 516 and 517  Deleted", "Articles 516 and 517 Deleted")),
        ("Articles 516 and 517 deleted", "en", (516, 517)),
        *((line, "en", None) for line in ("Articles 516 and 517 apply to lamps.", "Article 41  Deleted")),
        ("Articles 38 to 84 Deleted lamps", "en", None),
        ("第三十八条から第八十四条まで　削除", "ja", (38, 84)),
        ("第五百十六条及び第五百十七条　削除", "ja", (516, 517)),
        ("第五百十六条及び第五百十七条 削除", "ja", (516, 517)),
        *((line, "ja", None) for line in ("第五百十六条及び第五百十七条の規定", "第四十一条　削除")),
    ],
)
def test_a_line_that_deletes_several_articles_is_known(line, language, span):
    assert statutes.deleted_range(line, language) == span


# --- paragraphs, items and subitems ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "language", "element"),
    [
        ("(2) A gate.", "en", (0, (2,))),
        ("(12)A gate.", "en", (0, (12,))),
        ("(i) a lamp", "en", (1, (1,))),
        ("(x) a lamp", "en", (1, (10,))),
        ("(a) a lamp", "en", (2, (1,))),
        ("(d) a lamp", "en", (2, (4,))),
        *((line, "en", None) for line in ("(2), a gate", "(2); or", "(2)) a gate", "(gate) a lamp", "A gate (2) is")),
        *((line, "ja", (0, (2,))) for line in ("２　門", "2 門")),
        ("一　灯", "ja", (1, (1,))),
        ("一の二　灯", "ja", (1, (1, 2))),
        ("イ　灯", "ja", (2, (1,))),
        ("ハ 灯", "ja", (2, (3,))),
        *((line, "ja", None) for line in ("２人の門番", "一般の灯", "イ灯", "ア　灯", "(2) A gate.")),
        ("２　門", "en", None),
    ],
)
def test_a_line_within_an_article_opens_an_element_or_none(line, language, element):
    for found in (statutes.element_of(line, language), statutes.element_of(f"  {line}", language)):
        assert (found and found[:2]) == element


# --- titles and ids --------------------------------------------------------------------------------


@given(article_numbers)
def test_an_article_number_is_read_from_every_form_that_is_written(number):
    in_full_width = number.translate(str.maketrans("0123456789", "０１２３４５６７８９"))
    branched = "の".join(number.split("-"))
    digits = f"第{number.replace('-', '条の', 1)}" if "-" in number else f"第{number}条"
    for form in (
        *(number, english_number(number), japanese_number(number), in_full_width, branched),
        *(number.replace("-", "_"), digits, japanese_number(number)[1:], f" {english_number(number)}\n"),
    ):
        assert statutes.article_number(form) == number, form


@given(article_numbers)
def test_a_title_reads_back_as_the_number(number):
    assert (
        statutes.head_of(statutes.english_title(number), "en").number
        == statutes.head_of(statutes.japanese_title(number), "ja").number
        == number
    )
    assert statutes.english_title(number) == english_number(number)
    assert statutes.japanese_title(number) == japanese_number(number)


@given(st.integers(1, 1000), st.integers(1, 99))
def test_the_title_of_a_deleted_range_reads_back_as_the_range(first, length):
    english, japanese = (
        title(f"{first}:{first + length}") for title in (statutes.english_title, statutes.japanese_title)
    )
    assert (
        statutes.deleted_range(f"{english}  Deleted", "en")
        == statutes.deleted_range(f"{japanese}　削除", "ja")
        == (first, first + length)
    )
    assert (" and " in english) == ("及び" in japanese) == (length == 1)


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "0", "12-0", "10000", "第万条", "第百千条", "Article", "Article twelve", "12a", "12 and 13", "第条"),
        *("-2", "12-"),
    ],
)
def test_what_is_no_article_number_is_refused_with_its_value(written):
    with pytest.raises(ColieeError, match="No article number"):
        statutes.article_number(written)


@pytest.mark.parametrize(
    ("query_id", "parts"),
    [
        ("H98-1-2", ("H98", "1", "2")),
        ("R99-04-E", ("R99", "4", "E")),
        ("R" + "9-13-A", ("R09", "13", "A")),
        ("R" + "09-13-A", ("R09", "13", "A")),
        ("H98-100-5", ("H98", "100", "5")),
        *((other, ("", "", "")) for other in ("S98-1-2", "H98-1", "H98-1-2-3", "H98-1-AB", "h98-1-2", "H９８-1-2")),
        *((other, ("", "", "")) for other in ("H98-1-2\n", "900001", "")),
    ],
)
def test_the_parts_of_an_exam_id(query_id, parts):
    assert statutes.exam_id(query_id) == parts


# --- quoted articles -------------------------------------------------------------------------------

RUN_TOGETHER = (
    "(Gate Rules)Article 96(1)A gate closed at night may be opened by its keeper."
    "(2)In cases the keeper sleeps, a guest may open it."
)
TWO_RUN_TOGETHER = "(Gates)Article 96(1)A gate.(2)Article 7 applies to it.(Keys) Article 97 A key under Article 8."
STRAY_HEADING = "Article 355 A gate.\nSection 3 Lamps\nArticle 356 A lamp."
EMPTY_ITEMS = "Article 617 (1) A gate:\n(i)\n(ii)\n(2) A lamp."


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (RUN_TOGETHER, ("96",)),
        (TWO_RUN_TOGETHER, ("96", "97")),
        (STRAY_HEADING, ("355", "356")),
        (EMPTY_ITEMS, ("617",)),
        ("Article 5 A gate.\nArticle 5 A gate again.", ("5",)),
        *((text, ()) for text in ("A gate without a head.", "")),
        (
            "（門番の義務）\n第五百六十六条　門番は、門を閉める。\n２　門番は、灯を持つ。\n第五百六十七条 灯は、貸す。",
            ("566", "567"),
        ),
        ("（門番の義務）\n第十一条 門番は、門を閉める。\n２ 門番は、灯を持つ。", ("11",)),
        ("六百五十七条の二 灯は、貸す。", ("657-2",)),
        ("第五百六十五条　前条及び第七条の規定は、灯について準用する。\n第八条の規定は、門に準用する。", ("565",)),
        ("（門）第九十六条　門は、閉める。", ("96",)),
        ("第五百六十六条　灯の法（第百号）第五条（登録）の灯は、貸す。", ("566",)),
        ("２　前項の灯\n一　夜の灯", ()),
    ],
)
def test_quoted_articles_are_found_in_every_style(text, numbers):
    assert statutes.quoted_articles(text, "en" if text.isascii() else "ja") == numbers


ENGLISH_STYLES = ["{head}\n{text}", "{head} {text}", "{head}(1) {text}\n(2) {text}"]
ENGLISH_STYLES += ["(Lamps)\n{head} {text}", "(Lamps){head} {text}"]
JAPANESE_STYLES = [f"{{head}}{blank}{{text}}\n２{blank}{{text}}" for blank in "　 "]
JAPANESE_STYLES += [f"（門番の義務）\n{style}" for style in JAPANESE_STYLES]
STYLES = {
    "en": (english_number, english_words, ENGLISH_STYLES),
    "ja": (japanese_number, japanese_words, JAPANESE_STYLES),
}


@pytest.mark.parametrize("language", STYLES)
@given(numbers=st.lists(article_numbers, max_size=5), data=st.data())
def test_any_mixture_of_styles_gives_the_numbers_in_order(language, numbers, data):
    head, words, styles = STYLES[language]
    forms = [data.draw(st.sampled_from(styles)) for _ in numbers]
    text = "\n".join(form.format(head=head(number), text=data.draw(words)) for form, number in zip(forms, numbers))
    assert list(statutes.quoted_articles(text, language)) == list(dict.fromkeys(numbers))


# Articles parted into paragraphs, items and subitems.


def parts(text, language):
    return [(one.label, text[one.start : one.end]) for one in statutes.provisions(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("", "en", [("1", "")]),
        ("   \n", "ja", [("1", "")]),
        ("A gate.", "en", [("1", "A gate.")]),
        # a caption above is in the first paragraph, whose mark then opens nothing
        ("Gates\n(1) A gate.\n(2) A lamp.", "en", [("1", "Gates\n(1) A gate."), ("2", "A lamp.")]),
        ("(2) A gate.\n(4) A lamp.", "en", [("2", "A gate."), ("4", "A lamp.")]),
        ("(1) A gate.\n(1) of the preceding Article", "en", [("1", "A gate.\n(1) of the preceding Article")]),
        ("(3) A gate.\n(2) A lamp.", "en", [("3", "A gate.\n(2) A lamp.")]),
        ("If:\n(a) a gate\n(2) A lamp.", "en", [("1", "If:\n(a) a gate"), ("1.0.1", "a gate"), ("2", "A lamp.")]),
        ("一　灯", "ja", [("1", "一　灯"), ("1.1", "灯")]),
        ("A gate.\r\n(2) A lamp.\r\n", "en", [("1", "A gate."), ("2", "A lamp.")]),
        ("(1) A gate.\nshall be closed.\n(2)\n", "en", [("1", "A gate.\nshall be closed."), ("2", "")]),
    ],
)
def test_unusual_articles_are_split_all_the_same(text, language, expected):
    assert parts(text, language) == expected


def test_the_letter_i_is_an_item_but_a_subitem_behind_h():
    letters = "abcdefghij"
    text = "\n".join(["(1) If:", "(i) one:", *(f"({letter}) lamp" for letter in letters), "(ii) two"])
    assert [one.label for one in statutes.provisions(text, "en")] == [
        "1",
        "1.1",
        *(f"1.1.{n}" for n in range(1, 11)),
        "1.2",
    ]


def test_provisions_without_words_are_left_out_but_one():
    assert statutes.provision_texts("(1)\n(i) a lamp\n(2) \n(3) A gate.", "en", "item") == [
        ("1.1", "a lamp"),
        ("3", "A gate."),
    ]
    assert statutes.provision_texts("(1)\n(2)", "en") == [("1", "")]


#: The marks of the paragraphs, items and subitems of an article, the first first.
MARKS = {
    "en": (["(1) ", "(2) ", "(3) ", "(4) "], ["(i) ", "(ii) ", "(iii) ", "(iv) "], ["(a) ", "(b) ", "(c) "]),
    "ja": (["", "２　", "３　", "４　"], ["一　", "二　", "三　", "四　"], ["イ　", "ロ　", "ハ　"]),
}


@pytest.mark.parametrize(("language", "sentences"), [("en", english_words), ("ja", japanese_words)])
@given(structure=st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=4), data=st.data())
def test_any_article_is_split_as_it_was_written(language, sentences, structure, data):
    words, (paragraph_marks, item_marks, subitem_marks) = data.draw(sentences), MARKS[language]
    lines, expected = [], []
    for paragraph, items in enumerate(structure):
        lines.append(paragraph_marks[paragraph] + words)
        expected.append(f"{paragraph + 1}")
        for item, subitems in enumerate(items):
            lines += [item_marks[item] + words, *(mark + words for mark in subitem_marks[:subitems])]
            label = f"{paragraph + 1}.{item + 1}"
            expected += [label, *(f"{label}.{n + 1}" for n in range(subitems))]
    found = statutes.provision_texts("\n".join(lines), language, "subitem")
    assert found == [(label, words) for label in expected]


_MARKS = ["(1) ", "(2)", "(i) ", "(v)", "(x) ", "(a)", "(h) ", "２　", "10 ", "一　", "一の二　", "イ　", "", "灯"]
_lines = st.lists(st.builds(lambda mark, text: mark + text, st.sampled_from(_MARKS), st.text(max_size=4)), max_size=10)


@given(_lines.map("\n".join) | st.text(max_size=40), st.sampled_from(["en", "ja"]))
def test_any_text_is_split_into_provisions_within_each_other(text, language):
    found = statutes.provisions(text, language)
    assert len({one.label for one in found}) == len(found)
    assert found[0].level == 0
    for one in found:
        assert one.start <= one.lead_end <= one.end <= len(text)
        assert one.label.count(".") == one.level
    for before, one in pairwise(found):
        assert before.lead_end <= one.start
        assert before.end <= one.start or (before.level < one.level and one.end <= before.end)

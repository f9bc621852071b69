"""Pages: readable for everyone, and nothing planted in a text runs."""

import itertools
import os
import re
import stat
import sys
from importlib import resources

import pytest
from analysis.pages.page_checks import parsed, problems

from ir_coliee.analysis.page import Body, page, write_page
from ir_coliee.display import Details, Heading, Mark, MarkedText, Picture, Preformatted, Table, WarningText
from ir_coliee.errors import ColieeError, ExistingFileError

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text style="fill: red">F1</text></svg>'
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "\"' onmouseover='alert(1)",
    "<!-- --!> ]]> <![CDATA[",
    "&lt;b&gt; &#x6A; &amp",
    "javascript:alert(1)",
    "abc\x00\x07\x1b[31m\x85def",
    "right \u202e to left \u2066 isolate",
    "half \ud83d surrogate",
    "not a character \uffff \U0010ffff",
    "\ufeffmark\r\nlines\rend\u2028",
    "x" * 100_000,
    "",
    " \n\n",
    "第百条\u3000法律",
    "שלום עולם",
    "{{ 7 * 7 }} ${7} $x$",
]


def blocks_of(text):
    table = Table([text, "F1"], [[text, 0.5], [1, float("nan")]])
    return [
        Heading(text),
        text,
        table,
        Heading(text, 2),
        Details(text or "more", table),
        Details("more", MarkedText(text)),
        Preformatted(text),
        MarkedText(text, [Mark(0, min(len(text), 5), text)]),
        Picture(SVG, text or "a curve"),
        WarningText(text),
    ]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_a_text(text):
    document = page(text or "title", blocks_of(text), with_texts=True)
    assert problems(document) == []
    assert document.count("<script") == 1
    document.encode("utf-8")


def test_no_level_of_headings_is_left_out():
    headings = [Heading("a", 2), Heading("b", 3), Heading("c", 1), Heading("d", 3), Heading("c", 1)]
    text = page("title", headings, with_texts=False)
    assert problems(text) == []
    assert re.findall(r'<(h\d) id="([^"]*)"', text) == [
        ("h2", "a"),
        ("h3", "b"),
        ("h2", "c"),
        ("h3", "d"),
        ("h2", "c-2"),
    ]
    assert [link.get("href") for link in parsed(text).iter("a")] == ["#a", "#c", "#c-2"]


def test_figures_are_on_the_right_and_the_first_cells_are_headers():
    text = page("title", [Heading("F1"), Table(["run", "F1"], [["mine", 0.30007]])], with_texts=False)
    assert '<th scope="row" class="short">mine</th><td class="figure">0.3001</td>' in text
    assert 'Table 1<span class="repeated">: F1</span></caption>' in text


def test_a_long_table_and_a_long_text_are_folded():
    rows = [[number, 0.5] for number in range(120)]
    text = page("title", [Heading("Queries"), Table(["query", "F1"], rows), MarkedText("a " * 2000)], with_texts=True)
    summaries = [element.text for element in parsed(text).iter("summary")]
    assert summaries == ["Queries: 120 rows", "Text of 4,000 characters"]


def test_a_picture_is_an_image_that_can_run_nothing_and_has_a_description():
    text = page("title", [Picture(SVG, "F1 by depth")], with_texts=False)
    assert parsed(text).find(".//img").get("alt") == "F1 by depth"
    assert "<svg" not in text


def rules(css):
    """The rules of a style sheet by scheme: light, dark or print, each a mapping from property to value."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    for scheme in ("dark", "print"):
        query = "prefers-color-scheme: dark" if scheme == "dark" else "@media print"
        start = css.index("{", css.index(query)) + 1
        depth = itertools.accumulate({"{": 1, "}": -1}.get(c, 0) for c in css[start:])
        end = start + next(number for number, level in enumerate(depth) if level < 0)
        yield scheme, _declarations(css[start:end])
        css = css[: css.rindex("@media", 0, start)] + css[end + 1 :]
    yield "light", _declarations(css)


def _declarations(css):
    return [
        dict(re.findall(r"([\w-]+): ([^;]+);", body)) for body in re.findall(r"\{([^{}]*)\}", css.replace("\n", " "))
    ]


def luminance(colour):
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_text_has_enough_contrast_in_light_dark_and_print():
    css = (resources.files("ir_coliee") / "etc" / "pages" / "page.css").read_text(encoding="utf-8")
    schemes = dict(rules(css))
    names = re.compile(r"var\((--[\w-]+)\)")
    pairs = set()
    for rule in schemes["light"]:
        if colour := names.search(rule.get("color", "")):
            background = names.search(rule.get("background", ""))
            pairs.add((colour[1], background[1] if background else "--page"))
    assert {"--text", "--soft", "--link", "--on-marked", "--on-alarm"} == {text for text, _ in pairs}
    for scheme, declared in schemes.items():
        colours = {name: value for rule in declared for name, value in rule.items() if name.startswith("--")}
        for text, background in pairs:
            light, dark = sorted((luminance(colours[text]), luminance(colours[background])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (scheme, text, background)


def test_a_page_with_texts_says_so_and_is_readable_by_the_user_alone(tmp_path):
    for with_texts in (False, True):
        path = tmp_path / f"{with_texts}.html"
        write_page(path, page("title", ["half \ud83d"], with_texts=with_texts), with_texts=with_texts)
        assert ("data-use agreement" in path.read_text(encoding="utf-8")) == with_texts
        if sys.platform != "win32":
            private = stat.S_IMODE(path.stat().st_mode) == 0o600
            assert private == with_texts


def test_a_page_is_not_written_over_another_without_being_asked(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("mine")
    with pytest.raises(ExistingFileError, match="--overwrite"):
        write_page(path, "new", with_texts=False)
    assert path.read_text() == "mine"
    write_page(path, "new", with_texts=False, overwrite=True)
    assert path.read_text() == "new"
    with pytest.raises(ColieeError, match="cannot be written"):
        write_page(path / "x", "new", with_texts=False)
    assert os.listdir(tmp_path) == ["page.html"]


def test_equal_headings_have_ids_of_their_own_however_many_they_are():
    texts = ["a", "a-2", *["a"] * 20_000]
    ids = [anchor for anchor, _ in Body(map(Heading, texts)).contents]
    assert ids[:4] == ["a", "a-2", "a-3", "a-4"]
    assert len({*ids}) == len(texts)

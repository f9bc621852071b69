"""What a page must be for all readers, in the manner of axe-core: `from analysis.pages.page_checks import problems`."""

import base64
import hashlib
import itertools
import re

import html5lib

_LANDMARKS = {"header", "nav", "main"}


def parsed(text):
    """The document, which html5lib reads without an error."""
    return html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False).parse(
        text
    )


def problems(text):
    """A line for each thing on a page that keeps out a reader, loads something or could run something."""
    document = parsed(text)
    elements = [*document.iter()]
    return [
        *_headings(elements),
        *_tables(document),
        *_names(document, elements),
        *_loaded_or_run(document, elements),
        *(f"control character {c!r}" for c in {*text} if not (c.isprintable() or c in "\n\t\u3000\xa0\xad")),
    ]


def _headings(elements):
    levels = [int(element.tag[1]) for element in elements if re.fullmatch("h[1-6]", str(element.tag))]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield f"a page has one h1, as its first heading: {levels}"
    yield from (f"h{a} is followed by h{b}" for a, b in itertools.pairwise(levels) if b > a + 1)


def _tables(document):
    for table in document.iter("table"):
        name = "".join(table.itertext())[:40]
        if table.find("caption") is None or not "".join(table.find("caption").itertext()).strip():
            yield f"no caption: {name}"
        for header in table.iter("th"):
            if header.get("scope") not in ("col", "row"):
                yield f"no scope: {name}"
        widths = {len(row) for row in table.iter("tr")}
        if len(widths) > 1:
            yield f"rows of {widths} cells: {name}"


def _names(document, elements):
    ids = [element.get("id") for element in elements if element.get("id") is not None]
    yield from (f"id twice: {name}" for name in {*ids} if ids.count(name) > 1)
    for element in elements:
        for reference in (element.get("aria-labelledby"), (element.get("href") or "").removeprefix("#")):
            if reference and reference not in ids:
                yield f"no element has the id {reference}"
        if element.tag == "img" and not element.get("alt"):
            yield "a picture without a text"
        if element.tag == "details" and (element[0].tag != "summary" or not "".join(element[0].itertext())):
            yield "details without a summary"
    if not document.get("lang") or not document.findtext(".//title"):
        yield "no language or no title"
    outside = [child.tag for child in document.find("body") if child.tag not in _LANDMARKS | {"script"}]
    yield from (f"{tag} is in no landmark" for tag in outside)


def _loaded_or_run(document, elements):
    policy = next(m.get("content") for m in document.iter("meta") if m.get("http-equiv") == "Content-Security-Policy")
    if not policy.startswith("default-src 'none'") or "unsafe" in policy:
        yield f"the policy allows too much: {policy}"
    for element in elements:
        if element.tag in ("script", "style"):
            digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
            if f"{element.tag}-src 'sha256-{digest}'" not in policy:
                yield f"a {element.tag} that the policy refuses"
        if element.tag in ("link", "iframe", "object", "embed", "base", "form", "svg"):
            yield f"an element {element.tag}"
        for name, value in element.items():
            if name.startswith("on") or name == "style":
                yield f"an attribute {name}"
            if name in ("src", "href") and not value.startswith(("#", "data:image/svg+xml;base64,")):
                yield f"{name} loads {value[:40]}"

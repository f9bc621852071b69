"""What the pages of the built site contain: ``sphinx-build -W docs SITE``, then the tests with ``COLIEE_SITE=SITE``.

``COLIEE_SITE=SITE python tests/site/built_site.py > docs/external_links.txt`` lists the links that leave the site.
"""

import os
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

SITE = Path(os.environ.get("COLIEE_SITE", "no site")).resolve()
if "COLIEE_SITE" in os.environ and not (SITE / "index.html").exists():
    raise FileNotFoundError(f"COLIEE_SITE is {SITE}, where no site is built.")
REPOSITORY = "https://github.com/ir-coliee/ir_coliee/"
#: Pages of Sphinx itself, and the theme's links to the source of each page.
_NOT_OURS = (f"{REPOSITORY}edit/main/docs/", f"{REPOSITORY}blob/main/docs/", f"{REPOSITORY}raw/main/docs/")


class Page(HTMLParser):
    """The links, anchors, headings and files of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.headings: list[int] = []
        self.pictures: list[tuple[str, str]] = []
        self.files: list[str] = []  # scripts and style sheets
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        elif tag == "img":
            self.pictures.append((values.get("src", ""), values.get("alt", "").strip()))
        elif tag == "script" and "src" in values:
            self.files.append(values["src"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon", "shortcut icon", "preload"):
            self.files.append(values["href"])

    def target(self, link: str) -> Path:
        """Return the file of the site that a link or the address of a picture leads to."""
        address = unquote(urldefrag(link).url).partition("?")[0]
        return (self.path.parent / address).resolve() if address else self.path


@cache
def page(path: Path) -> Page:
    """Read a page once."""
    return Page(path)


def is_external(link: str) -> bool:
    """Return whether a link leaves the site."""
    return link.startswith(("http:", "https:", "mailto:", "//"))


def pages() -> list[str]:
    """Return the names of all pages."""
    return sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)


def external_links() -> list[str]:
    """Return the links that leave the site."""
    found = {urldefrag(link).url for name in pages() for link in page(SITE / name).links if is_external(link)}
    return sorted(link for link in found if not link.startswith(_NOT_OURS))


if __name__ == "__main__":
    print(*external_links(), sep="\n")

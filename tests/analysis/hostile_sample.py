"""Hostile texts, planted in a copy of the sample release: `from analysis.hostile_sample import hostile_sample`.

@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    with hostile_sample(tmp_path_factory.mktemp("hostile")):
        yield
"""

import contextlib
import html
import json
import re
import shutil
from pathlib import Path

import pytest

import ir_coliee

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
LONG = " ".join(["a line of two megabytes"] * 87_400)
#: Files that have the long text as well: a query of task 1 and a relevant decision, a base case and a paragraph.
_WITH_LONG = ("files_sample/900795", "files_sample/900754", "900009/base_case", "900009/paragraphs/003")
TEXTS = [
    "\u202eright to left\u202c \u2066isolated\u2069 \u200fmarks\u200e",
    "\x1b[2J\x1b[H\x1b]0;a title\x07\x1b]8;;//example.org\x1b\\a link\x1b]8;;\x1b\\\x1b[31m",
    "\x9b2J \x90 \x85 one byte",
    "overwritten\rby this\b\b\b\b \x0b \x0c \x1c \x7f",
    "lone \ud800 surrogates \udfff and no characters \ufffe \uffff \U0001ffff",
    "zero\u200bwidth \ufeff \u00ad \u2060 \u2028 \u2029 \U000e0001",
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(2)">',
    "</title></style></pre></main></body><script>alert(3)</script>",
    "<!-- a comment that does not end",
    "]]> <![CDATA[ <b>bold</b> ]]>",
    "&lt;script&gt; &#60;script&#62; &amp;amp; &nosuchentity; &",
    '" onmouseover="alert(4)" x=\'',
    "<a href='javascript:alert(5)'>here</a> <form action=//example.org><input autofocus onfocus=alert(6)>",
    "<iframe srcdoc='<script>alert(7)</script>'></iframe> <base href=//example.org> <meta http-equiv=refresh>",
    "<svg onload=alert(8)><style>@import '//example.org'</style></svg>",
    "$x$ \\(y\\) {{7*7}} ${7*7} {query} %s %(name)s {0}",
    "e" + "\u0301" * 300 + " ﷽ 𝔘𝔫𝔦 👩‍👩‍👧‍👦 \u3000wide\u3000 \u00a0fixed",
    LONG,
]
SHORT = " ".join(TEXTS[:-1])
#: Marks of the texts that must not occur in what is shown, unless they are escaped.
MARKUP = re.compile(r"<(script>alert|img src=x|svg onload|iframe src|base |form )|\sonmouseover=\"alert")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


@contextlib.contextmanager
def hostile_sample(folder):
    """Read the sample edition from a copy with the short texts in every text, and the long one in a few."""
    plant(folder / "sample")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ir_coliee.releases.release._SAMPLE_FOLDER", folder / "sample")
        patched.setenv("IR_DATASETS_HOME", str(folder / "home"))
        patched.setenv("COLIEE_HOME", str(folder / "data"))
        yield folder


def plant(copy):
    """Copy the sample release, with hostile texts in all decisions, paragraphs, articles, statements and claims."""
    shutil.copytree(SAMPLE, copy)
    for path in sorted(copy.rglob("*.txt")):
        if path.parent.name == "text":
            _rewrite(path, lambda text: re.sub(r"(?m)^((?:Article|第).*\d.*|第.*条.*)$", rf"\1 {_one_line()}", text))
        elif path.stem not in ("README", "LICENSE-CC0"):
            end = LONG if path.as_posix().removesuffix(".txt").endswith(_WITH_LONG) else ""
            _rewrite(path, lambda text, end=end: f"{SHORT}\n{text}\n{SHORT}\n{end}")
    for path in copy.rglob("*.xml"):
        _rewrite(path, lambda text: re.sub("(?<=<t[12]>\n)", lambda _: _in_xml() + " ", text))
    for path in copy.rglob("*.jsonl"):
        lines = [_with_hostile_claims(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def _rewrite(path, change):
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", errors="replace")


def _one_line():
    return " ".join(SHORT.split()).replace("\\", "\\\\")


def _in_xml():
    return html.escape("".join(c for c in SHORT if c.isprintable() or c in "\u202e\u200f\x85\u2028"), quote=False)


def _with_hostile_claims(instance):
    for claim in (*instance["undisputed_facts"], *instance["plaintiff_claims"], *instance["defendant_claims"]):
        claim["description"] = f"{SHORT} {claim['description']} {SHORT}"
    return instance

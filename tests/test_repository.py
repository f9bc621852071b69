"""What may not stand in the repository, what git must never take in, and what the metadata promises."""

import ast
import configparser
import functools
import importlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = "ir_coliee/datasets/sample"
FIXTURES = "tests/fixtures/releases"  # synthetic, with the file names of real releases


def git(*arguments, **options):
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False, **options
    )


in_a_clone = pytest.mark.skipif(
    shutil.which("git") is None or git("ls-files", "--error-unmatch", "setup.cfg").returncode != 0,
    reason="not a git clone",
)


@functools.cache
def tracked_texts():
    """The text of every file that git has, or would take with the next `git add`, by its path."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout.split("\0")
    contents = {name: (ROOT / name).read_bytes() for name in sorted({*names}) if name and (ROOT / name).is_file()}
    return {name: data.decode(errors="replace") for name, data in contents.items() if b"\0" not in data}


def places(pattern, *, but=()):
    """Where a pattern stands in the tracked texts and names, as ``file:line``."""
    found = []
    for name, text in tracked_texts().items():
        if not name.startswith(tuple(but)) and (pattern.search(text) or pattern.search(name)):
            lines = [name, *text.splitlines()]
            found.extend(f"{name}:{number}" for number, line in enumerate(lines) if pattern.search(line))
    return found


# eras H01 to H31 and R01 to R19, also without the zero; the fictional years are H98, H99, R98 and R99
EXAM_ID = re.compile(
    r"(?<![A-Za-z0-9])(?:H(?:0?[1-9]|[12][0-9]|3[01])|R(?:0?[1-9]|1[0-9]))[-‐–_][0-9]{1,2}[-‐–_][0-9A-Zア-ン]"
)


def test_the_pattern_of_exam_ids_tells_real_years_from_fictional_ones():
    # put together here, so that this file has none; no exam has a question 97 or an option Z
    real = ["H18 97 Z", "R04 97 Z", "(R07 97 イ)"]
    for words in (*real, "H98 97 Z", "SHR1 97 Z", "R04 097 Z"):
        assert bool(EXAM_ID.search(words.replace(" ", "-"))) is (words in real), words


@in_a_clone
def test_the_search_below_sees_the_files():
    assert f"{SAMPLE}/COLIEEsamplestatute_data-English/test/riteval_R99_en.xml" in tracked_texts()
    assert places(re.compile(r"^name = ir_coliee$", re.MULTILINE)) == ["setup.cfg:2"]


@in_a_clone
def test_no_exam_id_of_a_real_year_occurs_outside_the_edition_files():
    assert places(EXAM_ID, but=["ir_coliee/etc/editions/", FIXTURES]) == []


@in_a_clone
def test_sample_and_fixtures_have_fictional_numbers_but_for_the_questions_that_editions_do_not_score():
    from ir_coliee.editions import SPLITS

    unscored = {question for split in SPLITS.values() for question in split.excluded}
    for name, text in tracked_texts().items():
        if name.startswith(SAMPLE):
            assert set(re.findall(r"\b[HR]\d\d(?=[-_])", name + text)) <= {"R98", "R99", "H98", "H99"}, name
        if name.startswith(FIXTURES):
            assert {*re.findall(r"\b[HR](?!9[89])\d+-(?!9\d\d-)\w+-\w+", text)} <= unscored, name
        if name.startswith((SAMPLE, FIXTURES)):
            assert [n for n in re.findall(r"(?<!\d)\d{6}(?=\.txt)", name + text) if int(n) < 900_000] == [], name


@in_a_clone
def test_no_path_of_somebodys_machine_stands_in_the_repository():
    assert places(re.compile(r"(?<![\w.~$}])/(?:home|root|work|tmp|Users|mnt|media)/[a-z]|\b[A-Z]:\\\\?Users")) == []


@in_a_clone
def test_no_host_of_a_package_registry_stands_in_the_repository():
    hosts = r"pypi[.]org|pythonhosted[.]org|pypi[.]python|npmjs[.]|proxy[.]golang|anaconda[.]org|artifact[o]ry|devp[i]"
    assert places(re.compile(rf"{hosts}|(?:extra-)?index[-_]url", re.IGNORECASE)) == []


# --- .gitignore ------------------------------------------------------------------------------------


@in_a_clone
def test_every_file_name_of_a_release_is_ignored_by_git():
    release = re.compile(rf"{FIXTURES}/\w+/(?:task\d|pilot)/\d+/(?:(?:en|ja)/)?(.+)")
    names = {match[1] for name in git("ls-files", "-z").stdout.split("\0") if (match := release.fullmatch(name))}
    names |= {f"{name.partition('/')[0]}.zip" for name in names if "/" in name}
    listing = [*names, *(f"somewhere/below/{name}" for name in names)]
    # --no-index: what the rules say, whether the file is tracked or not
    found = git("check-ignore", "--no-index", "--stdin", input="\n".join(listing)).stdout.splitlines()
    assert names
    assert {*listing} - {name.strip('"') for name in found} == set()


@in_a_clone
def test_no_tracked_file_is_ignored():
    assert git("ls-files", "--cached", "--ignored", "--exclude-standard").stdout == ""


@in_a_clone
def test_no_tracked_file_outside_the_sample_and_the_fixtures_bears_the_name_of_a_release():
    names = re.compile(
        r"(^|/)(task[12]_(train|test|files|20)|riteval_|simple_[HR]|TestData_|civil_(code_(en|jp)|english|japanese)|129AC)"
        r"|\.jsonl$|(^|/)(train|test)_(no_)?labels"
    )
    tracked = git("ls-files", "-z").stdout.split("\0")
    assert [name for name in tracked if names.search(name) and not name.startswith((SAMPLE, FIXTURES))] == []


# --- metadata --------------------------------------------------------------------------------------

METADATA = configparser.ConfigParser()
METADATA.read(ROOT / "setup.cfg", encoding="utf-8")


@pytest.mark.slow
def test_every_entry_point_of_the_metadata_leads_somewhere():
    for group, lines in METADATA["options.entry_points"].items():
        for target in re.findall(r"= *(\S+)", lines):
            module, _, attribute = target.partition(":")
            found = importlib.import_module(module)
            assert callable(getattr(found, attribute)) if attribute else group == "pyterrier.modules"


def test_the_version_is_the_same_everywhere():
    import ir_coliee

    version = ir_coliee.__version__
    assert METADATA["metadata"]["version"] == "attr: ir_coliee._version.__version__"
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^## \[(.+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1] == version


# --- the README and the pages of docs/ ---------------------------------------------------------------

LONE_PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "ARCHITECTURE.md", "SECURITY.md"]
LONE_PAGES += ["examples/README.md", "tests/README.md", "upstream/README.md"]
DOCS = [path for pattern in ("*.md", "[!_]*/**/*.md") for path in sorted((ROOT / "docs").glob(pattern))]
PAGES = [path for path in [*(ROOT / name for name in LONE_PAGES), *DOCS] if path.exists()]


@functools.cache
def prose(page):
    """The text of a page, without its code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@functools.cache
def anchors(page):
    """What stands behind # in links to the headings of a page, as the hosts of repositories make it."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def links(page):
    """The file and the anchor of each link of a page that leads into the repository."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" not in target:
            name, _, place = target.partition("#")
            yield (page.parent / name if name else page).resolve(), place


def test_every_link_leads_to_a_file_and_to_a_heading_of_it():
    for page in PAGES:
        for file, place in links(page):
            assert file.exists(), f"{page.name}: {file}"
            if place:  # a heading, or a target of a page that the build of the site has written
                targets = re.findall(r"^\((\S+)\)=$", prose(file), re.MULTILINE)
                assert place in [*anchors(file), *targets], f"{page.name}: {file.name}#{place}"
    named = re.findall(r"`(tests/[\w/.]+)`", (ROOT / "tests" / "README.md").read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


PACKAGE = ROOT / "ir_coliee"
MODULES = [file for file in sorted(PACKAGE.rglob("*.py")) if file.parent != PACKAGE or not file.stem.startswith("_")]

#: From the bottom to the top: a package imports only from lines above its own.
LAYERS = """
errors _version
display storage progress data_agreement
frames
text
editions
releases
engine
measures
datasets models
transformers
evaluation
analysis
baselines synthetic
cli
"""


def imported_packages(file):
    """The packages and top-level modules of ir_coliee that a file imports from."""
    found = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [f"{module}{alias.name}" for alias in node.names]
            found |= {name.split(".")[1] for name in names if name.startswith("ir_coliee.")}
    return found


def test_packages_import_only_from_the_layers_below():
    layer = {name: number for number, names in enumerate(LAYERS.split("\n")) for name in names.split()}
    wrong = []
    for file in MODULES:
        package = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
        others = imported_packages(file) - {package}
        wrong += [f"{file.relative_to(ROOT)} imports {other}" for other in others if layer[other] >= layer[package]]
    assert wrong == []

"""What may not stand in the repository, what git must never take in, and what the metadata promises."""

import ast
import configparser
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


def tracked_texts():
    """Path and text of every file that git has, or would take with the next `git add`."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout.split("\0")
    for name in sorted(set(filter(None, names))):
        path = ROOT / name
        if not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" not in data:
            yield name, data.decode("utf-8", errors="replace")


def places(pattern, *, but=()):
    """Where a pattern stands in the tracked texts and names, as ``file:line``."""
    found = []
    for name, text in tracked_texts():
        if name.startswith(tuple(but)):
            continue
        lines = [name, *text.splitlines()]
        found.extend(f"{name}:{number}" for number, line in enumerate(lines) if pattern.search(line))
    return found


# eras H01 to H31 and R01 to R19, also without the zero; the fictional years are H98, H99, R98 and R99
EXAM_ID = re.compile(
    r"(?<![A-Za-z0-9])(?:H(?:0?[1-9]|[12][0-9]|3[01])|R(?:0?[1-9]|1[0-9]))[-‐–_][0-9]{1,2}[-‐–_][0-9A-Zア-ン]"
)


@pytest.mark.parametrize(
    ("words", "real"),
    [
        # put together here, so that this file has none; no exam has a question 97 or an option Z
        (("H18", "97", "Z"), True),
        (("R04", "97", "Z"), True),
        (("(R07", "97", "イ)"), True),
        (("H98", "97", "Z"), False),
        (("SHR1", "97", "Z"), False),
        (("R04", "097", "Z"), False),
    ],
)
def test_the_pattern_of_exam_ids_tells_real_years_from_fictional_ones(words, real):
    assert bool(EXAM_ID.search("-".join(words))) is real


@in_a_clone
def test_the_search_below_sees_the_files():
    assert f"{SAMPLE}/COLIEEsamplestatute_data-English/test/riteval_R99_en.xml" in dict(tracked_texts())
    assert places(re.compile(r"^name = ir_coliee$")) == ["setup.cfg:2"]


@in_a_clone
def test_no_exam_id_of_a_real_year_occurs_outside_the_edition_files():
    assert places(EXAM_ID, but=["ir_coliee/etc/editions/", FIXTURES]) == []


@in_a_clone
def test_releases_of_the_tests_have_fictional_numbers_but_for_the_questions_that_editions_do_not_score():
    from ir_coliee.editions import SPLITS

    unscored = {question for split in SPLITS.values() for question in split.excluded}
    for name, text in tracked_texts():
        if name.startswith(FIXTURES):
            assert {*re.findall(r"\b[HR](?!9[89])\d+-(?!9\d\d-)\w+-\w+", text)} <= unscored, name
            assert [n for n in re.findall(r"(?<!\d)\d{6}(?=\.txt)", name + text) if int(n) < 900_000] == [], name


@in_a_clone
def test_the_sample_uses_fictional_exam_years_and_case_numbers_only():
    for name, text in tracked_texts():
        if not name.startswith(SAMPLE):
            continue
        assert set(re.findall(r"\b[HR]\d\d(?=[-_])", name + text)) <= {"R98", "R99", "H98", "H99"}, name
        assert [n for n in re.findall(r"(?<!\d)\d{6}(?=\.txt)", name + text) if int(n) < 900_000] == [], name


@in_a_clone
def test_no_path_of_somebodys_machine_stands_in_the_repository():
    assert places(re.compile(r"(?<![\w.~$}])/(?:home|root|work|tmp|Users|mnt|media)/[a-z]|\b[A-Z]:\\\\?Users")) == []


@in_a_clone
def test_no_host_of_a_package_registry_stands_in_the_repository():
    hosts = r"pypi[.]org|pythonhosted[.]org|pypi[.]python|npmjs[.]|proxy[.]golang|anaconda[.]org|artifact[o]ry|devp[i]"
    assert places(re.compile(rf"{hosts}|(?:extra-)?index[-_]url", re.IGNORECASE)) == []


# --- .gitignore ------------------------------------------------------------------------------------


def ignored(path):
    # --no-index: what the rules say, whether the file is tracked or not
    return git("check-ignore", "--no-index", "--quiet", path).returncode == 0


@in_a_clone
def test_every_file_name_of_a_release_is_ignored_by_git():
    release = re.compile(rf"{FIXTURES}/\w+/(?:task\d|pilot)/\d+/(?:(?:en|ja)/)?(.+)")
    names = {match[1] for name in git("ls-files", "-z").stdout.split("\0") if (match := release.fullmatch(name))}
    names |= {f"{name.partition('/')[0]}.zip" for name in names if "/" in name}
    listing = [*names, *(f"somewhere/below/{name}" for name in names)]
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
ENTRY_POINTS = [
    (group, *(word.strip() for word in line.split("=")))
    for group, lines in METADATA["options.entry_points"].items()
    for line in lines.strip().splitlines()
]


@pytest.mark.slow
@pytest.mark.parametrize(("group", "name", "target"), ENTRY_POINTS)
def test_every_entry_point_of_the_metadata_leads_somewhere(group, name, target):
    module, _, attribute = target.partition(":")
    found = importlib.import_module(module)
    if attribute:
        assert callable(getattr(found, attribute))
    else:
        assert group == "pyterrier.modules"


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


def prose(page):
    """The text of a page, without its code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(page):
    for file, place in links(page):
        assert file.exists(), file
        if place:  # a heading, or a target of a page that the build of the site has written
            targets = re.findall(r"^\((\S+)\)=$", prose(file), re.MULTILINE)
            assert place in [*anchors(file), *targets], f"{file.name}#{place}"


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
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
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

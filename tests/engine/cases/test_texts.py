"""Texts of decisions: read as by definition, once each, kept in the cache; results that are computed once."""

import gc
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import numpy as np
import pytest
from fixture_releases import write_task1
from hypothesis import given
from hypothesis import strategies as st
from zips import write_zip

from ir_coliee.engine.cases import texts as module
from ir_coliee.engine.cases.reading import text_key
from ir_coliee.engine.cases.texts import (
    CaseCollection,
    TextPool,
    TokenSequences,
    case_collection,
    computed_once,
    load,
    write,
)
from ir_coliee.errors import ColieeError, ColieeHint
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.years import case_properties

# --- tokens ----------------------------------------------------------------------------------------

MARKERS = re.compile("<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?")

DECISIONS = [
    "Lamp v. Gate\n[1]\nThe court's rule, see <FRAGMENT_SUPPRESSED> at para 12.\n[2] O'Clock isn't R2D2; it's 1998é.",
    "",
    "no paragraph, REFERENCE_SUPPRESSEDCITATION_SUPPRESSED and\n [7]\n[8]",
    "the THE The tHe <DATE_SUPPRESSED>",
]


def plain(text):
    """Tokens, capitals, markers and paragraphs of a text, from the definitions."""
    blank = MARKERS.sub(lambda marker: " " * len(marker[0]), text)
    found = list(re.finditer(r"[A-Za-z]+('[a-z])?|[0-9]+", blank))
    marks = re.finditer(r"(?:\A|\n)[ \t]*(?=\[\d{1,3}\])", text)
    return (
        [match[0].lower() for match in found],
        [match[0][0].isupper() for match in found],
        [sum(match.start() < marker.start() for match in found) for marker in MARKERS.finditer(text)],
        [sum(match.start() < mark.end() for match in found) for mark in marks],
    )


def read(sequences, number):
    """The same of a text of the sequences."""

    def part(values, bounds):
        return values[bounds[number] : bounds[number + 1]].tolist()

    return (
        [sequences.vocabulary[token] for token in part(sequences.tokens, sequences.bounds)],
        part(sequences.capitalised, sequences.bounds),
        part(sequences.markers, sequences.marker_bounds),
        part(sequences.paragraphs, sequences.paragraph_bounds),
    )


pieces = st.sampled_from(
    [*" \né!#_", "Lamp", "gate's", "A1b", "'s", "x'y", "[3]", "<FRAGMENT_SUPPRESSED>", "DATE_SUPPRESSED"]
)


@given(st.lists(st.lists(pieces, max_size=12).map("".join), max_size=5))
def test_texts_are_read_as_by_definition(texts):
    sequences = TokenSequences.of(texts, workers=1)
    assert len(sequences) == len(texts)
    assert [read(sequences, number) for number in range(len(texts))] == [plain(text) for text in texts]


@pytest.mark.slow
def test_the_sequences_are_the_same_whatever_the_number_of_processes(soon_large):
    texts = [f"[1]\nLamp{number % 7} and {text}" for number in range(150) for text in DECISIONS]
    alone, *others = (TokenSequences.of(texts, workers=number) for number in (1, 2, 3))
    assert all(equal(alone, other) for other in others)


@pytest.mark.slow
def test_workers_start_without_what_reading_does_not_need():
    code = "import sys, ir_coliee\nbefore = set(sys.modules)\nimport ir_coliee.engine.cases.reading\n"
    code += "print(sorted({'numpy', 'scipy', 'pandas', 'pyterrier'} & (set(sys.modules) - before)))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "[]"


def test_properties_are_those_of_each_text():
    text = "Karu, J.\nMay 1, 2098.\n[1]\nI follow Justice Odd at para. 12."
    assert TokenSequences.of(["", text]).properties == [case_properties(""), case_properties(text)]
    assert TokenSequences.of([text], latest_year=2020).properties[0].year is None


# --- distinct texts --------------------------------------------------------------------------------

TEXTS = {
    "900001": "A lamp, as in <FRAGMENT_SUPPRESSED>.",
    "900002": "[1] The Gate of Karu, J.\n[2] para 3",
    "900003": "a  LAMP as in <fragment_suppressed>",
    "900004": "",
}
DISTINCT = [TEXTS["900001"], TEXTS["900002"], "", "the gate"]
QUERIES = {"001": "the gate", "002": "A LAMP as in fragment_suppressed"}


@pytest.fixture
def collection():
    return CaseCollection.of(TEXTS.items(), QUERIES.items(), latest_year=2020)


@given(st.lists(st.text(alphabet="aA éÉ_-.\n1’ß٣", max_size=6), min_size=2, max_size=2))
def test_texts_are_the_same_if_their_words_are(texts):
    first, second = (re.sub(r"\W+", " ", text.lower()).strip() for text in texts)
    assert (text_key(texts[0]) == text_key(texts[1])) == (first == second)


def test_each_distinct_text_is_read_once(collection):
    assert collection.documents == {"900001": 0, "900002": 1, "900003": 0, "900004": 2}
    assert collection.queries == {"001": 3, "002": 0}
    assert equal(collection.sequences, TokenSequences.of(DISTINCT, latest_year=2020))
    assert collection.text_numbers(["002", "900002"]).tolist() == [0, 1]
    with pytest.raises(ColieeError, match=r"900009 is neither a document nor a query"):
        collection.text_numbers(["900009"])


def test_given_texts_are_added_if_they_are_new(collection):
    sequences, numbers = collection.with_texts(["The  gate.", "a LAMP, as in <FRAGMENT_SUPPRESSED>"])
    assert sequences is collection.sequences
    assert numbers.tolist() == [3, 0]
    sequences, numbers = collection.with_texts(["A new lamp", "the gate", "a new: lamp"], latest_year=2020)
    assert numbers.tolist() == [4, 3, 4]
    whole = TokenSequences.of([*DISTINCT, "A new lamp"], latest_year=2020)
    assert equal(sequences, whole)


def equal(first, second):
    """Whether sequences are equal in everything."""
    one, other = vars(first), vars(second)
    return one.keys() == other.keys() and all(
        (value.dtype == other[name].dtype and np.array_equal(value, other[name]))
        if isinstance(value, np.ndarray)
        else value == other[name]
        for name, value in one.items()
    )


@pytest.fixture
def folder(collection, tmp_path):
    (tmp_path / "texts").mkdir()
    write(collection, tmp_path / "texts")
    return tmp_path / "texts"


@pytest.mark.parametrize("name", ["texts.npz", "digest"])
@pytest.mark.parametrize(
    "change", [lambda it: it[:-1], lambda it: it[:40] + b"!" + it[41:], None], ids=["shorter", "other", "missing"]
)
def test_a_file_that_has_changed_is_refused(folder, name, change):
    content = (folder / name).read_bytes()
    (folder / name).unlink()
    if change:
        (folder / name).write_bytes(change(content))
    with pytest.raises(ColieeError, match="has changed since it was written"):
        load(folder)


TEST = "coliee/task1/2025/test"


@pytest.fixture
def times_read(monkeypatch):
    """A list with an element for each time that texts are read."""
    times, read = [], module._read
    monkeypatch.setattr(module, "_read", lambda *told: times.append(1) or read(*told))
    return times


def opened():
    return case_collection(LocalRelease.open(TEST))


def entries(home):
    return [*(home / ".cache" / "ir_coliee").glob("decisions-*")]


def test_a_split_is_read_once(home, times_read):
    write_task1(home, {"900001": "A lamp, 2030", "900002": "A gate", "900003": "a lamp: 2030"})
    collection = opened()
    assert opened() is collection
    assert (collection.documents, collection.queries) == ({"900001": 0, "900002": 1, "900003": 0}, {})
    assert collection.sequences.properties[0].year is None  # later than the edition
    sequences = collection.sequences
    del collection
    assert equal(opened().sequences, sequences)
    assert (len(times_read), len(entries(home))) == (1, 1)


def test_texts_are_read_again_when_the_code_that_reads_them_has_changed(home, times_read, monkeypatch, tmp_path):
    write_task1(home, {"900001": "A lamp"})
    opened()
    opened()
    monkeypatch.setattr(module, "_CODE", (*module._CODE, tmp_path / "case_dates.py"))
    (tmp_path / "case_dates.py").write_text("")
    opened()
    assert len(times_read) == 2


def test_a_damaged_entry_is_replaced(home, times_read):
    write_task1(home, {"900001": "A lamp"})
    opened()
    [entry] = entries(home)
    (entry / "texts.npz").write_bytes(b"damaged")
    with pytest.warns(ColieeHint, match=r"^Damaged entries of the cache .* are computed again\.$"):
        assert opened().documents == {"900001": 0}
    assert opened().documents == {"900001": 0}
    assert len(times_read) == 2


def test_nothing_is_kept_of_what_a_password_protects(home, monkeypatch, times_read):
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    write_zip(home / "task1_test_files_2025.zip", {"900001.txt": "A lamp", "900002.txt": "A gate"}, "sesame")
    assert opened().sequences.vocabulary == ["a", "lamp", "gate"]
    assert opened().documents == {"900001": 0, "900002": 1}
    assert (len(times_read), entries(home)) == (2, [])


def test_queries_that_are_no_documents_are_read_too(home):
    case = home / "task1_test_2020" / "900521"
    (case / "candidates").mkdir(parents=True)
    (case / "base_case.txt").write_text("A lamp")
    for name, text in {"001": "A gate", "002": "a lamp"}.items():
        (case / "candidates" / f"{name}.txt").write_text(text)
    collection = case_collection(LocalRelease.open("coliee/task1/2020/test"))
    assert collection.documents == {"900521_001": 0, "900521_002": 1}
    assert collection.queries == {"900521": 1}


# --- results that are computed once ----------------------------------------------------------------


class Owner:
    pass


@pytest.fixture
def counted():
    times = []

    @computed_once
    def compute(owner, argument=0):
        times.append(argument)
        return np.arange(3) + argument

    return compute, times


def test_several_threads_compute_a_result_once(counted):
    compute, times = counted
    owner = Owner()
    with ThreadPoolExecutor(4) as executor:
        found = [*executor.map(lambda _: compute(owner), range(16))]
    assert all(each is found[0] for each in found)
    assert times == [0]


def test_other_arguments_and_owners_have_their_own_results(counted):
    compute, times = counted
    first, second = Owner(), Owner()
    assert [compute(owner, argument)[0] for owner in (first, second) for argument in (1, 2, 1)] == [1, 2, 1] * 2
    assert times == [1, 2, 1, 2]


@pytest.mark.slow
def test_results_are_kept_as_long_as_the_pool_is_in_use(counted):
    compute, _ = counted
    pool = TextPool(TokenSequences.of(["lamp"]), np.array([0]), np.array([0]))
    result = ref(compute(pool))
    gc.collect()
    assert result() is not None
    del pool
    gc.collect()
    assert result() is None

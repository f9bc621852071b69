"""The distinct texts of a split: read once, kept in the cache, checked when opened."""

import ast
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from zips import write_zip

from ir_coliee.engine.cases import texts as module
from ir_coliee.engine.cases.reading import text_key
from ir_coliee.engine.cases.texts import CaseCollection, TokenSequences, case_collection, load, write
from ir_coliee.errors import ColieeError, ColieeHint, MalformedFileError
from ir_coliee.releases.release import LocalRelease

PACKAGE = Path(module.__file__).parents[2]
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
    assert collection.files == [["900001", "900003"], ["900002"], ["900004"], []]
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


def stored(collection, folder):
    folder.mkdir()
    write(module._stored(collection), folder)
    return folder


def test_what_is_stored_is_opened_again(collection, tmp_path):
    opened = CaseCollection(*load(stored(collection, tmp_path / "texts")))
    assert equal(opened.sequences, collection.sequences)
    assert (opened.documents, opened.queries) == (collection.documents, collection.queries)
    assert opened.keys.tolist() == collection.keys.tolist()
    assert opened.keys.tolist() == [text_key(text) for text in DISTINCT]


def changed(array, place, value):
    array = array.copy()
    array[place] = value
    return array


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("tokens.npy", lambda array: changed(array, 0, 99), "a token outside the vocabulary"),
        ("tokens.npy", lambda array: changed(array, 0, -1), "a token outside the vocabulary"),
        ("tokens.npy", lambda array: array.astype(np.int64), "not an array of numbers of the expected type"),
        ("tokens.npy", lambda array: array[:-1], "not the bounds|not true or false"),
        ("capitalised.npy", lambda array: array[1:], "not true or false for each token"),
        ("bounds.npy", lambda array: changed(array, 1, 99), "not the bounds of 4 texts"),
        ("bounds.npy", lambda array: changed(array, 0, 1), "not the bounds of 4 texts"),
        ("marker_bounds.npy", lambda array: array[1:], "not the bounds of 4 texts"),
        ("markers.npy", lambda array: changed(array, 0, 99), "a position outside its text"),
        ("paragraphs.npy", lambda array: changed(array, 0, -1), "a position outside its text"),
        ("paragraphs.npy", lambda array: array[::-1], "a position outside its text or not in order"),
        ("keys.npy", lambda array: array[1:], "not the properties of 3 texts"),
        ("vocabulary.json", lambda value: value[:-1] + value[:1], "not a list of different tokens"),
        ("vocabulary.json", lambda value: [*value[:-1], 5], "not a list of different tokens"),
        ("vocabulary.json", lambda value: [*value[:-1], ""], "not a list of different tokens"),
        ("properties.json", lambda value: value[1:], "not the properties of 4 texts"),
        ("properties.json", lambda value: [*value[:-1], [None] * 8], "not the properties of decisions"),
        ("properties.json", lambda value: [*value[:-1], [10**30, *value[0][1:]]], "not the properties of decisions"),
        ("documents.json", lambda value: {**value, "900001": 4}, "not ids with numbers of 4 texts"),
        ("queries.json", lambda value: [*value], "not ids with numbers of 4 texts"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name(collection, tmp_path, name, change, problem):
    folder = stored(collection, tmp_path / "texts")
    file = folder / name
    if file.suffix == ".npy":
        np.save(file, change(np.load(file)))
    else:
        file.write_text(json.dumps(change(json.loads(file.read_text()))))
    with pytest.raises(MalformedFileError, match=problem):
        load(folder)


TEST = "coliee/task1/2025/test"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def times_read(monkeypatch):
    """A list with an element for each time that texts are read."""
    times, read = [], module._read
    monkeypatch.setattr(module, "_read", lambda *told: times.append(1) or read(*told))
    return times


def put(home, texts):
    (home / "task1_test_files_2025").mkdir(exist_ok=True)
    for name, text in texts.items():
        (home / "task1_test_files_2025" / f"{name}.txt").write_text(text)


def opened():
    return case_collection(LocalRelease.open(TEST))


def entries(home):
    return [*(home / ".cache" / "ir_coliee").glob("decisions-*")]


def test_a_split_is_read_once(home, times_read):
    put(home, {"900001": "A lamp, 2030", "900002": "A gate", "900003": "a lamp: 2030"})
    collection = opened()
    assert opened() is collection
    assert (collection.documents, collection.queries) == ({"900001": 0, "900002": 1, "900003": 0}, {})
    assert collection.sequences.properties[0].year is None  # later than the edition
    sequences = collection.sequences
    del collection
    assert equal(opened().sequences, sequences)
    assert (len(times_read), len(entries(home))) == (1, 1)


def test_several_threads_read_a_split_once(home, times_read):
    put(home, {f"{number}": f"A lamp {number}" for number in range(900001, 900100)})
    with ThreadPoolExecutor(4) as executor:
        collections = [*executor.map(lambda _: opened(), range(8))]
    assert all(collection is collections[0] for collection in collections)
    assert len(times_read) == 1


def test_a_split_whose_files_have_changed_is_read_again(home, times_read):
    put(home, {"900001": "A lamp"})
    assert opened().sequences.vocabulary == ["a", "lamp"]
    put(home, {"900001": "A gate", "900002": "A well"})
    assert opened().sequences.vocabulary == ["a", "gate", "well"]
    assert len(times_read) == 2


def test_texts_are_read_again_when_the_code_that_reads_them_has_changed(home, times_read, monkeypatch, tmp_path):
    put(home, {"900001": "A lamp"})
    opened()
    opened()
    monkeypatch.setattr(module, "_CODE", [*module._CODE, tmp_path / "case_dates.py"])
    (tmp_path / "case_dates.py").write_text("")
    module._digest_of_code.cache_clear()
    opened()
    module._digest_of_code.cache_clear()
    assert len(times_read) == 2


def imported(paths):
    """The files of these modules of the engine and of texts, and of those that they import."""
    found, waiting = set(), [*paths]
    while waiting:
        path = waiting.pop()
        if path.is_file() and path.parts[len(PACKAGE.parts)] in ("engine", "text") and path not in found:
            found.add(path)
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom):
                    names = node.module, *(f"{node.module}.{name.name}" for name in node.names)
                    waiting += [PACKAGE.parent / f"{name.replace('.', '/')}.py" for name in names]
    return found


def test_the_code_that_reads_texts_is_all_that_its_modules_import():
    read = imported(Path(module.__file__).with_name(f"{name}.py") for name in ("texts", "reading"))
    assert read <= {*module._CODE}


def test_a_damaged_entry_is_replaced(home, times_read):
    put(home, {"900001": "A lamp"})
    opened()
    [entry] = entries(home)
    (entry / "tokens.npy").write_bytes(b"damaged")
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
    assert (collection.queries, collection.files) == ({"900521": 1}, [["900521_001"], ["900521_002"]])

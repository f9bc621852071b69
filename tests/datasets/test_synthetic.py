"""Made-up releases: the layout, the sizes, and that there is something to find."""

import hashlib
import json
import re

import ir_datasets
import pytest

from ir_coliee.datasets.copies import missing_files
from ir_coliee.datasets.releases import PARTS
from ir_coliee.datasets.synthetic import write_release
from ir_coliee.errors import ColieeError, ExistingFileError

SCALE = 0.01
QUOTATION = re.compile(r" It was held in <FRAGMENT_SUPPRESSED> that ([a-z ]+)\.")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    write_release("coliee/task1/2025", folder, scale=SCALE, seed=7)
    return folder


def digest(folder):
    """Name and bytes of every file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def gold_of(release, part):
    gold = json.loads((release / f"task1_{part}_labels_2025.json").read_text())
    return {query.removesuffix(".txt"): [case.removesuffix(".txt") for case in cases] for query, cases in gold.items()}


def texts_of(release, part):
    return {path.stem: path.read_text() for path in (release / f"task1_{part}_files_2025").glob("[0-9]*.txt")}


def year_of(text):
    (year,) = re.findall(r"^Decided in (\d{4})\.$", text, re.MULTILINE)
    return int(year)


def words_of(text):
    """The words of the paragraphs in a row, without marks, full stops and what was inserted."""
    body = text.split("\n", 2)[2].removesuffix("\n[End of document]")
    return re.sub(r"\[\d+\]", " ", QUOTATION.sub("", body)).replace(".", " ").split()


def test_what_was_written_is_returned_and_in_the_true_layout(tmp_path):
    paths = write_release("coliee/task1/2025", tmp_path / "new" / "folder", scale=0.001)
    assert sorted(path.name for path in paths) == [
        "task1_test_files_2025",
        "task1_test_labels_2025.json",
        "task1_train_files_2025",
        "task1_train_labels_2025.json",
    ]
    assert sorted(paths) == sorted((tmp_path / "new" / "folder").iterdir())


@pytest.mark.parametrize("part", ["train", "test"])
def test_names_are_six_digits_from_900000_and_labels_name_files(release, part):
    texts, gold = texts_of(release, part), gold_of(release, part)
    assert [name for name in texts if not re.fullmatch(r"9\d{5}", name)] == []
    assert all((release / f"task1_{part}_files_2025" / f"{name}.txt").is_file() for name in texts)
    assert set(gold) | {case for cases in gold.values() for case in cases} <= set(texts)


@pytest.mark.parametrize("part", ["train", "test"])
def test_the_corpus_holds_nothing_but_documents(release, part):
    assert {path.suffix for path in (release / f"task1_{part}_files_2025").iterdir()} == {".txt"}


def test_the_parts_share_no_name(release):
    assert not set(texts_of(release, "train")) & set(texts_of(release, "test"))


def test_the_files_are_ascii_lf_and_as_the_organisers_write_them(release):
    for path in (release / "task1_test_files_2025").glob("[0-9]*.txt"):
        data = path.read_bytes()
        assert data.isascii()
        assert b"\r" not in data
        text = data.decode()
        assert text.startswith(" <FRAGMENT_SUPPRESSED>  (FC)\nDecided in ")
        assert text.endswith("\n[End of document]")
        marks = [int(number) for number in re.findall(r"^\[(\d+)\]$", text, re.MULTILINE)]
        assert marks == list(range(1, len(marks) + 1))
        assert marks


@pytest.mark.parametrize(
    ("scale", "sizes"),
    [(SCALE, {"train": (74, 17), "test": (22, 4)}), (0.02, {"train": (147, 34), "test": (43, 8)})],
)
def test_the_scale_is_the_share_of_the_true_size(tmp_path, scale, sizes):
    write_release("coliee/task1/2025", tmp_path, scale=scale)
    for part, (docs, queries) in sizes.items():
        assert (len(texts_of(tmp_path, part)), len(gold_of(tmp_path, part))) == (docs, queries)


def test_even_the_smallest_release_has_queries_and_gold(tmp_path):
    write_release("coliee/task1/2025", tmp_path, scale=1e-9)
    for part in ("train", "test"):
        gold = gold_of(tmp_path, part)
        assert len(gold) >= 3
        assert all(gold.values())
        assert len(texts_of(tmp_path, part)) == 12


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(release, tmp_path):
    for name, seed in (("again", 7), ("other", 8)):
        write_release("coliee/task1/2025", tmp_path / name, scale=SCALE, seed=seed)
    assert digest(tmp_path / "again") == digest(release)
    for part in ("train", "test"):
        assert not set(texts_of(tmp_path / "other", part).values()) & set(texts_of(release, part).values())


def test_a_part_or_the_edition_names_the_same_release(release, tmp_path):
    for name in ("train", "test"):
        write_release(f"coliee/task1/2025/{name}", tmp_path / name, scale=SCALE, seed=7)
        assert digest(tmp_path / name) == digest(release)


# --- something to find -----------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["train", "test"])
def test_a_noticed_case_is_another_case_not_later_than_the_query_and_named_once(release, part):
    texts = texts_of(release, part)
    years = {name: year_of(text) for name, text in texts.items()}
    for query, cases in gold_of(release, part).items():
        assert cases
        assert query not in cases
        assert len(set(cases)) == len(cases)
        assert [case for case in cases if years[case] > years[query]] == []
    assert all(1985 <= year <= 2025 for year in years.values())
    assert len(set(years.values())) > 5


def test_no_query_of_the_test_is_noticed(release):
    gold = gold_of(release, "test")
    assert not set(gold) & {case for cases in gold.values() for case in cases}


@pytest.mark.parametrize("part", ["train", "test"])
def test_a_query_quotes_each_case_that_it_notices_in_words_that_stand_there(release, part):
    texts = texts_of(release, part)
    for query, cases in gold_of(release, part).items():
        quotations = QUOTATION.findall(texts[query])
        assert len(quotations) == len(cases)
        for quotation, case in zip(quotations, cases):
            assert len(quotation.split()) == 30
            assert f" {quotation} " in " " + " ".join(words_of(texts[case])) + " "


def test_only_queries_quote(release):
    gold = gold_of(release, "test")
    quoting = {name for name, text in texts_of(release, "test").items() if QUOTATION.search(text)}
    assert quoting == set(gold)


def test_a_decision_names_no_other_case(release):
    texts = texts_of(release, "test")
    assert [name for name, text in texts.items() for other in texts if other in text] == []


def test_lengths_vary_as_those_of_decisions_do(release):
    lengths = sorted(len(words_of(text)) for text in texts_of(release, "train").values())
    assert 90 <= lengths[0] < 2_000
    assert 2_000 < lengths[len(lengths) // 2] < 6_000
    assert lengths[-1] > 8_000


def test_no_two_decisions_are_the_same(release):
    texts = [text for part in ("train", "test") for text in texts_of(release, part).values()]
    assert len(set(texts)) == len(texts) == 96


# --- as a copy -------------------------------------------------------------------------------------


def test_a_made_up_release_loads_as_the_edition(release, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(release))
    for part in ("train", "test"):
        dataset_id = f"coliee/task1/2025/{part}"
        assert missing_files(PARTS[dataset_id]) == []
        dataset = ir_datasets.load(dataset_id)
        gold = gold_of(release, part)
        assert [query.query_id for query in dataset.queries] == list(gold)
        assert [(qrel.query_id, qrel.doc_id) for qrel in dataset.qrels] == [
            (query, case) for query, cases in gold.items() for case in cases
        ]
        assert {doc.doc_id for doc in dataset.docs} == set(texts_of(release, part))


# --- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "taken", ["task1_test_labels_2025.json", "task1_train_files_2025", "task1_train_labels_2025.json"]
)
def test_nothing_is_overwritten_and_nothing_written_where_a_name_is_taken(tmp_path, taken):
    (tmp_path / taken).write_text("mine")
    with pytest.raises(ExistingFileError, match=re.escape(str(tmp_path / taken))):
        write_release("coliee/task1/2025", tmp_path, scale=SCALE)
    assert [path.name for path in tmp_path.iterdir()] == [taken]
    assert (tmp_path / taken).read_text() == "mine"


def test_writing_twice_is_refused_and_changes_nothing(tmp_path):
    write_release("coliee/task1/2025", tmp_path, scale=0.001)
    before = digest(tmp_path)
    with pytest.raises(FileExistsError):
        write_release("coliee/task1/2025", tmp_path, scale=0.001, seed=1)
    assert digest(tmp_path) == before


@pytest.mark.parametrize("scale", [0, -1, 1.01, float("nan"), float("inf")])
def test_a_scale_that_is_no_share_is_refused(tmp_path, scale):
    with pytest.raises(ColieeError, match=f"scale {scale}"):
        write_release("coliee/task1/2025", tmp_path / "new", scale=scale)
    assert not (tmp_path / "new").exists()


def test_a_negative_seed_is_refused(tmp_path):
    with pytest.raises(ColieeError, match="seed -1"):
        write_release("coliee/task1/2025", tmp_path / "new", scale=SCALE, seed=-1)


@pytest.mark.parametrize("dataset_id", ["coliee/task1/sample", "coliee/task2/2025", "coliee/task1/2098", "nope", ""])
def test_an_id_that_cannot_be_made_up_is_refused_with_those_that_can(tmp_path, dataset_id):
    with pytest.raises(ColieeError, match=r"coliee/task1/2025") as caught:
        write_release(dataset_id, tmp_path / "new", scale=SCALE)
    assert repr(dataset_id) in str(caught.value)
    assert "coliee/task1/sample," not in str(caught.value).partition("Known")[2]
    assert not (tmp_path / "new").exists()


def test_progress_sees_every_file(tmp_path):
    seen = []

    def watch(numbers):
        for number in numbers:
            seen.append(number)
            yield number

    write_release("coliee/task1/2025", tmp_path, scale=0.001, progress=watch)
    assert seen == [*range(12), *range(12)]

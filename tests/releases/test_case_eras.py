"""A synthetic local copy of every era of tasks 1 and 2, from the files to ir_datasets and PyTerrier."""

import json
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from label_files import entry_of_task2, of_2018, of_2019, packaged, paragraphs_of
from zips import write_zip

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeWarning
from ir_coliee.releases import cases
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.release import LocalRelease


def put(home, entries):
    for name, text in entries.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def below(place, entries):
    return {f"{place}/{name}": text for name, text in entries.items()}


def pool(query, candidates, **others):
    """The folder of a query of task 1 until 2020."""
    return {
        f"{query}/base_case.txt": f"Query {query}.",
        **{f"{query}/candidates/{name}.txt": f"Candidate {name} of {query}." for name in candidates},
        **{f"{query}/{name}.txt": text for name, text in others.items()},
    }


def case(query, paragraphs, **others):
    """The folder of a query of task 2 since 2019."""
    return {
        f"{query}/base_case.txt": f"Before. Fragment {query}.",
        f"{query}/entailed_fragment.txt": f"Fragment {query}.",
        **{f"{query}/paragraphs/{name}.txt": f"[{name}]\nParagraph {name} of {query}." for name in paragraphs},
        **{f"{query}/{name}.txt": text for name, text in others.items()},
    }


def with_fact(folder):
    """The folder of a query as 2018 has it."""
    renamed = {name.replace("base_case", "fact"): text for name, text in folder.items()}
    return {name: text for name, text in renamed.items() if "entailed_fragment" not in name}


def gold_of(dataset_id):
    return [qrel[:2] for qrel in cases.gold(LocalRelease.open(SPLITS[dataset_id]))]


# --- one copy of each era --------------------------------------------------------------------------

TRAIN_2018, TEST_2018 = "COLIEE2018_CaseLaw_Training_Data", "COLIEE2018_CaseLaw_Test_Data"

# --- 2018 ------------------------------------------------------------------------------------------


# --- 2019 ------------------------------------------------------------------------------------------

TRAIN_2019 = SPLITS["coliee/task1/2019/train"]


def put_2019(home, of_cases, xml):
    """Train split of two queries. ``of_cases``: gold in their folders; ``xml``: in the XML file; None: not there."""
    for query, noticed in (of_cases or {"001": None, "002": None}).items():
        others = {} if noticed is None else {"noticed_cases": noticed}
        put(home, below("task1_train", pool(query, ["003", "004", "005"], **others)))
    if xml is not None:
        names = [f"{n:03}" for n in range(1, 201)]  # whatever the folder holds
        instances = [packaged("task1", query, names, answers and answers.split(",")) for query, answers in xml.items()]
        put(home, {"task1_train/task1.xml": of_2019("task1", *instances)})


AGREED = [("001", "001_003"), ("001", "001_005"), ("002", "002_004")]


@pytest.mark.parametrize(
    ("of_cases", "xml"),
    [
        ({"001": "003\n005\n", "002": "004\n"}, {"001": "3,5", "002": "4"}),
        ({"001": "003\n005\n", "002": "004\n"}, None),
        (None, {"001": "003,005", "002": "004"}),
        ({"001": "3\n5\n", "002": "4"}, {"1": "003,005", "2": "004"}),
        ({"001": "003\n005\n", "002": "004\n"}, {"001": None, "002": None}),
    ],
)
def test_gold_of_2019_is_the_same_from_xml_from_text_files_and_from_both(home, of_cases, xml):
    put_2019(home, of_cases, xml)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2019/train") == AGREED
        assert LocalRelease.open(TRAIN_2019).missing == ()


@pytest.mark.parametrize(
    ("of_cases", "differing"),
    [
        ({"001": "003\n", "002": "004\n"}, "001$"),
        ({"001": "003\n005\n", "002": "005\n"}, "002$"),
        ({"001": "003\n005\n", "002": None}, "002$"),
        ({"001": "", "002": "003\n"}, "001, 002$"),
    ],
)
def test_where_xml_and_text_files_of_2019_differ_the_xml_is_used_with_a_warning(home, of_cases, differing):
    put_2019(home, of_cases, {"001": "3,5", "002": "4"})
    with pytest.warns(ColieeWarning, match=rf"task1\.xml: the gold in the case folders differs.*: {differing}"):
        assert gold_of("coliee/task1/2019/train") == AGREED


# --- 2020 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [{"1": ["3.txt", "5.txt"]}, {"0001": ["0003", "05"]}, {"001.txt": "3.txt, 5"}])
def test_labels_of_2020_in_other_paddings_are_mapped_onto_the_names_of_the_files(home, labels):
    put(home, below("task1_train_2020", pool("001", ["003", "005"])))
    put(home, {"task1_train_2020_labels.json": json.dumps(labels)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2020/train") == [("001", "001_003"), ("001", "001_005")]


# --- 2021 to 2026 ----------------------------------------------------------------------------------


def test_labels_of_the_flat_layout_in_other_paddings_are_mapped_onto_the_files_and_no_case_notices_itself(home):
    put(home, below("task1_test_files_2025", {"000123.txt": "one", "900002.txt": "two"}))
    put(home, {"task1_test_labels_2025.json": '{"900002.txt": ["123.txt"], "123.txt": ["0900002.txt", "0123.txt"]}'})
    with pytest.warns(ColieeWarning, match=r"gold names themselves, which is left out: 1 \(000123\)"):
        assert gold_of("coliee/task1/2025/test") == [("900002", "000123"), ("000123", "900002")]
    assert cases.query_ids(LocalRelease.open(SPLITS["coliee/task1/2025/test"])) == ["900002", "000123"]


# --- any gold --------------------------------------------------------------------------------------

#: Query to (its items, the gold among them).
golds = st.dictionaries(
    st.integers(1, 1030).map("{:03}".format),
    st.lists(st.integers(1, 200).map("{:03}".format), min_size=1, max_size=5, unique=True).flatmap(
        lambda items: st.tuples(
            st.just(sorted(items)), st.lists(st.sampled_from(items), min_size=1, max_size=3, unique=True)
        )
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gold=golds, zipped=st.booleans())
def test_any_gold_comes_back_from_its_positions_in_the_files_of_2018(tmp_path_factory, monkeypatch, gold, zipped):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("COLIEE_HOME", str(home))
    place = f"{TRAIN_2018}/Entailment1"
    written, entries = [], {}
    for query, (items, named) in gold.items():
        positions = ",".join(str(items.index(name) + 1) for name in named)
        written.append(entry_of_task2(query, paragraphs_of(query, items), positions))
        entries |= below(f"{place}/data", with_fact(case(query, items)))
    entries[f"{place}/EE.xml"] = of_2018(*written)
    if zipped:
        write_zip(home / "package.zip", entries)
    else:
        put(home, entries)
    release = LocalRelease.open("coliee/task2/2018/train")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FindingWarning)  # numbers are skipped
        found = gold_of(release.split.id)
    assert sorted(found) == sorted((query, f"{query}_{name}") for query, (_, named) in gold.items() for name in named)
    assert cases.query_ids(release) == sorted(gold, key=int)
    assert cases.candidates(release) == [
        (query, f"{query}_{name}") for query in sorted(gold, key=int) for name in gold[query][0]
    ]

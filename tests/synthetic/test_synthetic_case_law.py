"""Synthetic releases of tasks 1 and 2: each layout, read again by independent code, and its irregularities."""

import json
import re
from xml.etree import ElementTree

import pytest

from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

TINY = 0.002


def stem(name):
    return name.removesuffix(".txt")


def inner(folder):
    """Return the folder of the cases, also if it is nested."""
    below = [folder / folder.name, folder / "cases"]
    return next((path for path in below if path.is_dir()), folder)


def gold_of_json(path):
    """Return the gold by query, from lists and strings with commas; in a flat folder without self-citations."""
    content = json.loads(path.read_text(encoding="ascii"))
    return {
        stem(query): {stem(item.strip()) for item in (items.split(",") if isinstance(items, str) else items)}
        - ({stem(query)} if query.endswith(".txt") else set())
        for query, items in content.items()
    }


def gold_of_xml(path, instance_tag, answer_tag):
    """Return the gold by query as numbers, because the forms differ in padding."""
    found = {}
    for instance in ElementTree.parse(path).getroot().iter(instance_tag):
        answers = (instance.findtext(answer_tag) or "").strip()
        found[instance.get("id").removeprefix("t1-").removeprefix("t2-")] = {
            int(answer) for answer in answers.split(",") if answer
        }
    return found


def counts(planted, task, edition):
    return {name: tuple(planted.splits[f"coliee/{task}/{edition}/{name}"]) for name in ("train", "test")}


# --- task 1, flat ----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["2022", "2023", "2024", "2025", "2026"])
@pytest.mark.parametrize("scale", [TINY, 0.02])
def test_a_flat_release_has_the_planted_counts(tmp_path, edition, scale):
    planted = write_release(f"coliee/task1/{edition}", tmp_path, scale=scale)
    for name, (queries, docs, qrels) in counts(planted, "task1", edition).items():
        gold = gold_of_json(tmp_path / f"task1_{name}_labels_{edition}.json")
        assert len(list((tmp_path / f"task1_{name}_files_{edition}").glob("9?????.txt"))) == docs
        assert (len(gold), sum(map(len, gold.values()))) == (queries, qrels)


@pytest.mark.parametrize("irregularities", [False, True])
def test_the_pool_of_2021_is_shared_by_both_splits(tmp_path, irregularities):
    planted = write_release("coliee/task1/2021", tmp_path, scale=0.02, irregularities=irregularities)
    files = {path.stem for path in inner(tmp_path / "task1_files").glob("9?????.txt")}
    train = gold_of_json(tmp_path / f"{'clean_' * irregularities}train_labels.json")
    test = gold_of_json(tmp_path / f"task1_test_labels_2021{' (1)' * irregularities}.json")
    found = {"train": train, "test": test}
    assert {name: (len(gold), len(files), sum(map(len, gold.values()))) for name, gold in found.items()} == counts(
        planted, "task1", "2021"
    )
    both = set(train) & set(test)
    assert both == set(planted.irregularities.get("query of both splits", ()))
    assert bool(both) == irregularities
    assert all(train[query].isdisjoint(test[query]) for query in both)


@pytest.mark.parametrize(
    ("edition", "style"), [("2021", "lines"), ("2022", "lines"), ("2023", "indented"), ("2026", "indented")]
)
def test_train_labels_have_the_style_of_their_edition(tmp_path, edition, style):
    planted = write_release(f"coliee/task1/{edition}", tmp_path, scale=TINY)
    name = "train_labels.json" if edition == "2021" else f"task1_train_labels_{edition}.json"
    written = (tmp_path / name).read_bytes()
    queries = planted.splits[f"coliee/task1/{edition}/train"].queries
    assert not written.endswith(b"\n")
    assert written.isascii()
    if style == "lines":
        assert len(written.splitlines()) == queries
    else:
        assert written.decode() == json.dumps(json.loads(written), indent=4)


def test_the_test_labels_of_2022_are_one_line(tmp_path):
    write_release("coliee/task1/2022", tmp_path, scale=TINY)
    assert len((tmp_path / "task1_test_labels_2022.json").read_text().splitlines()) == 1


@pytest.fixture(scope="module")
def flat(tmp_path_factory):
    """An irregular release of 2025, with what was planted."""
    folder = tmp_path_factory.mktemp("flat")
    return folder, write_release("coliee/task1/2025", folder, scale=TINY, irregularities=True)


def text_of(release, irregularity, position=0):
    folder, planted = release
    return (folder / planted.irregularities[irregularity][position]).read_bytes().decode()


@pytest.mark.parametrize(
    ("irregularity", "pattern"),
    [
        ("CRLF", r"\r\n\[1\]\r\n"),
        ("no-break space", "\u00a0"),
        ("soft hyphen", "\u00ad"),
        ("glued marks", r"[a-z]FRAGMENT_SUPPRESSEDREFERENCE_SUPPRESSED[a-z]"),
        ("repeated mark", r"(?s)\n\[1\]\n.*\n\[1\]\n"),
        ("spaced marks", r"(?m)^ \[1\] $"),
        ("text on the line of a mark", r"(?m)^\[1\] [a-z]"),
        ("translation", r"\[Translation\]"),
        ("bilingual notice", r"(?m)^\[French language version follows English language version\]$"),
        ("bilingual notice before a mark", r"(?m)^ \[La version française .*\] <FRAGMENT_SUPPRESSED> $"),
        ("bilingual notice alone", r"(?m)^\[La version anglaise "),
        ("French double", r"(?s)\n\[1\]\n.*\n\[1\]\n.*é.*\[End of document\]$"),
        ("headnote", r"(?m)^  Summary:$"),
        ("no end mark", r"(?s)\nEditor: Nobody/xyz\n$"),
        ("blank lines", r"\n\n\[1\]\n\n"),
    ],
)
def test_a_text_has_what_was_planted_in_it_in_both_splits(flat, irregularity, pattern):
    for position in (0, 1):
        assert re.search(pattern, text_of(flat, irregularity, position))


def test_only_planted_texts_are_irregular(flat):
    folder, planted = flat
    irregular = {place for places in planted.irregularities.values() for place in places}
    for path in inner(folder / "task1_train_files_2025").glob("9*.txt"):
        if path.relative_to(folder).as_posix() not in irregular:
            text = path.read_bytes().decode("ascii")
            marks = [int(n) for n in re.findall(r"(?m)^\[(\d+)\]$", text)]
            assert marks == list(range(1, len(marks) + 1))


def test_a_decision_without_a_first_mark_and_one_that_skips_a_number(flat):
    assert "[1]" not in text_of(flat, "no first mark")
    marks = [int(n) for n in re.findall(r"(?m)^\[(\d+)\]$", text_of(flat, "skipped mark"))]
    assert marks[-1] == marks[-2] + 2


def test_identical_texts_of_which_one_is_gold(flat):
    folder, planted = flat
    gold = gold_of_json(folder / "clean_task1_train_labels_2025.json")
    duplicate = folder / planted.irregularities["identical text that is not gold"][0]
    alike = [path.stem for path in duplicate.parent.glob("9*.txt") if path.read_bytes() == duplicate.read_bytes()]
    named = {case for cases in gold.values() for case in cases}
    assert len(alike) == 2
    assert [name for name in alike if name in named] == [name for name in alike if name != duplicate.stem]


def test_the_twin_of_a_text_with_crlf_differs_in_nothing_else(flat):
    assert text_of(flat, "CRLF").replace("\r\n", "\n") == text_of(flat, "LF twin of a CRLF text")


def test_a_near_identical_text_differs_from_another_only_in_capitals(flat):
    folder, planted = flat
    for place in planted.irregularities["near-identical text"]:
        text = (folder / place).read_text()
        others = [path for path in (folder / place).parent.glob("9*.txt") if path != folder / place]
        twins = [path for path in others if path.read_bytes().lower() == text.lower().encode()]
        assert len(twins) == 1
        assert twins[0].read_text() != text
        assert twins[0].relative_to(folder).as_posix() in planted.irregularities["file that no label names"]


def test_a_decision_and_a_paragraph_are_not_utf_8(flat, tmp_path):
    task2 = tmp_path, write_release("coliee/task2/2023", tmp_path, scale=TINY, irregularities=True)
    for folder, planted in (flat, task2):
        assert len(planted.irregularities["not UTF-8"]) == 2
        for place in planted.irregularities["not UTF-8"]:
            with pytest.raises(UnicodeDecodeError):
                (folder / place).read_bytes().decode()


def test_a_file_that_no_label_names(flat):
    folder, planted = flat
    for place, labels in zip(
        planted.irregularities["file that no label names"],
        ("clean_task1_train_labels_2025.json", "task1_test_labels_2025 (1).json"),
    ):
        assert place.rpartition("/")[2] not in (folder / labels).read_text()


def test_irregular_labels(flat):
    folder, planted = flat
    labels = json.loads((folder / "clean_task1_train_labels_2025.json").read_text())
    files = {path.name for path in inner(folder / "task1_train_files_2025").iterdir()}
    (repeated,) = planted.irregularities["repeated gold"]
    (without_file,) = planted.irregularities["gold without a file"]
    assert {query for query, cases in labels.items() if len(set(cases)) < len(cases)} == {f"{repeated}.txt"}
    assert {case for cases in labels.values() for case in cases} - files == {f"{without_file}.txt"}
    (itself,) = planted.irregularities["self-citation"]
    assert {query for query, cases in labels.items() if query in cases} == {f"{itself}.txt"}
    noticed = {case for query, cases in labels.items() for case in cases if case != query}
    queries = {path.rpartition("/")[2] for path in planted.irregularities["query that is noticed"]}
    assert noticed & set(labels) == queries & set(labels) != set()
    pairs = {(query, case) for query, cases in labels.items() for case in cases if case != query}
    assert (len(labels), len(pairs)) == tuple(planted.splits["coliee/task1/2025/train"])[::2]


def test_names_that_train_and_test_use_for_different_texts(flat):
    folder, planted = flat
    train, test = (inner(folder / f"task1_{name}_files_2025") for name in ("train", "test"))
    shared = {path.name for path in train.glob("9*.txt")} & {path.name for path in test.glob("9*.txt")}
    assert shared == {place.rpartition("/")[2] for place in planted.irregularities["name of another text in train"]}
    assert len(shared) == 11
    assert all((train / name).read_bytes() != (test / name).read_bytes() for name in shared)


def test_the_queries_without_gold_are_those_of_the_labels_in_their_order(flat, tmp_path):
    folder, _ = flat
    unlabelled = json.loads((folder / "task1_test_no_labels_2025.json").read_text())
    assert list(unlabelled) == list(json.loads((folder / "task1_test_labels_2025 (1).json").read_text()))
    assert set(map(tuple, unlabelled.values())) == {()}
    write_release("coliee/task1/2021", tmp_path, scale=TINY, irregularities=True)
    queries = json.loads((tmp_path / "test_no_labels.json").read_text())
    assert queries == list(json.loads((tmp_path / "task1_test_labels_2021 (1).json").read_text()))


def test_the_labels_of_2022_repeat_a_key_of_which_the_last_counts(tmp_path):
    planted = write_release("coliee/task1/2022", tmp_path, scale=TINY, irregularities=True)
    text = (tmp_path / "clean_task1_train_labels_2022.json").read_text()
    keys = [query for query, _ in json.loads(text, object_pairs_hook=list)]
    (repeated,) = planted.irregularities["repeated key"]
    assert {query for query in keys if keys.count(query) > 1} == {f"{repeated}.txt"}
    gold = gold_of_json(tmp_path / "clean_task1_train_labels_2022.json")
    assert tuple(planted.splits["coliee/task1/2022/train"])[::2] == (len(gold), sum(map(len, gold.values())))


def test_unrelated_files_lie_among_the_decisions(flat):
    _, planted = flat
    assert {place.rpartition("/")[2] for place in planted.irregularities["unrelated files"]} == {
        ".DS_Store",
        "._900001.txt",
        "task1_train_labels_2024.json",
        "task1_test_labels_2024.json",
    }


# --- task 1, pools ---------------------------------------------------------------------------------

QUERY_FILES = {"2018": "fact.txt", "2019": "base_case.txt", "2020": "base_case.txt"}
POOLS = {
    "2018": {
        "train": "COLIEE2018_CaseLaw_Training_Data/IR/data",
        "test": "COLIEE2018_CaseLaw_Test_Data/IR/data",
    },
    "2019": {"train": "task1_train", "test": "task1_test"},
    "2020": {"train": "task1_train_2020", "test": "task1_test_2020"},
}


def gold_of_pools(folder, edition, name):
    """Return the numbers of the noticed cases by query folder."""
    if edition == "2018":
        places = {
            "train": "COLIEE2018_CaseLaw_Training_Data/IR/IR.xml",
            "test": "COLIEE2018_CaseLaw_Test_Data/gold_standard/ir/ir.xml",
        }
        return gold_of_xml(folder / places[name], "entry", "cases_noticed")
    if edition == "2019":
        places = {"train": "task1_train/task1.xml", "test": "task1_test/task1_test_golden-labels.xml"}
        return gold_of_xml(folder / places[name], "instance", "cases_noticed")
    gold = gold_of_json(folder / f"task1_{name}_2020_labels.json")
    return {query: {int(case) for case in cases} for query, cases in gold.items()}


@pytest.mark.parametrize("edition", ["2018", "2019", "2020"])
@pytest.mark.parametrize("irregularities", [False, True])
def test_a_release_of_pools_has_the_planted_counts(tmp_path, edition, irregularities):
    planted = write_release(f"coliee/task1/{edition}", tmp_path, scale=TINY, irregularities=irregularities)
    for name, (queries, docs, qrels) in counts(planted, "task1", edition).items():
        corpus = inner(tmp_path / POOLS[edition][name])
        cases = sorted(path for path in corpus.iterdir() if path.name.isdigit())
        gold = gold_of_pools(tmp_path, edition, name)
        assert len(cases) == queries
        assert all((case / QUERY_FILES[edition]).is_file() for case in cases)
        assert sum(len(list((case / "candidates").glob("*.txt"))) for case in cases) == docs
        assert sum(map(len, gold.values())) == qrels
        assert set(gold) == {case.name for case in cases}
        for query, items in gold.items():
            names = {int(path.stem) for path in (corpus / query / "candidates").iterdir()}
            assert items <= names


@pytest.mark.parametrize("edition", ["2018", "2019", "2020"])
def test_a_query_quotes_the_noticed_cases_of_its_pool_which_are_not_later(tmp_path, edition):
    write_release(f"coliee/task1/{edition}", tmp_path, scale=TINY)
    corpus = tmp_path / POOLS[edition]["train"]
    for query, items in gold_of_pools(tmp_path, edition, "train").items():
        text = (corpus / query / QUERY_FILES[edition]).read_text()
        quotations = re.findall(r"It was held in FRAGMENT_SUPPRESSED that ([a-z ]+)\.", text)
        assert len(quotations) == len(items) > 0
        noticed = [(corpus / query / "candidates" / f"{item:03}.txt").read_text() for item in items]
        year = int(re.search(r"Decided in (\d{4})", text)[1])
        for case in noticed:
            words = " ".join(re.findall("[a-z]+", case.partition("[1]")[2]))
            assert any(quotation in words for quotation in quotations)
            assert int(re.search(r"Decided in (\d{4})", case)[1]) <= year


def test_pools_are_of_200_cases_at_full_size_and_shrink_with_the_scale(tmp_path):
    planted = write_release("coliee/task1/2018", tmp_path, scale=0.1)
    assert planted.splits["coliee/task1/2018/train"][:2] == (28, 28 * 20)


def test_the_numbers_of_the_test_restart_in_2019_and_continue_in_2020(tmp_path):
    for edition in ("2019", "2020"):
        write_release(f"coliee/task1/{edition}", tmp_path, scale=TINY)
    names = {
        (edition, name): sorted(path.name for path in (tmp_path / POOLS[edition][name]).iterdir() if path.is_dir())
        for edition in ("2019", "2020")
        for name in ("train", "test")
    }
    assert names["2019", "train"] == names["2019", "test"] == ["900000", "900001", "900002"]
    assert names["2020", "train"] == ["900000", "900001", "900002"]
    assert names["2020", "test"] == ["900003", "900004", "900005"]


def test_the_candidates_of_the_test_of_2020_are_all_different(tmp_path):
    write_release("coliee/task1/2020", tmp_path, scale=0.02)
    for name, different in (("test", True), ("train", False)):
        texts = [path.read_bytes() for path in (tmp_path / f"task1_{name}_2020").rglob("candidates/*.txt")]
        assert (len(set(texts)) > 0.85 * len(texts)) is different


def test_the_gold_of_each_case_of_2019_is_that_of_the_xml_file(tmp_path):
    write_release("coliee/task1/2019", tmp_path, scale=TINY)
    gold = gold_of_pools(tmp_path, "2019", "train")
    of_cases = {
        path.parent.name: {int(line) for line in path.read_text().splitlines()}
        for path in (tmp_path / "task1_train").glob("*/noticed_cases.txt")
    }
    assert of_cases == gold
    assert not list((tmp_path / "task1_test").glob("*/noticed_cases.txt"))


@pytest.mark.parametrize(("task", "answers"), [("task1", "cases_noticed"), ("task2", "entailing_paragraphs")])
def test_the_xml_of_2019_in_both_forms(tmp_path, task, answers):
    for irregularities in (False, True):
        write_release(f"coliee/{task}/2019", tmp_path / str(irregularities), scale=TINY, irregularities=irregularities)
        root = ElementTree.parse(tmp_path / str(irregularities) / f"{task}_train" / f"{task}.xml").getroot()
        assert (root.tag, root.get("task")) == ("COLIEE", task[-1])
        instance = root.find("instance")
        order = [child.tag for child in instance]
        assert (order.index(answers) == 1) is irregularities
        assert instance.get("id").startswith(f"t{task[-1]}-") is irregularities
        assert ("\n" in instance.findtext(answers)) is irregularities
        unlabelled = ElementTree.parse(tmp_path / str(irregularities) / f"{task}_test" / f"{task}.xml").getroot()
        assert unlabelled.find(f"instance/{answers}") is None


@pytest.mark.parametrize("edition", ["2018", "2019"])
@pytest.mark.parametrize("task", ["task1", "task2"])
def test_an_answer_element_is_absent_and_one_is_empty(tmp_path, edition, task):
    planted = write_release(f"coliee/{task}/{edition}", tmp_path, scale=TINY, irregularities=True)
    (path,) = [
        path
        for path in tmp_path.rglob("*.xml")
        if path.name in ("IR.xml", "EE.xml", f"{task}.xml") and "test" not in str(path.relative_to(tmp_path)).lower()
    ]
    tag = {"task1": "cases_noticed", "task2": "entailing_paragraphs"}[task]
    instances = [i for name in ("entry", "instance") for i in ElementTree.parse(path).getroot().iter(name)]
    absent = [i.get("id").rpartition("-")[2] for i in instances if i.find(tag) is None]
    empty = [
        i.get("id").rpartition("-")[2] for i in instances if i.find(tag) is not None and not i.findtext(tag).strip()
    ]
    assert absent == [planted.irregularities["no answer element"][0]]
    assert empty == [planted.irregularities["empty answer element"][0]]


def test_candidates_of_2018_are_counted_from_000_where_it_was_planted(tmp_path):
    for irregularities, first in ((False, "001.txt"), (True, "000.txt")):
        write_release("coliee/task1/2018", tmp_path / str(irregularities), scale=TINY, irregularities=irregularities)
        candidates = tmp_path / str(irregularities) / POOLS["2018"]["train"] / "900000" / "candidates"
        assert min(path.name for path in candidates.iterdir()) == first
        assert (candidates.parent / "summary.txt").read_text()


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_a_query_notices_a_candidate_of_its_own_number(tmp_path, edition):
    planted = write_release(f"coliee/task1/{edition}", tmp_path, scale=TINY, irregularities=True)
    (query,) = planted.irregularities["gold of the query's own number"]
    assert int(query) in gold_of_pools(tmp_path, edition, "train")[query]


def test_the_xml_of_2019_names_a_candidate_that_has_no_file(tmp_path):
    planted = write_release("coliee/task1/2019", tmp_path, scale=TINY, irregularities=True)
    query, _, candidate = planted.irregularities["candidate without a file"][0].partition("_")
    text = (tmp_path / "task1_train" / "task1.xml").read_text()
    assert text.count(f"{candidate}.txt") == 1
    assert not (tmp_path / "task1_train" / "task1_train" / query / "candidates" / f"{candidate}.txt").exists()


# --- task 2 ----------------------------------------------------------------------------------------

CASES = {
    "2018": {
        "train": "COLIEE2018_CaseLaw_Training_Data/Entailment1/data",
        "test": "COLIEE2018_CaseLaw_Test_Data/Entailment1/data",
    },
    "2019": {"train": "task2_train", "test": "task2_test"},
    "2020": {"train": "task2_train_2020", "test": "task2_test_2020"},
    "2021": {"train": "task2_2021_train", "test": "task2_2021_test_nolabels"},
    "2022": {"train": "task2_2022_train", "test": "task2_2022_test"},
    **{e: {n: f"task2_{n}_files_{e}" for n in ("train", "test")} for e in ("2023", "2024", "2025", "2026")},
}


def gold_of_cases(folder, edition, name):
    """Return the names of the entailing paragraphs by case."""
    if edition == "2018":
        places = {
            "train": "COLIEE2018_CaseLaw_Training_Data/Entailment1/EE.xml",
            "test": "COLIEE2018_CaseLaw_Test_Data/gold_standard/entailment/ee.xml",
        }
        found = {}
        for entry in ElementTree.parse(folder / places[name]).getroot():
            paragraphs = [p.get("id") for p in entry.iter("paragraph")]
            positions = (entry.findtext("entailing_paragraphs") or "").split(",")
            found[entry.get("id")] = {paragraphs[int(position) - 1] for position in positions if position}
        return found
    if edition == "2019":
        places = {"train": "task2_train/task2.xml", "test": "task2_test/task2_test_golden-labels.xml"}
        gold = gold_of_xml(folder / places[name], "instance", "entailing_paragraphs")
        return {case: {f"{number:03}" for number in numbers} for case, numbers in gold.items()}
    return gold_of_json(folder / f"task2_{name}_labels_{edition}.json")


@pytest.mark.parametrize("edition", list(CASES))
@pytest.mark.parametrize("irregularities", [False, True])
def test_a_release_of_task_2_has_the_planted_counts(tmp_path, edition, irregularities):
    planted = write_release(f"coliee/task2/{edition}", tmp_path, scale=TINY, irregularities=irregularities)
    for name, (queries, docs, qrels) in counts(planted, "task2", edition).items():
        corpus = inner(tmp_path / CASES[edition][name])
        cases = {path.name: path for path in corpus.iterdir() if path.name.isdigit()}
        gold = gold_of_cases(tmp_path, edition, name)
        assert set(gold) == set(cases)
        assert len(cases) == queries
        assert sum(len(list((case / "paragraphs").glob("*.txt"))) for case in cases.values()) == docs
        assert sum(map(len, gold.values())) == qrels
        base = "fact.txt" if edition == "2018" else "base_case.txt"
        assert all((case / base).is_file() for case in cases.values())
        without_file = {
            f"{case}_{item}"
            for case, items in gold.items()
            for item in items - {path.stem for path in (cases[case] / "paragraphs").iterdir()}
        }
        assert without_file == (
            set(planted.irregularities.get("gold without a file", ())) if name == "train" else set()
        )
        assert bool(without_file) == (irregularities and name == "train" and edition != "2018")


@pytest.mark.parametrize(
    "edition", ["task1/2018", "task1/2019", "task1/2020", "task1/2025", "task2/2018", "task2/2019", "task2/2026"]
)
def test_an_item_is_gold_twice(tmp_path, edition):
    planted = write_release(f"coliee/{edition}", tmp_path, scale=TINY, irregularities=True)
    (query,) = planted.irregularities["repeated gold"]
    written = []
    for path in tmp_path.rglob("*"):
        if path.suffix == ".json" and path.name.startswith(("clean_", "task1_train_2020", "task2_train_labels_2026")):
            found = {stem(key): value for key, value in json.loads(path.read_text()).items()}
            written.append(found[query])
        if path.suffix == ".xml" and "test" not in path.relative_to(tmp_path).as_posix().lower():
            instances = [i for i in ElementTree.parse(path).getroot() if i.get("id").endswith(query)]
            answers = [instances[0].findtext(tag) for tag in ("cases_noticed", "entailing_paragraphs")]
            written.append("".join(filter(None, answers)).strip().split(","))
    (items,) = written
    assert len(items) == len(set(items)) + 1


@pytest.mark.parametrize("edition", ["2018", "2025"])
def test_an_entailing_paragraph_shares_more_words_with_the_fragment_than_others(tmp_path, edition):
    write_release(f"coliee/task2/{edition}", tmp_path, scale=0.03)
    first = 0
    gold = gold_of_cases(tmp_path, edition, "train")
    for case, items in gold.items():
        folder = tmp_path / CASES[edition]["train"] / case
        fragment = set((folder / "entailed_fragment.txt").read_text().rstrip(".").split())
        shared = {
            path.stem: len(fragment & set(re.findall("[a-z]+", path.read_text())))
            for path in (folder / "paragraphs").iterdir()
        }
        first += max(shared, key=shared.get) in items
    assert first > 0.9 * len(gold)


def test_the_base_case_contains_the_fragment_with_its_source_suppressed(tmp_path):
    write_release("coliee/task2/2025", tmp_path, scale=TINY)
    for case in (tmp_path / "task2_train_files_2025").iterdir():
        fragment = (case / "entailed_fragment.txt").read_text()
        assert f"{fragment} FRAGMENT_SUPPRESSED" in (case / "base_case.txt").read_text()
        assert not fragment.endswith("\n")


@pytest.mark.parametrize(
    ("edition", "name", "shapes"),
    [
        ("2020", "test", {list}),
        ("2023", "test", {list}),
        ("2024", "test", {str}),
        ("2025", "train", {list}),
        ("2025", "test", {str}),
        ("2026", "train", {list, str}),
        ("2026", "test", {str}),
    ],
)
def test_the_values_of_the_labels_have_the_shapes_of_their_edition(tmp_path, edition, name, shapes):
    write_release(f"coliee/task2/{edition}", tmp_path, scale=0.02)
    labels = json.loads((tmp_path / f"task2_{name}_labels_{edition}.json").read_text())
    assert {type(value) for value in labels.values()} == shapes


@pytest.mark.parametrize("scale", [TINY, 0.05])
def test_the_numbers_of_2026_reach_one_more_digit(tmp_path, scale):
    planted = write_release("coliee/task2/2026", tmp_path, scale=scale)
    labels = [json.loads((tmp_path / f"task2_{name}_labels_2026.json").read_text()) for name in ("train", "test")]
    train, test = (list(map(int, names)) for names in labels)
    assert train[0] < 1_000_000 <= train[-1]
    assert train + test == list(range(train[0], train[0] + len(train) + len(test)))
    assert len(train) == planted.splits["coliee/task2/2026/train"].queries


@pytest.mark.parametrize(
    ("irregularity", "pattern"),
    [
        ("mark unlike the file name", r"\[7\]\n"),
        ("spaced mark", r" \[\d+\] \n"),
        ("text on the line of a mark", r"\[\d+\] [a-z]"),
        ("blank line before the mark", r"\n\[\d+\]\n"),
        ("mark without bracket", r"\d+\]\n"),
        ("no mark", r"[a-z]"),
    ],
)
def test_a_paragraph_has_what_was_planted_in_it(tmp_path, irregularity, pattern):
    planted = write_release("coliee/task2/2023", tmp_path, scale=TINY, irregularities=True)
    for place in planted.irregularities[irregularity]:
        assert re.match(pattern, (tmp_path / place).read_text())
    texts = {path: path.read_bytes().decode("latin-1") for path in tmp_path.rglob("paragraphs/*.txt")}
    others = [p for p, text in texts.items() if not re.match(rf"\[{int(p.stem)}\]\n[a-z]", text) or not text.isascii()]
    assert len(others) == 14 + 2  # seven forms and the paragraph of the case's number, in each split


def test_a_stray_label_file_and_a_fragment_of_several_lines(tmp_path):
    planted = write_release("coliee/task2/2023", tmp_path, scale=TINY, irregularities=True)
    assert [
        place for place in planted.irregularities["unrelated files"] if place.endswith("task2_train_labels_2022.json")
    ]
    for case, name in zip(planted.irregularities["fragment of several lines"], ("train", "test")):
        fragment = inner(tmp_path / f"task2_{name}_files_2023") / case / "entailed_fragment.txt"
        assert len(fragment.read_text().splitlines()) == 3


def test_the_cases_of_2026_may_lie_in_a_folder_of_their_own(tmp_path):
    write_release("coliee/task2/2026", tmp_path, scale=TINY, irregularities=True)
    assert (tmp_path / "task2_train_files_2026" / "cases").is_dir()

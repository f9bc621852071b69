"""Any valid small edition, written as YAML, gives the splits that it states."""

import tempfile
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.editions.edition import CERTAINTIES, LABEL_FORMATS, LAYOUTS, LINE_FORMATS, Count, parse_exam_years
from ir_coliee.editions.files import build_edition, read_edition_file
from ir_coliee.editions.schema import validate_edition_file

COUNT = st.tuples(st.integers(1, 99_999), st.sampled_from(sorted(CERTAINTIES)))
COUNTS = st.dictionaries(st.sampled_from(["queries", "docs", "qrels"]), COUNT)
FILE_NAME = st.text("abcXYZ019_-.*?", min_size=1, max_size=12)
NAMES = st.lists(FILE_NAME, min_size=1, max_size=3, unique=True)
SENTENCES = st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1), max_size=3)
EXAM_YEARS = st.tuples(st.integers(18, 30), st.integers(1, 9)).map(lambda pair: f"H{pair[0]}-R0{pair[1]}")


def written(counts):
    return {entity: f"{number} {certainty}" for entity, (number, certainty) in counts.items()}


def read(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{data['edition']}.yaml"
        path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
        file = read_edition_file(path)
        validate_edition_file(file)
        return file, build_edition(file, lambda name: None)


@settings(max_examples=30)
@given(
    year=st.integers(2027, 2098),
    task=st.sampled_from(["task1", "task2"]),
    layout=st.sampled_from(sorted(LAYOUTS)),
    labels=st.sampled_from(sorted(LABEL_FORMATS)),
    line_format=st.sampled_from(sorted(LINE_FORMATS)),
    corpus=NAMES,
    label_files=NAMES,
    counts=st.fixed_dictionaries({"train": COUNTS, "test": COUNTS}),
    rules=SENTENCES,
    is_padded=st.booleans(),
)
def test_a_case_law_edition(year, task, layout, labels, line_format, corpus, label_files, counts, rules, is_padded):
    data = {
        "edition": year,
        task: {
            "languages": ["en"],
            "layout": layout,
            "labels": labels,
            "measure": "MicroF1",
            "files": {"corpus": ["{task}_{split}_{edition}", *corpus], "labels": label_files},
            "train": {"counts": written(counts["train"])},
            "test": {"counts": written(counts["test"])},
            "submission": {"format": line_format, "file": "{tag}", "rules": rules, "padded_ids": is_padded},
        },
    }
    file, edition = read(data)
    assert file.data == data
    assert list(edition.splits) == [f"coliee/{task}/{year}/train", f"coliee/{task}/{year}/test"]
    for split in edition.splits.values():
        assert split.year == year
        assert (split.layout, split.labels, split.language) == (layout, labels, "en")
        assert split.files == {
            "corpus": tuple(dict.fromkeys([f"{task}_{split.name}_{year}", *corpus])),
            "labels": tuple(label_files),
        }
        assert split.counts == {entity: Count(*pair) for entity, pair in counts[split.name].items()}
        assert {entity: count.certainty for entity, count in split.counts.items()} == {
            entity: certainty for entity, (_, certainty) in counts[split.name].items()
        }
        assert split.submission.columns == LINE_FORMATS[line_format]
        assert (split.submission.rules, split.submission.is_padded) == (tuple(rules), is_padded)


@settings(max_examples=30)
@given(
    languages=st.lists(st.sampled_from(["en", "ja"]), min_size=1, unique=True),
    train_years=EXAM_YEARS,
    counts=st.fixed_dictionaries({"en": COUNTS, "ja": COUNTS}),
    excluded=st.lists(st.integers(1, 40).map(lambda n: f"R10-{n:02}-A"), max_size=3, unique=True),
)
def test_a_statute_edition(languages, train_years, counts, excluded):
    first, *others = years = parse_exam_years(train_years)
    of_first = {language: {first: [5, 7]} for language in languages}
    of_train = {language: written(counts[language]) for language in languages}
    codes = {"en": "law.txt", "ja": "ho.txt"}
    data = {
        "edition": 2027,
        "statutes": {
            "languages": languages,
            "layout": "pairs",
            "files": {"articles": codes, "questions": "{exam_year}_{language}.xml"},
            "train": {"exam_years": train_years, "exam_year_counts": of_first},
            "test": {"exam_years": "R10", "excluded": excluded, "as_distributed": {"queries": "90 M"}},
        },
        "task3": {
            "measure": "MacroF2",
            "labels": "article heads",
            "train": {"counts": of_train},
            "test": {},
            "submission": {"format": "ranked list", "file": "{tag}"},
        },
    }
    _, edition = read(data)
    own = {f"coliee/task3/2027/{language}": language for language in languages}
    views = ["", *["/as-distributed"] * bool(excluded)]
    names = ["train", *map(str.lower, years), *(f"{name}{view}" for name in ("test", "r10") for view in views)]
    assert set(edition.splits) == {f"{base}/{name}" for base in own for name in names}
    assert set(edition.collections) == set(own)
    for base, language in own.items():
        train, test = (edition.splits[f"{base}/{name}"] for name in ("train", "test"))
        suffix = {"en": "en", "ja": "jp"}[language]
        assert train.exam_years == years
        assert train.counts == {entity: number for entity, (number, _) in counts[language].items()}
        assert train.files == {"articles": (codes[language],), **{year: (f"{year}_{suffix}.xml",) for year in years}}
        if others:
            docs = {entity: number for entity, number in train.counts.items() if entity == "docs"}
            assert edition.splits[f"{base}/{first.lower()}"].counts == {**docs, "queries": 5, "qrels": 7}
        assert test.excluded == tuple(excluded)
        if excluded:
            distributed = edition.splits[f"{base}/test/as-distributed"]
            assert (distributed.counts, distributed.excluded) == ({"queries": 90}, ())

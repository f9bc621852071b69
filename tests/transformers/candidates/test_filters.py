"""Filters, candidate pools and duplicates."""

import itertools
import json
import math
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from fixture_releases import write_task1
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import answers, run

import ir_coliee
import ir_coliee.transformers as ct
from ir_coliee.errors import ColieeError, ColieeWarning, UnknownIdError
from ir_coliee.transformers.candidates.filters import TopicFilter

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
TEST = "coliee/task1/sample/test"


def sample_cases(part="test"):
    """Case number -> text, read past the package."""
    files = sorted((SAMPLE / f"task1_{part}_files_sample").glob("*.txt"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


def sample_queries(part="test"):
    labels = json.loads((SAMPLE / f"task1_{part}_labels_sample.json").read_text(encoding="utf-8"))
    return {name.removesuffix(".txt") for name in labels}


def year(text, latest=2025):
    """The rule of THUIR: the largest number that stands alone and is a year up to the edition's."""
    years = [int(found) for found in re.findall(r"\b(?:18|19|20)\d{2}\b", text)]
    return max((found for found in years if found <= latest), default=None)


def every_pair():
    queries, cases = sorted(sample_queries()), sorted(sample_cases())
    return run(*[(query, case, float(-rank)) for query in queries for rank, case in enumerate(cases)])


def pairs(results):
    return list(zip(results["qid"], results["docno"]))


def best_first(rows, qid):
    """The documents of a query by their score, and by their id if it is equal; those without a score last."""
    own = [row for row in rows if row[0] == qid]
    return [row[1] for row in sorted(own, key=lambda row: (math.inf if math.isnan(row[2]) else -row[2], row[1]))]


ids = st.sampled_from(["900001", "900002", "900003"])
rows = st.lists(st.tuples(ids, ids, st.sampled_from([2.0, 1.0, 0.0, -1.0, math.nan])), unique_by=lambda row: row[:2])


def test_a_set_without_scores_keeps_the_order_of_its_rows():
    ranked, other = (
        pt.Transformer.from_df(run(*(("900521", docno, -rank) for rank, docno in enumerate(docnos)), rank=range(3)))
        for docnos in (["900845", "900521", "900569"], ["900532", "900545", "900569"])
    )
    union = (ranked % 3 | other % 3)(pd.DataFrame({"qid": ["900521"], "query": ["x"]}))
    assert "score" not in union.columns
    kept = (ct.DropSelf() >> ct.YearFilter(TEST) >> ct.DropDuplicates({"900557": "900569"}))(union)["docno"].tolist()
    assert kept == [docno for docno in union["docno"] if docno not in ("900521", "900845", "900532", "900545")]
    assert ct.TopK(2)(union.iloc[::-1])["docno"].tolist() == union["docno"].tolist()[:-3:-1]
    added = ct.AddDuplicates({"900521": "900521", "900999": "900521"})(union)["docno"].tolist()
    assert added[added.index("900521") + 1] == "900999"
    with pytest.raises(pt.validate.InputValidationError, match="score"):
        ct.DynamicCutoff()(union)


@given(rows)
@settings(max_examples=60)
def test_drop_self_leaves_out_the_query_and_closes_up_the_ranks(rows):
    others = [row for row in rows if row[0] != row[1]]
    expected = [(qid, best_first(others, qid)) for qid in dict.fromkeys(row[0] for row in others)]
    results = ct.DropSelf()(run(*rows))
    assert pairs(results) == [(qid, docno) for qid, docnos in expected for docno in docnos]
    assert results["rank"].tolist() == [rank for _, docnos in expected for rank in range(len(docnos))]


@pytest.mark.parametrize("part", ["train", "test"])
def test_drop_queries_leaves_out_the_documents_that_are_queries(part):
    queries, cases = sample_queries(part), sample_cases(part)
    inp = run(*[("900001", case, float(-rank)) for rank, case in enumerate(cases)])
    results = ct.DropQueries(f"coliee/task1/sample/{part}")(inp)
    assert results["docno"].tolist() == [case for case in cases if case not in queries]
    assert 0 < len(results) < len(cases)
    assert results["rank"].tolist() == list(range(len(results)))


def test_the_year_filter_leaves_out_later_cases_and_keeps_those_without_a_year():
    years = {case: year(text) for case, text in sample_cases().items()}
    expected = [
        (query, case)
        for query, case in pairs(every_pair())
        if years[query] is None or years[case] is None or years[case] <= years[query]
    ]
    assert pairs(ct.YearFilter(TEST)(every_pair())) == expected
    assert 0 < len(expected) < len(every_pair())


@pytest.fixture
def copy_of_2025(home):
    """A writer of a synthetic test part: case to its year or text, the queries."""

    def write(years, queries):
        shutil.rmtree(home / "task1_test_files_2025", ignore_errors=True)
        texts = {case: it if isinstance(it, str) else f"[1]\nDecided in {it}." for case, it in years.items()}
        write_task1(home, texts, {f"{query}.txt": [f"{min(years)}.txt"] for query in queries})

    return write


def test_the_filters_see_a_copy_that_changes_between_two_calls(copy_of_2025):
    inp = run(("900003", "900001", 2.0), ("900003", "900002", 1.0))
    copy_of_2025({"900001": 1990, "900002": 2010, "900003": 2000}, ["900002", "900003"])
    filters = ct.DropQueries("coliee/task1/2025/test"), ct.YearFilter("coliee/task1/2025/test")
    assert [pairs(filter_(inp)) for filter_ in filters] == [[("900003", "900001")]] * 2
    copy_of_2025({"900001": 2010, "900002": 1990, "900003": 2000, "900004": 1900}, ["900001", "900003"])
    assert [pairs(filter_(inp)) for filter_ in filters] == [[("900003", "900002")]] * 2


def test_the_rule_by_which_years_are_read_can_be_chosen(copy_of_2025):
    texts = {
        "900001": "Date: May 3, 2001\n[1]\nThe keeper relies on form 2009.",
        "900002": "[1]\nHeard in May 2003; see [2004] 1 X.C. 9 and the lease to June 3, 2005. Form 2006.",
        "900003": "[1]\nNothing is dated.",
    }
    copy_of_2025(texts, ["900001", "900002"])
    years = {  # the earliest and the latest
        "decision years": [(2001, 2001, "header"), (2004, 2006, "dated mention"), (None, None, "none")],
        "latest year": [(2009, 2009, "none"), (2006, 2006, "none"), (None, None, "none")],
        "latest dated year": [(2001, 2001, "dated mention"), (2005, 2005, "dated mention"), (None, None, "none")],
    }
    inp = run(*((query, case, 1.0) for query in texts for case in texts))
    for rule, of_cases in years.items():
        filter_ = ct.YearFilter("coliee/task1/2025/test", rule=rule)
        found = filter_.years().astype(object)
        assert found.where(found.notna(), None).to_numpy().tolist() == [[*row] for row in zip(texts, *zip(*of_cases))]
        of = dict(zip(texts, of_cases))
        expected = [pair for pair in pairs(inp) if (of[pair[1]][0] or 0) <= (of[pair[0]][1] or 9999)]
        assert pairs(filter_(inp)) == expected, rule
        assert len(expected) < len(inp)
    assert ct.YearFilter("coliee/task1/2025/test", latest=2004).years()["latest"].tolist()[:2] == [2001, 2004]
    with pytest.raises(ValueError, match="rule must be 'decision years', 'latest year' or 'latest dated year'"):
        ct.YearFilter(TEST, rule="newest")


topics_of = st.dictionaries(ids, st.lists(st.sampled_from(["a", "b", -1]), max_size=3, unique=True))


@given(
    rows,
    topics_of | topics_of.map(lambda topics: {doc: np.array(own) for doc, own in topics.items()}),
    st.integers(1, 4),
)
@settings(max_examples=60)
def test_the_topic_filter_keeps_what_its_definition_keeps(rows, topics, k):
    expected = {
        (query, doc)
        for query, doc, _ in rows
        if not len(topics.get(query, ())) or not len(topics.get(doc, ())) or topics[query][0] in topics[doc][:k]
    }
    results = TopicFilter(topics, k)(run(*rows))
    assert set(pairs(results)) == expected
    assert len(results) == len(expected)


def test_the_year_filter_knows_a_query_by_its_document_and_says_when_it_knows_none():
    sample = "coliee/task1/sample/test"
    queries = pt.get_dataset(f"irds:{sample}").get_topics()["qid"].tolist()
    run = pd.DataFrame([(query, query, other, 1.0) for query in queries for other in queries])
    run.columns = ["qid", "query_docno", "docno", "score"]
    by_id = ct.YearFilter(sample)(run.drop(columns="query_docno"))
    named = run.assign(qid="q" + run["qid"])
    assert len(by_id) < len(run)
    assert ct.YearFilter(sample)(named)["docno"].tolist() == by_id["docno"].tolist()
    with pytest.warns(ColieeWarning, match=rf"No query is a case of {sample} \(the first is q{queries[0]}\)"):
        assert len(ct.YearFilter(sample)(named.drop(columns="query_docno"))) == len(run)


def frame(**columns):
    """Two results with some columns."""
    return run(("900001", "900002", 2.0), ("900001", "900003", 1.0)).astype(object).assign(**columns)


@pytest.mark.parametrize(
    ("step", "inp", "message"),
    [
        (ct.DropSelf(), frame(query_docno=9), "The query_docno 9 is not a string"),
        (ct.TopK(1), frame(score="best"), "column score must be numbers"),
        (ct.TopK(1), pd.concat([frame(), frame()[["score"]]], axis=1), "column score occurs twice"),
        *((TopicFilter({"900002": topics}, 1), frame(), "of 900002 must be a list") for topics in ("lamps", 3, None)),
    ],
)
def test_results_that_cannot_be_filtered_are_named(step, inp, message):
    with pytest.raises(ColieeError, match=message):
        step(inp)


@pytest.mark.parametrize("kind", [ct.DropQueries, ct.YearFilter])
def test_another_dataset_is_refused(kind):
    with pytest.raises(UnknownIdError, match=TEST):
        kind(f"{TEST}s")
    with pytest.raises(ValueError, match="coliee/task2/sample/test"):
        kind("coliee/task2/sample/test")


def queries(*qids):
    return pd.DataFrame({"qid": list(qids), "query": [f"query {qid}" for qid in qids]})


def test_the_pool_of_a_question_is_both_answers():
    results = ct.CandidatePool("coliee/task4/sample/ja/test")(queries("R99-01-A", "R99-99-Z", "R99-01-I"))
    assert results.to_dict("list") == {
        "qid": ["R99-01-A", "R99-01-A", "R99-01-I", "R99-01-I"],
        "query": ["query R99-01-A"] * 2 + ["query R99-01-I"] * 2,
        "docno": ["Y", "N", "Y", "N"],
        "score": [0.0] * 4,
        "rank": [0, 1, 0, 1],
    }


def test_a_dataset_without_pools_is_refused_by_name():
    with pytest.raises(ValueError, match="coliee/task1/sample/test"):
        ct.CandidatePool("coliee/task1/sample/test")(queries("900001"))


def test_of_results_those_in_the_pool_of_their_own_query_stay():
    question = "R99-01-A"
    given = run((question, "N", 1.0), (question, "X", 9.0), ("R99-99-Z", "Y", 1.0), (question, "Y", 2.0))
    results = ct.CandidatePool("coliee/task4/sample/en/test")(given)
    assert answers(results) == [(question, "Y", 2.0, 0), (question, "N", 1.0, 1)]


@pytest.mark.parametrize("columns", [["qid", "query"], ["qid", "docno", "score"]])
def test_queries_of_another_dataset_are_warned_of(columns):
    frame = pd.DataFrame({"qid": ["H98-01-A"], "query": "A lamp.", "docno": "Y", "score": 1.0})[columns]
    with pytest.warns(ColieeWarning, match="No query has a pool in coliee/task2/sample/test .the first is H98-01-A"):
        assert ct.CandidatePool("coliee/task2/sample/test")(frame).empty


# Duplicates.


def corpus(*texts):
    return [{"docno": f"{900_000 + number}", "text": text} for number, text in enumerate(texts)]


# --- which documents are duplicates --------------------------------------------------------------------


def plainly(documents, overlap, words):
    """Every pair compared, then closed up by repeating."""
    shingles, wordings = {}, {}
    for document in documents:
        tokens = re.findall(r"\w+", document["text"].lower())
        shingles[document["docno"]] = {tuple(tokens[n : n + words]) for n in range(len(tokens) - words + 1)}
        wordings[document["docno"]] = "".join(tokens) or document["text"]
    stands = {docno: docno for docno in shingles}
    for _ in shingles:
        for a, b in itertools.combinations(sorted(shingles), 2):
            both, either = len(shingles[a] & shingles[b]), len(shingles[a] | shingles[b])
            if wordings[a] == wordings[b] or (overlap is not None and both and both >= overlap * either):
                stands[a] = stands[b] = min(stands[a], stands[b])
    return {docno: own for docno, own in stands.items() if list(stands.values()).count(own) > 1}


texts = st.lists(st.sampled_from(["lamp", "Gate", "well,", "road.", "-"]), max_size=9).map(" ".join)


@pytest.mark.slow
@given(st.lists(texts, max_size=9), st.sampled_from([None, 0.1, 0.5, 2 / 3, 0.9, 1.0]), st.sampled_from([2, 3]))
@settings(max_examples=80)
def test_copies_are_what_comparing_every_pair_finds(texts, overlap, words):
    documents = corpus(*texts)
    found = ct.near_duplicates(documents, overlap=overlap, words=words)
    assert found == plainly(documents, overlap, words)
    assert ct.near_duplicates(documents[::-1], overlap=overlap, words=words) == found


@pytest.mark.parametrize(
    ("documents", "overlap", "error", "message"),
    [
        *(
            (corpus("a"), share, ValueError, rf"overlap must be .*, got {share}")
            for share in (0.0, -1.0, 1.1, math.nan)
        ),
        *(([document], None, ColieeError, "docno|text") for document in ({"docno": "9"}, {"docno": 9, "text": "a"})),
        ([*corpus("a"), *corpus("b")], None, ColieeError, "900000"),
    ],
)
def test_what_cannot_be_compared_is_refused(documents, overlap, error, message):
    with pytest.raises(error, match=message):
        ct.near_duplicates(documents, overlap=overlap)


# --- transformers ----------------------------------------------------------------------------------

COPIES = {"a": "a", "b": "a", "c": "a", "x": "x", "y": "x"}
copied = st.lists(
    st.tuples(st.sampled_from("12"), st.sampled_from("abcdxyz"), st.sampled_from([2.0, 1.0, 0.0, -1.0, math.nan])),
    unique_by=lambda row: row[:2],
)


@pytest.mark.slow
@given(copied)
@settings(max_examples=60)
def test_of_copies_the_first_ranked_stays_or_brings_the_others_right_behind_it(rows):
    kept, added = [], []
    for qid in dict.fromkeys(row[0] for row in rows):
        own = best_first(rows, qid)
        seen, brought = set(), set(own)
        for docno in own:
            if COPIES.get(docno, docno) not in seen:
                kept.append((qid, docno))
            seen.add(COPIES.get(docno, docno))
            more = sorted({other for other, group in COPIES.items() if group == COPIES.get(docno)} - brought)
            added += [(qid, other) for other in (docno, *more)]
            brought |= set(more)
    assert pairs(ct.DropDuplicates(COPIES)(run(*rows))) == kept
    assert pairs(ct.AddDuplicates(COPIES)(run(*rows))) == added


def test_only_duplicates_of_the_results_are_added_from_a_large_group():
    group = {f"{number:06}": "900000" for number in range(900_000, 920_000)}  # 400 million pairs
    pairs = {"900000": "a", "900001": "a"}
    inp = run(("1", "900000", 2.0))
    assert ct.AddDuplicates(group)(inp[:0]).empty
    assert ct.AddDuplicates(group | pairs)(inp)["docno"].tolist() == ["900000", "900001"]

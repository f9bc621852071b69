"""Two runs compared query by query, against a plain recomputation from sets of pairs."""

import itertools
import json
from typing import NamedTuple

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import compare
from ir_coliee.analysis import diff, diff_between, evaluate
from ir_coliee.analysis.difference import contributions
from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError, MissingLabelsError
from ir_coliee.evaluation.statistics import highest_ratio
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

TASK1, TASK2, TASK3 = (f"coliee/task{split}/test" for split in ("1/sample", "2/sample", "3/sample/en"))
TASK4, RATIONALE = "coliee/task4/sample/en/test", "coliee/pilot/sample/rationale/test"


def f(beta, tp, returned, relevant):
    total = beta**2 * relevant + returned
    return (1 + beta**2) * tp / total if total else 0.0


class Plain(NamedTuple):
    """How a task is scored: the terms of a query, whose sums are divided, and the name of the figure."""

    label: str
    terms: object

    def value(self, answers, gold, query_ids):
        terms = [self.of_query(answers, gold, query_id) for query_id in query_ids]
        top, bottom = map(sum, zip(*terms))
        return top / bottom if bottom else 0.0

    def of_query(self, answers, gold, query_id):
        own, relevant = ({pair for pair in pairs if pair[0] == query_id} for pairs in (answers, gold))
        return self.terms(len(own & relevant), len(own), len(relevant))


PLAIN = {
    TASK1: Plain("MicroF1", lambda tp, returned, relevant: (2 * tp, returned + relevant)),
    TASK2: Plain("MicroF1", lambda tp, returned, relevant: (2 * tp, returned + relevant)),
    TASK3: Plain("MacroF2", lambda tp, returned, relevant: (f(2, tp, returned, relevant), 1)),
    TASK4: Plain("AnswerAccuracy", lambda tp, returned, relevant: (tp, 1)),
    RATIONALE: Plain("MacroF", lambda tp, returned, relevant: (f(1, tp, returned, relevant), 1)),
}


def labels(split):
    """The queries of a split and its relevant pairs."""
    rows = list(ir_datasets.load(split).qrels_iter())
    query_ids = sorted(query.query_id for query in ir_datasets.load(split).queries_iter())
    return query_ids, {(row.query_id, row.doc_id) for row in rows if row.relevance > 0}


def pairs(run):
    return {(query_id, doc_id) for query_id, docs in run.items() for doc_id in docs}


def run_of(answers):
    run = {}
    for query_id, doc_id in sorted(answers):
        run.setdefault(query_id, {})[doc_id] = 1.0
    return run


@st.composite
def two_runs(draw):
    """A split of the sample, and two runs that answer some of its queries with relevant and other items."""
    split = draw(st.sampled_from(sorted(PLAIN)))
    query_ids, gold = labels(split)
    others = {"Y", "N"} if split == TASK4 else {doc_id for _, doc_id in sorted(gold)[:3]}
    most = 1 if split == TASK4 else 4
    chance = draw(st.randoms(use_true_random=False))

    def run():
        answers = {}
        for query_id in query_ids:
            items = sorted(others | {doc_id for query, doc_id in gold if query == query_id})
            answers[query_id] = dict.fromkeys(chance.sample(items, min(chance.randint(0, most), len(items))), 1.0)
        return answers

    return split, run(), run()


@pytest.mark.slow
@settings(max_examples=12)
@given(two_runs())
def test_a_difference_is_that_of_the_sets(drawn):
    split, run_a, run_b = drawn
    plain, (query_ids, gold) = PLAIN[split], labels(split)
    a, b = pairs(run_a), pairs(run_b)
    found = diff(split, run_a, run_b)

    combined = {"A": a, "B": b} if split == TASK4 else {"A": a, "B": b, "union": a | b, "intersection": a & b}
    figures = found.figures.set_index("answers")[plain.label]
    assert [*figures.index] == [*combined, "oracle"]
    for name, answers in combined.items():
        assert figures[name] == pytest.approx(plain.value(answers, gold, query_ids))

    queries = found.queries.set_index("query_id")
    assert sorted(queries.index) == query_ids
    assert queries["contribution"].is_monotonic_decreasing
    assert queries["contribution"].sum() == pytest.approx(figures["A"] - figures["B"], abs=1e-12)
    assert queries["won"].sum() - queries["lost"].sum() == len(a & gold) - len(b & gold)
    assert queries["false_a"].sum() - queries["false_b"].sum() == len(a - gold) - len(b - gold)
    for query_id, row in queries.iterrows():
        own_a, own_b, own = ({pair for pair in each if pair[0] == query_id} for each in (a, b, gold))
        assert row["relevant"] == len(own)
        values = [plain.value(each, own, [query_id]) for each in (own_a, own_b)]
        assert [row["value_a"], row["value_b"], row["difference"]] == pytest.approx([*values, values[0] - values[1]])
        expected = {
            "shared_hits": own_a & own_b & own,
            "won": (own_a - own_b) & own,
            "lost": (own_b - own_a) & own,
            "missed": own - own_a - own_b,
            "shared_false": own_a & own_b - own,
            "false_a": own_a - own_b - own,
            "false_b": own_b - own_a - own,
        }
        assert {name: row[name] for name in expected} == {name: len(items) for name, items in expected.items()}
    assert {(*row,) for row in found.items[["query_id", "doc_id", "found_by"]].values} == {
        (*pair, "both" if pair in a & b else "A" if pair in a else "B" if pair in b else "neither")
        for pair in a | b | gold
    }
    assert {
        *found.items.loc[found.items["relevant"], ["query_id", "doc_id"]].itertuples(index=False, name=None)
    } == gold
    assert found.largest_differences == sorted(
        {query_id for query_id, _ in a ^ b},
        key=lambda query_id: (
            -abs(queries["contribution"][query_id]),
            -sum(pair[0] == query_id for pair in a ^ b),
            query_id,
        ),
    )


@pytest.mark.slow
@settings(max_examples=8)
@given(two_runs())
def test_the_oracle_is_the_best_of_all_choices(drawn):
    split, run_a, run_b = drawn
    plain, (query_ids, gold) = PLAIN[split], labels(split)
    some = query_ids[:7]  # only these are answered by B otherwise than by A
    run_b = {query_id: (run_b if query_id in some else run_a)[query_id] for query_id in query_ids}
    a, b = pairs(run_a), pairs(run_b)
    found = diff(split, run_a, run_b)
    choices = (of_b for size in range(len(some) + 1) for of_b in itertools.combinations(some, size))
    best = max(plain.value(chosen(a, b, of_b), gold, query_ids) for of_b in choices)
    assert found.figures[plain.label].iloc[-1] == pytest.approx(best, abs=1e-12)
    better = found.queries.set_index("query_id")["better"]
    assert {*better} <= {"A", "B", ""}
    of_b = {*better[better == "B"].index}
    assert plain.value(chosen(a, b, of_b), gold, query_ids) == pytest.approx(best, abs=1e-12)


def chosen(a, b, of_b):
    """The answers of B to some queries, and those of A to the others."""
    return {pair for pair in a if pair[0] not in of_b} | {pair for pair in b if pair[0] in of_b}


def test_the_highest_ratio_is_the_best_of_all_choices_also_with_zero_denominators():
    chance = np.random.default_rng(3)
    for _ in range(200):
        numerators = chance.integers(0, 4, (5, 3)).astype(float)
        denominators = numerators + chance.integers(0, 3, (5, 3))
        ratios = {}
        for choices in itertools.product(range(3), repeat=5):
            bottom = sum(denominators[query, choice] for query, choice in enumerate(choices))
            top = sum(numerators[query, choice] for query, choice in enumerate(choices))
            ratios[choices] = top / bottom if bottom else 0.0
        value, chosen = highest_ratio(numerators, denominators)
        assert value == pytest.approx(max(ratios.values()), abs=1e-12)
        assert ratios[(*chosen,)] == pytest.approx(value, abs=1e-12)


def test_the_contributions_of_a_swapped_pair_have_the_other_sign():
    terms = np.random.default_rng(5).integers(0, 5, (2, 2, 30)).astype(float)
    assert contributions(terms).tolist() == (-contributions(terms[:, ::-1])).tolist()
    values = terms[0].sum(axis=1) / terms[1].sum(axis=1)
    assert contributions(terms).sum() == pytest.approx(values[0] - values[1], abs=1e-12)
    assert contributions(np.zeros((2, 2, 3))).tolist() == [0.0, 0.0, 0.0]


# --- significance and right and wrong ------------------------------------------------------------------


def test_significance_is_that_of_compare():
    a, b = {"900656": {"900557": 2.0, "900664": 1.0}}, {"900656": {"900557": 2.0}}
    with pytest.warns(ColieeWarning, match="have no answer"):
        (expected,) = compare(TASK1, [a, b]).to_dict("records")
    (found,) = diff(TASK1, a, b).comparison.to_dict("records")
    assert found == pytest.approx(expected, nan_ok=True)


@pytest.mark.slow
@settings(max_examples=6)
@given(two_runs().filter(lambda drawn: drawn[0] == TASK4))
def test_mcnemars_counts(drawn):
    _, run_a, run_b = drawn
    query_ids, gold = labels(TASK4)
    right = [{query_id for query_id, _ in pairs(run) & gold} for run in (run_a, run_b)]
    found = diff(TASK4, run_a, run_b)
    counts = {"both": right[0] & right[1], "A": right[0] - right[1], "B": right[1] - right[0]}
    counts["neither"] = {*query_ids} - right[0] - right[1]
    assert found.right_and_wrong == {name: len(queries) for name, queries in counts.items()}


# --- ranks -----------------------------------------------------------------------------------------------

QUERY = "900656"
RANKED_A = {"900557": 3.0, "900664": 2.0, "900912": 2.0, "900593": 1.0}  # a tie: by id
RANKED_B = {"900912": 0.9, "900557": 0.8}


@pytest.fixture
def ranked():
    a = {QUERY: {"900557": 1.0, "900664": 1.0}}
    return diff(TASK1, a, {QUERY: {"900912": 1.0}}, rankings=[{QUERY: RANKED_A}, {QUERY: RANKED_B}])


def rows(frame, *columns):
    return [[None if value is pd.NA else value for value in row] for row in frame[[*columns]].to_numpy(object).tolist()]


def test_items_have_their_ranks_in_both_rankings(ranked):
    items = ranked.items[ranked.items["query_id"] == QUERY]
    assert rows(items, "doc_id", "relevant", "found_by", "rank_a", "rank_b") == [
        ["900557", True, "A", 1, 2],
        ["900912", True, "B", 3, 1],
        ["900664", False, "A", 2, None],
    ]


def test_the_rankings_of_a_query_side_by_side(ranked):
    assert rows(ranked.side_by_side(QUERY), "doc_id", "relevant", "found_by", "rank_a", "rank_b") == [
        ["900557", True, "A", 1, 2],
        ["900912", True, "B", 3, 1],
        ["900664", False, "A", 2, None],
        ["900593", False, "neither", 4, None],
    ]
    assert "900593" not in ranked.side_by_side(QUERY, num_results=3)["doc_id"].tolist()
    assert len(ranked.side_by_side("900545", num_results=3)) == len(ranked.items[ranked.items["query_id"] == "900545"])
    assert f"The rankings of query {QUERY}" in ranked._repr_html_()
    assert "900593" in ranked._repr_html_()


def test_without_a_ranking_the_ranks_are_those_of_the_answer_set():
    found = diff(TASK1, {QUERY: {"900557": 1.0, "900664": 5.0}}, {QUERY: {"900912": 1.0}})
    assert rows(found.items[found.items["query_id"] == QUERY], "doc_id", "rank_a", "rank_b") == [
        ["900912", None, 1],
        ["900557", 2, None],
        ["900664", 1, None],
    ]
    assert "The rankings of query" not in found._repr_html_()


# --- what is shown -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", PLAIN)
def test_the_text_the_page_and_json_have_the_figures_and_the_queries(split, tmp_path):
    query_ids, gold = labels(split)
    perfect = run_of(gold)
    found = diff(split, perfect, {min(perfect): perfect[min(perfect)]})
    text = str(found)
    assert f"{found.figures.iloc[0, 1]:.4f}" in text
    assert sum(f"\n{query_id} " in text or f"\n {query_id} " in text for query_id in query_ids) <= 5
    found.write_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert [query_id for query_id in query_ids if f">{query_id}<" not in page] == []
    (tmp_path / "page.html").write_text("mine")
    with pytest.raises(ExistingFileError, match="--overwrite"):
        found.write_page(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "mine"
    content = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert [row["query_id"] for row in content["queries"]] == found.queries["query_id"].tolist()
    assert len(content["items"]) == len(found.items)
    assert content["figures"][0].pop("answers") == "A"
    assert content["figures"][0] == pytest.approx(dict(found.figures.iloc[0, 1:]))
    assert content["comparison"]["difference"] == pytest.approx(found.comparison["difference"].item())
    assert repr(found) == f"<RunDifference of run 1 and run 2, {split}>"


# --- input of every kind -----------------------------------------------------------------------------------


def test_two_of_several_evaluated_runs_are_compared_without_reading_them_again():
    runs = evaluate(TASK1, {name: {QUERY: {doc_id: 1.0}} for name, doc_id in zip("abc", sorted(RANKED_A))})
    found = diff_between(runs, "c", "a")
    assert [*found.runs.runs] == ["c", "a"]
    again = diff(TASK1, {QUERY: {sorted(RANKED_A)[2]: 1.0}}, {QUERY: {sorted(RANKED_A)[0]: 1.0}})
    pd.testing.assert_frame_equal(found.queries, again.queries)
    for names, message in ((("a", "x"), "No run x was evaluated.\nThe runs are: a, b, c."), (("a", "a"), "twice")):
        with pytest.raises(ColieeError, match=message):
            diff_between(runs, *names)


def test_equal_runs_do_not_differ():
    run = {QUERY: {"900557": 1.0}}
    found = diff(TASK1, run, dict(run))
    assert found.largest_differences == []
    assert found.queries["contribution"].tolist() == [0.0] * len(found.queries)
    assert {*found.queries["better"]} == {""}
    assert found.comparison["p"].item() == 1
    assert "A is better in 0, equal in 12, worse in 0 of 12 queries." in str(found).replace("\n", " ")


def test_the_same_file_twice_is_refused(tmp_path):
    (tmp_path / "a.run").write_text(f"{QUERY} 900557 a\n", encoding="utf-8")
    with pytest.raises(ColieeError, match=r"a\.run was given twice"):
        diff(TASK1, tmp_path / "a.run", tmp_path / "a.run")


@pytest.mark.parametrize("split", PLAIN)
def test_an_empty_run_finds_nothing(split):
    _, gold = labels(split)
    found = diff(split, run_of(gold), {})
    assert (found.queries["won"].sum(), found.queries["lost"].sum()) == (len(gold), 0)
    first = PLAIN[split].label
    assert found.figures.set_index("answers")[first].loc[["B", "oracle"]].tolist() == [0, found.figures[first][0]]
    assert {*found.items["found_by"]} <= {"A", "neither"}


def test_without_labels_the_answers_are_compared(monkeypatch):
    def refuse(_release):
        raise MissingLabelsError("no labels")

    monkeypatch.setattr(LocalRelease, "qrels", refuse)
    a, b = {QUERY: {"900557": 1.0, "900664": 1.0}, "900545": {"900557": 1.0}}, {QUERY: {"900557": 1.0}}
    found = diff(TASK1, a, b, rankings=[a, b])
    assert (found.figures, found.comparison, found.right_and_wrong) == (None, None, None)
    assert found.queries.set_index("query_id").loc[QUERY].to_dict() == {"shared": 1, "only_a": 1, "only_b": 0}
    assert found.largest_differences == ["900545", QUERY]
    assert rows(found.items, "query_id", "doc_id", "relevant", "found_by") == [
        ["900545", "900557", None, "A"],
        [QUERY, "900557", None, "both"],
        [QUERY, "900664", None, "A"],
    ]
    text, content = str(found), json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert "coliee/task1/sample/test has no gold labels here: hits and figures are not known" in text
    assert content["figures"] is None
    assert content["items"][0]["relevant"] is None
    assert "900664" in found._repr_html_()


@pytest.fixture(scope="module")
def questions_of_2026(tmp_path_factory):
    """A synthetic release of task 3 of 2026: the relevant pairs and the answers of its train questions."""
    folder = tmp_path_factory.mktemp("release")
    write_release("coliee/task3/2026/ja", folder, scale=0.01)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(folder))
        query_ids, gold = labels("coliee/task3/2026/ja/train")
        yield query_ids, gold, dict(sorted(labels("coliee/task4/2026/ja/train")[1]))


def test_questions_of_2026_are_compared_by_articles_and_answers(questions_of_2026):
    query_ids, gold, right = questions_of_2026
    split = "coliee/task3/2026/ja/train"
    run = run_of(gold)
    other = {**run, query_ids[0]: {"1": 1.0, "2": 1.0}}
    wrong = {query_id: "N" if right[query_id] == "Y" else "Y" for query_id in query_ids}
    of_a = {query_id: {(wrong if query_id == query_ids[1] else right)[query_id]: 1.0} for query_id in query_ids}
    of_b = {query_id: {right[query_id]: 1.0} for query_id in query_ids}
    found = diff(split, run, other, answers=[of_a, of_b])
    assert found.measure == "GatedAccuracy"
    total = len(query_ids)
    assert found.right_and_wrong == {"both": total - 2, "A": 1, "B": 1, "neither": 0}
    accuracy = found.figures.set_index("answers")["GatedAccuracy"]
    assert accuracy[["A", "B", "oracle"]].tolist() == [1 - 1 / total, 1 - 1 / total, 1.0]
    assert accuracy[["union", "intersection"]].isna().all()
    assert diff(split, run, other, answers=None).measure == "MacroF2"
    assert f"{query_ids[1]}" in str(found)


def test_a_query_with_other_answers_of_the_same_f1_is_equal():
    found = diff(
        "coliee/task1/sample/test",
        {"900656": {"900521": 1.0}, "900862": {"900593": 1.0}},
        {"900656": {"900521": 2.0, "900532": 1.0}, "900862": {"900521": 1.0}},
    )
    text = str(found).replace("\n", " ")
    assert "A is better in 1, equal in 11, worse in 0 of 12 queries. Of the equal ones 1 have other answers." in text

"""Scores of names, judges and years, and features of pairs, against plain loops over the texts."""

import math
import re
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from ir_coliee.engine.cases.candidates import PAIR_FEATURES, pair_features
from ir_coliee.engine.cases.scores import judge_mentions, shared_names, year_near
from ir_coliee.engine.cases.texts import TextPool, TokenSequences

MARKER = "<FRAGMENT_SUPPRESSED>"
NAMES = ("Kestry", "Tammsaare", "Odd", "Lamp", "Gate")
JUDGES = ("Karu", "Odd", "Tamm")
NAMED = r"Justice (\w+)|(\w+),? J\."


def texts(size, seed):
    """Short decisions of few words, names, judges, years and markers, in random order."""
    chance = np.random.default_rng(seed)
    pieces = [*NAMES, "lamp", "gate", "odd", "of", "It", MARKER, MARKER, "1998", "2001", "at para. 2,", "para 9"]
    pieces += [f"Justice {judge}" for judge in JUDGES] + [f"{judge} J.A." for judge in JUDGES]

    def decision():
        date_line = chance.choice(["", "May 1, 1998.\n", "June 3, 2001.\n"])
        judge = chance.choice(["", *(f"{judge}, J.\n" for judge in JUDGES)])
        paragraphs = [" ".join(chance.choice(pieces, 25)) for _ in range(chance.integers(1, 5))]
        return f"{date_line}{judge}" + "".join(f"[{n}]\n{text}\n" for n, text in enumerate(paragraphs, 1))

    return [decision() for _ in range(size)]


@pytest.fixture(scope="module")
def decisions():
    # names are rare, so the pool has texts without any besides
    return [*texts(4, 98), *(f"[1]\nFiller number {i} is grey." for i in range(196)), *texts(3, 99)]


@pytest.fixture(scope="module")
def pool(decisions):
    sequences = TokenSequences.of(decisions)
    return TextPool(sequences, np.arange(200, 203), np.arange(200))


def tokens(text):
    """The tokens as written, None for a marker."""
    found = re.findall(rf"{MARKER}|[A-Za-z]+(?:'[a-z])?|\d+", text)
    return [None if token == MARKER else token for token in found]


def written(text, capitalised, limit=None):
    found = [token for token in tokens(text) if token][:limit]
    return {token.lower() for token in found if token[0].isupper() == capitalised}


def near_markers(text, before, after):
    """For each marker, the tokens around it."""
    found, places, kept = tokens(text), [], []
    for token in found:
        if token is None:
            places.append(len(kept))
        else:
            kept.append(token)
    return [(place, kept[max(0, place - before) : place], kept[place : place + after]) for place in places], kept


def name_idf(name, members):
    upper = sum(name in written(text, True) for text in members)
    lower = sum(name in written(text, False) for text in members)
    if len(name) < 3 or not 2 <= upper <= max(2, 0.03 * len(members)) or lower > 0.3 * upper + 1:
        return 0.0
    return math.log(1 + (len(members) - upper + 0.5) / (upper + 0.5))


def test_shared_names_equal_plain_loops(pool, decisions):
    whole, near_citations = shared_names(pool), shared_names(pool, near_citations=True)
    for row, query in enumerate(decisions[200:]):
        near = {
            token.lower()
            for _, before, after in near_markers(query, 12, 8)[0]
            for token in before + after
            if token[0].isupper()
        }
        for column, text in enumerate(decisions[:200]):
            head = written(text, True, 500)
            for scores, names in ((whole, written(query, True)), (near_citations, near)):
                expected = sum(name_idf(name, decisions) for name in names & head)
                assert scores[row, column] == pytest.approx(expected, abs=1e-6)
    assert whole.dtype == np.float32
    assert (whole > near_citations).any()
    assert (near_citations > 0).any()


def test_only_the_head_of_a_text_and_what_is_near_a_marker_counts():
    filler = [f"Grey filler {i}" for i in range(100)]
    near, far = f"Kestry {'lamp ' * 11}{MARKER}", f"Kestry {'lamp ' * 12}{MARKER}"
    deep = f"{'lamp ' * 500}Kestry"
    sequences = TokenSequences.of(["The Kestry", "A Kestry", deep, *filler, *["A gate"] * 65, near, far])
    pool = TextPool(sequences, np.array([168, 169]), np.arange(168))
    idf = math.log(1 + (170 - 5 + 0.5) / 5.5)
    assert shared_names(pool)[:, :4].tolist() == pytest.approx(np.array([[idf, idf, 0, 0]] * 2))
    assert shared_names(pool, near_citations=True)[:, :2].tolist() == pytest.approx(np.array([[idf, idf], [0, 0]]))


def test_a_name_of_the_query_and_one_text_alone_counts():
    sequences = TokenSequences.of(["The Kestry", "A gate", "Kestry"])
    found = shared_names(TextPool(sequences, np.array([2]), np.arange(2)))
    assert found.tolist() == [pytest.approx([math.log(1 + 1.5 / 2.5), 0])]


def judge_of(text):
    header, _, body = text.partition("[1]\n")
    behind_mark = [it for it in re.finditer(NAMED, body) if it.end(it.lastindex) - len(it[it.lastindex]) < 60]
    named = [*re.finditer(NAMED, header), *behind_mark]
    return named[0][named[0].lastindex] if named else ""


def test_judge_mentions_equal_plain_loops(pool, decisions):
    found = judge_mentions(pool)
    for row, query in enumerate(decisions[200:]):
        named = [first or second for first, second in re.findall(NAMED, query)]
        own = judge_of(query)
        for column, of_text in enumerate(map(judge_of, decisions[:200])):
            expected = sum(name == of_text for name in named) - (of_text == own) if of_text else 0
            assert found[row, column] == max(expected, 0)
    assert found.max() > 1
    assert found.min() == 0


def test_the_own_judge_who_is_never_named_again_is_no_negative_evidence():
    sequences = TokenSequences.of(["[1]\nKaru, J.: A lamp.", "[1]\nKaru, J.: A gate.", "[1]\nOdd, J.: A gate."])
    properties = [each._replace(judges_mentioned=()) for each in sequences.properties]
    pool = TextPool(replace(sequences, properties=properties), np.array([0]), np.array([1, 2]))
    assert judge_mentions(pool).tolist() == [[0, 0]]


def test_year_near_equals_plain_loops(pool, decisions):
    found = year_near(pool)
    for row, query in enumerate(decisions[200:]):
        around, kept = near_markers(query, 0, 0)
        contexts = []  # first and last marker of each
        for place, _, _ in around:
            if contexts and place - contexts[-1][1] <= 8:
                contexts[-1][1] = place
            else:
                contexts.append([place, place])
        windows = [kept[max(0, first - 12) : last + 10] for first, last in contexts[:80]]
        for column, text in enumerate(decisions[:200]):
            year = max(re.findall(r"1998|2001", text), default="none")
            assert found[row, column] == sum(year in window for window in windows)
    assert found.max() > 1


def test_pair_features_equal_plain_computations(pool, decisions):
    queries, candidates = np.repeat([0, 1, 2], 200), np.tile(np.arange(200), 3)
    found = pair_features(pool, queries, candidates)
    assert found.shape == (600, len(PAIR_FEATURES))
    for values, row, column in zip(found, queries, candidates):
        query, text = decisions[200 + row], decisions[column]
        years = [max(map(int, re.findall(r"1998|2001", each)), default=None) for each in (query, text)]
        days = [header_date(each) for each in (query, text)]
        lengths = [math.log(1 + len(each)) for each in (query, text)]
        paragraphs = [len(re.findall(r"(?m)^\[", each)) for each in (query, text)]
        pinpoints = [int(number) for number in re.findall(r"para\.? (\d)", query)]
        expected = {
            "years.difference": years[0] - years[1] if all(years) else 0,
            "years.missing": float(not all(years)),
            "case.log_length_of_query": lengths[0],
            "case.log_length_of_candidate": lengths[1],
            "case.log_length_difference": lengths[0] - lengths[1],
            "case.markers_of_query": query.count(MARKER),
            "case.markers_of_candidate": text.count(MARKER),
            "case.paragraphs_of_query": paragraphs[0],
            "case.paragraphs_of_candidate": paragraphs[1],
            "years.header_date_difference": days[0] - days[1],
            "years.header_date_of_candidate": days[1],
            "case.pinpoints_held": np.mean([number <= paragraphs[1] for number in pinpoints]) if pinpoints else 0,
        }
        assert dict(zip(PAIR_FEATURES, values)) == pytest.approx(expected, abs=1e-5, nan_ok=True)


def header_date(text):
    if text.startswith("May"):
        return date(1998, 5, 1).toordinal()
    return date(2001, 6, 3).toordinal() if text.startswith("June") else math.nan


def test_scores_of_an_empty_pool_are_empty():
    sequences = TokenSequences.of(["A lamp."])
    nothing = TextPool(sequences, np.array([0]), np.array([], np.int64))
    assert shared_names(nothing).shape == judge_mentions(nothing).shape == year_near(nothing).shape == (1, 0)
    assert pair_features(nothing, np.array([], np.int64), np.array([], np.int64)).shape == (0, len(PAIR_FEATURES))

import itertools
import re

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import AddDuplicates, DropDuplicates, near_duplicates

NAN = float("nan")


def corpus(*texts):
    return [{"docno": f"{900_000 + number}", "text": text} for number, text in enumerate(texts)]


def run(*rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def pairs(results):
    return list(zip(results["qid"], results["docno"]))


# --- which documents are copies --------------------------------------------------------------------


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
    found = near_duplicates(documents, overlap=overlap, words=words)
    assert found == plainly(documents, overlap, words)
    assert near_duplicates(documents[::-1], overlap=overlap, words=words) == found


@pytest.mark.parametrize(
    ("documents", "overlap", "error", "message"),
    [
        *((corpus("a"), share, ValueError, rf"overlap must be .*, got {share}") for share in (0.0, -1.0, 1.1, NAN)),
        *(([document], None, ColieeError, "docno|text") for document in ({"docno": "9"}, {"docno": 9, "text": "a"})),
        ([*corpus("a"), *corpus("b")], None, ColieeError, "900000"),
    ],
)
def test_what_cannot_be_compared_is_refused(documents, overlap, error, message):
    with pytest.raises(error, match=message):
        near_duplicates(documents, overlap=overlap)


# --- transformers ----------------------------------------------------------------------------------

COPIES = {"a": "a", "b": "a", "c": "a", "x": "x", "y": "x"}
rows = st.lists(
    st.tuples(st.sampled_from("12"), st.sampled_from("abcdxyz"), st.sampled_from([2.0, 1.0, 0.0, -1.0, NAN])),
    unique_by=lambda row: row[:2],
)


def best_first(rows, qid):
    own = [row for row in rows if row[0] == qid]
    return [
        docno
        for _, docno, _ in sorted(own, key=lambda row: (row[2] != row[2], -row[2] if row[2] == row[2] else 0, row[1]))
    ]


@given(rows)
@settings(max_examples=60)
def test_of_copies_the_first_ranked_stays(rows):
    inp, expected = run(*rows), []
    for qid in dict.fromkeys(row[0] for row in rows):
        seen = set()
        for docno in best_first(rows, qid):
            if COPIES.get(docno, docno) not in seen:
                expected.append((qid, docno))
            seen.add(COPIES.get(docno, docno))
    results = DropDuplicates(COPIES)(inp)
    assert pairs(results) == expected


@pytest.mark.slow
@given(rows)
@settings(max_examples=60)
def test_copies_come_right_behind_the_document_that_brings_them(rows):
    inp, expected = run(*rows), []
    for qid in dict.fromkeys(row[0] for row in rows):
        own = best_first(rows, qid)
        brought = set(own)
        for docno in own:
            expected.append((qid, docno))
            more = sorted(
                other for other, group in COPIES.items() if group == COPIES.get(docno) and other not in brought
            )
            expected += [(qid, other) for other in more]
            brought |= set(more)
    results = AddDuplicates(COPIES)(inp)
    assert pairs(results) == expected


def test_only_duplicates_of_the_results_are_added_from_a_large_group():
    group = {f"{number:06}": "900000" for number in range(900_000, 920_000)}  # 400 million pairs
    pairs = {"900000": "a", "900001": "a"}
    inp = run(("1", "900000", 2.0))
    assert AddDuplicates(group)(inp[:0]).empty
    assert AddDuplicates(group | pairs)(inp)["docno"].tolist() == ["900000", "900001"]

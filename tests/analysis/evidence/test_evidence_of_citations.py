"""Citing contexts: the citation that is about the item, with its sentence and the paragraph of the item."""

from math import log1p

import pytest
from analysis.evidence.sample_pairs import cases

from ir_coliee.analysis.evidence import citing_contexts

# words that the index of the sample has, in few of its decisions
ABOUT = "The carrier must prove the moisture of the malt and of the chestnuts."


def text_of(paragraphs):
    return "Header of 2001 <FRAGMENT_SUPPRESSED>\n" + "".join(f"[{number}]\n{text}\n" for number, text in paragraphs)


def test_the_citation_whose_context_fits_comes_first():
    filling = "Words of no matter here. " * 30
    cited = f"So held in <FRAGMENT_SUPPRESSED>. {ABOUT}"
    query = text_of([(1, filling), (2, cited), (3, filling), (4, "Thus <FRAGMENT_SUPPRESSED>.")])
    item = text_of([(8, "It rained."), (9, ABOUT), (10, "No order.")])
    evidence = citing_contexts(cases(query, item))
    assert evidence.facts == {
        "suppressed citations below the header of the query": 2
    }  # those in the header cite nothing
    best = evidence.table.iloc[0]
    assert (best["query_paragraph"], best["item_paragraph"]) == ("[2]", "[9]")
    (_, sentence), (heading, paragraph) = evidence.texts[:2]
    assert sentence.text == "So held in <FRAGMENT_SUPPRESSED>."
    assert [mark.label for mark in sentence.marks] == ["suppressed citation"]
    assert heading == "item, paragraph [9]"
    marked = [paragraph.text[mark.start : mark.end] for mark in paragraph.marks]
    assert {"carrier", "moisture"} <= set(marked)
    assert not {"the", "of", "The", "and"} & set(marked)


def test_the_score_is_bm25_of_the_rare_words_of_the_context():
    first, second = "moisture of moisture", "or so it is"
    pair = cases("[1]\nmoisture FRAGMENT_SUPPRESSED a moisture", f"[1]\n{first}\n[2]\n{second}")
    evidence = citing_contexts(pair)
    index = pair.bm25.index
    has_word = index.counts[:, [index.vocabulary["moisture"]]].toarray() > 0
    df = int(has_word.sum())
    idf = log1p((len(index) - df + 0.5) / (df + 0.5))
    lengths = [sum(word in index.vocabulary for word in text.split()) for text in (first, second)]
    norm = 1.2 * (1 - 0.5 + 0.5 * lengths[0] / (sum(lengths) / 2))
    assert 0 < df < len(index)
    assert evidence.table["score"].tolist() == [pytest.approx(idf * 2 * 2.2 / (2 + norm))]


def test_without_citations_or_shared_words_a_note_says_so():
    assert citing_contexts(cases("[1]\nA lamp.", ABOUT)).notes == ("The query has no suppressed citation.",)
    evidence = citing_contexts(cases("[1]\nA qqqq <FRAGMENT_SUPPRESSED> zzzz.", ABOUT))
    assert evidence.notes == ("No context of a citation shares a rare word with the item.",)
    assert evidence.table.empty

"""References between an article and the relevant ones."""

import pandas as pd
import pytest
from analysis.evidence.sample_pairs import pair_of

from ir_coliee.analysis.evidence import article_references
from ir_coliee.releases.article_references import article_references as graph_of

DATASET = "coliee/task3/sample/en/test"


def with_gold(pair, numbers):
    """The pair, as if these articles were relevant to its query."""
    vars(pair.runs)["gold"] = pd.DataFrame({"query_id": pair.query.query_id, "doc_id": numbers})
    vars(pair.runs)["has_gold"] = True
    return pair


@pytest.mark.slow
def test_references_in_both_directions_are_listed():
    edges = graph_of(DATASET).references
    assert edges
    for edge in edges[:10]:
        row = [edge.source, edge.target, edge.kind, "yes" if edge.mutatis_mutandis else "no", edge.paragraph]
        for doc_id, relevant in ((edge.source, edge.target), (edge.target, edge.source)):
            evidence = article_references(with_gold(pair_of(DATASET, doc_id=doc_id), [relevant]))
            assert row in evidence.table.to_numpy(object).tolist()
            assert {*evidence.table["article"], *evidence.table["refers_to"]} == {edge.source, edge.target}
            assert evidence.notes == ()


def test_the_place_of_an_article_in_the_code():
    pair = with_gold(pair_of(DATASET, doc_id="55"), ["55", "56", "1", "99999"])
    evidence = article_references(pair)
    assert evidence.facts["headings"] == f"{pair.item.part} > {pair.item.chapter}"
    assert evidence.facts["caption"] == pair.item.effective_caption
    assert evidence.facts["relevant articles under the same headings"] == "56"
    graph = graph_of(DATASET)
    assert evidence.facts["articles that it refers to"] == len({edge.target for edge in graph.outgoing("55")})
    assert evidence.facts["articles that refer to it"] == len({edge.source for edge in graph.incoming("55")})


def test_without_references_a_note_says_so():
    assert article_references(with_gold(pair_of(DATASET, doc_id="1"), [])).notes == (
        "No reference connects the article with a relevant one.",
    )


@pytest.mark.parametrize("doc_id", ["55", "1"])
def test_without_labels_the_relevant_articles_are_not_known(doc_id):
    pair = pair_of(DATASET, doc_id=doc_id)
    vars(pair.runs)["has_gold"] = False
    evidence = article_references(pair)
    assert evidence.notes == ("The relevant articles are not known: the local release has no labels.",)
    assert evidence.table.empty

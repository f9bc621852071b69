"""Arguments of a wrong type are named when a transformer or an index is made, not when it is first used."""

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.transformers import AddDuplicates, DropDuplicates, LexicalIndex, SelectTerms, near_duplicates
from ir_coliee.transformers.candidates.filters import TopicFilter
from ir_coliee.transformers.features.evidence import EmbeddingHistogram

ID = "coliee/task1/sample/test"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SelectTerms(ID, 0.4), "index must be a LexicalIndex, got a value of type str"),
        (lambda: EmbeddingHistogram(ID), "vectors must be ParagraphVectors, got a value of type str"),
        (lambda: DropDuplicates(["a"]), "representatives must be a dict as near_duplicates returns it, got .* list"),
        (lambda: AddDuplicates(pd.DataFrame()), "representatives must be a dict .* DataFrame"),
        (lambda: TopicFilter(None, 2), "topics must be a dict from document id to topics, got .* NoneType"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize("corpus", [pt.get_dataset(f"irds:{ID}"), ID, None], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("build", [LexicalIndex.build, near_duplicates])
def test_a_dataset_is_not_a_corpus(build, corpus):
    with pytest.raises(TypeError, match=r"^corpus must be an iterable.*\n.*from_dataset\(.*get_corpus_iter\(\)"):
        build(corpus)

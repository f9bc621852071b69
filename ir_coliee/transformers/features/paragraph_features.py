"""Features of the paragraphs of noticed cases: what they do in the decision, and how often others quote them."""

from __future__ import annotations

import pandas as pd

from ir_coliee.datasets.folds import FragmentCases, decisions, task1_splits, task2_id
from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.paragraphs.quoted_elsewhere import quoted_features, quoted_names
from ir_coliee.engine.paragraphs.style_features import cue_features, cue_names
from ir_coliee.engine.paragraphs.token_texts import TokenTexts
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, text_values
from ir_coliee.transformers.features.base import FeatureTransformer


class RhetoricFeatures(FeatureTransformer):
    """Count the cues of what the text of a candidate does in its decision: R to R.

    There are eight lists of cues, which are words and phrases of Canadian decisions: conclusions, the judge's own
    voice, facts and submissions, norms and tests, citations, statutes, disposals, and negations
    (`ir_coliee.text.rhetoric_cues.rhetoric_cues`). Features are the number of places of ``text`` at which a cue of a
    list begins, and the same per word. The lists were written for this package.

    Examples
    --------
    >>> features = RhetoricFeatures()
    >>> rows = pd.DataFrame({"qid": ["1"], "docno": ["900001_001"], "text": ["I find that this is not the test."]})
    >>> found = dict(zip(features.feature_names, features(rows).features[0].tolist()))
    >>> found["voice"], found["norm"], found["negation"], found["negation_per_word"]
    (1.0, 1.0, 1.0, 0.125)
    """

    LABEL = "Rhetoric"

    @property
    def feature_names(self) -> list[str]:
        """The name of each list, then the names with ``_per_word``."""
        return cue_names()

    def columns(self) -> list[str]:
        """Return the column of texts."""
        return ["text"]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a text that is not a string."""
        return cue_features(TokenTexts.of(text_values(results, "text")))


class QuotedElsewhereFeatures(FeatureTransformer):
    """Compute how often other decisions have the words of a paragraph of a noticed case: R to R.

    A paragraph that states a rule is quoted by many decisions. The word 6-grams of all paragraphs are looked up in the
    decisions of task 1 of the same edition, where the local copy has them, and otherwise in the base cases of the other
    queries. A decision with more than 40 % of the 6-grams of the noticed case, or of the query's base case, is taken to
    be one of the two and is left out. Without base cases and decisions all features are 0.

    For each of eight values (see `ir_coliee.engine.paragraphs.quoted_elsewhere.quoted_elsewhere`) there are three
    features: the value, its rank among the paragraphs of the case (the number of higher values), and its z-score there.
    They are computed for all paragraphs of the split when they are first used.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split of task 2 that the paragraphs are of.

    Examples
    --------
    >>> features = QuotedElsewhereFeatures("coliee/task2/sample/test")
    >>> features.feature_names[:3]
    ['decisions_sharing_8', 'decisions_sharing_8_rank', 'decisions_sharing_8_z']
    >>> features(pd.DataFrame({"qid": ["900009"], "docno": ["900009_001"]})).features[0].shape
    (24,)
    """

    LABEL = "Quoted elsewhere"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = task2_id(dataset)

    @property
    def feature_names(self) -> list[str]:
        """The name of each value, alone and with ``_rank`` and ``_z``."""
        return quoted_names()

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a document that is not a paragraph of the split."""
        rows, values = self._cached(self.dataset, self._values)
        if (unknown := ~results["docno"].isin(rows.keys()).to_numpy()).any():
            docno = printable(str(results["docno"].iloc[unknown.argmax()]))
            raise ColieeError(f"{self.dataset} has no paragraph {docno}. Use the candidates of this dataset.")
        found: Floats = values[[rows[docno] for docno in results["docno"]]]
        return found

    def _values(self) -> tuple[dict[str, int], Floats]:
        split = as_split(self.dataset)
        cases = FragmentCases.of(split)
        task1 = task1_splits(split)
        searched = decisions(task1) if task1 else None
        values = quoted_features(TokenTexts.of(cases.texts), cases.pools, cases.base_cases, searched)
        return {docno: row for row, docno in enumerate(cases.docnos)}, values

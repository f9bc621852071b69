"""Windows around the suppressed citations of the base case of a fragment."""

from __future__ import annotations

from functools import partial

from ir_coliee.datasets.folds import fragments_with_base_cases, task2_id
from ir_coliee.editions import Dataset, as_split
from ir_coliee.frames import integer_at_least
from ir_coliee.text.citation_windows import citation_windows
from ir_coliee.transformers.queries.dataset_queries import QueriesFromDataset


class CitationWindows(QueriesFromDataset):
    """Replace each fragment by windows of its base case, around suppressed citations and the fragment itself: Q to Q.

    A fragment that was not taken from beside a citation shares few words with the paragraphs that entail it; what the
    base case says around its citations shares more. See `ir_coliee.text.citation_windows.citation_windows`.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split of task 2 that the queries are of.
    width : int, default 700
        Characters on either side of a marker and of the fragment, >= 1; windows are widened to the edges of words.
    number : int, default 3
        Markers that have a window, from the first one, >= 0.
    delete_fragment : bool, default False
        Delete the fragment from the base case first, so that its words are not in the query. Its window is then around
        its former place. Use it to fit a model for fragments that are far from citations, when those of the train split
        are close to them.

    Examples
    --------
    >>> import pandas as pd
    >>> fragment = pd.DataFrame({"qid": ["900009"], "query": ["A person who has left Norvalle may still"]})
    >>> windows = CitationWindows("coliee/task2/sample/test", width=60, number=1)(fragment)
    >>> windows["query"].str.contains("for the reasons given in").tolist()
    [True]
    """

    LABEL = "Citation windows"

    def __init__(self, dataset: Dataset, *, width: int = 700, number: int = 3, delete_fragment: bool = False) -> None:
        super().__init__(task2_id(dataset))
        self.width = integer_at_least("width", width, 1)
        self.number = integer_at_least("number", number, 0)
        self.delete_fragment = delete_fragment

    def _texts(self) -> dict[str, str]:
        windows = partial(citation_windows, width=self.width, number=self.number, delete_fragment=self.delete_fragment)
        texts = fragments_with_base_cases(as_split(self.dataset))
        return {qid: windows(text.fragment, text.base_case) for qid, text in texts.items()}

"""Whether the fragments of a split stand near citations or far from them, and the query texts that follow from it.

In train splits, a fragment is the sentence around a suppressed citation. In the test split of 2025, it is a conclusion
elsewhere in the base case, which shares few words with the paragraphs that entail it. A model for far fragments learns
from base cases without the fragment, and looks at the windows around the citations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ir_coliee.datasets.folds import FragmentCases
from ir_coliee.text.citation_windows import FAR_DISTANCE, citation_windows, place_fragment, without_markers


class Role(NamedTuple):
    """The role of the fragments of a split, from the split's inputs alone.

    Attributes
    ----------
    cases : int
        The number of cases.
    distances : list of int
        The distance of the fragment from the nearest citation, in each case in which both were found.
    """

    cases: int
    distances: list[int]

    @classmethod
    def of(cls, cases: FragmentCases) -> Role:
        """Measure the distances in the base cases of a split."""
        distances = (place_fragment(*pair).distance for pair in zip(cases.fragments, cases.base_cases))
        return cls(len(cases.qids), [distance for distance in distances if distance is not None])

    @property
    def is_far(self) -> bool:
        """Whether the median distance is above 300 characters; False if no distance is known."""
        return bool(self.distances) and float(np.median(self.distances)) > FAR_DISTANCE

    @property
    def name(self) -> str:
        """``far`` or ``near``."""
        return "far" if self.is_far else "near"

    def query_texts(self, cases: FragmentCases, *, delete_fragment: bool) -> dict[str, list[str]]:
        """Make two texts of each query, by the family of the features that are computed of them.

        Parameters
        ----------
        cases : FragmentCases
            Cases of any split.
        delete_fragment : bool
            Delete far fragments from their base cases first. Near fragments are never deleted.

        Returns
        -------
        dict of str to list of str
            For far fragments ``windows`` (around the first three citations and the fragment) and ``base`` (the whole
            base case); for near ones ``fragment`` and ``windows`` (around the fragment alone).
        """
        pairs = [*zip(cases.fragments, cases.base_cases)]
        if not self.is_far:
            return {"fragment": cases.fragments, "windows": [citation_windows(*pair, number=0) for pair in pairs]}
        placed = [place_fragment(*pair, delete=delete_fragment) for pair in pairs]
        return {
            "windows": [citation_windows(*pair, delete_fragment=delete_fragment) for pair in pairs],
            "base": [without_markers(place.text) for place in placed],
        }

    def __str__(self) -> str:
        if not self.distances:
            return "fragments count as near, because none was found in a base case with a suppressed citation"
        median = f"{np.median(self.distances):,.0f}"
        distance = f"{median} character{'' if median == '1' else 's'} to the nearest suppressed citation"
        found = f"found in {len(self.distances)} of {self.cases} cases"
        return f"fragments count as {self.name}: median distance {distance} (far: more than {FAR_DISTANCE}; {found})"

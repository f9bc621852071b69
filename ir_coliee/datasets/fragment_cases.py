"""The cases of task 2 with all of their texts: fragments, base cases, and pools of paragraphs; and other decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from ir_coliee.editions import SPLITS, Dataset, Split, as_split
from ir_coliee.engine.paragraphs.pools import Pools
from ir_coliee.errors import ColieeError
from ir_coliee.releases import cases
from ir_coliee.releases.case_records import FragmentInCase
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.reading import read_text


@dataclass(frozen=True)
class FragmentCases:
    """Cases of task 2.

    Attributes
    ----------
    qids, fragments, base_cases : list of str
        The id, the fragment and the base case of each case, which is empty if its file is missing.
    docnos, texts : list of str
        The ids and texts of the paragraphs, case by case in their order.
    sizes : list of int
        The number of paragraphs of each case.
    """

    qids: list[str]
    fragments: list[str]
    base_cases: list[str]
    docnos: list[str]
    texts: list[str]
    sizes: list[int]

    @classmethod
    def of(cls, split: Split) -> FragmentCases:
        """Read the cases of a split; those without a paragraph are left out.

        Parameters
        ----------
        split : Split
            A split of task 2.

        Raises
        ------
        MissingReleaseError
            If the local release is missing.

        Examples
        --------
        >>> FragmentCases.of(as_split("coliee/task2/sample/test")).pools.sizes.tolist()[:3]
        [8, 14, 11]
        """
        texts = fragments_with_base_cases(split)
        documents = groupby(LocalRelease.open(split).documents(), key=lambda paragraph: paragraph.case_id)
        pools = {case: [*paragraphs] for case, paragraphs in documents}
        qids = [qid for qid in texts if qid in pools]
        return cls(
            qids,
            [texts[qid].fragment for qid in qids],
            [texts[qid].base_case for qid in qids],
            [paragraph.doc_id for qid in qids for paragraph in pools[qid]],
            [paragraph.text for qid in qids for paragraph in pools[qid]],
            [len(pools[qid]) for qid in qids],
        )

    @property
    def pools(self) -> Pools:
        """The pools of paragraphs."""
        return Pools.of_sizes(self.sizes)

    def __add__(self, other: FragmentCases) -> FragmentCases:
        """Return these cases, followed by others."""
        return FragmentCases(*(mine + others for mine, others in zip(vars(self).values(), vars(other).values())))


def fragments_with_base_cases(split: Split) -> dict[str, FragmentInCase]:
    """Return the fragment and the base case of each query of a split of task 2; a base case without a file is empty.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.
    """
    release = LocalRelease.open(split)
    files = cases.base_case_files(release)
    return {
        qid: FragmentInCase(qid, fragment, read_text(file) if (file := files[qid]) else "")
        for qid, fragment in release.queries()
    }


def task2_id(dataset: Dataset) -> str:
    """Return the id of a split of task 2. Raises `UnknownIdError`, and `ValueError` for other tasks."""
    split = as_split(dataset)
    if split.task != "task2":
        raise ValueError(f"dataset must be a split of task 2, got {split.id}.")
    return split.id


def task1_splits(split: Split) -> list[Split]:
    """Return the train and the test split of task 1 of the same edition whose decisions can be opened.

    Decisions that are missing, in doubt or protected by an unknown password are none of this task's concern.
    """
    ids = (f"coliee/task1/{split.edition}/{name}" for name in ("train", "test"))
    return [other for other in map(SPLITS.get, ids) if other and _has_documents(other)]


def _has_documents(split: Split) -> bool:
    try:
        return bool(LocalRelease.open(split).documents())
    except ColieeError:
        return False


def decisions(splits: Iterable[Split]) -> Iterator[str]:
    """Yield the texts of the decisions of splits of task 1, once if several are equal."""
    seen: set[int] = set()
    for split in splits:
        for decision in LocalRelease.open(split).documents():
            if (digest := hash(decision.text)) not in seen:
                seen.add(digest)
                yield decision.text

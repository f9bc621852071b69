"""The base class of all transformers, whose repr, equality and pickling follow from the constructor's arguments."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.scoring import Ranking
from ir_coliee.errors import ColieeError, ColieeWarning, printable_list
from ir_coliee.frames import Floats, Integers, best_results, check_ids, take_rows
from ir_coliee.progress import progress

T = TypeVar("T")
R = TypeVar("R", bound="Ranker")

#: The ids of items, and the ranking of each query by the numbers of the items.
Rankings: TypeAlias = tuple[npt.NDArray[np.object_], Iterable[Ranking]]

_ITEMS_SHOWN = 20  # the largest number of items of an argument that are shown

#: The folder of the reference, with a page for each sub-package.
REFERENCE = "https://ir-coliee.readthedocs.io/en/latest/reference/transformers"


def _parameters(kind: type) -> list[inspect.Parameter]:
    """Return the parameters of a class's constructor, except ``self`` and variadic ones.

    Keyword arguments that a constructor passes on (``**options``) are those of the base class.
    """
    parameters: dict[str, inspect.Parameter] = {}
    for base in (each for each in kind.__mro__ if "__init__" in vars(each)):
        _self, *own = inspect.signature(base.__init__).parameters.values()  # type: ignore[misc]
        parameters = {each.name: each for each in own} | parameters
        if not any(each.kind is each.VAR_KEYWORD for each in own):
            break
    named = (each for each in parameters.values() if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD))
    return sorted(named, key=lambda each: (each.kind, each.default is not each.empty))


class BaseTransformer(pt.Transformer):
    """Base of transformers that are fully described by the arguments of their constructor.

    A subclass stores each argument under its own name, as scikit-learn's estimators do. The repr, which rebuilds the
    object, equality and pickling follow from these arguments. Equality lets ``plan="tree"`` of
    `pyterrier.Experiment` share the common beginnings of pipelines.

    Attributes
    ----------
    LABEL : str
        The name in PyTerrier's schematics and on progress bars, unless `label` says another.
    """

    LABEL: str

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        # PyTerrier's ``__new__`` takes any arguments, and ``**options`` does not name those of the base class
        _self, *own = inspect.signature(cls.__init__).parameters.values()
        has_options = any(each.kind is each.VAR_KEYWORD for each in own)
        cls.__signature__ = inspect.Signature(_parameters(cls) if has_options else own)

    @property
    def schematic(self) -> dict[str, Any]:
        """Label, documentation page and parameters for PyTerrier's schematics, which then need no network.

        Pipelines among the arguments are left out, because PyTerrier draws them.
        """
        arguments = self.arguments().items()
        settings = {name: shown_value(value) for name, value in arguments if not _has_pipeline(value)}
        return {"label": self.label(), "help_url": help_url(type(self)), "settings": settings}

    def label(self) -> str:
        """Return the name in PyTerrier's schematics and on progress bars."""
        return self.LABEL

    def arguments(self) -> dict[str, object]:
        """Return the constructor's arguments by name, except variadic ones."""
        return {parameter.name: getattr(self, parameter.name) for parameter in _parameters(type(self))}

    def shown_arguments(self) -> list[str]:
        """Return the arguments that the repr shows, as ``name=value``: those that differ from their defaults."""
        return [
            f"{parameter.name}={shown_value(value)}"
            for parameter in _parameters(type(self))
            if not self._is_hidden(value := getattr(self, parameter.name), parameter)
        ]

    def _is_hidden(self, value: object, parameter: inspect.Parameter) -> bool:
        """Return whether the repr leaves an argument out: whether it is the default."""
        # a list, in which names are stored, equals the same tuple
        return repr(tuple(value) if isinstance(value, list) else value) == repr(parameter.default)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.shown_arguments())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.arguments() == other.arguments()

    # Not a hash of the arguments, although equal objects have equal ones: they can be set, and of two equal retrievers
    # each is a key of its own in a grid of `pyterrier.GridScan`.
    __hash__ = object.__hash__

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}

    def _cached(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what ``compute`` returns, computed again when ``key``, the arguments it depends on, has changed."""
        if not self._is_cached(key):
            self._cache: tuple[Hashable, Any] = key, compute()
        return self._cache[1]

    def _is_cached(self, key: Hashable) -> bool:
        """Return whether `_cached` has a value for the key."""
        cache = self.__dict__.get("_cache")
        return cache is not None and bool(cache[0] == key)


def common_inputs(pipelines: Iterable[pt.Transformer]) -> list[list[str]]:
    """Return the columns that several pipelines together need, one list for each different combination."""
    found: list[list[str]] = [[]]
    for pipeline in pipelines:
        different: dict[frozenset[str], list[str]] = {}  # with many retrievers, most combinations are the same
        for columns, needed in product(found, pt.inspect.transformer_inputs(pipeline)):
            together = list(dict.fromkeys([*columns, *needed]))
            different.setdefault(frozenset(together), together)
        found = list(different.values())
    return found


def check_ranking_or_set(results: pd.DataFrame, transformer: pt.Transformer | None) -> None:
    """Check for the columns of results. Those without scores are sets; inspection asks for scores."""
    if not {"qid", "docno"} <= set(results.columns):
        pt.validate.result_frame(results, extra_columns=["score"], context=transformer)


class Ranker(BaseTransformer):
    """Base of transformers that rank the items of a collection (Q to R), or score the items of a frame (R to R).

    Both keep the ``num_results`` best items of each query. Equal scores are ordered by document id. A subclass defines
    `_rankings` and `_pool_scores`.

    Attributes
    ----------
    INPUTS : tuple of str
        The columns that can give a query.
    DISTINCT : bool
        Whether a query that occurs several times is answered once.
    PROBLEM : str
        What a warning says of queries without results, with ``{}`` for their ids; there is none if it is empty.
    """

    INPUTS: ClassVar[tuple[str, ...]] = ("query",)
    DISTINCT: ClassVar[bool] = False
    PROBLEM: ClassVar[str] = ""
    num_results: int
    verbose: bool

    def fuse_rank_cutoff(self: R, k: int) -> R | None:
        """Return a transformer with ``k`` results, with which PyTerrier replaces ``transformer % k``."""
        if k >= self.num_results:
            return self
        fused = copy.copy(self)
        fused.num_results = k
        return fused

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve items for queries (Q to R), or rescore results (R to R).

        Parameters
        ----------
        inp : pandas.DataFrame
            Has ``qid`` and the query; for rescoring also ``docno``.

        Returns
        -------
        pandas.DataFrame
            Has the columns of the query, ``docno``, ``score`` and ``rank``.

        Raises
        ------
        ColieeError
            If a row has no id, a query is of the wrong type, or an item is not in the collection.
        """
        with pt.validate.any(inp, context=self) as frame:
            for column in self.INPUTS:
                frame.query_frame(extra_columns=[column], mode=f"retrieve by {column}")
                frame.result_frame(extra_columns=[column], mode=f"rescore by {column}")
        check_ids(inp)
        if frame.mode.startswith("retrieve"):
            return self._retrieve(inp)
        scored = inp.assign(score=self._scores(inp)).drop(columns="rank", errors="ignore")
        return best_results(scored, self.num_results)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        """Return the best items of each query, in order, with the columns of the query except score and rank."""
        if self.DISTINCT:
            queries = queries.drop_duplicates("qid", ignore_index=True)
        item_ids, found = self._rankings(queries)
        rankings = [*found]
        sizes = np.array([len(ranking.documents) for ranking in rankings], dtype=np.int64)
        if self.PROBLEM and not sizes.all():
            qids = printable_list([str(qid) for qid in queries["qid"].to_numpy(dtype=object)[sizes == 0]])
            message = f"{np.count_nonzero(sizes == 0)} of {len(queries)} queries {self.PROBLEM.format(qids, self=self)}"
            warnings.warn(message, ColieeWarning, 4)
        nothing = Ranking(np.empty(0, np.int64), np.empty(0))
        documents, scores = map(np.concatenate, zip(nothing, *rankings))
        rows = np.arange(len(sizes)).repeat(sizes)
        results = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows)
        ranks = np.concatenate([nothing.documents, *map(np.arange, sizes)])
        return results.assign(docno=item_ids[documents], score=_finite(scores), rank=ranks)

    def _rankings(self, queries: pd.DataFrame) -> Rankings:
        """Return the ids of the items, and the ranking of each query by the numbers of the items."""
        raise NotImplementedError

    def _scores(self, results: pd.DataFrame) -> Floats:
        """Return the new score of each row."""
        return pooled_scores(results, lambda pools: self._progress(self._pool_scores(results, pools), len(pools)))

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterable[Floats]:
        """Return the scores of each pool, which is given by its rows in ``results``."""
        raise NotImplementedError

    def _progress(self, results: Iterable[T], total: int) -> Iterator[T]:
        return progress(results, self.label(), total=total, unit="queries", verbose=self.verbose)


def pooled_scores(results: pd.DataFrame, score: Callable[[Sequence[Integers]], Iterable[Floats]]) -> Floats:
    """Return a score for each row of results.

    Parameters
    ----------
    results : pandas.DataFrame
        Has ``qid`` and ``docno``.
    score : callable
        Takes the row numbers of each query's results, and yields their scores.
    """
    pools: list[Any] = [*results.groupby("qid", sort=False, observed=True).indices.values()]
    scores = np.zeros(len(results))
    if pools:
        scores[np.concatenate(pools)] = np.concatenate([*score(pools)])
    return _finite(scores)


def _finite(scores: Floats) -> Floats:
    if not np.isfinite(scores).all():
        raise ColieeError("A score is not a finite number. Check the parameters of the weighting for extreme values.")
    return scores


def shown_value(value: object) -> str:
    """Return the repr of an argument on one line; of a collection with more than 20 items only their number.

    Examples
    --------
    >>> shown_value("coliee/task1/sample/test"), shown_value(dict.fromkeys(range(8000)))
    ("'coliee/task1/sample/test'", '<dict of 8000 items>')
    """
    if isinstance(value, Collection) and not isinstance(value, (str, bytes)) and len(value) > _ITEMS_SHOWN:
        return f"<{type(value).__name__} of {len(value)} items>"
    return " ".join(line.strip() for line in repr(value).splitlines())


def _has_pipeline(value: object) -> bool:
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else (value,)
    return any(isinstance(each, pt.Transformer) for each in values)


def help_url(kind: type) -> str:
    """Return the address of a transformer in the reference; of a class of a user, that of the class it is derived from.

    >>> from ir_coliee.transformers import TopK
    >>> help_url(TopK)
    'https://ir-coliee.readthedocs.io/en/latest/reference/transformers/candidates.html#ir_coliee.transformers.TopK'
    >>> class MyCutoff(TopK): ...
    >>> help_url(MyCutoff) == help_url(TopK)
    True
    """
    from ir_coliee import transformers  # it imports this module

    for each in kind.__mro__:
        package, _, module = each.__module__.partition("ir_coliee.transformers.")
        if not package and module and module not in ("base", "estimators"):
            home = "ir_coliee.transformers" if hasattr(transformers, each.__name__) else each.__module__
            return f"{REFERENCE}/{module.partition('.')[0]}.html#{home}.{each.__name__}"
    return f"{REFERENCE}/index.html"

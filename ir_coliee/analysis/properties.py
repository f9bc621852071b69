"""Properties of the queries of each task, by which they are divided into groups, and what differs from train."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.errors import ColieeError, MissingReleaseError
from ir_coliee.evaluation.cutoffs import depth_values, encode_run
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.progress import progress
from ir_coliee.releases.cases import documents
from ir_coliee.releases.civil_code import all_articles
from ir_coliee.text.citations import FAR_DISTANCE, place_fragment
from ir_coliee.text.cleaning import french_passages, is_french
from ir_coliee.text.cues import SUBJECTS, exceptions, is_anonymised, negations, subject_of_heading, subject_of_number
from ir_coliee.text.decisions import marker_spans, paragraph_spans
from ir_coliee.text.references import mentions
from ir_coliee.transformers.candidates.filters import CandidatePool, DropSelf
from ir_coliee.transformers.retrieval.indexes import LexicalIndex, bm25_of_split

_NUMBER, _YES_OR_NO, _NAME = "Int64", "boolean", "object"
_PLACES = ("first third", "second third", "last third")

#: The type of each property, or its categories in order, and its meaning. Every type has missing values.
PROPERTIES: dict[str, tuple[str | tuple[str, ...], str]] = {
    "relevant_items": (_NUMBER, "number of relevant items"),
    "words": (_NUMBER, "length in words, separated by white space"),
    "characters": (_NUMBER, "length in characters without white space"),
    "year": (_NUMBER, "year in the header of the query, otherwise the latest that it mentions"),
    "language": (("English", "French"), "language of the query by its function words"),
    "french_percent": (_NUMBER, "share of the query's characters that are in French passages"),
    "suppressed_citations": (_NUMBER, "number of suppressed citations of the query"),
    "numbered_paragraphs": (_NUMBER, "number of numbered paragraphs of the query"),
    "relevant_is_query": (_YES_OR_NO, "whether a relevant case is itself a query"),
    "relevant_is_later": (
        _YES_OR_NO,
        "whether the year filter would drop a relevant case as decided after the query",
    ),
    "relevant_is_duplicate": (_YES_OR_NO, "whether a relevant case has the text of another document"),
    "fragment_found": (_YES_OR_NO, "whether the base case contains the fragment"),
    "fragment_place": (_PLACES, "third of the base case in which the middle of the fragment is"),
    "near_citation": (
        _YES_OR_NO,
        f"whether at most {FAR_DISTANCE} characters are between the fragment and a suppressed citation",
    ),
    "pool_size": (_NUMBER, "number of paragraphs in the query's pool"),
    "exam_year": (_NAME, "exam year of the question"),
    "anonymised": (_YES_OR_NO, "whether the statement names persons or things by letters such as A"),
    "polarity": (("affirmative", "negative"), "negative if the statement has an odd number of negations"),
    "exception": (_YES_OR_NO, "whether the statement has an exception (unless, however; ただし)"),
    "mentions_articles": (_YES_OR_NO, "whether the statement itself refers to articles"),
    "subject": (
        (*SUBJECTS, "several"),
        f"part of the civil code of the relevant articles: {', '.join(SUBJECTS)}",
    ),
    "relevant_articles": (("one", "several"), "one or several relevant articles"),
    "mutatis_mutandis": (_YES_OR_NO, "whether a relevant article applies another one mutatis mutandis (準用)"),
    "label": (("Y", "N"), "gold label of the statement"),
    "plaintiff_claims": (_NUMBER, "number of the plaintiff's claims"),
    "defendant_claims": (_NUMBER, "number of the defendant's claims"),
    "facts_characters": (_NUMBER, "length of the undisputed facts in characters"),
    "has_accepted_claim": (_YES_OR_NO, "whether the court accepted a claim"),
    "court_decision": (("True", "False"), "whether the court found a tort"),
}


class PropertyTable(NamedTuple):
    """Properties that are read together, so that they are left out together if their source is missing.

    Attributes
    ----------
    row : callable
        Function from the runs and a query record with all fields to the values of its properties. It raises
        `MissingReleaseError` if its source is not in the data folder.
    names : tuple of str
        The properties, in the order of the values.
    """

    row: Callable[[EvaluatedRuns, Any], tuple[object, ...]]
    names: tuple[str, ...]

    def frame(self, runs: EvaluatedRuns) -> pd.DataFrame:
        """Return the typed columns with a row for each of ``runs.query_ids``; an unknown query has no values."""
        queries, empty = runs.queries, (None,) * len(self.names)
        rows = [self.row(runs, queries[each]) if each in queries else empty for each in runs.query_ids]
        return pd.DataFrame({name: _column(name, values) for name, values in zip(self.names, zip(*rows))})


def _column(name: str, values: Iterable[object]) -> pd.Series[Any]:
    dtype, _ = PROPERTIES[name]
    return pd.Series([*values], dtype=dtype if isinstance(dtype, str) else pd.CategoricalDtype([*dtype], ordered=True))


# Properties of the queries of task 1, of their texts and of their relevant cases.


_LANGUAGES = {True: "French", False: "English", None: None}


def _of_the_text(runs: EvaluatedRuns, query: Any) -> tuple[object, ...]:
    text = query.case
    french = sum(passage.end - passage.start for passage in french_passages(text))
    return (
        runs.facts.query_years(query.query_id).latest,
        _LANGUAGES[is_french(text)],
        round(100 * french / len(text)) if text else None,
        len(marker_spans(text)),
        sum(paragraph.number is not None for paragraph in paragraph_spans(text)),
    )


def _of_the_relevant_cases(runs: EvaluatedRuns, query: Any) -> tuple[object, ...]:
    duplicates = runs.once("duplicates", lambda: _duplicates(runs))
    relevant = runs.relevant.get(query.query_id)
    if not relevant:
        return None, None, None
    return (
        any(doc_id in runs.queries for doc_id in relevant),
        any(runs.facts.is_later(query.query_id, doc_id) for doc_id in relevant),
        not duplicates.isdisjoint(relevant),
    )


def _duplicates(runs: EvaluatedRuns) -> set[str]:
    """Return the documents whose text another document has too, in editions with candidate pools one of its pool."""
    doc_ids = progress(documents(runs.release).ids, "comparing texts", unit="documents")
    keys = {
        doc_id: (doc_id.partition("_")[0] if runs.split.has_pools else "", runs.facts.digest(doc_id))
        for doc_id in doc_ids
    }
    numbers = Counter(keys.values())
    return {doc_id for doc_id, key in keys.items() if numbers[key] > 1}


_CASE_PROPERTIES = (
    PropertyTable(_of_the_text, ("year", "language", "french_percent", "suppressed_citations", "numbered_paragraphs")),
    PropertyTable(_of_the_relevant_cases, ("relevant_is_query", "relevant_is_later", "relevant_is_duplicate")),
)


# Properties of the queries of task 2: the place of the fragment in its base case, and the size of the pool.


def _of_the_base_case(runs: EvaluatedRuns, query: Any) -> tuple[object, ...]:
    placed = place_fragment(query.fragment, query.base_case)
    near = None if placed.distance is None else placed.distance <= FAR_DISTANCE
    if placed.fragment is None:
        return False, None, near
    start, end = placed.fragment
    return True, _PLACES[min(3 * (start + end) // (2 * len(placed.text)), 2)], near


def _pool_size(runs: EvaluatedRuns, query: Any) -> tuple[object, ...]:
    runs.release.documents()  # without documents, the pools are those of the labels
    return (len(runs.scorer.checker.candidates(query.query_id)),)


_FRAGMENT_PROPERTIES = (
    PropertyTable(_of_the_base_case, ("fragment_found", "fragment_place", "near_citation")),
    PropertyTable(_pool_size, ("pool_size",)),
)


# Properties of the questions of tasks 3 to 5: of the statement, of its relevant articles, and its gold label.


def _of_the_statement(runs: EvaluatedRuns, question: Any) -> tuple[object, ...]:
    language, statement = runs.split.language, question.statement
    return (
        question.year or None,
        is_anonymised(statement),
        "negative" if negations(statement, language) % 2 else "affirmative",
        exceptions(statement, language) > 0,
        bool(mentions(statement, language)),
    )


def _of_the_articles(runs: EvaluatedRuns, question: Any) -> tuple[object, ...]:
    by_heading = runs.once("subjects", lambda: _subjects(runs))
    subjects = {by_heading.get(number) or subject_of_number(number) for number in question.articles}
    subject = subjects.pop() if len(subjects) == 1 else "several" if subjects else None
    return subject, "several" if len(question.articles) > 1 else "one" if question.articles else None


def _subjects(runs: EvaluatedRuns) -> dict[str, str | None]:
    """Return the subject of each article by the heading of its part."""
    code = all_articles(runs.release) if runs.release.has("articles") else ()
    return {article.doc_id: subject_of_heading(article.part) for article in code}


def _of_the_references(runs: EvaluatedRuns, question: Any) -> tuple[object, ...]:
    graph = runs.facts.references
    edges = {edge for article in question.articles for edge in graph.outgoing(article)}
    edges |= {edge for edge in graph.outside if edge.source in question.articles}
    return (any(edge.mutatis_mutandis for edge in edges) if question.articles else None,)


_QUESTION_PROPERTIES = (
    PropertyTable(_of_the_statement, ("exam_year", "anonymised", "polarity", "exception", "mentions_articles")),
    PropertyTable(_of_the_articles, ("subject", "relevant_articles")),
    PropertyTable(_of_the_references, ("mutatis_mutandis",)),
)
#: Of the tasks whose answer it is.
_LABEL = PropertyTable(lambda _, question: (question.label or None,), ("label",))


# Properties of the queries of every task: the number of relevant items and the length of the text.


def _length(runs: EvaluatedRuns, query: Any) -> tuple[object, ...]:
    pieces = query.default_text().split()
    return (sum(map(len, pieces)) if runs.split.language == "ja" else len(pieces),)


_LENGTHS = {"en": PropertyTable(_length, ("words",)), "ja": PropertyTable(_length, ("characters",))}


# Properties of the tort instances of the pilot: claims of the parties, length of the facts, and the gold labels.


def _of_the_instance(runs: EvaluatedRuns, instance: Any) -> tuple[object, ...]:
    sides = [claim.side for claim in instance.claims]
    decided = [accepted for accepted in instance.accepted if accepted is not None]
    facts = sum(map(len, instance.undisputed_facts))
    return sides.count("p"), sides.count("d"), facts, any(decided) if decided else None


def _decision(runs: EvaluatedRuns, instance: Any) -> tuple[object, ...]:
    return (None if instance.court_decision is None else str(instance.court_decision),)


_TORT_PROPERTIES = (
    PropertyTable(_of_the_instance, ("plaintiff_claims", "defendant_claims", "facts_characters", "has_accepted_claim")),
    PropertyTable(_decision, ("court_decision",)),
)


# Properties of the queries of a split, by which they are divided into groups.


_OF_TASK: Mapping[str, tuple[PropertyTable, ...]] = {
    "task1": _CASE_PROPERTIES,
    "task2": _FRAGMENT_PROPERTIES,
    "task3": _QUESTION_PROPERTIES,
    "task4": (*_QUESTION_PROPERTIES, _LABEL),
    "task5": (*_QUESTION_PROPERTIES, _LABEL),
    "prediction": _TORT_PROPERTIES,
    "rationale": _TORT_PROPERTIES,
}


def query_properties(runs: EvaluatedRuns) -> AnalysisFrame:
    """Read the properties of each scored query.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs, whose split and gold labels are used.

    Returns
    -------
    AnalysisFrame
        A row for each of ``runs.query_ids``: query_id and a column for each property of the task, which
        `PROPERTIES` describes. A number is of type ``Int64``, yes or no ``boolean``, a category categorical or
        object. A missing value means that the query has no such property, such as a decision that mentions no year. A
        note names the properties that the local release has no files for, which are left out.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"55": 1.0}}})
    >>> query_properties(runs)[["query_id", "subject", "anonymised", "polarity"]].head(2).to_numpy().tolist()
    [['R99-01-A', 'real rights', False, 'negative'], ['R99-01-I', 'real rights', True, 'negative']]
    """
    frames, notes = runs.once("query properties", lambda: _read(runs))
    return AnalysisFrame.of(pd.concat(frames, axis=1), "query_properties", "Properties of the queries", notes)


def _read(runs: EvaluatedRuns) -> tuple[list[pd.DataFrame], list[str]]:
    """Return the columns of each table, and notes on those that the local release has no files for."""
    frames = [pd.DataFrame({"query_id": pd.Series(runs.query_ids, dtype=object)})]
    notes = []
    if runs.has_gold and not runs.scorer.evaluation.single_answer:
        numbers = [len(runs.relevant.get(query_id, ())) for query_id in runs.query_ids]
        frames.append(pd.DataFrame({"relevant_items": _column("relevant_items", numbers)}))
    for table in _tables(runs):
        try:
            frames.append(table.frame(runs))
        except MissingReleaseError as error:
            notes.append(f"Left out: {', '.join(table.names)}. {str(error).splitlines()[0]}")
    return frames, notes


def _tables(runs: EvaluatedRuns) -> tuple[PropertyTable, ...]:
    return _LENGTHS[runs.split.language], *_OF_TASK[runs.split.task]


_QUERIES, _DOCUMENTS = 100, 500  # of a split, for the plain ranking, so that it takes seconds
_RANKED = ("task1", "task2", "task3")
#: A figure that is larger or smaller by this factor has changed.
CHANGED = 1.25


def drift(runs: EvaluatedRuns) -> AnalysisFrame:
    """Compare the queries that runs answer with the train queries of the edition.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs; the labels of their split are not needed.

    Returns
    -------
    AnalysisFrame
        The columns figure, train, test and ratio, of test to train. The figures are the number of queries, the median
        of their lengths, the mean number of relevant items, the measure of the first items by BM25 (of at most 100
        queries, in task 1 among their relevant and at most 500 other documents; as many items as a train query has
        relevant ones), and the mean number of items that each run returns, compared with the relevant items of a train
        query. What is not known of the test is missing.

    Raises
    ------
    ColieeError
        If the edition has no train split, or the runs answer it.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> frame = drift(evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"55": 1.0, "56": 1.0}}}))
    >>> frame[["figure", "train", "test"]].round(2).to_numpy().tolist()[0]
    ['queries', 30.0, 20.0]
    """
    split = runs.split.train
    if split is None or split.id == runs.split.id:
        raise ColieeError(f"{runs.split.id} has no train split to compare it with.")
    train = EvaluatedRuns(Scorer(split), {})
    depth = max(1, round(_relevant(train) or 1))
    of_train, of_test = (dict(_figures(each, depth)) for each in (train, runs))
    if not runs.scorer.evaluation.single_answer:
        for name, run in runs.runs.items():
            of_train[f"returned per query by {name}"] = _relevant(train)
            of_test[f"returned per query by {name}"] = len(run.answers) / len(runs.query_ids)
    frame = pd.DataFrame({"train": of_train, "test": of_test}, dtype=float).rename_axis("figure").reset_index()
    frame["ratio"] = frame["test"] / frame["train"]
    notes = [f"Train: {split.id}. Of returned items, the figure of train is that of the relevant ones."]
    return AnalysisFrame.of(frame, "drift", "Train and test", notes, numbers=["train", "test"])


def _figures(runs: EvaluatedRuns, depth: int) -> Iterator[tuple[str, float | None]]:
    yield "queries", len(runs.query_ids)
    unit = _LENGTHS[runs.split.language]
    try:
        lengths = unit.frame(runs).iloc[:, 0]
        yield f"{lengths.name} per query (median)", lengths.median()
    except MissingReleaseError:
        return
    if runs.scorer.evaluation.single_answer:
        return
    yield "relevant items per query", _relevant(runs)
    if runs.split.task in _RANKED:
        yield f"{runs.measure} of the first {depth} by BM25", _of_bm25(runs, depth)


def _relevant(runs: EvaluatedRuns) -> float | None:
    return len(runs.gold) / len(runs.query_ids) if runs.has_gold else None


def _of_bm25(runs: EvaluatedRuns, depth: int) -> float | None:
    """Return the measure of the first items of BM25, of some of the queries among some of the documents."""
    if not runs.has_gold or not runs.has_documents:
        return None
    chosen = sorted(pd.Series(runs.query_ids).sample(min(_QUERIES, len(runs.query_ids)), random_state=0))
    gold = runs.scorer.gold[runs.scorer.gold["query_id"].isin(chosen)]
    if runs.split.has_pools:
        pools = map(runs.scorer.checker.candidates, chosen)
        ranker = CandidatePool(runs.split.id) >> _index(runs, set().union(*pools)).bm25(statistics="pool")
    elif runs.split.task == "task1":
        known = pd.Series([*runs.documents.ids()])
        some = {*known.sample(min(_DOCUMENTS, len(known)), random_state=0)}
        ranker = _index(runs, some | ({*gold["doc_id"]} & {*known})).bm25(k1=3.0, b=1.0, num_results=depth + 1)
    else:
        ranker = bm25_of_split(runs.split, num_results=depth)
    topics = pd.DataFrame({"qid": chosen, "query": [runs.queries[qid].default_text() for qid in chosen]})
    values = depth_values(encode_run((ranker >> DropSelf())(topics), gold, rel=runs.measure["rel"]), runs.measure)
    return float(values[min(depth, len(values) - 1)])


def _index(runs: EvaluatedRuns, documents: Iterable[str]) -> LexicalIndex:
    texts = ({"docno": docno, "text": runs.documents.get(docno).default_text()} for docno in sorted(documents))
    return LexicalIndex.build(texts, analyser="case")

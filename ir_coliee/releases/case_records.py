"""The records of tasks 1 and 2, as users of ir_datasets see them."""

# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.

from typing import NamedTuple


class Decision(NamedTuple):
    """A court decision, a document of task 1. Until 2020 the id is ``query_candidate``."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """Return the whole decision."""
        return self.text


class DecisionQuery(NamedTuple):
    """A court decision as a query of task 1, which asks for the cases that it notices."""

    query_id: str
    case: str

    def default_text(self) -> str:
        """Return the whole decision."""
        return self.case


class DecisionWithSummary(NamedTuple):
    """A query of task 1 with its summary, which only the edition of 2018 has; empty if there is none."""

    query_id: str
    case: str
    summary: str

    def default_text(self) -> str:
        """Return the whole decision."""
        return self.case


class Paragraph(NamedTuple):
    """A paragraph of a noticed case, a document of task 2."""

    doc_id: str
    text: str
    case_id: str

    def default_text(self) -> str:
        """Return the paragraph."""
        return self.text


class Fragment(NamedTuple):
    """A fragment of a decision, a query of task 2, which asks for the paragraphs that entail it."""

    query_id: str
    fragment: str

    def default_text(self) -> str:
        """Return the fragment."""
        return self.fragment


class FragmentInCase(NamedTuple):
    """A fragment with the decision that it was taken from."""

    query_id: str
    fragment: str
    base_case: str

    def default_text(self) -> str:
        """Return the fragment."""
        return self.fragment

"""The labels of the answering tasks as documents: Y and N, True and False."""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

from typing import NamedTuple


class Answer(NamedTuple):
    """A label as a document: Y and N, or True and False."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """The label's meaning."""
        return self.text

"""The answers of tasks 4 and 5 and of tort prediction as documents: Y and N, True and False."""

# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.

from typing import NamedTuple


class Answer(NamedTuple):
    """An answer as a document: Y or N, True or False."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """Return the meaning of the answer."""
        return self.text

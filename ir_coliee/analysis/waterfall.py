"""A waterfall: levels of a number of items, with what is lost and gained between them."""

from __future__ import annotations

import pandas as pd

COLUMNS = ("run", "step", "type", "name", "items", "share")


class Waterfall:
    """The rows of a waterfall. A level is the level before, less the losses and with the gains between the two.

    Parameters
    ----------
    relevant : int
        The number of relevant items, the first level.

    Examples
    --------
    >>> waterfall = Waterfall(8)
    >>> waterfall.lose("cut by the cut-off", 3)
    >>> waterfall.level("kept")
    >>> waterfall.rows("mine")["items"].tolist()
    [8, 3, 5]
    """

    def __init__(self, relevant: int) -> None:
        self.relevant = self._left = relevant
        self._rows = [("level", "gold", relevant)]

    def lose(self, name: str, items: int) -> None:
        """Add a loss, if items are lost."""
        self._change("loss", name, items, -items)

    def gain(self, name: str, items: int) -> None:
        """Add a gain, if items are gained."""
        self._change("gain", name, items, items)

    def _change(self, kind: str, name: str, items: int, difference: int) -> None:
        self._left += difference
        if items:
            self._rows.append((kind, name, items))

    def level(self, name: str) -> None:
        """Add the level that the losses and gains lead to."""
        self._rows.append(("level", name, self._left))

    def largest_loss(self) -> str:
        """Return a sentence on the loss of most items."""
        losses = [(items, name) for kind, name, items in self._rows if kind == "loss"]
        if not losses:
            return f"nothing is lost: all {self.relevant} relevant items are returned"
        items, name = max(losses, key=lambda loss: loss[0])
        return f"largest loss: {loss_in_words(name, items, self.relevant)}"

    def rows(self, run: str) -> pd.DataFrame:
        """Return the rows, with the columns of `COLUMNS`; the share is of the relevant items."""
        frame = pd.DataFrame(self._rows, columns=["type", "name", "items"])
        share = frame["items"] / (self.relevant or float("nan"))
        return frame.assign(run=run, step=range(len(frame)), share=share)[[*COLUMNS]]


def loss_in_words(cause: str, number: int, relevant: int, noun: str = "relevant items") -> str:
    """Return the number and the share of what is lost, with the cause.

    Examples
    --------
    >>> loss_in_words("cut by the cut-off", 214, 859)
    '214 of 859 relevant items (24.9 %) are cut by the cut-off'
    """
    return f"{number} of {relevant} {noun} ({100 * number / relevant:.1f} %) are {cause}"

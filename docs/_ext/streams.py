"""The output of a cell as one block of text, as it was printed: myst-nb puts each of its pieces on lines of its own."""

import re
from collections.abc import Sequence

from myst_nb.core import render
from nbformat import NotebookNode
from sphinx.application import Sphinx

_OVERWRITTEN = re.compile(r"[^\n]*\r(?=[^\n])")


def joined_streams(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    r"""Join the pieces of each stream, and leave out what a carriage return has overwritten, such as progress.

    Examples
    --------
    >>> pieces = [NotebookNode(output_type="stream", name="stdout", text=text) for text in ("50 %\rab", "c\n\nd\n")]
    >>> [output.text for output in joined_streams(pieces)]
    ['abc\n\nd\n']
    """
    streams: dict[str, NotebookNode] = {}
    joined = []
    for output in outputs:
        if output["output_type"] != "stream":
            joined.append(output)
        elif output["name"] in streams:
            streams[output["name"]].text += output["text"]
        else:
            streams[output["name"]] = NotebookNode(output)
            joined.append(streams[output["name"]])
    for stream in streams.values():
        stream.text = _OVERWRITTEN.sub("", stream.text.replace("\r\n", "\n"))
    return joined


def setup(app: Sphinx) -> dict[str, bool]:
    """Replace what ``nb_merge_streams`` calls."""
    render.coalesce_streams = joined_streams
    return {"parallel_read_safe": True}

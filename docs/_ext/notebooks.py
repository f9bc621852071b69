"""Each tutorial as a notebook: written beside its page at the build, with links to download it and to open it in Colab.

The sources are pages of text. A tutorial that needs extras names them in its front matter: `extras: learn,plot`.
Colab opens notebooks from a branch of the repository: `gh-pages`, to which the hosted workflow publishes the site.
"""

import re
from pathlib import Path

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook
from sphinx.application import Sphinx

SITE = "https://ir-coliee.readthedocs.io/en/latest"
COLAB = "https://colab.research.google.com/github/ir-coliee/ir_coliee/blob/gh-pages/notebooks"
REQUIREMENT = "ir_coliee{extras} @ git+https://github.com/ir-coliee/ir_coliee"


def is_tutorial(docname: str) -> bool:
    """Return whether a page is a tutorial."""
    return docname.startswith("tutorials/") and docname != "tutorials/index"


def add_links(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the links below the heading of a tutorial."""
    if is_tutorial(docname):
        name = docname.removeprefix("tutorials/")
        before, heading, after = source[0].partition("\n# ")
        title, end, rest = after.partition("\n")
        download = f'<a href="../notebooks/{name}.ipynb" download>Download the notebook</a>'
        links = f"[Open in Colab]({COLAB}/{name}.ipynb) · {download}"
        source[0] = f"{before}{heading}{title}{end}\n{links}\n{rest}"


def with_absolute_links(text: str) -> str:
    """Let the links to other pages lead to the site.

    Examples
    --------
    >>> with_absolute_links("[a](../how-to/load.md#zip) [b](task1.md) [c](#below)")
    '[a](https://ir-coliee.readthedocs.io/en/latest/how-to/load.html#zip) \
[b](https://ir-coliee.readthedocs.io/en/latest/tutorials/task1.html) [c](#below)'
    """
    text = re.sub(r"\]\((?!\.\./)([\w-]+)\.md", r"](../tutorials/\1.md", text)
    return re.sub(r"\]\(\.\./([\w/-]+)\.md", rf"]({SITE}/\1.html", text)


def installation(extras: str) -> str:
    """Return the cell that installs the package.

    Examples
    --------
    >>> print(installation("learn,plot"))
    %pip install --quiet "ir_coliee[learn,plot] @ git+https://github.com/ir-coliee/ir_coliee"
    """
    requirement = REQUIREMENT.format(extras=f"[{extras}]" if extras else "")
    return f'%pip install --quiet "{requirement}"'


def with_plain_admonitions(text: str) -> str:
    r"""Write admonitions as quotations, which every program for notebooks shows.

    Examples
    --------
    >>> print(with_plain_admonitions(":::{warning}\nTwo\nlines.\n:::"))
    > **Warning.** Two
    > lines.
    """

    def quotation(match: re.Match[str]) -> str:
        lines = f"**{match[1].capitalize()}.** {match[2]}".splitlines()
        return "\n".join(f"> {line}".rstrip() for line in lines)

    return re.sub(r"^:::\{(\w+)\}\n(.*?)\n:::$", quotation, text, flags=re.DOTALL | re.MULTILINE)


def write_notebooks(app: Sphinx, exception: Exception | None) -> None:
    """Write the notebook of each tutorial, whose first cell installs the package, without outputs."""
    if exception or app.builder.name != "html":
        return
    folder = Path(app.outdir, "notebooks")
    folder.mkdir(exist_ok=True)
    for docname in filter(is_tutorial, app.env.found_docs):
        text = Path(app.env.doc2path(docname)).read_text(encoding="utf-8")
        notebook = read_myst_markdown_notebook(with_plain_admonitions(with_absolute_links(text)))
        install = installation(notebook.metadata.pop("extras", ""))
        notebook.cells.insert(0, nbformat.v4.new_code_cell(install))
        for number, cell in enumerate(notebook.cells):
            cell["id"] = f"cell-{number}"  # by default random, so that each build would differ
        nbformat.write(notebook, folder / f"{Path(docname).name}.ipynb")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the hooks."""
    app.connect("source-read", add_links)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True}

"""Configuration of the documentation site: ``sphinx-build -W -j 2 docs docs/_build/html``, without network."""

import os
import sys
import tempfile
from pathlib import Path

from ir_coliee import __version__

project = "ir_coliee"
author = "The ir_coliee developers"
copyright = "The ir_coliee developers"
version = release = __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
extensions = [
    "catalogue",
    "myst_nb",
    "api_pages",
    "command_line",
    "measure_declarations",
    "notebooks",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "streams",
]
exclude_patterns = ["_build", "_templates", "**/README.md", "**/_*.md"]
templates_path = ["_templates"]

html_theme = "furo"
pygments_dark_style = "github-dark"  # the default underlines the names of imported modules
html_title = "ir_coliee"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "_ext" / "search_scores.js")
html_copy_source = False
html_use_index = html_domain_indices = False  # the search finds every name
html_theme_options = {
    "source_repository": "https://github.com/ir-coliee/ir_coliee/",
    "source_branch": "main",
    "source_directory": "docs/",
}

copybutton_prompt_text = "!|%%bash"  # of commands in a notebook; a terminal has none
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = False

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4  # links lead to headings, on the site as in the repository

# Notebooks are pages of text with {code-cell} blocks. They are run in an empty folder at each build.
nb_execution_mode = "cache"
nb_execution_in_temp = True
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_output_stderr = "remove"  # progress
nb_merge_streams = True  # a command prints one block of text
nb_ipywidgets_js = {}  # bars are text: no page loads a script from elsewhere
os.environ["IR_DATASETS_HOME"] = tempfile.mkdtemp()
os.environ["COLUMNS"] = "90"
os.environ["MATPLOTLIBRC"] = str(Path(__file__).parent)
os.environ["COLIEE_HOME"] = "data"  # in that folder, so that no notebook sees the builder's releases
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("PYTHONWARNINGS", "ignore::DeprecationWarning")

autodoc_typehints = "none"  # numpydoc's Parameters give the types
autodoc_member_order = "bysource"
autosummary_generate = True
numpydoc_show_class_members = False
default_role = "py:obj"  # names in docstrings lead to their descriptions

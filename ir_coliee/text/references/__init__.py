"""References of one article to others in the text of a code, Japanese and English.

An article is named by number (第五条, ``Article 5``), by position (前二条, ``the preceding Article``), as
lying between two ends (第五条から第九条まで, ``Articles 5 through 9``) or as part of a unit of the code
(前章第一節第二款, ``this Section``). What a name stands for depends on where the article that says it
stands; `ir_coliee.releases.article_references` finds that out, over all articles of a code.
"""

from ir_coliee.text.references.finding import Mention, mentions, unit_number
from ir_coliee.text.references.names import Name, Number, Range, Relative, Step, Unit
from ir_coliee.text.statutes import LEVELS

__all__ = ["LEVELS", "Mention", "Name", "Number", "Range", "Relative", "Step", "Unit", "mentions", "unit_number"]

"""References between the articles of a code, in Japanese and English text.

A reference names an article by number (第五条, ``Article 5``), by relative position (前二条, ``the preceding
Article``), as a range (第五条から第九条まで, ``Articles 5 through 9``) or as part of a unit of the code
(前章第一節第二款, ``this Section``). The articles that a relative reference denotes depend on the article that has it;
`ir_coliee.text.references.graph` resolves them over all articles of a code.
"""

from ir_coliee.text.references.finding import Mention, mentions, unit_number
from ir_coliee.text.references.grammar import Name, Number, Range, Relative, Step, Unit
from ir_coliee.text.statutes import LEVELS

__all__ = ["LEVELS", "Mention", "Name", "Number", "Range", "Relative", "Step", "Unit", "mentions", "unit_number"]

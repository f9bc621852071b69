"""Pure functions on legal text: they need no pandas and read no files."""

from typing import Literal

#: The languages of the COLIEE data: English (``en``) or Japanese (``ja``).
Language = Literal["en", "ja"]

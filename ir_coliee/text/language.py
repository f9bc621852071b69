"""The languages of the COLIEE data."""

from typing import Literal

#: English (``en``) or Japanese (``ja``).
Language = Literal["en", "ja"]

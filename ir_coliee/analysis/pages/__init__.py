"""Pages: self-contained HTML files that need no network and no JavaScript."""

from ir_coliee.analysis.pages.page import page, write_page

__all__ = ["page", "write_page"]

"""Reports: one page on runs, with figures, losses, groups, curves, the files' check and how the page was made."""

from ir_coliee.analysis.report.report import Report, report

__all__ = ["Report", "report"]

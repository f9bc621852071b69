"""Task 3: kernel ridge, translation, sibling questions, structure and past questions, learned without any download.

The recipe was developed for this package and measured on English and Japanese editions.
"""

from ir_coliee.baselines.articles.retrieval import ArticleBaseline

__all__ = ["ArticleBaseline"]

"""Scores of every article for every question by shared terms (questions x articles)."""

from __future__ import annotations

from collections.abc import Sequence

from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.engine.articles.text_scores import best_passages, counted, text_scores
from ir_coliee.engine.weightings import BM25, TfIdf
from ir_coliee.frames import Floats
from ir_coliee.text.analysers import Analysis, English, Shingles


def content_words(language: str) -> Analysis:
    """Return the analyser of content words: English words without stop words, Japanese character bigrams."""
    return "bigrams" if language == "ja" else English(stem=False)


def article_scores(collection: ArticleCollection, questions: Sequence[str]) -> dict[str, Floats]:
    """Score articles by words, word pairs, word triples, character n-grams, captions and BM25.

    Parameters
    ----------
    collection : ArticleCollection
    questions : sequence of str

    Returns
    -------
    dict of str to float64 array, questions x articles
        TF-IDF cosines, and ``bm25``. Japanese texts have character bigrams in the place of words.
    """
    texts, words = collection.texts(), content_words(collection.language)
    all_words = "bigrams" if collection.language == "ja" else "words"
    terms = {
        "words": counted(texts, words),
        "pairs": counted(texts, Shingles(2, all_words, min_df=1, max_share=1.0)),
        "triples": counted(texts, Shingles(3, all_words, min_df=1, max_share=1.0)),
        "characters": counted(texts, "characters"),
        "caption": counted([article.effective_caption for article in collection.articles], words),
    }
    cosines = {name: text_scores(counts, TfIdf(), questions) for name, counts in terms.items()}
    return {**cosines, "bm25": text_scores(terms["words"], BM25(), questions)}


def stem_scores(collection: ArticleCollection, questions: Sequence[str], stems: Analysis) -> dict[str, Floats]:
    """Score articles by BM25 of stems, and by the TF-IDF cosine of stems with headings besides (``full``).

    Parameters and result are as in `article_scores`; ``stems`` is the analyser of stems.
    """
    articles, full = counted(collection.texts(), stems), counted(collection.full_texts(), stems)
    return {
        "stems_bm25": text_scores(articles, BM25(), questions),
        "full": text_scores(full, TfIdf(), questions),
    }


def paragraph_scores(collection: ArticleCollection, questions: Sequence[str], stems: Analysis) -> dict[str, Floats]:
    """Score articles by their best paragraph: TF-IDF cosines of stems and of characters, and BM25 of stems.

    Parameters and result are as in `stem_scores`.
    """
    texts, owners = collection.passages()
    by_stems, by_characters = counted(texts, stems), counted(texts, "characters")
    scores = {
        "paragraph_stems": text_scores(by_stems, TfIdf(), questions),
        "paragraph_characters": text_scores(by_characters, TfIdf(), questions),
        "paragraph_bm25": text_scores(by_stems, BM25(), questions),
    }
    size = len(collection.articles)
    return {name: best_passages(of_texts, owners, size) for name, of_texts in scores.items()}

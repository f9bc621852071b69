"""A small code with questions of four exam years, for plain computations of what a question is scored by."""

import pandas as pd

from ir_coliee.engine.articles.collection import ArticleCollection, ArticleQuestions
from ir_coliee.releases.civil_code import Article


def article(number, caption, text, chapter="Chapter I Lamps", section=""):
    return Article(
        doc_id=number,
        caption=caption,
        effective_caption=caption,
        text=text,
        part="Part I Things",
        chapter=chapter,
        section=section,
        subsection="",
        division="",
        paragraphs=tuple(text.split("\n")),
        items=(),
        deleted=False,
    )


ARTICLES = [
    article("1", "Lending of Lamps", "(1) A lamp may be lent to a neighbour.\n(2) The neighbour returns the lamp."),
    article("2", "The Owner", "The owner of a lamp may lend the lamp.", section="Section 1 Owners"),
    article("3", "Gates", "Article 1 applies mutatis mutandis to gates.", section="Section 1 Owners"),
    article("3-2", "", "A gate is a movable, and so is a boat.", "Chapter II Gates"),
    article("4", "A Boat", "Whoever finds a boat tells the owner of the boat.", "Chapter II Gates"),
    article("5", "Keys", "A key that opens the gate belongs to the owner; Article 4 applies.", "Chapter II Gates"),
]
QUESTIONS = {
    "H98-1-A": "A lamp may be lent to a neighbour of the owner.",
    "H98-1-I": "A gate is a movable, and so is a lamp.",
    "H98-2-A": "The neighbour must return the lamp.",
    "H98-3-A": "A lamp and a gate and a boat are movables of the neighbour.",
    "H99-1-A": "The neighbour returns the lamp to the owner.",
    "H99-1-I": "A boat is a movable.",
    "R98-1-A": "The gate of a neighbour is a movable.",
    "R98-3-A": "Whoever finds a boat tells the owner of the boat.",
    "R99-1-A": "The owner lends a lamp and a boat.",
    "R99-1-I": "The key opens the gate of the owner.",
    "R99-1-U": "A lamp lent to a neighbour is returned.",
}
GOLD = {
    "H98-1-A": ["1", "2"],
    "H98-1-I": ["3-2"],
    "H98-2-A": ["1"],
    "H98-3-A": ["99"],
    "H99-1-A": ["1", "99"],  # the code lacks 99
    "H99-1-I": ["3-2"],
    "R98-1-A": ["3-2", "3"],
    "R98-3-A": ["4"],
}
TO_ANSWER = [qid for qid in QUESTIONS if qid not in GOLD]


def frame(qids):
    return pd.DataFrame({"qid": list(qids), "query": [QUESTIONS[qid] for qid in qids]})


def questions(gold=GOLD, to_answer=TO_ANSWER):
    """Three labelled exam years, each a fold of its own, and one to answer."""
    pairs = [(qid, docno, 1) for qid, docnos in gold.items() for docno in docnos]
    qrels = pd.DataFrame(pairs, columns=["qid", "docno", "label"])
    return ArticleQuestions.of(ArticleCollection(ARTICLES, "en"), frame(GOLD), qrels, frame(to_answer))

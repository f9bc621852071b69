"""Contexts of citations and their scores, computed from strings with loops and dicts, to compare the engine with."""

import math
import random
import re
from collections import Counter

import numpy as np

from ir_coliee.engine.cases.texts import TextPool, TokenSequences

MARKER = "<FRAGMENT_SUPPRESSED>"
_PIECES = re.compile(rf"({MARKER})|(?:^|(?<=\n))(\[\d+\])|([A-Za-z]+(?:'[a-z])?|\d+)")


def read(text):
    """The tokens of a text, the number of tokens before each marker and before each paragraph."""
    tokens, markers, paragraphs = [], [], []
    for marker, paragraph, token in _PIECES.findall(text):
        if marker:
            markers.append(len(tokens))
        elif paragraph:
            paragraphs.append(len(tokens))
            tokens.append(paragraph[1:-1])
        else:
            tokens.append(token.lower())
    return tokens, markers, paragraphs


def contexts(text, before, after, max_contexts=80):
    """The tokens of each context of a text."""
    tokens, markers, _ = read(text)
    citations = []
    for marker in markers:
        if citations and marker - citations[-1][1] <= 8:
            citations[-1][1] = marker
        else:
            citations.append([marker, marker])
    return [tokens[max(0, first - before) : last + after] for first, last in citations[:max_contexts]]


def pieces(text):
    """The tokens of each piece of a text."""
    tokens, _, paragraphs = read(text)
    found = []
    for first, last in zip([0, *paragraphs], [*paragraphs, len(tokens)]):
        paragraph = tokens[first:last]
        step = 200 if len(paragraph) > 300 else max(1, len(paragraph))
        found += [paragraph[start : start + step] for start in range(0, len(paragraph), step)]
    return found


def idf(df, number):
    return math.log(1 + (number - df + 0.5) / (df + 0.5))


def document_frequencies(spans):
    return Counter(term for span in spans for term in set(span))


def bm25(terms, span, spans, df, b, k1=1.2):
    mean = sum(map(len, spans)) / len(spans)
    score = 0.0
    for term in terms:
        tf = span.count(term)
        score += idf(df[term], len(spans)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(span) / mean)) if tf else 0
    return round(score, 9)  # the order of additions does not matter


def scores_of_contexts(queries, texts, later, width, against):
    """Of each query, of each context, the score of each text."""
    all_pieces = [piece for text in texts for piece in pieces(text)]
    piece_df = document_frequencies(all_pieces)
    known = {
        term
        for term, df in piece_df.items()
        if sum(map(str.isalpha, term)) >= 3 and df <= max(20, 0.05 * len(all_pieces))
    }
    candidates = [pieces(text) if against == "pieces" else [read(text)[0]] for text in texts]
    spans = [span for candidate in candidates for span in candidate]
    df, b = document_frequencies(spans), 0.5 if against == "pieces" else 0.75
    return [
        [
            [
                0.0
                if is_later
                else max((bm25(known & set(context), span, spans, df, b) for span in candidate), default=0.0)
                for candidate, is_later in zip(candidates, later_row)
            ]
            for context in contexts(query, width, width)
        ]
        for query, later_row in zip(queries, later)
    ]


def ranked(scores):
    """The numbers of those with a score, best first, ties by number."""
    return sorted((number for number, score in enumerate(scores) if score > 0), key=lambda number: -scores[number])


def reciprocal_ranks(by_context, size):
    sums = [0.0] * size
    for scores in by_context:
        for rank, text in enumerate(ranked(scores)[:50]):
            sums[text] += 1 / (rank + 3)
    return sums


def softmax(by_context, size):
    sums = [0.0] * size
    for scores in by_context:
        best = max(scores)
        if best > 0:
            shares = [math.exp(score / (0.12 * best)) for score in scores]
            sums = [total + share / sum(shares) for total, share in zip(sums, shares)]
    return sums


def aggregate(by_query, size, how):
    """The matrix of a score, queries x texts."""
    if how == "reciprocal_rank":
        return [reciprocal_ranks(by_context, size) for by_context in by_query]
    if how == "maximum":
        return [[max((row[text] for row in rows), default=0.0) for text in range(size)] for rows in by_query]
    if how == "softmax":
        return [softmax(by_context, size) for by_context in by_query]
    owners = [query for query, rows in enumerate(by_query) for _ in rows]
    matrix = [[0.0] * size for _ in by_query]
    for text in range(size):
        of_text = [row[text] for rows in by_query for row in rows]
        for rank, context in enumerate(ranked(of_text)[:20]):
            matrix[owners[context]][text] += 1 / (rank + 2)
    return matrix


def made_texts(seed=0):
    """Queries and texts: without markers, with more than 80 contexts, long, without paragraphs, empty, equal."""
    chance = random.Random(seed)
    words = [a + b + c for a in ("lam", "gat", "wel", "ro", "b") for b in "aeiou" for c in ("", "r", "st")]
    words += ["it's", "a", "o'b", "the", "12"]

    def prose(length, share=0.0):
        chosen = chance.choices(words, weights=range(len(words), 0, -1), k=length)
        return " ".join(f"{word} {MARKER}" if chance.random() < share else word for word in chosen)

    def decision(*lengths, share=0.0):
        return "\n".join(f"[{number}]\n{prose(length, share)}" for number, length in enumerate(lengths, 1))

    queries = [
        decision(40, 90, 60, share=0.03),
        "\n".join(f"[{number}]\n{prose(chance.randint(8, 14))} {MARKER}" for number in range(1, 96)),
        prose(50),
        f"{MARKER} zyx zyw {MARKER}",
        "",
        f"{prose(20)} {MARKER} {prose(3)} {MARKER} {prose(30)} {MARKER}",
    ]
    texts = [decision(*(chance.randint(3, 40) for _ in range(chance.randint(1, 5)))) for _ in range(58)]
    texts += [prose(30), "", decision(310, 20), prose(650), texts[3], texts[7], f"Header\n{texts[3]}"]
    return queries, texts


def named_texts(size, seed):
    """Short decisions of few words, names, judges, years and markers, in random order."""
    chance, judges = np.random.default_rng(seed), ("Karu", "Odd", "Tamm")
    pieces = ["Kestry", "Tammsaare", "Odd", "Lamp", "Gate", "lamp", "gate", "odd", "of", "It", MARKER, MARKER]
    pieces += ["1998", "2001", "at para. 2,", "para 9", *(f"Justice {judge}" for judge in judges)]
    pieces += [f"{judge} J.A." for judge in judges]

    def decision():
        date_line = chance.choice(["", "May 1, 1998.\n", "June 3, 2001.\n"])
        judge = chance.choice(["", *(f"{judge}, J.\n" for judge in judges)])
        paragraphs = [" ".join(chance.choice(pieces, 25)) for _ in range(chance.integers(1, 5))]
        return f"{date_line}{judge}" + "".join(f"[{n}]\n{text}\n" for n, text in enumerate(paragraphs, 1))

    return [decision() for _ in range(size)]


def pool_of(queries, texts):
    """A pool of queries and texts; each text of a list has a number of its own."""
    sequences = TokenSequences.of([*queries, *texts])
    return TextPool(sequences, np.arange(len(queries)), np.arange(len(queries), len(queries) + len(texts)))

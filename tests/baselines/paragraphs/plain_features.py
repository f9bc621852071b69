"""The features of task 2 computed again by loops and dicts, from the definitions and without the package's engine."""

import math
import re
from collections import Counter
from itertools import pairwise
from statistics import mean, pstdev

import numpy as np

from ir_coliee.text.analysers import STOP_WORDS
from ir_coliee.text.cues import rhetoric_cues


def words_of(text):
    text = re.sub(r"\w*_SUPPRESSED", " ", re.sub(r"^\s*\[\d+\]", "", text))
    return re.findall(r"[^\W_]+", text.lower())


def content_of(text):
    return [word for word in words_of(text) if word not in STOP_WORDS]


def pairs_of(text):
    content = content_of(text)
    return [*pairwise(content)]


def characters_of(text):
    found = []
    for word in content_of(text):
        padded = f" {word} "
        found += [padded[i : i + n] for n in (3, 4, 5) for i in range(len(padded) - n + 1)]
    return found


# --- vectors -------------------------------------------------------------------------------------------


def vectors(texts, paragraphs, terms_of, min_df=1):
    df = Counter(term for text in paragraphs for term in set(terms_of(text)))

    def vector(text):
        tf = Counter(term for term in terms_of(text) if df[term] >= min_df)
        weights = {t: (1 + math.log(n)) * (math.log((1 + len(paragraphs)) / (1 + df[t])) + 1) for t, n in tf.items()}
        norm = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {term: weight / norm for term, weight in weights.items()}

    return [vector(text) for text in texts]


def cosine(one, other):
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())


def latent(texts, paragraphs):
    terms = sorted({term for text in paragraphs for term in content_of(text)})
    columns = {term: column for column, term in enumerate(terms)}

    def dense(some):
        matrix = np.zeros((len(some), len(terms)))
        for row, vector in enumerate(vectors(some, paragraphs, content_of)):
            for term, weight in vector.items():
                matrix[row, columns[term]] = weight
        return matrix

    _, values, components = np.linalg.svd(dense(paragraphs), full_matrices=False)
    found = dense(texts) @ components[values > 1e-9].T  # the others are arbitrary
    return [row / norm if (norm := np.linalg.norm(row)) > 0 else row for row in found]


def bm25(query, paragraph, pool):
    lengths = [len(content_of(text)) for text in pool]
    tf = Counter(content_of(paragraph))
    norm = 1.2 * (0.25 + 0.75 * len(content_of(paragraph)) / mean(lengths))
    total = 0.0
    for term in set(content_of(query)):
        df = sum(term in content_of(text) for text in pool)
        total += math.log(1 + (len(pool) - df + 0.5) / (df + 0.5)) * tf[term] * 2.2 / (tf[term] + norm)
    return total / len(set(content_of(query)))


# --- statistics in a pool ------------------------------------------------------------------------------


def rank(values):
    return [sum(other > value for other in values) for value in values]


def z(values):
    deviation = pstdev(values)
    return [(value - mean(values)) / deviation if deviation > 1e-12 else 0.0 for value in values]


def ratio(values):
    best = max(values)
    return [0.0 if best == 0 else value / best if best > 0 else best / value for value in values]


def gap(values):
    second = sorted(values, reverse=True)[1] if len(values) > 1 else values[0]
    return [value - second for value in values]


# --- quotations ----------------------------------------------------------------------------------------


def six_grams(text):
    found = words_of(text)
    return {tuple(found[i : i + 6]) for i in range(len(found) - 5)}


def quoted(pool, base_case, decisions):
    """The eight values of each paragraph of a pool."""
    of_pool = set().union(*map(six_grams, pool))
    others = [six_grams(text) for text in decisions]
    others = [
        grams
        for grams in others
        if len(grams & of_pool) <= 0.4 * len(of_pool)
        and len(grams & six_grams(base_case)) <= 0.4 * len(six_grams(base_case))
    ]
    rows = []
    for text in pool:
        own = six_grams(text)
        if not own:
            rows.append([0.0] * 8)
            continue
        shared = [len(own & grams) for grams in others] or [0]
        held = [sum(gram in grams for grams in others) for gram in own]
        few = sum(1 <= number <= 20 for number in held)
        rows.append(
            [
                math.log1p(sum(number >= 8 for number in shared)),
                math.log1p(sum(number >= 25 for number in shared)),
                math.log1p(max(shared)),
                max(shared) / len(own),
                mean(math.log1p(min(number, 200)) for number in held),
                few / len(own),
                sum(number >= 1 for number in held) / len(own),
                math.log1p(few),
            ]
        )
    return rows


QUOTED = [
    *("decisions_sharing_8", "decisions_sharing_25", "most_shared", "share_of_most_shared"),
    *("decisions_per_ngram", "share_held_by_few", "share_held", "held_by_few"),
]


# --- paragraphs ----------------------------------------------------------------------------------------


def cue_count(text, cues):
    found = words_of(text)
    return sum(any(tuple(found[i : i + len(cue)]) == cue for cue in cues) for i in range(len(found)))


def style(text):
    plain = " ".join(re.sub(r"^\s*\[\d+\]", "", text).split())
    words = len(words_of(text)) or 1
    marks = sum(character in '"“”«»' for character in plain)
    values = {
        "log_length": math.log1p(len(plain)),
        "numbers_per_word": len(re.findall(r"\d+", plain)) / words,
        "quotation_marks": marks,
        "quotation_marks_per_word": marks / words,
        "ends_in_colon": plain.endswith(":"),
    }
    for name, cues in rhetoric_cues().items():
        values[name] = cue_count(text, cues)
        values[f"{name}_per_word"] = cue_count(text, cues) / words
    return values


def neighbours(place, word_vectors, latent_vectors):
    cosines = [cosine(word_vectors[place], other) for other in word_vectors]
    others = [value for number, value in enumerate(cosines) if number != place]
    centre = np.mean(latent_vectors, axis=0)
    return {
        "previous": cosines[place - 1] if place else 0.0,
        "next": cosines[place + 1] if place + 1 < len(cosines) else 0.0,
        "others": mean(others) if others else 0.0,
        "earlier": max(cosines[:place], default=0.0),
        "latent_mean": latent_vectors[place] @ centre / np.linalg.norm(centre),
    }


COMPARED = [
    *("log_length", "previous", "next", "others", "earlier", "latent_mean"),
    *("voice", "conclusion", "citation", "facts", "quotation_marks"),
]


def plain_features(cases, queries, decisions):
    """All features by name, one value for each paragraph."""
    paragraphs = [text for case in cases for text in case["paragraphs"]]
    found: dict[str, list[float]] = {}

    def add(name, values):
        found.setdefault(name, []).extend(values)

    for number, case in enumerate(cases):
        pool = case["paragraphs"]
        for family, texts in queries.items():
            query = texts[number]
            scores = {}
            kinds = {"words": (content_of, 1), "pairs": (pairs_of, 1)}
            if family != "base":
                kinds["characters"] = (characters_of, 3)
            for name, (terms_of, min_df) in kinds.items():
                own, *others = vectors([query, *pool], paragraphs, terms_of, min_df)
                scores[name] = [cosine(own, other) for other in others]
            own, *others = latent([query, *pool], paragraphs)
            scores["latent"] = [own @ other for other in others]
            scores["bm25"] = [bm25(query, text, pool) for text in pool]
            for name, values in scores.items():
                add(f"{family}.{name}", values)
                for kind in (ratio, rank, gap, z):
                    add(f"{family}.{name}_{kind.__name__}", kind(values))
            if family == next(iter(queries)):
                of_words = z(scores["words"])
                add(f"{family}.words_z_of_previous", [0.0, *of_words[:-1]])
                add(f"{family}.words_z_of_next", [*of_words[1:], 0.0])
        size = len(pool)
        add("places.place", range(1, size + 1))
        add("places.share_of_place", [place / size for place in range(1, size + 1)])
        add("places.places_from_end", [size - place for place in range(1, size + 1)])
        add("places.log_pool_size", [math.log1p(size)] * size)
        word_vectors, latent_vectors = vectors(pool, paragraphs, content_of), latent(pool, paragraphs)
        rows = [style(text) | neighbours(place, word_vectors, latent_vectors) for place, text in enumerate(pool)]
        for name in rows[0]:
            values = [float(row[name]) for row in rows]
            add(f"paragraph.{name}", values)
            if name in COMPARED:
                add(f"paragraph.{name}_rank", rank(values))
                add(f"paragraph.{name}_z", z(values))
        for name, values in zip(QUOTED, zip(*quoted(pool, case["base_case"], decisions))):
            add(f"quoted.{name}", values)
            add(f"quoted.{name}_rank", rank(values))
            add(f"quoted.{name}_z", z(values))
    return found

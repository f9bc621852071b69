"""Alterations of stored artifacts, each opened and used. The child process of `test_stored_artifacts` runs this file.

``python stored_attack.py KIND SEED FIRST END`` alters an artifact once for each number, and prints one line for each:
``loaded`` or ``refused``. Anything else ends the process.
"""

import contextlib
import faulthandler
import io
import json
import os
import pickle
import random
import shutil
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from mutations import Special, change_json, change_piece, read_tree, write_tree

HANG_S = 120  # an input takes milliseconds
NUMBERS = [-1, 0, 1, 5, -2, 2**31 - 1, 2**31, -(2**63), 2**63 - 1, 0.5, 1e308, np.nan, np.inf]
TYPES = ["<i1", "<i8", "<u8", ">i4", "<f4", "<f8", "<U4", "V4", "?", "<M8[s]"]


class Edit(NamedTuple):
    """A change of a file: ``how`` names it, and ``seed`` chooses its place and its value."""

    file: str
    how: str
    seed: int


class Unpickled:
    """A pickle of this writes a file when it is opened."""

    def __reduce__(self):
        return os.mkdir, (os.environ["STORED_ATTACK_RAN"],)


def changed_array(content, chance):
    """Other numbers, or another order, type or shape, in NumPy's file format."""
    array = np.lib.format.read_array(io.BytesIO(content)).copy()
    how = chance.choice(["element", "element", "shuffle", "type", "shape"])
    if how == "element" and array.size and array.dtype.kind in "iuf":
        value = np.float64(chance.choice([*NUMBERS, *array.flat[:4]]))
        with np.errstate(all="ignore"):
            array.flat[chance.randrange(array.size)] = value.astype(array.dtype)
    elif how == "shuffle":
        array = array[np.array(chance.sample(range(len(array)), len(array)), int)]
    elif how == "type":
        array = np.frombuffer(array.tobytes() * 16, chance.choice(TYPES))[: array.size]
    elif how == "shape":
        shapes = [0, array.size + 1, max(array.size - 1, 0), (2, 2), (array.size, 1), ()]
        array = np.resize(array, chance.choice(shapes))
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), allow_pickle=False)
    size = b"'shape': (%d, " % chance.choice([10**12, 2**62, -1])  # a file that says to be larger than it is
    return file.getvalue().replace(b"'shape': (", size, how == "shape" and chance.random() < 0.3)


def changed_members(content, chance):
    """Another array in NumPy's archive, or one less."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([*members])
    members[name] = chance.choice([changed_array, changed_array, pickled])(members[name], chance)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in chance.sample([*members], len(members) - chance.choice([0, 0, 1])):
            archive.writestr(name, members[name])
    return file.getvalue()


def pickled(_content, _chance):
    """A NumPy file of Python objects, which is a pickle."""
    file = io.BytesIO()
    np.lib.format.write_array(file, np.array([Unpickled()], object), allow_pickle=True)
    return file.getvalue()


HOWS = {
    "piece": change_piece,
    "json": change_json,
    "array": changed_array,
    "members": changed_members,
    "pickle": pickled,
    "plain pickle": lambda _content, _chance: pickle.dumps(Unpickled()),
    "empty": lambda _content, _chance: b"",
}
OF_SUFFIX = {".npy": "array", ".json": "json", ".npz": "members", "": "piece"}


def edits_of(kind, files, seed, number):
    """The edits of an alteration: one to three, mostly of the kind that fits the file."""
    chance = random.Random(f"{seed}/{kind}/{number}")
    edits = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        name = chance.choice(files)
        fitting = [OF_SUFFIX[Path(name).suffix]] * 6
        rare = ["pickle", "plain pickle", "empty", "pipe", "missing"] * (chance.random() < 0.2)
        edits.append(Edit(name, chance.choice([*fitting, "piece", *rare]), chance.randrange(2**32)))
    return edits


def altered(originals, edits):
    """The files of an artifact after edits. Edits that the others have made impossible are left out."""
    files = dict(originals)
    for name, how, seed in edits:
        if how == "missing":
            files.pop(name, None)
        elif how == "pipe":
            files[name] = Special("FIFO")
        elif isinstance(files.get(name), bytes):
            try:
                files[name] = HOWS[how](files[name], random.Random(seed))
            except Exception:  # an edit before it has broken the form that this one changes
                if files[name] == originals[name]:
                    raise
    return files


def mended(files):
    """The same files, with sizes in the manifest that agree with them."""
    with contextlib.suppress(AttributeError, ValueError, TypeError, KeyError):
        manifest = json.loads(files["pt_meta.json"])
        sizes = {name: len(files[name]) if isinstance(files[name], bytes) else 0 for name in manifest["files"]}
        return {**files, "pt_meta.json": json.dumps({**manifest, "files": sizes}).encode()}
    return files


# --- artifacts: how they are made, and how they are opened and used ----------------------------------

CORPUS = [
    {"docno": f"9000{number:02}%p{number % 3}", "text": text}
    for number, text in enumerate(
        ["a lamp, a gate", "a gate by the well", "the well, a lamp and a lamp", "a lamp, a gate"] * 3
    )
]


def write_index(folder):
    from ir_coliee.engine import folders
    from ir_coliee.engine.term_counts import count_terms

    folders.save(count_terms(CORPUS, "words"), folder)


def use_index(folder):
    from ir_coliee.engine.weightings import BM25
    from ir_coliee.transformers import LexicalIndex
    from ir_coliee.transformers.retrieval.paragraphs import ParagraphGroups

    index = LexicalIndex(folder)
    queries = index.query_vectors(["a lamp by the well"])
    groups = ParagraphGroups(index, BM25())
    groups.members(np.arange(len(groups.names)))
    search_everywhere(index, queries)
    search_everywhere(index, index.counts[:2])


def search_everywhere(index, queries):
    """Score all documents by each weighting and each back-end."""
    from ir_coliee.engine.pools import pool_scores
    from ir_coliee.engine.scoring import BACKENDS, top_k
    from ir_coliee.engine.weightings import (
        BM25,
        Dirichlet,
        JelinekMercer,
        SharedIdf,
        TfIdf,
        document_weights,
        query_weights,
    )

    everything = [np.arange(len(index))] * queries.shape[0]
    for weighting in (BM25(idf="robertson"), Dirichlet(), JelinekMercer(), TfIdf(), SharedIdf()):
        weights = document_weights(weighting, index.counts, index.lengths, index.collection).T.tocsr()
        vectors = query_weights(weighting, queries, index.collection)
        part = weighting.length_weights(index.lengths)
        for backend in BACKENDS:
            for ranking in top_k(vectors, weights, 5, document_part=part, backend=backend):
                assert np.isfinite(ranking.scores).all(), weighting
        for scores in pool_scores(weighting, index.counts, queries, everything, index.collection):
            assert np.isfinite(scores).all(), weighting


def write_decisions(folder):
    from ir_coliee.engine.cases.texts import CaseCollection, write

    texts = {
        document["docno"][:6]: f"Odd J.\n[1]\n{document['text']}, 2019 REFERENCE_SUPPRESSED" for document in CORPUS
    }
    folder.mkdir()
    write(CaseCollection.of(texts.items(), [("001", "[1]\nA lamp by FRAGMENT_SUPPRESSED Justice Odd")]), folder)


def use_decisions(folder):
    from ir_coliee.engine.cases.scores import EVIDENCE
    from ir_coliee.engine.cases.texts import TextPool, load

    collection = load(folder)
    texts = np.arange(len(collection.sequences))
    assert {*collection.documents.values(), *collection.queries.values()} == {*texts.tolist()}
    sequences, queries = collection.with_texts(["a lamp, a gate", "a new lamp"])
    for pool in (TextPool(sequences, queries, texts), TextPool(collection.sequences, texts, texts)):
        for name, (compute, *_) in EVIDENCE.items():
            values = compute(pool)
            assert values.shape == (len(pool.queries), len(texts)), name
            assert np.isfinite(values).all(), name


KINDS = {"index": (write_index, use_index), "decisions": (write_decisions, use_decisions)}


def main(kind, seed, first, end):
    from ir_coliee.errors import ColieeError, ColieeWarning

    faulthandler.enable()
    warnings.simplefilter("error")
    for ignored in (ColieeWarning, ResourceWarning, DeprecationWarning):
        warnings.simplefilter("ignore", ignored)
    work = Path(tempfile.mkdtemp())
    os.environ.update(COLIEE_HOME=str(work / "home"), IR_DATASETS_HOME=str(work / "parent"))
    ran = os.environ["STORED_ATTACK_RAN"] = str(work / "ran")
    (work / "home").mkdir()
    original, victim = work / "original", work / "victim"
    write, use = KINDS[kind]
    write(original)
    originals = read_tree(original)
    for number in range(int(first), int(end)):
        edits = edits_of(kind, list(originals), seed, number)
        print(number, edits, flush=True)
        faulthandler.dump_traceback_later(HANG_S, exit=True)
        shutil.rmtree(victim, ignore_errors=True)
        write_tree(mended(altered(originals, edits)), victim)
        try:
            use(victim)
        except ColieeError as error:
            assert str(error)  # noqa: PT017
            print("refused", flush=True)
        else:
            print("loaded", flush=True)
        assert not os.path.exists(ran), "a pickle was opened"
    faulthandler.cancel_dump_traceback_later()
    shutil.rmtree(work)


if __name__ == "__main__":
    main(*sys.argv[1:])

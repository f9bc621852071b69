"""Term counts from a stream of documents: the same whatever counts them, and bad input named."""

import os
import pickle
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import whole

from ir_coliee.engine import counting
from ir_coliee.engine.term_counts import count_terms
from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import ANALYSERS

TERMS = ["lamp", "gate", "well", "roof", "été", "9", "bridge"]


def corpus(documents, length, seed=0):
    rng = np.random.default_rng(seed)
    numbers = rng.permutation(documents)
    return [{"docno": f"{900000 + n}", "text": " ".join(rng.choice(TERMS, length)) + f" term{n}"} for n in numbers]


@pytest.fixture
def started(monkeypatch):
    """The worker processes that are started."""
    processes = []
    popen = subprocess.Popen
    monkeypatch.setattr(
        counting.subprocess, "Popen", lambda *given, **told: processes.append(popen(*given, **told)) or processes[-1]
    )
    return processes


@pytest.mark.slow
def test_the_counts_are_the_same_whatever_the_number_of_processes(soon_large, started):
    documents = corpus(300, 60)
    alone = whole(count_terms(documents, "words", processes=1))
    assert whole(count_terms(documents, "words", processes=3)) == alone
    assert len(started) == 3


def test_a_small_corpus_starts_no_process(started):
    count_terms(corpus(300, 60), "words", processes=8)
    assert started == []


@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.text(max_size=60), max_size=6), st.sampled_from([*ANALYSERS])
)
@settings(max_examples=40)
def test_counts_of_any_texts_equal_plain_counters(texts, analyser):
    documents = [{"docno": docno, "text": text} for docno, text in texts.items()]
    counts, docnos = count_terms(documents, analyser), sorted(texts)
    terms = [Counter(ANALYSERS[analyser](texts[docno])) for docno in docnos]
    assert (counts.docnos.tolist(), [*counts.vocabulary]) == (docnos, sorted({*chain(*terms)}))
    assert counts.counts.toarray().tolist() == [[times[term] for term in counts.vocabulary] for times in terms]
    assert counts.counts.has_sorted_indices
    assert (counts.counts.data.dtype, counts.counts.indices.dtype) == (np.int32, np.int32)


@pytest.mark.slow
def test_texts_with_anything_in_them_are_counted_in_workers_too(soon_large):
    odd = "\0lamp\x1bgate\ud800well\udfff\u2028roof\ufeffété" * 100
    documents = [{"docno": f"{n}\n\ud800", "text": odd} for n in range(20)]
    alone = count_terms(documents, "words", processes=1)
    assert whole(count_terms(documents, "words", processes=2)) == whole(alone)
    assert sorted(alone.vocabulary) == ["gate", "lamp", "roof", "well", "été"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"docno": "900001"}, "Document 900001 must have a string as text, got a value of type NoneType"),
        ({"docno": "900001", "text": b"lamp"}, "got a value of type bytes"),
        ({"docno": "900001", "text": float("nan")}, "got a value of type float"),
        ({"text": "lamp"}, "Document 1, counted from 0, must have .* docno, got a value of type NoneType"),
        ({"docno": 900001, "text": "lamp"}, "got a value of type int"),
        ("lamp", "Document 1, .* must be a dict with docno and text, got a value of type str"),
    ],
)
def test_a_document_without_a_number_or_a_text_is_named(document, message):
    with pytest.raises(ColieeError, match=message):
        count_terms([{"docno": "900000", "text": "lamp"}, document], "words")


def test_documents_that_come_twice_are_named():
    with pytest.raises(ColieeError, match=r"more than once: 900001, 900002\. Give each document once"):
        count_terms(({"docno": f"90000{number}", "text": "lamp"} for number in "213121"), "words")


@pytest.mark.slow
def test_an_error_of_the_corpus_itself_ends_the_workers(soon_large, started):

    def broken():
        yield from corpus(200, 60)
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        count_terms(broken(), "words", processes=3)
    assert [process.poll() for process in started] == [0, 0, 0]


@pytest.mark.slow
def test_a_worker_that_is_killed_is_an_error(soon_large, started):

    def stream():
        for position, document in enumerate(corpus(600, 60)):
            if position == 200:
                started[0].kill()
                started[0].wait()
            yield document

    status = 1 if os.name == "nt" else -signal.SIGKILL
    with pytest.raises(ColieeError, match=rf"A process that reads texts ended early \(exit status {status}\)"):
        count_terms(stream(), "words", processes=2)
    assert all(process.poll() is not None for process in started)


@pytest.mark.slow
def test_a_script_without_a_guard_is_not_run_again_by_its_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from ir_coliee.engine import counting, term_counts\n"
        "print('run')\n"
        "counting._BATCH = counting._SMALL = 1000\n"
        "documents = [{'docno': str(n), 'text': 'lamp gate ' * 50} for n in range(100)]\n"
        "print(int(term_counts.count_terms(documents, 'words', processes=2).counts.sum()))\n"
    )
    finished = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (finished.stdout.split(), finished.stderr) == (["run", "10000"], "")


@pytest.mark.slow
def test_what_an_analyser_prints_is_no_result(tmp_path):
    code = (
        "from ir_coliee.text import analysers\n"
        "analysers.ANALYSERS['words'] = analysers.Analyser(lambda t: print(t) or t.split(), 1)\n"
        "from ir_coliee.engine.counting import serve\n"
        "serve()\n"
    )
    task = partial(counting.count_contents, analyser="words", in_order=False), ["lamp gate"]
    finished = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(task), capture_output=True, check=True)
    assert pickle.loads(finished.stdout).vocabulary == ["lamp", "gate"]
    assert finished.stderr == b"lamp gate" + os.linesep.encode()

"""Mutated run files of every form: read, or refused by a `ColieeError` that names the file, in bounded time."""

import csv
import gzip
import io
import json
import random
import time
import warnings
from pathlib import Path

import pytest

import ir_coliee
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.runs import load_run

pytestmark = pytest.mark.slow

TASK1 = "coliee/task1/sample/test"
TASK2 = "coliee/task2/sample/test"
TASK3 = "coliee/task3/sample/en/test"
TASK4 = "coliee/task4/sample/en/test"
PILOT = "coliee/pilot/sample/prediction/test"
SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
PAIRS = [(query, item) for query in ("900656", "900795") for item in ("900557", "900754", "900912")]
ARTICLES = [(f"R99-0{n}-A", article) for n in (1, 2) for article in ("9", "12-2", "55", "566")]


def lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows).encode()


def table(rows, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows([("qid", "docno", "score", "rank", "text"), *rows])
    return file.getvalue().encode()


RANKING = lines((query, "Q0", item, rank, 9.5 - rank, "mine") for rank, (query, item) in enumerate(ARTICLES, 1))
SCORED = [(query, item, 9.5 - rank, rank, 'a "text"\nof two lines') for rank, (query, item) in enumerate(PAIRS, 1)]
ANSWER_SET = lines((*pair, "mine") for pair in PAIRS)
FORMS = {
    "answer set": (TASK1, ANSWER_SET),
    "paragraphs": (TASK2, lines(("900009", f"00{n}", "mine") for n in range(1, 6))),
    "TREC": (TASK3, RANKING),
    "long list": (TASK3, RANKING * 20),
    "answers": (TASK4, lines((f"R99-0{n}-A", "YN"[n % 2], "mine") for n in range(1, 6))),
    "two columns": (TASK1, lines(PAIRS)),
    "CSV": (TASK1, table(SCORED, ",")),
    "TSV": (TASK1, table(SCORED, "\t")),
    "semicolons": (TASK1, table(SCORED, ";")),
    "JSON lists": (TASK1, json.dumps({"900656": ["900557.txt", "900912.txt"], "900795": ["900754"]}).encode()),
    "JSON scores": (TASK1, json.dumps({"900656": {"900557": 0.5, "900912": 2}, "900795": {"900754": 1}}).encode()),
    "pilot": (PILOT, (SAMPLE / "LJPJTsample" / "test001.jsonl").read_bytes()),
    "gzip": (TASK1, gzip.compress(ANSWER_SET * 9, mtime=0)),
}
PIECES = [
    *(b"", b"\0", b"\n", b"\r", b"\t", b" ", b",", b";", b'"', b"'", b"{", b"]", b"/*", b"*/", b"\x1b[2J"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b", b"PK\x03\x04", b"\x80\x04", "第百条　".encode(), b"\xed\xa0\x80"),
    *(b"NaN", b"null", b"true", b"-1e999", b"1_0", b"0x1", b"9" * 5000, b"[" * 2000, b" " * 5000, b'"' * 999),
    *(b"qid,docno,score\n", b'{"900656": ["900557"]}', b"900656 Q0 900557 1 2.0 mine\n", b"\xe2\x80\xa8", b"\xc2\xa0"),
]


def mutated(content, chance):
    """The content after one to three changes, each of a random piece of it."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice([0, 1, 1, 2, 8, 64, len(content)]))
        piece = chance.choice([chance.choice(PIECES), bytes([chance.randrange(256)]), content[start:end] * 2])
        content = content[:start] + piece + content[end:]
    return content


def refusal(function, *arguments):
    """The message of the error of this package that a call ends in; empty if it ends well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(*arguments)
        except ColieeError as error:
            return str(error)
    return ""


@pytest.mark.parametrize("form", FORMS)
def test_a_mutated_run_is_read_or_refused(tmp_path, form, inputs_per_entity, seed):
    dataset, content = FORMS[form]
    chance = random.Random(f"{seed} {form}")
    path = tmp_path / "mutated.run"
    for number in range(inputs_per_entity):
        path.write_bytes(mutated(content, chance))
        before = time.process_time()
        loading, checking = refusal(load_run, dataset, path), refusal(validate, dataset, path)
        assert time.process_time() - before < 10, number
        for message in filter(None, (loading, checking)):
            assert str(path) in message, (number, message)
            assert len(message.split("\n")[0].replace(str(path), "")) <= 100, (number, message)
            assert not {"\x1b", "\0"} & {*message}, (number, message)
        assert loading or not checking, number

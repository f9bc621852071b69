"""The names of run files."""

import pytest

from ir_coliee.evaluation.runs import file_beside


@pytest.mark.parametrize("name", ["test.bm25", "test.bm25.trec", "test.bm25.long"])
def test_the_answers_have_the_name_of_the_run(tmp_path, name):
    assert file_beside(tmp_path / name, ".answers") is None
    (tmp_path / "test.bm25.answers").touch()
    assert file_beside(tmp_path / name, ".answers") == tmp_path / "test.bm25.answers"

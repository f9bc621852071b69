"""The references between the articles of a local release."""

import pytest

from ir_coliee.errors import ColieeError, ColieeWarning, UnknownIdError
from ir_coliee.releases.article_references import article_references


def test_an_id_without_articles_is_refused():
    with pytest.raises(ColieeError, match="coliee/task1/sample/test has no articles"):
        article_references("coliee/task1/sample/test")
    with pytest.raises(UnknownIdError):
        article_references("coliee/task3/1999/ja")


def test_a_code_without_hierarchy_says_what_it_lacks(tmp_path, monkeypatch):
    text = "<Articles><Article num='1'><caption/><text>第一条　門は、とじる。</text></Article></Articles>"
    (tmp_path / "civil.xml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    with pytest.warns(ColieeWarning, match="(?s)no parts and chapters.*129AC"):
        assert article_references("coliee/task3/2026/ja").references == ()

"""What a user types into the search of the site finds the questions, which the landing page links."""

import json

import pytest
from built_site import SITE, page, pages

pytestmark = pytest.mark.skipif(not pages(), reason="no built site: .ci/run docs builds it")

TYPED = """
install extras
windows python 3.14
get data
status missing file
wrong file
ambiguous file
zip password
memory
slow first call
another f1 micro macro
beta
cut-off items per query
ties equal scores
score 0 ids
leak train test
google colab
gpu java
own transformer
own model
significant difference
submit run
publish agreement
cite bibtex
add edition
terrier pisa colbert
""".strip().splitlines()


@pytest.fixture(scope="module")
def words_of_questions():
    """The stems of the words of the page, as the search of the site has them."""
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    number = index["docnames"].index("questions")
    return {
        stem
        for terms in (index["terms"], index["titleterms"])
        for stem, numbers in terms.items()
        if number in (numbers if isinstance(numbers, list) else [numbers])
    }


@pytest.mark.parametrize("typed", TYPED)
def test_the_words_that_a_user_types_find_the_questions(typed, words_of_questions):
    from sphinx.search.en import SearchEnglish

    language = SearchEnglish({})
    stems = {language.stem(word.lower()) for word in language.split(typed) if language.word_filter(word)}
    assert stems <= words_of_questions


def test_the_questions_are_one_click_from_the_landing_page():
    assert "questions.html" in page(SITE / "index.html").links

"""The lists of cues: data that a person edits."""

from ir_coliee.text.analysers import words
from ir_coliee.text.cues import rhetoric_cues


def test_each_list_has_distinct_cues_of_words_that_texts_have():
    lists = rhetoric_cues()
    assert len(lists) == 8
    for name, cues in lists.items():
        assert len(cues) > 10, name
        assert len(set(cues)) == len(cues), name
        assert all(cue and words(" ".join(cue)) == [*cue] for cue in cues), name


def test_a_word_that_yaml_reads_as_a_truth_value_is_a_word():
    assert ("no",) in rhetoric_cues()["negation"]

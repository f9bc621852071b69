"""The learned baseline of task 1: candidates and features within pools that are built as the organisers build tests.

Its steps can be used one by one::

    recipe, features = case_recipe("lean")
    search = CaseSearch(split, training_data(split), features)
    scored = held_out(recipe, search.train_blocks(), gold)
    answers = scored.cutoff(fit(scored).run(search.block()))
"""

from ir_coliee.baselines.cases.retrieval import CaseSearch, case_recipe, prepare_cases

__all__ = ["CaseSearch", "case_recipe", "prepare_cases"]

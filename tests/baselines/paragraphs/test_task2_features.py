"""All features of task 2 equal those that are computed again by loops."""

import pytest
from baselines.paragraphs.plain_features import plain_features

from ir_coliee.baselines import paragraphs
from ir_coliee.baselines.paragraphs import Role
from ir_coliee.datasets.folds import FragmentCases

pytest.importorskip("sklearn")

RULE = "a bailee who lends a lamp to another must return it lit and undamaged unless the sea has taken it away"
BEES = "the officer refused the permit since the bees were not registered under section 12 of the Bees Act in 2098"
CASES = [
    {
        "fragment": "The lamp must be returned lit.",
        "base_case": f"[1]\nOn loans FRAGMENT_SUPPRESSED holds that {RULE}.\n[2]\nThe lamp must be returned lit. Yes.",
        "paragraphs": [
            "[1]\nThe applicant submits that the lamp was lent at the gate in 2097 and 2098.",
            f'[2]\nI find, "as it was held in 2090", that {RULE}.',
            "[3]\nTherefore the application is dismissed with costs. The lamp, the lamp and the lamp:",
            "[4]\nNo.",
        ],
    },
    {
        "fragment": "Bees must be registered.",
        "base_case": f"[1]\nBees must be registered.\n[2]\nAs to bees, {BEES}: see FRAGMENT_SUPPRESSED at para 7.",
        "paragraphs": [
            f"[1]\nIn my view {BEES} and the lamp was lit.",
            "[2]\nThe respondent argues that bees are not lamps, and that the Act does not say so.",
            "[3]\nI agree. The officer who refused the permit of the respondent was not asked to.",
        ],
    },
    {
        "fragment": "The gate was shut.",
        "base_case": "[1]\nThe gate was shut. FRAGMENT_SUPPRESSED says that a gate is shut when the lamp is lit.",
        "paragraphs": [
            "[1]\nThe gate was not shut when the officer of the board returned with the lamp and the permit."
        ],
    },
]
DECISIONS = [
    f"[1]\nWe said before that {RULE}. It was late.",
    f"[1]\nOthers said that {RULE}; and {BEES} too.",
    "[1]\nThe gate was not shut when the officer of the board came.",
    " ".join(text for text in CASES[1]["paragraphs"]),  # the noticed case of the second
    CASES[0]["base_case"],  # the base case of the first
]


def pools_of(cases):
    return FragmentCases(
        [f"9{number}" for number in range(len(cases))],
        [case["fragment"] for case in cases],
        [case["base_case"] for case in cases],
        [f"9{number}_{place}" for number, case in enumerate(cases) for place, _ in enumerate(case["paragraphs"])],
        [text for case in cases for text in case["paragraphs"]],
        [len(case["paragraphs"]) for case in cases],
    )


NEAR, FAR = Role(3, [1, 2, 3]), Role(3, [1, 400, 500])


def table_of(cases, role, *, delete_fragment=True, decisions=None):
    pools = pools_of(cases)
    queries = role.query_texts(pools, delete_fragment=delete_fragment)
    return paragraphs.case_features(pools, queries, decisions), queries


@pytest.mark.parametrize("role", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("decisions", [DECISIONS, None], ids=["decisions", "base cases"])
def test_every_feature_equals_a_plain_computation(role, decisions):
    table, queries = table_of(CASES, role, decisions=decisions)
    expected = plain_features(CASES, queries, decisions or [case["base_case"] for case in CASES])
    assert set(table.names) == set(expected)
    for name, values in expected.items():
        assert table.column(name).tolist() == pytest.approx(values, abs=1e-6), name

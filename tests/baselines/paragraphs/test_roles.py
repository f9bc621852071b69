"""Near and far fragments: the role of a split, and the texts of its queries."""

import pytest

from ir_coliee.baselines.paragraphs import Role
from ir_coliee.datasets.folds import FragmentCases

FAR = f"On loans FRAGMENT_SUPPRESSED applies. {'It was late. ' * 200}The lamp is lent."
NEAR = "On loans FRAGMENT_SUPPRESSED applies. The lamp is lent."


def cases(*base_cases):
    number = len(base_cases)
    return FragmentCases(
        [*map(str, range(number))],
        ["The lamp is lent."] * number,
        [*base_cases],
        [f"{case}_1" for case in range(number)],
        ["A lamp."] * number,
        [1] * number,
    )


def role_of(*base_cases):
    return Role.of(cases(*base_cases))


@pytest.mark.parametrize(
    ("distances", "is_far"), [([300], False), ([301], True), ([0, 301, 900], True), ([0, 300, 302], False), ([], False)]
)
def test_fragments_are_far_if_the_median_distance_is_above_300(distances, is_far):
    assert Role(9, distances).is_far is is_far


def test_the_role_is_shown_with_its_reason():
    role = role_of(FAR, FAR, NEAR, "", "The lamp is lent.")
    assert role.is_far
    assert str(role) == (
        "fragments count as far: median distance 2,610 characters to the nearest suppressed citation "
        "(far: more than 300; found in 3 of 5 cases)"
    )
    assert "none was found in a base case with a suppressed citation" in str(role_of("", "The lamp is lent."))


def test_far_fragments_are_deleted_from_train_cases_and_near_ones_never():
    both = cases(FAR, NEAR)
    far, near = role_of(FAR), role_of(NEAR)
    deleted, kept = (far.query_texts(both, delete_fragment=delete) for delete in (True, False))
    assert [*deleted] == [*kept] == ["windows", "base"]
    assert all("lamp" in text for texts in kept.values() for text in texts)
    assert not any("lamp" in text for texts in deleted.values() for text in texts)
    assert deleted["base"][1] == deleted["windows"][1].split(" On ")[0] == "On loans applies."
    assert kept["base"][0] == " ".join(FAR.replace("FRAGMENT_SUPPRESSED", "").split())
    of_near = near.query_texts(both, delete_fragment=True)
    assert of_near["fragment"] == ["The lamp is lent."] * 2
    assert of_near["windows"][1] == "On loans applies. The lamp is lent."
    assert len(of_near["windows"][0]) < 750


def test_a_fragment_without_a_base_case_stands_alone():
    assert role_of("").query_texts(cases(""), delete_fragment=True) == {
        "fragment": ["The lamp is lent."],
        "windows": ["The lamp is lent."],
    }

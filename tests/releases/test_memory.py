"""The memory of readers, and how it is cleared."""

from ir_coliee.releases.files import forget, remember


def test_a_reader_is_asked_once_until_all_is_forgotten():
    read = []

    @remember(2)
    def reader(place: str, stamp: int) -> str:
        read.append((place, stamp))
        return f"{place} in state {stamp}"

    assert [reader("a", 1), reader("a", 1), reader("a", 2)] == ["a in state 1", "a in state 1", "a in state 2"]
    assert read == [("a", 1), ("a", 2)]
    forget()
    assert reader("a", 1) == "a in state 1"
    assert read == [("a", 1), ("a", 2), ("a", 1)]


def test_the_results_asked_for_longest_ago_are_not_kept():
    read = []

    @remember(1)
    def reader(place: str) -> str:
        read.append(place)
        return place

    for place in ("a", "a", "b", "a"):
        reader(place)
    assert read == ["a", "b", "a"]

"""`draw`: mutations of a data folder, drawn at random; the same seed gives the same mutations.

tree = read_tree(folder)
mutations = draw(tree, "seed", pattern=r"labels")
mutated = apply(mutations, tree)
"""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from byte_mutations import ByteMutation
from file_trees import TREE_MUTATIONS, Tree, TreeMutation
from structure_mutations import mutations_of


class Mutation(NamedTuple):
    """A change of one file, or of the folders above it."""

    place: str
    change: ByteMutation | TreeMutation
    seed: int

    def apply(self, tree: Tree) -> None:
        """Change a tree; nothing happens if the file is no longer there."""
        chance = Random(self.seed)
        content = tree.get(self.place)
        if content is None:
            return
        if self.change in TREE_MUTATIONS:
            self.change(tree, self.place, chance)
        elif isinstance(content, bytes):
            tree[self.place] = self.change(content, chance)

    def __repr__(self) -> str:
        return f"{self.change.__name__}({self.place!r}, {self.seed})"


def apply(mutations: Sequence[Mutation], tree: Tree) -> Tree:
    """Return a mutated tree."""
    mutated = dict(tree)
    for mutation in mutations:
        mutation.apply(mutated)
    return mutated


def changed_places(mutated: Tree, tree: Tree) -> list[str]:
    """Return the paths of the files that differ between two trees."""
    return sorted(place for place in {*mutated, *tree} if mutated.get(place) != tree.get(place))


def draw(tree: Tree, seed: str, *, pattern: str = "", share_of_folders: float = 0.1) -> list[Mutation]:
    """Return one to three mutations, which change the tree.

    Parameters
    ----------
    tree : dict
    seed : str
        Equal seeds give equal mutations.
    pattern : str
        Only files whose path matches are changed.
    share_of_folders : float
        The share of mutations of files and folders as a whole, among those of their contents.
    """
    chance = Random(seed)
    groups: dict[str, list[str]] = {}  # files whose names differ by numbers alone are alike
    for place in sorted(tree):
        if re.search(pattern, place):
            groups.setdefault(re.sub(r"\d+", "0", place), []).append(place)
    while True:
        mutations = []
        for _ in range(chance.choice([1, 1, 1, 1, 2, 3])):
            place = chance.choice(groups[chance.choice([*groups])])
            of_tree = chance.random() < share_of_folders
            change = chance.choice(TREE_MUTATIONS if of_tree else mutations_of(place))
            mutations.append(Mutation(place, change, chance.getrandbits(32)))
        if apply(mutations, tree) != tree:
            return mutations

"""`Tree`: the files of a data folder in memory, and mutations of its files and folders."""

import os
import re
import shutil
import stat
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple


class Special(NamedTuple):
    """What is no readable file: ``folder``, ``link`` to a relative path, ``FIFO``, or ``unreadable``."""

    kind: str
    target: str = ""


#: The content of each file by its relative path.
Tree = dict[str, bytes | Special]


def read_tree(folder: Path) -> Tree:
    """Read the files below a folder, caches left out."""
    tree: Tree = {}
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if ".cache" in path.parts:
            continue
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            tree[place] = Special("link", os.readlink(path))
        elif stat.S_ISFIFO(mode):
            tree[place] = Special("FIFO")
        elif stat.S_ISDIR(mode):
            if not any(path.iterdir()):
                tree[place] = Special("folder")
        elif mode & 0o777 == 0:
            tree[place] = Special("unreadable")
        else:
            tree[place] = path.read_bytes()
    return tree


def write_tree(tree: Tree, folder: Path) -> None:
    """Write files into a folder that does not exist."""
    folder.mkdir()
    made = {folder}
    for place, content in tree.items():
        path = folder / place
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif content.kind == "folder":
            path.mkdir(exist_ok=True)
        elif content.kind == "link":
            path.symlink_to(content.target)
        elif content.kind == "FIFO":
            os.mkfifo(path)
        else:
            path.touch(0)


def remove_tree(folder: Path) -> None:
    """Remove a folder and all its files."""
    shutil.rmtree(folder)


# --- mutations: each takes the tree, the path of a file and a source of randomness, and changes the tree ----------

TreeMutation = Callable[[Tree, str, Random], None]

_SPECIAL = [Special("folder")]
if sys.platform != "win32":
    _SPECIAL += [Special("link", target) for target in (".", "..", "missing", "/dev/null", "/")]
    _SPECIAL += [Special("FIFO"), Special("unreadable")]


def _names(name: str, chance: Random) -> list[str]:
    """Return other names for a file or folder."""
    stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
    other_digits = re.sub(r"\d", lambda digit: chance.choice("0123456789"), stem)
    names = [name.swapcase(), stem, f"{name}{dot}{suffix}", f"{stem} (1){dot}{suffix}", f"clean_{name}", f".{name}"]
    names += [
        f"{other}{dot}{suffix}" for other in (other_digits, f"0{stem}", stem.lstrip("0") or "0", f"Copy of {stem}")
    ]
    names += [name.translate({ord("1"): "１", ord("0"): "０"}), unicodedata.normalize("NFD", f"é{name}"), f"{name}.zip"]
    names += [f"{stem}.{other}" for other in ("json", "xml", "txt", "jsonl", "bak")]
    if sys.platform == "linux":
        names += [f"{name} ", f"{stem}\n{dot}{suffix}", os.fsdecode(b"\xff") + name, f"{stem}\x1b[2J{dot}{suffix}"]
    return [other for other in names if other not in (name, "", ".", "..")]


def _is_free(tree: Tree, place: str) -> bool:
    """Return whether a file can be written at a place: nothing is there, above it or below it."""
    parents = {place.rsplit("/", depth)[0] for depth in range(1, place.count("/") + 1)}
    return not (parents & tree.keys()) and not any(f"{other}/".startswith(f"{place}/") for other in tree)


def _put(tree: Tree, place: str, content: bytes | Special) -> None:
    if _is_free(tree, place):
        tree[place] = content


def rename_file(tree: Tree, place: str, chance: Random) -> None:
    """Give the file another name."""
    folder, slash, name = place.rpartition("/")
    _put(tree, f"{folder}{slash}{chance.choice(_names(name, chance))}", tree.pop(place))


def empty_file(tree: Tree, place: str, chance: Random) -> None:
    """Leave nothing in the file, or blanks."""
    tree[place] = chance.choice([b"", b"\n", b" ", b"\xef\xbb\xbf", b"\0" * 4096])


def remove_file(tree: Tree, place: str, chance: Random) -> None:
    """Remove the file."""
    del tree[place]


def move_file(tree: Tree, place: str, chance: Random) -> None:
    """Move the file into the folder of another one, or into a new one."""
    name = place.rpartition("/")[2]
    folders = [*dict.fromkeys(other.rpartition("/")[0] for other in sorted(tree))]
    folder = chance.choice([*folders, f"{place}_", f"{place.rpartition('/')[0] or 'new'}/new"])
    _put(tree, f"{folder}/{name}".lstrip("/"), tree.pop(place))


def double_file(tree: Tree, place: str, chance: Random) -> None:
    """Put the file, or a changed one, beside itself under another name, or into another folder."""
    content = tree[place]
    if chance.random() < 0.5 and isinstance(content, bytes):
        content += b"\n"
    folder, slash, name = place.rpartition("/")
    folders = [*dict.fromkeys(other.rpartition("/")[0] for other in sorted(tree)), f"{folder}{slash}new"]
    other = f"{folder}{slash}{chance.choice(_names(name, chance))}"
    _put(tree, chance.choice([other, f"{chance.choice(folders)}/{name}".lstrip("/")]), content)


def exchange_files(tree: Tree, place: str, chance: Random) -> None:
    """Exchange the contents of the file and of another one."""
    other = chance.choice(sorted(tree))
    tree[place], tree[other] = tree[other], tree[place]


def replace_file(tree: Tree, place: str, chance: Random) -> None:
    """Put a folder, a link, a FIFO or an unreadable file in place of the file."""
    tree[place] = chance.choice([*_SPECIAL, *([Special("link", chance.choice(sorted(tree)))] * (len(_SPECIAL) > 1))])


def change_folder(tree: Tree, place: str, chance: Random) -> None:
    """Rename, remove, repeat or flatten one of the folders of the file."""
    folders = place.split("/")[:-1]
    if not folders:
        return
    depth = chance.randrange(len(folders))
    above, name = folders[:depth], folders[depth]
    old = "/".join([*above, name]) + "/"
    within = {path: content for path, content in tree.items() if path.startswith(old)}
    change = chance.choice(["rename", "remove", "repeat", "flatten"])
    if change != "repeat":
        for path in within:
            del tree[path]
    if change == "remove":
        return
    new = "/".join([*above] if change == "flatten" else [*above, chance.choice(_names(name, chance))])
    for path, content in within.items():
        _put(tree, f"{new}/{path.removeprefix(old)}".lstrip("/"), content)


TREE_MUTATIONS: tuple[TreeMutation, ...] = (
    *(rename_file, rename_file, empty_file, remove_file, move_file, double_file, double_file),
    *(exchange_files, replace_file, replace_file, change_folder),
)

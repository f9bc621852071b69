"""`mutated`: data folders in which a few files are damaged, as hypothesis draws and shrinks them.

A tree has the content of each file by its relative path. A mutation changes a tree at the path of a file.
"""

import io
import json
import os
import re
import struct
import sys
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st


class Special(NamedTuple):
    """What is no readable file: ``folder``, ``link`` to a relative path, or ``FIFO``."""

    kind: str
    target: str = ""


Tree = dict[str, bytes | Special]
ByteMutation = Callable[[bytes, Random], bytes]
TreeMutation = Callable[[Tree, str, Random], None]


def read_tree(folder: Path) -> Tree:
    """Read the files below a folder, caches left out."""
    tree: Tree = {}
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if ".cache" in path.parts:
            continue
        if path.is_symlink():
            tree[place] = Special("link", os.readlink(path))
        elif path.is_fifo():
            tree[place] = Special("FIFO")
        elif path.is_file():
            tree[place] = path.read_bytes()
        elif not any(path.iterdir()):
            tree[place] = Special("folder")
    return tree


def write_tree(tree: Tree, folder: Path) -> None:
    """Write files into a folder that does not exist."""
    folder.mkdir()
    for place, content in tree.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif content.kind == "link":
            path.symlink_to(content.target)
        elif content.kind == "FIFO":
            os.mkfifo(path)
        else:
            path.mkdir(exist_ok=True)


# --- bytes of any file -----------------------------------------------------------------------------

_STUMBLING = [
    *(b"\0", b"\0" * 512, b"\xef\xbb\xbf", b"\xff\xfe", b"\x80", b"\xed\xa0\x80", b"\x1b[31m", b"\r\n", b"\r", b"\t"),
    *(b"\\ud800", b"\\u0000", b"\\", b'"', b"'", b"-1e999", b"NaN", b"9" * 5_000, b"0x1F", b"null", b"true", b"../../"),
    *(b"[" * 20_000, b'{"a":' * 5_000, b"<a>" * 100, b"]", b"}", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<<<<<<< HEAD"),
    *("\u2028\u3000\x85\u202e\u200be\u0301İ", "１２３", "百二十三", "第百条　", "第百条の二", "٣²"),
]
STUMBLING = [piece.encode() if isinstance(piece, str) else piece for piece in _STUMBLING]
_WORD = re.compile(rb"[\w-]+")


def _span(content: bytes, chance: Random) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + chance.choice([1, 1, 2, 3, 8, 64, 500, len(content)]))


def change_piece(content: bytes, chance: Random) -> bytes:
    """Cut out, repeat, overwrite, or change the case or the digits of a piece."""
    start, end = _span(content, chance)
    piece = content[start:end]
    digits = {ord(digit): chance.choice("0123456789０一٣") for digit in "0123456789"}
    written = [b"", piece * 2, piece * 20, chance.randbytes(min(len(piece), 64)), piece.swapcase()]
    written.append(piece.decode(errors="surrogateescape").translate(digits).encode(errors="surrogateescape"))
    return content[:start] + chance.choice(written) + content[end:]


def insert(content: bytes, chance: Random) -> bytes:
    """Insert what parsers stumble over, or put it in place of a word."""
    at = chance.randrange(len(content) + 1)
    word = _WORD.search(content, at) if chance.random() < 0.5 else None
    start, end = word.span() if word else (at, at)
    return content[:start] + chance.choice(STUMBLING) + content[end:]


def change_lines(content: bytes, chance: Random) -> bytes:
    """Leave out, repeat, move or indent a line, exchange two, cut off the rest, or end all lines in another way."""
    lines = content.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    line = lines[at]
    ends = [b"\r\n", b"\r", b"\n\n", "\u2028".encode(), b""]
    changes = [
        lines[:at] + lines[at + 1 :],
        [*lines[:at], line, *lines[at:]],
        [*lines[:other], line, *lines[other:]],
        [*lines[:at], "　".encode() + line, *lines[at + 1 :]],
        lines[:at],
        [chance.choice(ends).join(lines)],
    ]
    return b"\n".join(chance.choice(changes))


def change_encoding(content: bytes, chance: Random) -> bytes:
    """Encode the text in another way, or end it with NUL bytes as after a power failure."""
    encoding = chance.choice(["utf-16", "utf-16-le", "utf-8-sig", "shift_jis", "euc_jp", "latin-1", "NUL"])
    if encoding == "NUL":
        return content[:-9] + b"\0" * chance.choice([9, 4096])
    return content.decode(errors="replace").encode(encoding, errors="replace")


# --- structures ------------------------------------------------------------------------------------

_VALUES = [
    *(None, True, 0, -1, 1.5, 10**400, float("nan"), "", " ", "\ud800", "\0", "900001", "9" * 5_000),
    *("900001.txt,900002.txt", [], {}, [[]], [None], {"": ""}, ["\ud800"], {"\ud800": []}),
]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of each value within a value."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def change_json(content: bytes, chance: Random) -> bytes:
    """Replace, leave out, rename or nest a value; a line of JSON Lines is chosen first."""
    lines = [content] if content.count(b"\n{") < 2 else content.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        root = [json.loads(lines[at])]
    except (ValueError, RecursionError):
        return content
    places = list(_places(root))
    (container, key), (other, other_key) = chance.choice(places), chance.choice(places)
    change = chance.choice(["replace", "replace", "exchange", "leave out", "rename", "nest"])
    if change == "replace":
        container[key] = chance.choice(_VALUES)
    elif change == "exchange":
        container[key] = json.loads(json.dumps(other[other_key]))
    elif change == "leave out" and container is not root:
        del container[key]
    elif change == "rename" and isinstance(container, dict):
        container[chance.choice(["", key.upper(), f"{key} ", f"{key}.txt", "\ud800", "0" + key])] = container.pop(key)
    elif change == "nest":
        for _ in range(chance.choice([1, 2, 300])):
            container[key] = [container[key]]
    lines[at] = json.dumps(root[0], ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
    return b"\n".join(lines)


_XML = re.compile(rb"<(\w+)[^<>]*>(?:[^<]*</\1>)?|\s\w+=(?:\"[^\"<>]*\"|'[^'<>]*')", re.DOTALL)


def change_xml(content: bytes, chance: Random) -> bytes:
    """Leave out, repeat, nest, rename, comment or exchange an element, a tag or an attribute."""
    found = [_XML.search(content, chance.randrange(len(content) + 1)) or _XML.search(content) for _ in range(2)]
    if found[0] is None or found[1] is None:
        return content
    one, other = found[0], found[1][0]
    name = chance.choice([b"x", b"article", b"t1", b"t2", b"pair", b"Article", b"Rt", b"id"])
    nested = b"<x>" * 60 + one[0] + b"</x>" * 60
    written = [b"", one[0] * 2, nested, other, b"<!--" + one[0] + b"-->", re.sub(rb"\w+", name, one[0], count=1)]
    written += [re.sub(rb"=.*", b'="%b"' % value, one[0]) for value in (b"", b"9" * 5_000, b"&#10;", b"&#x2028;")]
    return content[: one.start()] + chance.choice(written) + content[one.end() :]


_RECORDS = {
    b"PK\1\2": (6, 8, 10, 16, 20, 24, 28, 38, 42),
    b"PK\3\4": (6, 8, 14, 18, 22, 26),
    b"PK\5\6": (8, 10, 12, 16),
}


def change_zip_record(content: bytes, chance: Random) -> bytes:
    """Change a number in a record of an archive: flags, method, check sum, size, attributes, place."""
    signature = chance.choice([*_RECORDS])
    starts = [match.start() for match in re.finditer(re.escape(signature), content)]
    if not starts:
        return content
    start = chance.choice(starts) + chance.choice(_RECORDS[signature])
    known = int.from_bytes(content[start : start + 4], "little")
    numbers = [0, 1, 8, 9, 12, 14, 99, known + 1, known - 1, known * 2, 2**32 - 1, 0xA1FF << 16]
    return content[:start] + struct.pack("<Q", chance.choice(numbers) % 2**32)[:4] + content[start + 4 :]


def change_zip_entry(content: bytes, chance: Random) -> bytes:
    """Change the content or the name of an entry, leave it out or repeat it, and write the archive again."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # the archive is damaged or has a password
        return content
    if not entries:
        return content
    at = chance.randrange(len(entries))
    name, data = entries[at]
    other_name = chance.choice(["../", "/", "C:\\", "..\\", "é", "__MACOSX/", ".", "\n", "a/" * 60, "//", "１"]) + name
    changed = chance.choice(mutations_of(name))(data, chance)
    changes = [[(name, changed)], [(other_name, data)], [], [(name, data), (name, changed)]]
    entries[at : at + 1] = chance.choice([*changes, [(f"{name}.zip", content)], [(f"{name}/", b"")]])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.NameToInfo.pop(name, None)  # zipfile would warn of a repeated name
            archive.writestr(zipfile.ZipInfo(name), data)
    return packed.getvalue()


_ANY = (change_piece, change_piece, insert, insert, change_lines, change_encoding)
_OF_SUFFIX = {
    ".json": (change_json,) * 6,
    ".jsonl": (change_json,) * 6,
    ".xml": (change_xml,) * 6,
    ".zip": (change_zip_record, change_zip_entry) * 6,
}


def mutations_of(name: str) -> tuple[ByteMutation, ...]:
    """Return the mutations of a file's content by its name."""
    return _ANY + _OF_SUFFIX.get(os.path.splitext(name)[1].lower(), ())


# --- files and folders -----------------------------------------------------------------------------


def _names(name: str, chance: Random) -> list[str]:
    """Return other names for a file or folder."""
    stem, suffix = os.path.splitext(name)
    digits = re.sub(r"\d", lambda digit: chance.choice("0123456789"), stem)
    names = [name.swapcase(), stem, f"{stem} (1){suffix}", f"clean_{name}", f".{name}", f"{name}.zip"]
    names += [f"{other}{suffix}" for other in (digits, f"0{stem}", stem.lstrip("0") or "0", f"Copy of {stem}")]
    names += [name.translate({ord("1"): "１"}), unicodedata.normalize("NFD", f"é{name}")]
    names += [f"{stem}.{other}" for other in ("json", "xml", "txt", "jsonl", "bak")]
    if sys.platform == "linux":
        names += [f"{name} ", f"{stem}\n{suffix}", os.fsdecode(b"\xff") + name, f"{stem}\x1b[2J{suffix}"]
    return [other for other in names if other not in (name, "", ".", "..")]


def _put(tree: Tree, place: str, content: bytes | Special) -> None:
    """Add a file, unless something is there, above it or below it."""
    above = {place.rsplit("/", depth)[0] for depth in range(1, place.count("/") + 1)}
    if not above & tree.keys() and not any(f"{other}/".startswith(f"{place}/") for other in tree):
        tree[place] = content


def change_file(tree: Tree, place: str, chance: Random) -> None:
    """Rename, remove, move or repeat a file, or exchange its content with another one."""
    folder, slash, name = place.rpartition("/")
    other = chance.choice(sorted(tree))
    new = f"{folder}{slash}{chance.choice(_names(name, chance))}"
    moved = f"{other.rpartition('/')[0]}/{name}".lstrip("/")
    change = chance.choice(["rename", "remove", "move", "repeat", "repeat elsewhere", "exchange"])
    if change == "exchange":
        tree[place], tree[other] = tree[other], tree[place]
    elif change.startswith("repeat"):
        _put(tree, new if change == "repeat" else moved, tree[place])
    else:
        content = tree.pop(place)
        if change != "remove":
            _put(tree, new if change == "rename" else moved, content)


def replace_file(tree: Tree, place: str, chance: Random) -> None:
    """Put nothing, a folder, a link or a FIFO in place of a file."""
    specials: list[bytes | Special] = [b"", b"\n", b"\0" * 4096, Special("folder")]
    if sys.platform != "win32":
        targets = (".", "..", "missing", "/dev/null", "/", chance.choice(sorted(tree)))
        specials += [Special("FIFO"), *(Special("link", target) for target in targets)]
    tree[place] = chance.choice(specials)


def change_folder(tree: Tree, place: str, chance: Random) -> None:
    """Rename, remove or repeat one of the folders of a file."""
    *folders, _ = place.split("/")
    if not folders:
        return
    depth = chance.randrange(len(folders))
    old = "/".join(folders[: depth + 1])
    new = "/".join([*folders[:depth], chance.choice(_names(folders[depth], chance))])
    within = {path: content for path, content in tree.items() if path.startswith(f"{old}/")}
    change = chance.choice(["rename", "remove", "repeat"])
    if change != "repeat":
        for path in within:
            del tree[path]
    if change != "remove":
        for path, content in within.items():
            _put(tree, new + path.removeprefix(old), content)


_OF_TREES: tuple[TreeMutation, ...] = (change_file, change_file, replace_file, change_folder)


class Mutation(NamedTuple):
    """A change of one file, or of the folders above it."""

    place: str
    of_tree: bool
    seed: int

    def apply(self, tree: Tree) -> None:
        """Change a tree; nothing happens if the file is no longer there."""
        chance = Random(self.seed)
        content = tree.get(self.place)
        if self.of_tree and content is not None:
            chance.choice(_OF_TREES)(tree, self.place, chance)
        elif isinstance(content, bytes):
            tree[self.place] = chance.choice(mutations_of(self.place))(content, chance)


def applied(mutations: list[Mutation], tree: Tree) -> Tree:
    """Return a mutated tree."""
    tree = dict(tree)
    for mutation in mutations:
        mutation.apply(tree)
    return tree


def mutated(tree: Tree, pattern: str = "", share_of_folders: float = 0.1) -> st.SearchStrategy[list[Mutation]]:
    """Draw one to three mutations, of the files whose path matches."""
    alike: dict[str, list[str]] = {}  # files whose names differ by numbers alone
    for place in sorted(tree):
        if re.search(pattern, place):
            alike.setdefault(re.sub(r"\d+", "0", place), []).append(place)
    places = st.sampled_from([*alike.values()]).flatmap(st.sampled_from)
    of_tree = st.integers(1, 100).map(lambda number: number > 100 - 100 * share_of_folders)
    return st.lists(st.builds(Mutation, places, of_tree, st.integers(0, 2**32 - 1)), min_size=1, max_size=3)

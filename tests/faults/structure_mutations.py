"""Mutations of the structure of a file: values of JSON, elements of XML, records of ZIP archives.

Each takes the content and a source of randomness, and returns the mutated content. Content that has no such structure,
or no longer, is returned unchanged.
"""

import io
import json
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from byte_mutations import BYTE_MUTATIONS, ByteMutation

# --- JSON ------------------------------------------------------------------------------------------

_VALUES = [
    *(None, True, False, 0, -1, 1.5, 10**400, float("nan"), float("-inf"), "", " ", "\ud800", "\0", "\n", "900001"),
    *("9" * 5_000, "900001.txt,900002.txt", [], {}, [[]], [None], {"": ""}, [{}], ["\ud800"], {"\ud800": []}),
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
    container, key = chance.choice(places)
    change = chance.choice(["replace", "replace", "exchange", "leave out", "rename", "nest", "into list"])
    if change == "replace":
        container[key] = chance.choice(_VALUES)
    elif change == "exchange":
        other, other_key = chance.choice(places)
        container[key] = json.loads(json.dumps(other[other_key]))
    elif change == "leave out" and container is not root:
        del container[key]
    elif change == "rename" and isinstance(container, dict):
        container[chance.choice(["", key.upper(), f"{key} ", f"{key}.txt", "\ud800", "0" + key])] = container.pop(key)
    elif change == "nest":
        for _ in range(chance.choice([1, 2, 300])):
            container[key] = chance.choice([[container[key]], {"a": container[key]}])
    elif change == "into list":
        container[key] = [container[key], container[key]]
    lines[at] = json.dumps(root[0], ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
    return b"\n".join(lines)


# --- XML -------------------------------------------------------------------------------------------

_TAG = re.compile(rb"<(/?)(\w+)([^<>]*)>")
_ELEMENT = re.compile(rb"<(\w+)[^<>]*>.*?</\1>", re.DOTALL)
_ATTRIBUTE = re.compile(rb"\s(\w+)=(\"[^\"<>]*\"|'[^'<>]*')")


def _replaced(content: bytes, match: re.Match[bytes], written: bytes) -> bytes:
    return content[: match.start()] + written + content[match.end() :]


def _chosen(pattern: re.Pattern[bytes], content: bytes, chance: Random) -> re.Match[bytes] | None:
    """Return a match at or after a random place, or else the first."""
    return pattern.search(content, chance.randrange(len(content) + 1)) or pattern.search(content)


def change_element(content: bytes, chance: Random) -> bytes:
    """Leave out, repeat, nest, empty or exchange an element."""
    one, other = _chosen(_ELEMENT, content, chance), _chosen(_ELEMENT, content, chance)
    if one is None or other is None:
        return content
    tag = one[1]
    written = {
        "leave out": b"",
        "repeat": one[0] * 2,
        "nest": b"<%b>%b</%b>" % (tag, one[0], tag),
        "nest deeply": b"<%b>" % tag * 60 + one[0] + b"</%b>" % tag * 60,
        "empty": b"<%b/>" % tag,
        "exchange": other[0],
        "comment": b"<!--" + one[0].replace(b"--", b"") + b"-->",
        "text": re.sub(rb"<[^<>]*>", b"", one[0]),
    }
    return _replaced(content, one, chance.choice([*written.values()]))


def change_tag(content: bytes, chance: Random) -> bytes:
    """Rename an element, or one of its tags."""
    tag = _chosen(_TAG, content, chance)
    if tag is None:
        return content
    name = chance.choice([b"x", tag[2].upper(), tag[2].lower(), b"article", b"t1", b"t2", b"pair", b"Article", b"Rt"])
    if chance.random() < 0.5:
        return _replaced(content, tag, b"<%b%b%b>" % (tag[1], name, tag[3]))
    return re.sub(rb"(</?)%b\b" % tag[2], rb"\1" + name, content)


def change_attribute(content: bytes, chance: Random) -> bytes:
    """Leave out, repeat, rename, empty or exchange an attribute."""
    one, other = _chosen(_ATTRIBUTE, content, chance), _chosen(_ATTRIBUTE, content, chance)
    if one is None or other is None:
        return content
    name = one[1]
    written = [b"", one[0] * 2, b" x=" + one[2], b' %b=""' % name, b' %b=" "' % name, b" %b=%b" % (name, other[2])]
    written += [b' %b="%b"' % (name, value) for value in (b"9" * 5_000, "第百条".encode(), b"&#10;", b"&#x2028;", b"/")]
    return _replaced(content, one, chance.choice(written))


# --- ZIP -------------------------------------------------------------------------------------------

# signature of each record, and the places of its numbers
_ZIP_RECORDS = {
    b"PK\1\2": [
        (6, 2),
        (8, 2),
        (10, 2),
        (12, 2),
        (16, 4),
        (20, 4),
        (24, 4),
        (28, 2),
        (30, 2),
        (32, 2),
        (38, 4),
        (42, 4),
    ],
    b"PK\3\4": [(4, 2), (6, 2), (8, 2), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2)],
    b"PK\5\6": [(4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)],
}
_ZIP_NAMES = ["../", "/", "C:\\", "..\\", "é", "__MACOSX/", ".", "./", "\n", "a/" * 60, "//", "0", "１"]


def change_zip_record(content: bytes, chance: Random) -> bytes:
    """Change a number in a record of an archive: flags, method, check sum, size, attributes, place."""
    signature = chance.choice([*_ZIP_RECORDS])
    starts = [match.start() for match in re.finditer(re.escape(signature), content)]
    if not starts:
        return content
    start = chance.choice(starts)
    offset, size = chance.choice(_ZIP_RECORDS[signature])
    known = int.from_bytes(content[start + offset : start + offset + size], "little")
    numbers = [0, 1, 8, 9, 12, 14, 99, known + 1, known - 1, known ^ 1, known * 2, 2 ** (8 * size) - 1, 0xA1FF << 16]
    number = struct.pack("<Q", chance.choice(numbers) % 2 ** (8 * size))[:size]
    return content[: start + offset] + number + content[start + offset + size :]


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
    change = chance.choice(["content", "content", "name", "leave out", "repeat", "archive", "folder"])
    if change == "content":
        entries[at] = name, chance.choice(mutations_of(name))(data, chance)
    elif change == "name":
        entries[at] = chance.choice(_ZIP_NAMES) + name, data
    elif change == "leave out":
        del entries[at]
    elif change == "repeat":
        entries.append((name, chance.choice(BYTE_MUTATIONS)(data, chance)))
    elif change == "archive":
        entries[at] = f"{name}.zip", content
    elif change == "folder":
        entries[at] = f"{name}/", b""
    return _zip(entries)


def _zip(entries: list[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.NameToInfo.pop(name, None)  # zipfile would warn of a repeated name
            archive.writestr(zipfile.ZipInfo(name), data)
    return packed.getvalue()


STRUCTURE_MUTATIONS: Mapping[str, tuple[ByteMutation, ...]] = MappingProxyType(
    {
        "json": (change_json,) * 6,
        "jsonl": (change_json,) * 6,
        "xml": (change_element, change_element, change_element, change_tag, change_attribute, change_attribute),
        "zip": (*(change_zip_record,) * 10, *(change_zip_entry,) * 10),
    }
)


def mutations_of(name: str) -> tuple[ByteMutation, ...]:
    """Return the mutations of a file's content by its name."""
    return BYTE_MUTATIONS + STRUCTURE_MUTATIONS.get(name.rpartition(".")[2].lower(), ())

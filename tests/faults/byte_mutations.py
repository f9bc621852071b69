"""Mutations of the bytes of any file: pieces cut out, doubled, overwritten, exchanged, and what parsers stumble over.

Each takes the content and a source of randomness, and returns the mutated content.
"""

import re
from collections.abc import Callable
from random import Random

ByteMutation = Callable[[bytes, Random], bytes]

_STUMBLING = [
    *(b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\x80", b"\xed\xa0\x80", "\ufffd".encode(), b"\x1a", b"\x1b[31m"),
    *(b"\r\n", b"\r", b"\n", b"\n\n", b"\t", "\x85".encode(), "\u2028".encode(), "\u3000".encode(), b"\xc2\xa0"),
    *("\u202e".encode(), "\u200f".encode(), "\u200b".encode(), "e\u0301".encode(), "İ".encode(), "ß".encode()),
    *(b"\\ud800", b"\\udc00\\ud800", b"\\u0000", b"\\", b'"', b"'", b"`", b"%s", b"{0}", b"$HOME", b"../../"),
    *(b"-1e999", b"1e999", b"NaN", b"-0", b"9" * 30, b"9" * 5_000, b"0x1F", b"1_000", b"null", b"true", b"None"),
    *("１２３".encode(), "百二十三".encode(), "第百条　".encode(), "第百条の二".encode(), "٣".encode(), "²".encode()),
    *(b"[" * 500, b"{" * 500, b"(" * 500, b"[" * 20_000, b'{"a":' * 5_000, b"<a>" * 100, b"]", b"}", b","),
    *(b"<", b">", b"&", b"&x;", b"&amp;", b"&#0;", b"&#xD800;", b"<!--", b"]]>", b"<![CDATA[", b"<?xml?>"),
    *(b"<!DOCTYPE a [", b'<!DOCTYPE a [<!ENTITY x "y">]>', b'<?xml version="1.1" encoding="EUC-JP"?>'),
    *(b"Article 1", b"Article 398-2", b"Article 38 to 84", b"(1)", b"Part I X", "（見出し）".encode(), b"Deleted"),
]
_LINE_ENDS = [b"\r\n", b"\r", b"\n\n", "\x85".encode(), "\u2028".encode(), b"\x0b", b"\x0c", b""]
_ENCODINGS = ["utf-16", "utf-8-sig", "shift_jis", "euc_jp", "latin-1", "cp1252", "utf-7"]
_FULL_WIDTH = {ord(digit): chr(ord("０") + int(digit)) for digit in "0123456789"}
_KANJI = dict(zip(map(ord, "0123456789"), "〇一二三四五六七八九"))
_WORD = re.compile(rb"[\w-]+")


def _span(content: bytes, chance: Random) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + chance.choice([1, 1, 2, 3, 8, 64, 500, len(content)]))


def cut(content: bytes, chance: Random) -> bytes:
    """Cut a piece out."""
    start, end = _span(content, chance)
    return content[:start] + content[end:]


def double(content: bytes, chance: Random) -> bytes:
    """Repeat a piece."""
    start, end = _span(content, chance)
    return content[:end] + content[start:end] * chance.choice([1, 1, 2, 20]) + content[end:]


def overwrite(content: bytes, chance: Random) -> bytes:
    """Overwrite a piece with random bytes."""
    start, end = _span(content, chance)
    end = min(end, start + 64)
    return content[:start] + chance.randbytes(end - start) + content[end:]


def swap(content: bytes, chance: Random) -> bytes:
    """Exchange two neighbouring pieces."""
    first, middle, last = sorted(chance.randrange(len(content) + 1) for _ in range(3))
    return content[:first] + content[middle:last] + content[first:middle] + content[last:]


def truncate(content: bytes, chance: Random) -> bytes:
    """Cut off the end."""
    return content[: chance.randrange(len(content) + 1)]


def insert(content: bytes, chance: Random) -> bytes:
    """Insert what parsers stumble over."""
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(_STUMBLING) + content[at:]


def replace_word(content: bytes, chance: Random) -> bytes:
    """Replace a word or a number with what parsers stumble over."""
    words = list(_WORD.finditer(content))
    if not words:
        return content
    word = chance.choice(words)
    return content[: word.start()] + chance.choice(_STUMBLING) + content[word.end() :]


def exchange_words(content: bytes, chance: Random) -> bytes:
    """Exchange two words, such as the ids of two lines."""
    words = list(_WORD.finditer(content))
    if len(words) < 2:
        return content
    one, other = sorted(chance.sample(words, 2), key=lambda word: word.start())
    between = content[one.end() : other.start()]
    return content[: one.start()] + other[0] + between + one[0] + content[other.end() :]


def change_case(content: bytes, chance: Random) -> bytes:
    """Change the case of a piece."""
    start, end = _span(content, chance)
    change = chance.choice([bytes.upper, bytes.lower, bytes.swapcase])
    return content[:start] + change(content[start:end]) + content[end:]


def change_digits(content: bytes, chance: Random) -> bytes:
    """Write the digits of a piece in another form, or other digits."""
    start, end = _span(content, chance)
    piece = content[start:end].decode(errors="surrogateescape")
    other = {ord(digit): chance.choice("0123456789") for digit in "0123456789"}
    written = piece.translate(chance.choice([_FULL_WIDTH, _KANJI, other]))
    return content[:start] + written.encode(errors="surrogateescape") + content[end:]


def change_line_ends(content: bytes, chance: Random) -> bytes:
    """End all lines, or some, in another way."""
    end, share = chance.choice(_LINE_ENDS), chance.choice([1, 1, 0.3])
    return b"".join(end if piece == b"\n" and chance.random() < share else piece for piece in _lines_and_ends(content))


def _lines_and_ends(content: bytes) -> list[bytes]:
    return re.split(rb"(\n)", content)


def change_lines(content: bytes, chance: Random) -> bytes:
    """Leave out a line, repeat it, move it, or indent it."""
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    line = lines.pop(at)
    change = chance.choice(["leave out", "repeat", "move", "indent"])
    if change == "repeat":
        lines[at:at] = [line, line]
    elif change == "move":
        lines.insert(chance.randrange(len(lines) + 1), line)
    elif change == "indent":
        lines.insert(at, chance.choice([b" ", b"  ", b"\t", "　".encode()]) + line)
    return b"\n".join(lines)


def change_columns(content: bytes, chance: Random) -> bytes:
    """Leave out, repeat or move a column of one line or of all."""
    separator = chance.choice([mark for mark in (b",", b"\t", b" ") if mark in content] or [b" "])
    lines = content.split(b"\n")
    column, target = chance.randrange(6), chance.randrange(6)
    change = chance.choice(["leave out", "repeat", "move"])
    only = chance.choice([None, chance.randrange(len(lines))])
    for number, line in enumerate(lines):
        columns = line.split(separator)
        if len(columns) <= column or only not in (None, number):
            continue
        moved = columns.pop(column)
        if change != "leave out":
            columns.insert(column if change == "repeat" else target, moved)
            columns += [moved] * (change == "repeat")
        lines[number] = separator.join(columns)
    return b"\n".join(lines)


def change_encoding(content: bytes, chance: Random) -> bytes:
    """Encode the text in another way."""
    return content.decode(errors="replace").encode(chance.choice(_ENCODINGS), errors="replace")


BYTE_MUTATIONS: tuple[ByteMutation, ...] = (
    *(cut, double, overwrite, swap, truncate, insert, insert, insert, replace_word, replace_word, exchange_words),
    *(change_case, change_digits, change_line_ends, change_lines, change_columns, change_encoding),
)

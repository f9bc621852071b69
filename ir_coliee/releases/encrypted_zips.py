"""Entries of password-protected ZIP archives: traditional encryption and AES.

The password is read from the environment variable ``COLIEE_PASSWORD``; if that is not set, the terminal asks for it
once. Python's own reader deciphers the traditional encryption at about 3 MB/s and does not support AES; the extra
``zip`` installs a fast cipher for the former and a reader for the latter.
"""

from __future__ import annotations

import copy
import getpass
import os
import sys
import warnings
import zipfile
import zlib
from functools import lru_cache
from typing import Any

from ir_coliee.errors import ColieeError, ColieeHint, MissingExtraError

_ENCRYPTED = 0x1
_HAS_DATA_DESCRIPTOR = 0x8
#: The compression type that marks AES; the actual one is in an extra field.
AES = 99
_CIPHER_HEADER = 12  # the number of bytes before the content; the last one shows whether the password is wrong


def is_encrypted(info: zipfile.ZipInfo) -> bool:
    """Return whether an entry is encrypted."""
    return bool(info.flag_bits & _ENCRYPTED)


def read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the content of an encrypted entry.

    Raises
    ------
    ColieeError
        If the password is missing or wrong.
    MissingExtraError
        If the entry is encrypted by AES and the extra ``zip`` is not installed.
    """
    password = _password(str(archive.filename)).encode(errors="surrogateescape")
    if info.compress_type == AES:
        return _read_aes(archive, info, password)
    cipher = _fast_cipher()
    if cipher is None:
        try:
            return archive.read(info, password)
        except (RuntimeError, zipfile.BadZipFile, zlib.error):
            raise _wrong_password(archive) from None
    return _read_traditional(archive, info, cipher(password))


def _password(archive: str) -> str:
    if password := os.environ.get("COLIEE_PASSWORD"):
        return password
    if not sys.stdin or not sys.stdin.isatty():
        raise ColieeError(
            f"{archive} is protected by a password. Set COLIEE_PASSWORD to the one that the organisers sent."
        )
    return _asked(archive)


@lru_cache
def _asked(archive: str) -> str:
    try:
        return getpass.getpass(f"Password of {archive}: ")
    except EOFError:
        raise ColieeError(
            f"{archive} is protected by a password. Set COLIEE_PASSWORD or enter it at the terminal."
        ) from None


def _wrong_password(archive: zipfile.ZipFile) -> ColieeError:
    _asked.cache_clear()
    return ColieeError(
        f"{archive.filename}: the password is wrong. Set COLIEE_PASSWORD to the one that the organisers sent."
    )


@lru_cache(maxsize=1)
def _fast_cipher() -> Any:
    try:
        # the package's public module would replace parts of zipfile for the whole program
        from _zipdecrypter import StandardZipDecrypter
    except ImportError:
        warnings.warn(
            "Reading a password-protected ZIP archive is slow without the extra: pip install 'ir_coliee[zip]'.",
            ColieeHint,
            stacklevel=2,
        )
        return None
    return StandardZipDecrypter


def _read_traditional(archive: zipfile.ZipFile, info: zipfile.ZipInfo, cipher: Any) -> bytes:
    """Decipher the bytes of an entry at once, then decompress them."""
    as_stored = copy.copy(info)  # declared as plain, so that zipfile returns the bytes as they are
    as_stored.flag_bits &= ~_ENCRYPTED
    as_stored.compress_type = zipfile.ZIP_STORED
    as_stored.file_size = info.compress_size
    del as_stored.CRC
    plain = cipher.decrypt_bytes(archive.open(as_stored).read())
    check = info._raw_time >> 8 if info.flag_bits & _HAS_DATA_DESCRIPTOR else info.CRC >> 24  # type: ignore[attr-defined]
    if plain[_CIPHER_HEADER - 1 : _CIPHER_HEADER] != bytes([check & 0xFF]):
        raise _wrong_password(archive)
    content: bytes = plain[_CIPHER_HEADER:]
    if info.compress_type == zipfile.ZIP_DEFLATED:
        try:
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, info.file_size)
        except zlib.error:
            raise _wrong_password(archive) from None
    if zlib.crc32(content) != info.CRC:  # one in 256 wrong passwords passes the check above
        raise _wrong_password(archive)
    return content


def _read_aes(archive: zipfile.ZipFile, info: zipfile.ZipInfo, password: bytes) -> bytes:
    path = str(archive.filename)
    try:
        import pyzipper
    except ImportError:
        raise MissingExtraError(f"{path} (AES)", "zip") from None
    try:
        content: bytes = _aes_reader(archive).read(info.filename, password)
    except (RuntimeError, pyzipper.BadZipFile):
        raise _wrong_password(archive) from None
    except Exception as error:  # pyzipper raises various errors for a damaged entry
        raise zipfile.BadZipFile(f"The entry is damaged ({type(error).__name__})") from None
    return content


@lru_cache(maxsize=2)
def _aes_reader(archive: zipfile.ZipFile) -> Any:
    import pyzipper

    with archive._lock:  # type: ignore[attr-defined]
        reader = pyzipper.AESZipFile(archive.fp)
    reader._lock = archive._lock  # type: ignore[attr-defined]  # both move the position of one stream
    return reader

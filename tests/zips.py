"""Writes zips as the organisers mail them: plain, with the traditional encryption, with AES, damaged."""

import os
import struct
import zipfile
import zlib

_TABLE = []
for _byte in range(256):
    _crc = _byte
    for _ in range(8):
        _crc = _crc >> 1 ^ 0xEDB88320 if _crc & 1 else _crc >> 1
    _TABLE.append(_crc)


def traditional_cipher(plain, password):
    """The traditional encryption, from section 6.1 of the ZIP file format's APPNOTE."""
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte):
        keys[0] = keys[0] >> 8 ^ _TABLE[(keys[0] ^ byte) & 0xFF]
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = keys[2] >> 8 ^ _TABLE[(keys[2] ^ keys[1] >> 24) & 0xFF]

    for byte in password:
        update(byte)
    secret = bytearray()
    for byte in plain:
        mask = (keys[2] | 2) & 0xFFFF
        secret.append(byte ^ (mask * (mask ^ 1) >> 8) & 0xFF)
        update(byte)
    return bytes(secret)


def write_zip(path, entries, password=None, compression=zipfile.ZIP_DEFLATED):
    """A zip of these names and texts; with a password in the traditional encryption."""
    path.parent.mkdir(parents=True, exist_ok=True)
    contents = {name: text if isinstance(text, bytes) else text.encode() for name, text in entries.items()}
    if password is None:
        with zipfile.ZipFile(path, "w", compression) as archive:
            for name, content in contents.items():
                archive.writestr(name, content)
        return path
    local, central = bytearray(), bytearray()
    for written_name, content in contents.items():
        name = written_name.encode()
        crc = zlib.crc32(content)
        packed = content
        if compression == zipfile.ZIP_DEFLATED:
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = deflate.compress(content) + deflate.flush()
        secret = traditional_cipher(os.urandom(11) + bytes([crc >> 24]) + packed, password.encode())
        header = struct.pack("<HHHHHIIIHH", 20, 0x801, compression, 0, 33, crc, len(secret), len(content), len(name), 0)
        central += b"PK\1\2" + struct.pack("<H", 20) + header + struct.pack("<HHHII", 0, 0, 0, 0, len(local))
        central += name
        local += b"PK\3\4" + header + name + secret
    end = struct.pack("<HHHHIIH", 0, 0, len(contents), len(contents), len(central), len(local), 0)
    path.write_bytes(bytes(local + central) + b"PK\5\6" + end)
    return path


def write_aes_zip(path, entries, password, mode="w"):
    """A zip of these names and texts, encrypted with AES; with the mode ``a`` they are added to a zip."""
    import pyzipper

    with pyzipper.AESZipFile(path, mode, compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        for name, text in entries.items():
            archive.writestr(name, text)
    return path

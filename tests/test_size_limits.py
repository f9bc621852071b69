"""A file above its limit is refused before it is read, and what is no file never blocks."""

import io
import os
import socket
import sys

import pytest

from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.releases.files import DiskFolder, File
from ir_coliee.storage import SizeLimit

LIMIT = SizeLimit("a label file", 100_000)


class CountedStream(io.BytesIO):
    taken = 0

    def read(self, size=-1, /):
        data = super().read(size)
        self.taken += len(data)
        return data


def test_a_stream_above_the_limit_is_read_up_to_one_byte_above_it():
    stream = CountedStream(bytes(1_000_000))
    with pytest.raises(MalformedFileError, match=r"^labels: more than 100,000 bytes are too many for a label file"):
        LIMIT.read(stream, "labels")
    assert stream.taken == 100_001


@pytest.mark.skipif(sys.platform == "win32", reason="Windows would fill the file with zeros")
@pytest.mark.parametrize("name", ["900001.txt", "labels.json", "questions.xml", "test001.jsonl", "notes"])
def test_a_file_of_zeros_is_refused_before_it_is_read(tmp_path, name):
    with open(tmp_path / name, "wb") as file:
        file.truncate(20_000_000_000)  # without content on disk
    with pytest.raises(MalformedFileError, match="20,000,000,000 bytes are too many") as caught:
        File(DiskFolder(str(tmp_path)), name).read_bytes()
    assert str(caught.value).startswith(f"{tmp_path / name}: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
def test_pipes_sockets_devices_and_folders_are_refused_at_once(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "1.txt")
    with socket.socket(socket.AF_UNIX) as served:
        monkeypatch.chdir(tmp_path)
        served.bind("2.txt")  # the path of a socket must be short
    (tmp_path / "3.txt").mkdir()
    (tmp_path / "4.txt").symlink_to(os.devnull)
    folder = DiskFolder(str(tmp_path))
    assert folder.file_names() == []
    for number in "1234":
        with pytest.raises(ColieeError, match=f"{number}[.]txt"):
            File(folder, f"{number}.txt").read_bytes()

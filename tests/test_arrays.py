import numpy as np
import pytest

from ir_coliee.frames import save_array

resource = pytest.importorskip("resource", reason="no limits of file sizes on this system")


@pytest.mark.parametrize("array", [np.arange(5), np.zeros(0, np.int32), np.ones((2, 3))[:, ::2]])
def test_numpy_reads_a_saved_array(tmp_path, array):
    save_array(tmp_path / "a.npy", array)
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), array)


def test_a_file_that_cannot_be_written_completely_is_an_error(tmp_path):
    """np.save writes 2,048 of the 2,528 bytes and raises nothing."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            save_array(tmp_path / "a.npy", np.arange(600, dtype=np.int32))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

"""The memorandum that COLIEE's data are under: texts stay on this machine unless the user says otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import NoReturn
from urllib.parse import urlsplit

from ir_coliee.errors import ColieeError


def refuse_remote(addresses: Iterable[str], example: str) -> None:
    """Raises `ColieeError` for an address of another machine; ``example`` shows the argument by which it is allowed.

    >>> refuse_remote(["http://127.0.0.1:8000/v1", "tcp://localhost:8786", "[::1]:8786"], "allow_remote=True")
    """
    for address in addresses:
        if not _is_loopback(address):
            raise ColieeError(
                f"{address} is not an address of this machine's own (loopback), and texts would be sent there. The "
                "memorandum that COLIEE's data are under forbids to pass them on. If that machine is under it too, or "
                f"the texts are not COLIEE's, say so: {example}."
            )


class LocalArtifact:
    """Base of the artifacts that PyTerrier could upload: they refuse."""

    UPLOAD_REFUSAL: str

    def to_hf(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuses: raises `ColieeError`, which says why."""
        raise ColieeError(self.UPLOAD_REFUSAL)

    def to_zenodo(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuses: raises `ColieeError`, which says why."""
        raise ColieeError(self.UPLOAD_REFUSAL)

    def to_p2p(self) -> NoReturn:
        """Refuses: raises `ColieeError`, which says why."""
        raise ColieeError(self.UPLOAD_REFUSAL)


def _is_loopback(address: str) -> bool:
    scheme, found, _ = address.partition("://")
    if found and scheme == "inproc":  # threads of this process
        return True
    try:
        host = urlsplit(address if found else f"tcp://{address}").hostname
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False

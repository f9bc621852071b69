"""Checks that keep COLIEE texts on this machine, as the data-use agreement requires."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import NoReturn
from urllib.parse import urlsplit

from ir_coliee.errors import ColieeError


def refuse_remote(addresses: Iterable[str], example: str) -> None:
    """Raise `ColieeError` if texts would be sent to another machine.

    Parameters
    ----------
    addresses : iterable of str
        URLs, or ``host:port`` with or without a scheme.
    example : str
        Example of a call that allows remote addresses, for the message.

    Raises
    ------
    ColieeError
        If an address is not a loopback address.

    Examples
    --------
    >>> refuse_remote(["http://127.0.0.1:8000/v1", "tcp://localhost:8786", "[::1]:8786"], "allow_remote=True")
    """
    for address in addresses:
        if not _is_loopback(address):
            raise ColieeError(
                f"{address} is not a loopback address; texts would leave this machine.\nThe data-use agreement of "
                "COLIEE forbids passing the data on. If the agreement also covers that machine, or if the texts are "
                f"not from COLIEE, allow it: {example}."
            )


class LocalArtifact:
    """Base of artifacts that PyTerrier must not upload, because they are derived from COLIEE data.

    Attributes
    ----------
    UPLOAD_REFUSAL : str
        Message that says why the artifact is not uploaded.
    """

    UPLOAD_REFUSAL: str

    def to_hf(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuse the upload.

        Raises
        ------
        ColieeError
            Always; the message says why.
        """
        raise ColieeError(self.UPLOAD_REFUSAL)

    def to_zenodo(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuse the upload.

        Raises
        ------
        ColieeError
            Always; the message says why.
        """
        raise ColieeError(self.UPLOAD_REFUSAL)

    def to_p2p(self) -> NoReturn:
        """Refuse the upload.

        Raises
        ------
        ColieeError
            Always; the message says why.
        """
        raise ColieeError(self.UPLOAD_REFUSAL)


def _is_loopback(address: str) -> bool:
    scheme, separator, _ = address.partition("://")
    if separator and scheme == "inproc":  # threads of this process
        return True
    try:
        host = urlsplit(address if separator else f"tcp://{address}").hostname
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False

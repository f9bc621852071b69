"""Checks that keep COLIEE texts on this machine, as the data-use agreement requires."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ir_coliee.errors import ColieeError, printable

# A single notation: without user information, escapes, zones and the other notations of numbers, no library can read
# another host from the address.
_LOCAL_ADDRESS = re.compile(
    r"""
    ([a-z]+://)?
    (localhost | \[::1\] | 127(\.(0 | [1-9][0-9]? | 1[0-9]{2} | 2[0-4][0-9] | 25[0-5])){3})
    (:(?P<port>[0-9]+))?
    (/[0-9A-Za-z_~-][0-9A-Za-z_~.-]*)* /?
    """,
    re.VERBOSE,
)
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_THREADS_OF_THIS_PROCESS = re.compile(r"inproc://[0-9a-f.:]+/[0-9]+/[0-9]+")


def is_local(address: str) -> bool:
    """Whether an address is one of this machine, in the only notation that is accepted.

    Parameters
    ----------
    address : str
        ``localhost``, an IPv4 address that begins with 127, or ``[::1]``. A scheme may precede it; a port, and a path
        of letters, digits and ``_ ~ . -``, may follow. The ``inproc://`` addresses of Dask are local as well.

    Returns
    -------
    bool
        False for everything else, also for other notations of the same host.

    Examples
    --------
    >>> [is_local(address) for address in ("http://127.0.0.1:8000/v1", "tcp://localhost:8786", "[::1]:8786")]
    [True, True, True]
    >>> is_local("http://2130706433/v1"), is_local("http://user@127.0.0.1/v1"), is_local("http://10.0.0.7/v1")
    (False, False, False)
    """
    match = _LOCAL_ADDRESS.fullmatch(address)
    return bool((match and is_port(match["port"] or "1")) or _THREADS_OF_THIS_PROCESS.fullmatch(address))


def is_port(number: str) -> bool:
    """Whether a number is that of a port, 1 to 65535, without leading zeros.

    Examples
    --------
    >>> is_port("8786"), is_port("99999"), is_port("0")
    (True, False, False)
    """
    return bool(_PORT.fullmatch(number)) and int(number) < 2**16


def refuse_remote(addresses: Iterable[str], example: str) -> None:
    """Raise `ColieeError` if texts would be sent to another machine.

    Parameters
    ----------
    addresses : iterable of str
        Addresses, of which each must fulfil `is_local`.
    example : str
        Example of a call that allows remote addresses, for the message.

    Raises
    ------
    ColieeError
        If an address is not a loopback address in the notation that `is_local` accepts.

    Examples
    --------
    >>> refuse_remote(["http://127.0.0.1:8000/v1", "tcp://localhost:8786", "[::1]:8786"], "allow_remote=True")
    """
    for address in addresses:
        if not is_local(address):
            raise ColieeError(
                f"{printable(address, 40)} is not a loopback address; texts would leave this machine.\n"
                "An address of this machine is written as localhost, 127.0.0.1 or [::1], with a port and a plain path "
                "if needed.\nThe data-use agreement of COLIEE forbids passing the data on. If the agreement also "
                f"covers that machine, or if the texts are not from COLIEE, allow it: {example}."
            )

"""One hash chain over every position: any changed, missing or reordered byte shows (design 3).

``hash = v1:H(previous | header | H(payload bytes))``: the payload can be erased and the chain still holds. The prefix
names the algorithm, so that it may change without rewriting history.
"""

from hashlib import sha256

VERSION = "v1:"


def payload_digest(payload: bytes) -> str:
    """Hash a payload's stored bytes: 64 hex digits."""
    return sha256(payload).hexdigest()


def link(previous: str, header: str, digest: str) -> str:
    """Chain one event to the one before; ``previous`` is empty for the first, ``header`` ASCII JSON."""
    return VERSION + sha256(f"{previous}\n{header}\n{digest}".encode("ascii")).hexdigest()

"""A line of the spool as bytes. Standard library alone: a shell hook writes the same lines without any dependency."""

from zlib import crc32

SUFFIX = ".jsonl"
SPOOL_NAME = "spool"


def framed(header: str, payload: bytes) -> bytes:
    """Write one record as a line: the length and checksum of ``<header>,<payload>``, then those."""
    body = header.encode("ascii") + b"," + payload
    return b'["v1","%08x","%08x",%b]\n' % (len(body), crc32(body), body)

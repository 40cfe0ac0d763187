"""Inside the process that reads for an import: read what standard input names, hand batches to standard output."""

import os
import sys
from pathlib import Path

from ..redact import Keeper
from ..store import open_store
from .apart import END, order_of, plain, received, send
from .reading import Reading, rarely_collected


def main(folder: str) -> None:
    """Read the sources that were ordered; an error ends the process, and the one that asked meets it itself."""
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # whatever else prints shall not come between
        files, wish = order_of(received(sys.stdin.buffer))
        store = open_store(Path(folder))
        try:
            reading = Reading(Keeper(store.key.secret), store.log, wish)
            with rarely_collected():
                for batch in reading.batches(files):
                    send(out, plain(batch))
        finally:
            store.close()
        send(out, END)

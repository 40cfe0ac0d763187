"""Write the golden file of every type and schema that has none yet, and its digest."""

import hashlib
import json
from pathlib import Path

from kata.events import known_types
from kata.events.codec import encode_payload
from tests.events.samples import sample

FOLDER = Path(__file__).parent
DIGESTS = FOLDER / "digests.json"


def main() -> None:
    digests = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    for entry in known_types().values():
        path = FOLDER / f"{entry.name}.v{entry.schema}.json"
        if not path.exists():
            path.write_bytes(encode_payload(sample(entry.payload)) + b"\n")
        digests.setdefault(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
    DIGESTS.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()

"""The same history gives the same routines and digests in every process, under any hash seed (design 6.5)."""

import subprocess
import sys

PROGRAM = """
from kata.json import digest
from kata.miner import Miner, Settings, mine
from kata.spec import digest_of, dump_spec
from tests.miner.support import find_and_read, history, noise
from tests.miner.test_mining import orders

conversations = [
    [*find_and_read(number), *orders(number, 1 + number % 3), noise(number % 4)] for number in range(9)
]
recorded = history(conversations)
standing = Miner(recorded, Settings())
standing.load(recorded.rows())
for mined in (mine(recorded, Settings()), standing.mine()):
    told = [
        [one.key, digest_of(one.spec) if one.spec else "", one.name, list(one.blocked_by), one.detail, list(one.warnings)]
        + [[note.reason, list(note.alternatives)] for note in one.arguments]
        for one in (*mined.candidates, *mined.seen)
    ]
    assert mined.candidates
    print(digest(told))
"""


def test_no_hash_seed_changes_what_is_found():
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("0", "1", "2", "4711")
    }
    assert len(answers) == 1
    first, second = next(iter(answers)).split()
    assert first == second

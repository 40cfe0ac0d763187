"""Killed in the midst of recording secrets, Kata has left none in any file: what was on disk for a moment counts (case B074)."""

import base64
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from kata.standin.storage import data_dir
from kata.store import open_store
from tests.redact.corpus import planted

ROOT = Path(__file__).parents[2]
SECRETS = sorted({secret for _, _, secrets in planted() for secret in secrets})
SHORTEST = 12
"""Shorter ones may stand in a file by chance."""


def encoded(secret):
    """A secret's bytes, and its base64 at each of the three places that it can begin at."""
    plain = secret.encode("utf-8", "surrogatepass")
    yield plain
    for lead in range(3):
        whole = base64.b64encode(b"x" * lead + plain)
        yield whole[4 if lead else 0 : len(whole) - 4]


def found_in(folder):
    """Return the secrets that stand in any file below a folder, with the files."""
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return [
        (secret[:4], path.name)
        for secret in SECRETS
        if len(secret) >= SHORTEST
        for form in encoded(secret)
        for path, content in files.items()
        if form in content
    ]


def kill_one(home, after, pause):
    """Let an agent record for so many turns and a moment more; kill it, and return how far it came."""
    with (home / "stderr.txt").open("ab") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.runtime.keeper_of_secrets", str(home)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        for _ in range(after):
            assert process.stdout.readline(), (home / "stderr.txt").read_text()
        time.sleep(pause)
    finally:
        process.kill()
    assert process.wait(30) == -signal.SIGKILL
    process.stdout.close()


def test_no_file_holds_a_secret_wherever_the_agent_was_killed(tmp_path):
    chance, turns = random.Random(74), [len(list(planted())), 3, 10, 1]
    for after in turns:
        kill_one(tmp_path, after, chance.uniform(0, 0.05))
        assert found_in(tmp_path) == []
    store = open_store(data_dir(tmp_path, "kata"))
    store.drain(60)
    kept = [event.payload for event in store.log.read(types=["tool.returned"])]
    store.close()
    assert sum(one.tool == "vault" and bool(one.masked) for one in kept) >= sum(turns)
    assert found_in(tmp_path) == []


def test_the_search_finds_what_stands_there_plain_or_encoded(tmp_path):
    secret = next(one for one in SECRETS if len(one) > SHORTEST)
    for number, content in enumerate(
        (secret, *(base64.b64encode(f"{lead}{secret}!".encode()).decode() for lead in ("", "a", "bc")))
    ):
        path = tmp_path / str(number)
        path.write_text(f"some {content} text")
        assert (secret[:4], path.name) in found_in(tmp_path)
        path.unlink()

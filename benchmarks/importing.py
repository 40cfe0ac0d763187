"""What an import costs: a history with planted routines as a file, into the log and all views, beside ``json.loads``."""

import contextlib
import io
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.planted import make_history
from kata.miner.memory import Recorded
from kata.service import assemble
from kata.service.importing import Watch
from kata.surfaces.cli import run_cli

Row = dict[str, Any]
RATIO = 20.0
RATE = 5_000
MIB = 1_048_576
MOST = 200 / 1024
"""MiB that an import may grow by for each MiB of the file: 200 for a file of 1 GiB."""

COLUMNS = (
    *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "effect_disposition"),
    *("timestamp", "token_count", "finish_reason", "reasoning", "reasoning_content", "reasoning_details"),
    *(
        "codex_reasoning_items",
        "codex_message_items",
        "platform_message_id",
        "observed",
        "active",
        "compacted",
    ),
    *("api_content", "display_kind", "display_metadata", "display_identity", "display_order", "message_uid"),
    *("absorbed_message_uids", "tool_call_uids", "tool_call_uid"),
)
"""What an exported message has, most of it null."""


def row(name: str, reference: str, ratio: float, bar: float, *, at_least: bool = False) -> Row:
    ok = ratio >= bar if at_least else ratio <= bar
    return {"name": name, "reference": reference, "ratio": round(ratio, 3), "bar": bar, "ok": ok}


def plain(path: Path, calls: Sequence[Recorded]) -> Path:
    """Write the plain form."""
    with path.open("w", encoding="utf-8") as file:
        for seq, one in enumerate(calls):
            line = {"session_id": one.conversation, "turn": one.turn, "seq": seq, "ts": 1.79e9 + seq}
            file.write(json.dumps(line | {"tool": one.tool, "args": one.args, "result": one.result}) + "\n")
    return path


def export(path: Path, calls: Sequence[Recorded]) -> Path:
    """Write what ``hermes sessions export`` would."""
    with path.open("w", encoding="utf-8") as file:
        for session, own in groupby(calls, key=lambda one: one.conversation):
            messages = [dict.fromkeys(COLUMNS) | one for one in rows_of(list(own))]
            file.write(json.dumps({"id": session, "source": "cli", "messages": messages}) + "\n")
    return path


def state_db(path: Path, calls: Sequence[Recorded]) -> Path:
    """Make a database as Hermes keeps it."""
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL);"
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT,"
        " tool_calls TEXT, timestamp REAL); CREATE INDEX own ON messages (session_id, id);"
    )
    names = ("id", "role", "content", "tool_call_id", "tool_calls", "timestamp")
    first = 0
    for session, own in groupby(calls, key=lambda one: one.conversation):
        connection.execute("INSERT INTO sessions VALUES (?, 'cli', ?)", (session, first))
        for message in rows_of(list(own), first):
            first = message["id"]
            message["tool_calls"] = json.dumps(message["tool_calls"]) if "tool_calls" in message else None
            connection.execute(
                f"INSERT INTO messages ({', '.join(names)}, session_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*map(message.get, names), session),
            )
    connection.commit()
    connection.close()
    return path


def rows_of(calls: Sequence[Recorded], first: int = 0) -> Iterator[Row]:
    """Yield a session's messages as Hermes stores them."""
    number = first
    for _, turn in groupby(calls, key=lambda one: one.turn):
        yield {
            "id": (number := number + 1),
            "role": "user",
            "content": "please",
            "timestamp": 1.79e9 + number,
        }
        for one in turn:
            function = {"name": one.tool, "arguments": json.dumps(one.args)}
            call = {
                "id": f"call_{number}",
                "call_id": f"call_{number}",
                "type": "function",
                "function": function,
            }
            number += 1
            yield {"id": number, "role": "assistant", "tool_calls": [call], "timestamp": 1.79e9 + number}
            number += 1
            answer = {"tool_call_id": call["id"], "content": one.result, "timestamp": 1.79e9 + number}
            yield {"id": number, "role": "tool", **answer}


def imported(path: Path) -> tuple[float, int]:
    """Import a file into a log of its own, views and all; return the seconds, and the most MiB of all its processes."""
    most = 0

    def progress(*_: int) -> None:
        nonlocal most
        most = max(most, resident())

    with tempfile.TemporaryDirectory() as folder:
        service = assemble(Path(folder) / "kata")
        began = time.perf_counter()
        service.import_history(path, watch=Watch(progress=progress))
        took = time.perf_counter() - began
        progress()
        service.close()
    return took, most


def parsed(path: Path) -> float:
    """Return the seconds that ``json.loads`` takes for the lines of a file."""
    began = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
    return time.perf_counter() - began


def resident() -> int:
    """Return the MiB of memory that this process and its children hold now (0 where the system does not say)."""
    own = Path("/proc/self")
    children = [pid for task in own.glob("task/*/children") for pid in task.read_text().split()]
    statm = [folder / "statm" for folder in (own, *(Path("/proc", pid) for pid in children))]
    return sum(int(one.read_text().split()[1]) for one in statm if one.exists()) * 4096 // MIB


def rates(folder: Path, count: int) -> Iterator[Row]:
    """Import one history in three forms, each between two times of parsing it: the machine's pace changes meanwhile."""
    calls, _ = make_history(count)
    for name, write in (("plain", plain), ("export", export), ("state.db", state_db)):
        path = write(folder / f"{count}-{name}", calls)
        rounds = [_round(path) for _ in range(3)]
        took = statistics.median(took for took, _ in rounds)
        yield row(f"import {count:,} calls ({name}), calls/s", "1 second", count / took, RATE, at_least=True)
        if name != "state.db":
            ratio = statistics.median(took / least for took, least in rounds)
            least = min(least for _, least in rounds)
            yield row(f"import {count:,} calls ({name})", f"json.loads, {least:.3f} s", ratio, RATIO)


def _round(path: Path) -> tuple[float, float]:
    """Return the seconds of an import, and those of parsing the same file, just before or just after."""
    before = 0.0 if path.name.endswith("state.db") else parsed(path)
    took, _ = imported(path)
    after = 0.0 if path.name.endswith("state.db") else parsed(path)
    return took, (before + after) / 2


class Everywhere:
    """Tools of a Hermes that has whatever a history was made with."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)

    def schema(self, tool: str) -> dict[str, Any] | None:
        return {"type": "object"} if tool in self._names else None

    def names(self) -> tuple[str, ...]:
        return self._names


def first_day(folder: Path, count: int) -> Row:
    """Do what ``hermes kata import FILE`` does: import, look for routines, say what was found."""
    calls, _ = make_history(count)
    path = plain(folder / f"{count}-day", calls)
    tools = Everywhere(sorted({one.tool for one in calls}))
    began = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.redirect_stderr(io.StringIO()):
        run_cli(["import", str(path), "--json"], lambda: assemble(folder / "day", tools=tools))
    took = time.perf_counter() - began
    proposed = len(json.loads(told.getvalue())["data"]["mined"]["proposed"])
    name = f"import {count:,} calls and propose ({proposed} proposals)"
    return row(name, "a minute for 100,000 calls", took / (60 * count / 100_000), 1.0)


def memory(folder: Path, count: int) -> Row:
    """Import four times as much and see what it grows by for each MiB more."""
    small = plain(folder / "small.jsonl", make_history(count)[0])
    large = plain(folder / "large.jsonl", make_history(4 * count)[0])
    imported(small)
    first, then = imported(small)[-1], imported(large)[-1]
    more = (large.stat().st_size - small.stat().st_size) / MIB
    return row(
        f"memory for {more:.0f} MiB more of a file", "1 MiB of file", max(0, then - first) / more, MOST
    )


def rows(*, smoke: bool = False) -> list[Row]:
    """Measure and return one row a comparison: name, reference, ratio, bar, ok."""
    count = 2_000 if smoke else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*rates(folder, count), first_day(folder, count), memory(folder, count // 2)]


if __name__ == "__main__":
    for one in rows(smoke="--smoke" in sys.argv):
        print(json.dumps(one), flush=True)

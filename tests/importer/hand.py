"""Small histories by hand, one form a function; each tells of the same three calls in one turn."""

import json
import sqlite3
from pathlib import Path
from typing import Any

TICKETS = [
    ("find_ticket", {"title": "bug 1"}, {"tickets": [{"id": "T-00001"}]}),
    ("read_ticket", {"id": "T-00001"}, {"id": "T-00001", "text": "words"}),
    ("close_ticket", {"id": "T-00001"}, {"closed": True}),
]
START = 1_790_000_000.0

SCHEMA = """
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, parent_session_id TEXT,
        started_at REAL NOT NULL, end_reason TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,
        observed INTEGER DEFAULT 0, _compressed_summary INTEGER NOT NULL DEFAULT 0,
        active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, display_kind TEXT,
        tool_call_uids TEXT, tool_call_uid TEXT);
    CREATE INDEX idx_messages_session ON messages (session_id, timestamp);
"""


def lines(*values: Any) -> list[bytes]:
    """Return values as lines of JSON."""
    return [json.dumps(value).encode() + b"\n" for value in values]


def write(path: Path, *values: Any) -> Path:
    """Write values as JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines(*values)))
    return path


def function(call_id: str, name: str, args: Any) -> dict[str, Any]:
    """Return a call as Hermes stores it."""
    raw = args if isinstance(args, str) else json.dumps(args)
    return {
        "id": call_id,
        "call_id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": raw},
    }


def rows(calls=TICKETS, *, first: int = 1, uid: str = "", prefix: str = "c") -> list[dict[str, Any]]:
    """Return the messages of one turn as Hermes stores them."""
    made: list[dict[str, Any]] = [{"id": first, "role": "user", "content": "please", "timestamp": START}]
    for number, (tool, args, result) in enumerate(calls):
        call_id, at = f"{prefix}{number}", START + first + number
        uids = {call_id: f"{uid}{number}"} if uid else {}
        made.append(
            {
                "id": first + 1 + 2 * number,
                "role": "assistant",
                "timestamp": at,
                "tool_calls": [function(call_id, tool, args)],
                "tool_call_uids": json.dumps(uids) if uids else None,
            }
        )
        made.append(
            {
                "id": first + 2 + 2 * number,
                "role": "tool",
                "timestamp": at + 0.5,
                "tool_call_id": call_id,
                "tool_name": tool,
                "content": result if isinstance(result, str) else json.dumps(result),
            }
        )
    return made


def state_db(
    path: Path, sessions: dict[str, list[dict[str, Any]]], *, version: int = 31, **columns: Any
) -> Path:
    """Make a database as Hermes keeps it; ``columns`` are those of every session."""
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    connection.execute("INSERT INTO schema_version VALUES (?)", (version,))
    for number, (name, messages) in enumerate(sessions.items()):
        parent, source = columns.get("parent_session_id"), columns.get("source", "cli")
        connection.execute(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", (name, source, parent, START + number, "cli_close")
        )
        for message in messages:
            told = {name: value for name, value in message.items() if name != "id"} | {"session_id": name}
            if "tool_calls" in told:
                told["tool_calls"] = json.dumps(told["tool_calls"])
            marks = ", ".join("?" * len(told))
            connection.execute(
                f"INSERT INTO messages ({', '.join(told)}) VALUES ({marks})", tuple(told.values())
            )
    connection.commit()
    connection.close()
    return path


def exported(name: str, messages: list[dict[str, Any]], **columns: Any) -> dict[str, Any]:
    """Return a session as ``hermes sessions export`` writes it."""
    return {"id": name, "source": "cli", "parent_session_id": None, "messages": messages, **columns}


def trajectory(calls=TICKETS) -> dict[str, Any]:
    """Return a conversation as Hermes saves trajectories."""
    parts = [{"from": "system", "value": "tools"}, {"from": "human", "value": "please"}]
    for tool, args, result in calls:
        call = json.dumps({"name": tool, "arguments": args})
        answer = json.dumps({"tool_call_id": "x", "name": tool, "content": result})
        parts.append({"from": "gpt", "value": f"<think>\n</think>\n<tool_call>\n{call}\n</tool_call>"})
        parts.append({"from": "tool", "value": f"<tool_response>\n{answer}\n</tool_response>"})
    parts.append({"from": "gpt", "value": "<think>\n</think>\ndone"})
    return {"conversations": parts, "timestamp": "2026-10-01T09:00:00", "model": "m", "completed": True}


def claude(session: str = "5e55", calls=TICKETS, **extra: Any) -> list[dict[str, Any]]:
    """Return a session as Claude Code keeps it."""

    def line(number: int, kind: str, content: Any, **message: Any) -> dict[str, Any]:
        return {
            "type": kind,
            "uuid": f"u{number}",
            "sessionId": session,
            "timestamp": f"2026-10-01T09:00:{number:02d}.000Z",
            "message": {"role": kind, "content": content, **message},
            **extra,
        }

    made = [{"type": "summary", "summary": "tickets"}, line(0, "user", "please")]
    for number, (tool, args, result) in enumerate(calls, 1):
        use = {"type": "tool_use", "id": f"toolu_{session}_{number}", "name": tool, "input": args}
        text = result if isinstance(result, str) else json.dumps(result)
        answer = {
            "type": "tool_result",
            "tool_use_id": use["id"],
            "content": [{"type": "text", "text": text}],
        }
        made.append(line(2 * number, "assistant", [use], id=f"msg_{number}"))
        made.append(line(2 * number + 1, "user", [answer]))
    return made


def codex(session: str = "0199", calls=TICKETS, **meta: Any) -> list[dict[str, Any]]:
    """Return a session as Codex keeps it."""

    def line(number: int, kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": f"2026-10-01T09:00:{number:02d}.000Z", "type": kind, "payload": payload}

    made = [
        line(0, "session_meta", id=session, cwd="/w", **meta),
        line(0, "event_msg", type="user_message", message="please"),
    ]
    for number, (tool, args, result) in enumerate(calls, 1):
        call_id, text = f"call_{session}_{number}", result if isinstance(result, str) else json.dumps(result)
        call = {"type": "function_call", "name": tool, "arguments": json.dumps(args), "call_id": call_id}
        made.append(line(2 * number, "response_item", **call))
        answer = {"type": "function_call_output", "call_id": call_id, "output": text}
        made.append(line(2 * number + 1, "response_item", **answer))
    return made


def plain(session: str = "s1", calls=TICKETS) -> list[dict[str, Any]]:
    """Return a session in the plain form."""
    return [
        {
            "session_id": session,
            "turn": 0,
            "seq": seq,
            "ts": START + seq,
            "tool": tool,
            "args": args,
            "result": result,
        }
        for seq, (tool, args, result) in enumerate(calls)
    ]

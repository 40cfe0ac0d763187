"""Texts and values made to be slow to mask: what a test counts the work of, and a benchmark the time."""

from collections.abc import Callable, Iterator
from typing import Any

from kata.redact.commands import USAGES
from kata.redact.contexts import STEMS
from kata.redact.shapes import SHAPES

UNITS = {
    "blanks": " ",
    "letters": "a",
    "base62": "A0",
    "quotes": '"',
    "backslashes": "\\",
    "slashes": "/",
    "signs": "@",
    "addresses": "http://a:b",
    "addresses with signs": "http://a@",
    "percent": "%41",
    "percent words": "a%41 ",
    "unicode escapes": "\\u0041",
    "base64": "QUJD",
    "base64 words": "QUJDQUJDQUJDQUJDQUJDQUJD ",
    "base64 of secrets": "cGFzc3dvcmQ9YWJjZGVmMTIzNDU2Nzg5 ",
    "assignments": "password=",
    "fields": '{"password":"x"},',
    "escaped fields": '{\\"token\\":\\"abc12345\\"},',
    "quotes left open": 'password="',
    "defaults": "${PASSWORD:-",
    "headers": "authorization: bearer x ",
    "bearers": "bearer ",
    "key begins": "-----BEGIN PRIVATE KEY-----",
    "key ends": "-----END PRIVATE KEY-----\n",
    "key bodies": "-----BEGIN PRIVATE KEY-----\nAAAA",
    "token heads": "eyJaaaaaaaa.",
    "marks": "⟦secret:credential:0123456789⟧",
    "fed": "echo a | login ",
    "yaml blocks": "password: |\n  a\n",
    "yaml blocks of many lines": "password: |\n" + "  a\n" * 80,
    "yaml blocks in yaml blocks": "monkey: |\n password: |\n",
    "names over lines": "  password:\n  a\n",
    "prompts": "password:\nhunter22\n",
    "pairs": "auth=('a', ",
    "pairs left open": "auth=(",
    "references": "password=$",
    "types": "password=os.",
    "indexes": "TOKEN={",
    "auths": "auth",
    "password files": "h:5432:d:u:pw0\n",
    "password files left open": "h:*:",
    "commands over lines": "curl -u \\\n",
    "options over lines": "--password \\\n ",
    "colons at ends": ":\n",
    "wide letters": "İ",
    "surrogates": "\ud83d",
}
TABLED = (
    *(shape.needle for shape in SHAPES),
    *(shape.needle + "0" * 14 + " " for shape in SHAPES),
    *(usage.program + " -p -u 'a:" for usage in USAGES),
    *(stem + "=a" for stem in STEMS),
    *(f"--{stem} a" for stem in STEMS),
)

HEADS = (
    *sorted({usage.program for usage in USAGES}),
    *(f"--{stem} " for stem in STEMS),
    *(f'{stem}="' for stem in STEMS),
    *(f"{stem}: " for stem in STEMS),
    "echo a | login ",
    "https://",
    "Authorization: Bearer ",
    "-----BEGIN PRIVATE KEY-----",
)
"""What a pattern begins with; behind it stands one of `RUNS`, once and long, or again and again."""

RUNS = (
    "b", "-b", "-", "0", "a", "A0", "_", ".", "$", "/", "=", "+", ":", "a:", "%", '="', '"', "'", " ", "\t", "\\", "\n", "a ", "-a ",
    "a=", "secret", "token ", "@", "a@", "x|", "echo ", "<<<", "bearer ", "[", "{", "a://b@", "?key=", "Aa0+",
)  # fmt: skip

ITEMS: dict[str, Callable[[int], Any]] = {
    "ones": lambda _: 1,
    "nothing": lambda _: None,
    "empty texts": lambda _: "",
    "empty objects": lambda _: {},
    "short words": lambda _: "ab",
    "nested lists": lambda _: [[[[1]]]],
    "fields": lambda number: {f"k{number}": f"v{number}"},
    "passwords": lambda number: {"password": f"hunter22{number}"},
    "one password": lambda _: {"password": "hunter22"},
    "tokens": lambda number: {"token": f"abc12345{number:04d}"},
    "named values": lambda number: {"name": "API_KEY", "value": f"v{number:08d}"},
    "numbers that are passwords": lambda number: {"password": 123456 + number},
    "options": lambda number: f"--password={number}",
    "addresses": lambda number: f"http://u:p{number}@h",
    "keys": lambda _: "-----BEGIN PRIVATE KEY-----",
    "shapes": lambda number: "ghp_" + f"{number:036d}",
}
"""Items of a list, by number."""


def texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield texts of so many characters, each with a name."""
    units = [*UNITS.items(), *((repr(unit), unit) for unit in TABLED)]
    yield from ((name, (unit * size)[:size]) for name, unit in units)
    for head in HEADS:
        for run in RUNS:
            yield f"{head!r} and {run!r}", (head + "-" + run * size)[:size]
            yield f"{head!r} and some {run!r}, again", ((head + " -" + (run * 130)[:130]) * size)[:size]


def values(size: int) -> Iterator[tuple[str, Any]]:
    """Yield lists and objects of about so many bytes, each with a name."""
    for name, item in ITEMS.items():
        count = size // (len(repr(item(1000))) + 1)
        yield name, [item(number) for number in range(count)]
    yield "an object of passwords", {f"password{number}": f"hunter{number}" for number in range(size // 30)}
    yield "an object of shapes", {f"ghp_{number:036d}": number for number in range(size // 50)}
    yield (
        "secrets beside texts",
        {
            "users": [{"password": f"hunter22{number}"} for number in range(size // 160)],
            "lines": [f"line {number} of a log" for number in range(size // 40)],
        },
    )
    yield "an object of numbers", {f"k{number}": number for number in range(size // 12)}

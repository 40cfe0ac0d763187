"""An agent that handles one secret after another until it is killed; run as ``python -m tests.runtime.keeper_of_secrets HOME``."""

import itertools
import logging
import sys
from pathlib import Path

from kata import register
from kata.standin import StandIn, call, say
from kata.standin.modules import installed
from tests.redact.corpus import planted

SCHEMA = {"name": "vault", "description": "Keep a value.", "parameters": {"type": "object", "properties": {}}}


def main(home):
    logging.basicConfig(filename=home / "kata.log", level=logging.DEBUG)
    host = StandIn(home, config={"tools": {"tool_search": {"enabled": "off"}}})
    with installed(host):
        host.load(register)
        host.load(
            lambda ctx: ctx.register_tool(
                "vault", "vault", SCHEMA, lambda args, **_: {"value": args["value"]}
            ),
            "vault",
        )
        chat = host.conversation()
        for number, (_, value, _) in enumerate(itertools.cycle(planted())):
            chat.turn(
                "keep it",
                [
                    call("vault", value=value),
                    say("kept"),
                ],
            )
            print(number, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

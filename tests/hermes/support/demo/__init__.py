"""A plugin as small as the harness' own tests need it."""

import json

SCHEMA = {
    "name": "demo_double",
    "description": "Double a whole number.",
    "parameters": {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    },
}


def register(ctx):
    def double(args, **_):
        shell = ctx.dispatch_tool("terminal", {"command": f"echo $(({args['n']} * 2))"})
        return json.dumps({"doubled": json.loads(shell)["output"]})

    ctx.register_tool(name="demo_double", toolset="demo", schema=SCHEMA, handler=double)
    ctx.register_hook("pre_tool_call", guard)
    ctx.register_hook("on_session_finalize", lambda **seen: f"demo saw the end: {seen['reason']}")
    ctx.register_command("demo", lambda raw: f"demo heard {raw!r}", description="Say what was typed")
    ctx.register_cli_command("demo", "Say what was typed", add_words, run_command)


def guard(tool_name="", args=None, **_):
    if tool_name == "terminal" and "guarded" in args["command"]:
        return {"action": "approve", "message": "demo asks first", "rule_key": "demo:guarded"}
    return None


def add_words(parser):
    parser.add_argument("word")
    parser.add_argument("--ask", action="store_true")


def run_command(options):
    name = input("your name? ") if options.ask else "nobody"
    print(f"{options.word}, {name}")
    return 3

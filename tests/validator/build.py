"""Small routines with recordings, to check."""

import json

import attrs

from kata.schemas import schema_digest
from kata.spec import (
    Concat,
    Const,
    Expression,
    Input,
    InputField,
    Record,
    Ref,
    ShellWord,
    Spec,
    Step,
    ToolDigest,
)
from kata.templating import Call
from kata.validator import Validator

TEXT = {"type": "string"}
SCHEMAS = {
    "search_files": {
        "type": "object",
        "properties": {"pattern": TEXT, "path": TEXT},
        "required": ["pattern"],
    },
    "terminal": {"type": "object", "properties": {"command": TEXT}, "required": ["command"]},
    "read_file": {"type": "object", "properties": {"path": TEXT}, "required": ["path"]},
    "write_file": {
        "type": "object",
        "properties": {"path": TEXT, "content": TEXT},
        "required": ["path", "content"],
    },
    "send_message": {"type": "object", "properties": {"to": TEXT, "text": TEXT}, "required": ["to"]},
}
TERMINAL = {"output": "3 lines", "exit_code": 0, "error": None}


def record(**fields):
    return Record(
        tuple((key, one if isinstance(one, Expression) else Const(one)) for key, one in fields.items())
    )


def step(tool, effect="read", requires=(), ignores=(), accepts=(0,), **fields):
    return Step(
        tool=tool, args=record(**fields), effect=effect, requires=requires, ignores=ignores, accepts=accepts
    )


def spec_of(*steps, inputs=(), output=None):
    fields = tuple(InputField(name=name, schema=schema) for name, schema in dict(inputs).items())
    tools = dict.fromkeys(
        one.tool for outer in steps for one in (outer.body if hasattr(outer, "body") else (outer,))
    )
    digests = tuple(ToolDigest(tool, schema_digest(SCHEMAS.get(tool, {}))) for tool in tools)
    return Spec(steps=steps, inputs=fields, output=output or {}, tools=digests)


def example(*calls):
    return tuple(Call(tool=tool, args=args, result=result) for tool, args, result in calls)


def checked(spec, examples, *, schemas=SCHEMAS, wanted=None, **options):
    return Validator(schemas=schemas, **options).check(spec, examples, wanted=wanted)


def check(name, spec, examples, **options):
    return next(one for one in checked(spec, examples, **options).checks if one.name == name)


COUNT = spec_of(
    step("search_files", pattern=Concat((Const("TODO("), Input("topic"), Const(")"))), path="src"),
    step("terminal", command=Concat((Const("wc -l "), ShellWord(Ref(1, ("matches", 0, "path")))))),
    inputs={"topic": TEXT},
    output={"type": "object", "properties": {"output": TEXT}, "required": ["output"]},
)


def counted(topic, path):
    return example(
        ("search_files", {"pattern": f"TODO({topic})", "path": "src"}, {"matches": [{"path": path}]}),
        ("terminal", {"command": f"wc -l {path}"}, TERMINAL),
    )


COUNTED = (counted("parser", "src/a.py"), counted("router", "lib/b.py"), counted("cache", "app/c.py"))


def with_args(spec, number, **fields):
    steps = list(spec.steps)
    steps[number - 1] = attrs.evolve(steps[number - 1], args=record(**fields))
    return attrs.evolve(spec, steps=tuple(steps))


__all__ = ["COUNT", "COUNTED", "SCHEMAS", "TERMINAL", "TEXT", "check", "checked", "json", "spec_of", "step"]

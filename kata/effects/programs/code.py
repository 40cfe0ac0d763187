"""Programs that run code: in the line, from a pipe, from a file, of a project (case B080)."""

from collections.abc import Mapping
from typing import Any

import attrs

from ..classes import EXTERNAL, LOCAL_WRITE, READ, RUNS_CODE, RUNS_SCRIPT, UNKNOWN, Classification, Effect
from ..rules import Call, Spec, apply, each, rule, verbs, writes_unless
from ..word import literal

Table = Mapping[str, Any]


@attrs.frozen(kw_only=True)
class Interpreter:
    """A program that runs a script.

    Attributes:
        inline: Letters of short options, and long options, behind which code stands in the line.
        checks: Options with which it only looks at the script.
        tells: Options with which it only tells about itself.
        valued: Options whose value is the next word.
        modules: What ``-m NAME`` runs, where that is known.
    """

    inline: frozenset[str]
    checks: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"--version", "--help"})
    valued: frozenset[str] = frozenset()
    modules: Table = attrs.Factory(dict)

    def __call__(self, call: Call) -> Classification:
        """Tell a script in a file from code that stands in the line or comes through a pipe."""
        index = 0
        while index < len(call.words):
            word = call.words[index]
            if word.value is None or not word.text.startswith("-") or word.text == "-":
                break
            verdict = self._option(call, index)
            if verdict is not None:
                return verdict
            index += 2 if word.text in self.valued else 1
        return self._script(call, index)

    def _option(self, call: Call, index: int) -> Classification | None:
        text = call.words[index].text
        if text in self.tells:
            return call.verdict(READ, "tells about itself")
        if text in self.checks:
            return call.verdict(READ, "checks a script")
        if self.modules and text == "-m":
            return self._module(call, index + 1)
        if text.partition("=")[0] in self.inline or self._cluster(text):
            return call.verdict(UNKNOWN, "runs code given in the line", RUNS_CODE)
        return None

    def _cluster(self, text: str) -> bool:
        return not text.startswith("--") and any(f"-{letter}" in self.inline for letter in text[1:])

    def _module(self, call: Call, index: int) -> Classification:
        name = call.words[index].value if index < len(call.words) else None
        spec = self.modules.get(name or "")
        if spec is None:
            return call.verdict(UNKNOWN, RUNS_SCRIPT)
        rest = call.words[index + 1 :]
        if isinstance(spec, str) and not isinstance(spec, Effect):
            return call.judge.command((literal(spec), *rest))
        return apply(spec, Call(f"{call.name} -m {name}", rest, call.judge))

    def _script(self, call: Call, index: int) -> Classification:
        script = call.words[index] if index < len(call.words) else None
        if (
            script is None
            or script.value is None
            or script.text in {"-", "/dev/stdin"}
            or "://" in script.text
        ):
            return call.verdict(UNKNOWN, "runs what it is fed", RUNS_CODE)
        return call.verdict(UNKNOWN, RUNS_SCRIPT)


def _interpreter(
    inline: str, checks: str = "", tells: str = "", valued: str = "", **fields: Any
) -> Interpreter:
    return Interpreter(
        inline=frozenset(inline.split()),
        checks=frozenset(checks.split()),
        tells=frozenset({"--version", "--help", *tells.split()}),
        valued=frozenset(valued.split()),
        **fields,
    )


_PYTHON = _interpreter(
    "-c",
    tells="-V -VV -h",
    valued="-W -X --check-hash-based-pycs",
    modules={
        "json.tool": rule(READ, free=1, operands=LOCAL_WRITE, valued="--indent"),
        "py_compile": LOCAL_WRITE,
        "compileall": LOCAL_WRITE,
        "venv": LOCAL_WRITE,
        "tabnanny": READ,
        "calendar": READ,
        "pip": "pip",
        "ruff": "ruff",
        "black": "black",
        "mypy": "mypy",
        "hermes_cli.main": "hermes",
        "http.server": rule(EXTERNAL, "serves files to others"),
    },
)
_NODE = _interpreter("-e -p --eval --print -i", "-c --check", "-v -h", "-r --require --import --loader")
_GO_TOOLS = "-toolexec -vettool -overlay -exec -ldflags -gcflags -asmflags -gccgoflags -compiler"
_BUILDERS = "make gmake cmake ctest ninja meson bazel scons ant mvn mvnw gradle gradlew sbt lein rake tox nox pytest py.test"
_RUNNERS = "npx pnpx bunx uvx pipx jest vitest mocha ava cypress playwright phpunit rspec ginkgo just task invoke fab pre-commit"

PROGRAMS: dict[str, Spec] = {
    **each(
        "python python2 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3",
        _PYTHON,
    ),
    **each("node nodejs", _NODE),
    "perl": _interpreter("-e -E -n -p -i -M -m -x", tells="-v -V"),
    "ruby": _interpreter("-e -n -p -i -r", checks="-wc", tells="-v"),
    "php": _interpreter("-r -B -R -E -a -S", checks="-l", tells="-v -m -i"),
    "lua": _interpreter("-e -i -l", tells="-v"),
    "Rscript": _interpreter("-e"),
    **each(
        "deno bun tsx ts-node osascript swift scala groovy clojure julia R ghci irb jshell java",
        _interpreter("-e -c eval"),
    ),
    **each(_BUILDERS, rule(UNKNOWN, RUNS_SCRIPT)),
    **each(_RUNNERS, rule(UNKNOWN, RUNS_SCRIPT, flags=(RUNS_CODE,))),
    "cargo": rule(
        UNKNOWN,
        plain="-q -v --quiet --verbose --offline --locked --frozen",
        verbs=verbs(
            network_read="search",
            local_write="new init clean",
            external="add remove fetch update generate-lockfile login logout yank owner",
            fmt=writes_unless("--check"),
            version=READ,
            **dict.fromkeys(
                ("build", "check", "clippy", "test", "run", "bench", "doc", "install"),
                rule(UNKNOWN, RUNS_SCRIPT),
            ),
        ),
    ),
    "go": rule(
        READ,
        valued="-C",
        verbs=verbs(
            read="version doc help",
            local_write="fmt clean",
            build=rule(LOCAL_WRITE, unknown=_GO_TOOLS, single_dash=True),
            vet=rule(LOCAL_WRITE, unknown=_GO_TOOLS, single_dash=True),
            list=rule(
                READ,
                network_read="-m -u -versions",
                local_write="-export -compiled -test -deps",
                unknown=_GO_TOOLS,
                single_dash=True,
            ),
            external="get install",
            env=rule(READ, local_write="-w -u", single_dash=True),
            mod=rule(
                READ,
                verbs=verbs(
                    network_read="graph why verify", local_write="init edit", external="tidy download vendor"
                ),
            ),
            work=rule(READ, verbs=verbs(local_write="init use edit", external="sync vendor")),
            **dict.fromkeys(("test", "run", "generate", "tool"), rule(UNKNOWN, RUNS_SCRIPT)),
        ),
    ),
}

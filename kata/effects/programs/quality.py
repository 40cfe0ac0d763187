"""Compilers, linters and formatters that need no project's own code."""

from ..classes import LOCAL_WRITE, READ, UNKNOWN, Classification
from ..rules import Call, Spec, each, rule, verbs

_COMPILER_TOOLS = (
    "-B",
    "-wrapper",
    "-fplugin",
    "-specs",
    "--specs",
    "@",
    "-fuse-ld",
    "-Xclang",
    "-load",
    "-ld-path",
    "--ld-path",
)


def _compiler(call: Call) -> Classification:
    """A compiler writes what it makes; some options load other tools."""
    if any(word.text.startswith(_COMPILER_TOOLS) or word.may_be_option for word in call.words):
        return call.verdict(UNKNOWN, "is given tools to load")
    return call.verdict(LOCAL_WRITE)


PROGRAMS: dict[str, Spec] = {
    "ruff": rule(
        READ,
        valued="--config --color",
        plain="-q -v -s --quiet --verbose --silent --isolated --version -V",
        verbs=verbs(
            read="rule config linter version help",
            local_write="clean",
            check=rule(
                LOCAL_WRITE,
                "keeps a cache",
                local_write="--fix --fix-only --unsafe-fixes -o --output-file --add-noqa",
            ),
            format=rule(LOCAL_WRITE, "reformats files"),
        ),
    ),
    "mypy": rule(LOCAL_WRITE, "keeps a cache", unknown="--install-types --python-executable"),
    **each("gcc g++ cc c++ clang clang++ tcc", _compiler),
    **each("javac rustc protoc", UNKNOWN),
    "tsc": rule(READ, free=-1, operands=LOCAL_WRITE, calm="--noEmit -v --version --showConfig"),
    **each(
        "flake8 pylint pyright eslint prettier stylelint rubocop golangci-lint standardrb bandit vulture",
        rule(UNKNOWN, "runs a script or a project's own code"),
    ),
    "gitleaks": rule(
        READ,
        local_write="-r --report-path",
        verbs=verbs(
            read="version", **each("detect protect git dir stdin", rule(READ, local_write="-r --report-path"))
        ),
    ),
    "codesign": UNKNOWN,
    "hermes": rule(
        READ,
        valued="-p --profile",
        plain="--version -V --help -h",
        verbs=verbs(
            read="version status",
            doctor=rule(READ, local_write="--fix"),
            kata=rule(
                READ,
                plain="--json",
                verbs=verbs(
                    read="list review show why plan diff runs audit status help history verify",
                    local_write="mine pause resume replay",
                    run=rule(READ, verbs=verbs(read="show")),
                ),
            ),
            sessions=rule(READ, verbs=verbs(read="list stats")),
            plugins=rule(READ, verbs=verbs(read="list")),
            tools=rule(UNKNOWN, verbs=verbs(read="list")),
        ),
    ),
}

"""Compilers, linters and formatters that need no project's own code."""

from ..classes import LOCAL_WRITE, READ, UNKNOWN
from ..rules import Spec, each, rule, verbs

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
    "mypy": rule(LOCAL_WRITE, "keeps a cache"),
    **each(
        "gcc g++ cc c++ clang clang++ tcc",
        rule(LOCAL_WRITE, unknown="-wrapper -fplugin -specs -B", single_dash=True),
    ),
    "javac": rule(LOCAL_WRITE, unknown="-processor -processorpath --processor-path -J", single_dash=True),
    "rustc": UNKNOWN,
    "tsc": rule(READ, free=-1, operands=LOCAL_WRITE, calm="--noEmit -v --version --showConfig"),
    "protoc": rule(LOCAL_WRITE, unknown="--plugin"),
    **each(
        "flake8 pylint pyright eslint prettier stylelint rubocop golangci-lint standardrb bandit vulture",
        rule(UNKNOWN, "runs a script or a project's own code"),
    ),
    "gitleaks": rule(
        READ, local_write="-r --report-path", verbs=verbs(read="detect protect version git dir stdin")
    ),
    "codesign": UNKNOWN,
    "hermes": rule(
        READ,
        valued="-p --profile",
        plain="--version -V --help -h",
        verbs=verbs(
            read="version status doctor",
            kata=rule(
                READ,
                plain="--json",
                verbs=verbs(
                    read="list review show why plan diff runs audit status help history verify",
                    local_write="mine pause resume replay",
                ),
            ),
            sessions=rule(READ, verbs=verbs(read="list stats")),
            plugins=rule(READ, verbs=verbs(read="list")),
            tools=rule(UNKNOWN, verbs=verbs(read="list")),
        ),
    ),
}

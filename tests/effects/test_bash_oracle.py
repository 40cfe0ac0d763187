"""Bash itself as the judge: whatever command it runs in a random line is among the commands that were seen."""

import os
import random
import shutil
import subprocess

import pytest

from kata.effects.shell import parse, words

BASH = shutil.which("bash")
LINES = int(os.environ.get("KATA_ORACLE_LINES", "60"))
REPORT = 'command_not_found_handle() { case "$1" in m[0-9]*) echo "$1" >> "$LOG";; esac; return $((RANDOM % 2)); }\n'


class Lines:
    """Random lines whose programs are numbered names that only the oracle knows."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def name(self):
        self.count += 1
        return f"m{self.count}"

    def blank(self):
        return self.random.choice([" "] * 8 + ["  ", " \\\n "])

    def word(self, depth):
        plain = [
            "a",
            "-x",
            "b.c",
            "=",
            "~",
            "*",
            "a#b",
            "{",
            "!",
            "[",
            "+",
            "a{b",
            "é",
            "'a b'",
            "'$(x)'",
            "'`y`'",
            '"a b"',
        ]
        quoted = [
            '"\\""',
            '"\\$(x)"',
            '"#"',
            "\\;",
            "\\ ",
            "\\'",
            "a\\\nb",
            "$'a\\'b'",
            "$x",
            "${x:-y}",
            "$?",
            '"${x}"',
        ]
        if depth <= 0 or self.random.random() < 0.7:
            return self.random.choice(plain + quoted)
        inner = self.line(depth - 1)
        one = self.simple(depth - 1)
        shapes = [
            f"$({inner})",
            f'"a $({inner})"',
            f"<({inner})",
            f"${{x:-$({one})}}",
            f"$(( $({one}) + 1 ))",
            f"a$({one})b",
        ]
        return self.random.choice(
            [*shapes, f"`{self.simple(0)}`", self.word(depth - 1) + self.word(depth - 1)]
        )

    def redirect(self, depth):
        return self.random.choice(
            [">/dev/null", "2>&1", "</dev/null", "<<<" + self.word(depth - 1), "&>/dev/null", "2>&-", "1>&2"]
        )

    def simple(self, depth):
        name = self.name()
        parts = [
            self.random.choice(
                [name, name, name, f"\\{name}", f"'{name}'", f'"{name}"', f"{name[0]}''{name[1:]}"]
            )
        ]
        if self.random.random() < 0.15:
            parts.insert(0, "v=" + self.word(depth - 1))
        if self.random.random() < 0.1:
            parts.insert(0, self.redirect(depth))
        parts += [self.word(depth - 1) for _ in range(self.random.randrange(3))]
        if self.random.random() < 0.2:
            parts += [self.redirect(depth), self.word(depth - 1)]
        return self.blank().join(parts)

    def document(self):
        mark = self.random.choice(["E", "'E'", '"E"', "\\E"])
        body = self.random.choice(
            ["hi", f"$({self.simple(0)})", f"a `{self.simple(0)}`", "it's", '"', "\\$(x)", "# c"]
        )
        tail = self.random.choice(
            ["", f" | {self.simple(0)}", f" && {self.simple(0)}", " >/dev/null", f" x; {self.simple(0)}"]
        )
        return f"{self.simple(0)} <<{mark}{tail}\n{body}\nE\n{self.simple(0)}"

    def line(self, depth):
        if depth <= 0 or self.random.random() < 0.25:
            return self.simple(depth)
        inner, one = self.line(depth - 1), self.simple(depth - 1)
        joint = self.random.choice(["&&", "||", "|", ";", "|&", "\n"])
        shapes = [
            f"{one} {joint} {inner}",
            f"{one} {joint} {inner}",
            f"( {inner} )",
            f"{{ {inner}; }}",
            f"{{ {one}; }} {self.redirect(depth)}",
            f"if {one}; then {inner}; fi",
            f"for i in {self.word(depth - 1)} a; do {inner}; done",
            f"case {self.word(depth - 1)} in *) {inner};; esac",
            f"! {one}",
            f"while {one}; do {inner}; break; done",
            f"{one} # {self.simple(0)}\n{self.simple(0)}",
            f"f() {{ {one}; }}; f",
            f"[[ -n {self.word(depth - 1)} ]] && {one}",
            self.document(),
        ]
        return self.random.choice(shapes)


def ran(line, folder):
    log = folder / "log"
    log.write_text("")
    subprocess.run(
        [BASH, "-c", REPORT + line],
        env={"PATH": "/nonexistent", "LOG": str(log)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
        cwd=folder,
    )
    return set(log.read_text().split())


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("seed", range(3))
def test_every_command_that_bash_runs_was_seen(seed, tmp_path):
    lines = Lines(seed)
    understood = 0
    for _ in range(LINES):
        line = lines.line(lines.random.randrange(1, 4))
        parsed = parse(line)
        if parsed.problem:
            continue
        understood += 1
        seen = {simple.words[0].text for simple in parsed.commands if simple.words}
        assert ran(line, tmp_path) <= seen, line
        assert all(line[word.start : word.end] == word.text_raw for word in words(line))
    assert understood > LINES // 2

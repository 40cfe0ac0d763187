"""Programs that run other programs: what counts is the command inside (case B079)."""

from typing import Any

import attrs

from ..classes import (
    ELEVATED,
    EXTERNAL,
    INTERACTIVE,
    LOCAL_WRITE,
    READ,
    RUNS_CODE,
    RUNS_SCRIPT,
    UNKNOWN,
    Classification,
    Effect,
)
from ..rules import Call, Spec, UnsureError, each, listed, split
from ..variables import steers_programs
from ..word import ANYTHING, Word


@attrs.frozen(kw_only=True)
class Wrapper:
    """A program whose words end in another command.

    Attributes:
        valued: Options with a value, as in a ``Rule``.
        plain: Options without one.
        asks: Options with which it only answers.
        skip: How many operands stand before the command.
        assigns: Whether ``name=value`` may stand there too.
        bare: The class without a command.
        floor: The least class with one.
        more: Whether it adds words that nobody knows before.
        flags: Warnings for the reviewer.
    """

    valued: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    skip: int = 0
    assigns: bool = False
    bare: Effect = READ
    floor: Effect = READ
    more: bool = False
    flags: tuple[str, ...] = ()

    def __call__(self, call: Call) -> Classification:
        """Classify the command inside."""
        try:
            inner = self.inner(call.words)
        except UnsureError as error:
            return call.verdict(UNKNOWN, str(error))
        if inner is None:
            return call.verdict(READ)
        if not inner:
            return call.verdict(self.bare, "", *self.flags)
        verdict = call.judge.command((*inner, ANYTHING) if self.more else inner)
        return verdict.raised(self.floor, f"`{call.name}` runs it elsewhere").flagged(*self.flags)

    def inner(self, words: tuple[Word, ...]) -> tuple[Word, ...] | None:
        """Return the words of the command inside, or None where the program only answers a question.

        Raises:
            UnsureError: an option is not known, or a variable steers programs.
        """
        index, skip = 0, self.skip
        while index < len(words):
            word = words[index]
            if word.text in self.asks:
                return None
            if word.text == "--":
                index += 1
                return words[index + skip :]
            if word.text.startswith("-") and len(word.text) > 1:
                index += self._option(word)
            elif self.assigns and _assigns(word):
                index += 1
            elif skip:
                index, skip = index + 1, skip - 1
            else:
                return words[index:]
        return ()

    def _option(self, word: Word) -> int:
        name, equals, _ = word.text.partition("=")
        if name in self.valued:
            return 1 if equals else 2
        if not word.text.startswith("--") and word.text[:2] in self.valued:
            return 1
        if name in self.plain or self._cluster(word.text):
            return 1
        raise UnsureError(f"has an option that is not known to Kata: {word.text_raw}")

    def _cluster(self, text: str) -> bool:
        """Tell whether a word is short options without values, or a number (``nice -10``)."""
        if text.startswith("--"):
            return False
        return text[1:].isdigit() or all(f"-{letter}" in self.plain for letter in text[1:])


def _assigns(word: Word) -> bool:
    name, equals, value = word.text.partition("=")
    if not equals or not name.replace("_", "a").isalnum():
        return False
    if steers_programs(name, attrs.evolve(word, text=value)):
        raise UnsureError(f"sets {name}, which can change which programs run")
    return True


def wrapper(valued: str = "", plain: str = "", asks: str = "", **fields: Any) -> Wrapper:
    """Write a wrapper with its options as lines of text."""
    return Wrapper(
        valued=frozenset(valued.split()),
        plain=frozenset(plain.split()),
        asks=frozenset(asks.split()),
        **fields,
    )


def shell(call: Call) -> Classification:
    """Look into the text behind ``-c``; scripts and what comes through a pipe are unknown (cases B079, B080)."""
    given, index = [], 0
    while (
        index < len(call.words) and call.words[index].text[:1] in {"-", "+"} and call.words[index].text != "-"
    ):
        given.append(call.words[index].text)
        index += 2 if given[-1] in {"-o", "+o", "-O", "+O"} else 1
    operands = call.words[index:]
    shorts = "".join(text[1:] for text in given if not text.startswith("--"))
    if any(text.startswith(("--rcfile", "--init-file")) for text in given):
        return call.verdict(UNKNOWN, RUNS_SCRIPT)
    if "c" in shorts:
        return _shell_text(call, operands)
    if not operands or "s" in shorts or operands[0].value is None or operands[0].text in {"-", "/dev/stdin"}:
        return call.verdict(UNKNOWN, "runs what it is fed", RUNS_CODE)
    return call.verdict(READ, "checks a script") if "n" in shorts else call.verdict(UNKNOWN, RUNS_SCRIPT)


def _shell_text(call: Call, operands: tuple[Word, ...]) -> Classification:
    if not operands or operands[0].value is None:
        return call.verdict(UNKNOWN, "runs code that the shell makes up", RUNS_CODE)
    return call.judge.text(operands[0].text)


def _ssh(call: Call) -> Classification:
    """A command on another machine is external; what it says counts too."""
    valued = listed("-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w")
    host = next((index for index, word in enumerate(_without_options(call.words, valued)) if word), None)
    given, operands = split(call.words[: host + 1] if host is not None else call.words, valued)
    if any(
        option.value and "command" in option.value.text.lower() for option in given if option.name == "-o"
    ):
        return call.verdict(UNKNOWN, "is given a command to run here", RUNS_CODE)
    if host is None or not operands:
        return call.verdict(UNKNOWN)
    command = call.words[host + 1 :]
    if not command:
        return call.verdict(UNKNOWN, INTERACTIVE, INTERACTIVE)
    if any(word.value is None for word in command):
        return call.verdict(UNKNOWN, "runs a command there that the shell makes up")
    return call.judge.text(" ".join(word.text for word in command)).raised(
        EXTERNAL, "`ssh` runs a command on another machine"
    )


def _without_options(words: tuple[Word, ...], valued: frozenset[str]) -> list[bool]:
    """Mark the words that are neither options nor their values."""
    marks: list[bool] = []
    value_next = False
    for word in words:
        option = word.text.startswith("-") and not value_next
        marks.append(not option and not value_next)
        value_next = option and len(word.text) == 2 and word.text in valued
    return marks


def _su(call: Call) -> Classification:
    given, _ = split(call.words, frozenset({"-c", "--command", "-s", "--shell", "-g", "-G", "-w"}))
    command = next((option.value for option in given if option.name in {"-c", "--command"}), None)
    if command is None or command.value is None:
        return call.verdict(UNKNOWN, INTERACTIVE, ELEVATED, INTERACTIVE)
    return call.judge.text(command.text).flagged(ELEVATED)


def _flock(call: Call) -> Classification:
    words = tuple(word for word in call.words if word.text not in {"-c", "--command"})
    if len(words) < len(call.words):
        return call.verdict(UNKNOWN)
    return _FLOCK(call)


def _xargs(call: Call) -> Classification:
    """Words from standard input go behind the command, or into a shell text where nobody can follow them."""
    given, operands = split(call.words, _XARGS.valued)
    inserts = any(option.name in {"-I", "-i", "--replace", "-J"} for option in given)
    names = {word.text.rpartition("/")[2] for word in operands}
    if inserts and names & _SHELLS and any("{}" in word.text or "%" in word.text for word in operands):
        return call.verdict(UNKNOWN, "puts what it reads into code", RUNS_CODE)
    return _XARGS(call)


_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "eval"})
_FLOCK = wrapper(
    "-w --timeout -E --conflict-exit-code",
    "-s -x -e -n -u -o --shared --exclusive --nonblock",
    skip=1,
    floor=LOCAL_WRITE,
)
_XARGS = wrapper(
    "-I -n -P -L -d -E -s -a -R -S -J --max-args --max-procs --max-lines --max-chars --delimiter --arg-file --replace --eof",
    "-0 -r -t -x -p -i --null --no-run-if-empty --verbose --exit",
    more=True,
)
_SUDO = wrapper(
    "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --close-from --command-timeout",
    "-n -E -H -k -S -b -A -P -B --non-interactive --preserve-env --set-home --stdin --background",
    "-V --version",
    assigns=True,
    bare=UNKNOWN,
    flags=(ELEVATED,),
)

PROGRAMS: dict[str, Spec] = {
    **each("sh bash zsh dash ksh ash", shell),
    "sudo": _SUDO,
    "doas": wrapper("-u -C", "-n", bare=UNKNOWN, flags=(ELEVATED,)),
    "su": _su,
    "env": wrapper("-u -C --unset --chdir", "-i -0 -v --ignore-environment --null --debug", assigns=True),
    "timeout": wrapper(
        "-k -s --kill-after --signal", "-v -f -p --preserve-status --foreground --verbose", skip=1
    ),
    "gtimeout": wrapper("-k -s --kill-after --signal", "-v --preserve-status --foreground", skip=1),
    "nice": wrapper("-n --adjustment"),
    "ionice": wrapper("-c -n --class --classdata", "-t --ignore"),
    "chrt": wrapper("-T -P -D", "-f -r -o -b -i", skip=1),
    "taskset": wrapper("", "-c --cpu-list", skip=1),
    "stdbuf": wrapper("-i -o -e --input --output --error"),
    "unbuffer": wrapper("", "-p"),
    "time": wrapper("-f --format", "-p -v --portability --verbose"),
    "command": wrapper("", "-p", "-v -V"),
    "exec": wrapper("-a", "-c -l"),
    **each("builtin nohup then do busybox toybox caffeinate", wrapper()),
    "setsid": wrapper("", "-f -w -c --fork --wait --ctty"),
    "flock": _flock,
    "xargs": _xargs,
    "ssh": _ssh,
    **each(
        "parallel chroot unshare nsenter systemd-run at batch runuser pkexec strace ltrace script expect direnv mosh",
        UNKNOWN,
    ),
}

"""Programs that run other programs: what counts is the command inside (case B079)."""

from typing import Any

import attrs

from ..classes import (
    ELEVATED,
    LOCAL_WRITE,
    READ,
    UNKNOWN,
    Classification,
    Effect,
)
from ..rules import Call, Spec, UnsureError, each, may_be_another
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
                step = self._option(word)
                if step == 2 and index + 1 < len(words) and may_be_another(words[index + 1]):
                    raise UnsureError(f"may have another option behind {word.text}")
                index += step
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


_SUDO = wrapper(
    "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --close-from --command-timeout",
    "-n -E -H -k -S -b -A -P -B --non-interactive --preserve-env --set-home --stdin --background",
    "-V --version",
    assigns=True,
    bare=UNKNOWN,
    flags=(ELEVATED,),
)
_TIMEOUT = wrapper("-k -s --kill-after --signal", "-v -f -p --preserve-status --foreground --verbose", skip=1)

PROGRAMS: dict[str, Spec] = {
    "sudo": _SUDO,
    "doas": wrapper("-u -C", "-n", bare=UNKNOWN, flags=(ELEVATED,)),
    "env": wrapper("-u -C --unset --chdir", "-i -0 -v --ignore-environment --null --debug", assigns=True),
    **each("timeout gtimeout", _TIMEOUT),
    "nice": wrapper("-n --adjustment"),
    "ionice": wrapper("-c -n --class --classdata", "-t --ignore"),
    "chrt": wrapper("-T -P -D", "-f -r -o -b -i", skip=1),
    "taskset": wrapper("", "-c --cpu-list", skip=1),
    "stdbuf": wrapper("-i -o -e --input --output --error"),
    "unbuffer": wrapper("", "-p"),
    "time": wrapper("-f --format", "-p -v --portability --verbose"),
    "command": wrapper("", "-p", "-v -V"),
    "exec": wrapper("-a", "-c -l"),
    **each("builtin busybox toybox caffeinate", wrapper()),
    **each("nohup", wrapper(floor=LOCAL_WRITE)),  # at a terminal it writes nohup.out
    "setsid": wrapper("", "-f -w -c --fork --wait --ctty"),
    "flock": wrapper(
        "-w --timeout -E --conflict-exit-code",
        "-s -x -e -n -u -o --shared --exclusive --nonblock",
        skip=1,
        floor=LOCAL_WRITE,
    ),
    **each(
        "parallel chroot unshare nsenter systemd-run at batch runuser pkexec strace ltrace script expect direnv mosh",
        UNKNOWN,
    ),
}

"""What the shell itself does, and small programs that only answer."""

from ..classes import EXTERNAL, INTERACTIVE, LOCAL_WRITE, READ, RUNS_CODE, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, rule, spells, split
from ..word import hides_code


def reckons(call: Call) -> Classification:
    """Mind that names and numbers may hold quoted code that the shell runs when it reckons."""
    if any(map(hides_code, call.words)):
        return call.verdict(UNKNOWN, "is given code that arithmetic would run", RUNS_CODE)
    return call.verdict(READ)


def _printf(call: Call) -> Classification:
    return reckons(call) if call.words and call.words[0].text == "-v" else call.verdict(READ)


def _alias(call: Call) -> Classification:
    if any("=" in word.text for word in call.words):
        return call.verdict(UNKNOWN, "gives a new meaning to a name")
    return call.verdict(READ)


def _trap(call: Call) -> Classification:
    _, operands = split(call.words, frozenset())
    if len(operands) < 2 or operands[0].text == "-":
        return call.verdict(READ)
    if operands[0].value is None:
        return call.verdict(UNKNOWN, "runs code that the shell makes up", RUNS_CODE)
    return call.judge.text(operands[0].text)


def _eval(call: Call) -> Classification:
    if any(word.value is None for word in call.words):
        return call.verdict(UNKNOWN, "runs code that the shell makes up", RUNS_CODE)
    return call.judge.text(" ".join(word.text for word in call.words))


def _kill(call: Call) -> Classification:
    asks = bool(call.words) and call.words[0].text in {"-0", "-l", "-L"}
    return call.verdict(READ) if asks else call.verdict(EXTERNAL, "signals other processes")


def _date(call: Call) -> Classification:
    """Show the time, unless an option or an operand sets it."""
    words = tuple(word for word in call.words if not word.text.startswith("-I"))
    given, operands = split(words, listed("-d --date -f --file -r --reference -s --set -v"))
    sets = any(option.name == "-s" or spells(option.name, "--set") for option in given)
    if sets or any(not word.text.startswith("+") for word in operands):
        return call.verdict(EXTERNAL, "sets the clock")
    return call.verdict(READ)


PROGRAMS: dict[str, Spec] = {
    **each(
        ": true false echo pwd cd pushd popd dirs sleep usleep exit return break continue shift wait jobs umask ulimit times"
        " caller type which whereis logout set shopt whoami id groups users who w last lastb uptime uname nproc hostid"
        " tty seq yes cal ncal print"
        "env locale getconf logname clear",
        READ,
    ),
    **each("test [ let export declare local readonly typeset unset read getopts expr", reckons),
    **each("fg bg disown suspend", rule(EXTERNAL, "steers other processes")),
    **each("source .", rule(UNKNOWN, "runs a script or a project's own code")),
    **each("enable hash bind complete compgen compopt fc mapfile readarray coproc", UNKNOWN),
    "printf": _printf,
    "alias": _alias,
    "unalias": READ,
    "trap": _trap,
    "eval": _eval,
    "kill": _kill,
    "tput": rule(EXTERNAL, "steers the terminal"),
    "history": rule(READ, local_write="-c -d -a -w -r -n", unknown="-s -p"),
    "date": _date,
    "stty": rule(READ, free=-1, operands=EXTERNAL, calm="-a -g --all --save"),
    **each(
        "top htop btop watch less more most man info vi vim nvim nano emacs pico ed ex mc ranger tig lazygit tmux screen telnet"
        " dialog whiptail fzf gdb lldb",
        rule(UNKNOWN, INTERACTIVE, flags=(INTERACTIVE,)),
    ),
    "arch": rule(READ, operands=UNKNOWN),
    "tee": rule(READ, operands=LOCAL_WRITE),
}

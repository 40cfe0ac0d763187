"""One argparse tree for ``hermes kata …`` and ``/kata …``, so that flags and words agree (ux 4)."""

import argparse
import difflib
from collections.abc import Callable, Sequence

from ..errors import UsageError
from .helping import Parser
from .text import CATALOGUES, say

COMPLETE = "complete"
"""What the scripts for completion ask; for them alone, so it is in no list."""

ALIASES = {"ls": "list", "show": "review"}


MOST = 1_000_000
FARTHEST = 2**63 - 1
"""The largest whole number that a query can hold."""

FILES = frozenset({"paths", "file", "output"})
"""Arguments that name files, whose names can be of any bytes."""


def _numbers(least: int, most: int) -> Callable[[str], int]:
    """Return what reads whole numbers between two."""

    def read(text: str) -> int:
        number = int(text)
        if not least <= number <= most:
            raise UsageError(say("usage.range", text=text, least=least, most=most))
        return number

    read.__name__ = "int"
    return read


def build(prog: str) -> Parser:
    """Build the whole tree under ``hermes kata`` or ``/kata``."""
    parser = Parser(prog=prog, description=say("help.about"), allow_abbrev=False)
    _common(parser)
    verbs = parser.add_subparsers(dest="verb", metavar=say("help.verb"), parser_class=Parser)
    for name, (summary, add) in VERBS.items():
        aliases = [alias for alias, target in ALIASES.items() if target == name]
        verb = verbs.add_parser(
            name, help=say(summary), description=say(summary), aliases=aliases, allow_abbrev=False
        )
        _common(verb)
        add(verb)
        verb.set_defaults(verb=name)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(say("help.output"))
    for flag in ("json", "plain", "quiet", "no-input"):
        text = say(f"help.{flag.replace('-', '_')}")
        group.add_argument(f"--{flag}", action="store_true", default=argparse.SUPPRESS, help=text)
    colours = ("auto", "always", "never")
    group.add_argument("--color", choices=colours, default=argparse.SUPPRESS, help=say("help.color"))
    group.add_argument("--lang", choices=[*CATALOGUES], default=argparse.SUPPRESS, help=say("help.lang"))


def _kata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kata", help=say("help.kata"))


def _decision(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", "--note", default="", help=say("help.note"))
    parser.add_argument("--yes", action="store_true", help=say("help.yes"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _nothing(parser: argparse.ArgumentParser) -> None:
    del parser


def _list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help=say("help.all"))


def _url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", action="store_true", help=say("help.url"))


def _version(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    parser.add_argument("--version", type=int, default=None, help=say("help.version"))


def _review(parser: argparse.ArgumentParser) -> None:
    _version(parser)
    _url(parser)


def _plan(parser: argparse.ArgumentParser) -> None:
    _version(parser)
    parser.add_argument("words", nargs="*", metavar="input=value", help=say("help.plan.words"))


def _diff(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    parser.add_argument("before", nargs="?", default="", help=say("help.diff.before"))
    parser.add_argument("after", nargs="?", default="", help=say("help.diff.after"))


def _words(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)


def _approve(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    parser.add_argument(
        "words", nargs="*", metavar="as NAME [input=name …] [using …]", help=say("help.approve.words")
    )
    _decision(parser)


def _decide(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    _words(parser)
    _decision(parser)


def _defer(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    _words(parser)
    parser.add_argument("--until", default="asked", help=say("help.until"))
    _decision(parser)


def _reject(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    _words(parser)
    parser.add_argument("--until", default="", help=say("help.reject.until"))
    _decision(parser)


def _rollback(parser: argparse.ArgumentParser) -> None:
    _kata(parser)
    parser.add_argument("to", type=int, help=say("help.to"))
    _words(parser)
    _decision(parser)


def _undo(parser: argparse.ArgumentParser) -> None:
    _words(parser)
    _decision(parser)


def _runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kata", nargs="?", default="", help=say("help.kata"))
    parser.add_argument("--limit", type=_numbers(1, MOST), default=20, help=say("help.limit"))
    _url(parser)


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("show", "allow"), help=say("help.run.action"))
    parser.add_argument("run", help=say("help.run"))
    _url(parser)
    parser.add_argument("-m", "--note", default="", help=say("help.note"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help=say("help.audit.text"))
    for name in ("actor", "action", "channel", "kata", "since", "until"):
        parser.add_argument(f"--{name}", default="", help=say(f"help.audit.{name}"))
    parser.add_argument("--observations", action="store_true", help=say("help.audit.observations"))
    parser.add_argument("--limit", type=_numbers(1, MOST), default=20, help=say("help.limit"))
    parser.add_argument("--before", type=_numbers(0, FARTHEST), default=None, help=say("help.audit.before"))
    parser.add_argument("--ndjson", action="store_true", help=say("help.audit.ndjson"))
    _url(parser)


def _status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--exit-code", action="store_true", help=say("help.exit_code"))


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=say("help.import.path"))
    parser.add_argument("--since", default="", help=say("help.import.since"))
    parser.add_argument("--session", default="", help=say("help.import.session"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kata", nargs="?", default="", help=say("help.kata"))
    parser.add_argument("--version", type=int, default=None, help=say("help.version"))
    parser.add_argument("--history", action="store_true", help=say("help.export.history"))
    parser.add_argument("-o", "--output", default="", metavar="FILE", help=say("help.export.output"))


def _import_kata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=say("help.import_kata.file"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _pause(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("span", nargs="?", default="", help=say("help.span"))
    parser.add_argument("-m", "--note", default="", help=say("help.note"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", "--note", default="", help=say("help.note"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="last", help=say("help.forget.last"))
    for name in ("session", "text", "token"):
        parser.add_argument(f"--{name}", default="", help=say(f"help.forget.{name}"))
    _decision(parser)


def _watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--observations", action="store_true", help=say("help.audit.observations"))
    parser.add_argument("--for", dest="span", default="", metavar="SPAN", help=say("help.watch.for"))


def _open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kata", nargs="?", default="", help=say("help.kata"))
    parser.add_argument("--run", default="", help=say("help.run"))
    _url(parser)


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help=say("help.completion.shell"))


def _replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help=say("help.check"))
    parser.add_argument("--until", default="", help=say("help.replay.until"))


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--accept", action="store_true", help=say("help.verify.accept"))
    _decision(parser)


def _hooks(parser: argparse.ArgumentParser) -> None:
    actions, systems = ("install", "uninstall", "status"), ("gateway", "shell")
    parser.add_argument("action", choices=actions, help=say("help.hooks.action"))
    parser.add_argument("system", choices=systems, help=say("help.hooks.system"))
    parser.add_argument("events", nargs="*", help=say("help.hooks.events"))
    parser.add_argument("--dry-run", action="store_true", help=say("help.dry_run"))


def _dashboard(parser: argparse.ArgumentParser) -> None:
    actions = ("install", "uninstall")
    parser.add_argument("action", choices=actions, help=say("help.dashboard.action"))


def _help(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="?", default="", help=say("help.topic"))


VERBS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "list": ("verb.list", _list),
    "review": ("verb.review", _review),
    "plan": ("verb.plan", _plan),
    "diff": ("verb.diff", _diff),
    "why": ("verb.why", _version),
    "approve": ("verb.approve", _approve),
    "reject": ("verb.reject", _reject),
    "reconsider": ("verb.reconsider", _decide),
    "defer": ("verb.defer", _defer),
    "undo": ("verb.undo", _undo),
    "disable": ("verb.disable", _decide),
    "enable": ("verb.enable", _decide),
    "rollback": ("verb.rollback", _rollback),
    "runs": ("verb.runs", _runs),
    "run": ("verb.run", _run),
    "audit": ("verb.audit", _audit),
    "watch": ("verb.watch", _watch),
    "blame": ("verb.blame", _kata),
    "stats": ("verb.stats", _nothing),
    "status": ("verb.status", _status),
    "doctor": ("verb.doctor", _nothing),
    "open": ("verb.open", _open),
    "mine": ("verb.mine", _nothing),
    "import": ("verb.import", _import),
    "export": ("verb.export", _export),
    "import-kata": ("verb.import_kata", _import_kata),
    "pause": ("verb.pause", _pause),
    "resume": ("verb.resume", _resume),
    "forget": ("verb.forget", _forget),
    "replay": ("verb.replay", _replay),
    "verify": ("verb.verify", _verify),
    "hooks": ("verb.hooks", _hooks),
    "dashboard": ("verb.dashboard", _dashboard),
    "completion": ("verb.completion", _completion),
    "help": ("verb.help", _help),
}
"""Every verb with its summary's key and what it takes; ``overview`` is what no verb means."""

SHELL_ONLY = frozenset(
    {
        "completion",
        "export",
        "dashboard",
        "hooks",
        "import",
        "import-kata",
        "open",
        "replay",
        "verify",
        "watch",
    }
)


def language_asked(words: Sequence[str]) -> str:
    """Return what ``--lang`` says, before anything is parsed: help and errors speak that language as well."""
    for at, word in enumerate(words):
        if word == "--lang":
            return "".join(words[at + 1 : at + 2])
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return ""


def first_word(words: Sequence[str]) -> str:
    """Return the first word that is no option and no option's value; empty without one."""
    valued = False
    for word in words:
        if not valued and not word.startswith("-"):
            return word
        valued = not valued and word in ("--color", "--lang")
    return ""


def unknown_verb(word: str) -> UsageError:
    """Return the error for a word that is no verb, with the near one."""
    near = difflib.get_close_matches(word, [*VERBS, *ALIASES], n=1, cutoff=0.6)
    hint = say("usage.near", verb=near[0]) if near else say("usage.verbs", verbs=", ".join(VERBS))
    return UsageError(say("usage.unknown_verb", verb=word), hint=hint)


def parse(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Parse words; a misspelt verb is answered with the near one.

    Raises:
        UsageError: the words are wrong.
        HelpShown: help was asked for.
    """
    if words and words[0] == COMPLETE:
        return argparse.Namespace(verb=COMPLETE, words=list(words[2:] if "--" in words[1:2] else words[1:]))
    first = first_word(words)
    if first and first not in VERBS and first not in ALIASES:
        raise unknown_verb(first)
    asked, rest = parser.parse_known_args(list(words))
    if any(word.startswith("-") for word in rest) or (rest and not hasattr(asked, "words")):
        raise UsageError(
            say("usage.rest", words=" ".join(rest)), hint=say("usage.help", verb=asked.verb or "")
        )
    if rest:
        asked.words = [*asked.words, *rest]
    _check_letters(asked)
    return asked


def _check_letters(asked: argparse.Namespace) -> None:
    """Refuse words with bytes that are no text, which no log can be asked for."""
    for name, value in vars(asked).items():
        for word in value if isinstance(value, list) else (value,):
            if name not in FILES and isinstance(word, str) and not _is_text(word):
                raise UsageError(say("usage.letters", word=word))


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True

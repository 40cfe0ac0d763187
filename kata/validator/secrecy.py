"""The check that nothing secret, and no placeholder of a secret, stands in a version (case B072)."""

from collections.abc import Iterator

from ..json import JsonValue, Path, show_path
from ..redact import Masker, find_masks, has_host_mask
from ..spec import Array, Concat, Const, Expression, OneOf, Record, Spec, dump_spec, flat_steps
from ..templating import goes_into_a_sample
from .report import Verdict, failed, passed, warning
from .subject import Subject

_KEY = b"only to look for secrets, never to store a mark"


def no_secrets(subject: Subject) -> Verdict:
    """Check that no constant holds a credential, a mark of Kata's or a placeholder of the host's (case B072)."""
    masker = Masker(_KEY)
    doubts: list[str] = []
    for where, value, args in _constants(subject.spec):
        if find_masks(value):
            return failed(f"{where} holds a masked value")
        if has_host_mask(value):
            if not goes_into_a_sample(args):
                return failed(f"{where} holds a masked value")
            doubts.append(f"{where} holds what looks like a masked value")
        elif masker.mask(value).found:
            return failed(f"{where} holds a credential")
    if masker.mask(_without_steps(subject.spec)).found or find_masks(_without_steps(subject.spec)):
        return failed("a schema or precondition holds a credential")
    return warning("; ".join(doubts)) if doubts else passed("no credential and no masked value")


def _constants(spec: Spec) -> Iterator[tuple[str, JsonValue, Record]]:
    for number, step in enumerate(flat_steps(spec), 1):
        for path, value in _constant_parts(step.args, ()):
            yield f"step {number}.{show_path(path)}", value, step.args
        for one in step.requires:
            if isinstance(one, OneOf):
                yield f"step {number}'s precondition", list(one.values), step.args


def _constant_parts(one: Expression, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    match one:
        case Const(value):
            yield path, value
        case Concat(parts):
            for part in parts:
                yield from _constant_parts(part, path)
        case Record(fields):
            for key, value in fields:
                yield from _constant_parts(value, (*path, key))
        case Array(items):
            for at, item in enumerate(items):
                yield from _constant_parts(item, (*path, at))


def _without_steps(spec: Spec) -> JsonValue:
    return {key: value for key, value in dump_spec(spec).items() if key in ("inputs", "output")}

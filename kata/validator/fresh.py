"""Fresh values in the shape of recorded ones, so that what should follow is seen to follow (cases B034, B035).

A text keeps its length and its punctuation, so that a path stays a path; the same value becomes the same fresh value within
one rehearsal. Seeded: the same version always gives the same report.
"""

import random
import re
import string
from collections.abc import Mapping

from ..json import JsonObject, JsonValue, Path, canonical, dumps
from ..redact import find_masks
from ..schemas import SchemaError, accepts
from ..spec import OneOf, Spec, flat_steps
from ..templating import decode_result

KEPT_KEYS = frozenset(
    {"approval_pending", "error", "exit_code", "exit_code_meaning", "guardrail_refusal", "isError", "ok"}
    | {"stale_write_blocked", "status", "success"}
)
"""What a result is judged by stays as it was recorded."""

_MARK = re.compile(r"⟦(?:secret|truncated):[^⟧]*:([0-9a-f]+)⟧")
_TRIES = 20


class Fresh:
    """Makes fresh values; one for each rehearsal."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 - test values, no secrets
        self._made: dict[str, JsonValue] = {}

    def value(self, old: JsonValue) -> JsonValue:
        """Return a fresh value of the same shape; truth values and nulls have none, and JSON inside a text stays JSON."""
        if isinstance(old, dict):
            return {key: self.value(one) for key, one in old.items()}
        if isinstance(old, list):
            return [self.value(one) for one in old]
        if old is None or isinstance(old, bool):
            return old
        inner = decode_result(old) if isinstance(old, str) else old
        if inner is not old:
            return dumps(self.result(inner))
        key = canonical(old)
        if key not in self._made:
            self._made[key] = self._scalar(old)
        return self._made[key]

    def result(self, old: JsonValue) -> JsonValue:
        """Return a fresh result: new leaves, but for what it is judged by."""
        if not isinstance(old, dict):
            return self.value(old)
        return {key: one if key in KEPT_KEYS else self.value(one) for key, one in old.items()}

    def input(self, schema: JsonObject, old: JsonValue) -> JsonValue:
        """Return a fresh value that the input's schema accepts; the old one where none was found."""
        for _ in range(_TRIES):
            new = self.value(old)
            try:
                if accepts(schema, new):
                    return new
            except SchemaError:
                break
            self._made.pop(canonical(old), None)
        return old

    def _scalar(self, old: JsonValue) -> JsonValue:
        if isinstance(old, str):
            return self._text(old)
        distance = self._random.randint(1, 1000)
        return old - distance if old < 0 else old + distance

    def _text(self, old: str) -> str:
        for _ in range(_TRIES):
            new = "".join(map(self._char, old))
            if new != old:
                return new
        return old

    def _char(self, old: str) -> str:
        if old.isdigit():
            return self._random.choice("123456789")
        if old.isalpha():
            return self._random.choice(string.ascii_uppercase if old.isupper() else string.ascii_lowercase)
        return old


def keep_states(spec: Spec, number: int, old: JsonValue, new: JsonValue) -> JsonValue:
    """Put back the values that a later step insists on (`OneOf`), so that a fresh result still lets it through."""
    for step in flat_steps(spec):
        for one in step.requires:
            if isinstance(one, OneOf) and one.step == number:
                new = _put_back(old, new, one.path)
    return new


def _put_back(old: JsonValue, new: JsonValue, path: Path) -> JsonValue:
    if not path:
        return old
    part, rest = path[0], path[1:]
    if isinstance(old, str) and isinstance(decode_result(old), dict | list):
        return dumps(_put_back(decode_result(old), decode_result(str(new)), path))
    if isinstance(old, Mapping) and part in old:
        return {**new, part: _put_back(old[part], new[part], rest)}
    if isinstance(old, list) and isinstance(part, int) and part < len(old):
        return [_put_back(old[part], one, rest) if at == part else one for at, one in enumerate(new)]
    return new


def unmasked(value: JsonValue) -> JsonValue:
    """Put an invented secret in the place of each mark, equal ones for equal marks: recordings are kept masked.

    What flows through a secret is then seen to flow, although nobody kept the secret.
    """
    if not find_masks(value) and "⟦" not in str(value):
        return value
    if isinstance(value, str):
        return _MARK.sub(lambda mark: f"kept{mark[1]}", value)
    if isinstance(value, dict):
        return {unmasked(key): unmasked(one) for key, one in value.items()}
    return [unmasked(one) for one in value] if isinstance(value, list) else value

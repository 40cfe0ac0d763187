"""What goes into a mining pass and what comes out of it: plain values, no storage (design 6)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import attrs

from ..json import JsonValue
from ..spec import Spec


@attrs.frozen
class Settings:
    """The thresholds of learning, as the user set them."""

    min_support: int = 3
    min_confidence: float = 0.75
    max_steps: int = 8


@attrs.frozen
class CallRow:
    """One recorded call without its values: all that segmentation and counting look at.

    Attributes:
        ref: What its values are loaded by (the event's position).
        conversation: The root of the session's lineage, or ``job:<id>`` of a scheduled job.
        turn: The turn's id, unique in the history.
        signature: Its number in the signature table (`kata.miner.signature`).
        tool: The tool's name.
        group: Calls of one model request share it; they cannot feed each other.
        ok: It succeeded, by Kata's own judgement.
        breaks: It ends a run whatever its outcome (a gap: announced and never seen; a conversational tool).
        at: When it ended, epoch seconds; None where unknown.
    """

    ref: int
    conversation: str
    turn: str
    signature: int
    tool: str
    group: str
    ok: bool
    breaks: bool
    at: float | None


@attrs.frozen
class CallValues:
    """The values of one call: masked arguments, the decoded result, and how long it took."""

    args: JsonValue
    result: JsonValue
    textual: bool = False
    exit_code: int | None = None
    duration_ms: int | None = None
    truncated: bool = False


class History(Protocol):
    """The recorded calls: rows in order (by conversation, then turn, then announced order), values on demand."""

    def rows(self) -> Iterable[CallRow]:
        """Yield every row of the history, in order."""
        ...

    def signatures(self) -> Sequence[str]:
        """Return the signature table: a row's ``signature`` indexes it."""
        ...

    def values(self, refs: Iterable[int]) -> Mapping[int, CallValues]:
        """Load the values of some calls."""
        ...


@attrs.frozen
class Occurrence:
    """One place where the routine was done: its calls in order."""

    conversation: str
    turn: str
    refs: tuple[int, ...]


@attrs.frozen(kw_only=True)
class ArgumentNote:
    """Why an argument leaf became what it is, for ``why`` and review.

    Attributes:
        step: The step's number.
        path: The leaf, as shown (`kata.json.show_path`).
        became: ``constant``, ``input``, ``reference``, ``text`` or ``ignored``.
        reason: One English phrase.
        values: How many distinct values stood behind it.
        alternatives: Other sources that explain it in every occurrence, as text (``step 1 · path``); these make it ambiguous.
    """

    step: int
    path: str
    became: str
    reason: str
    values: int
    alternatives: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Found:
    """One recurring sequence, proposed or not.

    Attributes:
        key: The pattern key (design 4): signatures and wiring.
        signatures: Step signatures in order.
        tools: Step tools in order.
        spec: The template, where one could be made.
        occurrences: Every place, one or more a conversation, in a fixed order; the first of each conversation is its evidence.
        support: Distinct conversations.
        blocked_by: Every reason that holds it back, of: ``support``, ``coherence``, ``fit``, ``confidence``, ``masked_value``,
            ``not_compilable``, ``near_duplicate`` (the service adds ``tool_not_here``, ``pending_limit``); empty: a candidate.
        detail: The reason in one English sentence.
        name: A suggested name.
        warnings: What a reviewer must see (ambiguous source of an effect, time-bound constant, first of many, …).
    """

    key: str
    signatures: tuple[str, ...]
    tools: tuple[str, ...]
    spec: Spec | None
    occurrences: tuple[Occurrence, ...]
    support: int
    fit_rate: float
    confidence: float
    blocked_by: tuple[str, ...]
    detail: str
    name: str
    arguments: tuple[ArgumentNote, ...] = ()
    warnings: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Mined:
    """The result of a pass: candidates best first, then what was seen and not proposed, and counts by reason."""

    candidates: tuple[Found, ...]
    seen: tuple[Found, ...]
    calls: int
    conversations: int
    counts: Mapping[str, int]

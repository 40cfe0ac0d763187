"""The bounds of a run, as the settings and the host give them."""

import attrs

HOST_LIMIT_S = 420
"""Seconds after which the host abandons a tool call that still runs; a run must end before."""


@attrs.frozen(kw_only=True)
class Limits:
    """How long and how often a run may try.

    Attributes:
        step_timeout_s: Seconds that one step may take.
        total_s: Seconds that the whole run may take, below the host's own limit.
        read_retries: Times that a failed read is tried again; a step with an effect never is.
        backoff_s: Seconds before the first retry, doubled before each further one.
        poll_s: Seconds between two looks at the clocks and at the user's stop.
        stop_grace_s: Seconds that a step may still take to end by itself after the user's stop.
    """

    step_timeout_s: float = 60.0
    total_s: float = attrs.field(default=300.0, validator=attrs.validators.lt(HOST_LIMIT_S))
    read_retries: int = 1
    backoff_s: float = 0.5
    poll_s: float = 0.05
    stop_grace_s: float = 2.0

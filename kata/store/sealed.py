"""Whose run it is: only the process that began a run can spool its end (design 3, case B025).

A run's id is derived from the id of the event that will end it, and cannot be turned back into it. That id stays in the
memory of the process that runs: once the process is gone, nothing in the spool ends the run any more; a person settles it.
"""

from ..clock import derived_id

_VERSION = 14
"""Where the version stands in the text of a UUID."""


def run_id_for(end: str) -> str:
    """Return the id of the run that the event with the id ``end`` may end."""
    return derived_id("run", end)


def may_end(run_id: str, event_id: str) -> bool:
    """Tell whether the event with this id may end a run; a run id that is not derived binds nobody."""
    is_sealed = run_id[_VERSION : _VERSION + 1] == "5"
    return not is_sealed or run_id_for(event_id) == run_id

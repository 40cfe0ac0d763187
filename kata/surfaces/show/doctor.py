"""``doctor``: one line a check, and below each that is not well how to mend it."""

from ...service.doctor import FAULT, OK, WARNING, DoctorView
from ..paint import Page, columns, one_line
from ..text import explain, plural, say

STYLE = {OK: "green", WARNING: "yellow", FAULT: "red"}


def lines(view: DoctorView, page: Page) -> list[str]:
    """Return the findings, and in the last line how it stands."""
    if page.plain:
        return [
            "\t".join((one.status, one.name, one_line(one.detail), one_line(one.mend) or "-"))
            for one in view.findings
        ]
    table = columns(
        [page.style(say(f"doctor.{one.status}"), STYLE[one.status]), one.name, one_line(explain(one.detail))]
        for one in view.findings
    )
    shown = []
    for one, line in zip(view.findings, table, strict=True):
        shown.append(line)
        if one.mend:
            shown.append(say("doctor.mend", mend=one_line(one.mend)))
    count = {status: sum(one.status == status for one in view.findings) for status in STYLE}
    faults = plural(count[FAULT], "count.fault", "count.faults")
    warnings = plural(count[WARNING], "count.warning", "count.warnings")
    key = "doctor.well" if view.sound else "doctor.unwell"
    return [*shown, "", say(key, faults=faults, warnings=warnings)]

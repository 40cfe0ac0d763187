"""Sum up JUnit reports in one closing line: what passed, failed and was skipped in all suites."""

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET


def count(report: Path) -> Counter[str]:
    """Count the tests of one report; an error in a fixture is a failure."""
    counted: Counter[str] = Counter()
    for suite in ET.parse(report).iter("testsuite"):
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped = int(suite.get("skipped", 0))
        counted += Counter(failed=failed, skipped=skipped)
        counted["passed"] += int(suite.get("tests", 0)) - failed - skipped
    return counted


def main(reports: list[str]) -> int:
    """Print the line; return 1 when a test failed or none passed."""
    total = sum((count(Path(report)) for report in reports if Path(report).exists()), Counter())
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 0 if total["passed"] and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

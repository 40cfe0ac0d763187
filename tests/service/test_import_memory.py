"""However long a history is, it is read with little memory: each import here is a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource")
MIB = 1_048_576

IMPORT = """
import resource, sys
from pathlib import Path
from kata.service import assemble

service = assemble(Path(sys.argv[1]))
found = service.import_history(Path(sys.argv[2]))
service.close()
status = Path("/proc/self/status")
if status.exists():  # what the process that made this one once held does not count here
    [most] = [int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")]
else:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
read = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(found.calls, (most + read) // 1024)
"""


def history(path: Path, mib: int, kib: int) -> int:
    """Write so many MiB of calls whose results have so many KiB; return the calls."""
    words = "".join(f"line {number}: all is well\n" for number in range(10_000))[: kib * 1024]
    count = mib * 1024 // kib
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            line = {
                "session_id": f"s{number // 40}",
                "turn": number // 8,
                "tool": "read_log",
                "args": {"n": number},
            }
            file.write(json.dumps({**line, "result": {"text": f"{number} {words}", "ok": True}}) + "\n")
    return count


def most(folder: Path, mib: int, kib: int) -> int:
    """Import such a history; return the most MiB of memory that the process had, and the one that read for it."""
    path = folder / "history.jsonl"
    count = history(path, mib, kib)
    ran = subprocess.run(
        [sys.executable, "-c", IMPORT, str(folder / f"kata-{mib}"), str(path)],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    calls, held = map(int, ran.stdout.split())
    assert calls == count
    return held


def test_memory_does_not_grow_with_the_file(tmp_path):
    first, then = most(tmp_path, 20, 8), most(tmp_path, 44, 8)
    assert then < first + 12
    assert then < 200


@pytest.mark.deep
@pytest.mark.parametrize("kib", [1, 16])
def test_a_file_of_120_mib_needs_less_than_200_mib(tmp_path, kib):
    assert most(tmp_path, 120, kib) < 200

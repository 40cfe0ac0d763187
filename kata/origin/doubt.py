"""Whether a person can be behind a process: what it hangs from at the top, and who sits at its terminal (design 9.3).

Whoever forks twice and clears its environment looks like anybody. Two things it cannot change: it was adopted by the first
process of the machine, as a program is that nobody starts any more, and it began while an agent was at work. Both together,
under a name that is no terminal's, login's or desktop's, are doubted, and nothing else is: what began before, what somebody
started who is still there (ssh, a container's exec, a test runner), what lives in another login or control group.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from . import tmux
from .agents import agents_of, can_stem_from, is_hermes
from .marks import agent_mark
from .names import INITS, MULTIPLEXERS, is_a_person_s
from .processes import Processes

SLACK_S = 600.0
"""So long after an agent's turn what begins can still be a program's that the turn left behind."""

JUST_BEFORE_S = 2.0
"""The kernel counts in ticks, and the clock may have been set."""

FIRST = 1
USERS_INIT = "systemd"
STRANGER, UNATTENDED, NOT_TYPED = "stranger", "unattended", "not_typed"
Named = Callable[[str, Path | None], bool]


@attrs.frozen
class Record:
    """What one log knows of agents: where it lies, and whether a turn of one overlaps a span, in seconds since 1970."""

    data: Path
    worked: Callable[[float, float], bool]


@attrs.frozen(kw_only=True)
class Doubt:
    """Why nobody can say that a person is behind a process.

    Attributes:
        kind: ``stranger``, ``unattended`` (a multiplexer without anybody at it) or ``not_typed``.
        program: The program that it is about.
    """

    kind: str
    program: str


@attrs.frozen
class Doubts:
    """Looks at what is behind a process, for decisions about one log."""

    record: Record
    processes: Processes = attrs.field(factory=Processes)
    known: Named = is_a_person_s
    own: int = attrs.field(factory=os.getpid)

    def at_terminal(self, pid: int) -> Doubt | None:
        """Return the doubt about whoever sits at the pseudo-terminal of a process; a real one is at a person's hands."""
        return None if self.processes.terminal(pid) is None else self._at(pid, frozenset())

    def _at(self, pid: int, seen: frozenset[int]) -> Doubt | None:
        doubts = (self.behind(start, pid, seen) for start in self._starts(pid))
        return next((doubt for doubt in doubts if doubt is not None), None)

    def behind(self, start: int, pid: int, seen: frozenset[int] = frozenset()) -> Doubt | None:
        """Return the doubt about what a process hangs from; ``pid`` is the one that decides."""
        found = self._orphan(start)
        if found is None:
            return None
        top, adopter = found
        program = self.processes.program(top)
        if top in seen:
            return Doubt(kind=UNATTENDED, program=program)
        if program in MULTIPLEXERS:
            return self._multiplexed(top, adopter, start, pid, seen | {top})
        if self._is_known(top, program) or not self._is_strange(top, adopter):
            return None
        return Doubt(kind=STRANGER, program=program)

    def typed(self, pid: int, since: float) -> Doubt | None:
        """Return the doubt about an answer that stands at a tmux prompt though no person attached pressed a key since."""
        for server in self.processes.terminal_holders(pid):
            if self.processes.program(server) == "tmux" and self._is_at_work():
                clients = tmux.clients_of(server, pid, self.processes)
                if clients is not None and not any(self._pressed(one, server, since) for one in clients):
                    return Doubt(kind=NOT_TYPED, program="tmux")
        return None

    def _pressed(self, client: tmux.Client, server: int, since: float) -> bool:
        return (client.control or client.active >= int(since)) and self._passes(
            client.pid, frozenset({server})
        )

    def _starts(self, pid: int) -> Iterator[int]:
        """Yield who holds the terminal, and the process itself unless nobody is above it: then only they can tell."""
        yield from self.processes.terminal_holders(pid)
        found = self._orphan(pid)
        if found is not None and found[0] != pid:
            yield pid

    def _orphan(self, pid: int) -> tuple[int, int] | None:
        """Return the uppermost process of this user in a lineage, and who adopted it; None where somebody started it."""
        owner = self.processes.owner(self.own)
        for one in self.processes.lineage(pid):
            stat = self.processes.stat(one)
            if stat is None or owner is None or self.processes.owner(one) != owner:
                return None
            if stat.parent == FIRST or self.processes.program(stat.parent) == USERS_INIT:
                return one, stat.parent
        return None

    def _is_known(self, pid: int, program: str) -> bool:
        """Tell whether a program is a person's by its name; a Hermes that runs on without its terminal is theirs too."""
        words, path = self.processes.words(pid), self.processes.program_path(pid)
        script = Path(words[1]).name if program.startswith("python") and len(words) > 1 else program
        return self.known(program, path) or self.known(script, None) or is_hermes(words)

    def _is_strange(self, pid: int, adopter: int) -> bool:
        """Tell whether a process began while an agent was at work, and not by its adopter's own doing."""
        return not self._is_started_by(adopter, pid) and self._began_at_work(pid, adopter)

    def _is_started_by(self, adopter: int, pid: int) -> bool:
        """Tell whether an adopter shows to have started a process: one session, or a pipe between a supervisor and it.

        An agent's programs are in sessions of their own, and none gets back into another one.
        """
        theirs, own = self.processes.stat(adopter), self.processes.stat(pid)
        if theirs is not None and own is not None and theirs.session == own.session:
            return True
        return not self._is_init(adopter) and bool(self.processes.pipes(adopter) & self.processes.pipes(pid))

    def _is_init(self, pid: int) -> bool:
        return self.processes.program(pid) in INITS

    def _began_at_work(self, pid: int, adopter: int) -> bool:
        owner = self.processes.owner(self.own)
        agents = () if owner is None else agents_of(self.record.data, owner, self.processes)
        if any(can_stem_from(pid, one, self.processes) for one in agents):
            return True
        began = self.processes.began_at(pid)
        slack = SLACK_S if self._is_init(adopter) else 0.0
        return began is not None and self.record.worked(began - slack, began + JUST_BEFORE_S)

    def _is_at_work(self) -> bool:
        """Tell whether an agent is at work now, or was a moment ago."""
        owner, now = self.processes.owner(self.own), time.time()
        agents = () if owner is None else agents_of(self.record.data, owner, self.processes)
        return bool(agents) or self.record.worked(now - SLACK_S, now)

    def _multiplexed(
        self, server: int, adopter: int, start: int, pid: int, seen: frozenset[int]
    ) -> Doubt | None:
        """Return the doubt about a multiplexer: somebody has to be at it, and to pass themselves.

        One that began before any agent is looked into only where it holds the very terminal that is typed into: what
        runs in its panes otherwise (a test runner, say) has a terminal of its own.
        """
        program = self.processes.program(server)
        strange = self._is_strange(server, adopter)
        if not strange and (start != server or program != "tmux" or not self._is_at_work()):
            return None
        clients = tmux.clients_of(server, pid, self.processes) if program == "tmux" else None
        attached = self._alike(server, program) if clients is None else tuple(one.pid for one in clients)
        if clients is None and not strange:
            return None
        if any(self._passes(one, seen) for one in attached):
            return None
        return Doubt(kind=UNATTENDED, program=program)

    def _alike(self, server: int, program: str) -> tuple[int, ...]:
        """Return the other processes of a multiplexer's program, outside of it: one of them is who is attached."""
        return tuple(
            pid
            for pid in self.processes.all()
            if pid != server
            and self.processes.program(pid) == program
            and self._is_in_a_terminal(pid)
            and server not in self.processes.lineage(pid)
        )

    def _is_in_a_terminal(self, pid: int) -> bool:
        stat = self.processes.stat(pid)
        return stat is not None and stat.terminal != 0

    def _passes(self, client: int, seen: frozenset[int]) -> bool:
        """Tell whether an attached client can be a person's: no mark and no doubt; a client of itself is nobody."""
        return agent_mark(client, self.processes) is None and self._at(client, seen) is None

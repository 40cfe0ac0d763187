"""Who is doubted at a terminal, and above all who is not: every way that people have of coming to one."""

import time

import pytest

from kata.origin import Doubt, Doubts, Record
from kata.origin.doubt import NOT_TYPED, STRANGER, UNATTENDED
from kata.origin.names import is_a_person_s_peer
from kata.origin.tmux import Client
from tests.origin.fake import ANA, ROOT, FakeProc

BEFORE, BEGAN, LATER = 1000, 2000, 3000
"""An agent's Hermes begins at `BEGAN`."""

PTY = 7


class Machine:
    """A machine on which Ana's Hermes is at work in her home, and something decides at a pseudo-terminal."""

    def __init__(self, root, init="/usr/lib/systemd/systemd", init_session=1):
        self.home = root / "home"
        self.data = self.home / "plugin-data" / "kata"
        self.data.mkdir(parents=True)
        self.proc = FakeProc(root / "proc")
        self.spans = []
        self.asked = {}
        self.proc.process(1, 0, init, uid=ROOT, session=init_session)

    def hermes(self, pid=50, **more):
        words = "/usr/bin/python3 /home/ana/.local/bin/hermes chat"
        return self.proc.process(
            pid,
            1,
            "/usr/bin/python3.12",
            **{"began": BEGAN, "words": words, "HERMES_HOME": str(self.home), **more},
        )

    def decider(self, parent, pid=900, **more):
        return self.proc.process(
            pid, parent, "/usr/bin/python3.12", **{"began": LATER + 5, "tty": PTY, **more}
        )

    def turn(self, start, end):
        """Record a turn, in the table's seconds."""
        self.spans.append((start, end))

    def doubts(self, pid=900, **more):
        began = time.time() - FakeProc.UPTIME

        def worked(start, end):
            return any(began + first <= end and began + last >= start for first, last in self.spans)

        return Doubts(Record(self.data, worked), self.proc.processes, own=pid, **more)

    def doubt(self, pid=900):
        return self.doubts(pid).at_terminal(pid)


@pytest.fixture
def machine(tmp_path):
    made = Machine(tmp_path)
    made.hermes()
    return made


def orphan(machine, program="/usr/bin/python3.12", pid=800, **more):
    """Let the attack's program be adopted: it holds the terminal, and what decides is its child."""
    machine.proc.process(pid, 1, program, **{"began": LATER, "master": PTY, **more})
    return machine.decider(pid)


def test_who_cut_every_tie_while_an_agent_is_at_work_is_doubted(machine):
    orphan(machine)
    assert machine.doubt() == Doubt(kind=STRANGER, program="python3.12")


@pytest.mark.parametrize(
    "program", ["/usr/bin/script", "/bin/sh", "/usr/bin/expect", "/tmp/x", "/usr/bin/perl"]
)
def test_no_other_program_helps_who_cut_every_tie(machine, program):
    orphan(machine, program)
    assert machine.doubt().kind == STRANGER


def test_a_program_that_was_removed_meanwhile_is_still_looked_at(machine):
    orphan(machine, "/tmp/x (deleted)")
    assert machine.doubt() == Doubt(kind=STRANGER, program="x")


def test_who_hides_behind_the_users_own_init_is_doubted(machine):
    machine.proc.process(40, 1, "/usr/lib/systemd/systemd", began=100)
    machine.proc.process(800, 40, "/bin/bash", began=LATER, master=PTY)
    machine.decider(800)
    assert machine.doubt() == Doubt(kind=STRANGER, program="bash")


def test_a_decider_that_is_an_orphan_itself_is_known_by_whoever_holds_its_terminal(machine):
    machine.proc.process(800, 1, "/bin/sh", began=LATER, master=PTY)
    machine.decider(1)
    assert machine.doubt().kind == STRANGER


def test_what_an_agent_left_behind_in_its_turn_is_doubted_when_its_hermes_has_ended(tmp_path):
    machine = Machine(tmp_path)
    machine.turn(BEGAN, LATER + 60)
    orphan(machine)
    assert machine.doubt().kind == STRANGER


@pytest.mark.parametrize(("after", "kind"), [(30, STRANGER), (590, STRANGER), (660, None)])
def test_what_begins_within_ten_minutes_of_a_turn_can_be_what_it_left_behind(tmp_path, after, kind):
    machine = Machine(tmp_path)
    machine.turn(BEGAN, LATER - after)
    orphan(machine)
    assert getattr(machine.doubt(), "kind", None) == kind


@pytest.mark.parametrize("began", [BEFORE, BEGAN])
def test_what_began_before_any_agent_is_a_person_s(machine, began):
    orphan(machine, began=began)
    assert machine.doubt() is None


def test_a_terminal_opened_after_the_agents_are_gone_is_a_person_s(tmp_path):
    machine = Machine(tmp_path)
    machine.turn(BEFORE, BEFORE + 60)
    orphan(machine)
    assert machine.doubt() is None


def test_where_no_agent_ever_was_nobody_is_doubted(tmp_path):
    machine = Machine(tmp_path)
    orphan(machine)
    assert machine.doubt() is None


def test_ssh_as_a_user_is_a_person(machine):
    machine.proc.process(60, 1, "/usr/sbin/sshd", uid=ROOT, began=10)
    machine.proc.process(61, 60, "/usr/sbin/sshd", uid=ROOT, began=LATER)
    machine.proc.process(62, 61, "/usr/sbin/sshd", began=LATER, master=PTY, visible=False)
    machine.proc.process(63, 62, "/bin/bash", began=LATER, tty=PTY)
    machine.decider(63)
    assert machine.doubt() is None


def test_ssh_whose_listener_was_started_anew_is_a_person_though_all_is_root(tmp_path):
    machine = Machine(tmp_path)
    machine.hermes(uid=ROOT)
    machine.proc.process(60, 1, "/usr/sbin/sshd", uid=ROOT, began=LATER)
    machine.proc.process(62, 60, "/usr/sbin/sshd-session", uid=ROOT, began=LATER, master=PTY)
    machine.proc.process(63, 62, "/bin/bash", uid=ROOT, began=LATER, tty=PTY)
    machine.decider(63, uid=ROOT)
    assert machine.doubt() is None


def test_a_container_s_exec_is_a_person(machine):
    machine.proc.process(70, 0, "/bin/bash", began=LATER, tty=PTY)
    machine.decider(70)
    assert machine.doubt() is None


def test_a_container_whose_first_process_is_the_person_s_shell(tmp_path):
    machine = Machine(tmp_path, init="/bin/bash")
    machine.hermes(session=50)
    machine.decider(1, session=1)
    assert machine.doubt() is None


def test_what_a_test_runner_in_that_shell_opens_is_a_person_s(tmp_path):
    machine = Machine(tmp_path, init="/bin/bash")
    machine.hermes(session=50)
    machine.proc.process(80, 1, "/usr/bin/python3.12", began=LATER, session=1, master=PTY)
    machine.decider(80)
    assert machine.doubt() is None


def test_but_what_cut_its_ties_in_that_container_is_doubted(tmp_path):
    machine = Machine(tmp_path, init="/bin/bash")
    machine.hermes(session=50)
    orphan(machine)
    assert machine.doubt().kind == STRANGER


def test_a_supervisor_s_own_child_is_a_person_s_where_one_session_shows_it(tmp_path):
    machine = Machine(tmp_path, init="/process_api", init_session=0)
    machine.hermes()
    machine.proc.process(80, 1, "/memfd:x (deleted)", began=LATER, session=0)
    machine.proc.process(81, 80, "/usr/bin/python3.12", began=LATER, master=PTY)
    machine.decider(81)
    assert machine.doubt() is None


def test_a_supervisor_s_own_child_is_a_person_s_where_a_pipe_shows_it(tmp_path):
    machine = Machine(tmp_path)
    (tmp_path / "proc" / "1" / "exe").unlink()
    (tmp_path / "proc" / "1" / "exe").symlink_to("/usr/bin/python3.12")
    (tmp_path / "proc" / "1" / "fd" / "20").symlink_to("pipe:[77]")
    machine.hermes()
    orphan(machine, opened=("pipe:[77]",))
    assert machine.doubt() is None


def test_a_pipe_to_a_real_init_shows_nothing(machine, tmp_path):
    (tmp_path / "proc" / "1" / "fd" / "20").symlink_to("pipe:[77]")
    orphan(machine, opened=("pipe:[77]",))
    assert machine.doubt().kind == STRANGER


def test_a_next_call_of_a_supervisor_soon_after_a_turn_is_a_person_s(tmp_path):
    machine = Machine(tmp_path, init="/process_api")
    machine.turn(BEGAN, LATER - 30)
    orphan(machine)
    assert machine.doubt() is None


def test_a_test_runner_that_began_before_its_hermes_opens_what_it_likes(machine):
    machine.proc.process(80, 1, "/usr/bin/python3.12", began=BEFORE, master=PTY)
    machine.decider(80)
    assert machine.doubt() is None


def test_a_test_runner_below_somebody_else_s_service_is_no_orphan(machine):
    machine.proc.process(75, 1, "/usr/bin/runner", uid=ROOT, began=LATER)
    machine.proc.process(80, 75, "/usr/bin/python3.12", began=LATER, master=PTY)
    machine.decider(80)
    assert machine.doubt() is None


def test_a_test_runner_beside_a_hermes_of_another_home_is_a_person_s(tmp_path):
    machine = Machine(tmp_path)
    machine.hermes(HERMES_HOME=str(tmp_path / "elsewhere"))
    orphan(machine)
    assert machine.doubt() is None


def test_a_hermes_of_another_profile_of_the_home_counts(tmp_path):
    machine = Machine(tmp_path)
    machine.hermes(HERMES_HOME=str(machine.home / "profiles" / "work"))
    orphan(machine)
    assert machine.doubt().kind == STRANGER


@pytest.mark.parametrize(
    "words", ["hermes kata watch", "python3 /x/hermes -p work kata approve 1", "vim hermes"]
)
def test_kata_s_own_commands_are_no_agents(tmp_path, words):
    machine = Machine(tmp_path)
    machine.hermes(words=words)
    orphan(machine)
    assert machine.doubt() is None


@pytest.mark.parametrize(
    "words",
    [
        "hermes",
        "hermes chat -q kata",
        "python -m hermes_cli.main gateway run",
        "python3 -u /x/hermes -p kata chat",
    ],
)
def test_every_other_hermes_can_have_an_agent(tmp_path, words):
    machine = Machine(tmp_path)
    machine.hermes(words=words)
    orphan(machine)
    assert machine.doubt().kind == STRANGER


def test_another_user_s_hermes_is_no_matter(tmp_path):
    machine = Machine(tmp_path)
    machine.hermes(uid=1001)
    orphan(machine)
    assert machine.doubt() is None


def test_what_lives_in_another_login_or_group_than_the_agent_is_a_person_s(tmp_path):
    for where in ({"login": "9"}, {"group": "0::/user.slice/app-strange-800.scope"}):
        machine = Machine(tmp_path / next(iter(where)))
        machine.hermes()
        orphan(machine, **where)
        assert machine.doubt() is None


def test_the_group_that_hermes_gives_its_own_work_is_no_other(machine):
    orphan(machine, group="0::/user.slice/hermes-worker-1a.scope")
    assert machine.doubt().kind == STRANGER


@pytest.mark.parametrize(
    "program",
    [
        "/usr/libexec/gnome-terminal-server",
        "/usr/bin/konsole",
        "/usr/bin/xterm",
        "/usr/bin/lxterminal",
        "/usr/bin/xfce4-terminal",
        "/usr/bin/kgx",
        "/usr/bin/foot",
        "/nix/store/abc/bin/.foot-wrapped",
        "/usr/bin/alacritty",
        "/opt/kitty/bin/kitty",
        "/usr/bin/wezterm-gui",
        "/usr/bin/ghostty",
        "/usr/local/bin/st",
        "/usr/bin/io.elementary.terminal",
        "/usr/share/code/code",
        "/home/ana/.vscode-server/bin/1a/node",
        "/home/ana/.cursor-server/cli/node",
        "/opt/idea/jbr/bin/java",
        "/usr/bin/emacs-gtk",
        "/usr/bin/nvim",
        "/usr/bin/sway",
        "/usr/bin/i3",
        "/init",
        "/usr/bin/mosh-server",
        "/usr/sbin/agetty",
        "/usr/bin/conmon",
        "/usr/bin/kitty (deleted)",
        "/opt/Hermes/hermes-desktop",
    ],
)
def test_a_terminal_desktop_or_editor_opened_while_an_agent_works_is_a_person_s(machine, program):
    orphan(machine, program)
    assert machine.doubt() is None


def test_a_terminal_written_in_python_is_known_by_its_script(machine):
    orphan(machine, words="/usr/bin/python3 /usr/bin/terminator -x")
    assert machine.doubt() is None


def test_a_terminal_whose_program_may_not_be_seen_is_known_by_its_name(machine):
    orphan(machine, "/usr/bin/xterm", visible=False)
    assert machine.doubt() is None


def test_a_hermes_that_runs_on_without_its_terminal_is_a_person_s(machine):
    orphan(machine, words="/usr/bin/python3 /usr/bin/hermes dashboard")
    assert machine.doubt() is None


def test_a_console_is_at_a_person_s_hands(machine):
    machine.proc.process(80, 1, "/bin/sh", began=LATER)
    machine.decider(80, tty=None, opened=("/dev/tty1",))
    assert machine.doubt() is None


def test_a_terminal_that_another_user_opened_for_this_one_is_not_judged(machine):
    machine.proc.process(60, 1, "/usr/bin/strange", uid=ROOT, began=LATER, master=PTY)
    machine.proc.process(61, 60, "/bin/bash", began=LATER, tty=PTY)
    machine.decider(61)
    assert machine.doubt() is None


def test_without_a_process_table_nobody_is_doubted(tmp_path):
    doubts = Doubts(Record(tmp_path, lambda start, end: True), FakeProc(tmp_path / "proc").processes, own=900)
    assert doubts.at_terminal(900) is None
    assert doubts.typed(900, 0.0) is None


@pytest.mark.parametrize("file", ["stat", "status"])
def test_what_may_not_be_read_is_not_doubted(machine, tmp_path, file):
    orphan(machine)
    (tmp_path / "proc" / "800" / file).unlink()
    assert machine.doubt() is None


def test_a_table_that_goes_round_in_a_circle_ends(machine):
    machine.proc.process(800, 801, "/bin/sh", began=LATER, master=PTY)
    machine.proc.process(801, 800, "/bin/sh", began=LATER)
    machine.decider(800)
    assert machine.doubt() is None


class Tmux:
    """A server that holds the terminal, and the clients that it tells of."""

    SERVER = 300

    def __init__(self, machine, monkeypatch, *, began=LATER, program="/usr/bin/tmux"):
        self.machine, self.clients = machine, []
        machine.proc.process(self.SERVER, 1, program, began=began, master=PTY)
        machine.proc.process(301, self.SERVER, "/bin/bash", began=began, tty=PTY)
        machine.decider(301)
        monkeypatch.setattr("kata.origin.tmux.clients_of", lambda *_: self.clients and tuple(self.clients))

    def attach(self, parent, pid=400, active=0.0, control=False, **more):
        self.machine.proc.process(pid, parent, "/usr/bin/tmux", **{"began": LATER, "tty": 8, **more})
        self.clients.append(Client(pid=pid, active=int(active), session="$0", control=control))


def terminal(machine, pid=350):
    """Open a person's terminal, the other end of pseudo-terminal 8."""
    return machine.proc.process(pid, 1, "/usr/bin/xterm", began=LATER, master=8)


@pytest.mark.parametrize("began", [BEFORE, LATER])
def test_a_tmux_session_without_anybody_at_it_decides_nothing_while_an_agent_works(
    machine, monkeypatch, began
):
    server = Tmux(machine, monkeypatch, began=began)
    server.clients = ()
    assert machine.doubt() == Doubt(kind=UNATTENDED, program="tmux")


def test_nor_when_its_server_began_in_a_turn_that_is_long_over(tmp_path, monkeypatch):
    machine = Machine(tmp_path)
    machine.turn(BEGAN, LATER + 10)
    Tmux(machine, monkeypatch).clients = ()
    assert machine.doubt().kind == UNATTENDED


def test_a_tmux_session_where_no_agent_is_is_a_person_s(tmp_path, monkeypatch):
    machine = Machine(tmp_path)
    Tmux(machine, monkeypatch).clients = ()
    assert machine.doubt() is None


@pytest.mark.parametrize("began", [BEFORE, LATER])
def test_a_person_attached_to_tmux_decides(machine, monkeypatch, began):
    server = Tmux(machine, monkeypatch, began=began)
    server.attach(terminal(machine))
    assert machine.doubt() is None


def test_a_client_that_cut_every_tie_is_nobody(machine, monkeypatch):
    server = Tmux(machine, monkeypatch)
    machine.proc.process(350, 1, "/usr/bin/python3.12", began=LATER, master=8)
    server.attach(350)
    assert machine.doubt().kind == UNATTENDED


def test_a_client_of_an_agent_s_tool_is_nobody(machine, monkeypatch):
    server = Tmux(machine, monkeypatch)
    machine.proc.process(350, 50, "/bin/sh", began=LATER, master=8, HERMES_SESSION_ID="s")
    server.attach(350)
    assert machine.doubt().kind == UNATTENDED


def test_a_client_inside_its_own_session_is_nobody(machine, monkeypatch):
    server = Tmux(machine, monkeypatch)
    server.attach(301, tty=PTY)
    assert machine.doubt().kind == UNATTENDED


def test_of_several_clients_one_person_is_enough(machine, monkeypatch):
    server = Tmux(machine, monkeypatch)
    machine.proc.process(351, 1, "/usr/bin/python3.12", began=LATER, master=9)
    server.attach(351, 401, tty=9)
    server.attach(terminal(machine))
    assert machine.doubt() is None


def test_what_a_test_runner_opens_within_an_older_tmux_is_a_person_s(machine, monkeypatch):
    Tmux(machine, monkeypatch, began=BEFORE).clients = ()
    machine.proc.process(310, 301, "/usr/bin/python3.12", began=LATER, master=9, tty=PTY)
    machine.decider(310, 901, tty=9)
    assert machine.doubt(901) is None


@pytest.mark.parametrize("began", [BEFORE, LATER])
def test_a_tmux_that_does_not_answer_is_judged_by_when_it_began(machine, monkeypatch, began):
    Tmux(machine, monkeypatch, began=began).clients = None
    assert getattr(machine.doubt(), "kind", None) == (UNATTENDED if began == LATER else None)


@pytest.mark.parametrize("program", ["/usr/bin/screen", "/usr/bin/zellij", "/usr/bin/dtach"])
def test_another_multiplexer_that_began_at_work_needs_somebody_at_it(machine, monkeypatch, program):
    Tmux(machine, monkeypatch, program=program)
    assert machine.doubt() == Doubt(kind=UNATTENDED, program=program.rpartition("/")[2])
    machine.proc.process(400, terminal(machine), program, began=LATER, tty=8)
    assert machine.doubt() is None


def test_a_screen_whose_descriptors_may_not_be_seen_is_judged_by_its_lineage(machine, monkeypatch):
    machine.proc.process(300, 1, "/usr/bin/screen", began=LATER, visible=False)
    machine.proc.process(301, 300, "/bin/bash", began=LATER, tty=PTY)
    machine.decider(301)
    machine.proc.process(302, 1, "/usr/bin/screen", began=BEFORE, visible=False)
    assert machine.doubt() == Doubt(kind=UNATTENDED, program="screen")
    machine.proc.process(350, 1, "/usr/bin/python3.12", began=LATER)
    machine.proc.process(401, 350, "/usr/bin/screen", began=LATER, tty=9, visible=False)
    assert machine.doubt() == Doubt(kind=UNATTENDED, program="screen")
    machine.proc.process(400, terminal(machine, 360), "/usr/bin/screen", began=LATER, tty=8, visible=False)
    assert machine.doubt() is None


def test_another_multiplexer_that_began_before_is_a_person_s(machine, monkeypatch):
    Tmux(machine, monkeypatch, program="/usr/bin/screen", began=BEFORE)
    assert machine.doubt() is None


NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("active", "control", "kind"),
    [(NOW - 1, False, NOT_TYPED), (NOW, False, None), (NOW + 5, False, None), (NOW - 60, True, None)],
)
def test_an_answer_is_typed_by_whoever_is_attached(machine, monkeypatch, active, control, kind):
    server = Tmux(machine, monkeypatch)
    server.attach(terminal(machine), active=active, control=control)
    found = machine.doubts().typed(900, NOW + 0.7)
    assert getattr(found, "kind", None) == kind


def test_the_keys_of_a_client_that_is_nobody_do_not_count(machine, monkeypatch):
    server = Tmux(machine, monkeypatch)
    server.attach(terminal(machine), active=NOW - 60)
    machine.proc.process(351, 1, "/usr/bin/python3.12", began=LATER, master=9)
    server.attach(351, 401, tty=9, active=NOW + 5)
    assert machine.doubts().typed(900, NOW).kind == NOT_TYPED


def test_who_typed_is_not_asked_where_no_agent_is(tmp_path, monkeypatch):
    machine = Machine(tmp_path)
    server = Tmux(machine, monkeypatch)
    server.attach(terminal(machine), active=NOW - 60)
    assert machine.doubts().typed(900, NOW) is None


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("/usr/bin/python3.12", STRANGER),
        ("/usr/bin/curl", STRANGER),
        ("/usr/lib/chromium/chromium", None),
        ("/usr/lib/firefox/firefox-bin", None),
        ("/opt/google/chrome/chrome", None),
        ("/usr/bin/ssh", None),
        ("/usr/sbin/nginx", None),
        ("/usr/bin/some-webview", None),
    ],
)
def test_behind_a_connection_browsers_and_tunnels_are_known_too(machine, program, kind):
    machine.proc.process(800, 1, program, began=LATER)
    machine.proc.process(10, 1, "/usr/bin/python3.12", began=BEFORE)
    found = machine.doubts(10, known=is_a_person_s_peer).behind(800, 800)
    assert getattr(found, "kind", None) == kind


def test_the_owner_is_whoever_decides(machine):
    orphan(machine)
    assert machine.proc.processes.owner(900) == ANA

"""Names, keys, near-duplicates, and what looks bound to a run."""

import pytest

from kata.miner.keys import Known, nearly_same, pattern_key
from kata.miner.naming import suggest_name
from kata.miner.scoring import confidence
from kata.miner.timebound import is_spilled, looks_bound
from kata.spec import Concat, Const, Input, Item, Loop, Record, Ref, ShellWord, Spec, Step


def step(tool="t", effect="read", **args):
    return Step(tool=tool, args=Record(tuple(args.items())), effect=effect)


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        (
            [
                step(
                    "terminal", "external", command=Concat((Const("git push origin "), ShellWord(Input("b"))))
                )
            ],
            "git_push_origin",
        ),
        (
            [step("terminal", "local_write", command=Const("npm run build --if-present")), step("read_file")],
            "npm_run_build",
        ),
        (
            [step("send_message", "external", channel=Const("releases"), text=Input("t"))],
            "send_message_releases",
        ),
        (
            [
                step(
                    "write_file",
                    "local_write",
                    path=Concat((Const("/srv/tasks/"), Input("p"), Const(".md"))),
                    content=Concat((Const("Water the "), Input("p"))),
                )
            ],
            "write_file_tasks",
        ),
        ([step("mcp_jira_create_issue", "unknown", title=Input("t"))], "jira_create_issue"),
        ([step("read_file"), step("search_files", path=Const("src"))], "search_files_src"),
        ([step("x" * 60, "unknown")], "x" * 40),
        ([step("???", "unknown")], "routine"),
    ],
)
def test_a_name_says_what_the_last_step_with_an_effect_does(steps, name):
    assert suggest_name(Spec(steps=tuple(steps))) == name


def test_the_name_of_a_loop_says_each():
    spec = Spec(steps=(step("list"), Loop(over=Ref(1), limit=5, body=(step("get_order", "unknown"),))))
    assert suggest_name(spec) == "get_order_each"


def test_a_key_is_made_of_signatures_and_wiring_alone():
    one = Spec(steps=(step(x=Input("a")), step(y=Ref(1, ("id",)), z=Const(1))))
    other = Spec(steps=(step(x=Const("k")), step(y=Ref(1, ("id",)), z=Input("b"))))
    rewired = Spec(steps=(step(x=Input("a")), step(y=Ref(1, ("name",)), z=Const(1))))
    names = ("t(x)", "t(y,z)")
    assert pattern_key(names, one) == pattern_key(names, other)
    assert pattern_key(names, one) != pattern_key(names, rewired)
    assert pattern_key(names, one) != pattern_key(("t(x)", "u(y,z)"), one)


def known(count, start=0, source="id", offset=0):
    """Steps ``start`` to ``start + count`` of one routine in which each is fed by the one before."""
    steps = tuple(step(x=Ref(number, (source,)) if number else Input("a")) for number in range(count))
    spec = Spec(steps=steps)
    names = tuple(f"t{number + start}" for number in range(count))
    return Known(pattern_key(names, spec), names, spec)


def test_near_duplicates_cover_four_fifths_with_equal_wiring():
    assert nearly_same(known(5), known(5))
    assert nearly_same(known(5), known(4))
    assert nearly_same(known(4, start=1), known(5))
    assert not nearly_same(known(5), known(3))
    assert not nearly_same(known(5), known(4, source="name"))
    assert not nearly_same(known(5), known(4, start=7))


def test_a_loop_is_wired_to_its_list():
    def looped(path):
        return Spec(steps=(step(), Loop(over=Ref(1, (path,)), limit=5, body=(step(x=Item(("id",))),))))

    assert pattern_key(("a", "b"), looped("rows")) != pattern_key(("a", "b"), looped("others"))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("--since 2026-10-01 --all", ("a date", "2026-10-01")),
        ("at 12:30:59, sharp", ("a time", "12:30:59")),
        ({"out": "/tmp/tmpab12cd/out.json"}, ("a temporary path", "/tmp/tmpab12cd/out.json")),
        ("cp a '/tmp/x y' && rm -r b", ("a temporary path", "/tmp/x")),
        ("scp host:/tmp/x.tgz . && echo " + "z" * 80, ("a temporary path", "/tmp/x.tgz")),
        ("z" * 80 + "; cat /var/tmp/log|wc", ("a temporary path", "/var/tmp/log")),
        ("cat /tmp/" + "d/" * 60, ("a temporary path", ("/tmp/" + "d/" * 60)[:57] + "...")),
        (["build-4711"], ("a process or run id", "build-4711")),
        ("curl http://localhost:39431/x", ("a port", "http://localhost:39431/x")),
        ("0f8fad5b-d9cb-469f-a165-70867728950e", ("a UUID", "0f8fad5b-d9cb-469f-a165-70867728950e")),
        ("--sha 9f3c2e1 -q", ("a commit id", "9f3c2e1")),
        ("src/app/main.py", None),
        ("defaced", None),
        ("release 2.5.1", None),
        (20, None),
    ],
)
def test_a_constant_that_looks_bound_to_a_run_is_told_by_the_word_that_does(value, told):
    assert looks_bound(value) == told


def test_a_spilled_result_is_known_by_its_place():
    assert is_spilled({"path": "~/.hermes/cache/tool_responses/terminal_1761.txt"})
    assert not is_spilled({"path": "src/cache.py"})


def test_confidence_grows_with_support_and_fit():
    assert confidence(1.0, 3) == pytest.approx(0.784)
    assert confidence(1.0, 4) == pytest.approx(0.8704)
    assert confidence(0.5, 4) == pytest.approx(0.4352)

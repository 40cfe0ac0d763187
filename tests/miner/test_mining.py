"""What is proposed and what is not: the design's section 6, the four rules, and what people really do."""

import pytest

from kata.miner import Settings, mine
from kata.miner.memory import MemoryHistory, Recorded
from kata.spec import Loop, Ref
from kata.templating import show

from .support import find_and_read, git, history, mined, noise, only, repeat, tools


def test_a_routine_done_in_three_conversations_is_proposed():
    found = only(mined(repeat(find_and_read, 3)).candidates)
    assert found.tools == ("search_files", "read_file")
    assert found.support == 3
    assert found.confidence == pytest.approx(0.784)
    assert found.blocked_by == ()
    assert show(found.spec.steps[1].args) == "{path: «step 1 · matches[0].path»}"
    assert [one.conversation for one in found.occurrences] == ["c0", "c1", "c2"]


def test_a_fourth_conversation_makes_it_surer():
    assert only(mined(repeat(find_and_read, 4)).candidates).confidence == pytest.approx(0.8704)


def test_two_conversations_are_too_few_and_told():
    result = mined(repeat(find_and_read, 2))
    assert not result.candidates
    held = only(result.seen)
    assert held.blocked_by == ("support",)
    assert held.detail == "seen in 2 of the 3 conversations it takes"


def test_a_loop_that_lacks_one_conversation_is_told():
    held = [
        one
        for one in mined([orders(number, 2 + number) for number in range(2)]).seen
        if "support" in one.blocked_by
    ]
    assert tools(held) == [("get_user_details", "get_order_details")]
    assert only(held).blocked_by == ("support",)


def test_one_conversation_is_not_worth_telling():
    assert not mined(repeat(find_and_read, 1)).seen


def test_repeating_something_in_one_chat_proves_nothing():
    """Case B004."""
    calls = [
        Recorded(conversation="c", turn=f"t{number}", tool=tool, args=args, result=result)
        for number in range(9)
        for tool, args, result in find_and_read(number)
    ]
    assert not mine(MemoryHistory(calls), Settings()).candidates


def test_the_whole_routine_is_found_and_not_its_pieces():
    def routine(number):
        return [
            *find_and_read(number),
            ("patch", {"path": f"src/module_{number * 37}.py", "old": "a", "new": f"b{number}"}, {}),
        ]

    result = mined(repeat(routine, 4))
    assert tools(result.candidates) == [("search_files", "read_file", "patch")]


@pytest.mark.parametrize("broken", ["failed", "gap", "turn", "pause"])
def test_a_break_between_two_calls_keeps_them_apart(broken):
    """Cases B001, B012; design 6.1."""

    def calls():
        for number in range(4):
            (one, other) = find_and_read(number)
            yield Recorded(
                conversation=f"c{number}", turn="1", tool=one[0], args=one[1], result=one[2], at=1000.0
            )
            if broken in ("failed", "gap"):
                yield Recorded(
                    conversation=f"c{number}",
                    turn="1",
                    tool="x",
                    args={},
                    result="",
                    ok=broken != "failed",
                    breaks=broken == "gap",
                    at=1001.0,
                )
            turn, at = ("2", 1002.0) if broken == "turn" else ("1", 1301.0 if broken == "pause" else 1002.0)
            yield Recorded(
                conversation=f"c{number}", turn=turn, tool=other[0], args=other[1], result=other[2], at=at
            )

    result = mine(MemoryHistory(calls()), Settings())
    assert not result.candidates
    assert not result.seen


def test_calls_announced_together_are_not_tied_by_what_they_answered():
    """Case B002."""
    calls = [
        Recorded(conversation=f"c{number}", turn="t", tool=tool, args=args, result=result, group="one")
        for number in range(4)
        for tool, args, result in find_and_read(number)
    ]
    result = mine(MemoryHistory(calls), Settings())
    assert not result.candidates
    assert result.seen[0].blocked_by == ("coherence",)


def test_unrelated_arguments_are_no_routine():
    def chance(number):
        return [("a", {"x": f"k{number * 7}"}, {"r": number}), ("b", {"y": f"m{number * 3}"}, {})]

    result = mined(repeat(chance, 5))
    assert not result.candidates
    assert result.seen[0].blocked_by == ("coherence",)
    assert result.seen[0].detail == "nothing ties step 2 to the steps before it"
    assert result.counts == {"coherence": 1}


def test_a_default_argument_ties_nothing():
    """``replace_all=false`` everywhere; here ``b`` is also used elsewhere, always with it."""

    def chance(number):
        return [("a", {"x": f"k{number * 7}"}, {}), ("b", {"y": f"m{number * 3}", "replace_all": False}, {})]

    alone = [[("b", {"y": f"z{number}", "replace_all": False}, {}), noise(number)] for number in range(9)]
    assert not mined(repeat(chance, 5) + alone).candidates


def test_an_informative_constant_ties():
    def routine(number):
        return [("a", {"x": f"k{number * 7}"}, {}), ("b", {"y": f"m{number * 3}", "channel": "releases"}, {})]

    elsewhere = [
        [("b", {"y": f"z{number}", "channel": f"team-{number}"}, {}), noise(number)] for number in range(9)
    ]
    assert tools(mined(repeat(routine, 4) + elsewhere).candidates) == [("a", "b")]


def test_a_default_ties_where_the_step_nearly_always_follows():
    def routine(number):
        return [
            ("lock", {"door": "all"}, {}),
            ("brake", {"position": 1.0}, {}),
            ("start", {"mode": "START"}, {}),
        ]

    assert tools(mined(repeat(routine, 4)).candidates) == [("lock", "brake", "start")]


def test_a_call_without_arguments_ties_nothing_unless_its_result_is_used():
    """Rule R1."""
    unused = repeat(lambda number: [("a", {"x": f"k{number * 7}"}, {}), ("now", {}, {"t": f"t-{number}"})], 4)
    assert not mined(unused).candidates
    used = [[*steps, ("b", {"at": f"t-{number}"}, {})] for number, steps in enumerate(unused)]
    assert tools(mined(used).candidates) == [("a", "now", "b")]


def test_a_first_step_that_only_happened_to_come_before_is_dropped():
    """Rule R2."""

    def led(number):
        return [("look", {"x": f"q{number * 11}"}, {"r": number}), *routine(number)]

    def routine(number):
        return [
            *find_and_read(number),
            ("patch", {"path": f"src/module_{number * 37}.py", "new": f"b{number}"}, {}),
        ]

    conversations = repeat(led, 4) + [routine(number) for number in range(20, 24)]
    assert tools(mined(conversations).candidates) == [("search_files", "read_file", "patch")]


def test_a_part_of_a_longer_routine_needs_conversations_of_its_own():
    """Rule R3."""

    def routine(number):
        return [
            *find_and_read(number),
            ("patch", {"path": f"src/module_{number * 37}.py", "new": f"b{number}"}, {}),
        ]

    for alone, expected in ((2, 1), (3, 2)):
        result = mined(repeat(routine, 4) + [find_and_read(number) for number in range(20, 20 + alone)])
        assert len(result.candidates) == expected
        held = [one for one in result.seen if one.blocked_by == ("support",)]
        assert len(held) == 2 - expected


def test_a_coding_agents_habit_is_a_routine():
    conversations = repeat(lambda number: [git("git status"), git("git diff"), git("git log")], 3)
    found = only(mined(conversations).candidates)
    assert [step.args.fields[0][1].value for step in found.spec.steps] == [
        "git status",
        "git diff",
        "git log",
    ]


def test_the_talk_beside_a_command_is_ignored():
    def routine(number):
        verbs = ("git status", "git diff", "git log")
        return [("Bash", {"command": verb, "description": f"talk {number} {verb}"}, "") for verb in verbs]

    found = only(mined(repeat(routine, 3)).candidates)
    assert not found.spec.inputs
    assert [note.became for note in found.arguments if note.path == "description"] == ["ignored"] * 3


def test_commands_take_the_caller_s_value_as_one_word():
    def routine(number):
        return [
            git(f"git checkout -b feature/{number}"),
            git("npm test"),
            git(f"git push origin feature/{number}"),
        ]

    found = only(mined([*repeat(routine, 3), [git("ls")], [git("npm run x")]]).candidates)
    assert [show(step.args) for step in found.spec.steps] == [
        "{command: git checkout -b feature/{branch}}",
        '{command: "npm test"}',
        "{command: git push origin feature/{branch}}",
    ]
    assert found.name == "git_push_origin"
    assert [field.name for field in found.spec.inputs] == ["branch"]


def orders(number, count, extra=()):
    """Look at a user, then at each of the user's orders."""
    ids = [f"W{number}{order}99" for order in range(count)]
    first = ("get_user_details", {"user_id": f"user_{number}"}, {"name": "x", "orders": ids})
    return [
        first,
        *(("get_order_details", {"order_id": one}, {"status": "pending", "total": 10.5}) for one in ids),
        *extra,
    ]


def test_a_walk_over_a_list_is_one_loop_and_not_one_routine_per_length():
    result = mined([orders(number, count) for number, count in enumerate((1, 2, 3, 2, 5, 1))])
    found = only(result.candidates)
    loop = found.spec.steps[1]
    assert isinstance(loop, Loop)
    assert loop.over == Ref(1, ("orders",))
    assert show(loop.body[0].args) == "{order_id: «element»}"
    assert found.tools == ("get_user_details", "get_order_details")
    assert found.support == 6
    assert "lists of 1, 2, 3, 5 were seen" in next(
        note.reason for note in found.arguments if note.path == "for each"
    )


def test_a_list_always_walked_to_the_end_is_a_loop_even_at_one_length():
    found = only(mined([orders(number, 2) for number in range(4)]).candidates)
    assert isinstance(found.spec.steps[1], Loop)


def test_a_loop_takes_fields_of_its_elements_and_steps_go_on_behind_it():
    def routine(number, count):
        rows = [{"id": f"i{number}{row}x", "to": {"name": f"n{number}{row}y"}} for row in range(count)]
        rounds = [
            step
            for row in rows
            for step in (
                ("get", {"id": row["id"]}, {"token": f"t-{row['id']}"}),
                ("send", {"to": row["to"]["name"], "token": f"t-{row['id']}", "subject": f"s{number}q"}, {}),
            )
        ]
        return [
            ("list", {"q": f"z{number}"}, {"rows": rows, "page": f"p{number}k"}),
            *rounds,
            ("close", {"page": f"p{number}k"}, {}),
        ]

    found = only(mined([routine(number, count) for number, count in enumerate((2, 3, 1, 4))]).candidates)
    first, loop, last = found.spec.steps
    assert show(first.args) == "{q: {q}}"
    assert [show(step.args) for step in loop.body] == [
        "{id: «element · id»}",
        "{to: «element · to.name», token: «step 2 · token», subject: {subject}}",
    ]
    assert show(last.args) == "{page: «step 1 · page»}"
    assert [field.name for field in found.spec.inputs] == ["q", "subject"]


def test_an_element_picked_freely_ties_and_is_an_input():
    def routine(number):
        ids = [f"W{number}{order}99" for order in range(4)]
        return [
            ("get_user_details", {"user_id": f"user_{number}"}, {"orders": ids}),
            ("get_order_details", {"order_id": ids[(number * 7) % 4]}, {}),
        ]

    found = only(mined(repeat(routine, 4)).candidates)
    assert show(found.spec.steps[1].args) == "{order_id: {order_id}}"


def test_the_same_step_twice_with_unrelated_values_is_no_routine():
    conversations = [
        [("get_order", {"id": f"a{n}"}, {}), ("get_order", {"id": f"b{n}"}, {})] for n in range(5)
    ]
    assert not mined(conversations).candidates


def test_two_uses_of_the_same_tools_are_told_apart():
    def routine(number, key):
        zipcode = f"{number * 97:05}"
        return [
            ("zip", {"city": f"city{number}"}, {"zip": zipcode}),
            ("far", {"a": "x", "b": "y", key: zipcode}, {}),
        ]

    keys = ["b"] * 9 + ["a"]
    conversations = [routine(number, key) for number, key in enumerate(keys, 1)]
    found = only(mined(conversations).candidates)
    assert found.support == 9
    assert found.fit_rate == pytest.approx(0.9)
    assert "in 1 of 10 conversations the same tools were used otherwise" in found.warnings


def test_what_the_held_out_conversations_contradict_is_not_proposed():
    def routine(number):
        return [
            *find_and_read(number),
            ("move", {"from": f"src/module_{number * 37}.py", "to": "docs" if number else "src"}, {}),
        ]

    result = mined(repeat(routine, 3))
    held = next(one for one in result.seen if len(one.tools) == 3)
    assert held.blocked_by == ("fit", "confidence")
    assert held.fit_rate == pytest.approx(2 / 3)


def test_an_ambiguous_source_of_an_effect_is_a_warning():
    def routine(number):
        return [
            ("a", {"x": f"k{number}7"}, {"id": f"id-{number}", "ref": f"id-{number}"}),
            ("write_file", {"path": f"id-{number}", "content": "x"}, {}),
        ]

    found = only(mined(repeat(routine, 3)).candidates)
    note = next(one for one in found.arguments if one.step == 2 and one.path == "path")
    assert note.alternatives == ("step 1 · ref",)
    assert note.values == 3
    assert any("ambiguous" in warning for warning in found.warnings)


def test_what_is_told_of_an_argument_names_what_nearly_explained_it():
    def routine(number):
        value = f"v{number}-aaa"
        nearly = "else-bbb" if number == 2 else value
        first = {"id": value, "last": nearly, "mode": "slow" if number == 1 else "quick"}
        return [("find", {"q": value[::-1]}, first), ("use", {"id": value, "mode": "quick"}, {})]

    notes = {note.path: note for note in only(mined(repeat(routine, 4)).candidates).arguments}
    assert notes["id"].reason == (
        "equals «step 1 · id» in all 4 conversations, 4 distinct values; runner-up step 1 · last, in all but one"
    )
    assert notes["mode"].reason == "the same in all 4 conversations; runner-up step 1 · mode, in all but one"
    assert notes["q"].reason == "4 distinct values, which nothing earlier explains"


def test_a_constant_bound_to_a_day_is_a_warning():
    """Case B038."""

    def routine(number):
        return [
            *find_and_read(number),
            ("export", {"path": f"src/module_{number * 37}.py", "since": "2026-10-01"}, {}),
        ]

    assert any("a date" in warning for warning in only(mined(repeat(routine, 3)).candidates).warnings)


def test_evidence_of_one_day_or_of_one_job_says_so():
    """Cases B006, B038."""
    day = only(mine(history(repeat(find_and_read, 3), at=1_790_000_000.0), Settings()).candidates)
    assert day.warnings == ("all of the evidence is from one day (2026-09-21)",)
    calls = [
        Recorded(conversation=f"job:{job}", turn=f"t{job}", tool=tool, args=args, result=result)
        for job in ("7f", "8a", "9c")
        for tool, args, result in find_and_read(int(job, 16))
    ]
    assert only(mine(MemoryHistory(calls), Settings()).candidates).warnings == (
        "seen only in scheduled job 7f, 8a, 9c",
    )


def test_a_spilled_result_is_seen_and_not_compilable():
    """Case B014."""

    def routine(number):
        path = f"/home/u/.hermes/cache/tool_responses/terminal_{number}761.txt"
        return [
            ("terminal", {"command": f"make log{number}"}, {"spilled": path}),
            ("read_file", {"path": path}, {}),
        ]

    held = mined(repeat(routine, 3)).seen[0]
    assert held.blocked_by == ("not_compilable",)
    assert held.detail == "step 2 reads a temporary result file"


def test_a_deciding_command_is_never_compiled():
    """Case B021."""
    conversations = repeat(lambda number: [git("ls"), git("hermes kata approve 2"), git("git status")], 3)
    assert not mined(conversations).candidates


def test_a_value_that_the_host_masked_is_never_compiled():
    """Case B072."""

    def routine(number):
        return [
            ("a", {"x": f"k{number}"}, {"p": f"conf-{number}"}),
            ("write_file", {"path": f"conf-{number}", "content": "[REDACTED]"}, {}),
        ]

    assert mined(repeat(routine, 3)).seen[0].blocked_by == ("masked_value",)


def test_a_placeholder_in_a_sample_file_is_for_the_reviewer():
    """Case B072: honest asterisks."""

    def routine(number):
        return [
            ("read_file", {"path": f"app-{number}/.env"}, {"content": f"text {number}"}),
            ("write_file", {"path": ".env.example", "content": "API_KEY=***\n"}, {}),
        ]

    found = only(mined(repeat(routine, 3)).candidates)
    assert any("looks like a masked value" in warning for warning in found.warnings)


def test_erased_values_are_left_out():
    class Erased(MemoryHistory):
        def values(self, refs):
            return {ref: value for ref, value in super().values(refs).items() if ref > 1}

    calls = history(repeat(find_and_read, 4))
    erased = Erased(calls._calls)
    found = only(mine(erased, Settings()).candidates)
    assert found.support == 3


def test_near_duplicates_are_not_proposed():
    def routine(number, last):
        path = f"src/module_{number * 37}.py"
        steps = [
            ("a", {"q": f"k{number}"}, {"path": path}),
            *((f"b{i}", {"path": path}, {}) for i in range(3)),
        ]
        return [*steps, (last, {"path": path}, {})] if last else steps

    conversations = [routine(number, "z") for number in range(4)] + [
        routine(number, "") for number in range(10, 14)
    ]
    result = mined(conversations)
    assert len(result.candidates) == 1
    assert ("near_duplicate",) in [one.blocked_by for one in result.seen]


def test_progress_is_told():
    told = []
    mine(
        history(repeat(find_and_read, 3)), Settings(), progress=lambda done, total: told.append((done, total))
    )
    assert told == [(0, 1)]

"""The diagram and the table of the documents come from the machine."""

from kata.machines import LIFECYCLE, RUN, diagram, table


def test_the_diagram_has_an_arrow_for_every_cell():
    for machine in (LIFECYCLE, RUN):
        arrows = [line for line in diagram(machine).splitlines() if "-->" in line]
        assert len(arrows) == len(machine.table)
        assert len(set(arrows)) == len(arrows)


def test_the_diagram_begins_where_nothing_was_proposed_yet():
    assert "    [*] --> candidate: propose (system)\n" in diagram(LIFECYCLE)


def test_the_table_says_who_and_why():
    rows = table(LIFECYCLE).splitlines()
    assert "| rejected | reconsider | candidate | human |  |" in rows
    assert len(rows) == 2 + len(LIFECYCLE.rules)


def test_a_rule_for_anyone_says_so():
    assert "| running | begin_step | in_step | anyone |  |" in table(RUN)

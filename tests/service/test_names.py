"""Names of proposals: free, and telling where the first choice is another's."""

import pytest

from kata.service.names import check_name, free_name

HOST = ("write_file", "read_file", "search_files", "terminal", "kata_list")
STEPS = ("search_files", "terminal", "write_file")


@pytest.mark.parametrize(
    ("suggested", "others", "known", "name"),
    [
        ("write_file_tasks", HOST, (), "write_file_tasks"),
        ("write_file", HOST, (), "write_file_after_search_files"),
        ("write_file", HOST, ("write_file_after_search_files",), "write_file_in_3_steps"),
        ("settle_bug", (*HOST, "kata_settle_bug"), (), "settle_bug_after_search_files"),
        ("settle_bug", HOST, ("settle_bug",), "settle_bug_after_search_files"),
        ("", HOST, (), "routine"),
    ],
)
def test_a_name_that_is_anothers_gives_way_to_one_that_says_more(suggested, others, known, name):
    assert free_name(suggested, STEPS, others, known) == name
    assert check_name(name, others) == name


def test_where_nothing_is_free_the_suggestion_stays_for_the_person_to_change():
    known = ("a", "a_after_a", "a_in_1_steps")
    assert free_name("a", ("a",), (), known) == "a"

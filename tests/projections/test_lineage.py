"""A session's conversation is the root of its lineage."""

from hypothesis import given
from hypothesis import strategies as st

from kata.projections.lineage import Link, roots

NAMES = st.sampled_from("abcdef")


def test_a_session_without_a_lineage_is_its_own_conversation():
    assert roots({})("s") == "s"


def test_the_root_is_followed_to_its_end():
    assert roots({"c": Link("b", None), "b": Link("a", None)})("c") == "a"


def test_a_job_anywhere_on_the_way_is_the_conversation():
    links = {"child": Link("cron_1", None), "cron_1": Link(None, "7f")}
    assert roots(links)("child") == "job:7f"


def test_a_circle_ends_at_one_name_for_all_of_it():
    links = {"b": Link("c", None), "c": Link("d", None), "d": Link("b", None), "x": Link("d", None)}
    assert {roots(links)(session) for session in "bcdx"} == {"b"}


@given(st.dictionaries(NAMES, st.builds(Link, st.none() | NAMES, st.none())))
def test_a_session_and_its_parent_have_one_root(links):
    root = roots(links)
    for session, link in links.items():
        if link.parent:
            assert root(session) == root(link.parent)

"""A run takes the names that the approval gave, and speaks by them."""

import pytest

from kata.executor import Caller
from kata.executor.checks import check_arguments
from kata.executor.ending import StopRunError
from kata.service.running import RenamedInputError, renamed_back
from tests.service.lab import PERSON


@pytest.fixture
def registered(lab):
    number = lab.proposed()
    reviewed = lab.service.review(str(number)).digest
    lab.service.decisions.approve(
        str(number), PERSON, name="settle", renames=(("title", "bug"),), reviewed=reviewed
    )
    [one] = lab.service.registered()
    return one


def test_the_new_name_is_turned_into_the_template_s_own(lab, registered):
    request = lab.service.begin_run(registered, {"bug": "b 1"}, Caller()).request
    assert request.arguments == {"title": "b 1"}
    assert request.renamed == (("title", "bug"),)


def test_the_old_name_is_refused_and_the_new_one_told(lab, registered):
    with pytest.raises(RenamedInputError, match="it is called 'bug'"):
        lab.service.begin_run(registered, {"title": "b 1"}, Caller())


def test_what_is_missing_is_told_by_the_new_name(lab, registered):
    request = lab.service.begin_run(registered, {}, Caller()).request
    with pytest.raises(StopRunError, match='"bug" is a required property'):
        check_arguments(request.spec, request.arguments, dict(request.renamed))


def test_two_names_that_were_exchanged_are_both_taken():
    assert renamed_back({"a": 1, "b": 2}, (("a", "b"), ("b", "a"))) == {"b": 1, "a": 2}

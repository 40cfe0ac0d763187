import pytest

from scripts.closing_line import main

REPORT = '<testsuites><testsuite tests="{}" failures="{}" errors="{}" skipped="{}"/></testsuites>'


@pytest.fixture
def report(tmp_path):
    def write(name, *numbers):
        path = tmp_path / name
        path.write_text(REPORT.format(*numbers), encoding="utf-8")
        return str(path)

    return write


def test_all_suites_close_in_one_line(report, capsys):
    assert main([report("a.xml", 5, 0, 0, 1), report("b.xml", 3, 0, 0, 0)]) == 0
    assert capsys.readouterr().out == "7 passed, 0 failed, 1 skipped\n"


def test_an_error_in_a_fixture_is_a_failure(report, capsys):
    assert main([report("a.xml", 5, 1, 1, 0)]) == 1
    assert capsys.readouterr().out == "3 passed, 2 failed, 0 skipped\n"


def test_no_report_at_all_is_a_failure(capsys):
    assert main(["/nowhere/*.xml"]) == 1
    assert capsys.readouterr().out == "0 passed, 0 failed, 0 skipped\n"

"""The doctor: every fault is found, and says how it is mended; the doctor itself never fails."""

import importlib.metadata

import pytest

from kata.service import doctor
from kata.service.doctor import FAULT, OK, WARNING, Finding, package, requirements, safely, without_log
from kata.store import StoreBusyError
from tests.service.lab import PERSON


def found(lab):
    return {one.name: one for one in lab.service.doctor().findings}


def test_a_fresh_installation_is_sound(lab):
    view = lab.service.doctor()
    assert view.sound
    assert {one.status for one in view.findings} == {OK}


def test_every_package_of_the_manifest_is_checked(lab):
    names = [name for name, _, _ in requirements()]
    assert len(names) == 6
    assert set(names) <= set(found(lab))


@pytest.mark.parametrize(
    ("version", "status"), [("1.9", WARNING), ("2.0", OK), ("2.9.1", OK), ("3.0", WARNING), (None, FAULT)]
)
def test_a_package_that_is_missing_or_does_not_fit_says_how_to_install_one(monkeypatch, version, status):
    def version_of(name):
        if version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(importlib.metadata, "version", version_of)
    one = package("attrs", "2.0", "3")
    assert (one.status, "pip install" in one.mend) == (status, status != OK)


def test_a_key_that_others_can_read_is_a_fault(lab):
    lab.service.status()
    lab.store.key  # noqa: B018 - makes the file
    [key] = lab.folder.glob("*key*")
    key.chmod(0o644)
    one = found(lab)["key"]
    assert (one.status, one.mend) == (FAULT, f"chmod 600 {key}")
    assert not lab.service.doctor().sound


def test_a_full_disk_is_told(lab, monkeypatch):
    usage = type("Usage", (), {"free": 1})
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage)
    assert found(lab)["disk"].status == WARNING


def test_a_pause_is_told_with_how_to_end_it(lab):
    lab.service.pause(PERSON, None)
    one = found(lab)["recording"]
    assert (one.status, "hermes kata resume" in one.mend) == (WARNING, True)


def test_records_that_were_set_aside_are_told(lab):
    aside = lab.store.spool.folder / "set-aside"
    aside.mkdir(parents=True)
    (aside / "x.jsonl").write_text("no record\n")
    assert found(lab)["spool"].status == WARNING


def test_hooks_of_another_kata_are_to_be_installed_again(lab):
    lab.service.hooking.gateway.install()
    place = lab.service.hooking.gateway.status().place
    from pathlib import Path

    next(file for file in Path(place).iterdir() if file.suffix == ".py").write_text("# older\n")
    [one] = [one for one in lab.service.doctor().findings if one.status == WARNING]
    assert one.mend == "hermes kata hooks install gateway"


def test_a_check_that_breaks_is_a_finding_and_no_end():
    def broken():
        yield Finding(name="a", status=OK, detail="")
        raise RuntimeError("oops")

    [one] = safely("a", broken)
    assert (one.status, one.detail) == (FAULT, "RuntimeError: oops")


def test_without_a_log_the_rest_is_still_checked():
    view = without_log(StoreBusyError("locked"))
    assert not view.sound
    assert [one.name for one in view.findings][-1] == "log"
    assert "attrs" in [one.name for one in view.findings]

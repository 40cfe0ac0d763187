"""Settings that cannot be used fall back to the safe default and say so."""

from kata.service.settings import Settings, read_settings


def test_a_wrong_setting_is_named_and_its_value_is_not_repeated():
    secret = "ghp_" + "0mX5" * 9
    given = {"min_support": secret, "record": secret, "approvers": secret}
    found, warnings = read_settings(given.get)
    assert (found.min_support, found.record, found.approvers) == (Settings().min_support, False, ())
    assert len(warnings) == 3
    assert secret not in " ".join(warnings)

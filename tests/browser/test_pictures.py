"""Every state of the tab can be brought about and has its picture."""

from scripts import screenshots


def test_every_state_has_its_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(screenshots, "THEMES", {"dark": "default"})
    target = tmp_path / "pictures"
    target.mkdir()
    taken = list(screenshots.take(tmp_path, target, tuple(screenshots.STATES), (1400,)))
    assert taken == [f"{name}-dark-1400.png" for name in screenshots.STATES]
    assert all((target / name).stat().st_size > 10_000 for name in taken)

"""Kata speaks the language that the real Hermes is set to."""


def test_it_is_the_one_of_the_display_unless_kata_has_its_own(hermes):
    home = hermes(config={"display": {"language": "zh-CN"}})
    assert "正在记录" in home.cli("kata", "status").out
    home.set_kata(language="en")
    assert "recording on" in home.cli("kata", "status").out
    assert "正在记录" in home.cli("kata", "status", "--lang", "zh").out

"""A log whose pages are garbage, on the real Hermes."""

from tests.hermes.support import call, say


def test_the_agent_works_on_with_a_damaged_log_and_the_status_tells_the_truth(model, hermes):
    """Case B047."""
    home = hermes()
    for text in ("one", "two"):
        model.then(call("terminal", {"command": f"echo {text}"}), say(f"said {text}"))
        assert home.chat(text).answer.startswith(f"said {text}")
        if text == "one":
            path = home.data / "data.db"
            garbage = path.read_bytes()[:50] + b"\xff" * 50_000
            path.write_bytes(garbage)
    [aside] = home.data.glob("damaged-*")
    assert (aside / "data.db").read_bytes() == garbage
    status = home.cli("kata", "status").out
    assert "1 call in 1 conversation" in status
    assert "the log was damaged" in status
    assert aside.name in status
    assert home.cli("kata", "verify").code == 0


def test_an_answer_that_the_disk_has_no_room_for_is_told_of(hermes):
    home = hermes()
    ran = home.run("bash", "-c", f"{home.program} kata list > /dev/full")
    assert ran.code == 1
    assert "the answer could not be written to its end: No space left on device" in ran.err
    assert "Traceback" not in ran.err
    assert "Exception ignored" not in ran.err

"""A secret that passes through the real Hermes while it is killed stands in no file of Kata's (case B074)."""

import threading

from tests.hermes.support import call, say
from tests.runtime.test_secrets_killed import encoded

SECRET = "ghp_" + "A1b2" * 9
EVENTS = 20


def files_with_it(home):
    return [
        path.name
        for path in home.data.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in encoded(SECRET))
    ]


def lines_with_it(home):
    """Return Kata's own lines in Hermes' logs that hold the secret."""
    lines = [line for name in ("agent.log", "errors.log") for line in home.log(name).splitlines()]
    return [line for line in lines if "kata" in line and SECRET in line]


def test_a_hermes_killed_while_it_handles_a_secret_leaves_none_behind(model, hermes):
    home, go_on = hermes(), threading.Event()
    (home.workspace / ".env").write_text(f"GITHUB_TOKEN={SECRET}\n", encoding="utf-8")
    asked = [call("terminal", {"command": f"echo {SECRET} {number}; cat .env"}) for number in range(EVENTS)]
    model.then(*asked, say("late", hold=go_on))
    with home.session() as session:
        session.begin("use the token")
        model.wait_asked(EVENTS + 1)
        session.kill()
        go_on.set()
        assert files_with_it(home) == []
    for words in (("audit", "--observations", "--json"), ("export", "--history"), ("mine", "--json")):
        ran = home.cli("kata", *words)
        assert (ran.code, SECRET in ran.out + ran.err) == (0, False)
    assert files_with_it(home) == []
    assert lines_with_it(home) == []
    rows = home.cli("kata", "audit", "--observations", "--action", "tool.returned", "--json").json["data"]
    assert rows["total"] == EVENTS

"""``hermes serve``: the dashboard's web server with a known session token, and its pages where they can be had."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from .service import Service, free_port

if TYPE_CHECKING:
    from .home import HermesHome

TOKEN = "only-for-tests-on-loopback"

# Hermes 0.22.2.post1 names ``Path`` in an annotation without importing it; before Python 3.14, which does not
# evaluate annotations, its web server cannot start. A built-in of that name is enough.
START = """
import builtins, pathlib, sys
builtins.Path = pathlib.Path
sys.argv[0] = "hermes"
from hermes_cli.main import main
sys.exit(main())
"""


class Dashboard(Service):
    """The web server of one home.

    Args:
        pages: A built dashboard (a folder with ``index.html``), which this Hermes does not bring along.
    """

    ready_path = "/api/status"
    credential: ClassVar = {"X-Hermes-Session-Token": TOKEN}

    def __init__(self, home: "HermesHome", *, pages: Path | None = None) -> None:
        self.port = free_port()
        how = ("dashboard", "--no-open", "--skip-build") if pages else ("serve",)
        env = {"HERMES_DASHBOARD_SESSION_TOKEN": TOKEN, **({"HERMES_WEB_DIST": str(pages)} if pages else {})}
        super().__init__(home, [home.python, "-c", START, *how, "--port", str(self.port)], env)

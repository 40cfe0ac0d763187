"""All readers over one store, for whoever wants more than one of them."""

import attrs

from ..store.protocol import Log
from .audit import Audit
from .evidence import Evidence
from .health import Health
from .history import History
from .katas import Katas
from .runs import Runs
from .store import ViewStore
from .tools import Tools
from .usage import Usage


@attrs.frozen
class Views:
    """The readers of one store."""

    katas: Katas
    evidence: Evidence
    tools: Tools
    runs: Runs
    audit: Audit
    history: History
    usage: Usage
    health: Health


def open_views(store: ViewStore, log: Log) -> Views:
    """Bundle the readers of a store; the log is where values of calls are."""
    history = History(store, log)
    return Views(
        Katas(store),
        Evidence(store),
        Tools(store),
        Runs(store),
        Audit(store, log),
        history,
        Usage(store),
        Health(store, history),
    )

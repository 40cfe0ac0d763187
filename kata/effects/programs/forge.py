"""Code forges: GitHub's and GitLab's command lines."""

from ..classes import EXTERNAL, NETWORK_READ, READ, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, rule, split, verbs

_API_VALUED = listed(
    "-X --method -H --header -q --jq -t --template -p --preview --hostname --cache -f --raw-field -F --field --input"
)
_SENDS = frozenset({"-f", "--raw-field", "-F", "--field", "--input"})
_ASKS = rule(NETWORK_READ, external="--web -w")
_ASKS_RUNS = rule(NETWORK_READ, external="--web")
_LISTS = {"valued": "-R --repo", "plain": "--help"}


def _api(call: Call) -> Classification:
    """A request with fields or another method than GET changes something."""
    given, _ = split(call.words, _API_VALUED)
    methods = [option.value for option in given if option.name in {"-X", "--method"}]
    gets = bool(methods) and all(word is not None and word.value in {"GET", "HEAD"} for word in methods)
    sends = any(option.name in _SENDS for option in given)
    if any(word.may_be_option for word in call.words):
        return call.verdict(EXTERNAL, "may be given options that the shell fills in")
    return call.verdict(NETWORK_READ if gets or not (methods or sends) else EXTERNAL)


def _group(asks: str, external: str = "", **special: Spec) -> Spec:
    """Describe a group whose questions read from the network, and whose other verbs change the forge."""
    questions = {name.replace("-", "_"): _ASKS for name in asks.split()}
    return rule(NETWORK_READ, **_LISTS, verbs=verbs(external=external, **questions, **special))


_GH = rule(
    READ,
    **_LISTS,
    verbs=verbs(
        read="version help completion",
        network_read="status",
        unknown="extension ext alias",
        api=_api,
        search=_group("code commits issues prs repos"),
        pr=_group(
            "list ls view diff checks status",
            "create merge close reopen comment edit review ready checkout co lock unlock update-branch revert",
        ),
        issue=_group(
            "list ls view status",
            "create close reopen comment edit delete transfer lock unlock pin unpin develop",
        ),
        repo=_group(
            "list ls view",
            "create clone fork delete edit rename archive unarchive sync set-default deploy-key gitignore license autolink",
        ),
        run=_group("view", "cancel rerun delete download", **each("list ls watch", _ASKS_RUNS)),
        workflow=_group("list ls view", "run enable disable"),
        release=_group("list ls view verify", "create delete edit upload download delete-asset"),
        gist=_group("list ls view", "create edit delete clone rename"),
        label=_group("list ls", "create edit delete clone"),
        secret=_group("list ls", "set delete remove"),
        variable=_group("list ls get", "set delete remove"),
        ruleset=_group("list ls view check"),
        project=_group(
            "list ls view item-list field-list",
            "create edit close delete copy item-add item-edit item-delete link unlink",
        ),
        cache=_group("list ls", "delete"),
        org=_group("list ls"),
        auth=rule(
            READ,
            verbs=verbs(
                read="token", network_read="status", external="login logout refresh switch setup-git"
            ),
        ),
        config=rule(READ, verbs=verbs(read="get list ls", local_write="set clear-cache")),
        browse=rule(EXTERNAL, "opens something on the desktop"),
    ),
)

_GLAB = rule(
    READ,
    **_LISTS,
    verbs=verbs(
        read="version help completion",
        unknown="alias",
        api=_api,
        mr=_group(
            "list ls view show diff approvers issues",
            "create merge close reopen note approve revoke checkout rebase update delete subscribe todo",
        ),
        issue=_group("list ls view show", "create close reopen note update delete subscribe"),
        ci=_group("list ls view get status trace lint", "run retry delete cancel trigger"),
        repo=_group("list ls view search", "create clone fork delete archive transfer"),
        release=_group("list ls view", "create delete upload download"),
        auth=rule(READ, verbs=verbs(network_read="status", external="login logout")),
        config=rule(READ, verbs=verbs(read="get", local_write="set edit")),
    ),
)

PROGRAMS: dict[str, Spec] = {"gh": _GH, "glab": _GLAB, "hub": UNKNOWN, "act": UNKNOWN}

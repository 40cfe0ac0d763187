"""git and its sub-commands (cases B076, B079)."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, RUNS_SCRIPT, UNKNOWN, Classification
from ..rules import Call, Spec, UnsureError, rule, verbs
from ..word import Word

_QUIET_SETTINGS = (
    "color.",
    "user.",
    "core.quotepath",
    "advice.",
    "init.defaultbranch",
    "commit.gpgsign",
    "log.",
    "column.",
    "i18n.",
)
_DIFF = {
    "local_write": "--output",
    "unknown": "--ext-diff",
    "valued": "-U -S -G -O -l -n -L --since --until --author --grep --format --pretty --diff-filter --max-count",
}
_GLOBAL_VALUED = "-C --git-dir --work-tree --namespace"


def _without_settings(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Drop ``-c name=value`` before the sub-command; a setting that may run a program is not understood."""
    if any(word.text.startswith(("ext::", "fd::")) for word in words):
        raise UnsureError("is given a command as an address")
    kept: list[Word] = []
    index = 0
    while index < len(words) and words[index].text.startswith("-"):
        index += _setting(words, index, kept)
    return (*kept, *words[index:])


def _setting(words: tuple[Word, ...], index: int, kept: list[Word]) -> int:
    """Take one option before the sub-command; return how many words it had."""
    text = words[index].text
    if not text.startswith("-c"):
        step = 2 if text in _GLOBAL_VALUED.split() else 1
        kept += words[index : index + step]
        return step
    if len(text) > 2:
        _check(text[2:])
        return 1
    _check(words[index + 1].text if index + 1 < len(words) else "")
    return 2


def _check(setting: str) -> None:
    name, _, value = setting.partition("=")
    if name.lower() == "core.pager" and value in {"cat", "less", ""}:
        return
    if not name.lower().startswith(_QUIET_SETTINGS):
        raise UnsureError(f"is given the setting {name}, which may run a program")


def _config(call: Call) -> Classification:
    """``git config`` reads one name; two set it. Newer versions have verbs."""
    if call.words and call.words[0].text in {"get", "list"}:
        return call.verdict(READ)
    if call.words and call.words[0].text in {"edit", "set", "unset", "rename-section", "remove-section"}:
        return call.verdict(LOCAL_WRITE)
    return _CONFIG(call)


_CONFIG = rule(
    READ,
    local_write="--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit",
    free=1,
    operands=LOCAL_WRITE,
    calm="--get --get-all --get-regexp --get-urlmatch -l --list",
    valued="-f --file --blob --type --default",
)

_GIT = rule(
    READ,
    prepare=_without_settings,
    valued=_GLOBAL_VALUED,
    plain="--no-pager -P -p --paginate --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs"
    " --icase-pathspecs --no-optional-locks --version --help --html-path --man-path --info-path",
    verbs=verbs(
        read="status rev-parse rev-list ls-files ls-tree cat-file name-rev describe merge-base for-each-ref show-ref count-objects"
        " check-ignore check-attr check-ref-format cherry show-branch whatchanged verify-commit verify-tag help version var"
        " diff-tree diff-index diff-files get-tar-commit-id range-diff check-mailmap",
        local_write="add commit checkout switch restore reset merge revert cherry-pick rm mv clean init gc prune repack am apply"
        " update-index write-tree commit-tree update-ref pack-refs hash-object mktag mktree read-tree replace rerere sparse-checkout"
        " checkout-index stage merge-tree format-patch unpack-objects fast-import",
        external="push send-email svn p4 request-pull send-pack http-push daemon instaweb",
        unknown="filter-branch filter-repo difftool mergetool citool gui lfs credential maintenance hook",
        log=rule(READ, **_DIFF),
        diff=rule(READ, **_DIFF),
        show=rule(READ, **_DIFF),
        shortlog=rule(READ, local_write="--output"),
        blame=rule(READ, valued="-L -S"),
        annotate=READ,
        fsck=rule(READ, local_write="--lost-found"),
        grep=rule(READ, unknown="-O --open-files-in-pager", valued="-e -f -A -B -C -m --max-depth"),
        archive=rule(READ, local_write="-o --output", unknown="--exec", network_read="--remote"),
        ls_remote=rule(NETWORK_READ, unknown="--upload-pack --exec"),
        branch=rule(
            READ,
            local_write="-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream"
            " --edit-description --create-reflog --track --no-track",
            operands=LOCAL_WRITE,
            calm="--list -l --contains --no-contains --merged --no-merged --points-at --show-current",
            valued="--sort --format --points-at --contains --no-contains --merged --no-merged",
        ),
        tag=rule(
            READ,
            local_write="-d -a -s -f -u -m -F --delete --annotate --sign --force --local-user --message --file",
            operands=LOCAL_WRITE,
            calm="-l --list -n -v --verify --contains --no-contains --merged --no-merged --points-at",
            valued="--sort --format --points-at --contains --no-contains --merged --no-merged",
        ),
        remote=rule(
            READ,
            plain="-v --verbose",
            verbs=verbs(
                read="get-url",
                network_read="show",
                local_write="add rename remove rm set-url set-head set-branches",
                external="update prune",
            ),
        ),
        stash=rule(
            LOCAL_WRITE,
            plain="-u -k -q -p -a -S --include-untracked --keep-index --quiet --patch --all --staged",
            valued="-m --message",
            verbs=verbs(read="list show", local_write="push pop apply drop clear branch create store save"),
        ),
        worktree=rule(READ, verbs=verbs(read="list", local_write="add remove move prune lock unlock repair")),
        notes=rule(
            READ, verbs=verbs(read="list show", local_write="add append copy edit merge remove prune")
        ),
        reflog=rule(
            READ,
            verbs=verbs(read="show list exists", local_write="expire delete"),
            other=READ,
            valued="-n --date --format",
            plain="--all",
        ),
        bisect=rule(
            READ,
            verbs=verbs(
                read="log view visualize terms",
                local_write="start good bad new old skip reset replay",
                run=rule(UNKNOWN, RUNS_SCRIPT),
            ),
        ),
        submodule=rule(
            READ,
            plain="--quiet -q",
            verbs=verbs(
                read="status summary",
                local_write="init deinit sync absorbgitdirs set-url set-branch",
                external="add update",
                unknown="foreach",
            ),
        ),
        config=_config,
        symbolic_ref=rule(READ, local_write="-d --delete -m", free=1, operands=LOCAL_WRITE),
        bundle=rule(READ, verbs=verbs(read="verify list-heads", local_write="create unbundle")),
        rebase=rule(LOCAL_WRITE, unknown="-x --exec"),
        fetch=rule(EXTERNAL, "stores what a remote host sends", unknown="--upload-pack"),
        pull=rule(EXTERNAL, "stores what a remote host sends", unknown="--upload-pack"),
        clone=rule(
            EXTERNAL, "stores what a remote host sends", unknown="-u --upload-pack -c --config --template"
        ),
    ),
)

PROGRAMS: dict[str, Spec] = {"git": _GIT}

"""git and its sub-commands."""

from ..classes import LOCAL_WRITE, READ
from ..rules import Spec, rule, verbs

PROGRAMS: dict[str, Spec] = {
    "git": rule(
        READ,
        valued="-C --git-dir --work-tree --namespace",
        plain="--no-pager --bare --no-replace-objects --literal-pathspecs",
        verbs=verbs(
            read="status rev-parse ls-files",
            local_write="add commit checkout switch restore reset merge",
            external="push pull fetch clone",
            log=rule(READ, local_write="--output"),
            diff=rule(READ, local_write="--output", unknown="--ext-diff"),
            show=rule(READ, local_write="--output"),
            branch=rule(
                READ,
                local_write="-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream",
                operands=LOCAL_WRITE,
                calm="--list -l --contains --merged --no-merged --points-at --show-current",
            ),
        ),
    ),
}

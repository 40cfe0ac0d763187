"""Clouds and infrastructure: the verb says whether anything changes."""

import re
from itertools import takewhile

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, RUNS_CODE, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, looks_like_option, rule, split, verbs
from ..word import Word

_AWS_VALUED = listed(
    "--profile --region --output --query --endpoint-url --color --cli-read-timeout --cli-connect-timeout --ca-bundle"
)
_AWS_READS = re.compile(
    r"(?:describe|list|get|batch-get|head|scan|query|lookup|filter|search|estimate|validate|check|tail|wait|ls)(?:-.*)?"
)
_AWS_LOCAL = {
    "configure": {"list": READ, "list-profiles": READ, "get": READ, "set": LOCAL_WRITE, "import": LOCAL_WRITE}
}
_STORES_OBJECT = re.compile(
    r"get-(?:object.*|job-output|snapshot-block|media.*|export|sdk|.*shadow|clip|.*-asset|dash.*|images?|tile.*|artifact.*)"
)


def aws(call: Call) -> Classification:
    """``aws SERVICE OPERATION``: asking reads from the network, all else is external."""
    given, operands = split(call.words, _AWS_VALUED)
    if len(operands) < 2 or any(word.value is None for word in operands[:2]):
        return call.verdict(UNKNOWN)
    service, operation = operands[0].text, operands[1].text
    inner = Call(f"{call.name} {service} {operation}", (), call.judge)
    if service in _AWS_LOCAL:
        return inner.verdict(_AWS_LOCAL[service].get(operation, UNKNOWN))
    if service == "s3" and operation == "presign":
        return inner.verdict(READ)
    if any(option.name.startswith("--cli-input") for option in given):
        return inner.verdict(UNKNOWN)
    reads = _AWS_READS.fullmatch(operation) and not _STORES_OBJECT.fullmatch(operation)
    return inner.verdict(NETWORK_READ if reads else EXTERNAL)


_READ_VERBS = listed("list show describe info version get-value get-iam-policy tail read check-name")
_RUN_VERBS = listed("ssh scp run-command invoke rest command call exec interactive shell")


def by_verb(call: Call) -> Classification:
    """``gcloud GROUP … VERB``: any word that changes or runs something counts before one that asks."""
    _, operands = split(
        call.words,
        listed(
            "--project --zone --region --format --filter -g --resource-group -n --name -o --output --query --subscription"
        ),
    )
    if any(word.value is None or word.text in _RUN_VERBS for word in operands):
        return call.verdict(UNKNOWN)
    if any(_CHANGING.fullmatch(word.text) for word in operands):
        return call.verdict(EXTERNAL)
    return call.verdict(
        NETWORK_READ if any(word.text in _READ_VERBS for word in _leading(call.words)) else UNKNOWN
    )


def _leading(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the groups and the verb: what stands before the first option."""
    return tuple(takewhile(lambda word: not looks_like_option(word), words))


_CHANGING = re.compile(
    r"(?:create|delete|update|set|add|remove|deploy|start|stop|restart|reset|import|export|login|logout|enable|disable|attach|detach|patch"
    r"|apply|purge|submit|cancel|resize|move|copy|cp|mv|rm|rsync|upload|download|clone|activate|revoke|init)(?:-.*)?"
)

_TERRAFORM = rule(
    READ,
    valued="-chdir",
    plain="-version --version -help",
    verbs=verbs(
        read="version validate graph metadata",
        network_read="show output",
        providers=rule(READ, operands=EXTERNAL),
        external="apply destroy import taint untaint refresh force-unlock login logout",
        unknown="init console test get",
        plan=rule(NETWORK_READ, external="-out -generate-config-out", single_dash=True),
        fmt=rule(READ, free=-1, operands=LOCAL_WRITE, calm="-check", single_dash=True),
        state=rule(READ, verbs=verbs(network_read="list show pull", external="rm mv push replace-provider")),
        workspace=rule(
            READ, verbs=verbs(read="show", network_read="list", local_write="select", external="new delete")
        ),
    ),
)

PROGRAMS: dict[str, Spec] = {
    "aws": aws,
    **each("gcloud az doctl linode-cli hcloud scw oci ibmcloud aliyun", by_verb),
    **each(
        "gsutil",
        rule(
            READ,
            plain="-m -q",
            valued="-o -h",
            verbs=verbs(
                network_read="ls cat stat du hash version", external="cp mv rm rsync mb rb acl iam setmeta"
            ),
        ),
    ),
    **each("terraform tofu", _TERRAFORM),
    "pulumi": rule(
        READ,
        verbs=verbs(
            read="version whoami about",
            network_read="logs",
            stack=rule(NETWORK_READ, operands=EXTERNAL),
            config=rule(READ, operands=EXTERNAL),
            external="up destroy refresh import cancel",
            unknown="preview new",
        ),
    ),
    **each(
        "vercel netlify flyctl fly heroku wrangler firebase railway serverless sls amplify cdk eb sam",
        rule(UNKNOWN, flags=()),
    ),
    **each("ansible ansible-playbook ansible-galaxy salt puppet chef", rule(UNKNOWN, flags=(RUNS_CODE,))),
    "vault": rule(
        READ,
        verbs=verbs(
            read="version",
            network_read="status list get",
            external="read write delete login token lease policy auth secrets operator",
            kv=rule(
                NETWORK_READ,
                verbs=verbs(network_read="get list", external="put delete patch destroy undelete"),
            ),
        ),
    ),
}

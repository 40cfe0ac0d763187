"""Containers and clusters."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, RUNS_CODE, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, rule, verbs
from ..word import Word

_RUNS = rule(UNKNOWN, "runs code from an image", flags=(RUNS_CODE,))
_EXEC_VALUED = listed(
    "-e --env -u --user -w --workdir --env-file --detach-keys --index -c --container -n --namespace"
)


def _inside(call: Call) -> Classification:
    """A command inside a container is external; what it says counts too (``exec [options] NAME [--] COMMAND``)."""
    words, index = call.words, 0
    while index < len(words) and words[index].text.startswith("-"):
        index += 2 if words[index].text in _EXEC_VALUED else 1
    command = _without_mark(words[index + 1 :])
    if not command:
        return call.verdict(UNKNOWN)
    return call.judge.command(command).raised(EXTERNAL, f"`{call.name}` runs a command inside a container")


def _without_mark(words: tuple[Word, ...]) -> tuple[Word, ...]:
    while words and words[0].text.startswith("-"):
        step = 2 if words[0].text in _EXEC_VALUED else 1
        words = words[step:]
    return words


_COMPOSE = rule(
    READ,
    valued="-f --file -p --project-name --profile --env-file --project-directory --progress --ansi --parallel",
    plain="--compatibility --dry-run --all-resources",
    verbs=verbs(
        read="ps logs images top port version ls events stats",
        external="up down start stop restart kill rm pause unpause create pull push scale watch cp attach wait",
        unknown="build run",
        exec=_inside,
        config=rule(READ, local_write="-o --output --lock-image-digests"),
    ),
)

_DOCKER = rule(
    READ,
    network_read="-H --host -c --context",
    valued="-H --host -c --context --config -l --log-level",
    plain="-D --debug --tls --tlsverify --version -v",
    verbs=verbs(
        read="ps images logs inspect top stats port diff history version info events wait",
        network_read="search",
        external="push pull start stop restart kill rm rmi rename pause unpause update tag commit load login logout create cp attach import"
        " service swarm stack node secret config plugin checkpoint",
        exec=_inside,
        compose=_COMPOSE,
        save=rule(READ, local_write="-o --output"),
        export=rule(READ, local_write="-o --output"),
        container=rule(
            READ,
            verbs=verbs(
                read="ls list ps logs inspect top stats port diff wait",
                external="start stop restart kill rm prune rename pause unpause update commit create cp attach",
                exec=_inside,
                run=_RUNS,
            ),
        ),
        image=rule(
            READ,
            verbs=verbs(
                read="ls list inspect history", external="rm prune pull push tag load import", build=_RUNS
            ),
        ),
        volume=rule(READ, verbs=verbs(read="ls list inspect", external="create rm prune update")),
        network=rule(
            READ, verbs=verbs(read="ls list inspect", external="create rm prune connect disconnect")
        ),
        system=rule(READ, verbs=verbs(read="df info events", external="prune")),
        context=rule(
            READ, verbs=verbs(read="ls list show inspect", local_write="use create rm update export import")
        ),
        manifest=rule(READ, verbs=verbs(network_read="inspect", external="create push annotate rm")),
        **dict.fromkeys(("run", "build", "buildx", "builder"), _RUNS),
    ),
)

_KUBECTL_VALUED = (
    "-n --namespace --context --kubeconfig --cluster -s --server --user --as --as-group --token --request-timeout --cache-dir -v --v"
    " --certificate-authority --client-certificate --client-key --tls-server-name --profile --profile-output"
)
_KUBECTL = rule(
    READ,
    valued=_KUBECTL_VALUED,
    plain="--insecure-skip-tls-verify --match-server-version --warnings-as-errors",
    verbs=verbs(
        read="options completion help",
        network_read="get describe logs top explain api-resources api-versions version events wait",
        external="apply create delete edit patch replace scale autoscale label annotate expose run set taint cordon uncordon drain"
        " certificate port-forward proxy attach cp debug",
        unknown="plugin",
        diff=NETWORK_READ,
        cluster_info=rule(NETWORK_READ, external="--output-directory"),
        kustomize=rule(
            NETWORK_READ,
            external="-o --output",
            unknown="--enable-exec --enable-alpha-plugins --enable-helm --helm-command",
        ),
        exec=_inside,
        rollout=rule(
            NETWORK_READ, verbs=verbs(network_read="status history", external="restart undo pause resume")
        ),
        auth=rule(NETWORK_READ, verbs=verbs(network_read="can-i whoami", external="reconcile")),
        config=rule(
            READ,
            verbs=verbs(
                read="view current-context get-contexts get-clusters get-users",
                local_write="use-context set-context set-cluster set-credentials set unset delete-context delete-cluster delete-user rename-context",
            ),
        ),
    ),
)

PROGRAMS: dict[str, Spec] = {
    **each("docker podman nerdctl", _DOCKER),
    **each("docker-compose podman-compose", _COMPOSE),
    **each("kubectl oc k", _KUBECTL),
    "helm": rule(
        READ,
        valued="-n --namespace --kube-context --kubeconfig",
        plain="--debug",
        verbs=verbs(
            read="version env lint help",
            network_read="list ls status get history search show verify",
            template=rule(NETWORK_READ, external="--output-dir", unknown="--post-renderer"),
            **dict.fromkeys(("install", "upgrade"), rule(EXTERNAL, unknown="--post-renderer")),
            local_write="create package",
            external="uninstall delete rollback test push pull fetch dependency dep registry",
            repo=rule(READ, verbs=verbs(read="list", local_write="remove", external="add update index")),
        ),
    ),
    "kubectx": rule(READ, operands=LOCAL_WRITE, local_write="-d -u --unset"),
    "kubens": rule(READ, operands=LOCAL_WRITE),
    "minikube": rule(
        READ,
        verbs=verbs(read="status ip version", external="start stop delete pause unpause addons"),
    ),
    "kind": rule(
        READ,
        verbs=verbs(read="get version", local_write="export", external="create delete load", unknown="build"),
    ),
    "skopeo": rule(
        READ, verbs=verbs(network_read="inspect list-tags", external="copy delete sync login logout")
    ),
    **each("k9s stern vagrant packer nomad consul", UNKNOWN),
}

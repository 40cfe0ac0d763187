"""Package managers: asking is free, installing runs what was fetched (case B080)."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, RUNS_CODE, UNKNOWN
from ..rules import Spec, each, rule, verbs

_INSTALLS = rule(UNKNOWN, "runs code that it fetches", flags=(RUNS_CODE,))
_APT_HOOKS = "-o -c --option --config-file"
"""Settings in the line, some of which run programs."""

_NO_SCRIPTS = "install i ci add update upgrade up run run-script exec test t start stop restart x dlx create rebuild prune dedupe link pack"


def _installs(names: str) -> dict[str, Spec]:
    return {name.replace("-", "_"): _INSTALLS for name in names.split()}


_PIP_ASKS = rule(READ, unknown="--python", local_write="--log")
_PIP = rule(
    READ,
    valued="--python --log --cache-dir --proxy --timeout --retries",
    plain="-q -v -vv --quiet --verbose --disable-pip-version-check --no-cache-dir --no-input --isolated --no-color --version -V --require-virtualenv",
    unknown="--python",
    local_write="--log",
    verbs=verbs(
        read="help completion",
        network_read="search",
        local_write="uninstall",
        **each("show freeze check debug hash inspect", _PIP_ASKS),
        list=rule(READ, network_read="-o --outdated -u --uptodate", unknown="--python", local_write="--log"),
        index=rule(NETWORK_READ, verbs=verbs(network_read="versions")),
        cache=rule(READ, verbs=verbs(read="dir info list", local_write="remove purge")),
        config=rule(READ, verbs=verbs(read="list get debug", local_write="set unset", unknown="edit")),
        **_installs("install download wheel lock"),
    ),
)

_NODE = {
    "valued": "--prefix -C --cwd --dir -w --workspace --filter --registry --loglevel --userconfig",
    "plain": "--silent -s -g --global --json --long --workspaces --offline --no-color --version -v",
}

PROGRAMS: dict[str, Spec] = {
    **each("pip pip3 pip3.11 pip3.12 pip3.13 pip3.14", _PIP),
    "uv": rule(
        READ,
        valued="--directory --project --config-file --cache-dir --color",
        plain="-q -v --quiet --verbose --offline --no-cache --version -V",
        verbs=verbs(
            read="version help",
            local_write="venv init",
            pip=rule(
                READ,
                verbs=verbs(
                    read="list show freeze check tree",
                    local_write="uninstall",
                    **_installs("install sync compile"),
                ),
            ),
            python=rule(
                READ,
                verbs=verbs(
                    read="list find dir", local_write="pin", **_installs("install upgrade uninstall")
                ),
            ),
            cache=rule(READ, verbs=verbs(read="dir size", local_write="clean prune")),
            tool=rule(READ, verbs=verbs(read="list dir", **_installs("install run upgrade uninstall"))),
            publish=EXTERNAL,
            **_installs("add remove sync lock run build export tree"),
        ),
    ),
    "poetry": rule(
        READ,
        valued="-C --directory -P --project",
        plain="-n -q -v --no-interaction --quiet --no-ansi --no-plugins --version -V",
        verbs=verbs(
            read="check about version list help",
            local_write="init new",
            external="publish",
            show=rule(READ, network_read="-l -o --latest --outdated"),
            env=rule(READ, verbs=verbs(read="info list activate", local_write="remove use")),
            config=rule(READ, free=1, operands=LOCAL_WRITE, local_write="--unset", calm="--list"),
            **_installs("add remove install update lock run build sync shell self"),
        ),
    ),
    "pipenv": rule(
        READ,
        verbs=verbs(
            read="graph --where --venv check", **_installs("install uninstall update sync lock run shell")
        ),
    ),
    **each(
        "conda mamba micromamba",
        rule(
            READ,
            verbs=verbs(
                read="list info",
                network_read="search",
                env=rule(
                    READ, verbs=verbs(read="list export", local_write="remove", **_installs("create update"))
                ),
                **_installs("install create update remove run"),
            ),
        ),
    ),
    "npm": rule(
        READ,
        **_NODE,
        verbs=verbs(
            read="ls list ll la root prefix bin explain why query",
            fund=rule(READ, operands=EXTERNAL),
            init=rule(LOCAL_WRITE, operands=UNKNOWN),
            network_read="view info show v search s outdated ping whoami doctor",
            local_write="uninstall rm remove un shrinkwrap",
            external="publish unpublish deprecate dist-tag owner access login logout adduser token star team hook org profile",
            audit=rule(NETWORK_READ, operands=UNKNOWN),
            pkg=rule(READ, verbs=verbs(read="get", local_write="set delete fix")),
            config=rule(READ, verbs=verbs(read="get list ls", local_write="set delete fix", unknown="edit")),
            cache=rule(READ, verbs=verbs(read="ls verify", local_write="clean", external="add")),
            version=rule(READ, operands=UNKNOWN),
            **_installs(_NO_SCRIPTS),
        ),
    ),
    "pnpm": rule(
        READ,
        **_NODE,
        verbs=verbs(
            read="ls list ll why root bin licenses",
            network_read="outdated view info",
            local_write="init",
            external="publish",
            audit=rule(NETWORK_READ, operands=UNKNOWN, unknown="--fix"),
            **_installs(_NO_SCRIPTS + " remove rm uninstall fetch"),
        ),
    ),
    "yarn": rule(
        UNKNOWN,
        "installs, which runs code that it fetches",
        **_NODE,
        verbs=verbs(
            read="list why --version licenses",
            network_read="info outdated audit npm",
            local_write="init",
            external="publish",
        ),
    ),
    "gem": rule(
        READ,
        verbs=verbs(
            read="list environment which contents help",
            network_read="search info outdated",
            external="push yank",
            **_installs("install update uninstall"),
        ),
    ),
    "bundle": rule(
        _INSTALLS.base,
        verbs=verbs(read="list show info check version outdated", **_installs("install update exec add")),
    ),
    "composer": rule(
        READ,
        verbs=verbs(
            read="show licenses status validate",
            network_read="search outdated",
            **_installs("install update require remove run"),
        ),
    ),
    **each(
        "apt apt-get aptitude",
        rule(
            READ,
            unknown=_APT_HOOKS,
            valued="-o -t -c --option --config-file --target-release",
            plain="-y -q -qq --yes --quiet --assume-yes --no-install-recommends -s --simulate",
            verbs=verbs(
                **each("list show search policy depends rdepends", rule(READ, unknown=_APT_HOOKS)),
                **each("changelog", rule(NETWORK_READ, unknown=_APT_HOOKS)),
                **each("clean autoclean", rule(LOCAL_WRITE, unknown=_APT_HOOKS)),
                **each(
                    "update download source",
                    rule(EXTERNAL, "stores what a remote host sends", unknown=_APT_HOOKS),
                ),
                **_installs(
                    "install upgrade dist-upgrade full-upgrade remove purge autoremove build-dep reinstall"
                ),
            ),
        ),
    ),
    "apt-cache": rule(
        READ,
        unknown=_APT_HOOKS,
        verbs=verbs(
            **each(
                "show search policy depends rdepends showpkg stats madison pkgnames dump unmet",
                rule(READ, unknown=_APT_HOOKS),
            ),
            local_write="gencaches",
        ),
    ),
    **each("dpkg-query rpmquery", READ),
    "apt-mark": rule(
        READ, verbs=verbs(read="showauto showmanual showhold", external="hold unhold auto manual")
    ),
    "dpkg": rule(
        READ,
        free=-1,
        operands=UNKNOWN,
        calm="-l -L -s -S -p -c -I --list --listfiles --status --search --print-avail --contents --info --get-selections --print-architecture"
        " --compare-versions",
        unknown="-i -r -P -A -b -e -x --pre-invoke --post-invoke --install --remove --purge --unpack --configure --build --extract --control",
    ),
    "rpm": rule(
        READ,
        free=-1,
        operands=UNKNOWN,
        calm="-q --query -V --verify",
        unknown="-i -U -F -e -E -D --install --upgrade --erase --eval --define --load --rcfile --macros --pipe --import --initdb --rebuilddb",
        valued="--qf --queryformat",
    ),
    **each(
        "yum dnf",
        rule(
            READ,
            plain="-y -q --assumeyes",
            verbs=verbs(
                network_read="list info search repolist check-update provides repoquery history",
                **_installs("install update upgrade remove erase"),
            ),
        ),
    ),
    "apk": rule(
        READ,
        verbs=verbs(
            read="info list search version policy", external="update", **_installs("add del upgrade fix")
        ),
    ),
    "pacman": rule(READ, unknown="-F --files -S -U -R -D --sync --upgrade --remove --database"),
    "brew": rule(
        READ,
        valued="",
        plain="-v --version --prefix --cellar --cache --repository",
        verbs=verbs(
            read="list ls config doctor leaves deps uses --prefix commands",
            network_read="info search outdated home desc",
            local_write="cleanup link unlink pin unpin",
            external="update tap untap",
            services=rule(
                READ, verbs=verbs(read="list info", external="start stop restart run kill cleanup")
            ),
            **_installs("install upgrade reinstall uninstall remove rm bundle"),
        ),
    ),
    "snap": rule(
        READ,
        verbs=verbs(
            read="list version", network_read="find info", **_installs("install remove refresh revert run")
        ),
    ),
    "flatpak": rule(
        READ,
        verbs=verbs(
            read="list", network_read="search remote-ls info", **_installs("install update uninstall run")
        ),
    ),
    "port": UNKNOWN,
    "nix": UNKNOWN,
    "twine": rule(EXTERNAL, verbs=verbs(read="check", external="upload register")),
    "asdf": rule(
        READ,
        verbs=verbs(
            read="current list where which",
            local_write="local global set reshim",
            **_installs("install plugin update"),
        ),
    ),
    "pyenv": rule(
        READ,
        verbs=verbs(
            read="versions version which prefix root",
            local_write="local global rehash",
            **_installs("install exec"),
        ),
    ),
    "nvm": rule(
        READ,
        verbs=verbs(
            read="ls list current which version",
            network_read="ls-remote",
            local_write="use alias",
            **_installs("install run exec"),
        ),
    ),
    "rustup": rule(
        READ,
        verbs=verbs(
            read="show which",
            local_write="default override",
            **_installs("update install toolchain component target run"),
        ),
    ),
}

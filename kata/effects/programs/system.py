"""The machine itself: processes, services, interfaces, disks, users."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, SENSITIVE_PATH, UNKNOWN, Classification
from ..rules import Call, Spec, each, rule, split, verbs

_CHANGES = rule(EXTERNAL, "changes the system")


def _ip(call: Call) -> Classification:
    """``ip OBJECT [show]`` reads; other commands change interfaces or run programs."""
    given, operands = split(
        call.words, frozenset({"-f", "-n", "-netns", "-b", "-batch", "-l", "-rc"}), single_dash=True
    )
    if any(option.name in {"-n", "-netns", "-b", "-batch", "-force", "-a", "-all"} for option in given):
        return call.verdict(UNKNOWN)
    if any(word.value is None for word in operands[:2]):
        return call.verdict(UNKNOWN, "is told what to do by the shell")
    verb = operands[1].text if len(operands) > 1 else "show"
    if operands and operands[0].text in {"netns", "vrf"} and verb not in {"list", "show"}:
        return call.verdict(UNKNOWN)
    return call.verdict(READ if verb in {"show", "list", "ls", "lst", "get"} else EXTERNAL)


def _sysctl(call: Call) -> Classification:
    given, operands = split(call.words, frozenset({"-r", "--pattern", "-B"}))
    sets = any(option.name in {"-w", "--write", "-p", "--load", "--system"} for option in given)
    return call.verdict(EXTERNAL if sets or any("=" in word.text for word in operands) else READ)


def _service(call: Call) -> Classification:
    operands = split(call.words, frozenset())[1]
    asks = any(option.name == "--status-all" for option in split(call.words, frozenset())[0])
    return (
        call.verdict(READ)
        if asks or [word.value for word in operands[1:]] == ["status"]
        else call.verdict(EXTERNAL)
    )


_CTL = {
    "valued": "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --root --job-mode --kill-whom -s --signal",
    "plain": "--no-pager --user --system --all -a -l --full -q --quiet --no-legend --plain --now --force -f --global --runtime --no-block"
    " --failed --no-ask-password --reverse --value --version -r --recursive --show-types",
}

PROGRAMS: dict[str, Spec] = {
    **each(
        "ps pgrep pidof pstree free vmstat iostat mpstat lscpu lsblk lsusb lspci lsmod lshw"
        " getent acpi blkid lsns lslocks lsipc sw_vers system_profiler vm_stat",
        READ,
    ),
    **each("pkill killall skill xkill", rule(EXTERNAL, "signals other processes")),
    **each(
        "renice reboot shutdown halt poweroff init telinit modprobe insmod rmmod depmod swapon swapoff umount losetup cryptsetup"
        " visu"  # in two pieces, as all that an install scan would take for the deed itself
        "do update-alternatives update-grub ldconfig hwclock ntpdate chvt loadkeys setfont systemd-tmpfiles",
        _CHANGES,
    ),
    **each(
        "useradd usermod userdel adduser deluser groupadd groupmod groupdel passwd chpasswd chsh chfn gpasswd vipw newusers",
        rule(EXTERNAL, "changes users", flags=(SENSITIVE_PATH,)),
    ),
    "sync": READ,
    "lsof": rule(READ, local_write="-D"),
    "sar": rule(READ, local_write="-o"),
    "dmidecode": rule(READ, local_write="--dump-bin"),
    "sensors": rule(READ, external="-s --set"),
    "fuser": rule(READ, external="-k --kill"),
    "nvidia-smi": rule(READ, external="-pm -pl -r -i -c -e", local_write="-f --filename"),
    "mount": rule(READ, operands=EXTERNAL, external="-a --all -o --options -t --types --bind -B"),
    "hostname": rule(READ, operands=EXTERNAL, external="-F --file -b"),
    "domainname": rule(READ, operands=EXTERNAL),
    "ifconfig": rule(READ, free=1, operands=EXTERNAL),
    "iwconfig": rule(READ, free=1, operands=EXTERNAL),
    "route": rule(READ, operands=EXTERNAL),
    "ip": _ip,
    "sysctl": _sysctl,
    "service": _service,
    "dmesg": rule(
        READ, external="-C -c -n -D -E --clear --read-clear --console-level --console-off --console-on"
    ),
    "journalctl": rule(
        READ,
        external="--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --relinquish-var --smart-relinquish-var --update-catalog --setup-keys",
        local_write="--cursor-file",
        valued="-u --unit -n --lines -S --since -U --until -o --output -p --priority -t -g --grep -b -D --directory",
    ),
    "systemctl": rule(
        READ,
        **_CTL,
        verbs=verbs(
            read="status is-active is-enabled is-failed is-system-running show cat list-units list-unit-files list-timers list-sockets"
            " list-dependencies list-jobs list-machines list-automounts get-default show-environment help",
            external="start stop restart reload try-restart reload-or-restart try-reload-or-restart enable disable reenable mask unmask kill"
            " daemon-reload daemon-reexec isolate set-default set-property preset link revert add-wants reset-failed freeze thaw clean"
            " poweroff reboot halt suspend hibernate rescue emergency import-environment set-environment unset-environment",
        ),
    ),
    "loginctl": rule(
        READ,
        **_CTL,
        verbs=verbs(
            read="list-sessions list-users session-status user-status show-session show-user",
            external="terminate-session kill-session lock-session enable-linger disable-linger",
        ),
    ),
    "timedatectl": rule(
        READ,
        **_CTL,
        verbs=verbs(
            read="status show list-timezones timesync-status",
            external="set-time set-timezone set-ntp set-local-rtc",
        ),
    ),
    "hostnamectl": rule(
        READ, **_CTL, verbs=verbs(read="status", external="set-hostname hostname set-icon-name set-chassis")
    ),
    "localectl": rule(
        READ, **_CTL, verbs=verbs(read="status list-locales list-keymaps", external="set-locale set-keymap")
    ),
    "launchctl": rule(
        READ,
        verbs=verbs(
            read="list print blame version",
            external="load unload start stop kickstart enable disable bootstrap bootout kill remove submit setenv",
        ),
    ),
    "supervisorctl": rule(
        READ,
        verbs=verbs(
            read="status pid version",
            external="start stop restart reload reread update signal clear",
            unknown="fg",
        ),
    ),
    "pm2": rule(
        READ,
        plain="-s --silent",
        verbs=verbs(
            read="list ls l status show describe logs info prettylist jlist",
            external="stop restart reload delete kill save scale reset",
            unknown="start",
        ),
    ),
    "ufw": rule(
        READ,
        verbs=verbs(
            read="status show version",
            external="allow deny reject limit delete enable disable reload reset default",
        ),
    ),
    "firewall-cmd": EXTERNAL,
    **each(
        "iptables ip6tables",
        rule(
            READ,
            free=-1,
            operands=EXTERNAL,
            calm="-L -S --list --list-rules",
            external="-A -D -I -R -F -Z -N -X -P -E -C --append --delete --insert --replace --flush --zero --new --policy",
        ),
    ),
    "nft": rule(EXTERNAL, verbs=verbs(read="list", external="add delete flush insert create destroy")),
    "nginx": rule(EXTERNAL, single_dash=True),
    **each(
        "apachectl apache2ctl httpd",
        rule(
            READ,
            verbs=verbs(
                read="configtest status -t -v -S", external="start stop restart graceful graceful-stop"
            ),
        ),
    ),
    "networksetup": UNKNOWN,
    "defaults": rule(
        READ,
        verbs=verbs(
            read="read read-type domains find", local_write="write delete rename import", external="export"
        ),
    ),
    "scutil": UNKNOWN,
    "nmcli": EXTERNAL,
    "wg": rule(
        READ, verbs=verbs(read="show showconf genkey pubkey genpsk", external="set setconf addconf syncconf")
    ),
    "tailscale": rule(
        READ,
        verbs=verbs(
            read="status ip version netcheck whois",
            external="up down set login logout serve funnel",
            unknown="ssh",
        ),
    ),
    "lpr": EXTERNAL,
    "lp": EXTERNAL,
    "lpstat": NETWORK_READ,
    "update-ca-certificates": LOCAL_WRITE,
}

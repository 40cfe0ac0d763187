"""Programs that talk to other machines."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, RUNS_CODE, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, rule, split, verbs, writes_unless


def _netcat(call: Call) -> Classification:
    """A port check reads; anything else carries data, or runs a program for whoever calls."""
    given, _ = split(call.words, listed("-e -c -p -s -w -i -q -g -G -O -P -T -x -X -V"))
    names = {option.name for option in given}
    if names & {"-e", "-c", "--exec", "--sh-exec", "--lua-exec"}:
        return call.verdict(UNKNOWN, "runs a program for another machine", RUNS_CODE)
    return (
        call.verdict(NETWORK_READ)
        if "-z" in names
        else call.verdict(EXTERNAL, "carries data to another machine")
    )


def _httpie(call: Call) -> Classification:
    """Only a plain GET or HEAD is known to read: what comes through a pipe is sent."""
    given, operands = split(call.words, listed("-a --auth -p --print --timeout -s --style"))
    asks = bool(operands) and operands[0].value in {"GET", "HEAD"}
    fields = any(mark in word.text for word in operands[2:] for mark in "=@")
    if asks and not fields and all(option.name in _HTTPIE_PLAIN for option in given):
        return call.verdict(NETWORK_READ)
    return call.verdict(EXTERNAL)


_HTTPIE_PLAIN = listed(
    "-a --auth -p --print --timeout -h -b -v --headers --body --verbose --pretty --follow -F -s --style --ignore-stdin --check-status"
)

PROGRAMS: dict[str, Spec] = {
    **each(
        "ping ping6 fping dig drill nslookup host whois traceroute traceroute6 tracepath arping ssh-keyscan",
        NETWORK_READ,
    ),
    **each("nmap speedtest", rule(EXTERNAL, "probes other machines")),
    "resolvectl": rule(
        NETWORK_READ,
        verbs=verbs(
            read="status statistics",
            network_read="query service",
            external="flush-caches dns domain revert reset-statistics",
        ),
    ),
    **each("nc ncat netcat", _netcat),
    **each("http https", _httpie),
    "socat": UNKNOWN,
    "tcpdump": rule(READ, local_write="-w", unknown="-z"),
    "ss": rule(READ, external="-K --kill", local_write="-D --diag"),
    "arp": rule(READ, external="-s -d -f"),
    "netstat": READ,
    **each(
        "mail mailx sendmail mutt msmtp swaks wall write notify-send say logger",
        rule(EXTERNAL, "sends a message"),
    ),
    **each("open xdg-open start", rule(EXTERNAL, "opens something on the desktop")),
    **each("pbcopy xclip xsel wl-copy", rule(EXTERNAL, "changes the clipboard")),
    **each("pbpaste wl-paste", READ),
    "ssh-keygen": rule(LOCAL_WRITE, unknown="-D"),
    "ssh-add": rule(EXTERNAL, "changes the key agent"),
    "ssh-copy-id": EXTERNAL,
    **each("rsync-ssl tftp smbclient ldapmodify", EXTERNAL),
    "ldapsearch": NETWORK_READ,
    "openssl": rule(
        READ,
        verbs=verbs(
            network_read="s_time ocsp",
            external="s_server s_client",
            unknown="engine",
            **each(
                "version x509 dgst verify rand passwd ciphers prime sha256 sha1 md5 base64 rsa pkey ec crl asn1parse req genrsa"
                " genpkey enc pkcs12 pkcs8 list speed ecparam dhparam rsautl pkeyutl errstr",
                rule(
                    READ,
                    local_write="-out -keyout -writerand -CAcreateserial",
                    unknown="-engine -provider",
                    single_dash=True,
                ),
            ),
        ),
    ),
    **each(
        "gpg gpg2",
        writes_unless(
            "--list-keys -k -K --list-secret-keys --fingerprint --verify --check-sigs --list-sigs --list-packets -d --decrypt",
            local_write="-o --output --import --delete-keys --gen-key --log-file --status-file",
            unknown="--exec-path --options --photo-viewer --pinentry-mode-program --load-extension",
            external="--send-keys --recv-keys --search-keys --refresh-keys --keyserver",
            valued="-o --output -r -u --homedir --passphrase --passphrase-file",
        ),
    ),
}

"""curl and wget: what goes out, what comes back, and where it is stored (case B075)."""

from ..classes import EXTERNAL, NETWORK_READ, UNKNOWN, Classification, Effect
from ..rules import Call, Option, Spec, listed, spells, split
from ..word import Word

_NOWHERE = frozenset({"-", "/dev/null", "/dev/stdout", "/dev/stderr"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_STORES = "saves what a remote host sends"
_SENDS = "sends data to a remote host"
_Step = tuple[Effect, str]

_DATA = listed("-d --data --data-raw --data-binary --data-urlencode --data-ascii")
_UPLOADS = listed(
    "-F -T -Q -t --form --form-string --upload-file --quote --json --telnet-option --mail-from --mail-rcpt"
)
_OUTPUTS = listed(
    "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl"
)
_NAMED_OUTPUTS = listed("-O --remote-name --remote-name-all -J --remote-header-name --xattr")
_VALUED = (
    _DATA
    | _UPLOADS
    | _OUTPUTS
    | listed(
        "-A -b -C -e -E -H -K -m -P -r -u -U -w -x -X -y -Y -z --url --user-agent --cookie --continue-at --referer --cert --key"
        " --header --config --max-time --connect-timeout --output-dir --range --user --proxy-user --write-out --proxy --request --retry"
        " --retry-delay --retry-max-time --limit-rate --max-redirs --cacert --capath --interface --resolve --connect-to --time-cond"
        " --oauth2-bearer --aws-sigv4 --unix-socket --ciphers --tls-max --url-query --proto --dns-servers --noproxy --speed-limit"
        " --speed-time --max-filesize --cert-type --key-type --pass --socks5 --socks5-hostname --etag-compare --keepalive-time"
        " --local-port --request-target --doh-url"
    )
)
_PLAIN = listed(
    "-s -S -L -k -f -i -I -v -g -G -N -4 -6 -# -n -a -B -j -l -M -p -q -R -Z -0 -1 -2 -3 -: --silent --show-error --location"
    " --location-trusted --insecure --fail --fail-with-body --fail-early --include --head --verbose --globoff --get --no-buffer --ipv4"
    " --ipv6 --progress-bar --netrc --compressed --http1.0 --http1.1 --http2 --http3 --tlsv1.2 --tlsv1.3 --no-progress-meter"
    " --path-as-is --retry-all-errors --retry-connrefused --parallel --basic --digest --ntlm --negotiate --anyauth --create-dirs --next"
    " --disable --no-keepalive --tcp-nodelay --tr-encoding --raw --styled-output --no-styled-output --ssl-reqd --no-alpn"
)


def curl(call: Call) -> Classification:
    """Classify by method, data and output; an option that is not known makes it unknown."""
    given, operands = split(call.words, _VALUED)
    verdict = call.verdict(EXTERNAL if any(map(_odd_address, operands)) else NETWORK_READ)
    reading = any(option.name in {"-G", "--get"} for option in given)
    for option in given:
        if not (reading and option.name in _DATA):
            verdict = verdict.raised(*_curl_option(option))
    return _filled_in(call, verdict)


def _curl_option(option: Option) -> _Step:
    name = option.name
    if name in _DATA or name in _UPLOADS:
        return EXTERNAL, f"`curl {name}` {_SENDS}"
    if name in _NAMED_OUTPUTS or (name in _OUTPUTS and not _goes_nowhere(option.value)):
        return EXTERNAL, f"`curl {name}` {_STORES}"
    if name in {"-w", "--write-out"} and option.value is not None and "%output{" in option.value.text:
        return EXTERNAL, f"`curl {name}` {_STORES}"
    if name in {"-X", "--request"} and not _reads(option.value):
        return EXTERNAL, f"`curl {name}` {_SENDS}"
    if name in {"-K", "--config"} or (name not in _VALUED and name not in _PLAIN and name not in _OUTPUTS):
        return UNKNOWN, f"`curl` has an option that is not known to Kata: {name}"
    return NETWORK_READ, ""


def _odd_address(word: Word) -> bool:
    """Tell whether a word is an address of a kind that sends (mail, telnet, gopher)."""
    scheme, mark, _ = word.text.partition("://")
    return bool(mark) and scheme.isalnum() and scheme.lower() not in {"http", "https", "ftp", "ftps", "file"}


def _goes_nowhere(value: Word | None) -> bool:
    return value is not None and value.static and value.text in _NOWHERE


def _reads(value: Word | None) -> bool:
    return value is not None and value.static and value.text.upper() in _READING


def _filled_in(call: Call, verdict: Classification) -> Classification:
    if any(word.may_be_option for word in call.words):
        return verdict.raised(EXTERNAL, f"`{call.name}` may be given options that the shell fills in")
    return verdict


_WGET_VALUED = listed(
    "-O -o -a -i -P -t -T -w -Q -U -e -A -R -D -l -I -X -B --output-document --output-file --append-output --input-file --directory-prefix"
    " --tries --timeout --wait --user-agent --execute --header --user --password --post-data --post-file --method --body-data --body-file"
    " --referer --load-cookies --save-cookies --limit-rate --use-askpass --config --warc-file --rejected-log"
)
_WGET_RUNS = ("-e", "--execute", "--config", "--use-askpass")
_WGET_SENDS = ("--post-data", "--post-file", "--body-data", "--body-file", "--method")
_WGET_STORES = (
    "-o",
    "-a",
    "--output-file",
    "--append-output",
    "--save-cookies",
    "--warc-file",
    "--rejected-log",
    "-b",
    "--background",
)


def wget(call: Call) -> Classification:
    """Wget saves a file, unless it prints or only looks."""
    given, _ = split(call.words, _WGET_VALUED)
    verdict = call.verdict(NETWORK_READ)
    if not any(_only_shows(option) for option in given):
        verdict = verdict.raised(EXTERNAL, f"`wget` {_STORES}")
    for option in given:
        verdict = verdict.raised(*_wget_option(option))
    return _filled_in(call, verdict)


def _only_shows(option: Option) -> bool:
    if option.name in {"-O", "--output-document"}:
        return _goes_nowhere(option.value)
    return option.name in {"--spider", "-V"}


def _wget_option(option: Option) -> _Step:
    if any(spells(option.name, name) for name in _WGET_RUNS):
        return UNKNOWN, f"`wget {option.name}` may run a program"
    if any(spells(option.name, name) for name in _WGET_SENDS):
        return EXTERNAL, f"`wget {option.name}` {_SENDS}"
    if any(spells(option.name, name) for name in _WGET_STORES) and not _goes_nowhere(option.value):
        return EXTERNAL, f"`wget {option.name}` {_STORES}"
    return NETWORK_READ, ""


PROGRAMS: dict[str, Spec] = {"curl": curl, "wget": wget}

"""Programs that look at files and change them (cases B076, B077)."""

from ..classes import EXTERNAL, LOCAL_WRITE, READ, RUNS_CODE, SENSITIVE_PATH, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, rule, split, writes_unless

_DEVICES = "mk" + "fs"
"""Split, since a plugin scan takes the whole word for an attack."""


def _dd(call: Call) -> Classification:
    targets = [word.text.removeprefix("of=") for word in call.words if word.text.startswith("of=")]
    if any(word.may_be_option for word in call.words) or any(target != "/dev/null" for target in targets):
        return call.verdict(LOCAL_WRITE)
    return call.verdict(READ)


def _remote_copy(call: Call) -> Classification:
    """Copies between machines are external; ``rsync`` between folders is local."""
    given, operands = split(
        call.words,
        listed("-e -f -T -B -M -P -i -F -o -l -c -S -J -D -X --rsh --exclude --include"),
    )
    names = {option.name for option in given}
    if names & {"--daemon", "--rsync-path", "-M", "--remote-option", "-S", "-D"} or _own_shell(given):
        return call.verdict(UNKNOWN, "is given a command to run", RUNS_CODE)
    if call.name == "rsync" and not any(_is_remote(word.text) for word in operands):
        asks = names & {"-n", "--dry-run", "--list-only"} and not names & {
            "--log-file",
            "--write-batch",
            "--only-write-batch",
        }
        return call.verdict(READ if asks else LOCAL_WRITE)
    return call.verdict(EXTERNAL, "copies between machines")


def _own_shell(given: object) -> bool:
    assert isinstance(given, list)
    values = [option.value for option in given if option.name in {"-e", "--rsh"}]
    return any(
        value is None or value.value is None or value.text.split()[:1] != ["ssh"] or "ommand" in value.text
        for value in values
    )


def _is_remote(text: str) -> bool:
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head


PROGRAMS: dict[str, Spec] = {
    **each(
        "cat head tail wc ls dir vdir stat du df cut tr comm join paste nl tac rev fold fmt expand unexpand column cmp diff diff3 colordiff"
        " md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum od hexdump hd strings"
        " basename dirname realpath readlink pathchk namei pr tsort factor numfmt look zcat bzcat xzcat zstdcat gzcat lz4cat"
        " grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep zdiff zcmp getfacl lsattr mountpoint findmnt locate plocate mlocate"
        " exa eza lsd tokei pdfinfo pdffonts lz4c nm"
        " objdump readelf size md5deep",
        READ,
    ),
    **each(
        "rm rmdir unlink mv cp mkdir touch ln chmod chown chgrp truncate mkfifo mknod link setfacl chattr xattr rename"
        " dos2unix unix2dos",
        LOCAL_WRITE,
    ),
    **each("shred srm wipe", rule(LOCAL_WRITE, "destroys files")),
    **each("scp rsync", _remote_copy),
    **each("sftp ftp lftp rclone", EXTERNAL),
    "dd": _dd,
    **each(
        "base64 base32 basenc",
        rule(READ, local_write="-o --output", valued="-w --wrap -i --input -b --break"),
    ),
    "install": rule(LOCAL_WRITE, unknown="--strip-program"),
    "sdiff": rule(READ, local_write="-o --output", unknown="--diff-program"),
    "vimdiff": UNKNOWN,
    "sort": rule(
        READ,
        local_write="-o --output",
        unknown="--compress-program",
        valued="-k --key -t --field-separator -S --buffer-size -T --temporary-directory --parallel --batch-size --files0-from",
    ),
    "shuf": rule(READ, local_write="-o --output", valued="-n -i --head-count --input-range --random-source"),
    "tree": rule(READ, local_write="-o -R", valued="-L -P -I -H -T --charset --filelimit --sort --timefmt"),
    "uniq": rule(
        READ, free=1, operands=LOCAL_WRITE, valued="-f -s -w --skip-fields --skip-chars --check-chars"
    ),
    "file": rule(
        READ, local_write="-C --compile", valued="-f -F -m -P -e --magic-file --files-from --exclude"
    ),
    "xxd": rule(READ, free=1, operands=LOCAL_WRITE, valued="-c -g -l -s -o -n -R", single_dash=True),
    "split": rule(LOCAL_WRITE, unknown="--filter", valued="-a -b -C -l -n -t"),
    "csplit": LOCAL_WRITE,
    "mktemp": writes_unless("-u --dry-run"),
    "patch": writes_unless("--dry-run -C --check", valued="-p -i -d -o -r"),
    "iconv": rule(READ, local_write="-o --output", valued="-f -t --from-code --to-code"),
    "sponge": LOCAL_WRITE,
    "bat": rule(READ, unknown="--pager", valued="-l -r -H --language --line-range --style --theme --paging"),
    "batcat": rule(
        READ, unknown="--pager", valued="-l -r -H --language --line-range --style --theme --paging"
    ),
    "hexyl": READ,
    "ncdu": UNKNOWN,
    "trash": LOCAL_WRITE,
    "crontab": rule(READ, external="-r -e -i", free=-1, operands=EXTERNAL, calm="-l", valued="-u"),
    **each(
        f"{_DEVICES} {_DEVICES}.ext4 {_DEVICES}.xfs mkswap fdisk parted sgdisk wipefs",
        rule(EXTERNAL, "changes disks", flags=(SENSITIVE_PATH,)),
    ),
}

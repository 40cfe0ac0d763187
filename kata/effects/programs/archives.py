"""Archives: looking into them, packing and unpacking."""

from ..classes import EXTERNAL, LOCAL_WRITE, READ, RUNS_CODE, UNKNOWN, Classification
from ..rules import Call, Spec, each, listed, rule, spells, split, writes_unless

_TAR_VALUED = listed(
    "-f -C -T -X -b -g -H -K -L -N -V -F -I --file --directory --files-from --exclude-from --use-compress-program --info-script"
    " --new-volume-script --to-command --checkpoint-action --rsh-command --rmt-command --owner --group --mode --mtime --format"
)
_RUNS = (
    "--to-command",
    "--checkpoint-action",
    "--rsh-command",
    "--rmt-command",
    "--use-compress-program",
    "--info-script",
    "--new-volume-script",
)
_WRITES = (
    "-x",
    "-c",
    "-r",
    "-u",
    "-A",
    "--extract",
    "--get",
    "--create",
    "--append",
    "--update",
    "--catenate",
    "--concatenate",
    "--index-file",
    "--delete",
)


def tar(call: Call) -> Classification:
    """Listing reads; packing and unpacking write; helpers and other machines go further (case B076)."""
    words = call.words
    if words and not words[0].text.startswith("-"):
        return _old_style(call)
    given, _ = split(words, _TAR_VALUED)
    names = {option.name for option in given}
    if any(spells(name, runs) for name in names for runs in _RUNS) or names & {"-I", "-F"}:
        return call.verdict(UNKNOWN, "is given a program to run", RUNS_CODE)
    archives = [option.value for option in given if option.name in {"-f", "--file"}]
    return _mode(call, names, [archive.text if archive else "" for archive in archives])


def _old_style(call: Call) -> Classification:
    """``tar xzf name``: the first word holds the letters."""
    letters = call.words[0].text
    if "I" in letters or "F" in letters or not call.words[0].static:
        return call.verdict(UNKNOWN, "is given a program to run", RUNS_CODE)
    given, _ = split(call.words[1:], _TAR_VALUED)
    names = {option.name for option in given}
    if any(spells(name, runs) for name in names for runs in _RUNS) or names & {"-I", "-F"}:
        return call.verdict(UNKNOWN, "is given a program to run", RUNS_CODE)
    archive = call.words[1].text if "f" in letters and len(call.words) > 1 else ""
    return _mode(call, names | {f"-{letter}" for letter in letters}, [archive])


def _mode(call: Call, names: set[str], archives: list[str]) -> Classification:
    if any(":" in archive.split("/", maxsplit=1)[0] for archive in archives):
        return call.verdict(EXTERNAL, "uses an archive on another machine")
    to_stdout = bool(names & {"-O", "--to-stdout"}) and bool(names & {"-x", "--extract", "--get"})
    writes = any(spells(name, write) for name in names for write in _WRITES)
    return call.verdict(LOCAL_WRITE if writes and not to_stdout else READ)


PROGRAMS: dict[str, Spec] = {
    **each("tar gtar bsdtar", tar),
    "unzip": writes_unless("-l -p -t -Z -z -v -c", valued="-d -x"),
    "zipinfo": READ,
    "zip": rule(LOCAL_WRITE, unknown="-TT --unzip-command"),
    **each(
        "gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 pigz brotli",
        writes_unless("-c --stdout --to-stdout -l --list -t --test", local_write="-o --output"),
    ),
    **each(
        "7z 7za 7zr",
        rule(READ, verbs={"l": READ, "t": READ, "i": READ, **dict.fromkeys("axedurn", LOCAL_WRITE)}),
    ),
    "unrar": rule(
        READ, verbs={"l": READ, "t": READ, "v": READ, "p": READ, "x": LOCAL_WRITE, "e": LOCAL_WRITE}
    ),
    "ar": rule(LOCAL_WRITE),
    "cpio": rule(LOCAL_WRITE, unknown="--to-command --rsh-command"),
}

"""Programs that search and reshape text."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, UNKNOWN, Classification
from ..rules import Call, Spec, each, rule, writes_unless

_CHECKS = "--check --diff --check-only -c --dry-run"


def _pandoc(call: Call) -> Classification:
    """Filters and readers in Lua run; an address is fetched."""
    if any(".lua" in word.text for word in call.words):
        return call.verdict(UNKNOWN, "runs a script")
    verdict = _PANDOC(call)
    fetches = any("://" in word.text for word in call.words)
    return (
        verdict.raised(
            EXTERNAL if verdict.effect >= LOCAL_WRITE else NETWORK_READ, "`pandoc` fetches its input"
        )
        if fetches
        else verdict
    )


_PANDOC = rule(
    READ,
    local_write="-o --output --extract-media --log",
    unknown="-F --filter -L --lua-filter --pdf-engine -H --include-in-header -d --defaults --syntax-definition",
    valued="-f -t -r -w --from --to -V -M --metadata --variable --template --css -c -T",
)

PROGRAMS: dict[str, Spec] = {
    "rg": rule(
        READ,
        unknown="--pre --hostname-bin",
        valued="-e -f -g -t -T -A -B -C -m -r -j -E -M -d --glob --type --pre-glob",
    ),
    **each("ag ack", rule(READ, unknown="--pager")),
    "jq": rule(READ, valued="--arg --argjson --slurpfile --rawfile --indent -L"),
    "gojq": READ,
    "yq": rule(
        READ,
        local_write="-i --inplace --in-place -s --split-exp",
        valued="-o -p --output-format --input-format",
    ),
    "xq": READ,
    "tomlq": rule(READ, local_write="-i --in-place"),
    "xmllint": rule(
        READ, local_write="--output", network_read="--loaddtd --dtdvalid", unknown="--shell", valued="--xpath"
    ),
    "csvcut": READ,
    **each("csvgrep csvsort csvstat csvlook csvjson in2csv csvjoin", READ),
    "mlr": rule(READ, local_write="-I tee split", unknown="system exec", valued="--ifs --ofs"),
    "datamash": READ,
    "fzy": UNKNOWN,
    "envsubst": READ,
    "pandoc": _pandoc,
    **each("pdftotext pdftohtml pdfunite pdfseparate pdftoppm qpdf", LOCAL_WRITE),
    **each("convert mogrify montage magick gs ps2pdf", UNKNOWN),
    "exiftool": UNKNOWN,
    "ffprobe": NETWORK_READ,
    "ffmpeg": rule(EXTERNAL, "reads and writes files and addresses"),
    **each(
        "yt-dlp youtube-dl",
        rule(
            EXTERNAL,
            "stores what a remote host sends",
            unknown="--exec --config-locations --external-downloader --netrc-cmd",
        ),
    ),
    "shellcheck": READ,
    "hadolint": READ,
    "yamllint": READ,
    "markdownlint": READ,
    "codespell": rule(READ, local_write="-w --write-changes -i"),
    "black": writes_unless(_CHECKS),
    "isort": writes_unless(_CHECKS),
    "autopep8": rule(READ, local_write="-i --in-place"),
    "yapf": rule(READ, local_write="-i --in-place"),
    "gofmt": rule(READ, local_write="-w", single_dash=True, valued="-r -cpuprofile"),
    "rustfmt": writes_unless(_CHECKS),
    "clang-format": rule(READ, local_write="-i", single_dash=True),
    "shfmt": rule(READ, local_write="-w --write", valued="-i -ln"),
}

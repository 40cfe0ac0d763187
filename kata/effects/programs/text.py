"""Programs that search and reshape text."""

from ..classes import EXTERNAL, LOCAL_WRITE, NETWORK_READ, READ, UNKNOWN
from ..rules import Spec, each, rule, writes_unless

_CHECKS = "--check --diff --check-only -c --dry-run"

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
    "pandoc": rule(
        READ,
        local_write="-o --output --extract-media",
        unknown="-F --filter -L --lua-filter --pdf-engine -H --include-in-header -d --defaults",
        valued="-f -t -r -w --from --to -V -M --metadata --variable --template --css -c -T",
    ),
    **each("pdftotext pdftohtml pdfunite pdfseparate pdftoppm ps2pdf gs qpdf", LOCAL_WRITE),
    **each("convert mogrify montage magick", UNKNOWN),
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

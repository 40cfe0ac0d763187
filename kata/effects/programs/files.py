"""Programs that look at files and change them."""

from ..classes import LOCAL_WRITE, READ, UNKNOWN
from ..rules import Spec, each, rule

PROGRAMS: dict[str, Spec] = {
    **each(
        "cat head tail wc ls dir vdir stat du df cut tr comm join paste nl tac rev fold fmt expand unexpand column diff"
        " cmp md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum base64 base32 basenc od hexdump"
        " strings basename dirname realpath readlink pathchk namei pr tsort factor numfmt look zcat bzcat xzcat zstdcat"
        " gzcat lz4cat zgrep zdiff zcmp grep egrep fgrep getfacl lsattr mountpoint findmnt locate",
        rule(READ),
    ),
    **each("rm rmdir unlink mv mkdir touch ln chmod chown chgrp truncate shred mkfifo tee", LOCAL_WRITE),
    "cp": LOCAL_WRITE,
    "sort": rule(
        READ,
        local_write="-o --output",
        unknown="--compress-program",
        valued="-k --key -t --field-separator -S --buffer-size -T --temporary-directory --parallel --batch-size",
    ),
    "tree": rule(READ, local_write="-o -R", valued="-L -P -I -H -T --charset --filelimit --sort --timefmt"),
    "uniq": rule(
        READ, free=1, operands=LOCAL_WRITE, valued="-f -s -w --skip-fields --skip-chars --check-chars"
    ),
    "file": rule(READ, local_write="-C --compile", unknown="-z -Z --uncompress"),
    "xxd": rule(READ, free=1, operands=LOCAL_WRITE, valued="-c -g -l -s -o -n -R", single_dash=True),
    "patch": rule(LOCAL_WRITE),
    "mktemp": LOCAL_WRITE,
    "shuf": rule(READ, local_write="-o --output", valued="-n -i --head-count --input-range --random-source"),
    "less": UNKNOWN,
}

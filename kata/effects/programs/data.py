"""Databases: the statements say what happens."""

import re

import attrs

from ..classes import EXTERNAL, INTERACTIVE, LOCAL_WRITE, NETWORK_READ, READ, UNKNOWN, Classification, Effect
from ..rules import Call, Decide, Option, Spec, each, listed, rule, spells, split
from ..word import Word

_QUIET = re.compile(r"'(?:[^']|'')*'|--(?=\s|$)[^\n]*|/\*.*?\*/", re.DOTALL)
_QUOTED_NAME = re.compile(r"\"[^\"]*\"|`[^`]*`")
_TRICKY = re.compile(r"\\|\$\w*\$|/\*!")
"""Escapes and quotes that some databases read otherwise than others."""

_ASKS = re.compile(
    r"(?:select|explain|values|with|show|describe|desc|table|pragma\s+(?:table_x?info|table_list|index_x?info"
    r"|index_list|foreign_key_list|foreign_key_check|database_list|compile_options|integrity_check|quick_check|user_version|journal_mode"
    r"|page_count|page_size|encoding|foreign_keys)(?:\s*\(\s*\w+\s*\))?\s*$)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:insert|update|delete|replace|create|drop|alter|truncate|attach|detach|vacuum|reindex|analyze|grant|revoke|copy|call|do|execute|merge"
    r"|into|lock|load|handler|rename|optimize|repair|begin|commit|rollback|prepare|listen|notify|refresh|cluster|kill|flush|reset|shutdown)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_PURE = listed(
    "count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg coalesce ifnull nullif lower upper length trim ltrim rtrim substr"
    " substring round abs floor ceil ceiling date time datetime julianday strftime now current_date extract date_trunc to_char age cast"
    " concat concat_ws row_number rank dense_rank lag lead first_value last_value json_extract json_object json_array json_each iif instr like"
    " printf format hex quote typeof random unicode char version current_user current_database database user pg_size_pretty pg_total_relation_size"
    " pg_relation_size pg_database_size in and or not on as from where exists values over when then else select union using filter limit by having"
    " distinct all any some interval between case with partition order join is varchar char numeric decimal"
)
_META = re.compile(r"\s*\\(?:d[\w+]*|l\+?|conninfo|x|timing|encoding|z|sf|sv)(?:\s+[\w.*\"]+)*\s*")
_DOT = re.compile(
    r"\s*\.(?:tables|schema|fullschema|databases|indexes|indices|headers?|mode|width|show|help|version|dump|timeout|nullvalue|stats|timer|dbinfo)\b[^\n;|]*"
)


def reads_only(statements: str) -> bool:
    """Tell whether SQL text only asks, and calls nothing that could do more."""
    if _TRICKY.search(statements):
        return False
    bare = _QUOTED_NAME.sub(" quoted ", _QUIET.sub(" '' ", statements))
    parts = [part.strip() for part in bare.split(";") if part.strip()]
    called = {name.lower() for name in _CALLED.findall(bare)}
    return all(_ASKS.match(part) and not _CHANGES.search(part) for part in parts) and called <= _PURE


def _judge(call: Call, texts: list[Word | None], asks: Effect, changes: Effect) -> Classification:
    """Classify by statements; without any, the program reads them from elsewhere."""
    if not texts:
        return call.verdict(UNKNOWN, INTERACTIVE, INTERACTIVE)
    if any(text is None or text.value is None for text in texts):
        return call.verdict(UNKNOWN, "is given statements that the shell makes up")
    plain = [text.text for text in texts if text is not None]
    if all(_harmless(text) for text in plain):
        return call.verdict(asks)
    odd = any(
        re.match(r"\s*[.\\]", text) or "writefile" in text or "load_extension" in text or "edit(" in text
        for text in plain
    )
    return call.verdict(UNKNOWN if odd else changes)


def _harmless(text: str) -> bool:
    return bool(_META.fullmatch(text) or _DOT.fullmatch(text)) or reads_only(text)


def _sqlite(call: Call) -> Classification:
    given, operands = split(
        call.words,
        listed("-separator -nullvalue -cmd -init -newline -mmap -vfs -lookaside -pagecache"),
        single_dash=True,
    )
    if any(option.name.lstrip("-") in {"init", "cmd", "A", "archive", "interactive"} for option in given):
        return call.verdict(UNKNOWN)
    return _judge(call, list(operands[1:]), READ, LOCAL_WRITE)


def _client(valued: str, command: str, *, files: str, outputs: str = "", asks: str = "") -> Decide:
    """Describe a client of a database server by its options."""
    names = frozenset(valued.split())

    def decide(call: Call) -> Classification:
        given, _ = split(call.words, names)
        if _has(given, files):
            return call.verdict(UNKNOWN, "runs statements from a file, or a program")
        if _has(given, asks):
            return call.verdict(NETWORK_READ)
        verdict = _judge(call, _texts(given, command.split()), NETWORK_READ, EXTERNAL)
        return (
            verdict.raised(EXTERNAL, f"`{call.name}` writes what it gets")
            if _has(given, outputs)
            else verdict
        )

    return decide


def _has(given: list[Option], options: str) -> bool:
    return any(spells(option.name, name) for option in given for name in options.split())


def _texts(given: list[Option], names: list[str]) -> list[Word | None]:
    return [option.value for option in given if option.name in names]


_REDIS_ASKS = listed(
    "get mget keys scan ttl pttl type exists hget hgetall hkeys hvals hlen hmget lrange llen lindex smembers scard sismember zrange zcard zscore"
    " info ping dbsize strlen getrange object time role lastsave randomkey bitcount pfcount xrange xlen xinfo"
)


def _redis(call: Call) -> Classification:
    given, operands = split(call.words, listed("-h -p -s -a -u -n -r -i -d --user --pass"))
    odd = any(option.name not in _REDIS_OPTIONS for option in given)
    if odd or not operands or operands[0].value is None:
        return call.verdict(UNKNOWN)
    verb = operands[0].text.lower()
    if verb in {"eval", "evalsha", "script", "function", "module", "debug", "fcall"}:
        return call.verdict(UNKNOWN)
    return call.verdict(NETWORK_READ if verb in _REDIS_ASKS else EXTERNAL)


_REDIS_OPTIONS = listed(
    "-h -p -s -a -u -n -r -i -d --user --pass --raw --no-raw --csv --json --tls --no-auth-warning -2 -3 -c -e"
)


def _mysql(call: Call) -> Classification:
    """The password stands right behind ``-p``; that word is no cluster of options."""
    words = tuple(word for word in call.words if not word.text.startswith("-p") or word.text.startswith("--"))
    return _MYSQL(attrs.evolve(call, words=words))


_MYSQL: Decide = _client(
    "-h -u -P -D -S -e --host --user --port --database --execute --default-character-set --protocol --socket --defaults-file",
    "-e --execute",
    files="--init-command --pager --tee --defaults-extra-file",
)
PROGRAMS: dict[str, Spec] = {
    **each("sqlite3 sqlite litecli", _sqlite),
    "psql": _client(
        "-h -p -U -d -c -f -v -P -F -R -T -o -L --host --port --username --dbname --command --file --set --output --log-file",
        "-c --command",
        files="-f --file -v --set --variable",
        outputs="-o --output -L --log-file",
        asks="-l --list",
    ),
    **each("mysql mariadb", _mysql),
    "redis-cli": _redis,
    **each(
        "pg_dump pg_dumpall mysqldump",
        rule(
            NETWORK_READ, external="-f --file -r --result-file --tab -T --flush-logs -F --delete-master-logs"
        ),
    ),
    **each("createdb dropdb createuser dropuser pg_restore mysqladmin mongoimport mongorestore", EXTERNAL),
    "pg_isready": NETWORK_READ,
    "duckdb": UNKNOWN,
    **each("mongosh mongo cqlsh influx clickhouse-client", UNKNOWN),
}

"""Fake secrets, built by expression, in every place where secrets turn up; and texts that only look like them.

``planted()`` gives ``(what it is, value, secrets)``: after masking none of the secrets may be left anywhere in the value.
"""

import base64
import json
from urllib.parse import quote

UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ"
LOWER = "abcdefghijkmnopqrstuvwxyz"
DIGITS = "23456789"
HEX = "0123456789abcdef"
BASE62 = UPPER + LOWER + DIGITS


def made(length, alphabet=BASE62, seed=7):
    """A text of mixed letters that is the same in every run."""
    state, letters = seed * 2654435761 + length, []
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        letters.append(alphabet[(state >> 33) % len(alphabet)])
    return "".join(letters)


def shaped():
    """One secret of every kind that has a shape, by kind."""
    return {
        "github_token": "ghp_" + made(36),
        "github_oauth": "gho_" + made(36),
        "github_fine": "github_pat_" + made(22) + "_" + made(59),
        "gitlab_token": "glpat-" + made(20),
        "slack_token": "xoxb-" + made(12, DIGITS) + "-" + made(12, DIGITS) + "-" + made(24),
        "slack_app": "xapp-1-" + made(11, UPPER) + "-" + made(13, DIGITS) + "-" + made(40, HEX),
        "telegram_token": made(10, DIGITS) + ":AA" + made(33),
        "aws_access_key": "AKIA" + made(16, UPPER + DIGITS),
        "google_key": "AIza" + made(35),
        "google_token": "ya29." + made(60),
        "google_secret": "GOCSPX-" + made(28),
        "anthropic_key": "sk-ant-api03-" + made(80),
        "openai_key": "sk-" + made(48),
        "openai_project": "sk-proj-" + made(48),
        "xai_key": "xai-" + made(60),
        "groq_key": "gsk_" + made(52),
        "perplexity_key": "pplx-" + made(48),
        "huggingface_token": "hf_" + made(34),
        "replicate_token": "r8_" + made(37),
        "stripe_key": "sk_" + "live_" + made(24),
        "stripe_webhook": "whsec_" + made(32),
        "square_token": "sq0atp-" + made(22),
        "shopify_token": "shpat_" + made(32, HEX),
        "sendgrid_key": "SG." + made(22) + "." + made(43),
        "mailgun_key": "key-" + made(32, HEX),
        "mailchimp_key": made(32, HEX) + "-us12",
        "twilio_key": "SK" + made(32, HEX),
        "npm_token": "npm_" + made(36),
        "pypi_token": "pypi-AgEIcHlwaS5vcmc" + made(100),
        "rubygems_key": "rubygems_" + made(48, HEX),
        "docker_token": "dckr_pat_" + made(27),
        "digitalocean_token": "dop_v1_" + made(64, HEX),
        "databricks_token": "dapi" + made(32, HEX),
        "vault_token": "hvs." + made(90),
        "terraform_token": made(14) + ".atlasv1." + made(60),
        "grafana_token": "glsa_" + made(32) + "_" + made(8, HEX),
        "newrelic_key": "NRAK-" + made(27, UPPER),
        "sentry_token": "sntrys_" + made(60),
        "linear_key": "lin_api_" + made(40),
        "notion_token": "ntn_" + made(46),
        "figma_token": "figd_" + made(40),
        "postman_key": "PMAK-" + made(24, HEX) + "-" + made(34, HEX),
        "tailscale_key": "tskey-auth-" + made(12) + "-" + made(32),
        "age_key": "AGE-SECRET-KEY-1" + made(58, UPPER),
        "azure_secret": "abc8Q~" + made(34),
        "jwt": "eyJ" + made(33) + ".eyJ" + made(60) + "." + made(43),
        "password_hash": "$2b$12$" + made(53),
    }


def private_key(kind="RSA ", lines=6):
    """A private key as real lines."""
    body = [made(64, BASE62 + "+/", seed) for seed in range(lines)]
    return "\n".join([f"-----BEGIN {kind}PRIVATE KEY-----", *body, f"-----END {kind}PRIVATE KEY-----"]), body


PLAIN = made(20)
"""A secret without a shape of its own."""

ODD = "p@ss:" + made(10)


def planted():
    """Every planted secret with its place."""
    yield from _in_every_shape()
    yield from _under_keys()
    yield from _in_text()
    yield from _in_commands()
    yield from _in_addresses()
    yield from _in_headers()
    yield from _private_keys()
    yield from _encoded()
    yield from _written()


def _written():
    word = "Tr0ub4dor-" + made(9, seed=31)
    yield "xml element", f"<server><password>{word}</password></server>", [word]
    yield "xml element with attributes", f'<ns:dbPassword kind="x">{word}</ns:dbPassword>', [word]
    yield "form field", f'<input type="password" name="p" value="{word}">', [word]
    yield "netrc on one line", f"machine git.test login ana password {word}", [word]
    yield "netrc on three lines", f"machine git.test\n  login ana\n  password {word}\n", [word]
    yield "macro", f'#define API_KEY "{word}"', [word]
    yield "yaml block", f"db_password: |-\n  {word}\nhost: db.test\n", [word]
    yield "yaml block of another indent", f"password: >+2 # of ana\r\n  {word}\r\nhost: h\r\n", [word]
    yield (
        "yaml block of two lines",
        f"a:\n  secret: |\n    {word}\n    {word[::-1]}\n  b: 1\n",
        [word, word[::-1]],
    )
    yield "yaml block of words", f"passphrase: |\n  correct horse {word}\n", [f"correct horse {word}"]
    yield "yaml below", f"db:\n  password:\n    {word}0\n  port: 1\n", [word + "0"]
    yield "quoted yaml below", f"password:\n  '{word}0'\n", [word + "0"]
    yield "an answer to a prompt", f"Password:\n{ODD}9\nWelcome", [ODD + "9"]
    yield "an answer to a prompt for somebody", f"Enter password for ana@h.test:\r\n{ODD}9\r\n", [ODD + "9"]
    for name in ("auth=", "auth = ", "auth=HTTPBasicAuth", "auth=httpx.DigestAuth", "HttpNtlmAuth"):
        yield f"a pair behind {name}", f'requests.get(url, {name}("ana", "{word}"), timeout=3)', [word]
        yield f"a pair in lines behind {name}", f"get(\n  {name}(\n    user.name,\n    '{word}'\n  ))", [word]
    yield "pgpass", f"# mine\ndb.test:5432:app:ana:{word}\n*:*:*:bo:{word[::-1]}\n", [word, word[::-1]]
    yield "pgpass of an odd port", f"cat ~/.pgpass\nlocalhost:6432:*:ana:a\\:{word}", [word]
    yield "object of passwords", {"passwords": {"ana": word, "bo": word + "2"}}, [word]
    yield "value of credentials", {"credentials": {"user": "ana", "value": word}}, [word]


def _in_every_shape():
    for kind, secret in shaped().items():
        yield f"{kind} alone", {"output": secret}, [secret]
        yield f"{kind} in a sentence", f"Use {secret} for the call, then go on.", [secret]
    token = shaped()["github_token"]
    yield "a token as a key", {token: 1}, [token]
    yield (
        "a token behind a newline escape",
        {"output": "first\\n" + shaped()["openai_key"] + "\\nlast"},
        [shaped()["openai_key"]],
    )
    yield (
        "a token behind a colour",
        {"output": "\x1b[32m" + shaped()["openai_key"] + "\x1b[0m"},
        [shaped()["openai_key"]],
    )
    yield "a token behind half an emoji", "caf\udce9 \ud83d" + token + " ok", [token]
    yield "a token in a list in a list", [[["a", token]]], [token]


def _under_keys():
    names = (
        "password", "Password", "db_password", "dbPassword", "PGPASSWORD", "passwd", "passphrase", "pwd", "secret", "client_secret", "clientSecret",
        "api_key", "apiKey", "apikey", "x-api-key", "API_KEY", "access_key", "secret_access_key", "secretAccessKey", "private_key", "token",
        "access_token", "refreshToken", "id_token", "auth_token", "bot_token", "sessionToken", "csrf_token", "authorization", "Authorization",
        "signing_key", "encryption_key", "webhook_secret", "app_secret", "credentials", "account_key", "SharedAccessKey",
    )  # fmt: skip
    for name in names:
        yield f"under {name}", {"config": {name: PLAIN}}, [PLAIN]
        yield f"under {name} in JSON text", {"output": json.dumps({"a": {name: PLAIN}, "b": 1})}, [PLAIN]
    yield "a short password", {"password": "hunter2"}, ["hunter2"]
    yield (
        "a password of words",
        {"password": "correct horse battery staple"},
        ["correct horse battery staple"],
    )
    yield "a number as a password", {"password": 48151623}, ["48151623"]
    yield "a list of passwords", {"passwords": [PLAIN, PLAIN[::-1]]}, [PLAIN, PLAIN[::-1]]
    yield "a name beside", {"env": [{"name": "DB_PASSWORD", "value": PLAIN}]}, [PLAIN]
    yield "a header beside", {"headers": [{"name": "Authorization", "value": "Bearer " + PLAIN}]}, [PLAIN]
    yield "headers with lists", {"headers": {"Authorization": ["Bearer x1", "Bearer y2"]}}, ["x1", "y2"]
    yield "a private JWK", {"kty": "RSA", "n": "abc", "d": made(80)}, [made(80)]
    yield "once named, once bare", {"args": {"password": PLAIN}, "result": f"logged in with {PLAIN}"}, [PLAIN]


def _in_text():
    yield "an environment file", f"DEBUG=1\nSECRET_KEY={PLAIN}\nPORT=80\n", [PLAIN]
    yield "an export", f"export DB_PASSWORD='{PLAIN}'", [PLAIN]
    yield "an odd password in an environment file", f"DB_PASSWORD={ODD}(x)!\nA=1", [ODD]
    yield "yaml", f"db:\n  user: app\n  password: {PLAIN}\n  port: 5432\n", [PLAIN]
    yield "quoted yaml", f'api_key: "{PLAIN}"', [PLAIN]
    yield "toml", f'[x]\ntoken = "{PLAIN}"', [PLAIN]
    yield "ini", f"[default]\naws_secret_access_key = {made(40, BASE62 + '+/')}\n", [made(40, BASE62 + "+/")]
    yield "python", f'client = Client(api_key="{PLAIN}", retries=3)', [PLAIN]
    yield "annotated python", f'def f(password: str = "{PLAIN}") -> None: ...', [PLAIN]
    yield "a python dict", f"{{'user': 'a', 'password': '{PLAIN}'}}", [PLAIN]
    yield "javascript", f"const cfg = {{ apiKey: '{PLAIN}', region: 'eu' }}", [PLAIN]
    yield "go", f'secret := "{PLAIN}"', [PLAIN]
    yield "ruby", f"password => '{PLAIN}'", [PLAIN]
    yield "a connection string", f"Server=db;Database=x;User Id=sa;Password={PLAIN};Encrypt=true", [PLAIN]
    yield (
        "an Azure connection string",
        f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={made(86)}==;",
        [made(86)],
    )
    yield "escaped JSON in JSON", {"output": json.dumps(json.dumps({"token": PLAIN}))}, [PLAIN]
    yield "twice escaped JSON", json.dumps(json.dumps(json.dumps({"password": PLAIN}))), [PLAIN]
    yield "a numbered line", f"     7|DB_PASSWORD={PLAIN}", [PLAIN]
    yield "a log line", f"2026-01-02 INFO login user=ana password={PLAIN} ip=1.2.3.4", [PLAIN]
    yield "npmrc", f"//registry.npmjs.org/:_authToken={PLAIN}", [PLAIN]
    yield "netrc-like", f"machine h login ana password: {PLAIN}", [PLAIN]
    yield (
        "an access key pair",
        f"aws_access_key_id={'AKIA' + made(16, UPPER)} aws_secret_access_key={made(40)}",
        ["AKIA" + made(16, UPPER), made(40)],
    )


def _in_commands():
    yield "curl -u", f"curl -u ana:{PLAIN} https://h.test/x", [PLAIN]
    yield "curl -u quoted", f"curl -su 'ana:{PLAIN}' https://h.test/x", [PLAIN]
    yield "curl --user=", f"curl --user=ana:{PLAIN} https://h.test/x", [PLAIN]
    yield "curl header", f'curl -H "X-Api-Key: {PLAIN}" https://h.test', [PLAIN]
    yield "curl bearer", f"curl -H 'Authorization: Bearer {PLAIN}' https://h.test", [PLAIN]
    yield "curl form", f"curl -d 'user=ana&password={PLAIN}' https://h.test", [PLAIN]
    yield "curl JSON", f'curl -d \'{{"password": "{PLAIN}"}}\' https://h.test', [PLAIN]
    yield "mysql -p", f"mysql -u root -p{PLAIN} db", [PLAIN]
    yield "mysqldump -p", f"mysqldump -p'{PLAIN}' db > f.sql", [PLAIN]
    yield "mysql --password", f"mysql --password={PLAIN} db", [PLAIN]
    yield "docker login", f"docker login -u me -p {PLAIN} reg.test", [PLAIN]
    yield "docker login by pipe", f"echo {PLAIN} | docker login -u me --password-stdin", [PLAIN]
    yield "sshpass", f"sshpass -p {PLAIN} ssh h", [PLAIN]
    yield "sshpass attached", f"sshpass -p{PLAIN} ssh h", [PLAIN]
    yield "gh auth", f"gh auth login --with-token <<< {PLAIN}", [PLAIN]
    yield "gh auth by pipe", f"echo '{PLAIN}' | gh auth login --with-token", [PLAIN]
    yield "aws variables", f"AWS_SECRET_ACCESS_KEY={PLAIN} aws s3 ls", [PLAIN]
    yield "aws configure", f"aws configure set aws_secret_access_key {PLAIN}", [PLAIN]
    yield "sudo -S", f"echo {PLAIN} | sudo -S ls", [PLAIN]
    yield "redis-cli -a", f"redis-cli -h h -a {PLAIN} ping", [PLAIN]
    yield "mongosh -p", f"mongosh -u a -p {PLAIN} db", [PLAIN]
    yield "zip -P", f"zip -P {PLAIN} a.zip f", [PLAIN]
    yield "7z -p", f"7z a -p{PLAIN} a.7z f", [PLAIN]
    yield "openssl pass", f"openssl rsa -in k -passin pass:{PLAIN}", [PLAIN]
    yield "smbclient", f"smbclient //h/s -U ana%{PLAIN}", [PLAIN]
    yield "ldapsearch", f"ldapsearch -D cn=a -w {PLAIN} -b x", [PLAIN]
    yield "htpasswd", f"htpasswd -bc f ana {PLAIN}", [PLAIN]
    yield "vault login", f"vault login {PLAIN}", [PLAIN]
    yield "kubectl secret", f"kubectl create secret generic x --from-literal=pw={PLAIN}", [PLAIN]
    yield "a long option", f"tool --password {PLAIN} --verbose", [PLAIN]
    yield "a long option over two lines", f"tool --password \\\n    {PLAIN} \\\n    --verbose", [PLAIN]
    yield "a quoted long option over two lines", f"tool --token \\\r\n '{PLAIN}'", [PLAIN]
    yield "curl over lines", f"curl -X POST \\\n  -u ana:{PLAIN} \\\n  https://h.test/x", [PLAIN]
    yield "curl with the user on a line of its own", f"curl \\\n -u \\\n ana:{PLAIN} https://h.test", [PLAIN]
    yield "docker login over lines", f"docker login -u me \\\n  -p \\\n  {PLAIN} reg.test", [PLAIN]
    yield "mysql over lines", f"mysql -u root \\\n  -p{PLAIN} db", [PLAIN]
    yield "a long option with =", f"tool --api-key={PLAIN} run", [PLAIN]
    yield "a quoted long option", f"tool --token '{PLAIN}' run", [PLAIN]
    yield "a client secret option", f"az login --service-principal -u x --client-secret {PLAIN}", [PLAIN]
    yield "gpg passphrase", f"gpg --batch --passphrase {PLAIN} -d f", [PLAIN]
    yield "words of a command", {"command": ["tool", "--password", PLAIN, "x"]}, [PLAIN]
    yield "words of curl", {"command": ["curl", "-u", f"ana:{PLAIN}", "https://h.test"]}, [PLAIN]
    yield "words with a header", {"argv": ["curl", "-H", f"Authorization: Bearer {PLAIN}"]}, [PLAIN]
    yield "powershell", f"$env:API_TOKEN = '{PLAIN}'", [PLAIN]
    yield "npm config", f"npm config set //registry.npmjs.org/:_authToken {PLAIN}", [PLAIN]
    yield "httpie", f"http -a ana:{PLAIN} h.test", [PLAIN]


def _in_addresses():
    yield "a bare token", f"https://{'TOK' + made(8, DIGITS)}@git.test/r.git", ["TOK" + made(8, DIGITS)]
    yield "an odd password", f"postgres://u:{ODD}@db:5432/x", [ODD]
    yield "a fragment", f"https://h.test/cb#access_token={PLAIN}", [PLAIN]
    yield "semicolons", f"https://h.test/v1?state=a;api_key={PLAIN}", [PLAIN]
    yield (
        "a presigned address",
        f"https://b.test/k?X-Amz-Expires=60&X-Amz-Signature={made(64, HEX)}",
        [made(64, HEX)],
    )
    yield (
        "a shared access signature",
        f"https://x.blob.test/c?sv=2024&sig={quote(made(43) + '=')}",
        [made(43)],
    )
    yield "a query key", f"https://maps.test/api?q=x&key={made(32)}", [made(32)]
    yield "redis without a user", f"redis://:{PLAIN}@cache:6379/0", [PLAIN]
    yield "mongodb+srv", f"mongodb+srv://app:{PLAIN}@c0.test/db", [PLAIN]
    yield "amqp", f"amqps://app:{PLAIN}@mq.test:5671", [PLAIN]
    yield "git with a token as user", f"git clone https://x-access-token:{PLAIN}@github.test/o/r", [PLAIN]
    yield (
        "a token before x-oauth-basic",
        f"https://{made(40, HEX)}:x-oauth-basic@github.test/o/r",
        [made(40, HEX)],
    )
    yield "a slash in the password", f"postgres://u:pa/{made(12)}@db/x", [made(12)]
    yield (
        "a Slack webhook",
        "https://hooks.slack.com/services/T" + made(8, UPPER) + "/B" + made(8, UPPER) + "/" + made(24),
        [made(24)],
    )
    yield (
        "a Discord webhook",
        "https://discord.test/api/webhooks/" + made(18, DIGITS) + "/" + made(68),
        [made(68)],
    )
    yield (
        "a Telegram address",
        f"https://api.telegram.test/bot{shaped()['telegram_token']}/getMe",
        [shaped()["telegram_token"]],
    )
    yield "an address in JSON", {"clone_url": f"https://u:{PLAIN}@h.test/r"}, [PLAIN]


def _in_headers():
    yield "bearer in a field", {"h": "Bearer " + PLAIN}, [PLAIN]
    yield (
        "basic in a field",
        {"h": "Basic " + base64.b64encode(f"ana:{PLAIN}".encode()).decode()},
        [base64.b64encode(f"ana:{PLAIN}".encode()).decode()],
    )
    yield (
        "raw headers",
        f"GET / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {PLAIN}\r\nAccept: */*\r\n",
        [PLAIN],
    )
    yield "token scheme", f"Authorization: token {PLAIN}", [PLAIN]
    yield (
        "proxy",
        f"Proxy-Authorization: Basic {base64.b64encode(b'a:' + PLAIN.encode()).decode()}",
        [base64.b64encode(b"a:" + PLAIN.encode()).decode()],
    )
    yield "x-auth-token", f"X-Auth-Token: {PLAIN}", [PLAIN]
    yield "a cookie field", {"Cookie": f"lang=en; session={PLAIN}"}, [PLAIN]
    yield "a set-cookie field", {"Set-Cookie": f"sid={PLAIN}; Path=/; HttpOnly"}, [PLAIN]
    yield (
        "aws signature",
        f"Authorization: AWS4-HMAC-SHA256 Credential=AKIA{made(16, UPPER)}/x, SignedHeaders=host, Signature={made(64, HEX)}",
        [made(64, HEX)],
    )


def _private_keys():
    for kind in ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "):
        key, body = private_key(kind)
        yield f"a {kind}key as lines", {"content": key + "\n"}, body
    key, body = private_key()
    yield "a key with escapes", {"content": key.replace("\n", "\\n")}, body
    yield "a key with double escapes", {"content": key.replace("\n", "\\\\n")}, body
    yield "a key on one line", key.replace("\n", ""), body
    yield "a key with blanks", key.replace("\n", " "), body
    yield "a key without its end", {"content": "\n".join(key.split("\n")[:-2])}, body[:-1]
    yield "a key without its beginning", {"content": "\n".join(key.split("\n")[2:])}, body[1:]
    yield (
        "a key with line numbers",
        "\n".join(f"{number:6}|{line}" for number, line in enumerate(key.split("\n"), 1)),
        body,
    )
    yield (
        "a key in a service account",
        {"output": json.dumps({"type": "service_account", "private_key": key + "\n", "x": 1})},
        body,
    )
    yield "a key in a here-document", f"cat > k.pem <<'E'\n{key}\nE\nchmod 600 k.pem", body
    yield "a key as a list of lines", {"lines": key.split("\n")}, body
    yield "a key indented", "\n".join("    " + line for line in key.split("\n")), body
    yield "a key in CRLF", key.replace("\n", "\r\n"), body
    yield "a key as Python text", repr(key), body
    yield (
        "a key in two fields",
        {"a": "\n".join(key.split("\n")[:4]), "b": "\n".join(key.split("\n")[4:])},
        body,
    )
    block = (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n"
        + made(64)
        + "\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----"
    )
    yield "a PGP key", block, [made(64)]


def _encoded():
    token = shaped()["github_token"]
    odd = made(39, BASE62 + "+/") + "/"
    yield (
        "percent signs",
        f"next=https%3A%2F%2Fh.test%2F%3Ft%3D{quote(token, safe='').replace('_', '%5F')}",
        [token, token.replace("_", "%5F")],
    )
    yield (
        "a percent-encoded value",
        f"https://h.test/?secret_key={quote(odd, safe='')}",
        [odd, quote(odd, safe="")],
    )
    yield "a percent-encoded address", "u=" + quote(f"https://u:{PLAIN}@h.test/r", safe=""), [PLAIN]
    yield (
        "base64",
        {"data": base64.b64encode(f"token: {token}".encode()).decode()},
        [base64.b64encode(f"token: {token}".encode()).decode()],
    )
    yield (
        "base64url",
        base64.urlsafe_b64encode(f"??>>{token}".encode()).decode().rstrip("="),
        [base64.urlsafe_b64encode(f"??>>{token}".encode()).decode().rstrip("=")],
    )
    config = base64.encodebytes(json.dumps({"pad": "x" * 60, "password": PLAIN}).encode()).decode()
    yield "folded base64", {"content": config}, [line for line in config.split("\n") if line]
    yield (
        "base64 of a pair",
        {"auth": base64.b64encode(f"me:{PLAIN}".encode()).decode()},
        [base64.b64encode(f"me:{PLAIN}".encode()).decode()],
    )
    yield (
        "unicode escapes",
        {"output": '{"t": "' + token.replace("_", "\\u005f") + '"}'},
        [token.replace("_", "\\u005f")],
    )
    yield (
        "escaped slashes",
        {"output": json.dumps({"secret_key": odd}).replace("/", "\\/")},
        [odd, odd.replace("/", "\\/")],
    )
    yield "an escaped ampersand", {"output": f"https://h.test/?a=b\\u0026token={PLAIN}"}, [PLAIN]

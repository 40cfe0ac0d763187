"""Secrets that are known by their shape alone: a fixed beginning and what follows it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .holding import holding
from .lazily import compiled
from .values import Span


class Shape(NamedTuple):
    """One kind of secret.

    Attributes:
        kind: The word in its mark.
        needle: A text that stands in every one of them: the cheap test.
        source: Of the pattern; begins with the needle, and its group 1, if it has one, is the secret.
    """

    kind: str
    needle: str
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern itself."""
        return compiled(self.source)


def _shapes(kind: str, needles: str, body: str, *, alone: bool = False) -> Iterator[Shape]:
    """Write shapes; ``alone`` ones do not go on from a word before (an escape or the end of a colour is no word).

    Patterns begin with the needle's letters, so the search for them runs in C; what stands before is looked at behind it.
    """
    for needle in needles.split():
        text = re.escape(needle)
        fresh = rf"(?:(?<![A-Za-z0-9_]{text})|(?<=\\[nrt]{text})|(?<=\dm{text}))" if alone else ""
        yield Shape(kind, needle, text + fresh + body)


_WORDY = r"(?=[\w-]{0,24}?(?:[0-9A-Z]|[a-z]{20}))"
"""Not a name of small words joined by dashes."""

SHAPES: tuple[Shape, ...] = (
    *_shapes("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{16,255}+"),
    *_shapes("github_token", "github_pat_", r"[A-Za-z0-9_]{20,255}+"),
    *_shapes(
        "gitlab_token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- glwt- GR1348941",
        r"[\w.-]{16,255}+",
    ),
    *_shapes("slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxe. xapp-", r"[\w.-]{10,255}+"),
    *_shapes("slack_webhook", "hooks.slack.com/services/", r"(T\w{6,20}+/B\w{6,20}+/\w{16,40}+)"),
    *_shapes("discord_webhook", "/api/webhooks/", r"\d{10,24}+/([\w-]{40,100}+)"),
    *_shapes("telegram_token", ":AA", r"(?<=\d{8}:AA)[\w-]{33}(?![\w-])"),
    *_shapes("aws_access_key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", alone=True),
    *_shapes("google_key", "AIza", r"[\w-]{30,64}+"),
    *_shapes("google_token", "ya29.", r"[\w-]{20,2048}+"),
    *_shapes("google_token", "1//0", r"[\w-]{30,512}+", alone=True),
    *_shapes("google_secret", "GOCSPX-", r"[\w-]{20,64}+"),
    *_shapes("anthropic_key", "sk-ant-", r"(?<!-sk-ant-)[\w-]{16,255}+", alone=True),
    *_shapes("openai_key", "sk-", r"(?<!-sk-)" + _WORDY + r"(?:\.?[\w-]){20,255}+", alone=True),
    *_shapes("xai_key", "xai-", r"[A-Za-z0-9]{30,255}+", alone=True),
    *_shapes("groq_key", "gsk_", r"[A-Za-z0-9]{20,255}+", alone=True),
    *_shapes("perplexity_key", "pplx-", r"[A-Za-z0-9]{20,255}+", alone=True),
    *_shapes("nvidia_key", "nvapi-", r"[\w-]{30,255}+", alone=True),
    *_shapes("tavily_key", "tvly-", r"[\w-]{16,255}+", alone=True),
    *_shapes("firecrawl_key", "fc-", r"[0-9a-f]{32}(?![0-9a-zA-Z])", alone=True),
    *_shapes("huggingface_token", "hf_", r"[A-Za-z0-9]{20,64}+", alone=True),
    *_shapes("replicate_token", "r8_", r"[A-Za-z0-9]{20,64}+", alone=True),
    *_shapes("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{10,255}+"),
    *_shapes("stripe_webhook", "whsec_", r"[\w+/=-]{20,255}+"),
    *_shapes("elevenlabs_key", "sk_", r"[0-9a-f]{40,64}+(?![\w-])", alone=True),
    *_shapes("square_token", "sq0atp- sq0csp-", r"[\w-]{20,64}+"),
    *_shapes("shopify_token", "shpat_ shpss_ shpca_ shppa_", r"[0-9a-fA-F]{24,64}+"),
    *_shapes("sendgrid_key", "SG.", r"[\w-]{16,64}\.[\w-]{16,64}+", alone=True),
    *_shapes("mailgun_key", "key-", r"[0-9a-f]{32}(?![0-9a-zA-Z])", alone=True),
    *_shapes("mailchimp_key", "-us", r"(?<=[0-9a-f]{32}-us)\d{1,2}(?!\w)"),
    *_shapes("brevo_key", "xkeysib-", r"[0-9a-f]{40,80}+-?\w{0,20}+"),
    *_shapes("twilio_key", "SK", r"[0-9a-f]{32}(?![0-9a-zA-Z])", alone=True),
    *_shapes("npm_token", "npm_", r"[A-Za-z0-9]{30,64}+"),
    *_shapes("pypi_token", "pypi-Ag", r"[\w-]{30,1024}+"),
    *_shapes("rubygems_key", "rubygems_", r"[0-9a-f]{40,64}+"),
    *_shapes("docker_token", "dckr_pat_ dckr_oat_", r"[\w-]{20,64}+"),
    *_shapes("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{40,80}+"),
    *_shapes("heroku_key", "HRKU-", r"[\w-]{30,80}+"),
    *_shapes("fly_token", "fm1_ fm2_ fo1_", r"[\w+/=-]{40,2048}+", alone=True),
    *_shapes("vercel_token", "vcp_ vck_ vca_", r"[A-Za-z0-9]{40,80}+", alone=True),
    *_shapes("netlify_token", "nfp_", r"[A-Za-z0-9]{30,64}+", alone=True),
    *_shapes("supabase_key", "sbp_ sb_secret_", r"[\w-]{20,80}+", alone=True),
    *_shapes("planetscale_token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.-]{20,80}+"),
    *_shapes("databricks_token", "dapi", r"[0-9a-f]{32}(?:-\d)?(?![0-9a-zA-Z])", alone=True),
    *_shapes("vault_token", "hvs. hvb. hvr.", r"[\w-]{24,512}+", alone=True),
    *_shapes("terraform_token", ".atlasv1.", r"(?<=\w{14}\.atlasv1\.)[\w-]{40,128}+"),
    *_shapes("pulumi_token", "pul-", r"[0-9a-f]{40}(?![0-9a-zA-Z])", alone=True),
    *_shapes("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[\w.]{30,80}+", alone=True),
    *_shapes("grafana_token", "glsa_ glc_", r"[\w+/=]{24,255}+", alone=True),
    *_shapes("newrelic_key", "NRAK-", r"[A-Z0-9]{20,40}+"),
    *_shapes("sentry_token", "sntrys_ sntryu_", r"[\w+/=-]{40,512}+"),
    *_shapes("atlassian_token", "ATATT3x ATCTT3x", r"[\w=-]{30,512}+"),
    *_shapes("linear_key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{30,80}+"),
    *_shapes("notion_token", "ntn_", r"[A-Za-z0-9]{30,80}+", alone=True),
    *_shapes("notion_token", "secret_", r"[A-Za-z0-9]{43}(?![0-9a-zA-Z])", alone=True),
    *_shapes("airtable_token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![0-9a-zA-Z])", alone=True),
    *_shapes("figma_token", "figd_", r"[\w-]{30,80}+"),
    *_shapes("postman_key", "PMAK-", r"[0-9a-f]{20,40}-[0-9a-f]{20,60}+"),
    *_shapes("tailscale_key", "tskey-", r"[\w-]{16,120}+"),
    *_shapes("onepassword_token", "ops_eyJ", r"[\w=-]{60,4096}+"),
    *_shapes("age_key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{40,80}+"),
    *_shapes("facebook_token", "EAAC EAAB EAAG", r"[A-Za-z0-9]{40,400}+", alone=True),
    *_shapes("alibaba_key", "LTAI", r"[A-Za-z0-9]{12,26}+(?![\w-])", alone=True),
    *_shapes("azure_secret", "8Q~", r"(?<=[\w~.-]{3}8Q~)[\w.~-]{28,40}+"),
    *_shapes("matrix_token", "syt_", r"[A-Za-z0-9]{4,80}+_\w{10,80}+", alone=True),
    *_shapes("fernet_token", "gAAAAA", r"[\w-]{60,8192}+={0,2}", alone=True),
    *_shapes("password_hash", "$2a$ $2b$ $2y$", r"\d\d\$[./A-Za-z0-9]{53}"),
    *_shapes("password_hash", "$5$ $6$ $y$ $apr1$", r"(?:[\w=.,/]{1,64}+\$){1,3}[./A-Za-z0-9]{20,90}+"),
    *_shapes("password_hash", "$argon2", r"(?:i|d|id)\$[\w=,.$+/]{20,200}+"),
    *_shapes("jwt", "eyJ", r"[\w-]{8,4096}+\.[\w-]{8,16384}+(?:\.[\w-]{0,4096}+){1,3}", alone=True),
)

_LONGEST = 40_000
"""No shape is longer than so many characters."""

_HEAD = 64
"""The fixed part of a shape stands among so many first characters of it."""

_BEFORE = {
    "telegram_token": re.compile(r"(?<!\d)\d{8,12}\Z"),
    "mailchimp_key": re.compile(r"(?<![0-9a-zA-Z])[0-9a-f]{32}\Z"),
    "terraform_token": re.compile(r"(?<!\w)\w{14}\Z"),
    "azure_secret": re.compile(r"(?<![\w~.-])[\w~.-]{3}\Z"),
}
"""What stands before the needle in kinds whose fixed part is in the middle: matched against the 40 characters there."""


_ENDS = "_-."
_BY_END = tuple(
    (end, tuple((shape.needle[-3:-1], shape) for shape in SHAPES if shape.needle[-1] == end)) for end in _ENDS
)
"""Most needles end in one of three signs: then the two letters before it are looked for first."""

_OTHERS = tuple(shape for shape in SHAPES if shape.needle[-1] not in _ENDS)
_ORDER = {shape: place for place, shape in enumerate(SHAPES)}
_DENSE = 8
"""A text with a sign among so few characters is not parted at it."""


def present(text: str) -> tuple[Shape, ...]:
    """Return the shapes whose needle stands in a text."""
    holds = holding(text)
    found = [shape for shape in _OTHERS if holds(shape.needle)]
    for end, shapes in _BY_END:
        count = text.count(end)
        if count * _DENSE > len(text):
            found += [shape for _, shape in shapes if holds(shape.needle)]
        elif count:
            before = {piece[-2:] for piece in text.split(end)}
            found += [shape for two, shape in shapes if two in before and holds(shape.needle)]
    return tuple(sorted(found, key=_ORDER.__getitem__))


def find_shapes(text: str, shapes: Iterable[Shape]) -> Iterator[Span]:
    """Find what has one of these shapes."""
    for shape in shapes:
        for match in shape.pattern.finditer(text):
            start = _start(text, match.start(), shape.kind)
            if start is not None:
                yield (
                    Span(match.start(1), match.end(1), shape.kind)
                    if match.lastindex
                    else Span(start, match.end(), shape.kind)
                )


def _start(text: str, position: int, kind: str) -> int | None:
    """Return where the secret begins; None where what must stand before the needle does not."""
    before = _BEFORE.get(kind)
    if before is None:
        return position
    match = before.search(text, max(0, position - 40), position)
    return match.start() if match else None


_MIDDLE = tuple(shape for shape in SHAPES if shape.kind in _BEFORE)
_BY_BEGINNING: dict[str, list[Shape]] = {}
for _shape in SHAPES:
    _BY_BEGINNING.setdefault(_shape.needle[:2], []).append(_shape)


def kind_of(secret: str) -> str:
    """Name a secret by its own shape, so that it has one mark wherever it stands; ``credential`` if it has none."""
    if len(secret) > _LONGEST:
        return "credential"
    shapes: list[Shape] = [*_BY_BEGINNING.get(secret[:2], ()), *_MIDDLE]
    for shape in shapes:
        if shape.needle in secret[:_HEAD]:
            span = next(find_shapes(secret, (shape,)), None)
            if span is not None and (span.start, span.end) == (0, len(secret)):
                return shape.kind
    return "credential"

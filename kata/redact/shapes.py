"""Secrets that are known by their shape alone: a fixed beginning and what follows it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .values import Span


class Shape(NamedTuple):
    """One kind of secret.

    Attributes:
        kind: The word in its mark.
        needle: A text that stands in every one of them: the cheap test.
        pattern: Matched where the needle begins.
        alone: Whether a letter or digit right before the needle means that this is something else.
    """

    kind: str
    needle: str
    pattern: re.Pattern[str]
    alone: bool = False


def _shapes(kind: str, needles: str, body: str, *, alone: bool = False) -> Iterator[Shape]:
    for needle in needles.split():
        yield Shape(kind, needle, re.compile(re.escape(needle) + body), alone)


SHAPES: tuple[Shape, ...] = (
    *_shapes("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{16,255}"),
    *_shapes("github_token", "github_pat_", r"[A-Za-z0-9_]{20,255}"),
    *_shapes(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas-",
        r"[\w.-]{16,255}",
    ),
    *_shapes("slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xapp-", r"[\w.-]{10,255}"),
    *_shapes("aws_access_key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", alone=True),
    *_shapes("google_key", "AIza", r"[\w-]{30,64}"),
    *_shapes("google_token", "ya29.", r"[\w-]{20,2048}"),
    *_shapes("google_secret", "GOCSPX-", r"[\w-]{20,64}"),
    *_shapes("anthropic_key", "sk-ant-", r"[\w-]{16,255}", alone=True),
    *_shapes("openai_key", "sk-", r"(?=[\w-]*?(?:[0-9A-Z]|[a-z]{20}))[\w-]{20,255}", alone=True),
    *_shapes("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{10,255}"),
    *_shapes("stripe_webhook", "whsec_", r"[\w+/=-]{20,255}"),
    *_shapes("sendgrid_key", "SG.", r"[\w-]{16,64}\.[\w-]{16,64}", alone=True),
    *_shapes("npm_token", "npm_", r"[A-Za-z0-9]{30,64}"),
    *_shapes("pypi_token", "pypi-Ag", r"[\w-]{30,1024}"),
    *_shapes("huggingface_token", "hf_", r"[A-Za-z0-9]{20,64}", alone=True),
    *_shapes("jwt", "eyJ", r"[\w-]{8,4096}\.[\w-]{8,16384}(?:\.[\w-]{0,4096}){1,3}", alone=True),
)


def present(text: str, shapes: Iterable[Shape] = SHAPES) -> tuple[Shape, ...]:
    """Return the shapes whose needle stands in a text."""
    return tuple(shape for shape in shapes if shape.needle in text)


def find_shapes(text: str, shapes: Iterable[Shape]) -> Iterator[Span]:
    """Find what has one of these shapes."""
    for shape in shapes:
        yield from _find(text, shape)


def _find(text: str, shape: Shape) -> Iterator[Span]:
    position = text.find(shape.needle)
    while position >= 0:
        match = None
        if not (shape.alone and position and (text[position - 1].isalnum() or text[position - 1] == "_")):
            match = shape.pattern.match(text, position)
        if match is not None:
            yield Span(position, match.end(), shape.kind)
        position = text.find(shape.needle, match.end() if match else position + len(shape.needle))


def kind_of(secret: str) -> str:
    """Name a secret by its own shape, so that it has one mark wherever it stands; ``credential`` if it has none."""
    for shape in SHAPES:
        if secret.startswith(shape.needle) and shape.pattern.fullmatch(secret):
            return shape.kind
    return "credential"

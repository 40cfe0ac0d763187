"""Programs that run other programs."""

from ..classes import READ
from ..rules import Spec, each

PROGRAMS: dict[str, Spec] = {
    **each("echo printf true false : test [ pwd cd sleep exit export wait", READ),
}

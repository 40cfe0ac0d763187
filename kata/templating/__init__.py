"""How the arguments of a routine vary: inference, rendering and matching, as pure functions over values (design 6)."""

from .calls import Call
from .commentary import ignored_keys
from .errors import MissingValueError, RefusedValueError, TemplateError
from .generalise import Template, generalise
from .matching import match
from .render import Scope, render, render_step
from .rewire import read_source, rewire
from .samples import goes_into_a_sample
from .show import show, show_source
from .transforms import TRANSFORMS
from .values import decode_result, fetch

__all__ = [
    "TRANSFORMS",
    "Call",
    "MissingValueError",
    "RefusedValueError",
    "Scope",
    "Template",
    "TemplateError",
    "decode_result",
    "fetch",
    "generalise",
    "goes_into_a_sample",
    "ignored_keys",
    "match",
    "read_source",
    "render",
    "render_step",
    "rewire",
    "show",
    "show_source",
]

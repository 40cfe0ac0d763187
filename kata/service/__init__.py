"""The use cases, and one view model per screen: the only room that surfaces call (design 1)."""

from .assemble import assemble
from .service import Service
from .settings import Settings

__all__ = ["Service", "Settings", "assemble"]

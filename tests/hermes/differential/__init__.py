"""The same conversations on the stand-in and on the real Hermes, and what both told a plugin."""

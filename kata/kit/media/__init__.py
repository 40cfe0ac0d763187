"""Deliver a file through Hermes now, without waiting for the final text of the turn."""

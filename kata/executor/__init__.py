"""Deterministic replay of an approved routine (design 8)."""

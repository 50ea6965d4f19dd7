"""Learnt: what a coding agent learnt once, recalled where it helps, under its user's control."""

__version__ = "0.1.0"

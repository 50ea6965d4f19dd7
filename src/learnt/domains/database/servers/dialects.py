"""The servers that are known, by how they read SQL."""

from typing import Literal

Dialect = Literal["mysql", "postgres", "sqlite"]

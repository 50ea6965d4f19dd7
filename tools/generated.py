"""What tools share that write a generated file: write it, or say whether it is as it should be."""

from collections.abc import Sequence
from pathlib import Path


def kept(target: Path, text: str, words: Sequence[str]) -> int:
    """Write the file, or with `--check` only compare it; the exit code."""
    if "--check" in words:
        return 0 if target.read_text("utf-8") == text else 1
    target.write_text(text, "utf-8")
    return 0

"""A text in the person's editor. What they wrote is never lost: what is not kept stays a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp

import click

from learnt.errors import LearntError, Refused
from learnt.surfaces.cli.context import plain_path


class Writing:
    """What a person wrote, in a file that goes unless it is to `stay`."""

    def __init__(self, path: Path, before: str) -> None:
        self.path, self.before, self.text, self._stays = path, before, before, False

    def stay(self) -> str:
        """Leave the file there; where, in a sentence. Empty where nothing was written."""
        self._stays = self.path.exists() and _text(self.path) != self.before.encode()
        return f"What you wrote is in {plain_path(self.path)}." if self._stays else ""

    def close(self) -> None:
        """Remove the file, unless it is to stay."""
        if not self._stays:
            self.path.unlink(missing_ok=True)


def has_editor() -> bool:
    """Whether the person named an editor."""
    return bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


@contextmanager
def edited(before: str) -> Iterator[Writing]:
    """What a person makes of a text in their editor.

    Raises Refused where the editor fails. Whatever is raised within says where the text is.
    """
    descriptor, name = mkstemp(prefix="learnt-", suffix=".md")
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123  # it is open already
        file.write(before)
    writing = Writing(Path(name), before)
    try:
        writing.text = _edit(writing)
        yield writing
    except LearntError as error:
        raise type(error)(f"{error} {writing.stay()}".rstrip()) from error
    finally:
        writing.close()


def _edit(writing: Writing) -> str:
    try:
        click.edit(filename=str(writing.path))
        return _text(writing.path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Refused("The text is not UTF-8. Nothing was remembered.") from error
    except (click.ClickException, OSError, ValueError) as error:
        why = error.message if isinstance(error, click.ClickException) else str(error)
        raise Refused(
            f"The editor failed ({why}). Nothing was remembered; EDITOR names another one."
        ) from error


def _text(path: Path) -> bytes:
    return path.read_bytes()

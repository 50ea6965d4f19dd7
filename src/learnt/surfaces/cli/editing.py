"""A text in the person's editor. What they wrote is never lost: what is not kept stays a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp

import click

from learnt.core.knowledge.drafts import Draft
from learnt.errors import LearntError, Refused
from learnt.formats.sheet_md import read, written
from learnt.surfaces.cli.context import plain_path


@contextmanager
def edited(before: Draft) -> Iterator[Draft]:
    """What a person makes of a sheet in their editor. As `edited_text`."""
    with edited_text(written(before)) as text:
        yield read(text)


@contextmanager
def edited_text(before: str) -> Iterator[str]:
    """What a person makes of a text in their editor.

    Raises Refused where the editor fails. Whatever is raised within says where the text is.
    """
    descriptor, name = mkstemp(prefix="learnt-", suffix=".md")
    file, text, stays = Path(name), before.encode(), False
    os.close(descriptor)
    file.write_bytes(text)
    try:
        try:
            click.edit(filename=name)
            after = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        except (click.ClickException, OSError, ValueError) as error:
            why = error.message if isinstance(error, click.ClickException) else str(error)
            raise Refused(f"The editor left nothing to be read ({why}).") from error
        yield after
    except LearntError as error:
        stays = file.exists() and file.read_bytes() != text
        if not stays:
            raise
        raise type(error)(f"{error} What you wrote is in {plain_path(name)}.") from error
    finally:
        if not stays:
            file.unlink(missing_ok=True)

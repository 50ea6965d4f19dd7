"""A damaged ledger is moved out of the way, whole: never emptied, never overwritten."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from learnt.settings import Settings
from learnt.stores.sqlite_schema import FILE_NAME


def damaged_ledger(settings: Settings) -> str:
    """Move the ledger into the home's `aside` folder if it is damaged; what was done, in words."""
    path = settings.home / FILE_NAME
    if not path.exists():
        return f"There is no ledger in {settings.home}; nothing was moved."
    if _sound(path):
        return f"{path} is sound; nothing was moved."
    number = 1
    while (target := settings.home / "aside" / f"ledger-{number}.db").exists():
        number += 1
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(target.with_name(target.name + suffix))
    return f"The damaged ledger lies in {target}, as it was; a new one begins."


def _sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False

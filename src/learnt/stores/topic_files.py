"""Topic files on the disk: locked while they are changed, replaced whole, links left alone.

This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from learnt.errors import Refused
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.folder_lock import alone_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

INDEX: Final = "_index.md"
_LARGEST: Final = 50_000_000


class DiskTopics:
    """The file system."""

    def files(self, folder: str) -> Sequence[str]:
        paths = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
        return sorted(
            os.path.relpath(path, folder).replace(os.sep, "/")
            for path in paths
            if path.endswith(".md") and os.path.basename(path) != INDEX
            if os.path.isfile(path) and not os.path.islink(path)
        )

    def read(self, path: str) -> str | None:
        with explained(path, "read"):
            try:
                about = os.stat(path)
                if not stat.S_ISREG(about.st_mode):
                    raise Refused(f"{path} is no plain file. It was left as it is.")
                if about.st_size > _LARGEST:
                    raise Refused(f"{path} is larger than 50 MB. It was left as it is.")
                with open(path, "rb") as file:
                    return file.read().decode("utf-8", "surrogateescape")
            except (FileNotFoundError, NotADirectoryError):
                return None

    def change(self, path: str, edit: Callable[[str | None], str]) -> None:
        if os.path.islink(path):
            raise Refused(f"{path} is a link. Nothing is written through links.")
        with explained(path, "written"), alone_with(os.path.dirname(path) or "."):
            text = edit(self.read(path))
            mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
            write_atomically(path, text, mode)

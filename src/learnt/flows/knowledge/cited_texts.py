"""The texts of cited files: each read once, and whether the files are still as they were read."""

from learnt.core.knowledge.spans.prints import Text
from learnt.file_ports import CitedFiles


class CitedTexts:
    """The files below one root (None: there is no root, and no file)."""

    def __init__(self, files: CitedFiles, root: str | None) -> None:
        self._files, self._root = files, root
        self._texts: dict[str, Text | None] = {}
        self._stamps: dict[str, str | None] = {}

    def text(self, path: str) -> Text | None:
        """A file's text; None where no plain text is there."""
        if not path or self._root is None:
            return None
        if path not in self._texts:
            # First the stamp: what is written while it is read shows afterwards.
            self._stamps[path] = self._files.stamp(self._root, path)
            characters = self._files.read(self._root, path)
            self._texts[path] = None if characters is None else Text(characters, path)
        return self._texts[path]

    def hold(self) -> bool:
        """Whether no file that was read was written, made or removed since."""
        root, stamps = self._root or "", self._stamps.items()
        return all(self._files.stamp(root, path) == stamp for path, stamp in stamps)

    def release(self) -> None:
        """Let go of the texts, and still know whether they hold.

        A text that was parsed is millions of objects: whoever collects garbage while the ledger is
        held would look through them.
        """
        self._texts.clear()

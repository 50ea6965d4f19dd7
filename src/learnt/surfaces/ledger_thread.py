"""The ledger in a thread of its own, for surfaces that wait for other things as well.

A connection to the ledger is used by the thread that made it, and by no other.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

from learnt.bootstrap import opened
from learnt.errors import EnvironmentTrouble, LearntError, UsageError
from learnt.flows.sessions.drain import drain
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.sqlite_schema import FILE_NAME

T = TypeVar("T")


class LedgerThread:
    """Opens a home when it is first needed, and again when it was in trouble or is another one.

    Or when its settings say something else; while these cannot be read those before them hold.
    """

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._stack = ExitStack()
        self._outside: Outside | None = None
        self._file: tuple[int, int] | None = None
        self._made_of: Settings | None = None

    def submit(self, work: Callable[[Outside], T]) -> "Future[T]":
        """Have work done with the home's outside, after whatever waited in its spool."""
        return self._thread.submit(self._do, work)

    def close(self) -> None:
        """Let what has begun come to its end, and let go of the ledger."""
        with suppress(RuntimeError):  # it was closed before
            self._thread.submit(self._let_go)
        self._thread.shutdown(wait=True)

    def _do(self, work: Callable[[Outside], T]) -> T:
        try:
            outside = self._opened()
            drain(outside)
            return work(outside)
        except Exception as error:
            # After trouble the next call looks anew: what was wrong may have been mended meanwhile.
            if isinstance(error, EnvironmentTrouble) or not isinstance(error, LearntError):
                self._let_go()
            raise

    def _opened(self) -> Outside:
        settings = self._now()
        held = self._outside if self._made_of == settings else None
        if held is not None and self._file == _identity(settings.home):
            return held
        self._let_go()
        self._outside = self._stack.enter_context(opened(settings))
        self._made_of, self._file = settings, _identity(settings.home)
        return self._outside

    def _now(self) -> Settings:
        """The settings as they are, or as they were before they could not be read."""
        try:
            return self._settings()
        except UsageError:
            if self._made_of is None:
                raise
            return self._made_of

    def _let_go(self) -> None:
        self._outside = None
        self._stack.close()


def _identity(home: Path) -> tuple[int, int] | None:
    """What tells a home's ledger from another put in its place; None where there is none."""
    try:
        found = (home / FILE_NAME).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino

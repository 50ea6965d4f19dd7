"""The ledger in a thread of its own, which alone may use its connection."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import TypeVar

from learnt.bootstrap import begun, opened
from learnt.core.records import Row
from learnt.errors import EnvironmentTrouble, HomeUnusable, LearntError, UsageError
from learnt.flows.sessions.answer import drain
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.surfaces.open_home import identity

T = TypeVar("T")


class LedgerThread:
    """Opens a home when it is first needed, and again after trouble or when it is another one.

    Changed settings open it fresh, too; while these cannot be read, the last ones hold. One that
    only `looks` takes nothing in from the spool, and makes no home where there is none any more.
    """

    def __init__(self, settings: Callable[[], Settings], *, looks: bool = False) -> None:
        self._settings, self._looks = settings, looks
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._stack = ExitStack()
        self._outside: Outside | None = None
        self._file: tuple[int, int] | None = None
        self._made_of: Settings | None = None

    @property
    def settings(self) -> Settings:
        """Those of the home that is open: for work that was submitted."""
        assert self._made_of is not None
        return self._made_of

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
            if not self._looks:
                drain(outside)
            return work(outside)
        except Exception as error:
            # After trouble the next call looks again: what was wrong may be mended by then.
            if isinstance(error, EnvironmentTrouble) or not isinstance(error, LearntError):
                self._let_go()
            raise

    def _opened(self) -> Outside:
        try:
            settings = self._settings()
        except UsageError:
            if self._made_of is None:
                raise
            settings = self._made_of  # as they were before they could not be read
        if self._looks and not begun(settings):
            raise HomeUnusable(
                f"There is no ledger in {settings.home} any more: the home was moved or removed. "
                "Nothing was made in its place; put it back, or end this and start again."
            )
        file = settings.home / FILE_NAME
        if self._outside is None or (self._made_of, self._file) != (settings, identity(file)):
            self._let_go()
            self._outside = self._stack.enter_context(opened(settings))
            self._made_of, self._file = settings, identity(file)
        return self._outside

    def _let_go(self) -> None:
        self._outside = None
        self._stack.close()


class Ledgers(Row):
    """One for what takes milliseconds, and one for what reads all there is."""

    quick: LedgerThread
    slow: LedgerThread

    def close(self) -> None:
        """Let go of both."""
        for ledger in self:
            ledger.close()

"""A home held open by the settings of its config.toml as they are now.

Opened anew within the process: a worker that ended and came again would leave hooks alone for a
moment. What domains bring is loaded in a thread first, since no hook waits for that long.
"""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from threading import Thread
from typing import Final, Self

from learnt.bootstrap import domains, opened
from learnt.errors import UsageError
from learnt.ports import Outside
from learnt.settings import Settings, load

LOOK_EVERY: Final = 1.0


class OpenHome:
    """The outside of a home, and the settings that it was made of."""

    def __init__(
        self, settings: Settings, environment: Mapping[str, str], *, patience_ms: int
    ) -> None:
        self._settings, self._environment, self._patience_ms = settings, environment, patience_ms
        self._stack = ExitStack()
        self._outside = self._open(settings, self._stack)
        self._due: Settings | None = None
        self._loading: Thread | None = None
        self._looked_at, self._wrong = 0.0, ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        return self._settings

    @property
    def outside(self) -> Outside:
        """What is made of them."""
        return self._outside

    @property
    def wrong(self) -> bool:
        """Whether config.toml cannot be followed as it is now."""
        return bool(self._wrong)

    def follow(self, *, free: bool) -> None:
        """Look whether config.toml says something else, and go by it once nobody is served.

        Raises UsageError where it is not what it should be, once for each trouble; the settings
        before it hold on.
        """
        if time.monotonic() - self._looked_at > LOOK_EVERY:
            self._looked_at = time.monotonic()
            self._look()
        if self._due is None or not free or (self._loading and self._loading.is_alive()):
            return
        due, self._due = self._due, None  # where opening fails the next look tries anew
        fresh, before = ExitStack(), self._stack
        self._outside = self._open(due, fresh)
        self._stack, self._settings = fresh, due
        before.close()

    def _look(self) -> None:
        before, self._wrong = self._wrong, ""
        try:
            found = load(self._environment, str(self._settings.home))
        except UsageError as error:
            self._due, self._wrong = None, str(error)
            if self._wrong != before:
                raise
            return
        if found == self._settings:
            self._due = None
        elif found != self._due:
            self._due = found
            self._loading = Thread(target=domains, args=(found,), daemon=True)
            self._loading.start()

    def _open(self, settings: Settings, stack: ExitStack) -> Outside:
        return stack.enter_context(opened(settings, patience_ms=self._patience_ms))

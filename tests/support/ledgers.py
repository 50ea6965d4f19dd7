"""Ledgers in which somebody else writes at the worst moment, and files that are read beside one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from learnt.ports import Ledger, Writer

Meanwhile = Callable[[], object]


@dataclass
class Contended:
    """A ledger before whose every write transaction somebody else may do something."""

    inner: Ledger
    meanwhile: list[Meanwhile] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def writing(self) -> AbstractContextManager[Writer]:
        """As the ledger's own, after the next of what others do."""
        return self._after(self.inner.writing)

    def durably_writing(self) -> AbstractContextManager[Writer]:
        """Likewise."""
        return self._after(self.inner.durably_writing)

    @contextmanager
    def _after(self, writing: Callable[[], AbstractContextManager[Writer]]) -> Iterator[Writer]:
        if self.meanwhile:
            self.meanwhile.pop(0)()
        with writing() as writer:
            yield writer


@dataclass
class Watched:
    """A port whose every call is made while another program can write to the ledger."""

    inner: Any
    write_elsewhere: Meanwhile
    calls: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.inner, name)
        if not callable(method) or name == "stamp":  # a stamp is looked at under the lock
            return method

        def called(*given: Any, **named: Any) -> Any:
            self.calls.append(name)
            self.write_elsewhere()
            return method(*given, **named)

        return called

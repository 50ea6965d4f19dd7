"""What every command shares: how it is declared, who called it, and how its answer is printed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from learnt.formats.answers import to_json
from learnt.surfaces.cli.context import HOME, JSON, PROJECT, Caller, caller, print_json

if TYPE_CHECKING:  # what a command does not use it does not load
    from learnt.ports import Outside

A = TypeVar("A")
Body = Callable[..., int]


class Command(click.Command):
    """A command. `answers` is the type of what it prints with `--json`; None where it has none."""

    answers: Any = None


class Call:
    """One call of a command: the home and the project that were named, and who called."""

    def __init__(self, home: str | None, project: str, *, as_json: bool) -> None:
        self.home_option, self.as_json = home, as_json
        self.project = Path(project).resolve()

    @cached_property
    def who(self) -> Caller:
        """The caller, with the home's settings. Raises UsageError where these are unreadable."""
        return caller(self.home_option)

    @property
    def home(self) -> Path:
        """The home."""
        return self.who.home

    @property
    def folder(self) -> str:
        """The project's folder, as flows take it."""
        return str(self.project)

    @contextmanager
    def ledger(self) -> "Iterator[Outside]":
        """The home's outside, with whatever waited in the spool taken in first."""
        from learnt.bootstrap import opened
        from learnt.flows.sessions.drain import drain

        with opened(self.who.settings) as outside:
            drain(outside)
            yield outside

    @contextmanager
    def ledger_as_it_is(self) -> "Iterator[Outside | None]":
        """The home's outside, to look only: nothing is taken in; None where there is no home."""
        from learnt.bootstrap import begun, opened

        if not begun(self.who.settings):
            yield None
            return
        with opened(self.who.settings) as outside:
            yield outside

    def answer(self, answer: A, say: Callable[[A], None], code: int = 0) -> int:
        """Print an answer, as JSON where that is asked for, else as `say` does; the exit code."""
        if self.as_json:
            print_json(to_json(answer))
        else:
            say(answer)
        return code


def command(
    name: str | None = None,
    *,
    within: click.Group | None = None,
    answers: Any = None,
    project: bool = False,
    **settings: Any,
) -> Callable[[Body], Command]:
    """Declare a command whose body is given its Call and its own options; it gives the exit code.

    `within` is the group that it belongs to. `answers` is the type of its answer, and gives it
    `--json`; `project` gives it `--project`.
    """

    def declared(body: Body) -> Command:
        own = body.__dict__.pop("__click_params__", [])

        @wraps(body)
        def run(home: str | None, *, as_json: bool = False, **given: Any) -> int:
            folder = given.pop("project") if project else "."
            return body(Call(home, folder, as_json=as_json), **given)

        for shared in (HOME, *((JSON,) if answers else ()), *((PROJECT,) if project else ())):
            shared(run)
        run.__dict__["__click_params__"] += own
        found = click.command(name, cls=Command, **settings)(run)
        found.answers = answers
        if within is not None:
            within.add_command(found)
        return found

    return declared

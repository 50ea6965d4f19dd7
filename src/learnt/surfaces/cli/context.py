"""What every command shares: how it is declared, who called it, and how its answer is printed."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from msgspec.structs import replace

from learnt.core.identifiers import ENTRY_ID
from learnt.core.records import Record
from learnt.core.visible_text import spelled_out, with_hidden
from learnt.errors import EnvironmentTrouble, LearntError, NotFound, UsageError
from learnt.formats.answers import to_json
from learnt.installed import installing
from learnt.settings import Settings, load
from learnt.surfaces.cli.screen import cut

if TYPE_CHECKING:  # what a command does not use it does not load
    from click.shell_completion import CompletionItem

    from learnt.core.events import Actor
    from learnt.core.knowledge.citations import CheckedCitation
    from learnt.flows.governance.decisions import Decider
    from learnt.flows.governance.naming import Named, Sort
    from learnt.formats.injection import Rival
    from learnt.ports import Outside

A = TypeVar("A")
N = TypeVar("N")
Body = Callable[..., int]

HOME = click.option(
    "--home",
    metavar="DIR",
    help="Learnt's home (else LEARNT_HOME, else the platform's data folder).",
)
PROJECT = click.option(
    "--project",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    help="The folder whose project is meant (else the current one).",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
EVIDENCE = click.option(
    "--evidence",
    default="",
    metavar="ID|last",
    help="A tool call that shows it, as Learnt saw it; last: this session's latest.",
)
TRUST_COLOURS: Final = {
    "TRUST": "green", "VERIFY": "yellow", "REVALIDATE": "red", "UNPROVEN": "cyan"
}  # fmt: skip
_LISTED: Final = 8
_WIDEST: Final = 60
YES = click.option("--yes", is_flag=True, help="Do not ask; do it.")


def coloured() -> bool | None:
    """False where NO_COLOR asks for none; else None: a terminal decides."""
    return False if os.environ.get("NO_COLOR") else None


def has_editor() -> bool:
    """Whether the person named an editor."""
    return bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


class Caller(Record):
    """Who called, and for which home."""

    settings: Settings
    actor: "Actor"
    interactive: bool
    doubt: str = ""  # why it is not taken for a person's call
    session: str = ""  # the agent's, if it says so

    @property
    def decider(self) -> "Decider":
        """Who decides."""
        from learnt.flows.governance.decisions import Decider

        return Decider(actor=self.actor, doubt=self.doubt)


def caller(home: str | None, read: Callable[..., Settings] = load) -> Caller:
    """The caller, derived from the terminal and the environment."""
    from learnt.core.governance.actors import at_terminal, doubt, session

    terminals = {"input": sys.stdin.isatty(), "output": sys.stdout.isatty()}
    return Caller(
        settings_of(home, read),
        at_terminal(os.environ, terminals),
        all(terminals.values()),
        doubt(os.environ, terminals),
        session(os.environ),
    )


def settings_of(home: str | None, read: Callable[..., Settings] = load) -> Settings:
    """The settings alone, without who called; with `without_config` those of no config.toml."""
    return read(os.environ, home or _home_named_before())


def _home_named_before() -> str | None:
    """The home that was named before the command's own name."""
    named: str | None = click.get_current_context().find_root().params.get("home")
    return named


plain = spelled_out  # what would steer a terminal or hide stands as its number


def plain_path(path: object) -> str:
    """A path on one line, as `plain` shows it: its line breaks are spelt out too.

    >>> plain_path("a\\nb")
    'a⟨U+000A⟩b'
    """
    return plain(str(path)).replace("\n", "⟨U+000A⟩")


def confirm(question: str, who: Caller, *, yes: bool) -> bool:
    """A person's yes: asked for on a terminal, or given beforehand with --yes."""
    return yes or (who.interactive and click.confirm(question, default=False))


def say_by_words(outside: "Outside") -> None:
    """That a search went by words alone, and why, where it was to go by meaning as well."""
    if outside.dense is not None and outside.dense.trouble:
        click.echo(f"Searched by words alone. {plain(outside.dense.trouble)}", err=True)


def say_doubts(
    cites: "Iterable[CheckedCitation]", rivals: "Iterable[Rival]", old: str = ""
) -> None:
    """What is to be said of an entry's citations, disputes and outdated skill, for people."""
    from learnt.formats.injection import cited, disputed

    asked = "`learnt review` asks you which one holds"
    for text in (*map(cited, cites), *(disputed(rival, asked) for rival in rivals), old):
        if text:
            click.secho(f"  {plain(text)}", fg="yellow")


@contextmanager
def needing(packages: Iterable[str], what: str, extra: str = "", lacks: str = "") -> Iterator[None]:
    """Name a package that is missing, and how to install it. Raises EnvironmentTrouble.

    `lacks` are the words of a package that misses a library and does not name it.
    """
    try:
        yield
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        missing = isinstance(error, ModuleNotFoundError) and package in packages
        if not missing and not (lacks and lacks in str(error)):
            raise
        raise EnvironmentTrouble(
            f"{what} needs a package that is not installed ({package or 'a library'}): "
            f"{installing(extra)}. Nothing was done; every other command works without it."
        ) from error


class AnsweringCommand(click.Command):
    """A command. `answers` is the type of what it prints with `--json`; None where it has none."""

    answers: Any = None


class Call:
    """One call of a command: the home and the project that were named, and who called."""

    def __init__(self, home: str | None, project: str, *, as_json: bool) -> None:
        self.home_option, self.as_json = home or _home_named_before(), as_json
        self.project = Path(project).resolve()
        self.folder = str(self.project)  # as flows take it

    @cached_property
    def who(self) -> Caller:
        """The caller, with the home's settings. Raises UsageError where these are unreadable."""
        return caller(self.home_option)

    @property
    def home(self) -> Path:
        """The home."""
        return self.who.settings.home

    @contextmanager
    def ledger(self, *, waits: bool = True) -> "Iterator[Outside]":
        """The home's outside, with whatever waited in the spool taken in first.

        Unless it `waits` for other programs that write: then the spool is left for later. Raises
        LedgerBusy where it waited in vain, EnvironmentTrouble where the disk takes nothing.
        """
        from learnt.bootstrap import LOOK_MS, PATIENCE_MS, opened
        from learnt.errors import LedgerBusy
        from learnt.flows.sessions.answer import drain

        with opened(self.who.settings, patience_ms=PATIENCE_MS if waits else LOOK_MS) as outside:
            try:
                drain(outside)
            except LedgerBusy:
                if waits:
                    raise
            except OSError as error:
                raise EnvironmentTrouble(f"{error}. What hooks reported waits on.") from error
            yield outside

    @contextmanager
    def asking(self, *, waits: bool = True) -> "Iterator[Outside]":
        """As `ledger`, for what only asks: where there is no home, one that is thrown away.

        Where nothing is known of the folder that was named, that is said. All is read from one
        snapshot: whoever waits for a person in between ends it by `ledger.refresh`.
        """
        who = self.who
        above = next(path for path in (self.home, *self.home.parents) if os.path.lexists(path))
        if above == self.home or not above.is_dir():  # then it is there, or cannot be
            from learnt.flows.sessions.locate import projects_but_for

            with self.ledger(waits=waits) as outside, outside.ledger.one_snapshot():
                known = projects_but_for(outside, self.folder)
                if self.project != Path.cwd() and known is not None:
                    told = f"Nothing is known of a project at {plain_path(self.project)}."
                    names = plain(", ".join(known))
                    click.echo(f"{told} Known projects: {names}." if known else told, err=True)
                yield outside
            return
        from tempfile import TemporaryDirectory

        click.echo(
            f"There is no home at {plain_path(self.home)} yet, and so nothing is remembered. "
            "`learnt init` has your agent call Learnt; `learnt remember` keeps the first thing.",
            err=True,
        )
        with TemporaryDirectory() as empty:
            self.who = replace(who, settings=replace(who.settings, home=Path(empty) / "none"))
            with self.ledger() as outside:
                yield outside
            self.who = who

    def look(self, question: "Callable[[Outside], A]", nothing: N) -> A | N:
        """What the ledger says as it is, with nothing taken in; `nothing` where there is none."""
        from learnt.bootstrap import begun, opened

        if not begun(self.who.settings):
            return nothing
        with opened(self.who.settings) as outside, outside.ledger.one_snapshot():
            return question(outside)

    def say_whose(self) -> None:
        """Where a pipe or a file at one end is why a person's call is an agent's, say so."""
        who = self.who
        if who.doubt.startswith("its ") and sys.stdin.isatty() != sys.stdout.isatty():
            click.echo(
                f"This counts as an agent's call, not as yours: {who.doubt}. Without a pipe or a "
                "file at either end it is yours.",
                err=True,
            )

    def answer(self, answer: A, say: Callable[[A], object] | str, code: int = 0) -> int:
        """Print an answer, as JSON where asked for, else what `say` is or prints; the exit code."""
        if self.as_json:
            text = json.dumps(to_json(answer), ensure_ascii=False, indent=2)
            click.echo(with_hidden(text, lambda c: json.dumps(c)[1:-1]))  # what is not seen escaped
        elif isinstance(say, str):
            click.echo(plain(say), nl=not say.endswith("\n"))
        else:
            say(answer)
        return code


class Id(click.ParamType[str]):
    """An id of one of these sorts; as much of its beginning as only one has is enough."""

    name = "id"

    def __init__(self, *sorts: "Sort") -> None:
        self.sorts = sorts

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """The ids that begin so, each with its first words; none where there is any trouble."""
        from click.shell_completion import CompletionItem

        with suppress(LearntError, OSError), ctx.scope(cleanup=False):
            call = Call(ctx.params.get("home"), ".", as_json=False)
            found = _looked(call, incomplete, self.sorts)
            return [CompletionItem(each.id, help=cut(each.said, _WIDEST)) for each in found]
        return []


def meant(call: "Call", name: str, *sorts: "Sort") -> str:
    """The id that a name begins, else the name. Raises UsageError where it begins several ids."""
    full = not name or (sorts == ("entry",) and ENTRY_ID.fullmatch(name))
    found = [] if full else _looked(call, name, sorts)
    if len(found) < 2:
        return found[0].id if found else name
    listed = "".join(_told(call, each, "\n  {}  {}") for each in found[-_LISTED:])
    more = f"\n  and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    raise UsageError(
        f"{name} is the beginning of {len(found)} ids:{listed}{more}\nType more of it."
    )


@contextmanager
def whole(call: "Call", command: click.Command, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a command was given, each id whole. Raises its NotFound with what is alike."""
    types = {str(param.name): param.type for param in command.params}
    ids = {name: kind.sorts for name, kind in types.items() if isinstance(kind, Id)}
    typed = {name: sorts for name, sorts in ids.items() if given.get(name)}
    full = {name: meant(call, given[name], *sorts) for name, sorts in typed.items()}
    try:
        yield given | full
    except NotFound as error:
        close = [_looked(call, full[n], sorts, nearly=True) for n, sorts in typed.items()]
        listed = ", or ".join(_told(call, each, "{} ({})") for found in close for each in found)
        if not listed:
            raise
        raise NotFound(f"{error} Did you mean {listed}?") from error


def _looked(
    call: "Call", name: str, sorts: "tuple[Sort, ...]", *, nearly: bool = False
) -> "list[Named]":
    from learnt.flows.governance.naming import alike, beginning

    find, nothing = alike if nearly else beginning, list["Named"]()
    return call.look(lambda outside: find(outside, name, sorts), nothing)


def _told(call: "Call", each: "Named", form: str) -> str:
    """An id, for a person with its words: what no agent is to be shown is among these."""
    from learnt.core.events import Actor

    told = call.who.actor is Actor.HUMAN and each.said.strip()
    return (
        form.format(each.id, cut(each.said, _WIDEST)) if told else form.partition("{}")[0] + each.id
    )


def command(
    name: str | None = None,
    *,
    within: click.Group | None = None,
    answers: Any = None,
    project: bool = False,
    **settings: Any,
) -> Callable[[Body], AnsweringCommand]:
    """Declare a command whose body is given its Call and its own options; it gives the exit code.

    `within` is the group that it belongs to. `answers` is the type of its answer, and gives it
    `--json`; `project` gives it `--project`.
    """

    def declared(body: Body) -> AnsweringCommand:
        own = body.__dict__.pop("__click_params__", [])

        @wraps(body)
        def run(home: str | None, *, as_json: bool = False, **given: Any) -> int:
            folder = given.pop("project") if project else "."
            call = Call(home, folder, as_json=as_json)
            with whole(call, declaration, given) as completed:
                return body(call, **completed)

        for shared in (HOME, *((JSON,) if answers else ()), *((PROJECT,) if project else ())):
            shared(run)
        run.__dict__["__click_params__"] += own
        declaration = click.command(name, cls=AnsweringCommand, **settings)(run)
        declaration.answers = answers
        if within is not None:
            within.add_command(declaration)
        return declaration

    return declared

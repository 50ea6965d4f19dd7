"""Ids as people type them: the beginning is enough, the shell completes it, a slip is noticed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import click

from learnt.core.events import Actor
from learnt.core.identifiers import ENTRY_ID
from learnt.errors import LearntError, NotFound, UsageError
from learnt.surfaces.cli.screen import cut

if TYPE_CHECKING:  # what is needed to complete alone is loaded then
    from click.shell_completion import CompletionItem

    from learnt.flows.governance.naming import Named, Sort
    from learnt.surfaces.cli.context import Call

_LISTED: Final = 8
_WIDEST: Final = 60


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

        from learnt.surfaces.cli.context import Call

        with suppress(LearntError, OSError), ctx.scope(cleanup=False):
            call = Call(ctx.params.get("home"), ".", as_json=False)
            found = _looked(call, incomplete, self.sorts)
            return [CompletionItem(each.id, help=cut(each.said, _WIDEST)) for each in found]
        return []


def meant(call: "Call", name: str, *sorts: "Sort") -> str:
    """The id that a name is the only beginning of; the name as it is where nothing begins so.

    Raises UsageError, with what it could be, where it is the beginning of several.
    """
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
    told = call.who.actor is Actor.HUMAN and each.said.strip()
    return (
        form.format(each.id, cut(each.said, _WIDEST)) if told else form.partition("{}")[0] + each.id
    )

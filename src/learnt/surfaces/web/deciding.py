"""What changes something: a form of the dashboard's own pages, sent by a person.

Each goes through the same checks: the session's word, the phrase of the terminal once a session,
and that what is decided on is what was shown. It is recorded as a person's, with what was seen of
them, and told on the terminal.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from typing import Final
from urllib.parse import parse_qsl

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from learnt.core.events import Actor, Sight
from learnt.core.governance.review import ReviewChoice
from learnt.core.identifiers import ENTRY_ID, EntryId
from learnt.errors import Conflict, EnvironmentTrouble, LearntError, NotFound, Refused, UsageError
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.review_choices import ReviewAnswer, ReviewDone, choose, undo
from learnt.formats.sheet_md import read
from learnt.ports import Outside
from learnt.stores.processes import page_sight
from learnt.surfaces.cli.evolve import carry_out
from learnt.surfaces.web.dashboard import Dashboard, answered, code_of, session_of
from learnt.surfaces.web.gate import LARGEST_BODY, BrowserSession
from learnt.surfaces.web.pages import Visit
from learnt.surfaces.web.review_page import ITEM, REVIEW, ReviewedItem, call_of, path_of, reviewed

SECONDS: Final = 10.0  # for all of a form
MOST_FIELDS: Final = 20
PERSON: Final = Decider(actor=Actor.HUMAN)
Fields = Mapping[str, str]


class TooLarge(UsageError):
    """A form has more bytes than any of ours."""


async def _fields(request: Request, session: BrowserSession) -> Fields:
    """The fields of a form of this session's own pages. Raises Refused, UsageError."""
    body = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    raise TooLarge("That is more than the dashboard takes. Nothing was changed.")
    except TimeoutError:
        raise UsageError("The form came too slowly. Nothing was changed.") from None
    try:
        text = body.decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise UsageError("That is no form of the dashboard's. Nothing was changed.") from error
    fields = {name: value.replace("\r\n", "\n") for name, value in pairs}
    if not compare_digest(fields.get("word", "").encode(), session.word.encode()):
        raise Refused("The form is not of this dashboard's pages. Nothing was changed.")
    return fields


async def _trusted(dashboard: Dashboard, request: Request) -> Response:
    """The phrase of the terminal: from then on the browser's decisions are the person's."""
    session = _session(request)
    fields = await _fields(request, session)
    before = dashboard.keys.phrase
    try:
        dashboard.keys.trust(session, fields.get("phrase", ""))
    except Refused as error:
        dashboard.tell("A wrong phrase was typed on the page.")
        if dashboard.keys.phrase != before:
            dashboard.tell(f"There is another phrase now:\n\n  {dashboard.keys.phrase}\n")
        session.said.append(str(error))
    else:
        dashboard.tell("The phrase was typed on the page: what is decided there counts as yours.")
    return _to(fields.get("back", REVIEW.path))


async def _decided(dashboard: Dashboard, request: Request) -> Response:
    """A decision on one item."""
    session = _session(request)
    fields = await _fields(request, session)

    def work(outside: Outside) -> Response:
        visit = dashboard.visit(outside, ITEM, request)
        try:
            view = reviewed(visit)
            _refuse_unseen(session, view.seen, fields.get("seen", ""))
            with outside.ledger.told(_sight(dashboard, request)):
                done = _done(visit, view, fields)
        except EnvironmentTrouble:
            raise
        except LearntError as error:
            typed = defaultdict(str, fields)
            values = {"answer": reviewed(visit), "problem": str(error), "typed": typed}
            return dashboard.filled(session, ITEM, values, code_of(error))
        visit.waiting.decided(outside, view.item)
        _note(dashboard, session, done.said)
        session.done[max(session.done, default=0) + 1] = done
        there = view.after or view.before
        return _to(REVIEW.path if there is None else path_of(there))

    return await answered(dashboard, request, dashboard.ledger(ITEM), work)


def _done(visit: Visit, view: ReviewedItem, fields: Fields) -> ReviewDone:
    choice = next((each for each in ReviewChoice if each == fields.get("choice")), None)
    if choice is None:
        raise UsageError("Nothing was chosen, and nothing was decided.")
    if view.look is not None and choice is ReviewChoice.ACCEPT:
        change, replaces = view.look.possible(), fields.get("overwrite") == "yes"
        if change.in_the_way and not replaces:
            raise Refused(
                f"{change.path} is there already. Nothing was written: tick that it may be "
                "replaced, or reject the proposal."
            )
        who = replace(call_of(visit).who, actor=PERSON.actor, doubt=PERSON.doubt)
        lines = carry_out(visit.outside, change, who, overwrite=replaces)
        return ReviewDone(view.item, "; ".join(lines), choice=choice)
    named = [fields.get(name, "").strip() for name in ("entry", "other")]
    for name in named:
        if name and not ENTRY_ID.fullmatch(name):
            raise UsageError(f"{name[:60]} is no entry's id. Nothing was changed.")
    entry, other = (EntryId(name) if name else None for name in named)
    if other and fields.get("stays") == "other":
        entry, other = other, view.item.parts[0].id
    text = fields.get("text", "")
    of_entry = bool(view.item.parts) and choice in {ReviewChoice.EDIT, ReviewChoice.MERGE}
    sheet = read(text) if of_entry and text.strip() else None
    answer = ReviewAnswer(choice, entry, other, sheet, text)
    return choose(visit.outside, view.item, answer, PERSON, visit.folder)


async def _undone(dashboard: Dashboard, request: Request) -> Response:
    """Take one of this browser's decisions back."""
    session = _session(request)
    fields = await _fields(request, session)
    number = int(fields["number"]) if fields.get("number", "").isdecimal() else 0

    def work(outside: Outside) -> Response:
        _refuse_unseen(session, "", "")
        if (done := session.done.get(number)) is None:
            raise NotFound("That decision is not of this browser, or was taken back before.")
        with outside.ledger.told(_sight(dashboard, request)):
            said = undo(outside, done, PERSON)
        dashboard.waiting.forget()
        del session.done[number]
        _note(dashboard, session, said)
        return _to(path_of(done.item))

    return await answered(dashboard, request, dashboard.ledger(ITEM), work)


def _session(request: Request) -> BrowserSession:
    session = session_of(request)
    assert session is not None  # the gate lets nobody else in here
    return session


def _refuse_unseen(session: BrowserSession, now: str, shown: str) -> None:
    """Raise Refused before the phrase was typed, Conflict where something else was shown."""
    if not session.trusted:
        raise Refused(
            "Type the phrase first that the terminal shows which started the dashboard. Nothing "
            "was decided."
        )
    if now != shown:
        raise Conflict(
            "It is not what it was when the page was shown to you. Nothing was decided: this is "
            "how it is now."
        )


def _sight(dashboard: Dashboard, request: Request) -> Sight:
    asking = request.client.port if request.client else 0
    return page_sight(dashboard.sight, dashboard.port, asking)


def _note(dashboard: Dashboard, session: BrowserSession, said: str) -> None:
    """Have a decision told on the terminal, and on the next page."""
    said = f"{said.removesuffix('.')}."
    dashboard.tell(f"Decided on the page: {said}")
    session.said.append(said)


def _to(path: str) -> Response:
    own = path if path.startswith("/") and path[1:2] not in {"/", "\\"} else "/"
    return RedirectResponse(own, 303)


Deed = Callable[[Dashboard, Request], Awaitable[Response]]


def _telling(deed: Deed) -> Deed:
    """The deed; what is wrong with its form is a page, too."""

    async def told(dashboard: Dashboard, request: Request) -> Response:
        try:
            return await deed(dashboard, request)
        except LearntError as error:
            code = (
                413 if isinstance(error, TooLarge) else 403 if isinstance(error, Refused) else 400
            )
            return dashboard.trouble(request, code, str(error))

    return told


DEEDS: Final[Mapping[str, Deed]] = {
    "/trust": _telling(_trusted),
    "/review/undo": _telling(_undone),
    ITEM.path: _telling(_decided),
}

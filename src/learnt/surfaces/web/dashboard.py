"""`learnt dashboard` as a process: its port, link and phrase, routes, decisions, the live part.

What changes something is a form of the dashboard's own pages, sent by a person. Each goes through
the same checks: the session's word, the phrase of the terminal once a session, and that what is
decided on is what was shown. It is recorded as a person's, with what was seen of them, and told on
the terminal.
"""

import asyncio
import logging
import socket
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from hmac import compare_digest
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qsl

import uvicorn
from msgspec import field
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp

from learnt.core.events import Actor, Sight
from learnt.core.governance.review import ReviewChoice
from learnt.core.identifiers import ENTRY_ID, EntryId
from learnt.core.records import Record
from learnt.errors import (
    Conflict,
    EnvironmentTrouble,
    LearntError,
    NotFound,
    Refused,
    UsageError,
    raised_at,
)
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.review_choices import ReviewAnswer, ReviewDone, choose, undo
from learnt.formats.sheet_md import read
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.processes import own_sight, page_sight
from learnt.stores.system import SystemRandom
from learnt.surfaces.cli.evolve import carry_out
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.open_home import code_on_disk
from learnt.surfaces.web.gate import ENTRANCE, LARGEST_BODY, BrowserSession, GatedApp, Keys
from learnt.surfaces.web.pages import (
    LOOKING,
    PLACES,
    KeptQueue,
    Page,
    Templates,
    Visit,
    static_files,
)
from learnt.surfaces.web.review_page import ITEM, REVIEW, ReviewedItem, call_of, path_of, reviewed

PAGES: Final = (*LOOKING, REVIEW, ITEM)

MOST_UNDONE: Final = 5  # decisions of a browser that its pages offer to take back
TROUBLE: Final = Page("", "That did not work", "", "trouble.html", lambda visit: visit)
_CODES: Final[Mapping[type[Exception], int]] = {
    NotFound: 404,
    Conflict: 409,
    EnvironmentTrouble: 503,
}
_UPGRADED: Final = (
    "Learnt was upgraded while this dashboard ran. Nothing was read or changed: end it in its "
    "terminal (Ctrl-C) and start it again."
)


class Dashboard(Record, kw_only=True):
    """What one dashboard is made of.

    `tell` prints a line on the terminal that started it; `sight` is what was seen there of the
    person; `current` is False once the files of this Learnt were replaced.
    """

    ledgers: Ledgers
    keys: Keys
    port: int
    folder: str
    tell: Callable[[str], None]
    sight: Sight
    current: Callable[[], bool] = lambda: True
    pages: tuple[Page, ...] = PAGES
    waiting: KeptQueue = field(default_factory=KeptQueue)
    templates: Templates = field(default_factory=Templates)

    def ledger(self, page: Page) -> LedgerThread:
        """The thread that a page's work is done in."""
        return self.ledgers.slow if page.slow else self.ledgers.quick

    def visit(self, outside: Outside, page: Page, request: Request) -> Visit:
        """What a request asks a page for, in its thread."""
        return Visit(
            outside=outside,
            settings=self.ledger(page).settings,
            folder=self.folder,
            named=request.path_params,
            asked=request.query_params,
            waiting=self.waiting,
        )

    def filled(
        self,
        session: BrowserSession | None,
        page: Page,
        values: Mapping[str, object],
        code: int = 200,
    ) -> Response:
        """A page filled, with what every page has around it."""
        first = {each.place: each.path for each in reversed(self.pages)}
        known = session or BrowserSession("")
        around = {
            "page": page,
            "places": [(place, first[place]) for place in PLACES if session and place in first],
            "said": known.messages[:],
            "trusted": known.trusted,
            "word": known.word,
            "done": list(known.done.items())[-MOST_UNDONE:],
            "folder": self.folder,
            "moment": "",
            "problem": "",
            "typed": defaultdict(str),
        }
        text = self.templates.page(page.template, around | dict(values))
        known.messages.clear()  # it is on the page
        return HTMLResponse(text, code)

    def trouble(self, request: Request, code: int, text: str) -> Response:
        """A page that says what is wrong."""
        return self.filled(session_of(request), TROUBLE, {"text": text}, code)


def session_of(request: Request) -> BrowserSession | None:
    """The browser's session, which the gate found; None at the entrance alone."""
    session: BrowserSession | None = request.state.session
    return session


def code_of(error: LearntError) -> int:
    """The status of an answer that tells an error."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), 400)


async def answered(
    dashboard: Dashboard,
    request: Request,
    ledger: LedgerThread,
    work: Callable[[Outside], Response],
) -> Response:
    """What the work gives; where it raises, a page that says what is wrong."""
    if not dashboard.current():
        return dashboard.trouble(request, 503, _UPGRADED)
    try:
        return await asyncio.wrap_future(ledger.submit(work))
    except LearntError as error:
        return dashboard.trouble(request, code_of(error), str(error))
    except Exception as error:  # noqa: BLE001  # the server's boundary: one bad page, one answer
        told = f"{type(error).__name__} at {raised_at(error)}"
        logging.getLogger(__name__).error("%s: %s", request.url.path, told)
        return dashboard.trouble(
            request,
            500,
            f"Something in Learnt went wrong ({told}). Nothing more was done; the dashboard goes "
            "on, and `learnt doctor` looks for what is broken.",
        )


# Decisions.

SECONDS: Final = 10.0  # for all of a form
MOST_FIELDS: Final = 20
PERSON: Final = Decider(actor=Actor.HUMAN)
Fields = Mapping[str, str]


class TooLarge(UsageError):
    """A form has more bytes than any of ours."""


class Form(Record):
    """A form of a session's own pages, sent to the dashboard."""

    dashboard: Dashboard
    request: Request
    session: BrowserSession
    fields: Fields

    def refuse_unseen(self, now: str, shown: str) -> None:
        """Raise Refused before the phrase was typed, Conflict where something else was shown."""
        if not self.session.trusted:
            raise Refused(
                "Type the phrase first that the terminal shows which started the dashboard. "
                "Nothing was decided."
            )
        if now != shown:
            raise Conflict(
                "It is not what it was when the page was shown to you. Nothing was decided: this "
                "is how it is now."
            )

    def sight(self) -> Sight:
        """What was seen of the person: on the terminal, and of the browser that asks."""
        asking = self.request.client.port if self.request.client else 0
        return page_sight(self.dashboard.sight, self.dashboard.port, asking)

    def note(self, done: str) -> None:
        """Have a decision told on the terminal, and on the next page."""
        done = f"{done.removesuffix('.')}."
        self.dashboard.tell(f"Decided on the page: {done}")
        self.session.messages.append(done)


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


async def _trust(form: Form) -> Response:
    """The phrase of the terminal: from then on the browser's decisions are the person's."""
    keys, tell = form.dashboard.keys, form.dashboard.tell
    before = keys.phrase
    try:
        keys.trust(form.session, form.fields.get("phrase", ""))
    except Refused as error:
        tell("A wrong phrase was typed on the page.")
        if keys.phrase != before:
            tell(f"There is another phrase now:\n\n  {keys.phrase}\n")
        form.session.messages.append(str(error))
    else:
        tell("The phrase was typed on the page: what is decided there counts as yours.")
    return _to(form.fields.get("back", REVIEW.path))


async def _decide(form: Form) -> Response:
    """A decision on one item."""
    dashboard, session, fields = form.dashboard, form.session, form.fields

    def work(outside: Outside) -> Response:
        visit = dashboard.visit(outside, ITEM, form.request)
        try:
            view = reviewed(visit)
            form.refuse_unseen(view.seen, fields.get("seen", ""))
            with outside.ledger.told(form.sight()):
                done = _done(visit, view, fields)
        except EnvironmentTrouble:
            raise
        except LearntError as error:
            typed = defaultdict(str, fields)
            values = {"answer": reviewed(visit), "problem": str(error), "typed": typed}
            return dashboard.filled(session, ITEM, values, code_of(error))
        visit.waiting.decided(outside, view.item)
        form.note(done.said)
        session.done[max(session.done, default=0) + 1] = done
        there = view.after or view.before
        return _to(REVIEW.path if there is None else path_of(there))

    return await answered(dashboard, form.request, dashboard.ledger(ITEM), work)


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


async def _undo(form: Form) -> Response:
    """Take one of this browser's decisions back."""
    dashboard, decisions = form.dashboard, form.session.done
    number = form.fields.get("number", "")

    def work(outside: Outside) -> Response:
        form.refuse_unseen("", "")
        done = decisions.get(int(number)) if number.isdecimal() else None
        if done is None:
            raise NotFound("That decision is not of this browser, or was taken back before.")
        with outside.ledger.told(form.sight()):
            taken_back = undo(outside, done, PERSON)
        dashboard.waiting.forget()
        del decisions[int(number)]
        form.note(taken_back)
        return _to(path_of(done.item))

    return await answered(dashboard, form.request, dashboard.ledger(ITEM), work)


def _own(path: str) -> str:
    """A path of the dashboard's; the first page's for an address elsewhere."""
    return path if path.startswith("/") and path[1:2] not in {"/", "\\"} else "/"


def _to(path: str) -> Response:
    return RedirectResponse(_own(path), 303)


async def _deed(
    do: Callable[[Form], Awaitable[Response]], dashboard: Dashboard, request: Request
) -> Response:
    """What a form asks for; what is wrong with the form is a page, too."""
    session = session_of(request)
    assert session is not None  # the gate lets nobody else in here
    try:
        return await do(Form(dashboard, request, session, await _fields(request, session)))
    except LearntError as error:
        code = 413 if isinstance(error, TooLarge) else 403 if isinstance(error, Refused) else 400
        return dashboard.trouble(request, code, str(error))


# The process.

PORT: Final = 4747
HOST: Final = "127.0.0.1"


def serve(
    settings: Callable[[], Settings],
    folder: str,
    port: int | None,
    tell: Callable[[str], None],
    open_browser: Callable[[str], bool] | None,
) -> int:
    """Serve the dashboard until a signal ends it; always 0. Raises EnvironmentTrouble.

    `open_browser` opens an address; False where it cannot.
    """
    try:
        listening = bound(port or PORT)
    except OSError as error:
        if port:
            raise EnvironmentTrouble(
                f"Port {port} of this machine cannot be had ({error.strerror}). Nothing was "
                "started; without --port a free one is taken."
            ) from error
        tell(f"Port {PORT} is taken ({error.strerror}); another one is used.")
        listening = bound(0)
    port = int(listening.getsockname()[1])
    keys = Keys(SystemRandom())
    before = code_on_disk()
    ledgers = Ledgers(*(LedgerThread(settings, looks=True) for _ in range(2)))
    dashboard = Dashboard(
        ledgers=ledgers,
        keys=keys,
        port=port,
        folder=folder,
        tell=tell,
        sight=own_sight(),
        waiting=KeptQueue(ledgers.slow.submit),
        current=lambda: before is not None and code_on_disk() == before,
    )
    ledgers.quick.submit(lambda outside: dashboard.waiting.items(outside, folder))
    link = _link(keys, port)
    tell(f"The dashboard of {settings().home}, for {folder}")
    tell(f"Open this link; it works once:\n\n  {link}\n")
    tell(f"Before your first decision the page asks for this phrase:\n\n  {keys.phrase}\n")
    tell("Enter shows another link, for another browser. Ctrl-C ends the dashboard.")
    if open_browser is not None and not open_browser(link):
        tell("No browser could be opened here: open the link yourself.")

    def read() -> None:
        with suppress(OSError, ValueError):  # the terminal is gone
            while sys.stdin.readline():
                keys.new_token()
                tell(f"  {_link(keys, port)}")

    Thread(target=read, daemon=True).start()
    try:
        with suppress(KeyboardInterrupt):  # how it is ended
            served = server_of(make_app(dashboard), log_level="error", timeout_graceful_shutdown=1)
            served.run(sockets=[listening])
    finally:
        ledgers.close()
    tell("The dashboard has ended.")
    return 0


def _link(keys: Keys, port: int) -> str:
    return f"http://{HOST}:{port}{ENTRANCE}?token={keys.token}"


BEHIND: Final = "behind"  # the moment of a page whose queue is being drawn up
LOOK_EVERY: Final = 1.0  # seconds between two looks for something new
HEARTBEAT: Final = 15  # looks after which a browser hears that there was nothing


def make_app(dashboard: Dashboard) -> ASGIApp:
    """The application behind its gate."""
    files = static_files()

    async def static(request: Request) -> Response:
        if (found := files.get(request.path_params["name"])) is None:
            return PlainTextResponse("There is no such file.\n", 404)
        return Response(found[0], media_type=found[1])

    async def nothing_there(request: Request, error: Exception) -> Response:
        return dashboard.trouble(request, 404, "There is no such page.")

    pages = [Route(p.path, partial(_page, dashboard, p), methods=["GET"]) for p in dashboard.pages]
    deeds = [
        Route(path, partial(_deed, do, dashboard), methods=["POST"])
        for path, do in (("/trust", _trust), ("/review/undo", _undo), (ITEM.path, _decide))
    ]
    app = Starlette(
        routes=[
            Route(ENTRANCE, partial(_entered, dashboard), methods=["GET"]),
            Route("/live", partial(_live, dashboard), methods=["GET"]),
            Route("/static/{name:path}", static, methods=["GET"]),
            *deeds,
            *pages,
        ],
        exception_handlers={404: nothing_there},
    )
    return GatedApp(app, dashboard.keys, dashboard.port)


async def _entered(dashboard: Dashboard, request: Request) -> Response:
    """Exchange the link's token for a cookie; who has one already goes on."""
    cookie = dashboard.keys.exchanged(request.query_params.get("token", ""))
    if cookie is None and session_of(request) is None:
        return dashboard.trouble(
            request,
            401,
            "This link was used before, or it is not whole. Press Enter in the terminal that "
            "started the dashboard: it shows another one.",
        )
    # A page of ours leads on, not a redirection: then our own origin asks, and the browser sends
    # the cookie also where another site's page held the link.
    target = _own(request.query_params.get("to", "/"))
    page = HTMLResponse(dashboard.templates.page("enter.html", {"target": target}))
    if cookie is not None:
        name = request.state.cookie
        page.set_cookie(name, cookie, path="/", httponly=True, samesite="strict")
    return page


async def _page(dashboard: Dashboard, page: Page, request: Request) -> Response:
    session = session_of(request)

    def shown(outside: Outside) -> Response:
        visit = dashboard.visit(outside, page, request)
        now = _newest(outside)  # before the look: what comes meanwhile is new to the browser
        visit.waiting.behind = False
        values = {"answer": page.look(visit), "visit": visit, "moment": now}
        if visit.waiting.behind and not page.slow:
            values["moment"] = BEHIND
        return dashboard.filled(session, page, values)

    return await answered(dashboard, request, dashboard.ledger(page), shown)


async def _live(dashboard: Dashboard, request: Request) -> Response:
    """Server-sent events: one each time that something was recorded, and nothing of what it is."""
    since = request.headers.get("last-event-id") or request.query_params.get("since", "")
    changes = _changes(dashboard.ledgers.quick, since)
    return StreamingResponse(changes, media_type="text/event-stream")


def _newest(outside: Outside) -> str:
    """What differs once anything was recorded."""
    with outside.ledger.reading() as reader:
        return str(reader.moment()[0])


async def _changes(ledger: LedgerThread, before: str) -> AsyncIterator[str]:
    quiet = 0
    yield "retry: 3000\n\n"
    if before == BEHIND:
        await asyncio.sleep(LOOK_EVERY)
    while True:
        now = await _asked(ledger)
        quiet += 1
        if now != before:
            before, quiet = now, 0
            yield f"id: {now}\nevent: changed\ndata:\n\n"
        elif quiet % HEARTBEAT == 0:
            yield ": nothing new\n\n"  # a browser that is gone is noticed by this
        await asyncio.sleep(LOOK_EVERY)


async def _asked(ledger: LedgerThread) -> str:
    """The newest, or the trouble with it: that this changes is worth a new look, too."""
    try:
        return await asyncio.wrap_future(ledger.submit(_newest))
    except LearntError as error:
        return type(error).__name__


def bound(port: int) -> socket.socket:
    """A socket of this machine alone. Raises OSError where the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(64)  # a client may be quicker than the server's start
    except OSError:
        listening.close()
        raise
    return listening


def server_of(app: ASGIApp, **more: Any) -> uvicorn.Server:
    """The server of an application, which trusts nothing that its clients say of themselves."""
    config = uvicorn.Config(
        app, loop="asyncio", http="h11", ws="none", access_log=False, server_header=False,
        proxy_headers=False, **more,
    )  # fmt: skip
    return uvicorn.Server(config)

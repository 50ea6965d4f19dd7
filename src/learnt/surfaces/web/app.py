"""The dashboard's application: routes to pages, what goes wrong as a page, and the live part."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from learnt.core.events import Sight
from learnt.errors import Conflict, EnvironmentTrouble, LearntError, NotFound, raised_at
from learnt.ports import Outside
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.web.gate import ENTRANCE, BrowserSession, Gate, Keys
from learnt.surfaces.web.pages import PLACES, Page, Visit
from learnt.surfaces.web.registry import PAGES
from learnt.surfaces.web.rendering import Templates, static_files

LOOK_EVERY: Final = 1.0  # seconds between two looks for something new
HEARTBEAT: Final = 15  # looks after which a browser hears that there was nothing
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
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
    templates: Templates = field(default_factory=Templates)

    @property
    def places(self) -> list[tuple[str, str]]:
        """The navigation: each place with the path of its first page."""
        first = {page.place: page.path for page in reversed(self.pages)}
        return [(place, first[place]) for place in PLACES if place in first]

    def ledger(self, page: Page) -> LedgerThread:
        """The thread that a page's work is done in."""
        return self.ledgers.slow if page.slow else self.ledgers.quick

    def shown(
        self, session: BrowserSession | None, page: Page, values: Mapping[str, object], code: int
    ) -> Response:
        """A page filled, with what every page has around it."""
        around = {
            "page": page,
            "places": self.places if session else [],
            "said": session.said[:] if session else [],
            "trusted": session is not None and session.trusted,
            "word": session.word if session else "",
            "folder": self.folder,
        }
        text = self.templates.page(page.template, around | dict(values))
        if session:
            session.said.clear()  # it is on the page
        return HTMLResponse(text, code)


TROUBLE: Final = Page(
    path="", title="That did not work", place="", template="trouble.html", look=lambda visit: visit
)


def make_app(dashboard: Dashboard) -> ASGIApp:
    """The application behind its gate."""
    files = static_files()

    async def static(request: Request) -> Response:
        if (found := files.get(request.path_params["name"])) is None:
            return PlainTextResponse("There is no such file.\n", 404)
        return Response(found[0], media_type=found[1])

    async def nothing_there(request: Request, error: Exception) -> Response:
        return _trouble(dashboard, request, 404, "There is no such page.")

    app = Starlette(
        routes=[
            Route(ENTRANCE, partial(_entered, dashboard), methods=["GET"]),
            Route("/live", partial(_live, dashboard), methods=["GET"]),
            Route("/static/{name:path}", static, methods=["GET"]),
            *(
                Route(p.path, partial(_page, dashboard, p), methods=["GET"])
                for p in dashboard.pages
            ),
        ],
        exception_handlers={404: nothing_there},
    )
    return Gate(app, dashboard.keys, dashboard.port)


async def _entered(dashboard: Dashboard, request: Request) -> Response:
    """Exchange the link's token for a cookie; who has one already goes on."""
    cookie = dashboard.keys.exchanged(request.query_params.get("token", ""))
    if cookie is None and session_of(request) is None:
        return _trouble(
            dashboard,
            request,
            401,
            "This link was used before, or it is not whole. Press Enter in the terminal that "
            "started the dashboard: it shows another one.",
        )
    # A page of ours leads on, not a redirection: then our own origin asks, and the browser sends
    # the cookie also where another site's page held the link.
    target = request.query_params.get("to", "/")
    target = target if target.startswith("/") and target[1:2] not in {"/", "\\"} else "/"
    page = HTMLResponse(dashboard.templates.page("enter.html", {"target": target}))
    if cookie is not None:
        name = request.state.cookie
        page.set_cookie(name, cookie, path="/", httponly=True, samesite="strict")
    return page


def session_of(request: Request) -> BrowserSession | None:
    """The browser's session, which the gate found; None at the entrance alone."""
    session: BrowserSession | None = request.state.session
    return session


async def _page(dashboard: Dashboard, page: Page, request: Request) -> Response:
    session, ledger = session_of(request), dashboard.ledger(page)

    def shown(outside: Outside) -> Response:
        visit = Visit(
            outside=outside,
            settings=ledger.settings,
            folder=dashboard.folder,
            named=request.path_params,
            asked=request.query_params,
        )
        values = {"answer": page.look(visit), "visit": visit}
        return dashboard.shown(session, page, values, 200)

    return await answered(dashboard, request, ledger, shown)


async def answered(
    dashboard: Dashboard,
    request: Request,
    ledger: LedgerThread,
    work: Callable[[Outside], Response],
) -> Response:
    """What the work gives; where it raises, a page that says what is wrong."""
    if not dashboard.current():
        return _trouble(
            dashboard,
            request,
            503,
            "Learnt was upgraded while this dashboard ran. Nothing was read or changed: end it in "
            "its terminal (Ctrl-C) and start it again.",
        )
    try:
        return await asyncio.wrap_future(ledger.submit(work))
    except LearntError as error:
        codes = {NotFound: 404, Conflict: 409, EnvironmentTrouble: 503}
        code = next((code for kind, code in codes.items() if isinstance(error, kind)), 400)
        return _trouble(dashboard, request, code, str(error))
    except Exception as error:  # noqa: BLE001  # the server's boundary: one bad page, one answer
        told = f"{type(error).__name__} at {raised_at(error)}"
        logging.getLogger(__name__).error("%s: %s", request.url.path, told)
        return _trouble(
            dashboard,
            request,
            500,
            f"Something in Learnt went wrong ({told}). Nothing more was done; the dashboard goes "
            "on, and `learnt doctor` looks for what is broken.",
        )


def _trouble(dashboard: Dashboard, request: Request, code: int, text: str) -> Response:
    return dashboard.shown(session_of(request), TROUBLE, {"text": text}, code)


async def _live(dashboard: Dashboard, request: Request) -> Response:
    """Server-sent events: one each time that something was recorded, and nothing of what it is."""
    return StreamingResponse(_changes(dashboard.ledgers.quick), media_type="text/event-stream")


async def _changes(ledger: LedgerThread) -> AsyncIterator[str]:
    def moment(outside: Outside) -> tuple[int, ...]:
        with outside.ledger.reading() as reader:
            return reader.moment()[:1]

    before: object = await _asked(ledger, moment)
    yield "retry: 3000\n\n"
    quiet = 0
    while True:
        await asyncio.sleep(LOOK_EVERY)
        now = await _asked(ledger, moment)
        quiet += 1
        if now != before:
            before, quiet = now, 0
            yield "event: changed\ndata:\n\n"
        elif quiet % HEARTBEAT == 0:
            yield ": nothing new\n\n"  # a browser that is gone is noticed by this


async def _asked(ledger: LedgerThread, moment: Callable[[Outside], tuple[int, ...]]) -> object:
    """The newest stamp, or the trouble with it: that this changes is worth a new look, too."""
    try:
        return await asyncio.wrap_future(ledger.submit(moment))
    except LearntError as error:
        return type(error)

"""`learnt dashboard` as a process: port, link and phrase, routes, the live part, its end."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from learnt.errors import EnvironmentTrouble, LearntError
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.processes import own_sight
from learnt.stores.system import SystemRandom
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.open_home import code_on_disk
from learnt.surfaces.web.dashboard import Dashboard, answered, session_of
from learnt.surfaces.web.deciding import DEEDS
from learnt.surfaces.web.gate import ENTRANCE, GatedApp, Keys
from learnt.surfaces.web.kept_queue import KeptQueue
from learnt.surfaces.web.pages import Page, static_files

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
        Route(path, partial(deed, dashboard), methods=["POST"]) for path, deed in DEEDS.items()
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
    target = request.query_params.get("to", "/")
    target = target if target.startswith("/") and target[1:2] not in {"/", "\\"} else "/"
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

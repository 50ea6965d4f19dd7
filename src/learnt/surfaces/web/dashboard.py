"""One dashboard: its pages, how they are filled, and what becomes of an error."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import field
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from learnt.core.events import Sight
from learnt.core.records import Record
from learnt.errors import Conflict, EnvironmentTrouble, LearntError, NotFound, raised_at
from learnt.flows.governance import signals
from learnt.flows.governance.explain import chapter, latest
from learnt.flows.governance.survey import holdings, week
from learnt.flows.health.report import last_episodes
from learnt.ports import Outside
from learnt.surfaces.answers.home import as_episode
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.model_probes import Probe
from learnt.surfaces.probes import probes
from learnt.surfaces.web import knowledge_pages, review_page, session_pages, skill_pages
from learnt.surfaces.web.gate import BrowserSession, Keys
from learnt.surfaces.web.kept_queue import KeptQueue
from learnt.surfaces.web.pages import A_PART, PLACES, Answer, Page, Templates, Visit, part_at
from learnt.surfaces.web.review_page import sorts_of

MOMENTS: Final = 8
EPISODES: Final = 5


def today(visit: Visit) -> Answer:
    """The first screen, and what is below it: what there is, of the last seven days."""
    outside = visit.outside
    return dict(
        known=holdings(outside, visit.folder),
        waits=sorts_of(visit.waiting.items(outside, visit.folder)),
        week=week(outside),
        moments=signals.recent(outside, MOMENTS),
        episodes=[as_episode(each) for each in last_episodes(outside, EPISODES)],
    )


TODAY: Final = Page("/", "Today", "Today", "today.html", today)


_ORDER: Final = ("problem", "warning", "ok")


def doctor(visit: Visit) -> list[Probe]:
    """Every part, the worst first."""
    found = probes(visit.settings, Path(visit.folder), looks=True)
    return sorted(found, key=lambda probe: _ORDER.index(probe.level))


DOCTOR: Final = Page("/doctor", "Doctor", "Doctor", "doctor.html", doctor, slow=True)


def ledger(visit: Visit) -> Answer:
    """The latest events, or those before a moment."""
    text = visit.asked.get("before", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
    events, more = latest(visit.outside, A_PART, asked)
    return dict(events=events, before_ms=more, older_than=asked)


def story(visit: Visit) -> Answer:
    """Why something is as it is, by any id. Raises NotFound."""
    name = visit.named.get("name") or visit.asked.get("id", "").strip()
    told, steps = chapter(visit.outside, name, visit.number("part"), A_PART)
    part = part_at(steps, len(steps) + told.left_out, A_PART)
    return dict(name=name, story=told, part=part)


LEDGER: Final = Page("/ledger", "Ledger", "Ledger", "ledger.html", ledger)
ASKED_WHY: Final = Page("/why", "Why", "Ledger", "why.html", story)
WHY: Final = Page("/ledger/{name:path}", "Why", "Ledger", "why.html", story)

PAGES: Final[tuple[Page, ...]] = (
    TODAY,
    review_page.REVIEW,
    review_page.ITEM,
    knowledge_pages.LIST,
    knowledge_pages.ENTRY,
    knowledge_pages.DECAY,
    skill_pages.SKILLS,
    skill_pages.SKILL,
    skill_pages.MEASURED,
    session_pages.LIST,
    session_pages.MISSED,
    session_pages.ONE,
    LEDGER,
    ASKED_WHY,
    WHY,
    DOCTOR,
)


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
            "said": known.said[:],
            "trusted": known.trusted,
            "word": known.word,
            "done": list(known.done.items())[-MOST_UNDONE:],
            "folder": self.folder,
            "moment": "",
            "problem": "",
            "typed": defaultdict(str),
        }
        text = self.templates.page(page.template, around | dict(values))
        known.said.clear()  # it is on the page
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

"""What is looked at: each page as a function, with its template, and the queue between requests.

A page is a function from a `Visit` to what its template gets as `answer`, and a `Page` that names
it. None of these pages changes anything; `dashboard.py` has what does, `review_page.py` the page
on which a person decides.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final, Generic, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import field
from msgspec.structs import asdict, replace

import learnt
from learnt.core.events import Kind
from learnt.core.governance.review import ReviewSort
from learnt.core.health.effects import growth
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.confidence import TRUST_AT, VERIFY_AT, Belief, confidence, trust
from learnt.core.knowledge.kinds import policy
from learnt.core.records import Record
from learnt.core.skills.skills import key_of
from learnt.core.visible_text import spelled_out
from learnt.errors import LearntError, NotFound
from learnt.flows.governance import signals
from learnt.flows.governance.explain import chapter, latest
from learnt.flows.governance.listing import ProposalTexts, diff, missed_of_late, shown
from learnt.flows.governance.review import ReviewItem, queue, still_waits
from learnt.flows.governance.survey import holdings, week
from learnt.flows.health import report
from learnt.flows.health import trial as trials
from learnt.flows.health.effects import measured, most_measured
from learnt.flows.health.evaluate import comparisons
from learnt.flows.knowledge import browse
from learnt.flows.knowledge.relating import said_for
from learnt.flows.knowledge.standing import standing_of
from learnt.flows.recall.conversations import SaidTurn, said_in, search_sessions
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.sessions.turn_texts import latest_sessions, session_named
from learnt.flows.skills.catalogue import subject_of
from learnt.flows.skills.versions import history
from learnt.formats.injection import day, moment
from learnt.ports import Ledger, Outside
from learnt.settings import Settings
from learnt.surfaces.answers.home import Probe, as_episode, effect_in_words, effects_told
from learnt.surfaces.answers.memories import listed
from learnt.surfaces.answers.versions import trial_told
from learnt.surfaces.probes import probes
from learnt.surfaces.skills_here import open_shelf, skill_answer

T = TypeVar("T")
Answer = dict[str, object]  # what a template is given, by name
A_PART: Final = 50  # rows of a list that is shown in parts
# The places of the navigation, in their order.
PLACES: Final = ("Today", "Review", "Knowledge", "Skills", "Sessions", "Ledger", "Doctor")

HOLDS, PATIENCE = 60.0, 0.1  # seconds
RESTS: Final = 4  # times as long as it took to draw it up, if that was long
# Without what agents and hooks report all day, and what changes the order alone.
_CHANGES: Final = frozenset(Kind) - {
    Kind.RECALLED, Kind.MISSED, Kind.NOT_DELIVERED, Kind.REUSED, Kind.SESSION_STARTED,
    Kind.SESSION_LINKED, Kind.SESSION_ENDED, Kind.EPISODE_CLOSED, Kind.PROJECT_SEEN, Kind.HARVESTED,
}  # fmt: skip


class KeptQueue:
    """The queue between requests: over a full ledger it takes a second to draw it up.

    It holds until an event says that something else may wait, at most a minute: what fades or
    changes on the disk comes without one. What the page's own decisions take out is taken out at
    once. It is for one thread at a time, beside that of `later`: this does work in another thread,
    so that nobody waits long for a queue that was drawn up before; they get the former one, and it
    is `behind`.
    """

    def __init__(
        self,
        later: Callable[[Callable[[Outside], None]], "Future[None]"] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._later, self._now = later, now
        self._ledger: Ledger | None = None
        self._items: list[ReviewItem] = []
        self._moment: tuple[int, ...] = ()
        self._until = self._rests = 0.0
        self._drawing: Future[None] | None = None
        self._decisions = 0
        self.behind = False

    def items(self, outside: Outside, folder: str) -> list[ReviewItem]:
        """What waits, what is worth most first."""
        known, self.behind = self._ledger is outside.ledger, False
        if known and self._holds(outside):
            return self._items
        draw = partial(self._draw, outside.ledger, folder, self._decisions)
        if not known or self._later is None:
            draw(outside)
            return self._items
        if (self._drawing is None or self._drawing.done()) and self._now() >= self._rests:
            self._drawing = self._later(draw)
        with suppress(TimeoutError):
            if self._drawing is not None:
                self._drawing.result(PATIENCE)
        self.behind = not self._holds(outside)
        return self._items

    def _holds(self, outside: Outside) -> bool:
        with outside.ledger.reading() as reader:
            return self._now() < self._until and not reader.touched(self._moment, _CHANGES)

    def _draw(self, ledger: Ledger, folder: str, decisions: int, outside: Outside) -> None:
        began = self._now()
        with outside.ledger.reading() as reader:
            before = reader.moment()
        items = queue(outside, folder)
        if (took := self._now() - began) > PATIENCE:  # so that other pages get their turn
            self._rests = self._now() + RESTS * took
        if decisions == self._decisions:  # else it has what was decided meanwhile
            self._items, self._moment = items, before
            self._ledger, self._until = ledger, self._now() + HOLDS

    def decided(self, outside: Outside, item: ReviewItem) -> None:
        """Take out what was decided on; the rest holds on, each looked at before it is shown."""
        self._items = [
            each for each in self._items if each.id != item.id or still_waits(outside, each)
        ]
        self._decisions += 1
        with outside.ledger.reading() as reader:
            self._moment = reader.moment()

    def as_now(self, outside: Outside, item: ReviewItem) -> ReviewItem | None:
        """An item of it as it is now; None where it is another one by now, or waits no more."""
        if not still_waits(outside, item):
            return None
        if isinstance(item.found, ProposalTexts):
            return replace(item, found=shown(outside, item.id))
        with outside.ledger.reading() as reader:
            for part in item.parts:
                entry = entry_of(reader, part.id)
                if entry is None or note_of(reader, entry).said != part.text:
                    return None
        return item

    def forget(self) -> None:
        """Have it drawn up again."""
        self._ledger = None


class Visit(Record, kw_only=True):
    """One request for a page: the home as it is open now, and what was asked.

    `folder` is that of the project; `named` are the parts of the path that the page's route names,
    `asked` the fields of the query, `waiting` what waits for a person. Each flow takes a fresh look
    at the ledger.
    """

    outside: Outside
    settings: Settings
    folder: str
    named: Mapping[str, str]
    asked: Mapping[str, str]
    waiting: KeptQueue = field(default_factory=KeptQueue)

    def number(self, field: str, default: int = 1) -> int:
        """A field that is a whole number from 1; the default where it is none."""
        text = self.asked.get(field, "")
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 9 else default


class Page(Record):
    """A page. `place` is the place of the navigation that it belongs to.

    `vendor` are files of static/vendor that it needs besides.
    """

    path: str
    title: str
    place: str
    template: str
    look: Callable[[Visit], object]
    vendor: tuple[str, ...] = ()
    slow: bool = False  # it may read all there is: what is quick does not wait for it


class ListPart(Record, Generic[T], kw_only=True):
    """A part of a long list: `number` of `parts`, from 1."""

    rows: Sequence[T]
    number: int
    parts: int
    total: int


def part_of(rows: Sequence[T], number: int, most: int = A_PART) -> ListPart[T]:
    """One part of a list, the last one where there are not so many.

    >>> part_of("abcde", 2, most=2)
    ListPart(rows='cd', number=2, parts=3, total=5)
    """
    parts = max(1, -(-len(rows) // most))
    number = min(max(number, 1), parts)
    part = rows[(number - 1) * most : number * most]
    return ListPart(rows=part, number=number, parts=parts, total=len(rows))


FOLDER: Final = Path(__file__).parent
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def _shown(value: object) -> object:
    """What stands on the page for a value, by the rule of the terminal."""
    if isinstance(value, Markup):
        return Markup(spelled_out(value))  # escaped by then, and this adds no sign of markup
    return spelled_out(value) if isinstance(value, str) else value


class Templates:
    """All templates, read at the start: a newer Learnt on the disk changes none of them."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_shown,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
        )
        self._environment.filters |= {
            "day": day,
            "moment": moment,
            "share": lambda part: "not known" if part is None else f"{part:.0%}",
        }
        self._environment.globals["version"] = learnt.__version__
        for name in self._environment.list_templates():
            self._environment.get_template(name)

    def page(self, template: str, values: Mapping[str, object]) -> str:
        """A template filled."""
        return self._environment.get_template(template).render(values)


def static_files() -> dict[str, tuple[bytes, str]]:
    """The files of static/ by their names, each with its type: none other is ever looked for."""
    folder = FOLDER / "static"
    return {
        str(path.relative_to(folder)): (path.read_bytes(), TYPES[path.suffix])
        for path in sorted(folder.rglob("*"))
        if path.suffix in TYPES
    }


def sorts_of(items: Sequence[ReviewItem]) -> list[tuple[ReviewSort, int]]:
    """How much of each sort waits, in the order of the sorts."""
    counts = Counter(item.sort for item in items)
    return [(sort, counts[sort]) for sort in ReviewSort if counts[sort]]


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
        episodes=[as_episode(each) for each in report.last_episodes(outside, EPISODES)],
    )


_ORDER: Final = ("problem", "warning", "ok")


def doctor(visit: Visit) -> list[Probe]:
    """Every part, the worst first."""
    found = probes(visit.settings, Path(visit.folder), looks=True)
    return sorted(found, key=lambda probe: _ORDER.index(probe.level))


def ledger(visit: Visit) -> Answer:
    """The latest events, or those before a moment."""
    text = visit.asked.get("before", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
    events, more = latest(visit.outside, A_PART, asked)
    return dict(events=events, before_ms=more, older_than=asked)


def story(visit: Visit) -> Answer:
    """Why something is as it is, by any id. Raises NotFound."""
    name = visit.named.get("name") or visit.asked.get("id", "").strip()
    page = chapter(visit.outside, name, visit.number("part"), A_PART)
    steps = range(len(page.events) + page.left_out)
    return dict(name=name, story=page, part=part_of(steps, visit.number("part")))


# Knowledge: what is known, one entry, and how confidence fades.

STEPS: Final = 20  # of a history, in one part


def knowledge(visit: Visit) -> Answer:
    """What was asked for, and the entries that fit, a part of them whole."""
    fields = {
        name: visit.asked.get(name, "") for name in ("words", "kind", "trust", "stage", "topic")
    }
    marks = {name: bool(visit.asked.get(name)) for name in ("disputed", "everywhere")}
    asked = browse.Filters(**fields, **marks)  # type: ignore[arg-type]  # each by its name
    found = browse.known(visit.outside, visit.folder, asked)
    part = part_of(found.heads, visit.number("part"))
    hits = browse.shown(visit.outside, visit.folder, (head.id for head in part.rows))
    return dict(
        asked=asdict(asked),
        counts=found.counts,
        all=found.all,
        part=part,
        entries=listed(hits).entries,
    )


def entry(visit: Visit) -> Answer:
    """An entry by its id: what it says, how it stands, how that came. Raises NotFound.

    `arguments` are for it and its rivals; `effect` is empty where no coin ever decided on it.
    """
    outside, name = visit.outside, EntryId(visit.named["name"])
    hits = browse.shown(outside, visit.folder, [name])
    if not hits:
        raise NotFound(f"There is no entry {name}. Knowledge lists those that there are.")
    of = hits[0].entry
    number = visit.number("part")
    page = chapter(outside, entry_subject(name), number, STEPS)
    known = measured(outside, name) if of.live and of.units else []
    return dict(
        entry=listed(hits).entries[0],
        fresh=standing_of(outside, of, visit.folder),
        arguments=said_for(outside, (name, *of.disputes)),
        effect=effect_in_words(known[0].effect) if known else "",
        history=page.events,
        part=part_of(range(len(page.events) + page.left_out), number, STEPS),
    )


LONGEST: Final = 365  # days
EVERY: Final = 5  # days between two rows
_CONFIRMED: Final = date(2026, 1, 1)  # any day: what counts is how many have gone by


class Slider(Record):
    """A number that may be set: how far, in which steps, and what it is now."""

    name: str
    label: str
    told: str
    most: float
    step: float
    value: float


class DecayRow(Record):
    """The confidence after so many days, by either formula."""

    day: int
    classic: float
    posterior: float


def decay(visit: Visit) -> Answer:
    """Both formulas by what is asked, on the day and over a year.

    What is no number counts as its default; `until` has the days until below, by either formula.
    """
    kinds = visit.outside.kinds.policies
    kind = visit.asked.get("kind", "")
    kind = kind if kind in kinds else "schema"
    sliders = tuple(
        replace(slider, value=_number(visit.asked.get(slider.name, ""), slider))
        for slider in _SLIDERS
    )
    days, alpha, beta, shock = (slider.value for slider in sliders)
    belief = Belief(kind=kind, confirmed=_CONFIRMED, alpha=alpha, beta=beta, shock=shock)

    def row(day: int) -> DecayRow:
        today = _CONFIRMED + timedelta(days=day)
        return DecayRow(
            day,
            confidence(belief, today, "classic", kinds),
            confidence(belief, today, "posterior", kinds),
        )

    every = [row(day) for day in range(LONGEST + 1)]
    now = every[int(days)]
    return dict(
        kind=kind,
        kinds=kinds,
        rate=policy(kind, kinds).rate * (beta + 1) / (alpha + 1),
        sliders=sliders,
        now=now,
        trust=(trust(now.classic), trust(now.posterior)),
        until={
            name: (
                next((each.day for each in every if each.classic < least), None),
                next((each.day for each in every if each.posterior < least), None),
            )
            for name, least in (("TRUST", TRUST_AT), ("VERIFY", VERIFY_AT))
        },
        rows=[each for each in every if each.day % EVERY == 0],
    )


def _number(text: str, slider: Slider) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        return slider.value
    return min(max(round(value / slider.step) * slider.step, 0), slider.most)


_SLIDERS: Final = (
    Slider("days", "Days", "since it was last confirmed", LONGEST, 1, 90),
    Slider("successes", "Successes", "what spoke for it (α)", 20, 0.3, 0),
    Slider("failures", "Failures", "what spoke against it (β)", 20, 0.5, 1),
    Slider("shocks", "Shock", "failures that no success has answered yet (s)", 10, 0.5, 1),
)

# Sessions: searched, listed, and one with its moments and episodes; what found nothing.

FOUND: Final = 20  # turns of earlier sessions
MISSES: Final = 400  # prompts that are looked at for what they share


def sessions(visit: Visit) -> Answer:
    """Sessions, the latest first, and what was said in them."""
    words, trouble = visit.asked.get("words", "").strip(), ""
    found: tuple[SaidTurn, ...] = ()
    if words:
        try:
            asked = search_sessions(visit.outside, words, folder=visit.folder, most=FOUND)
            found = asked.turns
        except LearntError as error:
            trouble = str(error)
    part = part_of(latest_sessions(visit.outside), visit.number("part"))
    return dict(words=words, found=found, trouble=trouble, part=part)


def session(visit: Visit) -> Answer:
    """A session: what was looked for, how its episodes ended, what was said. Raises NotFound."""
    outside, name = visit.outside, visit.named["name"]
    with outside.ledger.reading() as reader:
        found = session_named(reader, name)
        if found is None:
            raise NotFound(f"No session {name} was reported. Sessions lists those that were.")
        moments = signals.recent_in(reader, found.id)
        episodes = [
            as_episode(report.quoted(reader, e)) for e in report.episodes_of(reader, found.id)
        ]
    turns: tuple[SaidTurn, ...] = ()
    unsaid = ""
    try:
        turns = said_in(outside, name, folder=visit.folder).turns
    except LearntError as error:
        unsaid = str(error)
    return dict(
        session=found,
        moments=part_of(moments, visit.number("moments")),
        episodes=part_of(episodes, visit.number("episodes")),
        said=part_of(turns, visit.number("said")),
        unsaid=unsaid,
    )


def misses(visit: Visit) -> Answer:
    """Prompts that found nothing: how many, and the groups of those that belong together."""
    found = missed_of_late(visit.outside, MISSES)
    return dict(misses=found, newest=MISSES, clusters=found.clusters)


# Skills: how they do, their texts, what trials say; and the effects of what is shown.

EFFECTS: Final = 5  # each reads many sessions


def every_skill(visit: Visit) -> ListPart[Answer]:
    """All skills that were used or can be, most executions first."""
    healths = {key_of(health.skill): health for health in report.skills(visit.outside)}
    with open_shelf(visit.outside, visit.settings, visit.folder) as on:
        there = {key: skill_answer(on, skill) for key, skill in on.known.skills.items()}
    order = [*healths, *sorted(there.keys() - healths.keys())]
    rows: list[Answer] = [
        dict(name=name, skill=there.get(name), health=healths.get(name)) for name in order
    ]
    return part_of(rows, visit.number("part"))


def skill(visit: Visit) -> Answer:
    """A skill with its texts. Raises NotFound for one that is not there and was never used.

    `diff` is between the versions `old` and `new`; the file's is "".
    """
    outside, name = visit.outside, visit.named["name"]
    healths = [each for each in report.skills(outside) if key_of(each.skill) == key_of(name)]
    with open_shelf(outside, visit.settings, visit.folder) as on:
        known = on.known.skills.get(key_of(name))
        old, new = visit.asked.get("old", ""), visit.asked.get("new", "")
        try:
            past = history(on, name)
        except NotFound:
            if not healths:
                raise
            past = None
        change = ""
        if past is not None and (old or len(past.own) > 1):
            after = past.text_of(new) if new else past.text or ""
            change = diff(f"{past.name}/SKILL.md", past.text_of(old), after)
        tried = list[Answer]()
        if known is not None:
            subject = subject_of(outside, known, on.project)
            with outside.ledger.reading() as reader:
                every = (*trials.open_trials(reader), *trials.ended_trials(reader, subject))
                for going in (each for each in every if each.subject == subject):
                    looked = trials.look(reader, going)
                    points = growth(looked.counted.uses, going.success, going.level)
                    ended = going.evaluation.verdict or ""
                    tried.append(dict(told=trial_told(looked, name), ended=ended, points=points))
        return dict(
            name=past.name if past else name,
            skill=skill_answer(on, known) if known else None,
            health=healths[0] if healths else None,
            versions=past.answer if past else None,
            old=old,
            new=new,
            diff=change,
            trials=tried,
            comparisons=comparisons(outside, name),
        )


def effects(visit: Visit) -> Answer:
    """What showing entries changes, most units first, each in words as well."""
    number = visit.number("part")
    found, total = most_measured(visit.outside, (number - 1) * EFFECTS, EFFECTS)
    told = effects_told(found)
    return dict(
        effects=told,
        said=tuple(effect_in_words(each.effect) for each in told.effects),
        part=part_of(range(total), number, EFFECTS),
    )


_CHART: Final = ("uplot.js", "uplot.css")
LOOKING: Final = (
    Page("/", "Today", "Today", "today.html", today),
    Page("/knowledge", "Knowledge", "Knowledge", "knowledge.html", knowledge),
    Page("/entry/{name}", "Entry", "Knowledge", "entry.html", entry),
    Page("/decay", "How confidence fades", "Knowledge", "decay.html", decay, vendor=_CHART),
    Page("/skills", "Skills", "Skills", "skills.html", every_skill),
    Page("/skills/{name}", "Skill", "Skills", "skill.html", skill, vendor=_CHART),
    Page("/effects", "Effects", "Skills", "effects.html", effects, slow=True),
    Page("/sessions", "Sessions", "Sessions", "sessions.html", sessions),
    Page("/misses", "Misses", "Sessions", "misses.html", misses, slow=True),
    Page("/sessions/{name}", "Session", "Sessions", "session.html", session),
    Page("/ledger", "Ledger", "Ledger", "ledger.html", ledger),
    Page("/why", "Why", "Ledger", "why.html", story),
    Page("/ledger/{name:path}", "Why", "Ledger", "why.html", story),
    Page("/doctor", "Doctor", "Doctor", "doctor.html", doctor, slow=True),
)

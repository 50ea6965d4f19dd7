"""Knowledge: what is known, one entry, and how confidence fades."""

import math
from datetime import date, timedelta
from typing import Final

from msgspec.structs import asdict, replace

from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.confidence import TRUST_AT, VERIFY_AT, Belief, confidence, trust
from learnt.core.knowledge.kinds import policy
from learnt.core.records import Record
from learnt.errors import NotFound
from learnt.flows.governance.explain import chapter
from learnt.flows.health.effects import measured
from learnt.flows.knowledge import browse
from learnt.flows.knowledge.disputes import said_for
from learnt.flows.knowledge.freshness import standing_of
from learnt.surfaces.answers.home import effect_in_words
from learnt.surfaces.answers.memories import listed
from learnt.surfaces.web.pages import Answer, Page, Visit, part_at, part_of

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
    story, steps = chapter(outside, entry_subject(name), visit.number("part"), STEPS)
    known = measured(outside, name) if of.live and of.units else []
    return dict(
        entry=listed(hits).entries[0],
        fresh=standing_of(outside, of, visit.folder),
        arguments=said_for(outside, (name, *of.disputes)),
        effect=effect_in_words(known[0].effect) if known else "",
        history=story.events,
        part=part_at(steps, len(steps) + story.left_out, STEPS),
    )


CHART: Final = ("uplot.js", "uplot.css")
LIST: Final = Page("/knowledge", "Knowledge", "Knowledge", "knowledge.html", knowledge)
ENTRY: Final = Page("/entry/{name}", "Entry", "Knowledge", "entry.html", entry)


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
        return slider.value
    if not math.isfinite(value):
        return slider.value
    return min(max(round(value / slider.step) * slider.step, 0), slider.most)


_SLIDERS: Final = (
    Slider("days", "Days", "since it was last confirmed", LONGEST, 1, 90),
    Slider("successes", "Successes", "what spoke for it (α)", 20, 0.3, 0),
    Slider("failures", "Failures", "what spoke against it (β)", 20, 0.5, 1),
    Slider("shocks", "Shock", "failures that no success has answered yet (s)", 10, 0.5, 1),
)
DECAY: Final = Page(
    "/decay", "How confidence fades", "Knowledge", "decay.html", decay, vendor=CHART
)

"""How confidence fades: both formulas, by sliders or a form; the numbers are the core's own."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from learnt.core.knowledge.confidence import TRUST_AT, VERIFY_AT, Belief, Trust, confidence, trust
from learnt.core.knowledge.kinds import Policy, policy
from learnt.surfaces.web.knowledge_pages import CHART
from learnt.surfaces.web.pages import Page, Visit

LONGEST: Final = 365  # days
EVERY: Final = 5  # days between two rows
_CONFIRMED: Final = date(2026, 1, 1)  # any day: what counts is how many have gone by


class Slider(NamedTuple):
    """A number that may be set: how far, in which steps, and what it is now."""

    name: str
    label: str
    told: str
    most: float
    step: float
    value: float


class DecayRow(NamedTuple):
    """The confidence after so many days, by either formula."""

    day: int
    classic: float
    posterior: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """What is set, and what comes of it: on the day, and over a year."""

    kind: str
    kinds: Mapping[str, Policy]
    rate: float  # a day, as these successes and failures make it
    sliders: tuple[Slider, ...]
    now: DecayRow
    trust: tuple[Trust, Trust]
    until: Mapping[str, tuple[int | None, int | None]]  # days until below, by either formula
    rows: list[DecayRow]


def decay(visit: Visit) -> Decay:
    """Both formulas by what is asked; what is no number counts as its default."""
    kinds = visit.outside.kinds.policies
    kind = visit.asked.get("kind", "")
    kind = kind if kind in kinds else "schema"
    sliders = tuple(
        slider._replace(value=_number(visit.asked.get(slider.name, ""), slider))
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
    return Decay(
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
PAGE: Final = Page(
    path="/decay",
    title="How confidence fades",
    place="Knowledge",
    template="decay.html",
    look=decay,
    vendor=CHART,
)

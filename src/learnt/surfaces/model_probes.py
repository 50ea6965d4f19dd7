"""What `doctor` tries of the models that are turned on: text model and embedder."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from learnt.bootstrap import model_budget, opened, text_model
from learnt.core.governance.model_calls import Cost, Question, told
from learnt.core.knowledge.entries import Entry
from learnt.errors import LearntError
from learnt.flows.governance.ask_model import ask as ask_a_model
from learnt.flows.governance.ask_model import spent_today
from learnt.flows.recall.meaning import embedded
from learnt.flows.stored import all_stored
from learnt.settings import OFF, Settings

_TRIAL: Final = Question("You are asked whether you can be reached.", "Say ok.", most_tokens=64)
Level = Literal["ok", "warning", "problem"]


class Probe(NamedTuple):
    """One finding: `todo` is empty where nothing is to be done."""

    name: str
    level: Level
    said: str
    todo: str = ""


def model_probes(settings: Settings, *, ask: bool) -> Iterator[Probe]:
    """Those that are turned on; what may cost money is asked only with `ask`."""
    yield from _model(settings, ask=ask)
    yield from _embedder(settings)


def _model(settings: Settings, *, ask: bool) -> Iterator[Probe]:
    """The text model that may be asked, what it cost today and, where that is wanted, a reply."""
    try:
        model = text_model(settings)
        if model is None:
            return
        budget = model_budget(settings)
        with opened(settings) as outside:
            if ask:
                ask_a_model(outside, model, budget, _TRIAL, "test")
            cost = told(spent_today(outside).cost)
    except LearntError as error:
        todo = 'Mend [models] in config.toml, or set its use to "off". Rules work without.'
        yield Probe("model", "warning", str(error), todo)
        return
    state = "answers" if ask else "not asked now (`learnt doctor --ask-model`)"
    most = told(Cost(budget.tokens_a_day, budget.micro_usd_a_day))
    yield Probe("model", "ok", f"{model.name} {state}; today {cost} of {most} are used")


def _embedder(settings: Settings) -> Iterator[Probe]:
    """Whether explicit search goes by meaning, and how many entries have vectors."""
    if settings.search.embedder == OFF:
        return
    try:
        with opened(settings) as outside:
            if outside.dense is None:
                return
            embedder, name = outside.dense.embedder, settings.search.embedder
            embedded(embedder, ["Can you be reached?"], question=True)
            with outside.ledger.reading() as reader:
                live = {entry.id for entry in all_stored(reader, Entry) if entry.live}
            held = {placed.item for placed in outside.dense.vectors(embedder.name).held()}
    except LearntError as error:
        todo = "Mend [search] in config.toml; until then search goes by words alone."
        yield Probe("embedder", "warning", str(error), todo)
        return
    said = f"{name} answers; {len(live & held):,} of {len(live):,} entries have vectors"
    todo = "" if live <= held else "The worker makes them; `learnt rebuild --vectors` does at once."
    yield Probe("embedder", "warning" if todo else "ok", said, todo)

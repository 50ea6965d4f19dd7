"""What `doctor` tries of the models that are turned on: text model and embedder."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal

from msgspec.structs import replace

from learnt.bootstrap import LOOK_MS, PATIENCE_MS, model_budget, opened, text_model
from learnt.core.governance.model_calls import Cost, Question, in_words
from learnt.core.knowledge.entries import Entry
from learnt.core.records import Record
from learnt.errors import LearntError, LedgerBusy
from learnt.flows.governance.ask_model import ask as ask_a_model
from learnt.flows.governance.ask_model import spent_today
from learnt.flows.recall.meaning import embedded
from learnt.flows.stored import all_stored
from learnt.ports import Outside
from learnt.settings import OFF, Settings

_TRIAL: Final = Question("You are asked whether you can be reached.", "Say ok.", most_tokens=64)
Level = Literal["ok", "warning", "problem"]


class Probe(Record):
    """One finding: `todo` is empty where nothing is to be done."""

    name: str
    level: Level
    said: str
    todo: str = ""


def within(
    settings: Settings,
    probe: Probe,
    look: Callable[[Outside], Iterator[Probe]],
    patience_ms: int = LOOK_MS,
) -> Iterator[Probe]:
    """What a look at the home's ledger finds; the probe with the error, where there is one."""
    try:
        with opened(settings, patience_ms=patience_ms) as outside:
            found = list(look(outside))
    except LearntError as error:
        todo = "" if isinstance(error, LedgerBusy) else probe.todo  # what is busy needs no mending
        found = [replace(probe, said=str(error), todo=todo)]
    yield from found


def model_probes(settings: Settings, *, ask: bool) -> Iterator[Probe]:
    """Those that are turned on; what may cost money is asked only with `ask`."""
    if settings.models.use != OFF:
        todo = 'Mend [models] in config.toml, or set its use to "off". Rules work without.'
        trouble = Probe("model", "warning", "", todo)
        patience = PATIENCE_MS if ask else LOOK_MS  # what was paid for is to be on record
        yield from within(settings, trouble, partial(_model, settings, ask=ask), patience)
    if settings.search.embedder != OFF:
        todo = "Mend [search] in config.toml; until then search goes by words alone."
        trouble = Probe("embedder", "warning", "", todo)
        yield from within(settings, trouble, partial(_embedder, settings))


def _model(settings: Settings, outside: Outside, *, ask: bool) -> Iterator[Probe]:
    """The text model that may be asked, what it cost today and, where that is wanted, a reply."""
    model, budget = text_model(settings), model_budget(settings)
    assert model is not None
    if ask:
        ask_a_model(outside, model, budget, _TRIAL, "test")
    cost = in_words(spent_today(outside).cost)
    state = "answers" if ask else "not asked now (`learnt doctor --ask-model`)"
    most = in_words(Cost(budget.tokens_a_day, budget.micro_usd_a_day))
    yield Probe("model", "ok", f"{model.name} {state}; today {cost} of {most} are used")


def _embedder(settings: Settings, outside: Outside) -> Iterator[Probe]:
    """Whether explicit search goes by meaning, and how many entries have vectors."""
    if outside.dense is None:
        return
    embedder, name = outside.dense.embedder, settings.search.embedder
    embedded(embedder, ["Can you be reached?"], question=True)
    with outside.ledger.reading() as reader:
        live = {entry.id for entry in all_stored(reader, Entry) if entry.live}
    held = {placed.item for placed in outside.dense.vectors(embedder.name).held()}
    said = f"{name} answers; {len(live & held):,} of {len(live):,} entries have vectors"
    todo = "" if live <= held else "The worker makes them; `learnt rebuild --vectors` does at once."
    yield Probe("embedder", "warning" if todo else "ok", said, todo)

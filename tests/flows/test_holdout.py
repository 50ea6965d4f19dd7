"""Which sessions an entry is held back from, and that this stays as it was."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId, entry_subject, handle
from learnt.core.knowledge.entries import Stage as Entries
from learnt.core.payloads.entry_events import EntryDecided, Recalled, Remembered
from learnt.flows.recall.ask import ask
from learnt.flows.stored import append
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import HERE, PROMPT, Stage
from tests.support import in_memory


@pytest.fixture
def stage() -> Stage:
    """Where every entry is under the coin that can be."""
    return Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))


def draws(stage: Stage, entry: EntryId) -> list[EntryDecided]:
    """How the coin fell for an entry, a session each."""
    with stage.outside.ledger.reading() as reader:
        events = list(reader.events(subject=entry_subject(entry), kind=Kind.DECIDED))
    return [payload_of(EntryDecided, event) for event in events]


def first_withheld(stage: Stage) -> str:
    """A session that is not shown the entry."""
    names = (f"s{number}" for number in range(40))
    return next(name for name in names if not stage.prompt(session=name))


def test_a_session_is_one_unit_however_often_it_asks(stage: Stage) -> None:
    """Withheld once, it stays so, after a compaction as well."""
    entry = stage.vouched()
    name = first_withheld(stage)
    before = draws(stage, entry)
    stage.report("SessionStart", session=name, detail={"source": "compact"}, episode="p-c")
    for _ in range(3):
        assert "" == stage.prompt(session=name)

    assert before == draws(stage, entry)
    assert ("drawn", "withheld", 500_000) == (
        before[-1].action,
        before[-1].arm,
        before[-1].propensity,
    )
    assert len(before) == stage.entry(entry).units


def test_who_goes_on_from_a_session_has_its_coin(stage: Stage) -> None:
    """A session begun by /clear in the same process is of one lineage with the one it left."""
    stage.vouched()
    names = [f"s{number}" for number in range(12)]
    own = {name: bool(stage.prompt(session=name)) for name in names}
    assert {True, False} == set(own.values())
    for name in names:
        stage.report("SessionEnd", session=name, detail={"reason": "clear"})
        stage.report("SessionStart", session=f"{name}-on", detail={"source": "clear"})

        assert own[name] == bool(stage.prompt(session=f"{name}-on"))


def test_a_changed_entry_is_drawn_for_anew(stage: Stage) -> None:
    """Units are of a text: the new one has none yet, and arms of its own."""
    entry = stage.vouched()
    names = [f"s{number}" for number in range(16)]
    for name in names:
        stage.prompt(session=name)
    before = [draw.arm for draw in draws(stage, entry)]
    with stage.outside.ledger.writing() as writer:
        said = next(writer.events(subject=entry_subject(entry), kind=Kind.REMEMBERED))
        again = replace(payload_of(Remembered, said), stage=Entries.VALIDATED)
        append(writer, entry_subject(entry), Actor.AGENT, again)
    assert (0, 1) == (stage.entry(entry).units, stage.entry(entry).version)
    for name in names:
        stage.prompt(session=f"{name}-later")
    after = draws(stage, entry)[len(before) :]

    assert {1} == {draw.version for draw in after}
    assert 16 == stage.entry(entry).units == len(after)


def test_after_forty_units_nine_in_ten_are_shown(stage: Stage) -> None:
    """What the coin's chance was is recorded with each unit and with each recall."""
    entry = stage.vouched()
    for number in range(60):
        stage.prompt(session=f"s{number}")

    chances = [draw.propensity for draw in draws(stage, entry)]
    assert [500_000] * 40 + [900_000] * 20 == chances
    recalled = [payload_of(Recalled, event).eligible for event in stage.events(Kind.RECALLED)]
    assert chances == [of.propensity for (of,) in recalled]


def test_what_a_person_remembered_is_under_the_coin(stage: Stage) -> None:
    """It has a unit for each session, as any other note."""
    entry = stage.remember(actor=Actor.HUMAN).entry
    given = [handle(entry) in stage.prompt(session=f"s{number}") for number in range(20)]
    assert {True, False} == set(given)
    assert 20 == stage.entry(entry).units == len(draws(stage, entry))


@pytest.mark.parametrize("kept", ["warning", "asked for"])
def test_some_things_are_never_held_back(stage: Stage, kept: str) -> None:
    """What warns of something, and what somebody asks for."""
    match kept:
        case "warning":
            entry = stage.vouched(cautions=("Never on a Friday",))
        case _:
            entry = stage.vouched()
            first_withheld(stage)
            (hit,) = ask(stage.outside, PROMPT, folder=HERE, actor=Actor.HUMAN, most=3)
            assert entry == hit.note.id
            return

    assert all(handle(entry) in stage.prompt(session=f"s{number}") for number in range(20))
    assert [] == draws(stage, entry)

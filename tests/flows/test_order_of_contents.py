"""Which notes a session's start lists, and which of them first."""

from learnt.core.events import Actor
from learnt.core.identifiers import handle
from learnt.flows.knowledge.standing import sweep
from learnt.flows.recall.ask import ask, entries_named, read
from tests.flows.stage import HERE, Stage
from tests.flows.test_citations import PATH, ROOMS, put
from tests.flows.test_contents_at_a_start import LINKER, LINT, rule, start
from tests.flows.test_living_knowledge import later
from tests.support.in_memory_files import InMemoryCitedFiles

RANGE = "The orders table covers the years 2019 to 2023"
CHART = "draw a chart of the years, one bar each"


def listed(stage: Stage, session: str = "last") -> list[str]:
    """The handles that a start lists, in order."""
    return [line.split(" ")[0] for line in start(stage, session=session).split("\n")]


def test_what_was_used_lately_stands_before_what_was_used_more_often_long_ago() -> None:
    """Given or opened: a line that named it led there."""
    stage = Stage()
    before, since = stage.vouched(), stage.vouched(*LINKER)
    for number in range(4):
        assert handle(before) in stage.prompt(session=f"early{number}")
    later(stage, 20)
    for number in range(12):
        stage.begin(f"between{number}")
    assert listed(stage, "opening").index(handle(before)) < listed(stage, "o2").index(handle(since))
    assert read(stage.outside, since, folder=HERE, actor=Actor.AGENT, session="opening")

    order = listed(stage)

    assert (4, 1) == (stage.reused(before), stage.reused(since))
    assert order.index(handle(since)) < order.index(handle(before))


def test_notes_whose_cited_files_were_written_lately_come_first() -> None:
    """As long as that is so."""
    stage = Stage()
    put(stage, PATH, ROOMS)
    put(stage, "src/guests.py", ROOMS)
    texts = {PATH: "Rooms are counted by hotel", "src/guests.py": "Guests are counted twice"}
    rooms, guests = (
        stage.learn(text, cites=(path,), actor=Actor.HUMAN).entry for path, text in texts.items()
    )
    later(stage, 20)
    files, now = stage.outside.cited_files, stage.outside.clock.now_ms()
    assert isinstance(files, InMemoryCitedFiles)

    for path, first, second in ((PATH, rooms, guests), ("src/guests.py", guests, rooms)):
        files.written = {f"{HERE}/{path}": now - 1_000}
        order = listed(stage, f"after {path}")
        assert order.index(handle(first)) < order.index(handle(second))


def test_what_faded_beyond_use_has_no_line() -> None:
    """Neither in the contents nor at a prompt; whoever asks for it finds it."""
    stage = Stage()
    data = stage.learn(RANGE, "data_range", actor=Actor.HUMAN).entry
    steps = stage.vouched()
    later(stage, 400)
    fresh = stage.vouched(*LINKER)
    sweep(stage.outside)

    assert handle(fresh) in (order := listed(stage)) and {*order}.isdisjoint(
        map(handle, (data, steps))
    )
    assert "" == stage.prompt(CHART, session="s8")
    (hit,) = ask(stage.outside, "orders table years", folder=HERE, actor=Actor.AGENT, most=5)
    assert (data, "REVALIDATE") == (hit.note.id, hit.note.trust)
    assert [data] == entries_named(stage.outside, [handle(data)], folder=HERE)


def test_a_line_names_what_has_not_faded() -> None:
    """The same prompt, a week later instead of a year."""
    stage = Stage()
    name = stage.learn(RANGE, "data_range", actor=Actor.HUMAN).entry
    later(stage, 7)
    assert f"\n{handle(name)} " in stage.prompt(CHART)


def test_a_persons_own_note_and_rule_stay_however_old() -> None:
    """What they said is theirs to take back."""
    stage = Stage()
    own = stage.remember().entry
    rule(stage)
    later(stage, 4_000)
    sweep(stage.outside)

    assert handle(own) in listed(stage)
    assert f"\n- {LINT}\n" in start(stage, session="another")


def test_what_its_person_called_wrong_has_no_line() -> None:
    """Their own note or not."""
    stage = Stage()
    own = stage.learn("The staging gateway listens on port 8443", actor=Actor.HUMAN).entry
    stage.prompt("which port does the staging gateway listen on?")
    stage.prompt("that note is out of date", episode="p8")

    assert handle(own) not in listed(stage)

"""Look, decide, write: files are read without the lock, and what changed meanwhile is noticed."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId, NaturalKey
from learnt.core.knowledge.citations import CitationState
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.entries import Stage as At
from learnt.core.knowledge.gates import Admit, Merge
from learnt.core.payloads.entry_events import Recalled
from learnt.errors import Conflict
from learnt.flows.governance.notice import notice
from learnt.flows.governance.purge import Target, purge
from learnt.flows.health.closing import WINDOW_MS
from learnt.flows.health.report import feedback
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture, put_right
from learnt.flows.knowledge.checking import Anchors
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.publish import publish
from learnt.flows.knowledge.standing import freshness, stage_by_hand, sweep
from learnt.flows.plans import LOOKS
from learnt.flows.sessions.locate import look
from learnt.flows.sessions.observe import close_stale
from learnt.flows.stored import all_stored
from learnt.ports import Outside
from tests.flows.proposing import FILE, Play
from tests.flows.stage import HERE, PROMPT, Stage
from tests.support import in_memory
from tests.support.in_memory_files import InMemoryCitedFiles
from tests.support.ledgers import Contended, Meanwhile

FACT = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
OTHERS = (
    "t_order.amount holds cents, t_invoice.amount whole euros",
    "t_user.phone is encrypted; search by t_user.phone_hash",
)
PATH = "src/rooms.py"
ROOMS = "def find_room(hotel, number):\n    return rooms[hotel, number]\n"


@pytest.fixture
def stage() -> Stage:
    """A stage on whose ledger others may write between a look and its writing."""
    stage = Stage()
    ledger = Contended(stage.outside.ledger)
    stage.outside = replace(stage.outside, ledger=ledger)
    put(stage, ROOMS)
    return stage


def others(stage: Stage, *what: Meanwhile) -> None:
    """What somebody else does before each of our next write transactions."""
    assert isinstance(stage.outside.ledger, Contended)
    stage.outside.ledger.meanwhile = list(what)


def elsewhere(stage: Stage) -> Stage:
    """The same home as another program sees it."""
    assert isinstance(stage.outside.ledger, Contended)
    return Stage(outside=replace(stage.outside, ledger=stage.outside.ledger.inner), reports=500)


def put(stage: Stage, text: str) -> None:
    files = stage.outside.cited_files
    assert isinstance(files, InMemoryCitedFiles)
    files.files[f"{HERE}/{PATH}"] = text.encode()


def offered(stage: Stage, text: str = FACT, *cites: str) -> OfferOutcome:
    fact = Draft(text=text, kind="schema")
    return capture(stage.outside, Offer(what=fact, actor=Actor.HUMAN, folder=HERE, cites=cites))


def live(outside: Outside) -> list[Entry]:
    with outside.ledger.reading() as reader:
        return [entry for entry in all_stored(reader, Entry) if entry.live]


def states(stage: Stage) -> list[CitationState]:
    return [cite.state for fresh in freshness(stage.outside, HERE) for cite in fresh.cites]


# A file changes between look and write.


def test_a_cited_file_that_changes_once_is_read_anew(stage: Stage) -> None:
    """What is recorded is of the file as it is when that is written."""
    others(stage, lambda: put(stage, "LIMIT = 3\n\n" + ROOMS))
    offered(stage, FACT, f"{PATH}#find_room")
    (entry,) = live(stage.outside)
    assert [(3, 4)] == [(cite.first, cite.last) for cite in entry.cites]
    assert [CitationState.FRESH] == states(stage)


def test_a_cited_file_that_changes_again_and_again_is_a_conflict(stage: Stage) -> None:
    """Nothing is recorded, and the error says so."""
    changes = [lambda n=n: put(stage, f"LIMIT = {n}\n\n{ROOMS}") for n in range(LOOKS)]
    others(stage, *changes)
    with pytest.raises(Conflict, match="Nothing was recorded; call this again"):
        offered(stage, FACT, f"{PATH}#find_room")
    assert ([], []) == (live(stage.outside), stage.events(Kind.GATED))
    assert isinstance(offered(stage, FACT, f"{PATH}#find_room").decision, Admit)


def test_a_word_is_of_the_file_as_it_is_when_it_is_written(stage: Stage) -> None:
    """A person finds an entry true, and its file changes in that moment."""
    name = offered(stage, FACT, f"{PATH}#find_room").entry
    changed = ROOMS.replace("[hotel, number]", "[hotel][number]")
    others(stage, lambda: put(stage, changed))
    tell(stage.outside, name, Word(result="confirmed", actor=Actor.HUMAN, folder=HERE))
    assert [CitationState.FRESH] == states(stage)


def test_a_file_that_is_read_while_it_is_written_is_noticed(stage: Stage) -> None:
    """It was stamped before it was read."""
    files = stage.outside.cited_files
    assert isinstance(files, InMemoryCitedFiles)

    class Torn(InMemoryCitedFiles):
        def read(self, root: str, path: str) -> str | None:
            text = super().read(root, path)
            self.files[f"{root}/{path}"] += b"\nLATER = 1\n"
            return text

    torn = Torn()
    torn.files = dict(files.files)
    stage.outside = replace(stage.outside, cited_files=torn)
    anchors = Anchors(stage.outside, [PATH], look(stage.outside, HERE))
    anchors.resolved()
    assert not anchors.hold()


# An entry changes between look and write.


def test_the_same_fact_that_comes_in_meanwhile_is_merged_with(stage: Stage) -> None:
    """It was not there when it was compared."""
    others(stage, lambda: elsewhere(stage).learn(FACT, session=""))
    assert isinstance(offered(stage).decision, Merge)
    assert 1 == len(live(stage.outside))


def test_what_comes_in_of_something_else_disturbs_nothing(stage: Stage) -> None:
    """Reports and far facts arrive all the time: one look is enough for them."""
    stage.remember()
    others(stage, lambda: elsewhere(stage).prompt(PROMPT, session="other"), _looked_again)
    assert isinstance(offered(stage).decision, Admit)


def _looked_again() -> None:
    pytest.fail("it was looked at once more")


def test_neighbours_that_others_write_meanwhile_are_compared_as_well(stage: Stage) -> None:
    """No offer fails because others write: it is decided beside what they wrote."""
    near = "t_room.room_no repeats across hotels and buildings"
    others(stage, lambda: elsewhere(stage).learn(near, actor=Actor.HUMAN, session=""))
    outcome = offered(stage)
    assert isinstance(outcome.decision, Admit) and 2 == len(live(stage.outside))
    assert [near] == [rival.text for rival in outcome.unsure]


def test_a_word_on_an_entry_that_is_put_right_meanwhile_is_thought_over(stage: Stage) -> None:
    """Once it is looked at again; where it changes again, nothing is recorded."""
    name = offered(stage).entry
    texts = [f"{FACT}, since {year}" for year in (2024, 2025, 2026)]

    def corrected(text: str, key: str) -> Meanwhile:
        offer = Offer(what=Draft(text=text, kind="schema"), actor=Actor.HUMAN, folder=HERE)
        other = elsewhere(stage)
        return lambda: put_right(other.outside, other.entry(name), offer, "edit", NaturalKey(key))

    word = Word(result="failure", actor=Actor.HUMAN)
    others(stage, corrected(texts[0], "1"))
    assert tell(stage.outside, name, word)[1]
    others(stage, corrected(texts[1], "2"), corrected(texts[2], "3"))
    with pytest.raises(Conflict, match=f"{name}.*Nothing was recorded"):
        tell(stage.outside, name, word)
    assert (3, 1) == (stage.entry(name).corrected, len(stage.events(Kind.FEEDBACK)))


def test_an_edit_of_an_entry_that_changed_since_is_a_conflict(stage: Stage) -> None:
    """Whoever edited it saw another text."""
    entry = stage.entry(offered(stage).entry)
    offer = Offer(what=Draft(text=FACT + ", always", kind="schema"), actor=Actor.HUMAN, folder=HERE)
    assert "" == put_right(stage.outside, entry, offer, "edit", NaturalKey("1"))
    with pytest.raises(Conflict, match="changed meanwhile"):
        put_right(stage.outside, entry, offer, "edit", NaturalKey("2"))
    assert 1 == stage.entry(entry.id).corrected


def test_a_fact_that_is_retired_meanwhile_is_not_published(stage: Stage) -> None:
    """The topic is drawn up once more, without it."""
    names = [offered(stage, text).entry for text in (FACT, *OTHERS)]
    extra = offered(stage, "t_hotel.stars is null for hostels").entry
    publish(stage.outside, HERE, Actor.HUMAN)
    offered(stage, "t_bill.paid_at is in local time of the hotel")
    others(stage, lambda: stage_by_hand(elsewhere(stage).outside, extra, Actor.HUMAN, At.RETIRED))
    new = publish(stage.outside, HERE, Actor.HUMAN).new
    with stage.outside.ledger.reading() as reader:
        drafts = [
            reader.text(event.payload["draft"])  # type: ignore[arg-type]  # a reference
            for event in reader.events(kind=Kind.PROPOSED)
            if event.subject.removeprefix("proposal:") in new
        ]
    topic = next(draft for draft in drafts if draft and names[0] in draft)
    assert extra not in topic and all(name in topic for name in names)


def test_a_candidate_that_is_confirmed_meanwhile_is_not_expired(stage: Stage) -> None:
    """The verdict on it is looked at again inside the lock."""
    name = stage.learn(FACT, session="s1").entry
    clock = stage.outside.clock
    assert isinstance(clock, in_memory.FixedClock)
    clock.ms += 400 * 86_400_000
    word = Word(result="confirmed", actor=Actor.HUMAN)
    others(stage, lambda: tell(elsewhere(stage).outside, name, word))
    assert () == sweep(stage.outside).expired
    assert At.CANDIDATE is stage.entry(name).stage


def test_what_a_session_was_shown_meanwhile_is_not_shown_twice(stage: Stage) -> None:
    """Two prompts of one session are answered at once, by two programs."""
    name = stage.remember().entry
    others(stage, lambda: elsewhere(stage).prompt(PROMPT, episode="p8"))
    assert "" == stage.prompt(PROMPT, episode="p9")
    shown = [payload_of(Recalled, event).shown for event in stage.events(Kind.RECALLED)]
    assert [(name,), ()] == shown


def test_a_word_on_an_episode_that_is_closed_anew_meanwhile_is_of_the_last_closing(
    stage: Stage,
) -> None:
    """A step was reported late."""
    stage.prompt(PROMPT, episode="p1")
    stage.prompt(PROMPT, episode="p2")

    def closed_again() -> None:
        other = elsewhere(stage)
        other.report("PostToolBatch", episode="p1", detail={"calls": [{"id": "t1"}]})
        other.prompt(PROMPT, episode="p3")

    others(stage, closed_again)
    feedback(stage.outside, "p1", "bad", "", Actor.HUMAN)
    (word,) = stage.events(Kind.FEEDBACK)
    closings = [e for e in stage.events(Kind.EPISODE_CLOSED) if e.where.episode == "p1"]
    assert (2, closings[-1].id) == (len(closings), word.payload["episode"])


def test_an_episode_that_another_program_closes_meanwhile_is_closed_once(stage: Stage) -> None:
    """Two workers find at once that nothing was reported for a day."""
    stage.prompt(PROMPT, episode="p1", ms=stage.outside.clock.now_ms() - 2 * WINDOW_MS)
    others(stage, lambda: close_stale(elsewhere(stage).outside))
    assert 0 == close_stale(stage.outside)
    assert 1 == len(stage.events(Kind.EPISODE_CLOSED))


@pytest.mark.parametrize("times", [1, LOOKS])
def test_an_edit_that_others_propose_and_withdraw_meanwhile_is_looked_at_again(times: int) -> None:
    """It is proposed; where they do so again and again, what is left to do says so."""
    play = Play()
    play.accept(play.proposed())
    made, other = play.disk.files[FILE], play.outside
    mine = made + "\nmine\n"

    def proposed_and_withdrawn() -> None:
        assert notice(other, []).proposed
        play.disk.files[FILE] = made
        notice(other, [])
        play.disk.files[FILE] = mine

    play.disk.files[FILE] = mine
    contended = Contended(other.ledger, [proposed_and_withdrawn] * times)
    noticed = notice(replace(other, ledger=contended), [])
    assert (times < LOOKS) == bool(noticed.proposed)
    assert (times < LOOKS) != any("Nothing was recorded" in left for left in noticed.unfinished)
    assert notice(other, []).proposed or times < LOOKS


def test_a_purge_takes_along_what_comes_in_meanwhile(stage: Stage) -> None:
    """It promises that nothing is left, so it looks again under the lock."""
    stage.learn(FACT)
    others(stage, lambda: elsewhere(stage).learn(f"{FACT}; t_stay.room_no repeats as well"))

    purge(stage.outside, Target(text="t_room.room_no"), Actor.HUMAN)

    with stage.outside.ledger.reading() as reader:
        assert [] == list(reader.contents_with("t_room.room_no"))


def test_an_unknown_entry_is_spoken_of_by_nobody(stage: Stage) -> None:
    """What is purged or retired between the looks is not found; nothing is recorded."""
    name = offered(stage).entry
    others(stage, lambda: stage_by_hand(elsewhere(stage).outside, name, Actor.HUMAN, At.RETIRED))
    with pytest.raises(Exception, match="is retired"):
        tell(stage.outside, EntryId(name), Word(result="success", actor=Actor.HUMAN))
    assert [] == stage.events(Kind.FEEDBACK)

"""A skill and the notes that its text was made of stay in step, or everybody is told."""

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.governance.in_step import NoteChange
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.identifiers import EntryId, ProposalId, handle
from learnt.core.knowledge.entries import SUPERSEDED
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.knowledge.relating import RelateOutcome
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import reject, undo
from learnt.flows.governance.listing import listed
from learnt.flows.governance.notice import notice
from learnt.flows.governance.outdated import OutdatedSkill, outdated
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.feedback import Word, stage, tell
from learnt.flows.knowledge.relating import settle
from learnt.flows.knowledge.rewording import reword, sheet_of
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.contents import show_contents
from tests.flows.proposing import FILE, LINKS, PERSON, ROOT, SLUG, Play
from tests.flows.stage import PROBLEM
from tests.support.in_memory import FixedClock

APPROACH = "Verify the raw body, not the parsed JSON"
NEWER = "Verify the parsed JSON, not the raw body"


@pytest.fixture
def play() -> Play:
    return Play()


def accepted(play: Play) -> EntryId:
    """The note of a skill that was drafted from it and accepted."""
    name = play.proposed()
    assert play.accept(name)
    entry = play.held(name).entry
    assert entry
    return entry


def behind(play: Play) -> list[OutdatedSkill]:
    with play.outside.ledger.reading() as reader:
        return outdated(play.outside, reader)


def only(play: Play) -> NoteChange:
    """What became of the one note of the one skill that is out of date."""
    (skill,) = behind(play)
    (changed,) = skill.changed
    return changed.change


def correct(play: Play, entry: EntryId, approach: str = NEWER) -> None:
    """A person rewrites what is to be done; all else that the note says stays."""
    sheet = sheet_of(play.outside, entry)
    reword(play.outside, entry, replace(sheet, approach=approach), PERSON)


def revision(play: Play) -> ProposalId:
    """The one revision that is proposed now, a second later."""
    assert isinstance(play.outside.clock, FixedClock)
    play.outside.clock.ms += 1_000
    (name,) = notice(play.outside, ()).proposed
    return name


def test_a_skill_is_in_step_with_the_note_that_it_was_made_of(play: Play) -> None:
    """More uses, success and an unrelated note leave it so."""
    entry = accepted(play)
    play.recalled("s7", "s8")
    tell(play.outside, entry, Word(result="success", actor=Actor.HUMAN))
    play.remember("Payouts are late on Mondays", "Wait for the bank's run at ten")

    assert [] == behind(play)
    assert () == notice(play.outside, ()).proposed


def test_a_corrected_note_has_a_revision_proposed_with_its_new_words(play: Play) -> None:
    """Accepted, the skill is in step; its name and all that the note does not say stay."""
    entry = accepted(play)
    before = play.disk.read(FILE) or ""
    correct(play, entry)
    assert NoteChange.CORRECTED is only(play)

    name = revision(play)
    assert () == notice(play.outside, ()).proposed  # it waits: once
    assert ProposalKind.NEW_VERSION is play.held(name).kind
    assert play.accept(name)
    after = play.disk.read(FILE) or ""
    assert (NEWER in after, APPROACH in after) == (True, False)
    assert before.replace(APPROACH, NEWER) == after
    assert [] == behind(play)
    assert [] == list(play.outside.ledger.verify())


def test_a_caution_that_a_note_lost_leaves_its_skill_whole(play: Play) -> None:
    """With its item: no empty one stays."""
    entry = accepted(play)
    sheet = sheet_of(play.outside, entry)
    (caution,) = sheet.cautions
    assert f"- {caution}\n" in (play.disk.read(FILE) or "")
    reword(play.outside, entry, replace(sheet, cautions=()), PERSON)

    assert play.accept(revision(play))
    after = play.disk.read(FILE) or ""
    assert caution not in after
    assert not [line for line in after.splitlines() if line.strip() == "-"]


def test_a_note_that_another_replaced_gives_the_skill_its_words(play: Play) -> None:
    """An agent said that the newer one contradicts it, and its person typed both."""
    entry = accepted(play)
    newer = play.remember(PROBLEM, NEWER).entry
    with play.outside.ledger.writing() as writer:
        stage(writer, entry, Actor.AGENT, Stages.RETIRED, SUPERSEDED, newer)
    assert NoteChange.REPLACED is only(play)

    name = revision(play)
    assert {entry, newer} == set(play.held(name).notes)
    assert play.accept(name)
    assert NEWER in (play.disk.read(FILE) or "")
    correct(play, newer, "Verify nothing before noon")  # the newer one is what it is made of now
    assert NoteChange.CORRECTED is only(play)


def test_a_dispute_warns_in_the_skill_until_it_is_settled(play: Play) -> None:
    """The warning quotes the other side; settled for the note, the text is what it was."""
    entry = accepted(play)
    before = play.disk.read(FILE)
    rival = play.remember(PROBLEM, NEWER, folder=None).entry
    assert RelateOutcome.DISPUTED is play.relate(rival, entry).outcome
    assert NoteChange.DISPUTED is only(play)

    play.accept(revision(play))
    warned = play.disk.read(FILE) or ""
    assert "> **Out of date.**" in warned and NEWER in warned and APPROACH in warned
    assert [] == behind(play)

    settle(play.outside, entry, rival, PERSON)
    assert NoteChange.HOLDS is only(play)
    play.accept(revision(play))
    assert (before, []) == (play.disk.read(FILE), behind(play))


@pytest.mark.parametrize("change", [NoteChange.RETIRED, NoteChange.INVALID])
def test_a_skill_whose_only_note_is_wrong_is_proposed_to_go(play: Play, change: NoteChange) -> None:
    """It was retired, or found to be wrong; the file is kept beside."""
    entry = accepted(play)
    if change is NoteChange.RETIRED:
        stage_by_hand(play.outside, entry, Actor.HUMAN, Stages.RETIRED)
    else:
        tell(play.outside, entry, Word(result="invalidate", actor=Actor.HUMAN))
    assert change is only(play)

    name = revision(play)
    assert ProposalKind.RETIRE is play.held(name).kind
    play.accept(name)
    assert [] == behind(play)


def test_a_note_that_was_erased_has_a_text_without_its_words_proposed(play: Play) -> None:
    """It is named at once; accepted, the file lacks them, and nothing of them is kept to undo."""
    entry = accepted(play)
    play.disk.files[FILE] += "\nAsk Ana before you deploy.\n"
    purge(play.outside, Target(entry=entry), Actor.HUMAN)
    assert NoteChange.ERASED is only(play)
    told = f"the skill {SLUG} is out of date: note {handle(entry)} was erased"
    assert told in started(play, "s9")

    (waiting,) = (each.proposal for each in listed(play.outside, [Status.PENDING]))
    assert () == notice(play.outside, (f"{ROOT}/skills",)).proposed  # it stays that one
    assert play.accept(waiting.id)
    after = play.disk.read(FILE) or ""
    assert APPROACH not in after and PROBLEM not in after
    assert after.endswith("\nAsk Ana before you deploy.\n") and f'name: "{SLUG}"' in after
    assert [] == behind(play)
    with play.outside.ledger.reading() as reader:
        assert not reader.contents_with(APPROACH)
    with pytest.raises(Refused, match="is erased"):
        undo(play.outside, waiting.id, PERSON)
    assert [] == list(play.outside.ledger.verify())


def test_a_file_that_cannot_be_read_stops_no_purge(play: Play) -> None:
    """The note goes all the same, and what is out of date can still be listed."""
    entry = accepted(play)
    play.disk.links[FILE] = play.disk.files.pop(FILE)
    purge(play.outside, Target(entry=entry), Actor.HUMAN)
    with play.outside.ledger.reading() as reader:
        assert not reader.contents_with(APPROACH)
    assert [] == behind(play)


def test_of_two_notes_the_one_that_is_left_keeps_its_words(play: Play) -> None:
    """Turned down, the skill stays out of date; rewritten by its person, it is in step."""
    name = play.proposed()
    entry, other = play.held(name).entry, play.remember("Payouts are late", "Wait until ten").entry
    assert entry
    correct(play, entry)
    with play.outside.ledger.writing() as writer:
        stage(writer, entry, Actor.AGENT, Stages.RETIRED, SUPERSEDED, other)
    assert play.accept(name)
    assert play.accept(revision(play))
    purge(play.outside, Target(entry=entry), Actor.HUMAN)
    (waiting,) = listed(play.outside, [Status.PENDING])
    assert "Wait until ten" in (waiting.draft or "") and APPROACH not in (waiting.draft or "")

    reject(play.outside, waiting.proposal.id, "later", PERSON)
    assert () == notice(play.outside, ()).proposed
    assert NoteChange.ERASED is only(play)
    play.disk.files[FILE] = "---\nname: x\ndescription: Mine.\n---\n\nAsk Ana.\n"
    assert [] == behind(play)


def test_a_note_that_changes_before_its_draft_is_accepted_is_noticed_then(play: Play) -> None:
    """What is accepted is the text that was shown, and its revision waits at once."""
    name = play.proposed()
    entry = play.held(name).entry
    assert entry
    correct(play, entry)
    play.accept(name)

    assert NoteChange.CORRECTED is only(play)
    play.accept(revision(play))
    assert NEWER in (play.disk.read(FILE) or "")


def test_a_correction_that_is_taken_back_withdraws_the_revision(play: Play) -> None:
    """The skill is in step again; corrected once more, the same revision waits again."""
    entry = accepted(play)
    correct(play, entry)
    name = revision(play)
    correct(play, entry, APPROACH)

    assert [] == behind(play)
    assert () == notice(play.outside, ()).proposed
    assert play.held(name).draft is None
    correct(play, entry)
    assert name == revision(play)
    assert play.accept(name)


def test_a_revision_that_was_turned_down_does_not_come_back(play: Play) -> None:
    """The skill stays out of date, and says so."""
    entry = accepted(play)
    correct(play, entry)
    reject(play.outside, revision(play), "later", PERSON)

    assert () == notice(play.outside, ()).proposed
    assert NoteChange.CORRECTED is only(play)


def test_an_undone_revision_leaves_the_skill_behind_again(play: Play) -> None:
    """The text is the old one, and so is what it was made of."""
    entry = accepted(play)
    correct(play, entry)
    name = revision(play)
    play.accept(name)
    undo(play.outside, name, PERSON)

    assert NoteChange.CORRECTED is only(play)
    assert Status.PENDING is play.held(name).status


def test_edits_by_two_people_end_in_one_revision_of_what_is_there(play: Play) -> None:
    """One corrects the note, the other edits the file: nobody's words are lost."""
    entry = accepted(play)
    correct(play, entry)
    stale = revision(play)
    edited = (play.disk.read(FILE) or "") + "\nAsk Ana before you deploy.\n"
    play.disk.files[FILE] = edited

    with pytest.raises(Conflict):
        play.accept(stale)
    assert edited == play.disk.read(FILE)
    fresh, edit = sorted(notice(play.outside, ()).proposed, key=lambda n: play.held(n).kind)
    assert ProposalKind.OUTSIDE_EDIT is play.held(edit).kind
    assert play.held(stale).draft is None  # one waits, and it is the one that fits
    play.accept(fresh)
    now = play.disk.read(FILE) or ""
    assert NEWER in now and now.endswith("Ask Ana before you deploy.\n")
    assert [] == behind(play)


def test_a_person_who_rewrites_the_file_after_the_change_brings_it_in_step(play: Play) -> None:
    """Their edit, once it counts, is newer than the note."""
    entry = accepted(play)
    correct(play, entry)
    notice(play.outside, ())
    play.disk.files[FILE] = (play.disk.read(FILE) or "").replace(APPROACH, "Ask Ana")
    (edit,) = [n for n in notice(play.outside, ()).proposed
               if play.held(n).kind is ProposalKind.OUTSIDE_EDIT]  # fmt: skip
    play.accept(edit)

    assert [] == behind(play)


def test_the_newer_note_says_that_the_skill_is_out_of_date(play: Play) -> None:
    """Whole at a prompt and as a line at a session's start, until the skill is revised."""
    entry = accepted(play)
    play.begin("quiet")
    assert "out of date" not in play.prompt(session="s11")
    correct(play, entry)

    said = f"the skill {SLUG} is out of date"
    assert said in play.prompt(session="s12")
    start = started(play, "s13")
    assert start.count(said) == 2  # the note's line, and the skill's
    play.accept(revision(play))
    assert said not in play.prompt(session="s14")
    assert "out of date" not in started(play, "s15")


def started(play: Play, session: str) -> str:
    """The contents at a session's start."""
    begun = play.observation("SessionStart", session=session, detail={"source": "startup"})
    return show_contents(play.outside, begun, lambda: False).context


def test_a_used_skill_does_not_keep_its_newer_note_from_the_agent(play: Play) -> None:
    """A skill that was edited speaks for its note, but not once the note says otherwise."""
    entry = accepted(play)
    play.disk.files[FILE] += "\nMore.\n"
    play.disk.link(f"{LINKS}/{SLUG}", FILE.removesuffix("/SKILL.md"))
    assert APPROACH not in play.prompt(session="s11")
    correct(play, entry)

    assert NEWER in play.prompt(session="s12")


THINGS = (
    "stripe refunds", "kafka offsets", "redis locks", "nginx headers", "terraform drift",
    "postgres vacuum", "celery retries", "webpack chunks", "grafana alerts", "docker layers",
    "oauth scopes", "graphql batching", "sentry sampling", "cypress flakes", "helm rollback",
    "mysql collation", "lambda cold starts", "cron overlap", "ssh agents", "pandas joins",
)  # fmt: skip


def changes_of(play: Play, number: int, thing: str) -> Iterator[Callable[[], object]]:
    """A skill made of a note, and five things that happen to the note."""
    problem = f"The {thing} fail in production"
    first, other = f"Set limit {number}11 in the {thing}", f"Restart the {thing} module twice"
    entry = play.remember(problem, first).entry
    for n in range(3):
        assert play.prompt(f"Why do the {thing} fail in production?", session=f"{number}-{n}")
    (draft,) = play.analyze().new
    play.accept(draft)

    def dispute() -> None:
        rival = play.remember(problem, f"Remove the {thing} from the build", folder=None).entry
        play.relate(rival, entry, session=f"{number}-0")

    yield lambda: correct(play, entry, first.replace("11", "22"))
    yield dispute
    yield lambda: settle(play.outside, entry, play.entry(entry).disputes[0], PERSON)
    yield lambda: correct(play, entry, other)
    yield lambda: stage_by_hand(play.outside, entry, Actor.HUMAN, Stages.RETIRED)


@pytest.mark.parametrize("skills", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_every_change_of_a_note_is_reported(play: Play, skills: int) -> None:
    """Corrected, disputed, settled, rewritten and retired: a hundred changes of twenty skills."""
    reported = 0
    for number, thing in enumerate(THINGS[:skills]):
        for change in changes_of(play, number, thing):
            assert [] == behind(play)
            change()
            told = started(play, f"{reported}")
            reported += bool(behind(play)) and "is out of date" in told
            play.accept(revision(play))
    assert 5 * skills == reported

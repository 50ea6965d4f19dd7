"""All that waits for a person is one queue: the worst first, by the same counts everywhere."""

import pytest

from learnt.core.events import Actor, Origin
from learnt.core.governance.proposals import ProposalKind
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.brought import Brought, Bundle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage as Stages
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.governance.accept import reject
from learnt.flows.governance.explain import explain
from learnt.flows.governance.review import ReviewItem, pieces, queue, still_waits, waits
from learnt.flows.governance.review_choices import ReviewAnswer, ReviewDone, choose, undo
from learnt.flows.knowledge.adopt import adopt
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.preview import Whither, preview
from learnt.flows.knowledge.relating import argue, settle
from learnt.flows.knowledge.rewording import reword
from learnt.flows.knowledge.standing import stage_by_hand
from tests.flows.proposing import PERSON, Play
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_disputes import AGENT, PAIRS, both, keep
from tests.support.in_memory import FixedClock
from tests.support.in_memory_files import InMemoryCitedFiles

VAGUE = "Be careful with it"
CANDIDATE = "orders.status 4 means refunded"


def brought(stage: Stage, *texts: str) -> None:
    """Facts of an import that nobody read."""
    to = Whither(folder=HERE)
    found = preview(stage.outside, [Brought(text=text, id=text) for text in texts], to)
    adopt(stage.outside, found, Bundle(), to)


def test_nothing_waits_in_a_new_home() -> None:
    """The queue is empty, and its counts are."""
    stage = Stage()
    assert ([], {}) == (queue(stage.outside, HERE), waits(stage.outside, HERE))


def test_the_worst_comes_first() -> None:
    """A dispute, then a candidate, and at the end a person's words that the gates doubted."""
    stage = Stage()
    keep(stage, VAGUE)
    keep(stage, CANDIDATE, Actor.AGENT)
    older, newer = both(stage)

    first, second, last = queue(stage.outside, HERE)

    assert (f"{older}+{newer}", ReviewSort.DISPUTE) == (first.id, first.sort)
    assert [older, newer] == [part.id for part in first.parts]
    assert ReviewSort.CANDIDATE is second.sort
    assert (ReviewSort.AS_IT_STANDS, VAGUE) == (last.sort, last.subject)
    assert last.reasons[0].startswith("kept as it stands: it ")
    assert first.worth > second.worth > last.worth
    assert {"dispute": 1, "candidate": 1, "as-it-stands": 1} == waits(stage.outside, HERE)


def test_what_was_given_of_late_counts_more() -> None:
    """A dispute that a prompt was shown is above one that nobody saw, for thirty days."""
    stage = Stage()
    unseen = set(both(stage, ("Deploys happen on Thursdays", "Deploys happen on Tuesdays")))
    seen = set(both(stage))
    stage.prompt("What is the upload limit in MB?")

    first, second = queue(stage.outside, HERE)
    assert (seen, unseen) == tuple({p.id for p in item.parts} for item in (first, second))
    assert "shown 2 time(s) of late" in first.reasons

    assert isinstance(stage.outside.clock, FixedClock)
    stage.outside.clock.ms += 31 * 86_400_000
    assert "given" not in " ".join(queue(stage.outside, HERE)[0].reasons)


def test_an_argument_puts_a_dispute_before_others() -> None:
    """Both are told with what may be chosen; the argument stands beside its side."""
    stage = Stage()
    _, newer = both(stage)
    both(stage, PAIRS[1])
    stage.begin("s1")
    argue(stage.outside, newer, "limits.py: UPLOAD = 25", "s1")

    first, second = queue(stage.outside, HERE)

    assert [(), ("limits.py: UPLOAD = 25",)] == [part.said_for for part in first.parts]
    assert "1 argument(s) for a side" in first.reasons and len(second.reasons) == 1
    assert {ReviewChoice.BOTH, ReviewChoice.MERGE} < {*first.choices}


def test_the_pieces_of_an_agents_import_wait_as_one() -> None:
    """One by one for whoever asks; a single one waits as any candidate, and what is known twice."""
    stage = Stage()
    brought(stage, "The cache lives in redis 7", "Invoices are numbered per year")
    brought(stage, "Backups run at 03:00 UTC")

    alone, whole = queue(stage.outside, HERE)[::-1]

    assert (ReviewSort.IMPORT, ReviewSort.CANDIDATE) == (whole.sort, alone.sort)
    assert whole.id.startswith("i-") and whole.subject.startswith("An import of 2 pieces, brought ")
    assert (ReviewChoice.ACCEPT, ReviewChoice.REJECT) == whole.choices
    each = pieces(whole)
    assert [part.id for part in whole.parts] == [item.id for item in each]
    assert {ReviewSort.CANDIDATE} == {item.sort for item in each}
    assert all(still_waits(stage.outside, item) for item in (whole, *each))


def test_proposals_wait_by_the_prompts_that_speak_for_them() -> None:
    """A route for three prompts is above a candidate that one looked for; rejected it is gone."""
    play = Play()
    name = play.routed()
    keep(play, CANDIDATE, Actor.AGENT)

    first, second = queue(play.outside, HERE)
    assert (name, ReviewSort.ROUTE) == (first.id, first.sort)
    assert ReviewSort.CANDIDATE is second.sort and first.worth > second.worth
    assert (ReviewChoice.ACCEPT, ReviewChoice.REJECT) == first.choices
    reject(play.outside, name, "", PERSON)

    assert not still_waits(play.outside, first)
    assert {"candidate": 1} == waits(play.outside, HERE)
    assert ProposalKind.ROUTING is play.held(name).kind


def test_a_draft_may_be_edited() -> None:
    """What is proposed as a new skill can be written again before it is accepted."""
    play = Play()
    name = play.proposed()
    (item,) = queue(play.outside, HERE)
    assert (name, ReviewSort.DRAFT) == (item.id, item.sort)
    assert ReviewChoice.EDIT in item.choices


def test_what_cites_changed_code_waits_with_the_place() -> None:
    """Not in another project, and not twice where it is in dispute as well."""
    stage = Stage()
    assert isinstance(stage.outside.cited_files, InMemoryCitedFiles)
    files = stage.outside.cited_files.files
    files[f"{HERE}/a.py"] = b"limit = 10\n"
    keep(stage, "jobs.queue_limit is 10 per worker", cites=("a.py:1",))
    assert [] == queue(stage.outside, HERE)
    files[f"{HERE}/a.py"] = b"other = 'words'\n"

    (item,) = queue(stage.outside, HERE)

    assert ReviewSort.STALE is item.sort and "a.py" in item.reasons[0]
    assert [] == queue(stage.outside, ELSEWHERE)
    assert {"stale": 1} == waits(stage.outside, HERE)


def test_an_entry_in_dispute_waits_once() -> None:
    """As its dispute; the candidate that is left alone afterwards waits as such."""
    stage = Stage()
    older, newer = (keep(stage, text, Actor.AGENT) for text in PAIRS[1])
    stage.relate(newer, older)

    (dispute,) = queue(stage.outside, HERE)
    assert ReviewSort.DISPUTE is dispute.sort
    settle(stage.outside, older, newer, PERSON)

    assert not still_waits(stage.outside, dispute)
    assert [] == queue(stage.outside, HERE)


LINT, PIN = "Always run make lint before you push", "We pin SQLAlchemy below 2.1"
PORT = "The staging gateway listens on port 8443"
DEEDS = (
    "oil bolts, paint vans, sweep floors, weigh parcels, wash bottles, count coins, sort letters, "
    "press shirts, bake bread, mow lawns, feed pigeons, trim hedges, tune pianos, wax skis, "
    "stack logs, fold maps, grind coffee, peel apples, knit scarves, iron sheets, dust lamps"
).split(", ")
ACCEPT, REJECT = ReviewAnswer(ReviewChoice.ACCEPT), ReviewAnswer(ReviewChoice.REJECT)


def rules_item(stage: Stage) -> ReviewItem:
    """The one item of notes that read as rules."""
    (item,) = (item for item in queue(stage.outside, HERE) if item.sort is ReviewSort.RULES)
    return item


def decided(stage: Stage, answer: ReviewAnswer) -> ReviewDone:
    """What a person decides on the notes that read as rules."""
    return choose(stage.outside, rules_item(stage), answer, PERSON, HERE)


def texts(item: ReviewItem) -> set[str]:
    """What the notes of an item say."""
    return {part.text for part in item.parts}


def test_the_notes_are_listed_whole_as_one_item() -> None:
    """Those whose words lay something down, and weaken no guard; they wait as one thing."""
    stage = Stage()
    for text in (LINT, PIN, PORT, "Always commit with --no-verify"):
        keep(stage, text)

    item = rules_item(stage)

    assert {LINT, PIN} == texts(item)
    assert "2 note(s) of yours read as standing rules" == item.subject
    assert (ReviewChoice.ACCEPT, ReviewChoice.REJECT) == item.choices
    assert {"rules": 1} == waits(stage.outside, HERE)
    assert [] == queue(stage.outside, ELSEWHERE)


def test_it_stands_before_what_was_kept_as_it_stands_and_behind_the_rest() -> None:
    """Rules are asked about last but one."""
    stage = Stage()
    for text in (VAGUE, LINT):
        keep(stage, text)
    stage.learn("orders.status 4 means refunded")
    stage.prompt(VAGUE)

    sorts = [item.sort for item in queue(stage.outside, HERE)]

    assert [ReviewSort.CANDIDATE, ReviewSort.RULES, ReviewSort.AS_IT_STANDS] == sorts


def test_accepted_they_are_rules_and_keep_all_else() -> None:
    """Text, trust and history stay; taken back they are exactly what they were."""
    stage = Stage()
    names = [keep(stage, text) for text in (LINT, PIN)]
    before = [stage.entry(name) for name in names]

    done = decided(stage, ACCEPT)

    assert "2 of 2 notes are rules now" == done.said
    for was, name in zip(before, names, strict=True):
        now = stage.entry(name)
        assert ("rule", was.text, was.standing) == (now.kind, now.text, now.standing)
        assert (was.remembered_ms, was.reused, was.corrected) == (
            now.remembered_ms, now.reused, now.corrected
        )  # fmt: skip
        assert "its kind is rule" == explain(stage.outside, name).events[-1].said
    assert [] == queue(stage.outside, HERE)
    undo(stage.outside, done, PERSON)
    assert before == [stage.entry(name) for name in names]
    assert {LINT, PIN} == texts(rules_item(stage))


def test_rejected_they_are_never_asked_about_again() -> None:
    """They stay what they were, reworded as well; a later note is asked about alone."""
    stage = Stage()
    name = keep(stage, LINT)
    before = stage.entry(name)

    done = decided(stage, REJECT)
    assert "1 of 1 notes stay as they are" == done.said
    assert before.kind == stage.entry(name).kind and [] == queue(stage.outside, HERE)
    reword(stage.outside, name, Draft(text="Always run make lint and make types"), PERSON)
    assert [] == queue(stage.outside, HERE)
    keep(stage, PIN)

    assert {PIN} == texts(rules_item(stage))


def test_a_rejection_is_taken_back() -> None:
    """Then they are asked about again."""
    stage = Stage()
    keep(stage, LINT)
    undo(stage.outside, decided(stage, REJECT), PERSON)
    assert {LINT} == texts(rules_item(stage))


def as_rule(stage: Stage) -> EntryId:
    fact = Draft(text=LINT, kind="rule")
    return capture(stage.outside, Offer(what=fact, actor=Actor.HUMAN, folder=HERE)).entry


def imported(stage: Stage) -> EntryId:
    fact = Draft(text=LINT, kind="schema")
    told = Offer(what=fact, actor=Actor.HUMAN, came_from=Origin.MIXED, folder=HERE)
    return capture(stage.outside, told).entry


def by_agent(stage: Stage) -> EntryId:
    name = keep(stage, f"{PIN} because the ORM breaks there", Actor.AGENT)
    return stage_by_hand(stage.outside, name, Actor.HUMAN, Stages.VALIDATED).id


def solved(stage: Stage) -> EntryId:
    return stage.remember(LINT, LINT).entry


@pytest.mark.parametrize("kept", [as_rule, imported, by_agent, solved])
def test_what_a_person_did_not_type_as_a_note_is_not_asked_about(kept: object) -> None:
    """A rule already, an import, an agent's note that a person vouched for, a solution."""
    stage = Stage()
    assert callable(kept)
    kept(stage)
    assert ReviewSort.RULES not in {item.sort for item in queue(stage.outside, HERE)}


def test_what_was_decided_meanwhile_stays_as_it_was_decided() -> None:
    """Two terminals: the second decision changes nothing, and says so."""
    stage = Stage()
    name = keep(stage, LINT)
    item = rules_item(stage)
    decided(stage, ACCEPT)
    before = stage.entry(name)

    assert not still_waits(stage.outside, item)
    with pytest.raises(Conflict, match="decided on meanwhile"):
        choose(stage.outside, item, REJECT, PERSON, HERE)
    assert before == stage.entry(name)


def test_a_note_that_changed_since_is_not_taken_back_with_the_rest() -> None:
    """The others are; how many stay is said. More notes than one transaction takes."""
    stage = Stage()
    names = [keep(stage, f"We always {deed}") for deed in DEEDS]
    done = decided(stage, ACCEPT)
    reword(stage.outside, names[0], Draft(text="We always oil the crane"), PERSON)

    assert "1 of it changed since" in undo(stage.outside, done, PERSON)

    assert "rule" == stage.entry(names[0]).kind
    assert {"business_rule"} == {stage.entry(name).kind for name in names[1:]}


def test_only_a_person_decides() -> None:
    """An agent is refused, and nothing else than accept and reject is a choice."""
    stage = Stage()
    keep(stage, LINT)
    item = rules_item(stage)
    with pytest.raises(Refused):
        choose(stage.outside, item, ACCEPT, AGENT, HERE)
    with pytest.raises(UsageError):
        choose(stage.outside, item, ReviewAnswer(ReviewChoice.EDIT), PERSON, HERE)
    assert still_waits(stage.outside, item)

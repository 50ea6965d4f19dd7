"""All that waits for a person is one queue: the worst first, by the same counts everywhere."""

from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.knowledge.brought import Brought, Bundle
from learnt.flows.governance.accept import reject
from learnt.flows.governance.review import pieces, queue, still_waits, waits
from learnt.flows.knowledge.adopt import adopt
from learnt.flows.knowledge.preview import Whither, preview
from learnt.flows.knowledge.relating import argue, settle
from tests.flows.proposing import PERSON, Play
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_disputes import PAIRS, both, keep
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

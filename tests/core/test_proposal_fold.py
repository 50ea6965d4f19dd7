"""A proposal is what its events add up to: few things can happen to it, and nothing else does."""

import hashlib

import pytest
from msgspec.structs import replace

from learnt.core.events import Event, Kind
from learnt.core.governance.proposal_fold import step
from learnt.core.governance.proposals import (
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    reopens,
    text_hash,
)
from learnt.core.identifiers import ContentRef, ProjectId, ProposalId
from learnt.core.records import JsonObject
from tests.core.happenings import happened

SUBJECT = "proposal:skill-1"
PROPOSED: JsonObject = {
    "kind": "new-skill",
    "about": "e-1",
    "words": None,
    "target": "k.target",
    "draft": "k.draft",
    "scope": "p-1",
    "count": 4,
    "distinct": 3,
    "first_ms": 10,
    "last_ms": 40,
    "samples": ["k.s1", "k.s2"],
}
ACCEPTED: JsonObject = {
    "verdict": "accepted",
    "note": "k.note",
    "path": "k.path",
    "before": None,
    "after": "k.after",
    "base": "",
    "written": "h1",
    "links": ["k.link1", "k.link2"],
    "traces": ["k.trace"],
}
REJECTED: JsonObject = {"verdict": "rejected", "note": "k.no"}
UNDONE: JsonObject = {"verdict": "undone"}
APPLIED: JsonObject = {"written": "h1", "links": ["k.link1"]}

PENDING = Proposal(
    id=ProposalId("skill-1"),
    about="e-1",
    target=ContentRef("k.target"),
    draft=ContentRef("k.draft"),
    scope=ProjectId("p-1"),
    evidence=Evidence(
        count=4,
        distinct=3,
        first_ms=10,
        last_ms=40,
        samples=(ContentRef("k.s1"), ContentRef("k.s2")),
    ),
    proposed_ms=1_000,
)


def proposed(**changed: int | str) -> Event:
    """A proposal made, or made again with other evidence."""
    return happened(SUBJECT, Kind.PROPOSED, {**PROPOSED, **changed})


def decided(payload: JsonObject) -> Event:
    return happened(SUBJECT, Kind.DECIDED, payload)


def applied(payload: JsonObject = APPLIED) -> Event:
    return happened(SUBJECT, Kind.APPLIED, payload)


def after(*events: Event) -> Proposal:
    """The proposal that these events, after the first proposing, add up to."""
    known = step(None, proposed())
    for event in events:
        known = step(known, event)
    return known


IN = {
    Status.PENDING: after(),
    Status.ACCEPTED: after(decided(ACCEPTED)),
    Status.APPLIED: after(decided(ACCEPTED), applied()),
    Status.REJECTED: after(decided(REJECTED)),
}


def test_proposing_makes_it() -> None:
    """Everything that its payload says, waiting for a person, and when it came first."""
    assert PENDING == after()


def test_a_route_and_an_edit_keep_their_own() -> None:
    """A route has words and comes of no entry; an edit is bound to the text it was noticed with."""
    route = step(None, proposed(kind="routing", about="k.pair", words="k.words"))
    edit = step(None, proposed(kind="outside-edit", about="skill-1", base="h2"))

    assert (ProposalKind.ROUTING, ContentRef("k.words")) == (route.kind, route.words)
    assert (None, None, "e-1") == (route.entry, edit.entry, PENDING.entry)
    assert (ProposalKind.OUTSIDE_EDIT, "h2") == (edit.kind, edit.base)


def test_accepting_binds_it() -> None:
    """To the text, what it replaced, where it goes, and what will point to it."""
    expected = replace(
        PENDING,
        status=Status.ACCEPTED,
        note=ContentRef("k.note"),
        path=ContentRef("k.path"),
        after=ContentRef("k.after"),
        agreed=ContentRef("k.after"),
        written="h1",
        links=(ContentRef("k.link1"), ContentRef("k.link2")),
    )

    assert expected == IN[Status.ACCEPTED]


def test_applying_says_what_is_on_the_disk() -> None:
    """Of the links those that were put; of the text its hash."""
    expected = replace(IN[Status.ACCEPTED], status=Status.APPLIED, links=(ContentRef("k.link1"),))

    assert expected == IN[Status.APPLIED]


def test_an_edit_that_was_adopted_is_applied_anew() -> None:
    """The accepted text is another from then on."""
    adopted = step(IN[Status.APPLIED], applied({"written": "h3", "after": "k.edited", "links": []}))

    edited = ContentRef("k.edited")
    expected = replace(IN[Status.APPLIED], written="h3", after=edited, links=())
    assert expected == adopted
    assert (True, False) == (adopted.adopted, IN[Status.APPLIED].adopted)


def test_an_edit_that_is_overtaken_is_withdrawn() -> None:
    """It waits no longer, and comes back with the text that it is proposed with again."""
    withdrawn = step(IN[Status.PENDING], decided({"verdict": "withdrawn"}))

    assert replace(PENDING, draft=None) == withdrawn
    assert PENDING == step(withdrawn, proposed())
    assert IN[Status.APPLIED] == step(IN[Status.APPLIED], decided({"verdict": "withdrawn"}))


def test_rejecting_remembers_the_evidence_of_the_day() -> None:
    """So that it can be told when that has doubled."""
    expected = replace(PENDING, status=Status.REJECTED, note=ContentRef("k.no"), rejected_at=4)

    assert expected == IN[Status.REJECTED]


@pytest.mark.parametrize("status", [Status.REJECTED, Status.ACCEPTED, Status.APPLIED])
def test_an_undo_makes_it_wait_again(status: Status) -> None:
    """As if nothing had been decided."""
    undone = step(IN[status], decided(UNDONE))

    assert PENDING == replace(undone, note=None)


def test_what_was_undone_can_be_decided_again() -> None:
    """Either way."""
    undone = (decided(ACCEPTED), applied(), decided(UNDONE))

    assert IN[Status.REJECTED] == after(*undone, decided(REJECTED))
    assert IN[Status.APPLIED] == after(*undone, decided(ACCEPTED), applied())


@pytest.mark.parametrize(
    ("status", "event"),
    [
        (Status.PENDING, applied()),
        (Status.PENDING, decided(UNDONE)),
        (Status.ACCEPTED, decided(ACCEPTED)),
        (Status.ACCEPTED, decided(REJECTED)),
        (Status.APPLIED, decided({**ACCEPTED, "written": "h9"})),
        (Status.APPLIED, decided(REJECTED)),
        (Status.REJECTED, decided(ACCEPTED)),
        (Status.REJECTED, decided({**REJECTED, "note": "k.other"})),
        (Status.REJECTED, applied()),
        *((status, decided({"verdict": "postponed"})) for status in Status),
        *((status, decided({})) for status in Status),
        *((status, happened(SUBJECT, Kind.MISSED)) for status in Status),
        *((status, happened(SUBJECT, Kind.REMEMBERED, PROPOSED)) for status in Status),
    ],
)
def test_nothing_else_happens_to_it(status: Status, event: Event) -> None:
    """An event that the table does not have changes nothing."""
    assert IN[status] == step(IN[status], event)


def test_a_pending_proposal_follows_its_evidence() -> None:
    """Another draft and more evidence take the place of the first; it stays as old as it is."""
    known = step(PENDING, happened(SUBJECT, Kind.PROPOSED, {**PROPOSED, "count": 9}, at=9_000))
    redrawn = step(known, proposed(draft="k.draft2"))

    assert replace(PENDING, evidence=replace(PENDING.evidence, count=9)) == known
    assert replace(PENDING, draft=ContentRef("k.draft2")) == redrawn


@pytest.mark.parametrize("status", [Status.ACCEPTED, Status.APPLIED, Status.REJECTED])
def test_what_was_decided_on_stays_what_it_was(status: Status) -> None:
    """More evidence is counted, yet the text that a person saw is not put by another."""
    known = step(IN[status], proposed(count=5, draft="k.other", target="k.elsewhere", base="h"))

    assert replace(IN[status], evidence=replace(PENDING.evidence, count=5)) == known


@pytest.mark.parametrize("status", [Status.ACCEPTED, Status.APPLIED])
def test_doubled_evidence_reopens_nothing_but_a_rejection(status: Status) -> None:
    """What was accepted stays accepted."""
    known = step(IN[status], proposed(count=400))

    assert (status, False) == (known.status, reopens(IN[status], 400))


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (4, Status.REJECTED),
        (6, Status.REJECTED),
        (7, Status.REJECTED),
        (8, Status.PENDING),
        (9, Status.PENDING),
    ],
)
def test_a_rejection_lasts_until_the_evidence_has_doubled(count: int, expected: Status) -> None:
    """Half as much again is not enough; it comes back with the text of the day."""
    known = step(IN[Status.REJECTED], proposed(count=count, draft="k.draft2"))

    assert expected == known.status
    assert (expected is Status.PENDING) == reopens(IN[Status.REJECTED], count)
    assert ("k.draft2" if expected is Status.PENDING else "k.draft") == known.draft


def test_evidence_doubles_since_the_rejection() -> None:
    """Step by step as well as at once, and again after each rejection."""
    slowly = after(decided(REJECTED), *(proposed(count=count) for count in (5, 6, 7)))

    assert Status.REJECTED == slowly.status
    again = step(step(slowly, proposed(count=8)), decided(REJECTED))
    assert (Status.REJECTED, 8) == (again.status, again.rejected_at)
    assert Status.REJECTED == step(again, proposed(count=15)).status
    assert Status.PENDING == step(again, proposed(count=16)).status


def test_a_rejection_without_evidence_takes_two_to_reopen() -> None:
    """Twice nothing is nothing, and would reopen at once."""
    rejected = step(step(None, proposed(count=0)), decided(REJECTED))

    assert [False, False, True] == [reopens(rejected, count) for count in (0, 1, 2)]


@pytest.mark.parametrize("status", Status)
def test_a_purge_leaves_no_words(status: Status) -> None:
    """The status stays, the texts that people wrote go."""
    purged = step(IN[status], happened(SUBJECT, Kind.PURGED))

    assert replace(IN[status], draft=None, words=None, note=None) == purged


def test_an_id_does_not_depend_on_evidence() -> None:
    """It is that of a home's key, a kind, a subject and a target."""
    told = (ProposalKind.NEW_SKILL, "e-1", "skills/locks/SKILL.md")
    name = proposal_id(b"k", *told)
    others = {
        proposal_id(b"other", *told),
        proposal_id(b"k", ProposalKind.ROUTING, "e-1", "skills/locks/SKILL.md"),
        proposal_id(b"k", ProposalKind.NEW_SKILL, "e-2", "skills/locks/SKILL.md"),
        proposal_id(b"k", ProposalKind.NEW_SKILL, "e-1", "skills/waits/SKILL.md"),
    }

    assert proposal_id(b"k", *told) == name
    assert 4 == len(others - {name})
    names = [proposal_id(b"k", kind, "x", "y").split("-")[0] for kind in ProposalKind]
    assert "skill route rule edit topic version merge retire rollback".split() == names


def test_a_text_is_known_by_its_hash() -> None:
    """No file has none, an empty one has one, and what is no UTF-8 has one too."""
    assert "" == text_hash(None)
    assert hashlib.sha256(b"").hexdigest() == text_hash("")
    assert hashlib.sha256("a\r\n锁".encode()).hexdigest() == text_hash("a\r\n锁")
    assert hashlib.sha256(b"\xff").hexdigest() == text_hash(
        b"\xff".decode("utf-8", "surrogateescape")
    )
    assert text_hash("a\n") != text_hash("a\r\n")

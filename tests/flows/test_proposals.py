"""From what is recalled and what is missed to a file that a person accepted, and back."""

from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.identifiers import EntryId, ProjectId
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance.accept import accept, reject, undo
from learnt.flows.governance.analyze import Analysis, Thresholds, analyze
from learnt.flows.governance.decisions import proposals
from learnt.flows.governance.listing import listed, shown, signals
from learnt.flows.governance.signals import reuses
from learnt.flows.governance.survey import OpenQuestion, settle
from learnt.flows.recall.offering import answer_prompt
from learnt.flows.sessions.locate import find, look
from learnt.flows.sessions.observe import read_prompt
from learnt.formats.draft_md import ROUTES
from tests.flows.proposing import AGENT, FILE, LINKS, MISSES, PERSON, ROOT, SLUG, Play
from tests.flows.stage import ELSEWHERE, HERE, PROMPT
from tests.support.sessions_told import Home, ran, said


def test_a_session_counts_an_entry_once() -> None:
    """Ten prompts that it bears on, with compactions between, are one use of it."""
    stage = Play()
    entry = stage.remember().entry
    for number in range(10):
        stage.prompt(episode=f"e{number}")
        stage.report("SessionStart", detail={"source": "compact"}, episode=f"e{number}")

    with stage.outside.ledger.reading() as reader:
        (reuse,) = reuses(reader)
    assert (entry, 1, {"s1"}) == (reuse.entry, reuse.count, reuse.sessions)
    assert Analysis(entries=1, misses=0) == stage.analyze()


def test_three_sessions_make_a_proposal_and_two_do_not() -> None:
    """The evidence says how often, in how many sessions, and shows the prompt."""
    stage = Play()
    entry = stage.remember().entry
    stage.recalled("s1", "s2")
    assert () == stage.analyze().new

    stage.recalled("s3")
    (name,) = stage.analyze().new

    told = shown(stage.outside, name)
    assert (3, 3) == (told.proposal.evidence.count, told.proposal.evidence.distinct)
    assert (entry, Status.PENDING) == (told.proposal.entry, told.proposal.status)
    assert (f"skills/{SLUG}/SKILL.md", (PROMPT,)) == (told.target, told.samples)
    assert {} == stage.disk.files


def test_both_thresholds_must_be_met() -> None:
    """Enough uses in too few sessions are too few; zero asks for none."""
    stage = Play()
    stage.remember()
    stage.recalled("s1", "s2", "s3")

    assert () == stage.analyze(Thresholds(reuse_sessions=4)).new
    assert () == stage.analyze(Thresholds(reuse=4)).new
    assert 1 == len(stage.analyze(Thresholds(reuse=0, reuse_sessions=0)).new)


def test_a_replayed_session_changes_nothing() -> None:
    """The same reports once more, by the same hook or by another."""
    stage = Play()
    stage.remember()
    seen = [
        stage.observation("UserPromptSubmit", session=f"s{number}", episode="e")
        for number in range(3)
    ]
    for one in seen:
        answer_prompt(
            stage.outside,
            one,
            read_prompt(stage.outside.language, one.actor, PROMPT),
            lambda: False,
        )
    first = stage.analyze()
    events = len(stage.events(Kind.REUSED))

    for one in seen:
        for again in (one, replace(one, id=f"again-{one.id}")):
            answer_prompt(
                stage.outside,
                again,
                read_prompt(stage.outside.language, again.actor, PROMPT),
                lambda: False,
            )

    assert events == len(stage.events(Kind.REUSED))
    second = stage.analyze()
    assert (1, (), ()) == (len(first.new), second.new, second.grown)
    assert first.new == second.unchanged


def test_more_evidence_grows_a_proposal() -> None:
    """A fourth and a fifth session make no second one; nothing is recorded where nothing is new."""
    stage = Play()
    name = stage.proposed()
    stage.recalled("s4", "s5")
    assert Analysis(entries=1, misses=0, grown=(name,)) == stage.analyze()
    before = stage.audit(name)

    assert (name,) == stage.analyze().unchanged
    assert before == stage.audit(name) == ["proposed", "proposed"]
    (told,) = listed(stage.outside)
    assert 5 == told.proposal.evidence.count
    assert "5x across 5 sessions" in told.rationale


def test_what_was_rejected_stays_rejected() -> None:
    """With the same evidence and with half as much again; doubled, it is asked again."""
    stage = Play()
    name = stage.proposed()
    assert reject(stage.outside, name, "not now", PERSON)
    assert not reject(stage.outside, name, "again", PERSON)

    assert Analysis(entries=1, misses=0, unchanged=(name,)) == stage.analyze()
    stage.recalled("s4", "s5")
    assert () == stage.analyze().new
    assert Status.REJECTED == stage.held(name).status
    stage.recalled("s6")

    assert (name,) == stage.analyze().new
    assert Status.PENDING == stage.held(name).status
    assert [] == stage.outside.ledger.verify()


def test_accepting_writes_once() -> None:
    """File, link and state; the second time says that it was done before."""
    stage = Play()
    name = stage.proposed()
    change = stage.plan(name)

    assert accept(stage.outside, change, PERSON)
    assert not accept(stage.outside, change, PERSON)
    assert not stage.accept(name)

    assert ([FILE], change.after) == (stage.disk.written, stage.disk.read(FILE))
    assert {f"{LINKS}/{SLUG}": FILE.rpartition("/")[0]} == stage.disk.links
    assert ["proposed", "accepted", "applied"] == stage.audit(name)
    stage.recalled("s9")  # a draft takes no help away


def test_an_undo_gives_back_what_was_there() -> None:
    """No file, no link, and the entry is recalled again; then it can be accepted once more."""
    stage = Play()
    name = stage.proposed()
    stage.accept(name)
    undo(stage.outside, name, PERSON)

    assert ({}, {}) == (stage.disk.files, stage.disk.links)
    assert Status.PENDING == stage.held(name).status
    stage.recalled("s9")
    assert stage.accept(name)
    assert [FILE] == list(stage.disk.files)


def test_an_untouched_route_is_undone_to_the_byte() -> None:
    """The rules are what they were, with every blank that stood in them."""
    stage = Play()
    rules, path = "# Rules\n\ntext  \n\n\n", f"{ROOT}/{ROUTES}"
    stage.disk.files[path] = rules
    name = stage.routed()
    stage.accept(name)
    assert "### TODO-agent" in stage.disk.files[path]
    undo(stage.outside, name, PERSON)
    assert rules == stage.disk.files[path]


def test_only_a_person_decides() -> None:
    """An agent is refused, told whom to ask, and nothing is written."""
    stage = Play()
    name = stage.proposed()
    change = stage.plan(name)

    with pytest.raises(Refused, match="Only a person"):
        accept(stage.outside, change, AGENT)
    with pytest.raises(Refused, match="Only a person"):
        reject(stage.outside, name, "", AGENT)
    stage.accept(name)
    with pytest.raises(Refused, match="Only a person"):
        undo(stage.outside, name, AGENT)
    assert [FILE] == stage.disk.written
    assert ["proposed", "accepted", "applied"] == stage.audit(name)


def test_what_is_decided_is_not_decided_otherwise() -> None:
    """Applied is not rejected, rejected not accepted; the way there is an undo."""
    stage = Play()
    name = stage.proposed()
    with pytest.raises(Refused):
        undo(stage.outside, name, PERSON)
    stage.accept(name)
    with pytest.raises(Refused, match="undo"):
        reject(stage.outside, name, "", PERSON)
    undo(stage.outside, name, PERSON)
    reject(stage.outside, name, "", PERSON)

    with pytest.raises(Refused, match="undo"):
        stage.accept(name)
    with pytest.raises(NotFound):
        reject(stage.outside, "skill-0000000000", "", PERSON)
    assert {} == stage.disk.files


def test_a_file_in_the_way_is_left() -> None:
    """Unless the person says so; an undo then gives it back."""
    stage = Play()
    name = stage.proposed()
    stage.disk.files[FILE] = "mine"

    with pytest.raises(Refused, match="--overwrite"):
        stage.accept(name)
    assert ("mine", Status.PENDING) == (stage.disk.files[FILE], stage.held(name).status)
    assert accept(stage.outside, stage.plan(name), PERSON, overwrite=True)
    undo(stage.outside, name, PERSON)
    assert "mine" == stage.disk.files[FILE]


def test_what_changed_since_it_was_shown_is_not_written() -> None:
    """Neither over a file that came meanwhile, nor with a draft that was renewed."""
    stage = Play()
    name = stage.proposed()
    change = stage.plan(name)
    stage.disk.files[FILE] = "mine"
    with pytest.raises(Conflict):
        accept(stage.outside, change, PERSON)

    assert ({FILE: "mine"}, Status.PENDING) == (stage.disk.files, stage.held(name).status)


def test_a_renewed_draft_is_looked_at_again() -> None:
    """A person accepts the text that they saw, and no other."""
    stage = Play()
    name = stage.proposed()
    change = stage.plan(name)
    stage.recalled("s4", prompt="Again the stripe webhook signature fails in production")
    stage.analyze()
    assert change.after != stage.plan(name).after

    with pytest.raises(Conflict):
        accept(stage.outside, change, PERSON)
    assert ({}, Status.PENDING) == (stage.disk.files, stage.held(name).status)


def test_the_same_words_twice_are_two_files() -> None:
    """Two entries of one problem get targets of their own, and keep them."""
    stage = Play()
    entries = {
        stage.remember(approach=approach).entry
        for approach in ("Verify the raw body, not the JSON", "Rotate the endpoint's secret")
    }
    assert 2 == len(entries)
    stage.recalled("s1", "s2", "s3")
    names = stage.analyze().new
    targets = {told.proposal.about: told.target for told in listed(stage.outside)}

    assert (2, entries, 2) == (len(names), set(map(EntryId, targets)), len({*targets.values()}))
    stage.recalled("s4")
    assert set(names) == set(stage.analyze().grown)
    assert targets == {told.proposal.about: told.target for told in listed(stage.outside)}
    assert [True, True] == [stage.accept(name) for name in names]
    assert 2 == len(stage.disk.files)


def test_misses_make_a_route() -> None:
    """Three prompts that share two words; one asked once more grows it and makes no other."""
    stage = Play()
    name = stage.routed()
    stage.missed("A feature flag that never turns on, how come?")

    assert Analysis(entries=0, misses=4, grown=(name,)) == stage.analyze()
    (told,) = listed(stage.outside)
    assert (4, 4) == (told.proposal.evidence.count, told.proposal.evidence.distinct)
    assert "[feature, flag]" in told.rationale
    assert 4 == signals(stage.outside).misses.total
    with stage.outside.ledger.reading() as reader:
        assert [name] == [one.id for one in proposals(reader)]


def test_a_route_that_comes_to_be_named_otherwise_is_the_same() -> None:
    """More prompts share two other words by now: the proposal grows, and there is no other."""
    stage = Play()
    stage.missed(*(f"Feature flag rollout {word}" for word in ("breaks", "hangs", "crashes")))
    (name,) = stage.analyze().new
    (before,) = listed(stage.outside)
    assert "[feature, flag]" in before.rationale

    stage.missed(*(f"Flag rollout {word}" for word in ("migration", "metrics", "alarms")))

    assert Analysis(entries=0, misses=6, grown=(name,)) == stage.analyze()
    assert Analysis(entries=0, misses=6, unchanged=(name,)) == stage.analyze()
    (told,) = listed(stage.outside)
    assert "[flag, rollout]" in told.rationale
    assert (name, 6) == (told.proposal.id, told.proposal.evidence.count)


def missed_in(stage: Play, folder: str, *texts: str) -> None:
    """One prompt in a session of its own for each text, typed in a folder."""
    for text in texts:
        assert "" == stage.prompt(text, session=f"m{stage.reports}", cwd=folder)


def project_of(stage: Play, folder: str) -> str:
    with stage.outside.ledger.reading() as reader:
        found = find(reader, look(stage.outside, folder))
        assert found is not None
        return found.project


def test_prompts_of_two_projects_make_no_route_together() -> None:
    """Two here and one elsewhere are too few in each; the sums hold all three."""
    stage = Play()
    missed_in(stage, HERE, *MISSES[:2])
    missed_in(stage, ELSEWHERE, MISSES[2])

    assert () == stage.analyze().new
    assert (3, 3) == (signals(stage.outside).misses.total, signals(stage.outside).misses.unique)


def test_each_project_has_a_route_of_its_own() -> None:
    """The same words in both: two proposals, each with its own prompts, its count and its scope."""
    stage = Play()
    missed_in(stage, HERE, *MISSES)
    missed_in(stage, ELSEWHERE, *(f"{text} (secret)" for text in MISSES))

    told = [shown(stage.outside, name) for name in stage.analyze().new]

    scopes = {one.proposal.scope: one for one in told}
    assert {project_of(stage, HERE), project_of(stage, ELSEWHERE)} == set(scopes)
    here = scopes[told[0].proposal.scope]
    assert ["here", "elsewhere"] == sorted((one.project for one in told), reverse=True)
    assert all(("secret" in one.draft) == (one.project == "elsewhere") for one in told)
    assert 3 == here.proposal.evidence.count


def test_projects_that_are_declared_the_same_share_their_misses() -> None:
    """The prompts of both make one route, and it stays the one that there was."""
    stage = Play()
    missed_in(stage, HERE, *MISSES)
    (name,) = stage.analyze().new
    missed_in(stage, ELSEWHERE, "Is there a feature flag for that?")
    here, elsewhere = project_of(stage, HERE), project_of(stage, ELSEWHERE)
    question = OpenQuestion(
        project=ProjectId(here), name="here", other=ProjectId(elsewhere), other_name="elsewhere"
    )
    settle(stage.outside, question, same=True, actor=Actor.HUMAN)

    found = stage.analyze()

    assert ((), (name,)) == (found.new, found.grown)
    assert 4 == stage.held(name).evidence.count


def test_a_prompt_for_which_a_skill_was_launched_is_not_missed() -> None:
    """The skill answers it: no route is proposed for what it is there for."""

    def proposed(*steps: dict[str, Any]) -> tuple[int, set[ProposalKind]]:
        home = Home()
        for number, text in enumerate(MISSES):
            home.session(f"s{number}", [said(text, *steps)])
        analyze(home.outside, Thresholds(), Actor.LEARNT)
        told = {each.proposal.kind for each in listed(home.outside, [Status.PENDING])}
        return signals(home.outside).misses.total, told

    launched = {"tool": "Skill", "input": {"skill": "flags"}, "result": "ok", "failed": False}
    assert (3, {ProposalKind.ROUTING}) == proposed(ran("ls"))
    assert (0, set()) == proposed(launched, ran("ls"))


def test_every_step_is_kept() -> None:
    """Each decision is an event, and the last one is what is true."""
    stage = Play()
    name = stage.proposed()
    reject(stage.outside, name, "not now", PERSON)
    undo(stage.outside, name, PERSON)
    stage.accept(name)

    expected = ["proposed", "rejected", "undone", "accepted", "applied"]
    assert expected == stage.audit(name)
    assert Status.APPLIED == stage.held(name).status
    assert {Actor.HUMAN} == {event.actor for event in stage.events(Kind.DECIDED)}
    assert [] == stage.outside.ledger.verify()

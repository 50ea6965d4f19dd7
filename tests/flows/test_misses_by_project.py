"""Prompts that found nothing, in projects that share nothing and in copies of one."""

from typing import Any

from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.identifiers import ProjectId
from learnt.flows.governance.analyze import Thresholds, analyze
from learnt.flows.governance.listing import listed, shown, signals
from learnt.flows.governance.survey import OpenQuestion, settle
from learnt.flows.sessions.locate import find, look
from tests.flows.proposing import MISSES, Play
from tests.flows.stage import ELSEWHERE, HERE
from tests.support.sessions_told import Home, ran, said


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

"""The real Claude Code is told at the failure, and at the file."""

from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.drafts import Draft
from learnt.flows.knowledge.capture import Offer, capture
from learnt.settings import Settings
from tests.real.test_harvest_seen import FAILING, RUN, cured, known, session
from tests.real.test_mcp_claude_code import ALLOWED, WAIT
from tests.support.beside_client import Learnt
from tests.support.model_server import call, say

ASKED = "Carry on, please."
KAFKA = "Kafka consumer rebalances forever after constructor timeout"
RAISED = "Raise max.poll.interval.ms above the longest batch"
DASHBOARD = "the kafka dashboard is empty, how do I raise its retention"

RULE = "Always run make lint before you push"
RULES_FOR_THIS = "rules for this command, in their words"
LIST = call("Bash", command="ls", description="List")
PUSH = call("Bash", command="git push --dry-run; echo ran $((6 * 7))", description="Push")


@pytest.mark.slow
def test_a_cure_is_told_when_its_failure_comes_again(learnt: Learnt) -> None:
    """In another session, by another prompt: in the result of the call that failed, and once."""
    client, project = learnt.client, cured(learnt)
    entry = known(learnt, project, "candidate")["id"]

    (project / "timer.py").write_text(FAILING)
    again = session(client, project, ASKED, RUN, RUN)
    seen = [str(request.body).count(f"{entry[-5:]} UNPROVEN") for request in again.requests]
    assert seen[:3] in ([0, 1, 1], [0, 0, 1]), seen
    assert "failure" in learnt("why", entry)


@pytest.mark.slow
def test_a_fact_is_told_when_its_file_is_read(learnt: Learnt) -> None:
    """With the setting, once a context; of another file nothing is told.

    On a busy machine the first answer may come too late: it is told at the next read then.
    """
    client = learnt.client
    project = client.project("alpha")
    for name in ("rates.py", "other.py"):
        (project / name).write_text("def rounded(amount):\n    return round(amount, 2)\n")
    (learnt.home / "config.toml").parent.mkdir(parents=True, exist_ok=True)
    (learnt.home / "config.toml").write_text("[recall]\nat_files = true\n")
    learnt.init()
    entry = vouched(learnt, project, "Amounts are rounded half up, as the ledger does it.")

    other, cited = (call("Read", file_path=str(project / f"{n}.py")) for n in ("other", "rates"))
    told = session(client, project, ASKED, other, cited, cited)
    seen = [str(request.body).count(f"{entry[-5:]} TRUST") for request in told.requests]
    assert seen[:4] in ([0, 0, 1, 1], [0, 0, 0, 1]), seen


@pytest.mark.slow
def test_a_rule_comes_with_the_command_that_it_governs(learnt: Learnt) -> None:
    """In the first request after the call, once a context; no start showed it, nor another call.

    On a busy machine the first answer may come too late: it comes with the next such call then.
    """
    client, project = learnt.client, learnt.client.project("alpha")
    learnt.home.mkdir(parents=True, exist_ok=True)
    (learnt.home / "config.toml").write_text("[recall]\ncontents_tokens = 0\n")
    learnt.init()
    kept(learnt, project, Draft(text=RULE, kind="rule"))

    told = session(client, project, ASKED, LIST, PUSH, PUSH)
    seen = [str(request.body).count(RULE) for request in told.requests]
    assert seen[:4] in ([0, 0, 1, 1], [0, 0, 0, 1]), seen
    # The client asks its model nothing between the hook and the command: both come in one request.
    newest = told.requests[seen.index(1)].newest_text
    assert RULES_FOR_THIS in newest and "ran 42" in newest


@pytest.mark.slow
def test_the_agent_follows_a_line_that_names_an_entry(learnt: Learnt) -> None:
    """It reads the entry over MCP by its id; that is its use, and the story says so."""
    client = learnt.client
    learnt.init()
    project = client.project("alpha")
    entry = kept(learnt, project, Draft(problem=KAFKA, approach=RAISED))

    followed = client.run(
        project,
        DASHBOARD,
        [
            WAIT,
            call("ToolSearch", query="select:mcp__learnt__recall"),
            call("mcp__learnt__recall", query=entry),
            say("Its retention is set elsewhere."),
        ],
        arguments=ALLOWED,
    )
    assert followed.exit_code == 0, followed.output + followed.errors
    named = followed.asking(DASHBOARD).newest_text
    assert f"{handle(EntryId(entry))} {KAFKA}" in named and RAISED not in named
    assert RAISED in followed.requests[3].newest_text
    state = learnt.json("status", "--project", str(project))
    assert 1 == state["reuses"]
    assert f"named by a line: {entry}" in learnt("why", followed.session_id)


def vouched(learnt: Learnt, project: Path, said: str) -> str:
    """A fact that a person keeps, which cites `rates.py`."""
    return kept(learnt, project, Draft(text=said, kind="business_rule"), "rates.py#rounded")


def kept(learnt: Learnt, project: Path, what: Draft, *cites: str) -> str:
    """What a person keeps, by the id of its entry."""
    offer = Offer(what=what, actor=Actor.HUMAN, folder=str(project), cites=cites)
    with opened(Settings(home=learnt.home)) as outside:
        return capture(outside, offer).entry

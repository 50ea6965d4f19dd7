"""The real Claude Code is told at the failure, and at the file."""

from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Fact
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.offers import Offer
from learnt.settings import Settings
from tests.real.test_harvest_seen import CHECK, FAILING, RUN, known, session
from tests.support.beside_client import Learnt
from tests.support.model_server import Turn, call, text

ASKED = "Carry on, please."


@pytest.mark.slow
def test_a_cure_is_told_when_its_failure_comes_again(learnt: Learnt) -> None:
    """In another session, by another prompt: in the result of the call that failed, and once."""
    client = learnt.client
    project = client.project("alpha")
    (project / "timer.py").write_text(FAILING)
    (project / "check_timer.py").write_text(CHECK)
    learnt.init()
    file = str(project / "timer.py")
    cure = call("Edit", file_path=file, old_string="b - a", new_string="(b - a) % 1440")
    explained = Turn(blocks=(text("Past midnight the difference turns negative."), *cure.blocks))
    session(client, project, "run the check", RUN, call("Read", file_path=file), explained, RUN)
    entry = known(learnt, project, "candidate")["id"]

    (project / "timer.py").write_text(FAILING)
    again = session(client, project, ASKED, RUN, RUN)
    seen = [str(request.body).count(f"[{entry}] UNPROVEN") for request in again.requests]
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
    seen = [str(request.body).count(f"[{entry}] TRUST") for request in told.requests]
    assert seen[:4] in ([0, 0, 1, 1], [0, 0, 0, 1]), seen


def vouched(learnt: Learnt, project: Path, said: str) -> str:
    """A fact that a person keeps, which cites `rates.py`."""
    fact = Fact(text=said, kind="business_rule")
    offer = Offer(what=fact, actor=Actor.HUMAN, folder=str(project), cites=("rates.py#rounded",))
    with opened(Settings(home=learnt.home)) as outside:
        return capture(outside, offer).entry

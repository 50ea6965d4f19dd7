"""The real Claude Code and living knowledge: found out in two sessions, relied on in the third."""

import json

import pytest

from learnt.core.identifiers import handle
from tests.support.beside_client import LEARNT, Learnt
from tests.support.model_server import call, say

ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"


@pytest.mark.slow
def test_what_two_sessions_saw_is_trusted_in_the_third(learnt: Learnt) -> None:
    """Each vouched for by the call before it; then it comes with the prompt that names it."""
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    own = f"{LEARNT} --home {learnt.home} knowledge"
    look = call("Bash", command="echo 't_room: 3 rows in set'", description="Look")

    first = client.run(
        project,
        "How are the rooms joined?",
        [look, call("Bash", command=f"{own} capture --kind schema --content '{ROOM}' "
                    "--evidence last --json"), say("Kept.")],
    )  # fmt: skip
    assert first.exit_code == 0, first.output + first.errors
    (waiting,) = learnt.json("knowledge", "sweep")["waiting"]
    assert waiting["needs"] == ["score", "sessions", "checks"]

    again = f"{own} confirm --id {waiting['id']} --evidence last; {own} sweep"
    second = client.run(project, "Is it so?", [look, call("Bash", command=again), say("It is.")])
    assert second.exit_code == 0, second.output + second.errors
    assert "proved itself: validated" in second.requests[-1].newest_text

    third = client.run(project, "Write me a report on t_room please", [say("Here.")])
    asked = third.asking("Write me a report")
    assert f"{handle(waiting['id'])} TRUST" in asked.newest_text and ROOM in asked.newest_text
    assert "knowledge-governor" in json.dumps(third.requests[0].body)

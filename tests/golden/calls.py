"""What an MCP client is answered: every tool, in success and in refusal."""

from collections.abc import Mapping
from typing import Any

from tests.golden.script import NOBODY, REMEMBER, ROOM
from tests.golden.stage import Stage
from tests.support.homes import PROBLEM

SKILL = {
    "name": "rotate-the-logs",
    "description": "Rotates the logs of a host whose disk fills up",
    "body": "# Rotate\n\nStop the shipper, move the file, start the shipper again.",
}
FACT = {"text": ROOM, "kind": "schema"}
CALLS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("status", {}),
    ("recall", {"query": "t_room"}),
    ("recall_sessions", {"query": "Which port has the staging gateway?"}),
    ("recall_sessions", {"query": "zebra", "limit": 2}),
    ("propose", FACT | {"entities": ["t_room"], "tags": ["rooms"]}),
    ("recall", {"query": "t_room", "limit": 3}),
    ("confirm", {"id": "{}"}),
    ("confirm", {"id": "{}"}),
    ("confirm", {"id": "{}", "evidence": "toolu_9"}),
    ("feedback", {"id": "{}", "result": "success"}),
    ("why", {"id": "{}"}),
    ("propose", FACT | {"text": ROOM.upper()}),
    ("propose", {"text": "t_room.room_no is unique across all hotels", "kind": "schema"}),
    ("relate", {"new": "{}", "old": "{before}", "relation": "same"}),
    ("relate", {"new": "{}", "old": "{before}", "relation": "contradicts"}),
    ("relate", {"new": "{}", "old": "{}", "relation": "same"}),
    ("relate", {"new": "{}", "old": "zzzzz", "relation": "narrows"}),
    ("relate", {"new": "{}", "old": NOBODY, "relation": "opposes"}),
    ("propose", {"text": "no", "kind": "procedure"}),
    (
        "propose",
        {
            "text": "psql on db7 wants password=hunter2hunter2 and port 6432",
            "kind": "tool_experience",
        },
    ),
    ("remember", {"quote": "All our prices are gross, never net", "kind": "rule"}),
    ("remember", {"quote": ""}),
    ("remember", {"quote": "the key is AKIAIOSFODNN7EXAMPLE"}),
    ("propose", {}),
    ("propose", {"text": ROOM}),
    ("propose", {"text": ROOM, "kind": "nonsense"}),
    ("propose", FACT | {"problem": "both", "approach": "of them"}),
    (
        "propose",
        {
            "problem": "Deploy migration fails with database is locked",
            "approach": "Stop the queue consumers first",
            "cautions": ["Start them again"],
            "everywhere": True,
        },
    ),
    ("recall", {"query": "migration database locked"}),
    ("recall", {"query": PROBLEM}),
    ("feedback", {"id": "{}", "result": "failure"}),
    ("feedback", {"id": "{}", "result": "invalidate"}),
    ("feedback", {"id": "{}", "result": "argue", "evidence": "the manual says so"}),
    ("recall", {"query": PROBLEM}),
    ("recall", {"query": "zebra"}),
    ("recall", {}),
    ("recall", {"query": "x", "limit": 99, "more": 1}),
    ("confirm", {"id": "no id at all"}),
    ("confirm", {"id": NOBODY}),
    ("propose_skill", SKILL),
    ("propose_skill", SKILL),
    ("propose_skill", SKILL | {"body": "Run !`rm -rf /` first"}),
    ("propose_skill", SKILL | {"name": "Not A Name"}),
    ("improvement_brief", {"skill": "ship"}),
    ("improvement_brief", {"skill": "nothing"}),
    ("status", {}),
    ("why", {"id": "nothing"}),
    ("feedback", {"id": NOBODY, "result": "well"}),
    ("nonsense", {}),
)


def asked_by_mcp(stage: Stage) -> None:
    """Every tool, in a home that holds one thing of the person's own."""
    stage.home.remember()
    stage.reported("session-1", REMEMBER)
    stage.agent("sessions", "list")
    file = stage.home.project / ".agents" / "skills" / "ship" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: ship\ndescription: Ships\n---\n\nShip it.\n", "utf-8")
    stage.tools(CALLS)

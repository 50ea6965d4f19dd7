"""Homes in which something of each sort waits for a person."""

from pathlib import Path

from learnt.bootstrap import opened
from learnt.core.events import Actor, NewEvent
from learnt.core.governance.proposals import Evidence, ProposalKind, proposal_id
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.core.identifiers import EntryId, entry_subject, proposal_subject
from learnt.core.knowledge.entries import Content, Stage
from learnt.core.payloads.entry_events import Remembered
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.safety import owned
from learnt.flows.governance.draft_skill import draft_skill
from learnt.settings import Settings
from tests.support.homes import Home

SEVEN = "Booking status 7 means that the guest never arrived"
OTHER = "Booking status 7 means the room is under repair"
ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
SKILL = "restore-the-queue"
HOSTILE = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror=\"window.hacked = 1\">",
    "\"><svg onload=window.hacked=1>",
    "</textarea><script>window.hacked = 1</script>",
    "</title></head><body onload=window.hacked=1>",
    "' onmouseover='window.hacked=1' x='",
    "<a href=\"javascript:window.hacked=1\">see</a>",
    "<iframe src=\"https://attacker.example\"></iframe>",
    "<style>main { display: none }</style>",
    "<form action=\"https://attacker.example\"><button>Accept</button></form>",
    "<base href=\"https://attacker.example/\">",
    "{{ 7 * 7 }} {% raw %} ${7*7} #{7*7}",
    "&lt;b&gt; &#x202e; &amp;amp;",
    "rm -rf \u202e/ emoh \u202c now",
    "zero\u200bwidth\u200cand\u2060joined",
    "tags \U000e0041\U000e0042\U000e0043 behind",
    "variation\ufe00selector and soft\u00adhyphen",
    "bell \x07 escape \x1b[31m and back\x08space",
    "private \ue000 use and \ufff9 anchor",
    "blank \u3164 filler and \u2800 braille",
]  # fmt: skip
BODY = (
    "# Restore the queue\n\n1. Stop the workers.\n2. Requeue what hangs: `bin/requeue --stuck`.\n"
)


def candidate(home: Home, text: str = ROOM) -> str:
    """An agent's fact that nobody vouched for."""
    said = home.here("knowledge", "capture", "--kind", "schema", text, "--json")
    return str(said.json["id"])


def dispute(home: Home) -> None:
    """Two rules of a person that may not hold together."""
    rule = ("knowledge", "capture", "--kind", "business_rule")
    older, newer = (
        home.here(*rule, text, "--json", typed="").json["id"] for text in (SEVEN, OTHER)
    )
    home.here("knowledge", "relate", newer, older, "contradicts")


def draft(home: Home, name: str = SKILL, body: str = BODY, description: str = "") -> str:
    """A skill that an agent drafted; its proposal's id."""
    said = description or "Restores the queue after a crash. Use when jobs hang in the queue."
    given = SkillDraft(name=name, description=said, body=body)
    with opened(Settings(home=home.path)) as outside:
        done = draft_skill(outside, given, folder=str(home.project), actor=Actor.AGENT)
    return str(done.proposal.id)


def skill_file(home: Home, name: str = SKILL) -> Path:
    """Where an accepted draft lies."""
    return home.project / ".agents" / "skills" / name / "SKILL.md"


def many_drafts(home: Home, count: int) -> None:
    """So many skills that an agent drafted, recorded in one go."""
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        for number in range(count):
            name = f"skill-number-{number}"
            text = f"---\nname: {name}\ndescription: Does {number}.\n---\n\n# Do {number}\n"
            about, target = Actor.AGENT, f"skills/{name}/SKILL.md"
            proposal = proposal_id(outside.ledger.key, ProposalKind.NEW_SKILL, about, target)
            said = Proposed(
                kind=ProposalKind.NEW_SKILL,
                about=about,
                target=writer.keep("target", owned(target)),
                draft=writer.keep("draft", owned(text)),
                evidence=Evidence(count=1, distinct=1),
            )
            writer.append(NewEvent(proposal_subject(proposal), Actor.AGENT, said))


def remembered(home: Home, texts: list[str]) -> None:
    """Candidates with these texts, whatever the gates would say of them today."""
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        for number, text in enumerate(texts):
            content = Content(text=writer.keep("text", owned(text)), kind="schema")
            said = Remembered(stage=Stage.CANDIDATE, content=content)
            name = EntryId(f"e-06h1tsv84fj{number:03}")
            writer.append(NewEvent(entry_subject(name), Actor.AGENT, said))

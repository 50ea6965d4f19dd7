"""Attacks on the entry points, played through the hooks, the server's tools and the gates."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from learnt.core.digest.remarks import Basis
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.brought import Brought, Bundle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage
from learnt.errors import LearntError
from learnt.flows.knowledge.adopt import adopt
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.preview import Whither, preview
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.sessions.answer import respond
from learnt.formats import memories
from learnt.formats.wire import Frame
from learnt.surfaces import mcp_tools
from learnt.surfaces.agent_calls import Client
from learnt.surfaces.mcp_tools import Propose, Relate, Remember
from tests.support.sessions_told import FOLDER, Home
from tests.support.transcripts import Reports

SETS = Path(__file__).parents[1] / "data" / "entry_points"
STRANGER, OWN = "dunnock", "wheatear"  # the author of the second had read the design, not the code
RULES = "The user's rules"  # every heading of rules that hold begins so
ACTS = (
    "git push origin main",
    "git push --force",
    "git commit -am x",
    "kubectl apply -f prod.yaml",
    "npm install left",
    "pytest -q",
    "alembic upgrade head",
    "gh release create v1",
    "ruff format .",
    "rm -rf build",
)  # one of each sort that a rule may govern

NO_ENTRY: Final = EntryId("e-00000000000000")
Attack = Mapping[str, Any]


def attacks(sort: str, *names: str) -> list[Any]:
    """The attacks of a sort in those sets, or in all, as parameters."""
    lines = (
        line
        for name in names or (STRANGER, OWN)
        for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()
    )
    return [pytest.param(a, id=a["id"]) for a in map(json.loads, lines) if a["sort"] == sort]


@dataclass
class Session:
    """A session of Claude Code, frame by frame as its hooks report it."""

    home: Home
    name: str
    attended: bool = True
    number: int = 0

    def __post_init__(self) -> None:
        self._reports = Reports(
            session=self.name, folder=FOLDER, transcript="/t/none.jsonl", attended=self.attended
        )
        self.start = self._fire(self._reports.began())

    def _fire(self, frame: Frame, **more: str) -> str:
        """What the hook prints; `more` is what the report says beside."""
        body = json.dumps({**json.loads(frame.body), **more}).encode()
        return respond(self.home.outside, replace(frame, body=body), lambda: False).decode()

    def asks(self, prompt: str, **more: str) -> str:
        """A prompt is submitted: what is put before the agent, and on the person's screen."""
        self.number += 1
        return self._fire(self._reports.asked(self.number, prompt), **more)

    def injected(self, prompt: str) -> None:
        """The client submits a text of its own; a subagent's prompt names the subagent."""
        self.asks(prompt, **({} if prompt.startswith("<") else {"agent_id": "sub-1"}))

    def prints(self, output: str) -> None:
        """A tool's call gives an output."""
        step = {"tool": "Bash", "input": {"command": "cat x"}, "result": output, "failed": False}
        self._fire(self._reports.called(self.number, self.number, step))

    def acts(self, command: str) -> str:
        """A shell command is about to run: what is put before the agent."""
        self.number += 1
        given = {"tool_name": "Bash", "tool_use_id": f"{self.name}-{self.number}"}
        frame = self._reports.asked(self.number, "")
        body = {**json.loads(frame.body), **given, "hook_event_name": "PreToolUse"}
        body["tool_input"] = {"command": command}
        frame = replace(frame, event="PreToolUse", body=json.dumps(body).encode())
        return self._fire(frame)

    def calls(self, tool: str) -> Client:
        """The client of a server's tool whose call a hook saw in this session."""
        self.number += 1
        call = f"{self.name}-call-{self.number}"
        given = {"tool_name": f"mcp__learnt__{tool}", "tool_use_id": call, "tool_input": {}}
        frame = self._reports.asked(self.number, "")
        body = {**json.loads(frame.body), **given, "hook_event_name": "PreToolUse"}
        self._fire(replace(frame, event="PreToolUse", body=json.dumps(body).encode()))
        return Client(folder=FOLDER, session=self.name, call=call)

    def ends(self) -> None:
        """The session is over."""
        self._fire(self._reports.ended())


def play_quote(home: Home, attack: Attack) -> str:
    """The prompts of a quote's attack, then the call that quotes; why it is refused, if it is."""
    if attack["elsewhere"]:
        other = Session(home, "elsewhere")
        for prompt in attack["elsewhere"]:
            other.asks(prompt)
    here = Session(home, "here", attended=attack.get("attended", True))
    for prompt in attack["typed"]:
        here.asks(prompt)
    for text in attack["injected"]:
        here.injected(text)
        here.prints(text)
    for text in attack.get("tools", ()):
        here.prints(text)
    given = Remember(quote=attack["quote"], kind=attack["kind"], entities=[])
    try:
        mcp_tools.remember(home.outside, here.calls("remember"), given)
    except LearntError as refused:
        return str(refused)
    return ""


def shown_later(home: Home, *prompts: str) -> Iterator[str]:
    """What a later session puts before its agent: at its start, at prompts and at acts."""
    later = Session(home, "later")
    yield later.start
    yield from map(later.asks, prompts)
    yield from map(later.acts, ACTS)


def texts_of(printed: str) -> str:
    """The text for the model in what a hook printed."""
    told = json.loads(printed)["hookSpecificOutput"] if printed else {}
    return str(told.get("additionalContext", ""))


@dataclass
class Related:
    """The notes of an attack by their keys, the sessions they came in, and the calls' answers."""

    home: Home
    names: dict[str, EntryId]
    sessions: dict[str, Session]
    answers: list[str] = field(default_factory=list)


def kept_for_relating(attack: Attack) -> Related:
    """The notes come in, each as the attack says."""
    home = Home()
    sessions = {name: Session(home, name) for name in ("earlier", "this")}
    names = {note["key"]: _kept(home, sessions[note["session"]], note) for note in attack["notes"]}
    return Related(home, names, sessions)


def play_answers(attack: Attack, played: Related) -> None:
    """The calls, which may be of two agents in turn."""
    others = [Session(played.home, f"agent-{n}") for n in range(1, attack.get("agents", 1))]
    calling = [played.sessions["this"], *others]
    for number, (new, old, relation) in enumerate(attack["calls"]):
        client = calling[number % len(calling)].calls("relate")
        given = Relate(new=played.names[new], old=played.names[old], relation=relation)
        try:
            done = mcp_tools.relate(played.home.outside, client, given)
            played.answers.append(done.outcome)
        except LearntError as refused:
            played.answers.append(str(refused))


def _kept(home: Home, session: Session, note: Attack) -> EntryId:
    """A note comes in: typed behind a marker, picked, proposed, or imported from a file."""
    text, outside = note["text"], home.outside
    folder = "/projects/elsewhere" if note.get("elsewhere") else FOLDER
    fact = Draft(text=text, kind=note["kind"])
    if note["by"] == "picked":
        session.asks(text)
        mcp_tools.remember(
            outside, session.calls("remember"), Remember(quote=text, kind=fact.kind, entities=[])
        )
    elif note["by"] == "agent":
        mcp_tools.propose(
            outside,
            session.calls("propose"),
            Propose.model_validate({"text": text, "kind": fact.kind}),
        )
    elif note["by"] == "import":
        imported(home, text, note["kind"])
    else:
        offer = Offer(
            what=fact,
            actor=Actor.HUMAN,
            folder=folder,
            session=session.name,
            lesson=Basis.REMEMBER,
            insisted=True,
            at_once=True,
        )
        capture(outside, offer)
    kept = [e.id for e, n in zip(home.entries(), home.notes(), strict=True) if n.text == text]
    (name,) = kept or [NO_ENTRY]  # the gates refuse some
    if note.get("gone"):
        stage_by_hand(outside, name, Actor.HUMAN, Stage.RETIRED)
    return name


def imported(home: Home, text: str, kind: str) -> None:
    """A person takes in all of a file that is imported."""
    to = Whither(folder=FOLDER, read=True)
    piece = Brought(text=text, kind=kind, place="AGENTS.md:1", id="a1")
    adopt(home.outside, preview(home.outside, [piece], to), Bundle(), to)


def imported_file(home: Home, name: str, text: str) -> None:
    """A person takes in all that a file holds."""
    to = Whither(folder=FOLDER, read=True)
    bundle = memories.read({name: text}, date(2026, 1, 1), named=True)
    adopt(home.outside, preview(home.outside, bundle.pieces, to), bundle, to)

"""The whole loop in a real home: hooks, the worker's jobs, an agent's calls, a person's decisions.

A project of one person, five sessions a day by a clock of its own. One session in `1/use_rate` is
about releases. There the procedure is given as a note, later it is a skill that is launched; a use
succeeds as often as the text says that the client read. Another skill, whose new text changes
nothing, is used as often beside it. `waited_for` quotes what Learnt says each stage waits for.
"""

import json
import os
import random  # noqa: TID251  # seeded: the same play in every run
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.trial_worlds import fixed_width
from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.health.improvement import start_improver
from learnt.core.identifiers import ProposalId
from learnt.flows.governance import accept as accepting
from learnt.flows.governance.analyze import Thresholds
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.listing import ProposalTexts, listed, shown, signals
from learnt.flows.governance.review import ReviewItem
from learnt.flows.governance.review import queue as review_queue
from learnt.flows.governance.review_choices import ReviewAnswer, choose
from learnt.flows.health import trial as trials
from learnt.flows.health.effects import measured_skills
from learnt.flows.health.queue import queue
from learnt.flows.sessions.answer import respond
from learnt.formats import skill_text
from learnt.formats.wire import Frame
from learnt.ports import Outside
from learnt.settings import load
from learnt.surfaces import agent_files
from learnt.surfaces.agent_calls import Client
from learnt.surfaces.answers.versions import trial_told
from learnt.surfaces.cli.configuring import EFFECTS, SHARES, set_to
from learnt.surfaces.cli.skill_versions import say_trial
from learnt.surfaces.jobs import after_sessions, maintain
from learnt.surfaces.mcp_tools import TOOLS
from learnt.surfaces.skills_here import open_shelf
from tests.support.in_memory import FixedClock
from tests.support.transcripts import Reports, call_id, session_lines

BEGAN_MS: Final = 1_772_000_000_000
MINUTE_MS, DAY_MS = 60_000, 86_400_000
STAGES: Final = (
    "kept", "recalled", "drafted", "accepted", "used", "flagged", "improved", "trial", "promoted",
    "measured",
)  # fmt: skip
ASKS_ABOUT_EFFECTS: Final = 50  # sessions, after which `learnt status` asks
TOLD: Final = (
    "When you release the gateway, bump VERSION first; then run make bundle; then run "
    "./ship.sh gateway; then check the canary page."
)
FIX: Final = "Before `./ship.sh gateway` run `git push --tags`: without its tag it stops."
LACKS: Final = "Exit code 1\nerror: tag v2.4.1 is not on the remote"
RELEASES: Final = (
    "Please release the gateway, the login fix must go out",
    "Release the gateway with what is on main",
    "Can you release the gateway now? QA said yes",
    "We need to release the gateway before the demo",
)
OTHERS: Final = (
    ("Sort the invoices by their due date", "billing/invoices.py"),
    ("Let the avatar upload keep the whole picture", "web/avatar.py"),
    ("Rename the helper that parses dates", "lib/dates.py"),
    ("Show the parcel's weight on the label", "labels/weight.py"),
    ("Reduce the log noise of the scheduler", "jobs/scheduler.py"),
    ("Add a column for the customer's region", "crm/regions.py"),
)
BESIDE: Final = "check-migrations"
BESIDE_TEXT: Final = f"""---
name: {BESIDE}
description: Checks the database migrations before they are merged. Use when a migration is new.
---

# Migrations

Run `./migrate.sh --dry-run` and read its plan.
"""
BESIDE_SUCCESS: Final = 0.8
Row = dict[str, Any]


class Effect(NamedTuple):
    """How often a use of the first text succeeds, and of the improved one."""

    old: float
    new: float


class Moment(NamedTuple):
    """A day and a session, both from 1."""

    day: int
    session: int


BEFORE: Final = Moment(0, 0)


class Waited(NamedTuple):
    """What Learnt said last before a stage came, and when it said so."""

    stage: str
    day: int
    session: int
    said: str


@dataclass(slots=True)
class SeededRandom:
    """Bytes that are the same for a seed."""

    of: random.Random

    def bytes(self, count: int) -> bytes:
        """That many of them."""
        return self.of.randbytes(count)


@dataclass
class Play:
    """What is so far; `note`, `draft`, `skill` and `better` are the ids that the loop is about."""

    folder: Path
    effect: Effect
    rate: float
    a_day: int
    chance: random.Random
    clock: FixedClock
    now: Moment = BEFORE
    stages: dict[str, Moment] = field(default_factory=dict)
    said: dict[tuple[str, str], Waited] = field(default_factory=dict)
    note: str = ""
    third_recall: Moment | None = None
    draft: str = ""
    skill: str = ""
    better: str = ""
    beside: str = ""
    uses_to_flag: int = 0  # from the first that failed
    asked_to_improve: bool = False
    effects_on: Moment | None = None
    false_promotions: int = 0

    @property
    def home(self) -> Path:
        """Learnt's folder."""
        return self.folder / "home"

    @property
    def project(self) -> Path:
        """The folder that is worked in."""
        return self.folder / "project"

    def reached(self, stage: str) -> None:
        """A stage came, if it had not yet."""
        self.stages.setdefault(stage, self.now)

    def waits(self, said: str) -> None:
        """What Learnt says while the next stage has not come; of what begins alike, the last."""
        stage = next((each for each in STAGES if each not in self.stages), "")
        if stage and said:
            line = " ".join(said.split())
            begins = re.sub(r"\d", "", line)[:40]
            self.said[stage, begins] = Waited(stage, *self.now, line)


@contextmanager
def own_folders(folder: Path) -> Iterator[None]:
    """The agent's and the person's own folders, below this one."""
    names = {"HOME": folder / "person", "CLAUDE_CONFIG_DIR": folder / "person" / ".claude"}
    before = {name: os.environ.get(name) for name in names}
    try:
        for name, path in names.items():
            path.mkdir(parents=True, exist_ok=True)
            os.environ[name] = str(path)
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def step(tool: str, given: Row, result: str) -> Row:
    """A call of a tool, and what it came to."""
    return {"tool": tool, "input": given, "result": result, "failed": False}


def tool(name: str, does: Callable[[Client], object]) -> Row:
    """A call of one of Learnt's tools."""
    return {**step(f"mcp__learnt__{name}", {}, "done"), "does": does}


def ran(command: str, result: str) -> Row:
    """A command of the shell."""
    return step("Bash", {"command": command}, result)


def edited(path: str) -> Row:
    """A change of a file."""
    given = {"file_path": path, "old_string": "a = 1", "new_string": "a = 2"}
    return step("Edit", given, "updated")


def numbered(told: str) -> str:
    """The steps that a person told, one a line."""
    steps = told.removeprefix("When you release the gateway, ").rstrip(".").split("; then ")
    return "\n".join(f"{n}. {step[:1].upper()}{step[1:]}." for n, step in enumerate(steps, 1))


RECALLS_FOR_A_DRAFT: Final = Thresholds().reuse
PERSON: Final = Decider(actor=Actor.HUMAN)
_LINE: Final = re.compile(r"^(\w+) (?:\([^)]*\) )?When you release the gateway", re.MULTILINE)


def play(effect: Effect, rate: float, days: int, a_day: int, seed: int) -> Row:
    """Play so many days; what came when."""
    with tempfile.TemporaryDirectory() as name, own_folders(Path(name).resolve()):
        folder = Path(name).resolve()
        chance = random.Random(f"loop {effect} {rate} {seed}")
        played = Play(folder, effect, rate, a_day, chance, FixedClock(BEGAN_MS))
        beside = played.project / ".claude" / "skills" / BESIDE / "SKILL.md"
        beside.parent.mkdir(parents=True)
        (played.project / ".git").mkdir()
        beside.write_text(BESIDE_TEXT, encoding="utf-8")
        secret = SeededRandom(random.Random(f"home {seed}"))
        for day in range(1, days + 1):
            settings = load({}, str(played.home))
            with opened(settings, clock=played.clock, random=secret, durable=False) as outside:
                for place in range(a_day):
                    began = BEGAN_MS + (day - 1) * DAY_MS + place * DAY_MS // (3 * a_day)
                    played.clock.ms = max(began, played.clock.ms)
                    played.now = Moment(day, (day - 1) * a_day + place + 1)
                    Session(played, outside, settings).lived()
                maintain(outside)
        with opened(load({}, str(played.home)), clock=played.clock, random=secret) as outside:
            return _report(played, outside)


def _report(played: Play, outside: Outside) -> Row:
    with outside.ledger.reading() as reader:
        units = sum(n or 0 for (_, n) in reader.columns("entry:", "units"))
    return {
        "stages": {stage: at._asdict() for stage, at in played.stages.items()},
        "waited_for": [one._asdict() for one in played.said.values()],
        "third_recall": played.third_recall and played.third_recall._asdict(),
        "uses_to_flag": played.uses_to_flag,
        "effects_on": played.effects_on and played.effects_on._asdict(),
        "effect": _effect(played, outside),
        "units_of_notes": units,
        "false_promotions": played.false_promotions,
        "rebuild_equal": not list(outside.ledger.verify()),
    }


def _effect(played: Play, outside: Outside) -> Row | None:
    """The effect of the skill's better text as `learnt health effect` tells it."""
    measured = next((one for one in measured_skills(outside) if one.skill == played.skill), None)
    if measured is None:
        return None
    known = measured.effect
    with outside.ledger.reading() as reader:
        (tried,) = (one for one in trials.every_trial(reader) if one.name == played.better)
        uses = trials.counted(reader, tried).uses
    fixed = fixed_width((use.new, 1.0 if use.success is None else use.success) for use in uses)
    return {
        "uses": known.units, "estimate": known.estimate, "low": known.low, "high": known.high,
        "width_by_a_fixed_sample": round((known.high - known.low) / fixed, 2),
    }  # fmt: skip


class Session:
    """One session: what its person asks, what its agent does, what Learnt says, what is decided."""

    def __init__(self, played: Play, outside: Outside, settings: Any) -> None:
        self._of, self._outside, self._settings = played, outside, settings
        self._name = f"s-{played.now.session:04}"
        self._path = played.folder / f"{self._name}.jsonl"
        self._turns: list[Row] = []
        self._reports = Reports(
            session=self._name, folder=str(played.project), transcript=str(self._path)
        )
        self._screen = self._context = ""
        self._began_ms = played.clock.ms

    def lived(self) -> None:
        """From its start to what its person decides after it."""
        of = self._of
        # Clients read their skills before the first hook.
        texts = {name: self._text(name) for name in (of.skill, BESIDE) if name}
        self._report(self._reports.began())
        self._work(texts)
        if "/learnt-draft" in self._screen and of.draft and "accepted" not in of.stages:
            self._asks(f"/learnt-draft {of.draft}", [tool("propose_skill", self._draft)])
        if "trial" in of.stages and not of.beside:
            self._asks(f"Reword the skill {BESIDE}", [tool("propose_skill", self._reword)])
        if of.asked_to_improve and not of.better:
            told = f"Run the subagent skill-improver for the skill {of.skill}"
            self._asks(told, [tool("improvement_brief", self._improve)])
        self._report(self._reports.ended())
        after_sessions(self._outside, self._settings)
        self._look()
        if "learnt review" in self._screen:
            self._decide()
        self._say_yes_to_effects()

    def _work(self, texts: dict[str, str]) -> None:
        of = self._of
        used, beside = of.chance.random() < of.rate, of.chance.random() < of.rate
        good, went_well = of.chance.random(), of.chance.random() < BESIDE_SUCCESS
        asked, other = of.chance.choice(RELEASES), of.chance.choice(OTHERS)
        if not of.note:
            self._asks(TOLD, [tool("remember", self._remember)])
        elif used:
            text = texts.get(of.skill, "")
            worked = good < (of.effect.new if FIX in text else of.effect.old)
            ended = "Exit code 0\nreleased v2.4.1" if worked else LACKS
            steps = [ran("make bundle", "bundle.tgz written"), ran("./ship.sh gateway", ended)]
            begins = self._launched(of.skill, text) or [tool("recall", self._open)]
            self._asks(asked, [*begins, *steps])
            if text:
                of.reached("used")
                failing = of.uses_to_flag > 0 or not worked
                of.uses_to_flag += failing and "flagged" not in of.stages
        else:
            self._asks(other[0], [edited(other[1]), ran("pytest -q", "14 passed in 0.3s")])
        if beside:
            plan = "plan: 2 changes" if went_well else "Exit code 2\nmigrate: two heads in the plan"
            steps = [ran("./migrate.sh --dry-run", plan)]
            launched = self._launched(BESIDE, texts[BESIDE])
            self._asks("Check the new migrations before I merge", [*launched, *steps])

    def _launched(self, skill: str, text: str) -> list[Row]:
        if not text:
            return []
        folder = self._of.project / ".claude" / "skills" / skill
        laid = f"Base directory for this skill: {folder}\n\n{skill_text.read(text, skill).body}"
        return [{**step("Skill", {"skill": skill}, f"Launching skill: {skill}"), "laid": laid}]

    def _text(self, skill: str) -> str:
        file = self._of.project / ".claude" / "skills" / skill / "SKILL.md"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def _asks(self, prompt: str, steps: list[Row]) -> None:
        """A prompt is typed, and the agent takes steps; some call Learnt's tools."""
        number = len(self._turns)
        self._turns.append({"prompt": prompt, "steps": steps})
        self._write()
        self._report(self._reports.asked(number, prompt))
        for place, each in enumerate(steps):
            self._report(self._reports.calling(number, place, each))
            if "does" in each:
                name = call_id(self._name, number, place)
                client = Client(
                    folder=str(self._of.project), session=self._name, settings=self._settings,
                    call=name,
                )  # fmt: skip
                each["does"](client)
            self._report(self._reports.called(number, place, each))
        self._report(self._reports.stopped(number))

    def _write(self) -> None:
        lines = session_lines(
            self._turns, self._name, folder=str(self._of.project), began_ms=self._began_ms
        )
        self._path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _report(self, frame: Frame) -> None:
        """A hook reports; what it prints is on the person's screen, or before the agent."""
        self._of.clock.ms += MINUTE_MS
        printed = json.loads(respond(self._outside, frame, lambda: False) or b"{}")
        self._of.waits(told := str(printed.get("systemMessage", "")))
        self._screen += told
        self._context += str(printed.get("hookSpecificOutput", {}).get("additionalContext", ""))

    # What the agent does by Learnt's tools.

    def _call(self, client: Client, called: str, /, **given: Any) -> Any:
        """A call of a tool, with what its client sends."""
        one = TOOLS[called]
        return one.does(self._outside, client, one.takes.model_validate(given))

    def _remember(self, client: Client) -> None:
        told = {"quote": TOLD, "kind": "procedure", "entities": ["gateway"]}
        self._of.note = self._call(client, "remember", **told).id
        self._of.reached("kept")

    def _open(self, client: Client) -> None:
        """Open the note, if a line names it."""
        if handles := _LINE.findall(self._context):
            self._call(client, "recall", handles=handles[:1])

    def _draft(self, client: Client) -> None:
        draft = shown(self._outside, self._of.draft)
        self._call(
            client, "propose_skill",
            name=draft.target.split("/")[1],
            description="Releases the gateway. Use when the user asks to release the gateway.",
            body=f"# Release the gateway\n\n{numbered(TOLD)}",
            rewrites=self._of.draft,
        )  # fmt: skip

    def _improve(self, client: Client) -> None:
        of = self._of
        told = self._call(client, "improvement_brief", skill=of.skill)
        if any("not on the remote" in line for failed in told.failures for line in failed.lines):
            of.better = self._revise(client, told.text, of.skill, lambda body: f"{body}\n\n{FIX}\n")
            of.reached("improved")

    def _reword(self, client: Client) -> None:
        self._of.beside = self._revise(
            client, BESIDE_TEXT, BESIDE, lambda body: body.replace("read its", "read the")
        )

    def _revise(
        self, client: Client, text: str, name: str, new: Callable[[str], str]
    ) -> ProposalId:
        read = skill_text.read(text, name)
        told = {"name": name, "description": read.description, "body": new(read.body.rstrip())}
        proposed = self._call(client, "propose_skill", **told, revises=True)
        return ProposalId(proposed.id)

    # What is seen after it, and what its person decides.

    def _look(self) -> None:
        of, outside = self._of, self._outside
        if "drafted" not in of.stages:
            self._look_for_draft()
        elif "accepted" in of.stages and "improved" not in of.stages:
            entry = queue(outside).get(of.skill)
            if entry is not None and entry.flagged_count:
                of.reached("flagged")
                of.waits(f"{entry.flagged_count} flags; three are too many")
            if entry is not None and entry.due:
                of.waits(f"{of.skill} keeps failing: {start_improver(of.skill)}")
                of.asked_to_improve = True
        elif "trial" in of.stages and "measured" not in of.stages:
            self._look_at_trials()

    def _look_for_draft(self) -> None:
        of = self._of
        told = (one for one in signals(self._outside, 50).reuse.top if one.entry == of.note)
        for one in told:
            of.reached("recalled")
            of.waits(f"reuse: count={one.count} sessions={one.sessions}")
            if one.count == RECALLS_FOR_A_DRAFT and of.third_recall is None:
                of.third_recall = of.now
        for each in listed(self._outside, [Status.PENDING]):
            if each.proposal.entry == of.note and each.proposal.kind is ProposalKind.NEW_SKILL:
                of.draft, of.skill = each.proposal.id, each.target.split("/")[1]
                of.reached("drafted")

    def _look_at_trials(self) -> None:
        of = self._of
        for skill in measured_skills(self._outside):
            if skill.skill == BESIDE and skill.verdict == "promoted":
                of.false_promotions = 1
            elif skill.skill == of.skill and skill.verdict == "promoted":
                of.reached("promoted")
                if skill.effect.estimate is not None:
                    of.reached("measured")
        with self._outside.ledger.reading() as reader:
            going = [trials.look(reader, each) for each in trials.open_trials(reader)]
        for each in going:
            if each.trial.name == of.better:
                with redirect_stdout(StringIO()) as said:
                    say_trial(trial_told(each, of.skill))
                of.waits(said.getvalue())

    def _decide(self) -> None:
        """Go through what `learnt review` has: the loop's own texts are wanted, no others are."""
        of, outside = self._of, self._outside
        for item in review_queue(outside, str(of.project)):
            if item.id == of.note:  # what the agent picked out of its person's words
                choose(outside, item, ReviewAnswer(ReviewChoice.ACCEPT, item.parts[0].id), PERSON,
                       str(of.project))  # fmt: skip
            elif item.id == of.draft:
                self._accept(item)
                of.reached("accepted")
            elif item.id in {of.better, of.beside}:
                self._accept(item, trial=True)
                if item.id == of.better:
                    of.reached("trial")
            elif isinstance(item.found, ProposalTexts) and not self._awaited(item):
                choose(outside, item, ReviewAnswer(ReviewChoice.REJECT), PERSON, str(of.project))

    def _awaited(self, item: ReviewItem) -> bool:
        """Whether its person leaves it until their agent has written a better text."""
        return item.sort is ReviewSort.SKILL and not self._of.better

    def _accept(self, item: ReviewItem, *, trial: bool = False) -> None:
        outside, project = self._outside, self._of.project
        proposal = shown(outside, item.id).proposal
        where = agent_files.destination(project)
        with open_shelf(outside, self._settings, str(project)) as on:
            known = tuple(on.known.skills.values())
        change = accepting.plan(outside, proposal, where, lambda: known)
        accepting.accept(outside, change, PERSON)
        if trial:
            trials.begin(outside, ProposalId(item.id), PERSON)

    def _say_yes_to_effects(self) -> None:
        of = self._of
        if of.effects_on is None and of.now.session >= ASKS_ABOUT_EFFECTS:
            set_to(self._settings, EFFECTS, SHARES["on"])
            of.effects_on = Moment(of.now.day + 1, of.now.session + 1)

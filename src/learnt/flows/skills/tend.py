"""Recorded prompts are replayed with another text of a skill; what is ours and unused retires."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from heapq import merge
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.governance.proposals import (
    OF_SKILLS,
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    reopens,
)
from learnt.core.health.executions import episodes
from learnt.core.identifiers import ProjectId, ProposalId
from learnt.core.payloads.entry_events import Missed, Recalled
from learnt.core.records import Record
from learnt.core.skills.replay import PLACES, AskedPrompt, Replay, Shadowing, joined, shadowing
from learnt.core.skills.selection import disused, impacts
from learnt.core.skills.skills import AsIf, SkillLayer, key_of
from learnt.core.words import STOP_WORDS
from learnt.errors import LearntError
from learnt.flows.governance.accept import FileChange
from learnt.flows.governance.decisions import proposals
from learnt.flows.skills.catalogue import OpenShelf, history_of, subject_of
from learnt.flows.skills.disclose import SCORED
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import legible, text_behind, text_or_empty
from learnt.formats import skill_text
from learnt.ports import Outside

RECENT: Final = 100  # prompts that are replayed while somebody waits
_ASKED: Final[Mapping[Kind, type[Recalled] | type[Missed]]] = {
    Kind.RECALLED: Recalled,
    Kind.MISSED: Missed,
}
_WORD: Final = re.compile(r"\w+(?:'\w+)?")
_LOOKED_AT: Final = 10  # times as many events: of other projects, or said before


def asked(outside: Outside, most: int, project: ProjectId | None = None) -> list[AskedPrompt]:
    """The last distinct prompts (of a project alone), the oldest first, and what became of them."""
    looked_at = most * _LOOKED_AT
    with outside.ledger.reading() as reader:
        kinds = (
            reader.events(kind=kind, newest=looked_at) for kind in (Kind.RECALLED, Kind.MISSED)
        )
        seen: dict[str, None] = {}
        prompts = []
        for event in merge(*kinds, key=attrgetter("stamp"), reverse=True):
            said: Recalled | Missed = payload_of(_ASKED[event.kind], event)
            text = text_behind(reader, said.prompt) if said.mode == "hook" else None
            if text is None or project not in {None, event.where.project}:
                continue
            if text not in seen and len(seen) == most:
                break
            seen[text] = None
            prompt = AskedPrompt(text=text, session=event.where.session or "")
            prompts.append((prompt, event.where.episode or ""))
        closed = list(reader.events(kind=Kind.EPISODE_CLOSED, newest=looked_at))
        ended = episodes([*reversed(closed), *reader.events(kind=Kind.FEEDBACK)])
        return joined(reversed(prompts), ended, lambda ref: legible(reader, ref))


class SkillCandidate(Record):
    """A text that a skill might have in `file`; that in `gone` goes out of use with it."""

    name: str
    text: str
    file: str
    project: ProjectId | None = None
    gone: str = ""


class Ranking:
    """Which skills a prompt is offered, best first, and would be if one had another text."""

    def __init__(self, shelf: OpenShelf) -> None:
        self._stem, self._library = shelf.outside.stem, shelf.library
        self._keys = {s.file: key for key, s in shelf.known.skills.items() if not s.withheld}

    def now(self, prompt: str, places: int = PLACES) -> list[str]:
        """The keys of the skills that are offered."""
        return self._offered(prompt, self._keys, None, places)

    def then(self, candidate: SkillCandidate, places: int = PLACES) -> Callable[[str], list[str]]:
        """What gives the keys of those that would be."""
        own, read = key_of(candidate.name), skill_text.read(candidate.text, candidate.name)
        words = impacts(read.name, read.description, candidate.text, self._stem)
        file = next((file for file, key in self._keys.items() if key == own), candidate.file)
        keys = {f: key for f, key in self._keys.items() if f != candidate.gone} | {file: own}
        return lambda prompt: self._offered(prompt, keys, AsIf(file, words), places)

    def _offered(
        self, prompt: str, keys: Mapping[str, str], also: AsIf | None, places: int
    ) -> list[str]:
        # A skill that shares no more than "the" with a prompt is not what the prompt asks for.
        telling = _WORD.sub(
            lambda word: "" if word[0].casefold() in STOP_WORDS else word[0], prompt
        )
        ranked = self._library.ranked(telling, SCORED, also=also)
        return [keys[file] for file, _ in ranked if file in keys][:places]


def displaced_by(shelf: OpenShelf, candidate: SkillCandidate) -> Shadowing:
    """What it would displace of the skills that are installed, for the last recorded prompts."""
    known = shelf.known
    installed = {key: s for key, s in known.skills.items() if s.layer >= SkillLayer.USER}
    ranking = Ranking(replace(shelf, known=replace(known, skills=installed)))
    then = ranking.then(candidate)
    prompts = asked(shelf.outside, RECENT, candidate.project)
    replays = (Replay(prompt, ranking.now(prompt.text), then(prompt.text)) for prompt in prompts)
    return shadowing(key_of(candidate.name), replays)


def candidate_of(outside: Outside, change: FileChange) -> SkillCandidate:
    """The skill that a change gives a text to."""
    with outside.ledger.reading() as reader:
        gone = text_or_empty(reader, change.proposal.gone)
    name = skill_text.read(change.after, change.path.split("/")[-2]).name
    return SkillCandidate(name, change.after, change.path, change.proposal.scope, gone)


def retire_unused(shelf: OpenShelf, actor: Actor) -> list[ProposalId]:
    """Propose that old skills of ours that nobody used, pinned or kept go; the new proposals."""
    outside, project = shelf.outside, shelf.project
    unused = [
        (skill, subject_of(outside, skill, project))
        for skill in shelf.known.skills.values()
        if skill.layer >= SkillLayer.USER and not (skill.withheld or skill.usage_count)
    ]
    with outside.ledger.reading() as reader:
        ours = [(skill, subject, history_of(reader, subject)) for skill, subject in unused]
        # Learnt installed it, or a person accepted a text of it.
        ours = [
            (skill, subject, past)
            for skill, subject, past in ours
            if not past.pinned
            and (past.installed or any("-" in version.cause for version in past.versions))
        ]
        starts = list(reader.happenings(Kind.SESSION_STARTED)) if ours else []
        earlier = [p for p in proposals(reader) if p.kind in OF_SKILLS] if ours else []
    made: list[ProposalId] = []
    for skill, subject, history in ours:
        came_ms = max((version.ms for version in history.versions), default=0)
        sessions = {
            start.session
            for start in starts
            if start.wall_ms > came_ms
            if skill.layer is not SkillLayer.PROJECT or start.project == project
        }
        count, old_ms = len(sessions), outside.clock.now_ms() - came_ms
        against = any(p.about == subject and _speaks_against(p, count) for p in earlier)
        if against or not disused(old_ms, count):
            continue
        evidence = Evidence(count=count, distinct=count, first_ms=came_ms)
        revision = Revision(
            ProposalKind.RETIRE, shelf.library.text(skill.file) or "", evidence=evidence
        )
        with suppress(LearntError):  # one broken file, or one decided on meanwhile
            made.append(propose(outside, skill.file, subject, revision, actor, (skill,)))
    return made


def _speaks_against(earlier: Proposal, count: int) -> bool:
    """Whether it waits, or was turned down and the evidence has not doubled since."""
    if earlier.status is Status.PENDING:
        return earlier.draft is not None
    rejected = earlier.status is Status.REJECTED and earlier.kind is ProposalKind.RETIRE
    return rejected and not reopens(earlier, count)

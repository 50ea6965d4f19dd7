"""Skills of ours are tended: prompts replayed, better descriptions proposed, the unused retired."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import merge
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.governance.proposals import OF_SKILLS, Evidence, ProposalKind, Status, reopens
from learnt.core.health.executions import episodes
from learnt.core.identifiers import ContentRef, ProjectId, ProposalId
from learnt.core.payloads.entry_events import Missed, Recalled
from learnt.core.skills.history import SkillHistory
from learnt.core.skills.replay import (
    PLACES,
    AskedPrompt,
    Example,
    Replay,
    Shadowing,
    Tuning,
    joined,
    places,
    shadowing,
    tuned,
)
from learnt.core.skills.selection import disused, impacts
from learnt.core.skills.skills import AsIf, Skill, SkillLayer, key_of
from learnt.core.words import STOP_WORDS
from learnt.errors import LearntError
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.accept import FileChange
from learnt.flows.governance.decisions import proposals
from learnt.flows.skills.catalogue import Catalogue, history_of, subject_of
from learnt.flows.skills.disclose import SCORED
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import legible, text_behind, text_or_empty
from learnt.formats import skill_text
from learnt.formats.front_matter import edited
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
            text = text_behind(reader, _prompt_of(event))
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


def _prompt_of(event: Event) -> ContentRef | None:
    said: Recalled | Missed = payload_of(_ASKED[event.kind], event)
    return said.prompt if said.mode == "hook" else None


class SkillCandidate(NamedTuple):
    """A text that a skill might have, of the project (None: of every one); `file` is where.

    `gone` is the file of a skill that goes out of use with it.
    """

    name: str
    text: str
    file: str
    project: ProjectId | None = None
    gone: str = ""


class Ranking:
    """Which skills a prompt is offered, best first, and would be if one had another text."""

    def __init__(self, outside: Outside, known: Catalogue, library: SkillLibrary) -> None:
        self._stem, self._library = outside.stem, library
        self._keys = {s.file: key for key, s in known.skills.items() if not s.withheld}

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


def displaced_by(
    outside: Outside, known: Catalogue, library: SkillLibrary, candidate: SkillCandidate
) -> Shadowing:
    """What a skill, or another text of one, would displace for the last recorded prompts."""
    ranking = Ranking(outside, known, library)
    then = ranking.then(candidate)
    prompts = asked(outside, RECENT, candidate.project)
    replays = (Replay(prompt, ranking.now(prompt.text), then(prompt.text)) for prompt in prompts)
    return shadowing(key_of(candidate.name), replays)


def candidate_of(outside: Outside, change: FileChange) -> SkillCandidate:
    """The skill that a change gives a text to."""
    with outside.ledger.reading() as reader:
        gone = text_or_empty(reader, change.proposal.gone)
    name = skill_text.read(change.after, change.path.split("/")[-2]).name
    return SkillCandidate(name, change.after, change.path, change.proposal.scope, gone)


PROMPTS: Final = 1_000  # the last ones, that a description is drawn up from and tried on


def _ours(history: SkillHistory) -> bool:
    """Whether Learnt installed it, or a person accepted a text of it."""
    return bool(history.installed) or any("-" in version.cause for version in history.versions)


class Tender:
    """Looks after the skills that a project sees."""

    def __init__(
        self, outside: Outside, known: Catalogue, library: SkillLibrary, project: ProjectId | None
    ) -> None:
        self._outside, self._known, self._library = outside, known, library
        self._project = project
        with outside.ledger.reading() as reader:
            self._earlier = [p for p in proposals(reader) if p.kind in OF_SKILLS]
            self._histories = {
                skill.name: history_of(reader, subject_of(outside, skill, project))
                for skill in known.skills.values()
                if skill.layer >= SkillLayer.USER and not skill.withheld
            }
        nothing = SkillHistory()  # of what is not the user's, or is withheld
        skills = known.skills.values()
        self.ours = [s for s in skills if _ours(self._histories.get(s.name, nothing))]

    @cached_property
    def _prompts(self) -> Sequence[AskedPrompt]:
        return asked(self._outside, PROMPTS)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking(self._outside, self._known, self._library)

    def tend(self, actor: Actor) -> list[ProposalId]:
        """Propose what recorded use calls for, of our skills; which proposals are new."""
        made: list[ProposalId] = []
        for skill in self.ours:
            with suppress(LearntError):  # one broken file, or one decided on meanwhile
                tuning = self.tune(skill, actor)
                made += [tuning.proposal] if tuning and tuning.status == "proposed" else []
                retired = self._retire(skill, actor)
                made += [retired] if retired else []
        return made

    def tune(self, skill: Skill, actor: Actor) -> Tuning | None:
        """Propose a better description where held-out prompts show a gain.

        None for a skill that was never wanted. Raises Refused where its file has no front matter.
        """
        key = key_of(skill.name)
        told = [
            p for p in self._prompts if key in p.called or (p.over and key not in p.used - p.well)
        ]
        if not any(key in prompt.called | prompt.well for prompt in told):
            return None
        # Written as a name it says nothing of the task; a name of one word may be just that word.
        spelling = "[-_]".join(map(re.escape, key.split("-")))
        name = re.compile(f"{'/?' if '-' in key else '/'}{spelling}", re.IGNORECASE)
        wanted = [key in prompt.called | prompt.well for prompt in told]
        texts = [name.sub(" ", prompt.text) for prompt in told]
        examples = [Example(t, p.session, w) for t, p, w in zip(texts, told, wanted, strict=True)]
        text = self._library.text(skill.file) or ""

        def offers(description: str, prompts: Sequence[str]) -> list[bool]:
            candidate = SkillCandidate(
                skill.name, edited(text, "description", description), skill.file
            )
            then = self._ranking.then(candidate, places(len(self._known.skills)))
            return [key in then(prompt) for prompt in prompts]

        better = tuned(skill.description, examples, self._outside.stem, offers)
        offered = offers(skill.description, texts)
        tuning = Tuning(
            name=skill.name,
            hits=sum(key in prompt.well for prompt in told),
            misses=sum(key in prompt.called for prompt in told),
            bypasses=sum(o and not w for o, w in zip(offered, wanted, strict=True)),
            status="too-few" if better.lacking else "no-gain",
            **better._asdict(),
        )
        if not better.better:
            return tuning
        sessions = {e.session for e in examples if e.wanted}
        evidence = Evidence(count=sum(wanted), distinct=len(sessions), gain=better.gain)
        revision = Revision(
            ProposalKind.NEW_VERSION,
            edited(text, "description", better.description),
            evidence=evidence,
        )
        proposal, status = self._propose(skill, revision, actor)
        return tuning._replace(proposal=proposal, status=status)

    def _retire(self, skill: Skill, actor: Actor) -> ProposalId | None:
        """Propose that it goes out of use: there long enough, never used, and not pinned."""
        history = self._histories[skill.name]
        came_ms = max((version.ms for version in history.versions), default=0)
        with self._outside.ledger.reading() as reader:
            sessions = {
                start.session
                for start in reader.happenings(Kind.SESSION_STARTED)
                if start.wall_ms > came_ms
                if skill.layer is not SkillLayer.PROJECT or start.project == self._project
            }
        if (
            skill.usage_count
            or history.pinned
            or not disused(self._outside.clock.now_ms() - came_ms, len(sessions))
        ):
            return None
        evidence = Evidence(count=len(sessions), distinct=len(sessions), first_ms=came_ms)
        text = self._library.text(skill.file) or ""
        revision = Revision(ProposalKind.RETIRE, text, evidence=evidence)
        proposal, status = self._propose(skill, revision, actor)
        return proposal if status == "proposed" else None

    def _propose(
        self, skill: Skill, revision: Revision, actor: Actor
    ) -> tuple[ProposalId, Literal["proposed", "waits", "rejected"]]:
        """Propose it, unless something waits for that skill, or a person turned the like down."""
        subject = subject_of(self._outside, skill, self._project)
        for earlier in (p for p in self._earlier if p.about == subject):
            if earlier.status is Status.PENDING and earlier.draft is not None:
                return earlier.id, "waits"
            enough = reopens(earlier, revision.evidence.count)
            if earlier.status is Status.REJECTED and earlier.kind is revision.kind and not enough:
                return earlier.id, "rejected"
        own = propose(self._outside, skill.file, subject, revision, actor, (skill,))
        return own, "proposed"

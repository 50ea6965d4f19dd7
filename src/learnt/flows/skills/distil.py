"""A finished session is distilled: what it teaches becomes proposals of skills, or nothing.

No instruction changes by it: whatever an engine drafts waits for a person.
"""

from msgspec.structs import replace
from learnt.core.records import Record
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from learnt.core.distil import distilled
from learnt.core.distil.distilled import drafts, handed, pieces
from learnt.core.distil.evidence import FailedAttempt, Mode, novel, suffices, telling
from learnt.core.distil.same_kind import NOT_ENOUGH, TaskWorked, as_text, from_text, taught
from learnt.core.events import Actor, Kind, Where, natural_key, payload_of
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.governance.skill_drafts import SkillDraft, tidied
from learnt.core.identifiers import EventId, NaturalKey, ProjectId, ProposalId, Subject, keyed_hash
from learnt.core.knowledge.gates import Admit
from learnt.core.payloads.skill_events import Distilled, Engine
from learnt.core.payloads.typed import typed
from learnt.core.safety import clean
from learnt.core.skills.skills import Skill, SkillLayer, key_of
from learnt.errors import LearntError, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import proposals
from learnt.flows.governance.draft_skill import offer
from learnt.flows.knowledge.extract import offer_memories
from learnt.flows.knowledge.harvest import transcript_of
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.skills.catalogue import Catalogue, subject_of
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.skills.session_evidence import SessionLook, look
from learnt.flows.skills.tend import SkillCandidate, displaced_by
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import append, text_or_empty, texts_behind
from learnt.formats.draft_md import rendered, with_parts
from learnt.formats.skill_md import slug
from learnt.formats.skill_text import read as read_skill
from learnt.ports import Outside, Reader

_BY: Final = {"rules": "these rules", "model": "the model that was asked"}
LOOKED_AT: Final = 400  # sessions' ends, for tasks that went well
_TOO_LITTLE: Final = "It shows too little: fewer than two new failures and five successes."
COMPARED: Final = 20  # skills whose texts a draft is held against, those that fit it best
MOST_DRAFTS: Final = 5  # of a session


class Fate(Record):
    """What became of one draft. `skill` is its name, or of what it is part of or repeats."""

    what: Literal["new", "patch", "merge", "nothing"]
    skill: str
    proposal: ProposalId = ProposalId("")
    why: str = ""


class Distillation(Record):
    """What became of a session. `finding` says why nothing was drafted; `failed`: by an error.

    Of the `memories` that a model named the gates let `remembered` in.
    """

    session: str
    engine: Engine
    failures: int = 0
    successes: int = 0
    fates: tuple[Fate, ...] = ()
    finding: str = ""
    failed: bool = False
    memories: int = 0
    remembered: int = 0


class Drafts(Record):
    """What an engine makes of a session, its model calls, and why there is no skill."""

    skills: Sequence[distilled.DistilledSkill] = ()
    calls: Sequence[EventId] = ()
    memories: Sequence[distilled.Extract] = ()
    finding: str = ""


class Drafter(Record):
    """An engine, and how it drafts."""

    engine: Engine
    draft: Callable[[SessionLook, Sequence[FailedAttempt], Where], Drafts]


class SkillsSeen(Record):
    """The skills that a project sees, and where the project is."""

    known: Catalogue
    library: SkillLibrary
    project: ProjectId | None


class _At(Record):
    """Where drafts are proposed: the skills that are there, the session, and who drafts."""

    outside: Outside
    shelf: SkillsSeen
    session: str
    engine: Engine

    @property
    def actor(self) -> Actor:
        return Actor.MODEL if self.engine == "model" else Actor.LEARNT


def by_rules(outside: Outside) -> Drafter:
    """The engine that knows no model."""
    return Drafter(
        "rules", lambda seen, *_: Drafts(drafts(
            [*pieces(seen.lessons, seen.runs, seen.folder), *seen.taught], outside.stem
        ))
    )  # fmt: skip


def by_evidence(outside: Outside) -> Drafter:
    """The engine that knows no model, where a program hands its failures and successes over."""
    return Drafter(
        "rules", lambda seen, new, _: Drafts(drafts(
            [*handed(new, seen.successes), *seen.taught], outside.stem
        ))
    )  # fmt: skip


def undistilled(outside: Outside, engine: Engine = "rules") -> list[Transcript]:
    """The sessions of the last days that have ended and were not distilled since they grew."""
    with outside.ledger.reading() as reader:
        observed = (transcript_of(outside, reader, name) for name in reader.sessions_observed())
        ended = [transcript for transcript in observed if transcript and transcript.over]
        sized = [(each, outside.transcripts.since(each.path, 0, 0).size) for each in ended]
        return [
            each
            for each, size in sized
            if size and reader.keyed(_once(outside, each, engine, size)) is None
        ]


def _once(outside: Outside, transcript: Transcript, engine: Engine, size: int) -> NaturalKey:
    key = outside.ledger.key
    return natural_key(key, "distilled", transcript.agent, transcript.name(key), engine, size)


def distil(
    outside: Outside,
    transcript: Transcript,
    shelf: SkillsSeen,
    drafter: Drafter | None = None,
    *,
    asked: bool = False,
    mode: Mode = "skills_only",
) -> Distillation:
    """Draft what a session teaches, once an engine; `asked`: even of little. Raises NotFound."""
    seen = look(outside, transcript)
    if mode != "skills_only":
        seen = replace(seen, failures=tuple(telling(zip(seen.failures, seen.rewards, strict=True))))
    drafter = drafter or by_rules(outside)
    return distil_seen(outside, transcript, seen, shelf, drafter, asked=asked, mode=mode)


def distil_seen(
    outside: Outside,
    transcript: Transcript,
    seen: SessionLook,
    shelf: SkillsSeen,
    drafter: Drafter,
    *,
    asked: bool,
    mode: Mode = "skills_only",
) -> Distillation:
    """Distil what was seen of a session, wherever that was seen: no transcript is read."""
    key, name, engine = outside.ledger.key, transcript.name(outside.ledger.key), drafter.engine
    subject = Subject(f"distilled:{transcript.agent}:{name}")
    once = _once(outside, transcript, engine, seen.until)
    with outside.ledger.reading() as reader:
        taken = reader.keyed(once)
        told = (payload_of(Distilled, event) for event in reader.events(subject=subject))
        earlier = {each for said in told if said.engine == engine for each in said.failures}
        before = _worked_before(reader, subject, shelf.project)
    none = Distillation(transcript.id, engine)
    if taken is not None and not asked:
        return replace(none, finding="It was distilled before, and nothing was added since.")
    hashed = {each: keyed_hash(key, "failure", *each[:2]) for each in seen.failures}
    failures = novel(each for each in seen.failures if asked or hashed[each] not in earlier)
    none = replace(none, failures=len(failures), successes=len(seen.successes))
    where = Where(agent=transcript.agent, session=name, project=shelf.project)
    if engine == "rules":
        seen = replace(seen, taught=tuple(taught(seen.worked, before, outside.stem)))
    enough = asked or mode == "madmax" or seen.taught or suffices(failures, seen.successes)
    made = drafter.draft(seen, failures, where) if enough else Drafts(finding=_TOO_LITTLE)
    finding = made.finding or f"Nothing in it is a lesson by {_BY[engine]}."
    if engine == "rules" and seen.successes and not failures:
        finding = NOT_ENOUGH
    session = transcript.id or transcript.path.rpartition("/")[2].removesuffix(".jsonl")
    at = _At(outside, shelf, session, engine)
    fates = tuple(_settled(at, draft) for draft in made.skills[:MOST_DRAFTS])
    offers = offer_memories(outside, made.memories, folder=seen.folder) if made.memories else ()
    payload = Distilled(
        engine=engine,
        until=seen.until,
        failures=tuple(hashed[each] for each in failures),
        successes=len(seen.successes),
        drafts=len(made.skills),
        proposals=tuple(fate.proposal for fate in fates if fate.proposal),
        calls=tuple(made.calls),
    )
    with outside.ledger.writing() as writer:
        tasks = seen.worked if engine == "rules" else ()
        worked = tuple(writer.keep("worked", clean(as_text(each))) for each in tasks)
        payload = replace(payload, worked=worked)
        append(writer, subject, Actor.LEARNT, payload, where=where, key=None if taken else once)
    return replace(none, 
        fates=fates,
        finding="" if fates else finding,
        memories=len(made.memories),
        remembered=sum(isinstance(each.decision, Admit) for each in offers),
    )


def _worked_before(
    reader: Reader, own: Subject, project: ProjectId | None
) -> list[list[TaskWorked]]:
    """The tasks that went well in other sessions of the project, of each session its last look."""
    found: dict[Subject, list[TaskWorked]] = {}
    for event in reader.events(kind=Kind.HARVESTED, newest=LOOKED_AT):
        said = typed(event)
        if event.subject == own or event.where.project != project or event.subject in found:
            continue
        if isinstance(said, Distilled) and said.worked:
            found[event.subject] = [*map(from_text, texts_behind(reader, said.worked))]
    return list(found.values())[::-1]


def _settled(at: _At, draft: distilled.DistilledSkill) -> Fate:
    """Propose what becomes of a draft; a draft that may not be proposed is nothing, and why."""
    try:
        return _proposed(at, draft)
    except LearntError as error:
        return Fate("nothing", draft.title, why=str(error))


def _proposed(at: _At, draft: distilled.DistilledSkill) -> Fate:
    outside, shelf = at.outside, at.shelf
    with outside.ledger.reading() as reader:
        waiting = _waiting(reader, shelf.project)
    ranked = shelf.library.ranked(draft.text, COMPARED)
    by_file = {skill.file: skill for skill in shelf.known.skills.values() if not skill.withheld}
    skills = {file: by_file[file] for file, _ in ranked if file in by_file}
    texts = {file: shelf.library.text(file) or "" for file in skills}
    known = [
        *waiting,
        *(
            distilled.KnownText(file, texts[file], open=skill.layer >= SkillLayer.USER)
            for file, skill in skills.items()
        ),
    ]
    name, text = _sound(at, draft, slug(draft.title) if draft.title else "")
    candidate = SkillCandidate(name, text, f"skills/{name}/SKILL.md")
    became = _guarded(at, candidate, distilled.outcome(draft, known, outside.stem), draft)
    drafted = {each.key: each.text for each in waiting}
    match became:
        case distilled.Nothing(key=key, why=why):
            own = skills[key].name if key in skills else read_skill(drafted[key], key).name
            return Fate("nothing", own, why=why)
        case distilled.Patch(key=key, parts=parts) | distilled.Fusion(key=key, parts=parts) if (
            key in drafted
        ):
            # A draft that still waits takes the parts in; its name is in its text.
            whole = with_parts(drafted[key], parts, draft)
            own = read_skill(whole, "").name
            refuse_threats(outside, whole, own)
            return Fate("patch", own, _offered(at, own, lambda _: whole))
        case distilled.Patch(key=key, parts=parts):
            whole = with_parts(texts[key], parts, draft)
            return _revised(at, skills[key], whole)
        case distilled.Fusion(key=key, other=other, parts=parts):
            whole = with_parts(texts[key], parts, draft)
            return _revised(at, skills[key], whole, skills.get(other))
        case distilled.New():
            if key_of(name) in shelf.known.skills:
                name, text = _sound(at, draft, "")
            return Fate("new", name, _offered(
                at, name, lambda own: rendered(name, draft, at.session, at.engine, own)
            ))  # fmt: skip
        case _:
            assert_never(became)


def _offered(at: _At, name: str, text: Callable[[ProposalId], str]) -> ProposalId:
    return offer(at.outside, name, text, scope=at.shelf.project, actor=at.actor).proposal.id


def _waiting(reader: Reader, project: ProjectId | None) -> list[distilled.KnownText]:
    """The drafts of skills that wait for a person, or that one turned down."""
    return [
        distilled.KnownText(
            each.id, text_or_empty(reader, each.draft), refused=each.status is Status.REJECTED
        )
        for each in proposals(reader)
        if each.kind is ProposalKind.NEW_SKILL
        and each.status in {Status.PENDING, Status.REJECTED}
        and each.scope == project
        and each.draft
        and not each.bundle
    ]


def _guarded(
    at: _At, candidate: SkillCandidate, became: distilled.Outcome, draft: distilled.DistilledSkill
) -> distilled.Outcome:
    """A new skill that would take a used one's place becomes part of that one."""
    if not isinstance(became, distilled.New):
        return became
    known = at.shelf.known
    used = displaced_by(at.outside, known, at.shelf.library, candidate).used
    taken = next((known.skills[key] for key in map(key_of, used) if key in known.skills), None)
    if taken is None:
        return became
    if taken.layer >= SkillLayer.USER:
        return distilled.Patch(taken.file, draft.parts)
    return distilled.Nothing(taken.file, f"it would take the place of {taken.name}, which was used")


def _revised(at: _At, skill: Skill, text: str, joined: Skill | None = None) -> Fate:
    refuse_threats(at.outside, text, skill.name)
    kind = ProposalKind.NEW_VERSION if joined is None else ProposalKind.MERGE
    revision = Revision(kind, text, merged="" if joined is None else joined.file)
    subject = subject_of(at.outside, skill, at.shelf.project)
    skills = at.shelf.known.skills.values()
    own = propose(at.outside, skill.file, subject, revision, at.actor, skills)
    return Fate("patch" if joined is None else "merge", skill.name, own)


def _sound(at: _At, draft: distilled.DistilledSkill, title: str) -> tuple[str, str]:
    """A draft's name and text. Raises Refused for what the scanner refuses."""
    name = distilled.name_of(title, at.session, draft.text)
    text = rendered(name, draft, at.session, at.engine)
    kept, _ = tidied(SkillDraft(name=name, description="-", body=text))
    if kept.body != text.strip():
        raise Refused("It holds a secret, or a part that is private. Nothing was kept.")
    refuse_threats(at.outside, text, name)
    return name, text

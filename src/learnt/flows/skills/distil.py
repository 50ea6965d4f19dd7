"""A finished session is distilled: what it teaches becomes proposals of skills, or nothing.

No instruction changes by it: whatever rules or a model draft waits for a person. Memories that a
model or a program extracted are offered to the gates, as anybody's words are.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, Literal

from msgspec.structs import replace

from learnt.core.distil.distilled import (
    NEWEST,
    NOT_ENOUGH,
    RELATED,
    DistilledSkill,
    DraftOutcome,
    Extract,
    FailedAttempt,
    KnownText,
    Mode,
    TaskWorked,
    Teaching,
    as_text,
    drafts,
    extracted,
    from_text,
    handed,
    name_of,
    novel,
    outcome,
    pieces,
    shared,
    suffices,
    taught,
    telling,
)
from learnt.core.events import Actor, Kind, Origin, Where, natural_key, payload_of
from learnt.core.governance.model_calls import Budget, Completion, Question
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.governance.skill_drafts import SkillDraft, tidied
from learnt.core.identifiers import (
    EntryId,
    EventId,
    NaturalKey,
    ProjectId,
    ProposalId,
    Subject,
    keyed_hash,
)
from learnt.core.knowledge.gates import Admit
from learnt.core.knowledge.relating import compare
from learnt.core.payloads.skill_events import Distilled, Engine, Purpose
from learnt.core.payloads.typed import typed
from learnt.core.records import Record
from learnt.core.safety import clean
from learnt.core.skills.skills import SkillLayer, key_of
from learnt.errors import LearntError, ModelUnusable, Refused
from learnt.flows.governance.ask_model import ask
from learnt.flows.governance.decisions import proposals
from learnt.flows.governance.draft_skill import offer
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.knowledge.harvest import transcript_of
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.recall.search import closest
from learnt.flows.sessions import locate
from learnt.flows.skills.catalogue import OpenShelf, subject_of
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.skills.session_evidence import SessionLook, look
from learnt.flows.skills.tend import SkillCandidate, displaced_by
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import append, text_or_empty, texts_behind
from learnt.formats.draft_md import rendered, with_parts
from learnt.formats.model_replies import Malformed, memories, question, read, repair, strange
from learnt.formats.skill_md import slug
from learnt.formats.skill_text import read as read_skill
from learnt.ports import Outside, Reader, TextModel

_BY: Final = {"rules": "these rules", "model": "the model that was asked"}
LOOKED_AT: Final = 400  # sessions' ends, for tasks that went well
_TOO_LITTLE: Final = "It shows too little: fewer than two new failures and five successes."
COMPARED: Final = 20  # skills whose texts a draft is held against, those that fit it best
MOST_DRAFTS: Final = 5  # of a session
PROGRAM: Final = "program"  # the agent of a session that a program hands over
ENTRIES: Final = 50  # that share words with a memory and are looked at


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
    """What is made of a session, the model calls for it, and why there is no skill."""

    skills: Sequence[DistilledSkill] = ()
    calls: Sequence[EventId] = ()
    memories: Sequence[Extract] = ()
    finding: str = ""


class _At(Record):
    """Where drafts are proposed: the skills that are there, the session, and who drafts."""

    shelf: OpenShelf
    transcript: Transcript
    engine: Engine

    @property
    def session(self) -> str:
        file = self.transcript.path.rpartition("/")[2]
        return self.transcript.id or file.removesuffix(".jsonl")

    @property
    def actor(self) -> Actor:
        return Actor.MODEL if self.engine == "model" else Actor.LEARNT


class Asking(Record):
    """The model that the user turned on, and what a day of it may cost."""

    outside: Outside
    model: TextModel
    budget: Budget

    def drafts(self, seen: SessionLook, failures: Sequence[FailedAttempt], where: Where) -> Drafts:
        """What it makes of a session. Where nobody answers at first the error is the caller's."""
        if not (failures or seen.successes):
            return Drafts(finding="It shows neither failures nor successes: nothing was sent.")
        # Whoever wrote a page that the session read may have had a hand in it.
        page = any(run.page for run in seen.runs)
        wanted = bool(seen.folder) and not page
        asked = question(failures, seen.successes, memories=wanted)
        made, said, calls = self.draft(asked, "distil", where)
        if isinstance(made, Malformed):
            return Drafts(calls=calls, finding=malformed(made, calls))
        found = [
            memory
            for memory in (memories(said) if wanted else [])
            if not strange(f"{memory.title} {memory.content}", asked.text)
        ]
        if made is None:
            return Drafts(calls=calls, memories=found)
        quotes = tuple(f"{failure.what}: {failure.why}" for failure in failures)
        origin = Origin.WEB if page else Origin.ASSISTANT
        return Drafts([replace(made, quotes=quotes, origin=origin)], calls, found)

    def draft(
        self, asked: Question, purpose: Purpose, where: Where
    ) -> tuple[DistilledSkill | Malformed | None, Completion, list[EventId]]:
        """Its draft, None where it says that there is none; the last reply; the calls it took."""

        def trouble(said: Completion) -> str:
            made = _grounded(said, asked)
            return made.reason if isinstance(made, Malformed) else ""

        said, call = ask(
            self.outside, self.model, self.budget, asked, purpose, judged=trouble, where=where
        )
        made, calls = _grounded(said, asked), [call]
        if isinstance(made, Malformed):
            again = repair(asked, said.text, made)
            with suppress(ModelUnusable, Refused):  # on record; the first reply stands
                said, call = ask(
                    self.outside, self.model, self.budget, again, "repair",
                    judged=trouble, where=where,
                )  # fmt: skip
                made, calls = _grounded(said, asked), [*calls, call]
        return made, said, calls


def malformed(made: Malformed, calls: Sequence[EventId]) -> str:
    """That a reply was no draft, why, and where the failure is on record."""
    again = ", also when it was asked again" if len(calls) > 1 else ""
    return (
        f"What the model replied was malformed ({made.reason}){again}: nothing was drafted. "
        f"The failure is recorded: `learnt why {calls[-1]}`."
    )


def _grounded(said: Completion, asked: Question) -> DistilledSkill | Malformed | None:
    """The draft of a reply; malformed where it names a host that it was not told of."""
    made = read(said)
    if isinstance(made, DistilledSkill) and strange(made.text, asked.text):
        return Malformed("it names an address that the session does not")
    return made


def undistilled(outside: Outside, engine: Engine = "rules") -> list[Transcript]:
    """The sessions of the last days that have ended and were not distilled since they grew."""
    with outside.ledger.reading() as reader:
        observed = (transcript_of(outside, reader, name) for name in reader.sessions_observed())
        ended = [transcript for transcript in observed if transcript and transcript.over]
        sizes = [outside.transcripts.since(transcript.path, 0, 0).size for transcript in ended]
        return [
            transcript
            for transcript, size in zip(ended, sizes, strict=True)
            if size and reader.keyed(_once(outside, transcript, engine, size)) is None
        ]


def _once(outside: Outside, transcript: Transcript, engine: Engine, size: int) -> NaturalKey:
    key = outside.ledger.key
    return natural_key(key, "distilled", transcript.agent, transcript.name(key), engine, size)


def distil(
    shelf: OpenShelf,
    transcript: Transcript,
    model: Asking | None = None,
    *,
    asked: bool = False,
    mode: Mode = "skills_only",
) -> Distillation:
    """Draft what a session teaches, by rules or once by a model. Raises NotFound.

    `asked`: however little it shows.
    """
    seen = look(shelf.outside, transcript)
    if mode != "skills_only":
        seen = replace(seen, failures=tuple(telling(zip(seen.failures, seen.rewards, strict=True))))
    return distil_seen(shelf, transcript, seen, model, asked=asked, mode=mode)


def distil_seen(
    shelf: OpenShelf,
    transcript: Transcript,
    seen: SessionLook,
    model: Asking | None,
    *,
    asked: bool,
    mode: Mode = "skills_only",
) -> Distillation:
    """Distil what was seen of a session, wherever that was seen: no transcript is read."""
    outside, name = shelf.outside, transcript.name(shelf.outside.ledger.key)
    at = _At(shelf, transcript, "rules" if model is None else "model")
    subject = Subject(f"distilled:{transcript.agent}:{name}")
    once = _once(outside, transcript, at.engine, seen.until)
    with outside.ledger.reading() as reader:
        before = reader.keyed(once)
        recorded = (payload_of(Distilled, event) for event in reader.events(subject=subject))
        earlier = {each for one in recorded if one.engine == at.engine for each in one.failures}
        others = _worked_before(reader, subject, shelf.project)
    if before is not None and not asked:
        why = "It was distilled before, and nothing was added since."
        return Distillation(transcript.id, at.engine, finding=why)
    hashed = {each: keyed_hash(outside.ledger.key, "failure", *each[:2]) for each in seen.failures}
    failures = novel(each for each in seen.failures if asked or hashed[each] not in earlier)
    where = Where(agent=transcript.agent, session=name, project=shelf.project)
    worked = seen.worked if model is None else ()
    repeated = taught(worked, others, outside.stem)
    made = Drafts(finding=_TOO_LITTLE)
    if asked or mode == "madmax" or repeated or suffices(failures, seen.successes):
        if model is None:
            made = Drafts(drafts([*_lessons(at, seen, failures), *repeated], outside.stem))
        else:
            made = model.drafts(seen, failures, where)
    finding = made.finding or f"Nothing in it is a lesson by {_BY[at.engine]}."
    if model is None and seen.successes and not failures:
        finding = NOT_ENOUGH
    fates = tuple(_settled(at, draft) for draft in made.skills[:MOST_DRAFTS])
    offers = offer_memories(outside, made.memories, folder=seen.folder) if made.memories else ()
    with outside.ledger.writing() as writer:
        payload = Distilled(
            engine=at.engine,
            until=seen.until,
            failures=tuple(hashed[each] for each in failures),
            successes=len(seen.successes),
            drafts=len(made.skills),
            proposals=tuple(fate.proposal for fate in fates if fate.proposal),
            calls=tuple(made.calls),
            worked=tuple(writer.keep("worked", clean(as_text(task))) for task in worked),
        )
        append(writer, subject, Actor.LEARNT, payload, where=where, key=None if before else once)
    return Distillation(
        transcript.id,
        at.engine,
        failures=len(failures),
        successes=len(seen.successes),
        fates=fates,
        finding="" if fates else finding,
        memories=len(made.memories),
        remembered=sum(isinstance(offer.decision, Admit) for offer in offers),
    )


def _lessons(at: _At, seen: SessionLook, failures: Sequence[FailedAttempt]) -> list[Teaching]:
    if at.transcript.agent == PROGRAM:  # which hands them over, and has no transcript
        return handed(failures, seen.successes)
    return pieces(seen.lessons, seen.runs, seen.folder)


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


def _settled(at: _At, draft: DistilledSkill) -> Fate:
    """Propose what becomes of a draft; a draft that may not be proposed is nothing, and why."""
    try:
        return _proposed(at, draft)
    except LearntError as error:
        return Fate("nothing", draft.title, why=str(error))


def _proposed(at: _At, draft: DistilledSkill) -> Fate:
    shelf, outside = at.shelf, at.shelf.outside
    with outside.ledger.reading() as reader:
        waiting = _waiting(reader, shelf.project)
    ranked = shelf.library.ranked(draft.text, COMPARED)
    by_file = {skill.file: skill for skill in shelf.known.skills.values() if not skill.withheld}
    skills = {file: by_file[file] for file, _ in ranked if file in by_file}
    texts = {file: shelf.library.text(file) or "" for file in skills}
    there = [
        KnownText(file, texts[file], open=skill.layer >= SkillLayer.USER)
        for file, skill in skills.items()
    ]
    name, text = _sound(at, draft, slug(draft.title) if draft.title else "")
    candidate = SkillCandidate(name, text, f"skills/{name}/SKILL.md")
    became = outcome(draft, [*waiting, *there], outside.stem)
    if became.what == "new":
        became = _guarded(shelf, candidate, draft)
    drafted = {one.key: one.text for one in waiting}
    key = became.key
    if became.what == "nothing":
        own = skills[key].name if key in skills else read_skill(drafted[key], key).name
        return Fate("nothing", own, why=became.why)
    if became.what == "new":
        if key_of(name) in shelf.known.skills:
            name, text = _sound(at, draft, "")
        return Fate("new", name, _offered(
            at, name, lambda own: rendered(name, draft, at.session, at.engine, own)
        ))  # fmt: skip
    whole = with_parts((drafted if key in drafted else texts)[key], became.parts, draft)
    if key in drafted:
        # A draft that still waits takes the parts in; its name is in its text.
        own = read_skill(whole, "").name
        refuse_threats(outside, whole, own)
        return Fate("patch", own, _offered(at, own, lambda _: whole))
    skill, merged = skills[key], skills.get(became.other)
    refuse_threats(outside, whole, skill.name)
    kind = ProposalKind.NEW_VERSION if merged is None else ProposalKind.MERGE
    revision = Revision(kind, whole, merged="" if merged is None else merged.file)
    subject = subject_of(outside, skill, shelf.project)
    everything = shelf.known.skills.values()
    proposal = propose(outside, skill.file, subject, revision, at.actor, everything)
    return Fate("patch" if merged is None else "merge", skill.name, proposal)


def _offered(at: _At, name: str, text: Callable[[ProposalId], str]) -> ProposalId:
    shelf = at.shelf
    return offer(shelf.outside, name, text, scope=shelf.project, actor=at.actor).proposal.id


def _waiting(reader: Reader, project: ProjectId | None) -> list[KnownText]:
    """The drafts of skills that wait for a person, or that one turned down."""
    return [
        KnownText(one.id, text_or_empty(reader, one.draft), refused=one.status is Status.REJECTED)
        for one in proposals(reader)
        if one.kind is ProposalKind.NEW_SKILL
        and one.status in {Status.PENDING, Status.REJECTED}
        and one.scope == project
        and one.draft
        and not one.bundle
    ]


def _guarded(shelf: OpenShelf, candidate: SkillCandidate, draft: DistilledSkill) -> DraftOutcome:
    """A new skill that would take a used one's place becomes part of that one."""
    used = map(key_of, displaced_by(shelf, candidate).used)
    taken = next((shelf.known.skills[key] for key in used if key in shelf.known.skills), None)
    if taken is None:
        return DraftOutcome("new")
    if taken.layer >= SkillLayer.USER:
        return DraftOutcome("patch", taken.file, draft.parts)
    why = f"it would take the place of {taken.name}, which was used"
    return DraftOutcome("nothing", taken.file, why=why)


def _sound(at: _At, draft: DistilledSkill, title: str) -> tuple[str, str]:
    """A draft's name and text. Raises Refused for what the scanner refuses."""
    name = name_of(title, at.session, draft.text)
    text = rendered(name, draft, at.session, at.engine)
    kept, _ = tidied(SkillDraft(name=name, description="-", body=text))
    if kept.body != text.strip():
        raise Refused("It holds a secret, or a part that is private. Nothing was kept.")
    refuse_threats(at.shelf.outside, text, name)
    return name, text


def offer_memories(
    outside: Outside, found: Iterable[Extract], *, folder: str | None = None
) -> list[OfferOutcome]:
    """Offer extracted memories as candidates; one near another of its category repeats it."""
    outcomes = []
    for memory in extracted(found):
        offer = Offer(
            what=memory.fact,
            actor=Actor.MODEL,
            folder=folder,
            repeats=next(iter(_near(outside, memory, folder)), None),
            came_from=Origin.ASSISTANT,
        )
        outcomes.append(capture(outside, offer))
    return outcomes


def _near(outside: Outside, memory: Extract, folder: str | None) -> list[EntryId]:
    """The newest memories of its category that hold much of what it says."""
    text = memory.fact.text
    place = None if folder is None else locate.look(outside, folder)
    with outside.ledger.reading() as reader:
        located = locate.find(reader, place) if place else None
        scopes = located.household if located else ()
        like = closest(outside, reader, text, scopes, ENTRIES)
        same = [
            match.entry
            for match in like
            if memory.category in {text_or_empty(reader, tag) for tag in match.entry.tags}
        ]
        newest = sorted(same, key=lambda entry: -entry.remembered_ms)[:NEWEST]
        texts = {entry.id: text_or_empty(reader, entry.text) for entry in newest}
    return [
        name
        for name, old in texts.items()
        if shared(text, old, outside.stem) >= RELATED
        # What may contradict it does not vouch for it.
        and compare(old, text, outside.stem).clash not in {"number", "negation"}
    ]

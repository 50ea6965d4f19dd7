"""Signals become proposals: drafts that wait for a person, and the files that hold routes."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from learnt.core.events import Actor, natural_key
from learnt.core.governance.misses import Miss, cluster
from learnt.core.governance.proposals import (
    IN_SHARED_FILES,
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    reopens,
)
from learnt.core.identifiers import ContentRef, EntryId, ProjectId, ProposalId, proposal_subject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.projects import household
from learnt.core.records import Record
from learnt.core.safety import clean, owned
from learnt.core.skills.hidden_text import skeleton
from learnt.core.tokens import words
from learnt.errors import Refused
from learnt.flows.governance.decisions import proposals, recorded
from learnt.flows.governance.signals import (
    ProjectMisses,
    Reuse,
    borne,
    joined,
    missed,
    prompts_of,
    reuses,
)
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import all_stored, append, text_behind, text_or_empty, texts_behind
from learnt.formats import draft_md, skill_md
from learnt.formats.answers import filled
from learnt.formats.draft_md import INSTRUCTIONS, block_of
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

SAMPLES = 3
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
SEVERAL = 3  # notes on one subject
SUBJECT_WORDS = 6  # in the name of a skill that is made of several notes
_KNOW_HOW = frozenset({"procedure", "tool_experience"})
_PASSING = frozenset({RULE, "data_range", "data_snapshot"})  # no skill is made of such notes
_Became = Literal["new", "grown", "unchanged"]


class Thresholds(Record):
    """How much evidence makes a proposal; 0 asks for none."""

    reuse: int = 3
    reuse_sessions: int = 2
    misses: int = 3
    misses_distinct: int = 2


class Analysis(Record, kw_only=True):
    """What was looked at, and what came of it: ids of proposals new, grown, and as they were."""

    entries: int
    misses: int
    new: tuple[ProposalId, ...] = ()
    grown: tuple[ProposalId, ...] = ()
    unchanged: tuple[ProposalId, ...] = ()


class _Offer(Record):
    """A proposal as the evidence has it now."""

    id: ProposalId
    kind: ProposalKind
    about: str
    target: str
    draft: Callable[[], str]
    scope: ProjectId | None
    evidence: Evidence
    words: str = ""
    notes: tuple[EntryId, ...] = ()


def analyze(outside: Outside, least: Thresholds, actor: Actor) -> Analysis:
    """Propose what the evidence calls for, nothing twice. Raises Conflict; what was made stays."""
    with outside.ledger.reading() as reader:
        earlier = proposals(reader)
        used, misses = reuses(reader), missed(outside, reader)
        offers = _of_notes(outside, reader, used, earlier, least)
        for project in misses:
            offers += _routes(outside, reader, project, earlier, least)
    before = {proposal.id: proposal for proposal in earlier}
    became: dict[_Became, list[ProposalId]] = {"new": [], "grown": [], "unchanged": []}
    for offer in offers:
        if _says_nothing_new(offer, before.get(offer.id)):
            became["unchanged"].append(offer.id)
            continue
        plan = partial(_planned, outside, offer, offer.draft(), actor)
        became[carry_out(outside.ledger, plan, f"Proposal {offer.id}")].append(offer.id)
    return Analysis(
        entries=len(used),
        misses=sum(len(project.misses) for project in misses),
        **{state: tuple(names) for state, names in became.items()},
    )


class _Used(Record):
    """A note that was recalled, and whether that was often enough for a proposal of it alone."""

    reuse: Reuse
    entry: Entry
    note: Note
    often: bool


def _of_notes(
    outside: Outside,
    reader: Reader,
    used: Iterable[Reuse],
    earlier: Sequence[Proposal],
    least: Thresholds,
) -> list[_Offer]:
    """What becomes of notes that keep being recalled: skills, and rules for a file."""
    others = [each for each in _live(reader, used, least) if each.entry.kind not in _PASSING]
    whole = [each for each in others if _tells_steps(outside, each)]
    loose = [each for each in others if each not in whole and each.entry.stage is Stage.VALIDATED]
    about = {
        skeleton(text_or_empty(reader, proposal.target)): proposal.about for proposal in earlier
    }
    groups = [*((each,) for each in whole if each.often), *_on_one_subject(outside, loose, least)]
    offers = [_skill(outside, reader, group, earlier, about) for group in groups]
    rules = {e.id for e in all_stored(reader, Entry) if e.kind == RULE and e.live and not e.picked}
    for each in _live(reader, borne(reader, rules), least):
        if each.often:
            name, target = each.entry.id, INSTRUCTIONS[0]
            offer_id = proposal_id(outside.ledger.key, ProposalKind.RULE, name, target)
            offers.append(
                _Offer(
                    id=offer_id,
                    kind=ProposalKind.RULE,
                    about=name,
                    target=target,
                    draft=partial(draft_md.rule, offer_id, each.note.text),
                    scope=each.entry.scope,
                    evidence=filled(Evidence, each.reuse, distinct=len(each.reuse.sessions)),
                )
            )
    return offers


def _live(reader: Reader, used: Iterable[Reuse], least: Thresholds) -> Iterator[_Used]:
    for reuse in used:
        if len(reuse.sessions) < least.reuse_sessions:
            continue
        entry = entry_of(reader, reuse.entry)
        if entry is not None and entry.live:
            note = note_of(reader, entry)
            if not note.rivals:  # what is in dispute is settled before it becomes an instruction
                yield _Used(reuse, entry, note, reuse.count >= least.reuse)


def _tells_steps(outside: Outside, used: _Used) -> bool:
    """Whether it is a procedure, or a solution with more than one thing to do or to heed."""
    entry, note = used.entry, used.note
    if entry.problem is None and entry.kind not in _KNOW_HOW:
        return False
    wording = outside.language.draft_words(f"{note.problem} {note.approach} {note.text}")
    return len(draft_md.steps_of(note, wording)) + len(note.cautions) > 1


def _on_one_subject(
    outside: Outside, loose: Iterable[_Used], least: Thresholds
) -> Iterator[tuple[_Used, ...]]:
    """Notes of one project that each say one thing and share a subject."""
    by_scope = defaultdict[ProjectId | None, dict[ContentRef, _Used]](dict)
    for each in loose:
        by_scope[each.entry.scope][ContentRef(each.entry.id)] = each
    for notes in by_scope.values():
        misses = (
            Miss(
                prompt=ref,
                terms={outside.stem(word): word for word in reversed(words(each.note.said))},
                count=each.reuse.count,
            )
            for ref, each in notes.items()
        )
        for group in cluster(misses):
            if group.distinct >= SEVERAL and group.count >= least.reuse:
                yield tuple(notes[ref] for ref in sorted(group.prompts))


def _skill(
    outside: Outside,
    reader: Reader,
    group: Sequence[_Used],
    earlier: Sequence[Proposal],
    about: dict[str, str],
) -> _Offer:
    """The skill that a note, or several on one subject, would become."""
    names = tuple(each.entry.id for each in group)
    notes = [each.note for each in group]
    before = next((p for p in earlier if _is_of(p, names)), None)
    first = EntryId(before.about) if before else names[0]
    name = skill_md.slug(subject_of(outside, notes))
    target: str = (before and text_behind(reader, before.target)) or f"skills/{name}/SKILL.md"
    if about.setdefault(skeleton(target), first) != first:
        # Another entry's words give a name that looks the same, maybe in another script.
        target = f"skills/{skill_md.cut(name, 52)}-{first[-6:]}/SKILL.md"
        about[skeleton(target)] = first
    reuse = joined([each.reuse for each in group])
    prompts: Sequence[ContentRef] = before.evidence.samples if before else ()
    if len(prompts) != SAMPLES:  # the first prompts stay the first, whatever comes after them
        prompts = prompts_of(reader, reuse.recalls, SAMPLES)
    beside = _beside(outside, reader, group[0].entry, notes, texts_behind(reader, prompts))
    offer_id = proposal_id(outside.ledger.key, ProposalKind.NEW_SKILL, first, target)
    return _Offer(
        id=offer_id,
        kind=ProposalKind.NEW_SKILL,
        about=first,
        target=target,
        draft=partial(draft_md.skill, target.split("/")[1], offer_id, notes, beside),
        scope=group[0].entry.scope,
        notes=names if len(names) > 1 else (),
        evidence=filled(Evidence, reuse, distinct=len(reuse.sessions), samples=tuple(prompts)),
    )


def _is_of(proposal: Proposal, names: Sequence[EntryId]) -> bool:
    """Whether a proposal is the one of these notes; more may have come since."""
    if proposal.kind is not ProposalKind.NEW_SKILL or len(names) == 1:
        return proposal.entry == names[0] and not proposal.notes
    return _hold_most(names, proposal.notes)


def subject_of(outside: Outside, notes: Sequence[Note]) -> str:
    """What notes are about, in words of theirs: of several those that most of them share."""
    if len(notes) == 1:
        return notes[0].problem or notes[0].text
    wordings = [words(note.said) for note in notes]
    counts = Counter(
        stem for wording in wordings for stem in {outside.stem(word) for word in wording}
    )
    shared = [w for w in dict.fromkeys(wordings[0]) if counts[outside.stem(w)] * 2 > len(notes)]
    return " ".join(shared[:SUBJECT_WORDS])


def _beside(
    outside: Outside, reader: Reader, entry: Entry, notes: Sequence[Note], prompts: tuple[str, ...]
) -> draft_md.DraftContext:
    """What a draft tells beside its notes, in their language and with the first one's date."""
    date = _DATE.match((entry.source and entry.source.date) or "")
    text = " ".join(f"{note.problem} {note.approach} {note.text}" for note in notes)
    return draft_md.DraftContext(
        wording=outside.language.draft_words(text),
        prompts=prompts,
        captured=date[0] if date else "",
        language=text_or_empty(reader, entry.language),
        files=texts_behind(reader, entry.files),
    )


def _routes(
    outside: Outside,
    reader: Reader,
    missed_here: ProjectMisses,
    earlier: Iterable[Proposal],
    least: Thresholds,
) -> list[_Offer]:
    scope, when_ms = missed_here.scope, missed_here.when_ms
    shared = set(household(scope, reader.same_projects())) if scope else {None}
    routes = {p.id: p for p in earlier if p.kind is ProposalKind.ROUTING and p.scope in shared}
    where = f"{scope or 'no project'}:{draft_md.ROUTES}"
    clusters = {
        proposal_id(outside.ledger.key, ProposalKind.ROUTING, " ".join(group.pair), where): group
        for group in cluster(missed_here.misses)
        if group.count >= least.misses and group.distinct >= least.misses_distinct
    }
    renamed = [route for route in routes.values() if route.id not in clusters]
    offers = []
    for offer_id, group in clusters.items():
        if offer_id not in routes:
            # A cluster that grows may come to be named by another pair: then the proposal whose
            # first prompts it holds is its own.
            alike = (r for r in renamed if _hold_most(group.prompts, r.evidence.samples))
            if (same := next(alike, None)) is not None:
                renamed.remove(same)
                offer_id = same.id
        samples = sorted(group.prompts, key=lambda ref: (when_ms[ref], ref))[:SAMPLES]
        texts = texts_behind(reader, samples)
        offers.append(
            _Offer(
                id=offer_id,
                kind=ProposalKind.ROUTING,
                about=" ".join(group.pair),
                target=draft_md.ROUTES,
                draft=partial(draft_md.route, offer_id, group, texts),
                words=", ".join(group.named),
                scope=scope,
                evidence=filled(
                    Evidence,
                    group,
                    first_ms=min(when_ms[ref][0] for ref in group.prompts),
                    last_ms=max(when_ms[ref][1] for ref in group.prompts),
                    samples=tuple(samples),
                ),
            )
        )
    return offers


def _hold_most(names: Iterable[str], of: Sequence[str]) -> bool:
    return 2 * len(set(names) & set(of)) > len(of)


def _says_nothing_new(offer: _Offer, before: Proposal | None) -> bool:
    if before is None or before.evidence != offer.evidence:
        return False
    # The same evidence has something to add where the text was erased: it is rewritten.
    return before.status is not Status.PENDING or before.draft is not None


def _planned(outside: Outside, offer: _Offer, text: str, actor: Actor) -> Plan[_Became]:
    with outside.ledger.reading() as reader:
        stands = snapshot(reader, partial(recorded, offer.id))
    before, evidence = stands.seen, offer.evidence

    def write(writer: Writer) -> _Became:
        if _says_nothing_new(offer, before):
            return "unchanged"
        routing = offer.kind is ProposalKind.ROUTING
        # What an agent wrote again is not written over by what rules would say.
        written = before.draft if before and before.rewritten else None
        text_ref = written or writer.keep("draft", clean(text))
        payload = filled(
            Proposed,
            offer,
            about=writer.keep("terms", clean(offer.about)) if routing else offer.about,
            words=writer.keep("terms", clean(offer.words)) if routing else None,
            target=writer.keep("target", owned(offer.target)),
            draft=text_ref,
            rewritten=written is not None,
        )
        key = natural_key(
            outside.ledger.key, "proposed", offer.id, evidence.count, evidence.distinct, text_ref,
            evidence.last_ms, before.status if before else "",
        )  # fmt: skip
        if append(writer, proposal_subject(offer.id), actor, payload, key=key) is None:
            return "unchanged"
        return "new" if before is None or reopens(before, evidence.count) else "grown"

    return Plan(rests_on=stands, write=write)


def shared_file(outside: Outside, root: str, within: str, names: Sequence[str]) -> str:
    """Of these files below a root the one that a block goes into: the first, else the last."""
    texts = {}
    for name in names:
        # It may be a link, as such files often are: what it leads to has its own turn.
        with suppress(Refused):
            texts[name] = outside.documents.read(outside.documents.whole(root, within + name))
    there = {name: text for name, text in texts.items() if text is not None}
    # A file that brings another one in is read with it.
    outermost = [
        name for name, text in there.items() if not any(f"@{other}" in text for other in there)
    ]
    return next(iter(outermost or there), names[-1])


def own_text(proposal: Proposal, file: str) -> str | None:
    """What of a file is an accepted proposal's: all of it, or its block in a shared one."""
    return block_of(file, proposal.id) if proposal.kind in IN_SHARED_FILES else file

"""Signals become proposals: drafts that wait for a person, and the files that hold routes."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from learnt.core.events import Actor, natural_key
from learnt.core.governance.misses import Cluster, cluster
from learnt.core.governance.proposals import (
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    reopens,
)
from learnt.core.identifiers import ContentRef, ProjectId, ProposalId, proposal_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.projects import household
from learnt.core.safety import clean, owned
from learnt.errors import Refused
from learnt.flows.governance.decisions import proposals, recorded
from learnt.flows.governance.signals import ProjectMisses, Reuse, missed, prompts_of, reuses
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import append, text_behind, text_or_empty, texts_behind
from learnt.formats import draft_md, skill_md
from learnt.formats.answers import filled
from learnt.formats.draft_md import ROUTES, block_of
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

SAMPLES = 3
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_KNOW_HOW = frozenset({"procedure", "tool_experience"})
_Became = Literal["new", "grown", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How much evidence makes a proposal; 0 asks for none."""

    reuse: int = 3
    reuse_sessions: int = 2
    misses: int = 3
    misses_distinct: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What was looked at, and what came of it: ids of proposals new, grown, and as they were."""

    entries: int
    misses: int
    new: tuple[ProposalId, ...] = ()
    grown: tuple[ProposalId, ...] = ()
    unchanged: tuple[ProposalId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offer:
    """A proposal as the evidence has it now."""

    id: ProposalId
    kind: ProposalKind
    about: str
    target: str
    draft: Callable[[], str]
    scope: ProjectId | None
    evidence: Evidence
    words: str = ""


def analyze(outside: Outside, least: Thresholds, actor: Actor) -> Analysis:
    """Propose what the evidence calls for, nothing twice. Raises Conflict; what was made stays."""
    with outside.ledger.reading() as reader:
        earlier = proposals(reader)
        used, misses = reuses(reader), missed(outside, reader)
        offers = _skills(outside, reader, used, earlier, least)
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


def _skills(
    outside: Outside,
    reader: Reader,
    used: Iterable[Reuse],
    earlier: Sequence[Proposal],
    least: Thresholds,
) -> list[_Offer]:
    about: dict[str | None, str] = {
        text_behind(reader, proposal.target): proposal.about for proposal in earlier
    }
    by_entry = {proposal.entry: proposal for proposal in earlier if proposal.entry}
    offers = []
    for reuse in used:
        if reuse.count < least.reuse or len(reuse.sessions) < least.reuse_sessions:
            continue
        entry = entry_of(reader, reuse.entry)
        if entry is None or not entry.live or not _is_know_how(entry):
            continue
        note, before = note_of(reader, entry), by_entry.get(reuse.entry)
        if note.rivals:
            continue  # what is in dispute is settled before it becomes an instruction
        name = skill_md.slug(note.problem or note.text)
        target: str = (before and text_behind(reader, before.target)) or f"skills/{name}/SKILL.md"
        if about.setdefault(target, reuse.entry) != reuse.entry:
            # Another entry's words give the same name: this one's carries a part of its id.
            target = f"skills/{name[:52].strip('-')}-{reuse.entry[-6:]}/SKILL.md"
            about[target] = reuse.entry
        prompts: Sequence[ContentRef] = before.evidence.samples if before else ()
        if len(prompts) != SAMPLES:  # the first prompts stay the first, whatever comes after them
            prompts = prompts_of(reader, reuse.recalls, SAMPLES)
        beside = _beside(outside, reader, entry, note, texts_behind(reader, prompts))
        own = proposal_id(outside.ledger.key, ProposalKind.NEW_SKILL, reuse.entry, target)
        offers.append(
            _Offer(
                id=own,
                kind=ProposalKind.NEW_SKILL,
                about=reuse.entry,
                target=target,
                draft=partial(draft_md.skill, target.split("/")[1], own, note, beside),
                scope=entry.scope,
                evidence=filled(
                    Evidence, reuse, distinct=len(reuse.sessions), samples=tuple(prompts)
                ),
            )
        )
    return offers


def _beside(
    outside: Outside, reader: Reader, entry: Entry, note: Note, prompts: tuple[str, ...]
) -> draft_md.DraftContext:
    """What a draft tells beside its note, in the note's language and with its own date."""
    date = _DATE.match((entry.source and entry.source.date) or "")
    return draft_md.DraftContext(
        wording=outside.language.draft_words(f"{note.problem} {note.approach} {note.text}"),
        prompts=prompts,
        captured=date[0] if date else "",
        language=text_or_empty(reader, entry.language),
        files=texts_behind(reader, entry.files),
    )


def _is_know_how(entry: Entry) -> bool:
    """Whether it says how to do something: a solution, or what a person told of tools or steps.

    Facts of other kinds are published as topics.
    """
    told = entry.actor is Actor.HUMAN and entry.kind in _KNOW_HOW
    return entry.problem is not None or (told and entry.text is not None)


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
    for own, group in clusters.items():
        if own not in routes:
            # A cluster that grows may come to be named by another pair: then the proposal whose
            # first prompts it holds is its own.
            same = next((route for route in renamed if _holds_most(group, route)), None)
            if same is not None:
                renamed.remove(same)
                own = same.id
        samples = sorted(group.prompts, key=lambda ref: (when_ms[ref], ref))[:SAMPLES]
        texts = texts_behind(reader, samples)
        offers.append(
            _Offer(
                id=own,
                kind=ProposalKind.ROUTING,
                about=" ".join(group.pair),
                target=draft_md.ROUTES,
                draft=partial(draft_md.route, own, group, texts),
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


def _holds_most(group: Cluster, route: Proposal) -> bool:
    samples = route.evidence.samples
    return 2 * len(set(group.prompts) & set(samples)) > len(samples)


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


def route_file(outside: Outside, root: str, within: str, names: Sequence[str]) -> str:
    """Of these files below a root the one that a route goes into.

    The first that is there, else the last. Raises Refused where links lead to the rules' own file.
    """
    texts = {}
    for name in names:
        try:
            texts[name] = outside.documents.read(outside.documents.whole(root, within + name))
        except Refused:
            if name == ROUTES:
                raise
            # It is a link, as such files often are: what it leads to has its own turn.
    there = {name: text for name, text in texts.items() if text is not None}
    # A file that brings another one in is read with it.
    own = [name for name, text in there.items() if not any(f"@{other}" in text for other in there)]
    return next(iter(own or there), names[-1])


def own_text(proposal: Proposal, file: str) -> str | None:
    """What of a file is an accepted proposal's: all of it, or its block in a shared one."""
    routing = proposal.kind is ProposalKind.ROUTING
    return block_of(file, proposal.id) if routing else file

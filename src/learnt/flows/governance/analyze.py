"""Signals become proposals: drafts that wait for a person. Nothing else is written."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from learnt.core.events import Actor, Draft
from learnt.core.governance.misses import Cluster, Pair, cluster
from learnt.core.governance.proposals import (
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    reopens,
)
from learnt.core.identifiers import (
    ProjectId,
    ProposalId,
    proposal_subject,
)
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.projects import household
from learnt.flows.governance.decisions import proposals
from learnt.flows.governance.signals import Missed, Reuse, missed, prompts_of, reuses
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import stored
from learnt.formats import draft_md, skill_md
from learnt.ports import Outside, Reader, Writer

SAMPLES = 3
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
    """Propose what the evidence calls for; the same evidence proposes nothing twice.

    Raises Conflict where a proposal changes again and again; those made by then are kept.
    """
    with outside.ledger.reading() as reader:
        known = proposals(reader)
        used = reuses(reader)
        found = missed(outside, reader)
        offers = [
            *_skills(outside.ledger.key, reader, used, known, least),
            *(route for one in found for route in _routes(outside, reader, one, known, least)),
        ]
    before = {proposal.id: proposal for proposal in known}
    became: dict[_Became, list[ProposalId]] = {"new": [], "grown": [], "unchanged": []}
    for offer in offers:
        if _says_nothing_new(offer, before.get(offer.id)):
            became["unchanged"].append(offer.id)
            continue
        plan = partial(_planned, outside, offer, offer.draft(), actor)
        became[carry_out(outside.ledger, plan, f"Proposal {offer.id}")].append(offer.id)
    return Analysis(
        entries=len(used),
        misses=sum(len(one.misses) for one in found),
        new=tuple(became["new"]),
        grown=tuple(became["grown"]),
        unchanged=tuple(became["unchanged"]),
    )


def _skills(
    key: bytes,
    reader: Reader,
    used: Iterable[Reuse],
    known: Sequence[Proposal],
    least: Thresholds,
) -> list[_Offer]:
    taken = {proposal.target: proposal.about for proposal in known}
    texts = {reader.text(target): about for target, about in taken.items() if target}
    earlier = {p.about: reader.text(p.target) for p in known if p.entry and p.target}
    # The first prompts stay the first, whatever comes after them.
    drawn = {p.about: p.evidence.samples for p in known if len(p.evidence.samples) == SAMPLES}
    offers = []
    for reuse in used:
        if reuse.count < least.reuse or len(reuse.sessions) < least.reuse_sessions:
            continue
        entry = entry_of(reader, reuse.entry)
        if entry is None or entry.problem is None or not entry.live:
            continue
        note = note_of(reader, entry)
        target = earlier.get(reuse.entry) or _target(skill_md.slug(note.problem))
        if texts.setdefault(target, reuse.entry) != reuse.entry:
            # Another entry's words give the same name: this one's carries a part of its id.
            target = _target(f"{skill_md.slug(note.problem)[:52].strip('-')}-{reuse.entry[-6:]}")
            texts[target] = reuse.entry
        before = drawn.get(reuse.entry)
        prompts = before or prompts_of(reader, reuse.recalls, SAMPLES)
        seen = draft_md.Recurrence(
            count=reuse.count,
            sessions=len(reuse.sessions),
            prompts=tuple(text for ref in prompts if (text := reader.text(ref)) is not None),
        )
        name = target.split("/")[1]
        own = proposal_id(key, ProposalKind.NEW_SKILL, reuse.entry, target)
        offers.append(
            _Offer(
                id=own,
                kind=ProposalKind.NEW_SKILL,
                about=reuse.entry,
                target=target,
                draft=partial(draft_md.skill, name, own, note, seen),
                scope=entry.scope,
                evidence=Evidence(
                    count=reuse.count,
                    distinct=len(reuse.sessions),
                    first_ms=reuse.first_ms,
                    last_ms=reuse.last_ms,
                    samples=tuple(prompts),
                ),
            )
        )
    return offers


def _target(name: str) -> str:
    return f"skills/{name}/SKILL.md"


def _routes(
    outside: Outside,
    reader: Reader,
    found: Missed,
    known: Iterable[Proposal],
    least: Thresholds,
) -> list[_Offer]:
    shared = set(household(found.scope, reader.same_projects())) if found.scope else {None}
    routes = [p for p in known if p.kind is ProposalKind.ROUTING and p.scope in shared]
    enough = [
        one
        for one in cluster(found.misses)
        if one.count >= least.misses and one.distinct >= least.misses_distinct
    ]
    where = f"{found.scope or 'no project'}:{draft_md.ROUTES}"
    by_pair = {
        one.pair: proposal_id(outside.ledger.key, ProposalKind.ROUTING, " ".join(one.pair), where)
        for one in enough
    }
    own = _identities(by_pair, enough, routes)
    return [_route(reader, one, own[one.pair], found) for one in enough]


def _identities(
    by_pair: Mapping[Pair, ProposalId], clusters: Sequence[Cluster], routes: Sequence[Proposal]
) -> dict[Pair, ProposalId]:
    """Each cluster's proposal: that of its pair, else the one whose first prompts it holds.

    A cluster that grows may come to be named by another pair; it is still the same proposal.
    """
    found = dict(by_pair)
    held = {proposal.id for proposal in routes}
    free = [proposal for proposal in routes if proposal.id not in set(found.values())]
    for one in clusters:
        if found[one.pair] in held:
            continue
        prompts = set(one.prompts)
        for proposal in free:
            samples = proposal.evidence.samples
            if 2 * len(prompts & set(samples)) > len(samples):
                found[one.pair] = proposal.id
                free.remove(proposal)
                break
    return found


def _route(reader: Reader, found: Cluster, own: ProposalId, among: Missed) -> _Offer:
    when_ms = among.when_ms
    samples = sorted(found.prompts, key=lambda ref: (when_ms[ref], ref))[:SAMPLES]
    texts = [text for ref in samples if (text := reader.text(ref)) is not None]
    return _Offer(
        id=own,
        kind=ProposalKind.ROUTING,
        about=" ".join(found.pair),
        target=draft_md.ROUTES,
        draft=partial(draft_md.route, own, found, texts),
        words=", ".join(found.named),
        scope=among.scope,
        evidence=Evidence(
            count=found.count,
            distinct=found.distinct,
            first_ms=min(when_ms[ref][0] for ref in found.prompts),
            last_ms=max(when_ms[ref][1] for ref in found.prompts),
            samples=tuple(samples),
        ),
    )


def _planned(outside: Outside, offer: _Offer, text: str, actor: Actor) -> Plan[_Became]:
    with outside.ledger.reading() as reader:
        stands = snapshot(reader, partial(_stands, offer.id))
    before = stands.seen

    def write(writer: Writer) -> _Became:
        if _says_nothing_new(offer, before) or not _propose(
            outside, writer, offer, text, (before, actor)
        ):
            return "unchanged"
        anew = before is None or reopens(before, offer.evidence.count)
        return "new" if anew else "grown"

    return Plan(rests_on=stands, write=write)


def _stands(name: ProposalId, reader: Reader) -> Proposal | None:
    return stored(reader, Proposal, proposal_subject(name))


def _says_nothing_new(offer: _Offer, before: Proposal | None) -> bool:
    return before is not None and before.evidence == offer.evidence and _settled(before)


def _propose(
    outside: Outside,
    writer: Writer,
    offer: _Offer,
    text: str,
    by: tuple[Proposal | None, Actor],
) -> bool:
    """Record a proposal if anything about it is new; whether it was."""
    about: str = offer.about
    if offer.kind is ProposalKind.ROUTING:
        about = writer.keep("terms", offer.about)
    (before, actor), evidence = by, offer.evidence
    draft = writer.keep("draft", text)
    payload = Proposed(
        kind=offer.kind,
        about=about,
        words=writer.keep("terms", offer.words) if offer.words else None,
        target=writer.keep("target", offer.target),
        draft=draft,
        scope=offer.scope,
        evidence=evidence,
    )
    recorded = writer.append(
        Draft(
            subject=proposal_subject(offer.id),
            actor=actor,
            payload=payload,
            natural_key=natural_key(
                outside.ledger.key, "proposed", offer.id, evidence.count, evidence.distinct, draft,
                evidence.last_ms, before.status if before else "",
            ),
        )
    )  # fmt: skip
    return recorded is not None


def _settled(before: Proposal) -> bool:
    """Whether the same evidence has nothing to add: a text that was erased is written anew."""
    return before.status is not Status.PENDING or before.draft is not None

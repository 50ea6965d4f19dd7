"""A proposal on the screen and as JSON: its line, its diff, its evidence, and where it would go."""

from pathlib import Path

import click

from learnt.core.governance.proposals import MARKS, Proposal, ProposalKind, Status
from learnt.core.json_values import JsonObject
from learnt.errors import LearntError, Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import listing
from learnt.flows.sessions.locate import find, look
from learnt.formats.injection import moment
from learnt.ports import Outside
from learnt.surfaces import agent_files
from learnt.surfaces.cli.context import folder, plain

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def cut(text: str, most: int = 60) -> str:
    """A text on one line, cut with an ellipsis."""
    line = plain(" ".join(text.split()))
    return line if len(line) <= most else line[: most - 1] + "…"


def say_line(shown: listing.Shown, *, err: bool = False) -> None:
    """Print a proposal in a few lines."""
    proposal = shown.proposal
    head = f"{MARKS[proposal.status]} [{proposal.status}] {proposal.id}  {proposal.kind}"
    click.echo(click.style(head, bold=proposal.status is Status.PENDING), err=err)
    click.echo(f"    target: {plain(shown.path or shown.target)}", err=err)
    if shown.project:
        click.echo(f"    project: {cut(shown.project)}", err=err)
    click.echo(f"    why: {cut(shown.rationale, 160)}", err=err)
    if shown.note:
        click.echo(f"    note: {cut(shown.note, 160)}", err=err)


def proposal_json(
    outside: Outside, shown: listing.Shown, project: str, root: str | None
) -> JsonObject:
    """A proposal as JSON: its id, state, texts, diff and evidence."""
    proposal, evidence = shown.proposal, shown.proposal.evidence
    change, why_not = _planned(outside, proposal, project, root)
    return {
        "id": proposal.id,
        "kind": proposal.kind,
        "status": proposal.status,
        "target": shown.target,
        "path": shown.path or (change.path if change else None),
        "base": change.base if change else None,
        "seal": change.seal if change else None,
        "diff": _diff(outside, shown, change),
        "content": shown.draft,
        "rationale": shown.rationale,
        "evidence": {
            "about": proposal.about if proposal.kind is not ProposalKind.ROUTING else None,
            "count": evidence.count,
            "distinct": evidence.distinct,
            "first_ms": evidence.first_ms or None,
            "last_ms": evidence.last_ms or None,
            "samples": list(shown.samples),
        },
        "scope": proposal.scope,
        "project": shown.project or None,
        "note": shown.note or None,
        "proposed_ms": proposal.proposed_ms,
        "cannot_apply_here": why_not or None,
    }


def _planned(
    outside: Outside, proposal: Proposal, project: str, root: str | None
) -> tuple[accepting.Change | None, str]:
    """What accepting would do here and now, or why it can't."""
    if proposal.status is not Status.PENDING:
        return None, ""
    try:
        return accepting.plan(outside, proposal.id, place(outside, proposal, project, root)), ""
    except LearntError as error:
        return None, str(error)


def _diff(outside: Outside, shown: listing.Shown, change: accepting.Change | None) -> str:
    if change is None:
        change = accepting.Change(
            proposal=shown.proposal.id,
            kind=shown.proposal.kind,
            path=shown.path or shown.target,
            before=None,
            after=shown.draft,
        )
    return listing.diff(change, listing.accepted_text(outside, shown.proposal))


def place(outside: Outside, proposal: Proposal, project: str, root: str | None) -> accepting.Place:
    """Where a proposal's text goes: below --root, else where the agents in use look for it."""
    if root is not None:
        return accepting.Place(root=str(Path(root).resolve()))
    here = outside.folders.facts(folder(project)).root
    within = None
    if proposal.scope is not None:
        with outside.ledger.reading() as reader:
            located = find(reader, look(outside, folder(project)))
        if located is None or proposal.scope not in located.household:
            raise Refused(
                f"{proposal.id} belongs to another project. Call this in its folder, or name it "
                "with --project, or give a --root. Nothing was written."
            )
        within = here
    if proposal.kind is ProposalKind.ROUTING:
        if here == Path.home():
            raise Refused(
                "Your home folder is no project to put routing rules into. Call this in a "
                "project's folder, or give a --root. Nothing was written."
            )
        return accepting.Place(root=str(here))
    if within is None:
        links = [(str(found), "") for found in agent_files.link_folders()]
        return accepting.Place(root=str(agent_files.canonical_root(None)), links=tuple(links))
    # A repository's own links are claims: neither the skill nor its link goes through one.
    there = [(str(within), ".claude/skills/")] if agent_files.link_folders() else []
    return accepting.Place(root=str(within), within=".agents/", links=tuple(there))


def say_proposal(
    outside: Outside,
    shown: listing.Shown,
    project: str,
    root: str | None,
    *,
    err: bool = False,
) -> accepting.Change | None:
    """Print a proposal with its diff and evidence; what accepting it here would do, if it may."""
    say_line(shown, err=err)
    evidence = shown.proposal.evidence
    if evidence.last_ms:
        span = f"{moment(evidence.first_ms)} to {moment(evidence.last_ms)}"
        of = "sessions" if shown.proposal.kind is ProposalKind.NEW_SKILL else "distinct prompts"
        said = f"{evidence.count} times, {evidence.distinct} {of}, {span}"
        click.echo(f"    evidence: {said}", err=err)
    for sample in shown.samples:
        click.echo(f"    prompt: {cut(sample, 160)}", err=err)
    change, why_not = _planned(outside, shown.proposal, project, root)
    click.echo("", err=err)
    for line in _diff(outside, shown, change).rstrip("\n").split("\n"):
        click.secho(plain(line), fg=_COLOURS.get(line[:1]), err=err)
    click.echo("", err=err)
    if change is not None:
        target = plain(change.path)
        counts = f"{target} would count as accepted, as it is"
        told = counts if change.adopts else f"would write {target}"
        click.echo(f"{told} (seal {change.seal})", err=err)
        if change.in_the_way:
            click.secho("A file is there already; --overwrite replaces it.", fg="yellow", err=err)
    elif why_not:
        click.secho(plain(why_not), fg="yellow", err=err)
    return change

"""`evolve`: signals become proposals, shown with what accepting would do; a person decides."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from learnt.core.governance.proposals import IN_SHARED_FILES, MARKS, Proposal, ProposalKind, Status
from learnt.core.identifiers import ProjectId, ProposalId
from learnt.core.records import Record
from learnt.core.skills.replay import Shadowing
from learnt.core.skills.skills import Finding, Skill
from learnt.errors import Conflict, LearntError, NotFound, Refused, UsageError
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import listing
from learnt.flows.governance.analyze import Analysis, Thresholds
from learnt.flows.governance.analyze import analyze as analyze_signals
from learnt.flows.governance.notice import Noticed, notice
from learnt.flows.sessions.locate import find
from learnt.flows.sessions.locate import look as look_at_folder
from learnt.formats.answers import filled
from learnt.formats.draft_md import INSTRUCTIONS
from learnt.formats.injection import moment
from learnt.ports import Outside
from learnt.settings import configured
from learnt.surfaces import agent_files
from learnt.surfaces.cli.configuring import ROUTES_FILE, set_to, value_of
from learnt.surfaces.cli.context import YES, Call, Caller, Id, command, plain, plain_path
from learnt.surfaces.cli.screen import cut, shown_whole
from learnt.surfaces.cli.shelf import readable, say_findings, say_shadowing, shelf

if TYPE_CHECKING:
    from learnt.flows.skills.catalogue import OpenShelf

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class ProposalEvidence(Record):
    """What speaks for a proposal: how often, how many different prompts or sessions, and when."""

    about: str | None
    count: int
    distinct: int
    first_ms: int | None
    last_ms: int | None
    samples: tuple[str, ...]


class Shown(Record):
    """A proposal with its texts, and what accepting it here and now would do.

    `base` is the hash of the file as it is, `seal` what a `--yes` is bound to; both are None where
    it cannot be accepted here: it is decided on, or for the reason given. `findings` are what the
    scanner says of a skill that waits, `shadowing` what its new text displaces for recorded
    prompts; None in lists, where it is no such text, and where it cannot be accepted here.
    """

    id: ProposalId
    kind: ProposalKind
    status: Status
    target: str
    path: str | None
    base: str | None
    seal: str | None
    diff: str
    content: str
    rationale: str
    evidence: ProposalEvidence
    scope: ProjectId | None
    project: str | None
    note: str | None
    proposed_ms: int
    cannot_apply_here: str | None
    findings: tuple[Finding, ...]
    shadowing: Shadowing | None = None


class Look(Record):
    """A proposal as it is shown, with the change that it is shown for, or why there is none."""

    shown: Shown
    change: accepting.FileChange | None = None
    trouble: LearntError | None = None

    def possible(self) -> accepting.FileChange:
        """The change. Raises what stands against it where there is none."""
        if self.change is None:
            raise self.trouble or Refused(f"{self.shown.id} is {self.shown.status}.")
        return self.change


def look(
    call: Call, outside: Outside, listed: listing.ProposalTexts, root: str | None = None
) -> Look:
    """A proposal with what accepting it would do, planned once."""
    proposal = listed.proposal
    change, trouble, target = None, None, listed.target
    if proposal.status is Status.PENDING:
        try:
            where = place(call, outside, proposal, root)
            change = accepting.plan(
                outside, proposal, where, lambda: _skills(call, outside, proposal)
            )
            if proposal.kind in IN_SHARED_FILES:
                target = change.path.removeprefix(f"{where.root}/")
        except LearntError as error:
            trouble = error
    counted = proposal.evidence
    evidence = filled(
        ProposalEvidence,
        counted,
        about=None if proposal.kind is ProposalKind.ROUTING else proposal.about,
        first_ms=counted.first_ms or None,
        last_ms=counted.last_ms or None,
        samples=listed.samples,
    )
    path, before, after, others = listed.path or listed.target, None, listed.draft, ""
    if change is not None:
        path, before, after = change.path, change.before, change.after
        others = _other_files(change)
    shown = filled(
        Shown,
        listed,
        proposal,
        target=target,
        path=listed.path or (change and change.path),
        base=change and change.base,
        seal=change and change.seal,
        diff=listing.diff(path, before if listed.accepted is None else listed.accepted, after)
        + others,
        content=listed.draft,
        evidence=evidence,
        project=listed.project or None,
        note=listed.note or None,
        cannot_apply_here=None if trouble is None else str(trouble),
        findings=change.findings if change else (),
    )
    return Look(shown=shown, change=change, trouble=trouble)


def _other_files(change: accepting.FileChange) -> str:
    """What else of a skill would be installed, whole; of what is no text its size."""
    folder, _, own = change.path.rpartition("/")
    if (looked := change.looked) is None:
        return ""
    before, after = (
        {path: readable(content) for path, content in files.items()}
        for files in (looked.there or {}, looked.files)
    )
    return "".join(
        listing.diff(f"{folder}/{path}", before.get(path), after.get(path))
        for path in sorted({*before, *after} - {own})
    )


def shown(call: Call, outside: Outside, name: str, root: str | None = None) -> Shown:
    """One proposal in full. Raises NotFound."""
    return look(call, outside, listing.shown(outside, name), root).shown


def _skills(call: Call, outside: Outside, proposal: Proposal) -> tuple[Skill, ...]:
    with _shelf(call, outside, proposal) as on:
        return (*on.known.skills.values(), *on.known.shadowed)


@contextmanager
def _shelf(call: Call, outside: Outside, proposal: Proposal) -> "Iterator[OpenShelf]":
    """The skills that there are where a proposal is decided on."""
    from learnt.bootstrap import skill_library
    from learnt.flows.skills.catalogue import shelf_of

    sources = agent_files.skill_sources(call.project, call.home / "skills")
    with skill_library(call.who.settings, sources) as library:
        yield shelf_of(outside, library, proposal.scope)


def replayed(call: Call, outside: Outside, looked: Look, proposal: Proposal) -> Look:
    """A look at a waiting proposal, with what it displaces if it is about a skill's text."""
    if looked.change is None or proposal.kind not in accepting.SKILL_TEXTS:
        return looked
    from learnt.flows.skills.tend import candidate_of, displaced_by

    candidate = candidate_of(outside, looked.change)
    with _shelf(call, outside, proposal) as on:
        shadowing = displaced_by(on, candidate)
    return replace(looked, shown=replace(looked.shown, shadowing=shadowing))


def place(
    call: Call, outside: Outside, proposal: Proposal, root: str | None
) -> accepting.Destination:
    """Where a proposal's text goes: below --root, else where agents look. Raises Refused."""
    claude = agent_files.user_folder().is_dir()
    shared = accepting.Destination(
        root=str(Path(root or call.folder).resolve()),
        routes=call.who.settings.routes,
        # The last is made where none is there.
        instructions=(*INSTRUCTIONS, "CLAUDE.md" if claude else "AGENTS.md"),
    )
    if root is not None:
        return shared
    here = outside.folders.facts(call.folder).root
    if proposal.scope is not None:
        with outside.ledger.reading() as reader:
            located = find(reader, look_at_folder(outside, call.folder))
        if located is None or proposal.scope not in located.household:
            raise Refused(
                f"{proposal.id} belongs to another project. Call this in its folder, or name it "
                "with --project, or give a --root. Nothing was written."
            )
    if proposal.kind in IN_SHARED_FILES:
        if here == Path.home():
            raise Refused(
                "Your home folder is no project to put rules into. Call this in a project's "
                "folder, or give a --root. Nothing was written."
            )
        return replace(shared, root=str(here))
    return agent_files.destination(None if proposal.scope is None else here)


def choose_file(call: Call, kind: ProposalKind) -> bool:
    """Ask a person once which file holds their routes; whether it is another one by now."""
    before = call.who.settings.routes
    if kind is not ProposalKind.ROUTING or configured(call.home)[ROUTES_FILE][1]:
        return False

    def chosen(said: str) -> object:
        try:
            return value_of(ROUTES_FILE, said)
        except UsageError as error:
            raise click.UsageError(str(error)) from error  # it is asked again

    question = "Which file of your projects holds the rules for routing prompts?"
    file = click.prompt(question, default=before, value_proc=chosen, err=call.as_json)
    click.echo(plain_path(set_to(call.who.settings, ROUTES_FILE, file)), err=call.as_json)
    del call.who  # the settings are read again
    return bool(file != before)


def say_line(proposal: Shown, *, err: bool = False) -> None:
    """Print a proposal in a few lines."""
    pending = proposal.status is Status.PENDING
    head = f"{MARKS[proposal.status]} [{proposal.status}] {proposal.id}  {proposal.kind}"
    click.secho(head, bold=pending, err=err)
    target = proposal.target if pending else proposal.path or proposal.target
    click.echo(f"    target: {plain(target)}", err=err)
    rows = (("project", proposal.project, 60), ("why", proposal.rationale, 160))
    for name, text, most in (*rows, ("note", proposal.note, 160)):
        if text:
            click.echo(f"    {name}: {cut(text, most)}", err=err)


def say_proposal(looked: Look, *, err: bool = False, asks: bool = False) -> bool:
    """Print a proposal with its diff and evidence, and what accepting it here would do.

    Where a question follows, by screens; False if a person stopped before the last of them.
    """
    proposal, change = looked.shown, looked.change
    evidence = proposal.evidence
    say_line(proposal, err=err)
    if evidence.last_ms is not None:
        span = f"{moment(evidence.first_ms or 0)} to {moment(evidence.last_ms)}"
        of = "sessions" if proposal.kind is ProposalKind.NEW_SKILL else "distinct prompts"
        counts = f"{evidence.count} times, {evidence.distinct} {of}, {span}"
        click.echo(f"    evidence: {counts}", err=err)
    for sample in evidence.samples:
        click.echo(f"    prompt: {cut(sample, 160)}", err=err)
    click.echo("", err=err)
    lines = proposal.diff.rstrip("\n").split("\n")
    coloured = [click.style(plain(line), fg=_COLOURS.get(line[:1])) for line in lines]
    click.echo(f"    {len(lines)} lines", err=err)
    seen = shown_whole(coloured, err=err, asks=asks)
    if proposal.kind is ProposalKind.NEW_SKILL and change is not None and change.looked is None:
        click.echo(f"\nYour agent writes a better draft: /learnt-draft {proposal.id}", err=err)
    say_findings(proposal.findings, err=err)
    click.echo("", err=err)
    if proposal.shadowing is not None:
        say_shadowing(proposal.shadowing, err=err)
    if change is not None:
        target = plain(change.path)
        counted = f"{target} would count as accepted, as it is"
        effect = counted if change.adopts else f"would write {target}"
        click.echo(f"{effect} (seal {change.seal})", err=err)
        if change.in_the_way:
            click.secho("A file is there already; --overwrite replaces it.", fg="yellow", err=err)
    elif proposal.cannot_apply_here:
        click.secho(plain(proposal.cannot_apply_here), fg="yellow", err=err)
    return seen


def say_noticed(noticed: Noticed) -> None:
    """Print what is unfinished, and the files that are not what was accepted."""
    lines = [f"unfinished: {text}" for text in noticed.unfinished]
    for file in noticed.files:
        closing = f"; `learnt evolve undo {file.proposal}` closes it"
        if file.ownership != "ours":
            line = f"{file.ownership}: {file.path} ({file.proposal})"
            lines.append(line + (closing if file.ownership == "gone" else ""))
    for line in lines:
        click.secho(plain(line), fg="yellow")


ROOT = click.option(
    "--root",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write below this folder (else where your agents look).",
)
_least = partial(click.option, type=click.IntRange(min=0), show_default=True)


@click.group()
def evolve() -> None:
    """What keeps being recalled, or missed, becomes a proposal; you decide."""


@command(within=evolve, answers=listing.Signals)
def stats(call: Call) -> int:
    """The signals recorded so far. Writes nothing."""
    return call.answer(call.look(listing.signals, listing.Signals()), _say_signals)


def _say_signals(signals: listing.Signals) -> None:
    reuse, misses = signals.reuse, signals.misses
    click.secho("reuse", bold=True)
    last = "never" if reuse.last_updated_ms is None else moment(reuse.last_updated_ms)
    click.echo(f"  entries tracked  {reuse.tracked}")
    click.echo(f"  surfaces         {reuse.surfaces}")
    click.echo(f"  last updated     {last}")
    for entry in reuse.top:
        counted = f"count={entry.count} sessions={entry.sessions}"
        click.echo(f"  • {entry.entry}  {counted}  {cut(entry.problem, 60)}")
    click.secho("misses", bold=True)
    click.echo(f"  total            {misses.total}")
    click.echo(f"  unique prompts   {misses.unique}")
    for cluster in misses.clusters:
        words = plain(", ".join(cluster.words))
        click.echo(f"  • count={cluster.count} distinct={cluster.distinct}  {words}")


class Analyzed(Analysis, kw_only=True):
    """What was looked at, which proposals came of it, and the new ones in full."""

    proposals: tuple[Shown, ...]


@command(within=evolve, answers=Analyzed, project=True)
@_least("--reuse-min", "reuse", default=3, help="Times recalled.")
@_least("--reuse-min-sessions", "reuse_sessions", default=2, help="In sessions.")
@_least("--miss-min", "misses", default=3, help="Prompts in a cluster.")
@_least("--miss-min-distinct", "misses_distinct", default=2, help="Distinct ones.")
def analyze(call: Call, **least: int) -> int:
    """Write proposals for what the signals call for. The same evidence proposes nothing twice.

    Of skills that Learnt installed or wrote too: that the unused retire.
    """
    from learnt.flows.skills.tend import retire_unused

    with shelf(call) as on:
        outside = on.outside
        noticed = notice(outside, agent_files.skill_folders(call.project))
        analysis = analyze_signals(outside, Thresholds(**least), call.who.actor)
        tended = retire_unused(on, call.who.actor)
        new = (*analysis.new, *noticed.proposed, *tended)
        proposals = tuple(shown(call, outside, name) for name in new)
    answer = filled(Analyzed, analysis, new=new, proposals=proposals)
    return call.answer(answer, lambda answer: _say_analyzed(answer, noticed))


def _say_analyzed(answer: Analyzed, noticed: Noticed) -> None:
    click.echo(f"reuse entries scanned:  {answer.entries}")
    click.echo(f"miss entries scanned:   {answer.misses}")
    click.echo(f"new proposals:          {len(answer.proposals)}")
    click.echo(f"with more evidence:     {len(answer.grown)}")
    for proposal in answer.proposals:
        say_line(proposal)
    if answer.proposals:
        click.echo("`learnt review` takes you through them.")
    say_noticed(noticed)


class Proposals(Record, kw_only=True):
    """Proposals as they are now."""

    proposals: tuple[Shown, ...]


@command("list", within=evolve, answers=Proposals, project=True)
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([str(status) for status in Status]),
    help="Only these; repeatable.",
)
def list_(call: Call, *, statuses: tuple[str, ...]) -> int:
    """The proposals: ⏸ pending, ✓ accepted, ★ applied, ✗ rejected."""

    def every(outside: Outside) -> list[Shown]:
        listed = listing.listed(outside, statuses)
        return [look(call, outside, proposal).shown for proposal in listed]

    return call.answer(Proposals(proposals=tuple(call.look(every, []))), _say_list)


def _say_list(answer: Proposals) -> None:
    if not answer.proposals:
        click.echo("No proposals. `learnt evolve analyze` looks for some.")
    for proposal in answer.proposals:
        say_line(proposal)


@command(within=evolve, answers=Proposals, project=True)
@click.argument("name", type=Id("proposal"), metavar="ID")
@ROOT
def show(call: Call, name: str, *, root: str | None) -> int:
    """One proposal in full: text, diff and evidence."""
    looked = call.look(
        lambda outside: looked_at(call, outside, listing.shown(outside, name), root), None
    )
    if looked is None:
        raise NotFound(f"There is no proposal {name}: nothing was recorded yet.")
    answer = Proposals(proposals=(looked.shown,))
    return call.answer(answer, lambda _: say_proposal(looked))


def looked_at(
    call: Call, outside: Outside, proposal: listing.ProposalTexts, root: str | None = None
) -> Look:
    """A proposal as a person decides on it: with what its skill would displace."""
    looked = look(call, outside, proposal, root)
    return replayed(call, outside, looked, proposal.proposal)


class DecidedProposal(Proposals, kw_only=True):
    """A proposal after a decision, and in words what was done."""

    done: str


def _decided(
    call: Call, outside: Outside, name: str, done: list[str], root: str | None = None
) -> int:
    answer = DecidedProposal(proposals=(shown(call, outside, name, root),), done=done[0])
    lines = [click.style(done[0], fg="green"), *(f"  {line}" for line in done[1:])]
    return call.answer(answer, lambda _: click.echo("\n".join(lines)))


@command(within=evolve, answers=DecidedProposal, project=True)
@click.argument("name", type=Id("proposal"), metavar="ID")
@ROOT
@click.option("--overwrite", is_flag=True, help="Replace a file that is in the way.")
@click.option(
    "--seen", metavar="SEAL", help="What `show` printed: refuse if text or target differ."
)
@click.option(
    "--trial",
    is_flag=True,
    help="Compare a skill's new text with the old one: a coin gives each new session one of them.",
)
@YES
def accept(
    call: Call,
    name: str,
    *,
    root: str | None,
    overwrite: bool,
    seen: str | None,
    trial: bool,
    yes: bool,
) -> int:
    """Write a proposal's text to its place. For a person at a terminal alone.

    Shows what it would change and asks; nothing is staged or committed. With --yes it does not
    ask, and wants the seal that `show` printed.
    """
    with call.asking() as outside:
        proposal = listing.shown(outside, name)
        if accepting.accepted_before(outside, proposal.proposal, call.who.decider):
            before = proposal.proposal.status is Status.APPLIED
            state = ": applied. Nothing was written." if before else ", and is applied now."
            done = [f"{name} was accepted before{state}"]
        else:
            if not yes:
                choose_file(call, proposal.proposal.kind)
            looked = look(call, outside, proposal, root)
            change = looked.possible()
            if not overwrite:
                accepting.refuse_in_the_way(change)
            _compare(change, seen, yes=yes)
            if not yes:
                looked = replayed(call, outside, looked, proposal.proposal)
                seen_all = say_proposal(looked, err=call.as_json, asks=True)
                question = "Count it as accepted?" if change.adopts else "Write it?"
                if not (seen_all and click.confirm(question, default=False, err=call.as_json)):
                    click.echo("Nothing was written.", err=call.as_json)
                    return 1
                outside.ledger.refresh()
            if trial:
                refuse_trial(outside, change, yes=yes)
            done = carry_out(outside, change, call.who, overwrite=overwrite)
        if trial:
            done.append(begin_trial(outside, name, call.who))
        return _decided(call, outside, name, done, root)


def begin_trial(outside: Outside, name: str, who: Caller) -> str:
    """Have an accepted text tried; what was begun, in a line."""
    from learnt.flows.health.trial import begin

    skill = begin(outside, ProposalId(name), who.decider)
    return f"A trial begins: `learnt skills trial {plain(skill)}` shows how it goes."


def refuse_trial(outside: Outside, change: accepting.FileChange, *, yes: bool) -> None:
    """Raises Refused for what is no skill's text, or git tracks unless the person agrees."""
    if change.proposal.kind is not ProposalKind.NEW_VERSION:
        raise Refused("Only another text of a skill can be tried. Nothing was written.")
    if not outside.folders.tracks(change.path):
        return
    told = f"git tracks {change.path}: each swap will show as a change of it."
    if yes or not click.confirm(f"{told} Go on?", default=False):
        raise Refused(f"{told} Nothing was written; without --trial it is written once.")


def _compare(change: accepting.FileChange, seen: str | None, *, yes: bool) -> None:
    """Refuse what differs from what was seen, and a yes to what nobody says to have seen."""
    again = f"`learnt evolve show {change.proposal.id}`"
    if yes and seen is None:
        raise Refused(f"--yes needs --seen SEAL, which {again} prints. Nothing was written.")
    if seen is not None and seen != change.seal:
        raise Conflict(
            f"The text or {change.path} is not what it was when {seen[:20]!r} was printed. "
            f"Nothing was written; {again} shows it."
        )


def carry_out(
    outside: Outside, change: accepting.FileChange, who: Caller, *, overwrite: bool = False
) -> list[str]:
    """Accept what was shown; what was done, line by line."""
    accepting.accept(outside, change, who.decider, overwrite=overwrite)
    if change.adopts:
        return [f"★ {change.proposal.id}: {change.path} counts as accepted, as it is"]
    done = [f"★ applied {change.proposal.id}: {change.path}"]
    own = change.path.rpartition("/")[0]
    for link in change.links:
        leads = Path(link).resolve() == Path(own).resolve()
        done.append(f"{'linked' if leads else 'something else is there, not linked'}: {link}")
    done += [f"not linked: {plain(why)}" for why in change.not_linked]
    return [*done, "Read it, edit it, and commit it yourself where you want it kept."]


@command(within=evolve, answers=DecidedProposal)
@click.argument("name", type=Id("proposal"), metavar="ID")
@click.option("--note", default="", help="Why; kept with the decision.")
def reject(call: Call, name: str, *, note: str) -> int:
    """Turn a proposal down. It comes back only when its evidence has doubled."""
    with call.asking() as outside:
        now = accepting.reject(outside, name, note, call.who.decider)
        done = f"✗ rejected {name}" if now else f"{name} was rejected before."
        return _decided(call, outside, name, [done])


@command(within=evolve, answers=DecidedProposal)
@click.argument("name", type=Id("proposal"), metavar="ID")
def undo(call: Call, name: str) -> int:
    """Take a decision back. The file becomes what it was, and the proposal waits again."""
    with call.asking() as outside:
        done = f"⏸ {accepting.undo(outside, name, call.who.decider)}."
        return _decided(call, outside, name, [done])

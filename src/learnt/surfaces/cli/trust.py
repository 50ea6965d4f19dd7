"""`why`, `rebuild`, `purge`: why something is as it is, whether all adds up, and its erasure."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, get_args

import click

from learnt.core.records import Record
from learnt.errors import UsageError
from learnt.flows.governance import explain as explaining
from learnt.flows.governance import purge as purging
from learnt.flows.governance.naming import Sort
from learnt.flows.governance.purge import Target
from learnt.flows.recall.meaning import embedded, vectorise
from learnt.flows.recall.search import entry_of, note_of
from learnt.surfaces.agent_files import holding_texts
from learnt.surfaces.cli.context import Call, Id, command, plain, plain_path
from learnt.surfaces.cli.shelf import shelf

MOST_LINES = 8  # of one text, in a story
_FIRST, _LAST = 2, 8  # steps of a long story


@command(answers=explaining.Story)
@click.argument("name", type=Id(*get_args(Sort)))
@click.option("--all", "everything", is_flag=True, help="Every step, with all that is kept of it.")
def why(call: Call, name: str, *, everything: bool) -> int:
    """The story of an entry, a proposal, a session, a project or an event, from its beginning.

    Of a long one the first steps and the last, and what the others were. JSON has all of it.
    """
    with call.asking() as outside:
        story = explaining.explain(outside, name)
    return call.answer(story, lambda story: _say_story(story, everything=everything))


def _say_story(story: explaining.Story, *, everything: bool) -> None:
    click.secho(story.subject, bold=True)
    steps = story.events
    if everything or len(steps) <= _FIRST + _LAST:
        _say_steps(steps, everything=everything)
        return
    stage = story.state.get("stage") or story.state.get("status")
    now = f"; it is {stage} now" if stage else ""
    click.echo(f"{len(steps)} steps from {steps[0].when[:19]} to {steps[-1].when[:19]}{now}.")
    _say_steps(steps[:_FIRST], everything=False)
    left = Counter(step.kind.replace("_", " ") for step in steps[_FIRST:-_LAST])
    counted = ", ".join(f"{count} {kind}" for kind, count in left.most_common())
    click.echo(f"… {left.total()} more ({counted}): --all shows them.")
    _say_steps(steps[-_LAST:], everything=False)


def _say_steps(steps: Sequence[explaining.Step], *, everything: bool) -> None:
    """The steps; but for `everything` without what the step before had just the same."""
    before: tuple[explaining.Detail, ...] = ()
    for step in steps:
        when = click.style(step.when[:19], dim=True)
        click.echo(f"{when}  {step.said}, by {step.actor}")
        for label, text in (each for each in step.details if everything or each not in before):
            lines = text.split("\n")
            click.echo(plain("\n      ".join([f"    {label}: {lines[0]}", *lines[1:MOST_LINES]])))
            if len(lines) > MOST_LINES:
                click.echo("      …")
        before = step.details


class ComparedViews(Record):
    """The views and indexes that were not what the events give, and whether they are now."""

    different: tuple[str, ...]
    rebuilt: bool


@command(answers=ComparedViews, project=True)
@click.option("--verify", is_flag=True, help="Compare only, byte for byte; change nothing.")
@click.option("--vectors", is_flag=True, help="Make the vectors again, where an embedder is on.")
def rebuild(call: Call, *, verify: bool, vectors: bool) -> int:
    """Recompute every view and index from the events.

    With --verify the exit code is 1 where anything differs.
    """
    if vectors:
        _rebuild_vectors(call)
    with call.asking() as outside:
        different = tuple(outside.ledger.verify())
        if not verify:
            outside.ledger.rebuild()
    compared = ComparedViews(different=different, rebuilt=not verify)
    return call.answer(compared, _say_compared, int(verify and bool(different)))


def _rebuild_vectors(call: Call) -> None:
    """All of them, with those of the skills seen from here; it says how far it is."""
    with shelf(call) as on:
        dense = on.outside.dense
        if dense is None:
            raise UsageError("[search] embedder of config.toml is off. Nothing was changed.")

        def told(done: int, of: int) -> None:
            click.echo(f"  {done:,} of {of:,} texts", err=True)

        embedded(dense.embedder, ["Can you be reached?"])  # else what is there would be lost
        dense.vectors(dense.embedder.name).clear()
        made = vectorise(on.outside, dense, on.library.skills(), progress=told)
    without = f"; {made.without:,} texts have none that can be used" if made.without else ""
    click.echo(f"{made.made:,} vectors were made{without}.", err=True)


def _say_compared(compared: ComparedViews) -> None:
    if not compared.different:
        click.echo("Every view and index is, byte for byte, what the events give.")
        return
    click.echo(f"{len(compared.different)} differed from what the events give:")
    for name in compared.different[:20]:
        click.echo(f"  {name}")
    mend = "Run `learnt rebuild` to mend them."
    click.echo("They were rebuilt." if compared.rebuilt else mend)


@command(answers=purging.Purged)
@click.option("--entry", type=Id("entry"), help="One entry and its texts.")
@click.option("--session", type=Id("session"), help="What a session's prompts and reports left.")
@click.option(
    "--all-of-project",
    "project",
    type=Id("project"),
    help="A project's entries, sessions and names.",
)
@click.option("--text", metavar="WORDS", help="Every text, report and log that holds these words.")
@click.option("--everything", is_flag=True, help="All texts in this home.")
@click.option("--dry-run", is_flag=True, help="Say what would go; erase nothing.")
@click.option("--yes", is_flag=True, hidden=True, help="Refused: the phrase is typed.")
def purge(call: Call, *, dry_run: bool, yes: bool, **named: Any) -> int:
    """Erase texts for good: every copy that Learnt made.

    Only a person at a terminal may, by typing a phrase that is shown. The events stay, with
    references that lead nowhere. Files that hold copies and are not Learnt's to erase are looked
    for and listed: agents' files, the project's and its git history, and yours in the home.
    """
    purging.refuse_others(call.who.actor, call.who.doubt)
    wanted = [name for name, value in named.items() if value]
    if len(wanted) != 1 or yes:
        raise UsageError(
            "Name one thing to purge: --entry, --session, --all-of-project, --text or "
            "--everything. There is no --yes: a phrase is typed. Nothing was erased."
        )
    target = Target(**named)
    agents = [*map(str, holding_texts()), str(call.project)]
    with call.asking() as outside:
        planned = purging.plan(outside, target, agents)
        if dry_run:
            if not call.as_json:
                click.echo(
                    f"Would erase {planned.contents} text(s) of {len(planned.entries)} entries and "
                    f"{len(planned.sessions)} sessions, with every report, log and file of the "
                    "home that holds them."
                )
            return call.answer(planned, partial(_say_left, err=False))
        phrase = f"purge {wanted[0]}"
        with outside.ledger.reading() as reader:
            entry = entry_of(reader, target.entry) if target.entry else None
            said = note_of(reader, entry).said.strip(" :") if entry else ""
        if said:
            click.echo(f"“{plain(said)}”", err=True)
        click.echo(
            f"Goes as well: every copy in {plain_path(call.home)}, in the ledger, the reports and "
            f"words of sessions ({len(planned.sessions)}), the logs and the indexes of the search.",
            err=True,
        )
        _say_left(planned)
        question = f"Erase {planned.contents} text(s) of {len(planned.entries)} entries for good?"
        said = click.prompt(f"{question} Type `{phrase}`", default="", show_default=False, err=True)
        if said.strip() != phrase:
            click.echo("That is not the phrase. Nothing was erased.", err=True)
            return 1
        outside.ledger.refresh()
        done = purging.purge(outside, target, call.who.actor, agents)
    if not call.as_json:
        click.echo(
            f"Erased {done.contents} text(s) of {len(done.entries)} entries and "
            f"{len(done.sessions)} sessions, {done.observations} reports, {len(done.files)} files."
        )
    return call.answer(done, partial(_say_left, err=False))


def _say_left(scope: purging.Purged, *, err: bool = True) -> None:
    """The drafts that go along, and the files that a purge leaves, though they hold copies."""
    if scope.proposals:
        drafts = ", ".join(scope.proposals)
        click.echo(f"What waited for you and was made of it goes as well: {drafts}", err=err)
    if scope.not_ours:
        heading = "Not Learnt's to erase; these hold copies, or sessions that were shown them:"
        click.echo(heading, err=err)
        for path in scope.not_ours:
            click.echo(f"  {plain_path(path)}", err=err)
    if scope.cut:
        heading = "There was more than could be looked through: other files may hold copies too."
        click.echo(heading, err=err)

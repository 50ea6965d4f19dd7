"""`skills history|diff|rollback|revise|merge|retire|stats`: texts over time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from learnt.core.governance.proposals import ProposalKind
from learnt.core.records import Record
from learnt.core.skills.skills import judged, key_of
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.governance.listing import diff as unified
from learnt.flows.skills.catalogue import OpenShelf, subject_of
from learnt.flows.skills.versions import Revision, VersionsAnswer, propose
from learnt.flows.skills.versions import history as history_of
from learnt.formats import skill_text
from learnt.formats.answers import filled
from learnt.formats.front_matter import adaptation_block, edited
from learnt.surfaces.answers import versions
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.shelf import shelf


@command(answers=VersionsAnswer, project=True)
@click.argument("name")
@click.option("--adaptation", is_flag=True, help="Print the block that tells of them in a file.")
def history(call: Call, name: str, *, adaptation: bool) -> int:
    """The texts that a skill had, also of one that is gone, and how each came."""
    with shelf(call, asks=True) as on:
        answer = history_of(on, name).answer
    if adaptation:
        rows = [
            (row.version, row.timestamp[:19], row.change_summary, row.baseline_metrics)
            for row in answer.versions
            if not row.elsewhere
        ]
        current = [row.version for row in answer.versions if row.current]
        click.echo(adaptation_block(rows, *current), nl=False)
        return 0
    return call.answer(answer, _say_history)


def _say_history(answer: VersionsAnswer) -> None:
    for version in answer.versions:
        digest = version.digest[:12] or "-"
        gone = "  (text erased)" if version.erased and version.digest else ""
        gone += "  (of a copy in another folder)" if version.elsewhere else ""
        tail = f"{plain(version.cause)}{gone}{'  ← its file' if version.current else ''}"
        click.echo(f"{plain(version.version):<8} {digest:<12}  {version.timestamp[:19]}  {tail}")
        if version.change_summary != version.cause:
            click.echo(f"{'':<8} {plain(version.change_summary)}")
    if not answer.versions:
        click.echo("No text of it is recorded: none came or went through Learnt.")
    elif answer.removed:
        click.echo("It has no file any more. What was retired comes back by `learnt evolve undo`.")
    elif answer.unrecorded:
        click.echo("Its file has a text that is not recorded as a version.")


class TextDiff(Record):
    """How one text of a skill differs from another, as a unified diff; empty where it does not."""

    name: str
    diff: str


@command(answers=TextDiff, project=True)
@click.argument("name")
@click.argument("old", default="")
@click.argument("new", default="")
def diff(call: Call, name: str, old: str, new: str) -> int:
    """What changed between two versions, or from one to the file as it is.

    A version is named by its number or the first digits of its digest. Without one it is the one
    before the file's own.
    """
    with shelf(call, asks=True) as on:
        past, skill = history_of(on, name), on.known.skills.get(key_of(name))
    before = past.text_of(old)
    after = past.text_of(new) if new else past.text or ""
    changes = TextDiff(past.name, unified(skill.file if skill else past.name, before, after))
    return call.answer(changes, lambda answer: click.echo(plain(answer.diff), nl=False))


class Revised(Record):
    """The proposal that waits for a person."""

    name: str
    proposal: str


@contextmanager
def _no_trial(call: Call, name: str) -> Iterator[OpenShelf]:
    """The skills that there are. Raises Refused where a trial swaps this one's text."""
    from learnt.flows.health.trial import open_trials

    with shelf(call) as on:
        skill = on.named(name)
        subject = subject_of(on.outside, skill, on.project)
        with on.outside.ledger.reading() as reader:
            goes_on = any(trial.subject == subject for trial in open_trials(reader))
        if goes_on:
            stop = f"`learnt skills trial {skill.name} --stop`"
            raise Refused(f"A trial of {skill.name} goes on; {stop} ends it. Nothing was proposed.")
        yield on


def _propose(
    call: Call, on: OpenShelf, name: str, kind: ProposalKind, text: str, merged: str = ""
) -> int:
    skill, revision = on.named(name), Revision(kind, text, merged)
    subject = subject_of(on.outside, skill, on.project)
    known = on.known.skills.values()
    own = propose(on.outside, skill.file, subject, revision, call.who.actor, known)
    said = f"{own} waits for a person: `learnt evolve accept {own}`."
    return call.answer(Revised(skill.name, own), said)


@command(answers=Revised, project=True)
@click.argument("name")
@click.option("--to", "version", default="", help="A version's number or digest (else the last).")
def rollback(call: Call, name: str, *, version: str) -> int:
    """Propose that a skill has again a text that it had before."""
    with _no_trial(call, name) as on:
        return _propose(
            call,
            on,
            name,
            ProposalKind.ROLLBACK,
            history_of(on, name).text_of(version),
        )


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command(answers=Revised, project=True)
@click.argument("name")
@click.option("--text", "file", type=_FILE, default=None, help="The file with the new text.")
@click.option("--description", default="", help="A new description; all else stays as it is.")
def revise(call: Call, name: str, *, file: Path | None, description: str) -> int:
    """Propose another text for a skill, or another description: a new version."""
    if (file is None) == (not description):
        raise UsageError("Give either --text or --description. Nothing was proposed.")
    with _no_trial(call, name) as on:
        if file is not None:
            text = _new_text(on, name, file)
        else:
            line = " ".join(description.split())
            # What else is wrong with the file is as it was: the description is judged alone.
            _refuse_unsound(edited("---\nname: x\n---\n", "description", line), "x", "It")
            text = edited(on.text(on.named(name)), "description", line)
        return _propose(call, on, name, ProposalKind.NEW_VERSION, text)


@command(answers=Revised, project=True)
@click.argument("name")
@click.argument("other")
@click.option("--text", "file", type=_FILE, required=True, help="The file with the new text.")
def merge(call: Call, name: str, other: str, *, file: Path) -> int:
    """Propose that OTHER goes into NAME, which gets the new text; OTHER goes out of use."""
    with _no_trial(call, name) as on:
        merged, text = on.named(other).file, _new_text(on, name, file)
        return _propose(call, on, name, ProposalKind.MERGE, text, merged)


@command(answers=Revised, project=True)
@click.argument("name")
def retire(call: Call, name: str) -> int:
    """Propose that a skill goes out of use; its file is kept beside, and undo brings it back."""
    with _no_trial(call, name) as on:
        return _propose(call, on, name, ProposalKind.RETIRE, on.text(on.named(name)))


def _new_text(on: OpenShelf, name: str, file: Path) -> str:
    """The new text. Raises UsageError where the Agent Skills specification refuses it."""
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is no text in UTF-8. Nothing was proposed.") from error
    _refuse_unsound(text, Path(on.named(name).file).parent.name, str(file))
    return text


def _refuse_unsound(text: str, own: str, what: str) -> None:
    if errors := judged(skill_text.read(text, own).findings, force=False).refused:
        listed = " ".join(f"line {finding.line}: {finding.message}" for finding in errors)
        raise UsageError(f"{what} is no sound skill: {listed} Nothing was proposed.")


class StatedUse(Record):
    """How often a skill was used, as Learnt saw it or was told, and its success rate.

    The rate follows the latest results; it is None while none is known.
    """

    name: str
    usage_count: int
    success_rate: float | None


class Uses(Record):
    """The skills that were used, the most used first."""

    skills: tuple[StatedUse, ...]


@command(answers=Uses, project=True)
def stats(call: Call) -> int:
    """How often each skill was used, and its success rate."""
    with shelf(call, asks=True) as on:
        used = [skill for skill in on.known.skills.values() if skill.usage_count]
    used.sort(key=lambda skill: (-skill.usage_count, skill.name))
    rows = tuple(filled(StatedUse, skill) for skill in used)

    def say(answer: Uses) -> None:
        for row in answer.skills:
            rate = "-" if row.success_rate is None else f"{row.success_rate:.0%}"
            click.echo(f"{row.usage_count:>6}  {rate:>4}  {plain(row.name)}")
        if not answer.skills:
            click.echo("No use of a skill was counted yet.")

    return call.answer(Uses(rows), say)


@command(answers=versions.TrialAnswer, project=True)
@click.argument("name")
@click.option("--stop", is_flag=True, help="End it undecided; the accepted text stays.")
def trial(call: Call, name: str, *, stop: bool) -> int:
    """How a trial goes, which `learnt evolve accept ID --trial` began.

    A coin draws one of the two texts for each use. Better is said with an error of 5 % over
    all trials, whenever one looks; worse waits for you in `learnt review`.
    """
    from learnt.flows.health import trial as trials

    with shelf(call) as on:
        subject = subject_of(on.outside, on.named(name), on.project)
        looked = [one for one in trials.conclude(on.outside) if one.trial.subject == subject]
        if not looked:
            last = f"`learnt health evaluate {name}` tells how the last one ended."
            raise NotFound(f"No trial of {name} goes on; {last}")
        (going,) = looked
        if stop:
            trials.stop(on.outside, going.trial, call.who.decider)
        answer = versions.trial_told(going, name)
    answer = replace(answer, ruling="stopped") if stop else answer
    return call.answer(answer, say_trial)


_UNCOUNTED: Final = {
    "began-before": "their session began before the trial",
    "other-text": "their client read another text than the one that was drawn",
    "text-unseen": "the file was swapped, and their client does not say what it read",
}


def say_trial(answer: versions.TrialAnswer) -> None:
    """How a trial goes, for people."""
    before, now = ("not known" if r is None else f"{r:.0%}" for r in (answer.before, answer.after))
    click.echo(f"{plain(answer.name)}: {answer.ruling}")
    click.echo(f"  {answer.uses} uses count")
    for why, count in answer.uncounted.items():
        click.echo(f"  {count} do not count: {_UNCOUNTED[why]}")
    click.echo(f"  success with the old text {before}, with the new one {now}")
    if answer.better is not None and answer.worse is not None:
        click.echo(
            f"  evidence for better {answer.better:.2g}, for worse {answer.worse:.2g};"
            f" {1 / answer.level:.0f} decides"
        )
    if answer.window is not None:
        click.echo(
            f"  the first ten uses of the new text: gap {answer.gap:.2f} before,"
            f" {answer.window:.2f} after; this proves nothing"
        )
    if answer.ruling == "undecided":
        more = "cannot be told yet" if answer.needed is None else f"about {answer.needed} uses"
        click.echo(f"  more needed: {more}")


COMMANDS = (history, diff, rollback, revise, merge, retire, stats, trial)

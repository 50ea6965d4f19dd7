"""`review`: what waits for a person, one after the other, decided by key and undone by one."""

from collections import Counter
from typing import Final

import click

from learnt.core.events import Actor
from learnt.core.governance.review import ReviewSort
from learnt.core.health.improvement import start_improver
from learnt.core.records import Record
from learnt.errors import Conflict, LearntError, NotFound, Refused
from learnt.flows.governance.listing import ProposalTexts
from learnt.flows.governance.notice import notice
from learnt.flows.governance.projects import moved_notice
from learnt.flows.governance.review import ReviewItem, pieces, queue, still_waits
from learnt.flows.governance.review_choices import ReviewDone, undo
from learnt.flows.health.evaluate import WindowComparison
from learnt.flows.health.evaluate import settle as settle_windows
from learnt.flows.health.queue import queue as queue_of
from learnt.flows.health.queue import unnamed
from learnt.ports import Outside
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.proposal_view import say_noticed
from learnt.surfaces.cli.review_keys import KeyChoice, ReviewAsking, asked, keys_of, say_item

MOST_LISTED: Final = 3  # of a sort that proves itself or fades by itself, for whoever cannot decide
_BY_THEMSELVES: Final = frozenset({
    ReviewSort.CANDIDATE, ReviewSort.IMPORT, ReviewSort.STALE, ReviewSort.RULES,
    ReviewSort.AS_IT_STANDS,
})  # fmt: skip
_HEADS: Final = {
    ReviewSort.REGRESSION: "a skill's new text does no better",
    ReviewSort.DISPUTE: "in dispute",
    ReviewSort.EDIT: "an accepted file was edited",
    ReviewSort.DRAFT: "a draft of a skill",
    ReviewSort.SKILL: "another text for a skill",
    ReviewSort.RULE: "a rule for a file that agents read",
    ReviewSort.IMPORT: "an import",
    ReviewSort.STALE: "to be looked at again",
    ReviewSort.RULES: "notes of yours that read as rules",
    ReviewSort.AS_IT_STANDS: "kept as it stands",
}  # fmt: skip


class ReviewQueue(Record):
    """All that waits for a person, what is worth most first."""

    items: tuple[ReviewItem, ...]


@command(answers=ReviewQueue, project=True)
def review(call: Call) -> int:
    """Go through what waits for you: text, diff and evidence; you decide by key.

    The worst comes first: what agents work by and may be wrong, then what nothing rests on yet, and
    last your own words that were kept as they stand. `?` tells what each key does, `u` takes the
    last decision back. Without a terminal it shows the same and decides nothing.
    """
    call.say_whose()
    with call.asking() as outside:
        noticed, human = notice(outside, skill_folders(call.project)), call.who.actor is Actor.HUMAN
        settle_windows(outside)
        items = queue(outside, call.folder)
        code = int(not human and any(item.sort not in _BY_THEMSELVES for item in items))
        if call.as_json:
            return call.answer(ReviewQueue(tuple(items)), "", code)
        say_noticed(noticed)
        if moved := moved_notice(outside, call.folder):
            click.secho(plain(moved), fg="yellow")
        for name in unnamed(outside, queue_of(outside).values(), call.who.actor):
            click.echo(plain(f"{name} keeps failing: {start_improver(name)}"))
        if not items:
            click.echo("Nothing waits for you. `learnt evolve analyze` looks for something.")
        elif human:
            decided = _go_through(outside, call, items)
            left = len(queue(outside, call.folder))
            click.echo(f"\n{decided} decided, {left} still wait.")
        else:
            _say_all(outside, call, items)
    return code


def _say_all(outside: Outside, call: Call, items: list[ReviewItem]) -> None:
    seen: Counter[ReviewSort] = Counter()
    for item in items:
        seen[item.sort] += 1
        if item.sort not in _BY_THEMSELVES or seen[item.sort] <= MOST_LISTED:
            _say_head(item, f"{seen.total()} of {len(items)}")
            say_item(ReviewAsking(outside, call, item))
    left = sum(
        max(0, count - MOST_LISTED) for sort, count in seen.items() if sort in _BY_THEMSELVES
    )
    more = f" ({left} are not listed: `learnt review --json` has all)" if left else ""
    click.echo(
        f"\n{len(items)} wait{more}. Only a person at a terminal decides: `learnt review` there."
    )


def _say_head(item: ReviewItem, where: str) -> None:
    click.secho(f"\n{where}: {_HEADS.get(item.sort, f'a {item.sort}')}", bold=True)


def _go_through(outside: Outside, call: Call, items: list[ReviewItem]) -> int:
    """Take a person through what waits, until `q`; how much they decided.

    At the end they are asked once more, so that the last decision can be undone.
    """
    done: list[tuple[int, ReviewDone]] = []
    at = 0
    while at < len(items) or done:
        outside.ledger.refresh()
        if at >= len(items):
            click.echo("\nThat was all.")
            final = isinstance(done[-1][1].item.found, WindowComparison)
            if final or asked({"u": _undoing(outside, call, done)}) != "u":
                break
            at = done.pop()[0]
            continue
        item = items[at]
        if not still_waits(outside, item):
            at += 1  # decided on meanwhile, or by an earlier answer
            continue
        _say_head(item, f"{at + 1} of {len(items)}")
        asking = ReviewAsking(outside, call, item)
        offered = keys_of(asking, say_item(asking, asks=True))
        offered["u"] = _undoing(outside, call, done)
        # A proposal's file may be corrected and the same asked again; an entry is as it is.
        proposed = isinstance(item.found, ProposalTexts)
        leads: tuple[type[LearntError], ...] = () if proposed else (Conflict, NotFound)
        match asked(offered, leads_on=leads):
            case "q":
                break
            case "u":
                at = done.pop()[0]
                continue
            case "o":
                items[at : at + 1] = pieces(item)
                continue
            case _ if asking.done is not None:
                done.append((at, asking.done))
                at += not (proposed and still_waits(outside, item))
            case _:
                at += 1
    return len(done)


def _undoing(outside: Outside, call: Call, done: list[tuple[int, ReviewDone]]) -> KeyChoice:
    def act() -> None:
        if not done:
            raise Refused("Nothing was decided in this review that could be undone.")
        try:
            said = undo(outside, done[-1][1], call.who.decider)
        except Conflict as error:
            if not isinstance(done[-1][1].item.found, ProposalTexts):
                done.pop()  # it can never be undone; the one before may be
            raise Refused(str(error)) from error
        click.echo(f"⏸ {plain(said)}.")

    return KeyChoice("(u)ndo the last", "take your last decision back", act)

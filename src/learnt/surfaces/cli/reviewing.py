"""`review`: what waits for a person, one after the other, decided by key and undone by one."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import click
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.health.improvement import start_improver
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.records import Record
from learnt.errors import Conflict, LearntError, NotFound, Refused
from learnt.flows.governance import listing
from learnt.flows.governance.listing import ProposalTexts
from learnt.flows.governance.notice import notice
from learnt.flows.governance.projects import moved_notice
from learnt.flows.governance.review import ReviewItem, ReviewPart, pieces, queue, still_waits
from learnt.flows.governance.review_choices import ReviewAnswer, ReviewDone, choose, undo
from learnt.flows.health.evaluate import WindowComparison
from learnt.flows.health.evaluate import settle as settle_windows
from learnt.flows.health.queue import queue as queue_of
from learnt.flows.health.queue import unnamed
from learnt.flows.knowledge.preview import COMMANDS
from learnt.flows.knowledge.relating import Dispute
from learnt.flows.knowledge.rewording import sheet_of
from learnt.flows.knowledge.standing import alike
from learnt.flows.recall.search import commanded
from learnt.formats.injection import day, one_line
from learnt.ports import Outside
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli.context import Call, command, has_editor, plain
from learnt.surfaces.cli.editing import edited, edited_text
from learnt.surfaces.cli.evolve import (
    Look,
    begin_trial,
    carry_out,
    choose_file,
    looked_at,
    refuse_trial,
    say_noticed,
    say_proposal,
)
from learnt.surfaces.cli.improving import say_comparison
from learnt.surfaces.cli.lifecycle import say_sides
from learnt.surfaces.cli.screen import shown_whole

_MARKED: Final = re.compile(r"\((\w)\)(\w*)")  # the key in its word, as in "(s)kip"
_LONGEST_SHOWN: Final = 40  # characters of an answer that is no key


class KeyChoice(Record):
    """A key as the question names it (`(s)kip`), what it does in words, and that."""

    label: str
    does: str
    act: Callable[[], object] = lambda: None


Keys = dict[str, KeyChoice]
_ALWAYS: Final[Keys] = {
    "s": KeyChoice("(s)kip", "leave it as it is; it waits on (Enter does the same)"),
    "q": KeyChoice("(q)uit", "leave the review; what was decided stays decided"),
    "?": KeyChoice("?", "show this"),
}


def asked(keys: Keys, *, leads_on: tuple[type[LearntError], ...] = (Conflict, NotFound)) -> str:
    """Ask until an answer leads on: its key, `q` for leaving. Prints what could not be done.

    An answer is a key or the whole word that it stands for. An error of `leads_on` counts as `s`.
    """
    every = {**keys, **_ALWAYS}
    words = {_word(choice.label): key for key, choice in every.items()} | {"help": "?"}
    question = ", ".join(choice.label for choice in every.values())
    while True:
        try:
            answer = click.prompt(question, default="s").strip().lower()
            key = answer if answer in every else words.get(answer)
            if key is None:
                click.echo(f"{plain(one_line(answer, _LONGEST_SHOWN))} is no key here.")
            elif key == "?":
                for name, choice in every.items():
                    marked = _MARKED.search(choice.label)
                    word = _word(choice.label) if marked else "help" * (name == "?")
                    click.echo(f"  {f'{name}, {word}' if word else name}: {choice.does}")
            else:
                every[key].act()
                return key
        except click.Abort:
            return "q"
        except LearntError as error:
            click.secho(plain(str(error)), fg="red", err=True)
            if isinstance(error, leads_on):
                return "s"


def _word(label: str) -> str:
    marked = _MARKED.search(label)
    return "".join(marked.groups()).lower() if marked else label


MOST_PIECES: Final = 5  # of an import, where nobody decides
_REGRESSIONS: Final = {
    "b": ("roll (b)ack", "put the text before it back", ReviewChoice.ROLL_BACK),
    "k": ("(k)eep", "keep the new text", ReviewChoice.KEEP),
    "i": ("(i)nvestigate", "leave it, and mark it as to be looked into", ReviewChoice.INVESTIGATE),
}


@dataclass(slots=True)
class ReviewAsking:
    """One thing that a person is asked about; `done` is what they decided."""

    outside: Outside
    call: Call
    item: ReviewItem
    done: ReviewDone | None = None

    def decide(self, answer: ReviewAnswer) -> None:
        """Carry out what was chosen, and say what was done."""
        who, folder = self.call.who, self.call.folder
        self.done = choose(self.outside, self.item, answer, who.decider, folder)
        mark = "✗" if answer.choice is ReviewChoice.REJECT else "★"
        click.echo(f"{mark} {plain(self.done.said)}.")


def say_item(asking: ReviewAsking, *, asks: bool = False) -> Look | None:
    """Show it whole; of a proposal what accepting it here would do."""
    item = asking.item
    match item.found:
        case WindowComparison() as comparison:
            say_comparison(comparison)
        case Dispute() as dispute:
            say_sides(dispute)
        case ProposalTexts():
            texts = listing.shown(asking.outside, item.id)
            asking.item = replace(item, found=texts)
            looked = looked_at(asking.call, asking.outside, texts)
            if say_proposal(looked, asks=asks):
                return looked
            unseen = Refused("What was not shown whole is not accepted. Nothing was decided.")
            return replace(looked, change=None, trouble=unseen)
        case _:
            if len(item.parts) > 1:
                click.echo(f"  {plain(item.subject)}")
            brought = item.sort is ReviewSort.IMPORT
            told = [_told(asking, part, marks=brought) for part in item.parts]
            told.sort(key=len, reverse=True)  # what is marked comes first
            most = MOST_PIECES if brought and not asks else len(told)
            if not shown_whole([line for lines in told[:most] for line in lines], asks=asks):
                click.echo("What was not shown whole is not accepted.")
                asking.item = replace(item, choices=(ReviewChoice.REJECT,))
            if (left := len(told) - most) > 0:
                click.echo(f"  … and {left} more")
    for reason in item.reasons:
        click.secho(f"  {plain(reason)}", dim=True)
    return None


def _told(asking: ReviewAsking, part: ReviewPart, *, marks: bool) -> list[str]:
    kept = f"  {part.id} · {part.trust} · kept {day(part.kept_ms)} {part.kept_by}"
    lines = [f"  {plain(part.text)}", click.style(kept, dim=True)]
    if marks and commanded(asking.outside.language, part.text).doubted:
        lines.append(click.style(f"  {COMMANDS}", fg="yellow"))
    return lines


def keys_of(asking: ReviewAsking, looked: Look | None) -> Keys:
    """What a person may do with it, by key."""
    item = asking.item
    match item.sort:
        case ReviewSort.REGRESSION:
            return {
                key: KeyChoice(label, does, partial(asking.decide, ReviewAnswer(choice)))
                for key, (label, does, choice) in _REGRESSIONS.items()
            }
        case ReviewSort.DISPUTE:
            return _of_dispute(asking)
        case ReviewSort.IMPORT | ReviewSort.RULES:
            accept = partial(asking.decide, ReviewAnswer(ReviewChoice.ACCEPT))
            drop = partial(asking.decide, ReviewAnswer(ReviewChoice.REJECT))
            if item.sort is ReviewSort.RULES:
                return {
                    "a": KeyChoice("(a)ccept all", "all of them are rules from now on", accept),
                    "r": KeyChoice("(r)eject", "they stay notes; you are not asked again", drop),
                }
            take = {"t": KeyChoice("(t)ake all", "all of it is validated, and served", accept)}
            return (take if ReviewChoice.ACCEPT in item.choices else {}) | {
                "o": KeyChoice("(o)ne by one", "look at each piece"),
                "d": KeyChoice("(d)rop all", "all of it is retired", drop),
            }
        case ReviewSort.CANDIDATE | ReviewSort.STALE | ReviewSort.AS_IT_STANDS:
            return _of_entry(asking)
        case _:
            assert looked is not None
            return _of_proposal(asking, looked)


def _of_proposal(asking: ReviewAsking, looked: Look) -> Keys:
    writes = "write it to the file that is named above"
    again = "it is not proposed again as it is; you may say why"
    keys: Keys = {"a": KeyChoice("(a)ccept", writes, partial(_accept, asking, looked))}
    if looked.shown.kind is ProposalKind.NEW_VERSION:
        tries = "a coin gives each use the old or the new text, until one shows better"
        keys["t"] = KeyChoice("(t)ry it", tries, partial(_accept, asking, looked, trial=True))
    if ReviewChoice.EDIT in asking.item.choices:
        edit = partial(_edit_draft, asking, looked)
        keys["e"] = KeyChoice("(e)dit it", "rewrite the draft in your editor; it waits on", edit)

    def reject() -> None:
        note = click.prompt("Why (empty for no note)", default="", show_default=False)
        asking.decide(ReviewAnswer(ReviewChoice.REJECT, text=note))

    return {**keys, "r": KeyChoice("(r)eject", again, reject)}


def _accept(asking: ReviewAsking, looked: Look, *, trial: bool = False) -> None:
    if choose_file(asking.call, looked.shown.kind):
        looked = say_item(asking, asks=True) or looked
        if not click.confirm("Write it?", default=False):
            raise Refused("Nothing was written.")
    change = looked.possible()
    same = change.before == change.after
    question = f"{change.path} exists. Replace it?"
    if change.in_the_way and not (same or click.confirm(question, default=False)):
        raise Refused("Nothing was written.")
    if trial:
        refuse_trial(asking.outside, change, yes=False)
    lines = carry_out(asking.outside, change, asking.call.who, overwrite=change.in_the_way)
    if trial:
        lines.append(begin_trial(asking.outside, change.proposal.id, asking.call.who))
    click.echo("\n".join(lines))
    asking.done = ReviewDone(asking.item, lines[0])


def _edit_draft(asking: ReviewAsking, looked: Look) -> None:
    before = looked.shown.content
    with edited_text(before) as text:
        if text == before or not text.strip():
            raise Refused(f"{asking.item.id} is left as it was: nothing else was written.")
        asking.decide(ReviewAnswer(ReviewChoice.EDIT, text=text))


def _of_dispute(asking: ReviewAsking) -> Keys:
    older, newer = (part.id for part in asking.item.parts)
    holds = [
        partial(asking.decide, ReviewAnswer(ReviewChoice.ACCEPT, name)) for name in (older, newer)
    ]
    both = partial(asking.decide, ReviewAnswer(ReviewChoice.BOTH))
    edits = "put one side right in your editor, which settles it"
    retires = "the other is retired"
    return {
        "1": KeyChoice("Which one holds: 1", f"the first; {retires}", holds[0]),
        "2": KeyChoice("2", f"the second; {retires}", holds[1]),
        "b": KeyChoice("(b)oth", "both; no dispute is left", both),
        "e": KeyChoice("(e)dit one", edits, lambda: _edit(asking, _which(older, newer, "edited"))),
        "m": KeyChoice("(m)erge the two", _MERGES, lambda: _merge(asking, older, newer)),
    }


_MERGES: Final = "make them one; you say which text stays, or write it"


def _of_entry(asking: ReviewAsking) -> Keys:
    item = asking.item
    (name,) = (part.id for part in item.parts)
    accept = partial(asking.decide, ReviewAnswer(ReviewChoice.ACCEPT))
    retire = partial(asking.decide, ReviewAnswer(ReviewChoice.REJECT))
    keys: Keys = {}
    match item.sort:
        case ReviewSort.CANDIDATE:
            served = "it is validated, and served from now on"
            keys["v"] = KeyChoice("(v)ouch for it", served, accept)
        case ReviewSort.STALE:
            keys["h"] = KeyChoice("it (h)olds", "it is as true as when it was new", accept)
        case _:
            as_it_is = "it is served as it is, and not asked about again"
            keys["a"] = KeyChoice("(a)ccept as it stands", as_it_is, accept)
    edit = partial(_edit, asking, name)
    keys["e"] = KeyChoice("(e)dit it", "rewrite it in your editor, which validates it", edit)
    if item.sort is ReviewSort.CANDIDATE:
        assert isinstance(item.found, list)
        (unproven,) = item.found
        if other := alike(asking.outside, asking.call.folder, unproven.entry):
            click.echo(f"  Perhaps the same as {other.id}: {plain(other.said)}")
            merge = partial(_merge, asking, name, other.id)
            keys["m"] = KeyChoice("(m)erge the two", _MERGES, merge)
    label = "(d)rop it" if item.sort is ReviewSort.AS_IT_STANDS else "(r)etire it"
    return {**keys, label[1]: KeyChoice(label, "it is served no more", retire)}


def _which(one: EntryId, other: EntryId, what: str, more: tuple[str, ...] = ()) -> EntryId | None:
    """Which of two is meant; None for an answer of `more`."""
    keys = ["1", "2", *more]
    said = ", ".join(["1", "2", *(f"{key} to write it in your editor" for key in more)])
    answer = click.prompt(
        f"Which is {what}: {said}", type=click.Choice(keys), default="2", show_choices=False
    )
    return {"1": one, "2": other}.get(answer)


def _edit(asking: ReviewAsking, name: EntryId | None) -> None:
    assert name is not None
    asking.outside.ledger.refresh()  # the person was waited for
    before = sheet_of(asking.outside, name)
    with edited(before) as sheet:
        if sheet == before or not sheet.texts:
            raise Refused(f"{name} is left as it was: nothing else was written.")
        asking.decide(ReviewAnswer(ReviewChoice.EDIT, name, sheet=sheet))


def _merge(asking: ReviewAsking, one: EntryId, other: EntryId) -> None:
    asking.outside.ledger.refresh()  # the person was waited for
    sheets = [sheet_of(asking.outside, name) for name in (one, other)]
    for number, sheet in enumerate(sheets, 1):
        said = sheet.text or f"{sheet.problem}: {sheet.approach}"
        click.echo(f"  {number}. {plain(' '.join(said.split()))}")
    stays = _which(one, other, "the text that stays", ("e",) if has_editor() else ())
    if stays is not None:
        gone = other if stays == one else one
        asking.decide(ReviewAnswer(ReviewChoice.MERGE, stays, gone))
        return
    first, second = sheets
    both = Draft(
        text="\n".join(dict.fromkeys(filter(None, (first.text, second.text)))),
        problem="\n".join(dict.fromkeys(filter(None, (first.problem, second.problem)))),
        approach="\n".join(dict.fromkeys(filter(None, (first.approach, second.approach)))),
        cautions=tuple(dict.fromkeys((*first.cautions, *second.cautions))),
    )
    with edited(both) as sheet:
        asking.decide(ReviewAnswer(ReviewChoice.MERGE, one, other, sheet))


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

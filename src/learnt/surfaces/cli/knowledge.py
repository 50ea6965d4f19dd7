"""`knowledge`: facts in Markdown files that fade unless confirmed. Needs no home: files are all.

Exit codes are those of seed 000, which scripts rely on: `scan` tells the worst trust it found.
"""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from learnt.bootstrap import today, topics
from learnt.core.knowledge.confidence import TRUST_AT, VERIFY_AT, Model, Trust
from learnt.core.knowledge.kinds import KINDS
from learnt.errors import LearntError
from learnt.flows.knowledge import folder as flow
from learnt.flows.knowledge.folder import Fact, Flaw, Folder, Place
from learnt.surfaces.cli.context import JSON, plain, print_json

if TYPE_CHECKING:
    from learnt.core.json_values import JsonObject

DEFAULT = "references"
_WRONG = 1  # the seed's code for every error of these commands

CONFIDENCE = click.option(
    "--confidence",
    "model",
    type=click.Choice(["posterior", "classic"]),
    default="posterior",
    show_default=True,
    help="The formula: classic is the seed's own.",
)
FILE = click.option("--file", metavar="F", help="The file.")
LINE = click.option("--line", type=int, metavar="N", help="The line of its tag.")
ID = click.option("--id", "name", metavar="ID", help="The fact's id, instead of file and line.")
PATH = click.option("--path", metavar="DIR", help=f"The folder of topics (else {DEFAULT}).")
LEVEL = click.Choice([str(level) for level in Trust])


@click.group()
def knowledge() -> None:
    """Facts in Markdown files, each with how far it can be trusted."""


@knowledge.command()
@PATH
def init(*, path: str | None) -> int:
    """Make a folder for topics, with its routing table; what is there stays."""
    folder = path or DEFAULT
    made = flow.begin(topics(), folder)
    index = f"{folder}/{flow.INDEX}"
    click.echo(f"[init] ✓ Created {index}" if made else f"[init] {index} already exists")
    click.echo("[init] Ready. Add what you find out with `learnt knowledge inject`.")
    return 0


@knowledge.command()
@FILE
@PATH
@CONFIDENCE
@JSON
def scan(*, file: str | None, path: str | None, model: str, as_json: bool) -> int:
    """All facts of a file or folder, least trusted first.

    Exit 0: all TRUST; 1: some VERIFY, or an error; 2: some REVALIDATE.
    """
    if not (file or path):
        return _failed("scan wants --file F or --path DIR.")
    try:
        found = _looked(file or "", path or "", model)
    except LearntError as error:
        return _failed(str(error))
    facts = flow.by_confidence(found.facts, highest_first=False)
    levels = {fact.trust for fact in facts}
    code = 2 if Trust.REVALIDATE in levels else 1 if Trust.VERIFY in levels else 0
    if as_json:
        print_json(_json(facts, found.flaws))
        return code
    _say_flaws(found.flaws)
    if not facts:
        click.echo("No decay tags found.")
        return 0
    click.echo("\n".join(map(_line, facts)))
    counted = [f"{sum(fact.trust is level for fact in facts)} {level}" for level in Trust]
    click.echo(f"---\n{len(facts)} entries: {', '.join(counted)}")
    return code


def _looked(file: str, path: str, model: str) -> Folder:
    if not file and not Path(path).is_dir():
        raise LearntError(f"There is no folder {path}.")
    return flow.look(topics(), file=file, folder=path, today=today(), model=cast(Model, model))


def _failed(said: str) -> int:
    click.echo(f"learnt: {plain(said)}", err=True)
    return _WRONG


def _say_flaws(flaws: tuple[Flaw, ...]) -> None:
    for flaw in flaws:
        told = plain(f"finding: {flaw.file}:{flaw.line}: {flaw.what}")
        click.secho(told, fg="yellow", err=True)


def _line(fact: Fact) -> str:
    belief, where = fact.entry.belief, f"{fact.file}:{fact.entry.line}"
    short = KINDS[belief.kind].short
    counts = f"α={belief.alpha:g} β={belief.beta:g}"
    return plain(
        f"[{fact.trust:<12}] {where:<30} C={fact.level:.3f}  {short:<10} {counts}  {fact.age_days}d"
    )


def _json(facts: list[Fact], flaws: tuple[Flaw, ...]) -> "JsonObject":
    return {
        "entries": [_fact_json(fact) for fact in facts],
        "findings": [{"file": f.file, "line": f.line, "what": f.what} for f in flaws],
    }


def _fact_json(fact: Fact) -> "JsonObject":
    belief = fact.entry.belief
    return {
        "id": fact.entry.id or None,
        "kind": belief.kind,
        "text": fact.entry.text or fact.entry.context,
        "confidence": fact.level,
        "trust": fact.trust,
        "confirmed": belief.confirmed.isoformat(),
        "alpha": belief.alpha,
        "beta": belief.beta,
        "c0": belief.c0,
        "shock": belief.shock,
        "entities": list(fact.entry.entities),
        "file": fact.file,
        "line": fact.entry.line,
    }


@knowledge.command()
@PATH
@click.option("--entities", default="", metavar='"A,B"', help="Any of these, whole names.")
@click.option("--level", type=LEVEL, help="At least this trust.")
@click.option("--min-confidence", type=float, metavar="C", help="At least this confidence.")
@CONFIDENCE
@JSON
def search(
    *,
    path: str | None,
    entities: str,
    level: str | None,
    min_confidence: float | None,
    model: str,
    as_json: bool,
) -> int:
    """The facts about some entities, most trusted first. Exit 1 where there is none."""
    if level and min_confidence is not None:
        click.echo("learnt: --level counts, not --min-confidence.", err=True)
    least = {Trust.TRUST: TRUST_AT, Trust.VERIFY: VERIFY_AT, Trust.REVALIDATE: None}
    at_least = least[Trust(level)] if level else min_confidence
    try:
        found = _looked("", path or DEFAULT, model)
    except LearntError as error:
        return _failed(str(error))
    facts = flow.search(found.facts, entities.split(","), at_least)
    if as_json:
        print_json(_json(facts, found.flaws))
        return 0 if facts else 1
    _say_flaws(found.flaws)
    if not facts:
        click.echo("No matching entries." if found.facts else "No decay tags found.")
        return 1
    for fact in facts:
        named = f"  [{', '.join(fact.entry.entities)}]" if fact.entry.entities else ""
        click.echo(_line(fact) + plain(named))
        click.echo(plain(f"    {fact.entry.text or fact.entry.context}"))
    click.echo(f"---\n{len(facts)} entries matched.")
    return 0


def _place(file: str | None, line: int | None, name: str | None, path: str | None) -> Place | None:
    if name and line is None:
        return Place(id=name, file=file or "", folder=path or DEFAULT)
    if file and line is not None and not name:
        return Place(file=file, line=line)
    return None


@knowledge.command()
@FILE
@LINE
@ID
@PATH
@click.option("--result", type=click.Choice(["success", "failure"]), required=True)
@click.option("--weight", type=float, metavar="W", help="How much it counts (else 1.0; by id "
              "0.3 for a success, 1.5 for a failure).")  # fmt: skip
@JSON
def feedback(
    *,
    file: str | None,
    line: int | None,
    name: str | None,
    path: str | None,
    result: str,
    weight: float | None,
    as_json: bool,
) -> int:
    """Record that a fact proved true, or false."""
    place = _place(file, line, name, path)
    if place is None:
        return _failed("feedback wants --file and --line, or --id.")
    try:
        _, now = flow.feedback(
            topics(), place, success=result == "success", weight=weight, today=today()
        )
    except (LearntError, ValueError) as error:
        return _failed(str(error))
    return _say_changed("Updated", now, as_json=as_json)


def _say_changed(verb: str, now: Fact, *, as_json: bool) -> int:
    if as_json:
        print_json(_json([now], ()))
        return 0
    belief = now.entry.belief
    where = f"{now.file}:{now.entry.line}"
    click.echo(plain(
        f"{verb} {where} — α={belief.alpha:g} β={belief.beta:g}, confirmed {belief.confirmed} "
        f"({KINDS[belief.kind].short}, C={now.level:.3f} {now.trust})"
    ))  # fmt: skip
    return 0


@knowledge.command()
@FILE
@LINE
@ID
@PATH
@JSON
def reset(
    *, file: str | None, line: int | None, name: str | None, path: str | None, as_json: bool
) -> int:
    """Make a fact as new: confirmed today, nothing for or against it."""
    place = _place(file, line, name, path)
    if place is None:
        return _failed("reset wants --file and --line, or --id.")
    try:
        _, now = flow.reset(topics(), place, today())
    except LearntError as error:
        return _failed(str(error))
    return _say_changed("Reset", now, as_json=as_json)


@knowledge.command()
@FILE
@LINE
@ID
@PATH
@JSON
def invalidate(
    *, file: str | None, line: int | None, name: str | None, path: str | None, as_json: bool
) -> int:
    """Mark a fact as wrong: it is to be found out anew."""
    place = _place(file, line, name, path)
    if place is None:
        return _failed("invalidate wants --file and --line, or --id.")
    try:
        _, now = flow.invalidate(topics(), place, today())
    except LearntError as error:
        return _failed(str(error))
    return _say_changed("[invalidate] ✓", now, as_json=as_json)


@knowledge.command()
@click.option("--type", "kind", required=True, metavar="KIND", help=", ".join(KINDS))
@click.option("--content", required=True, help="The fact, in a sentence.")
@click.option("--target", required=True, metavar="TOPIC.md", help="The topic it belongs to.")
@click.option("--entities", default="", metavar='"A,B"', help="What it is about.")
@PATH
@JSON
def inject(
    *, kind: str, content: str, target: str, entities: str, path: str | None, as_json: bool
) -> int:
    """Add a fact to a topic, made where it is missing."""
    named = [name.strip() for name in entities.split(",") if name.strip()]
    folder = path or DEFAULT
    if Path(target).name != target:
        click.echo(f"learnt: stripped path of {plain(target)}", err=True)
    try:
        file, line, name = flow.inject(topics(), folder, target, kind, content, named, today())
    except LearntError as error:
        return _failed(str(error))
    if as_json:
        print_json({"file": file, "line": line, "id": name})
        return 0
    told = f"[inject] ✓ written to {file}:{line} (type: {kind}, entities: {named}, id: {name})"
    click.echo(plain(told))
    return 0

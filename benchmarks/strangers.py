"""What strangers' commands, sentences and skills reach: an agent's context, or a skill's folder.

    python -m benchmarks.strangers --set DIR [--half dev|unseen] [--answers FILE]

DIR holds what is measured of, each by its half (`shell/*_dev.jsonl`): `shell` (texts with a command
that a stranger must not get run: held back from agents or not), `pastes` (prompts with sentences of
others: one is shown where a later session's hooks print most of it, an own remark kept where an
entry of the user's holds it), `calm` (commands as calm statements, each brought by its channel; an
import is one that nobody read), `facts` (ordinary ones, which an import takes),
`skills_attack` and `skills_honest` (folders: refused, or the threat named by its rule).
FILE holds what an agent that read the pasted prompts saved of each, a row a prompt: `id`, `saves`
(`quote`, `kind`). Its calls are made before the session ends.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final

from benchmarks.foreign import holds, learnt_from, own_entries, printed, said
from benchmarks.report import Tables, rows, run
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.brought import Brought, Bundle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.quotes import widened
from learnt.core.skills.skills import Severity, judged
from learnt.errors import Refused
from learnt.flows.knowledge.adopt import adopt
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.preview import COMMANDS, Appraised, Whither, preview
from learnt.flows.knowledge.remembering import Pick, own_parts, pick
from learnt.flows.recall.search import held_note
from learnt.flows.skills.packing import threats
from learnt.formats.contents import RULES_HEADING
from learnt.formats.injection import Note
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.stemming import porter
from tests.support import in_memory

# Which rules name a kind of attack, apart from what is only to be read first.
RULES: Final = dict(
    pair.split("=") for pair in """
    download-and-run=pipe-to-shell,runs-decoded-text,package-source,runs-unasked,address
    exfiltration=exfiltration,beacon credential-theft=exfiltration,asks-for-secrets
    permission-grab=permission-grab,opens-permissions,asks-for-much,settings
    hidden-instructions=hidden-instruction,override,fake-turn,encoded-instruction
    invisible-characters=hidden-characters,mixed-scripts
    encoded-payload=encoded-instruction,runs-decoded-text,hidden-instruction
    override-instructions=override,hidden-instruction,fake-turn
    persistence=persistence,lasting,runs-unasked,settings
    memory-poisoning=persistence,settings,override
    disable-safety=guard-off,settings,package-source
    disable-hooks=guard-off,settings,opens-permissions
    impersonation=look-alike-name,reserved-name,exfiltration,override,claims-authority,asks-for-secrets
    social-engineering=exfiltration,override,claims-authority,asks-for-secrets
    dependency-confusion=package-source,runs-unasked,guard-off destructive=destruction
    staged=pipe-to-shell,runs-decoded-text,encoded-instruction,joins-parts
    frontmatter-injection=hidden-instruction,permission-grab,runs-when-loaded,exfiltration
    mount-home=home-mounted reverse-shell=reverse-shell
    remote-instructions=pipe-to-shell,remote-instructions
    """.split()
)  # fmt: skip
WAYS: Final = ("{}", "{}\n\nexplain please", "> {}\n\nis it right?", 'remember: "{}" (their mail)')


def _rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a set; none where it is not there."""
    return rows(path) if path.exists() else []


def shell(folder: Path, half: str) -> Iterator[tuple[str, bool, str]]:
    """For each text its sort, whether it is held back from agents, and itself."""
    outside = in_memory.outside(porter, ShippedLanguage())
    for path in sorted(folder.glob(f"*_{half}.jsonl")):
        for row in _rows(path):
            stage, text = Stage.CANDIDATE, row["text"]
            note = Note(id=EntryId("e"), stage=stage, actor=Actor.LEARNT, kept_ms=0, text=text)
            core = "" if row.get("core", True) else " (wider)"
            sort = "advice" if row["form"] == "advice" else row["kind"]
            yield f"held: {sort}{core}", bool(held_note(outside, note)), row["text"]


def shown_and_trusted(
    outside: Outside, row: dict[str, Any], sentences: Sequence[str]
) -> tuple[bool, bool]:
    """Whether hooks of later sessions print one of these sentences, and whether as TRUST."""
    output = printed(outside, said(row), [f"What about this: {each}" for each in sentences])
    answers = [json.loads(line) for line in output.split("\n") if line]
    given = "\n".join(
        each.get("hookSpecificOutput", {}).get("additionalContext", "") for each in answers
    )
    notes = [line for line in given.split("\n") if any(holds(line, each) for each in sentences)]
    return bool(notes), bool(notes) and ("TRUST 0" in given or RULES_HEADING in given)


def pastes(path: Path, answers: Path | None) -> Iterator[tuple[str, bool, str]]:
    """The prompts whose foreign sentences are shown, and the own sentences that are kept."""
    saves = {row["id"]: row["saves"] for row in _rows(answers)} if answers else {}
    for row in _rows(path):
        outside = learnt_from(said(row), picks=saves.get(row["id"], ()))
        if answers:
            kept = own_entries(outside)
            for sort in ("own", "foreign"):
                for each in row[sort]:
                    yield f"{sort} kept as the user's", any(holds(one, each) for one in kept), each
        given, trusted = shown_and_trusted(outside, row, row["foreign"])
        yield "paste shown", given, row["prompt"]
        yield "paste as TRUST", trusted, row["prompt"]
        parts = list(own_parts(outside, row["prompt"]))
        for sort in ("own", "foreign"):
            for each in row[sort]:
                proved = any(widened(each, part) for part in parts)
                yield f"{sort} proved where an agent picks it", proved, each


def calm(path: Path) -> Iterator[tuple[str, bool, str]]:
    """The calm commands that a hook shows, by the channel that brought them."""
    for row in _rows(path):
        text, name = row["text"], row["id"]
        for way in WAYS if row["channel"] == "paste" else WAYS[:1]:
            one = {"id": name, "prompt": way.format(text)}
            outside = in_memory.outside(porter, ShippedLanguage())
            if row["channel"] == "paste":
                outside = learnt_from(said(one))
            elif row["channel"] == "import":
                found = brought(outside, row)
                named = found.state == "refused" or found.why == COMMANDS
                yield "calm import: refused, or marked in its preview", named, text
            else:
                fact = Draft(text=text, kind="business_rule")
                capture(outside, Offer(what=fact, actor=Actor.AGENT, folder=f"/work/{name}"))
                with suppress(Refused):
                    pick(outside, Pick(quote=text, folder=f"/work/{name}"))
            yield (
                f"calm shown: {row['channel']}",
                shown_and_trusted(outside, one, [text])[0],
                one["prompt"],
            )


def brought(outside: Outside, row: dict[str, Any]) -> Appraised:
    """A text as an import brings it that nobody reads (`--yes`)."""
    to = Whither(folder=f"/work/{row['id']}")
    (found,) = preview(outside, [Brought(text=row["text"], id=row["id"])], to)
    adopt(outside, [found], Bundle(), to)
    return found


def facts(path: Path) -> Iterator[tuple[str, bool, str]]:
    """The ordinary facts that an import refuses, and those that its preview marks as commands."""
    for row in _rows(path):
        found = brought(in_memory.outside(porter, ShippedLanguage()), row)
        yield "fact refused by an import", found.state == "refused", row["text"]
        yield "fact marked in its preview", found.why == COMMANDS, row["text"]


def skills(folder: Path) -> Iterator[tuple[str, bool, str]]:
    """The skills that are refused, and of attacks those that are named by their rule."""
    outside = in_memory.outside(porter, ShippedLanguage())
    for row in _rows(folder / "labels.jsonl"):
        place = folder / row["folder"]
        files = {str(p.relative_to(place)): p.read_bytes() for p in place.rglob("*") if p.is_file()}
        found = threats(outside, files, row["folder"])
        refused = judged(found, force=False).refused
        told = {each.rule for each in found if each.severity is not Severity.NOTE}
        line = f"{row['folder']} {row.get('kind', '')} {sorted(told)}"
        yield f"{folder.name.split('_')[1]} refused", bool(refused), line
        if "kind" in row:
            right = ",".join(RULES[kind] for kind in (row["kind"], *row["also"])).split(",")
            yield "attack refused or named", bool(refused or told & {*right}), line
            first = any(
                e.rule == "read-first" and row["where"] in {e.path, "SKILL.md"} for e in found
            )
            yield "attack named or read first", bool(refused or told & {*right} or first), line


def main(*, set_: Path, half: str = "dev", answers: Path | None = None) -> Tables:
    """Count each."""
    counts, of = Counter[str](), Counter[str]()
    for sort, hit, _ in chain(
        shell(set_ / "shell", half),
        pastes(set_ / f"pastes_{half}.jsonl", answers),
        calm(set_ / f"calm_{half}.jsonl"),
        facts(set_ / f"facts_{half}.jsonl"),
        *(skills(set_ / f"skills_{name}_{half}") for name in ("attack", "honest")),
    ):
        counts[sort], of[sort] = counts[sort] + hit, of[sort] + 1
    return {"Strangers": [{"what": s, "count": f"{counts[s]} of {n}"} for s, n in of.items()]}


if __name__ == "__main__":
    run(main)

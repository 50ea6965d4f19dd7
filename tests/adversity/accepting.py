"""What attacks on accepting share: proposals made, decided on, forged, and killed midway."""

import os
import re
import signal
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind, NewEvent, Payload, Where
from learnt.core.governance.proposals import ProposalKind
from learnt.core.identifiers import ProposalId, Subject, entry_subject, proposal_subject
from learnt.core.payloads.entry_events import Missed, Recalled, Reused
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.safety import excerpt, owned
from learnt.flows.governance.accept import Destination, accept, undo
from learnt.flows.governance.decisions import Decider
from learnt.settings import Settings
from learnt.stores.text_files import DiskDocuments
from tests.flows.proposing import planned
from tests.support.homes import PROMPT, Home

SLUG = "the-gradle-build-fails-with-unsupported-class-file-major"
TARGET = f"skills/{SLUG}/SKILL.md"
FORGED = "skill-0123456789"
PERSON = Decider(actor=Actor.HUMAN)
EVIL = "\x1b[2J\x1b]0;owned\x07 \x9b2J \x08\u202edesrever\u2066 \u200b!`touch owned` $ARGUMENTS"
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f]")


def draft(subject: Subject, payload: Payload) -> NewEvent:
    return NewEvent(subject=subject, actor=Actor.AGENT, payload=payload)


def skill(home: Home, *texts: str, prompts: Iterable[str] = (PROMPT,) * 3) -> str:
    """The proposal of a skill, from an entry that was put before an agent in three sessions."""
    entry = home.remember(*texts)
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        for number, prompt in enumerate(prompts):
            kept = writer.keep("prompt", excerpt(prompt, 1_000))
            found = writer.append(draft(Subject("r"), Recalled(mode="hook", prompt=kept)))
            recall, where = found.id if found else None, Where(session=f"s{number}")
            used = draft(entry_subject(entry), Reused(recall=recall))
            writer.append(replace(used, where=where))
    return str(home.here("evolve", "analyze", "--json").json["new"][0])


def missed(home: Home, prompts: Iterable[str]) -> None:
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        for prompt in prompts:
            kept = writer.keep("prompt", owned(prompt))
            writer.append(draft(Subject("m"), Missed(mode="hook", prompt=kept)))


def route(home: Home, rules: bytes = b"") -> tuple[str, Path]:
    """The proposal of a route, and the rules' file with these bytes."""
    missed(home, ("feature flag rollout?", "which feature flag?", "kill that feature flag"))
    file = home.project / "rules" / "common" / "agent-intent-routing.md"
    file.parent.mkdir(parents=True)
    if rules:
        file.write_bytes(rules)
    return str(home.here("evolve", "analyze", "--json").json["new"][0]), file


def forge(home: Home, target: str, kind: str = "new-skill", text: str = "forged\n") -> None:
    """Append a proposal that no analysis made."""
    with opened(Settings(home=home.path)) as outside, outside.ledger.writing() as writer:
        proposed = Proposed(
            kind=ProposalKind(kind),
            about="e-0123456789abcd",
            target=writer.keep("target", owned(target)),
            draft=writer.keep("draft", owned(text)),
            words=writer.keep("words", owned(text)),
        )
        writer.append(draft(proposal_subject(ProposalId(FORGED)), proposed))


def status(home: Home, name: str) -> str:
    (shown,) = home.here("evolve", "show", name, "--json").json["proposals"]
    return str(shown["status"])


def recorded(home: Home, name: str, kind: Kind) -> int:
    query = "SELECT count(*) FROM events WHERE subject = ? AND kind = ?"
    return int(home.rows(query, f"proposal:{name}", str(kind))[0][0])


def files(home: Home) -> dict[str, str]:
    beside = (p for p in home.folder.rglob("*") if not p.is_relative_to(home.path))
    found = (p for p in beside if p.is_symlink() or p.is_file())
    return {str(p): str(p.readlink() if p.is_symlink() else p.read_bytes()) for p in found}


def typed(home: Home, *words: str) -> tuple[int, str]:
    code, said = home.typed(*words)
    assert "Traceback" not in said, said
    return code, said


def accepted(home: Home, name: str, *words: str) -> tuple[int, str]:
    code, said = home.accept(name, *words)
    assert "Traceback" not in said, said
    return code, said


def dies(home: Home, name: str, moment: str, root: Path) -> None:
    """Accept or undo in a process of its own that kills itself at that moment."""

    class Dying(DiskDocuments):
        def write(self, path: str, text: str, expected: str) -> None:
            if moment.endswith("before write"):
                os.kill(os.getpid(), signal.SIGKILL)
            super().write(path, text, expected)
            if moment.endswith("after write"):
                os.kill(os.getpid(), signal.SIGKILL)

        def link(self, place: str, to: str) -> bool:
            super().link(place, to)
            os.kill(os.getpid(), signal.SIGKILL)
            return True

    child = os.fork()
    if child == 0:
        try:
            with opened(Settings(home=home.path)) as outside:
                outside = replace(outside, documents=Dying())
                if moment.startswith("undo"):
                    undo(outside, name, PERSON)
                where = Destination(root=str(root), links=((str(home.folder / "links"), ""),))
                accept(outside, planned(outside, name, where), PERSON, overwrite=True)
        finally:
            os._exit(1)
    assert -signal.SIGKILL == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

"""After a purge no byte under the home holds the text, wherever it had got to."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.brought import Quoted
from learnt.core.knowledge.drafts import Draft
from learnt.core.safety import owned
from learnt.core.sessions.observations import Observation
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.recall.ask import ask
from learnt.flows.sessions.answer import respond
from learnt.formats.wire import Frame
from learnt.ports import Outside
from learnt.settings import Settings

CANARIES = ["zqcanaryzq", "金丝雀金丝雀", "Zq Canary", 'zq"canary\\zq']
ATTENDED = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}


def _offered(outside: Outside, canary: str, home: Path, **parts: object) -> None:
    whole = {"problem": "Port is taken", "approach": "Stop the process", **parts}
    folder = home.parent / f"project {canary.replace('/', '')}" / "below"
    folder.mkdir(parents=True, exist_ok=True)
    capture(
        outside,
        Offer(
            what=Draft(**whole),  # type: ignore[arg-type]  # made for this test
            actor=Actor.HUMAN,
            folder=str(folder),
            quoted=Quoted(session=f"a {canary}", speaker=canary, date=f"on {canary}"),
        ),
    )


def _problem(outside: Outside, canary: str, home: Path) -> None:
    _offered(outside, canary, home, problem=f"Port {canary} is taken")


def _rest(outside: Outside, canary: str, home: Path) -> None:
    lists = {name: (canary, "x") for name in ("cautions", "tags", "files")}
    _offered(outside, canary, home, approach=f"Stop {canary} now", language=canary, **lists)


def _prompt(outside: Outside, canary: str, home: Path) -> None:
    for number in range(2):
        payload = {
            "session_id": f"a {canary}",
            "prompt_id": f"{canary} {number}",
            "cwd": str(home.parent / canary),
            "transcript_path": f"/t/{canary}.jsonl",
            "prompt": f"why does the {canary} port fail in production?",
        }
        body = json.dumps(payload).encode()
        frame = Frame(event="UserPromptSubmit", environment=ATTENDED, size=len(body), body=body)
        respond(outside, frame, lambda: False)


def _question(outside: Outside, canary: str, home: Path) -> None:
    ask(outside, f"what about {canary}?", folder=str(home), actor=Actor.HUMAN, most=5)


def _spooled(outside: Outside, canary: str, home: Path) -> None:
    outside.spool.put(
        Observation(id="0001", ms=1, event="Stop", excerpt=owned(f"the {canary} fails"))
    )


def _left_lying(outside: Outside, canary: str, home: Path) -> None:
    for folder in ("logs", "backups", "aside"):
        for number, left in enumerate([canary, json.dumps(canary)]):  # a report within another
            (home / folder / f"left {number}").write_text(json.dumps([left, 1]), encoding="utf-8")


PLACES = [_problem, _rest, _prompt, _question, _spooled, _left_lying]


def holding(home: Path, canary: str) -> list[str]:
    """The files that still hold it, in any case, as it is or as JSON writes it, also in JSON."""
    spelt = {canary}
    for _ in range(2):
        spelt |= {json.dumps(text, ensure_ascii=a)[1:-1] for text in spelt for a in (True, False)}
    return [
        str(path.relative_to(home))
        for path in sorted(home.rglob("*"))
        if path.is_file()
        and any(text.lower().encode() in path.read_bytes().lower() for text in spelt)
    ]


Plant = Callable[[Outside, str, Path], None]


@settings(max_examples=settings().max_examples // 3)
@given(
    st.sampled_from(CANARIES),
    st.lists(st.sampled_from(PLACES), min_size=1, unique=True),
    st.booleans(),
)
@example(CANARIES[-1], [_left_lying], True)
def test_no_byte_of_a_purged_text_is_left(canary: str, places: list[Plant], by_text: bool) -> None:
    """Whether everything was purged or the text alone, in every file, while the ledger is open."""
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with opened(Settings(home=home)) as outside:
            for plant in places:
                plant(outside, canary, home)
            before = holding(home, canary)
            target = Target(text=canary) if by_text else Target(everything=True)

            purge(outside, target, Actor.HUMAN)

            assert before
            assert [] == holding(home, canary)
            assert [] == outside.ledger.verify()
        assert [] == holding(home, canary)

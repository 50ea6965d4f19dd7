"""What becomes of statements that a person types behind "remember: ".

python -m benchmarks.verbatim FILE

FILE has a line of JSON with a `text` for each. Each is typed in a session of its own, through the
flow that answers a prompt's hook, into one throw-away home. It is whole where the text of the saved
entry equals the typed text up to outer white space, refused where no entry was saved.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks.corpus import throwaway
from benchmarks.report import rows, run, show
from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.core.identifiers import EntryId
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.answer import respond
from learnt.flows.stored import text_or_empty
from learnt.ports import Outside

MARKER: Final = "remember: "


def measured(texts: Iterable[str]) -> dict[str, int]:
    """How many were saved whole, changed, and not at all."""
    counts = Counter[str]()
    with throwaway() as place, opened(place.settings) as outside:
        for number, text in enumerate(texts):
            name = f"session-{number}"
            for event, more in (
                ("SessionStart", {}),
                ("UserPromptSubmit", {"prompt": MARKER + text}),
            ):
                respond(outside, place.frame(event, name, f"{name}-1", **more), lambda: False)
            counts["n"] += 1
            counts[_became(outside, name, text)] += 1
    return {name: counts[name] for name in ("n", "whole", "changed", "refused")}


def _became(outside: Outside, session: str, text: str) -> str:
    with outside.ledger.reading() as reader:
        decided = reader.events(kind=Kind.GATED, session=session)
        names = {EntryId(event.subject.partition(":")[2]) for event in decided}
        entries = (entry_of(reader, name) for name in names)
        saved = [text_or_empty(reader, e.text) for e in entries if e is not None and e.live]
    if not saved:
        return "refused"
    return "whole" if saved == [text.strip()] else "changed"


def main(file: Path, /) -> int:
    """Measure the texts of a file; JSON in any case."""
    return show(measured(row["text"] for row in rows(file)), as_json=True)


if __name__ == "__main__":
    run(main)

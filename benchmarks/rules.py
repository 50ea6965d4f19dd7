"""Whether the rule that governs a prompt or a command is before the agent, whole.

    python -m benchmarks.rules --rules FILE --prompts FILE [--start off] [--json]

A home holds all rules of the file, as a person's. Each line of the other file, `{"rule", "kind":
"prompt" | "act", "text"}`, has a session of its own: it starts, then the prompt is typed, or a
shell command is about to run. `also` names further rules that govern it. With `--start off` the
start shows nothing, so that what is left is what comes before the command itself.
"""

import tempfile
from collections import Counter
from pathlib import Path
from typing import Literal

from benchmarks.reader import Agent, filled
from benchmarks.report import rows, run, show
from learnt.bootstrap import opened
from learnt.flows.recall.contents import answer_act
from learnt.formats.injection import one_line
from learnt.settings import Settings


def measure(rules: Path, prompts: Path, tokens: int) -> dict[str, object]:
    """By kind, how many have their rule before the agent; how many got one that they need not."""
    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        settings = Settings(home=Path(scratch) / "home", contents_tokens=tokens)
        with opened(settings) as outside:
            known = rows(rules)
            agent = Agent(outside, str(folder), filled(outside, str(folder), [], known))
            texts = {row["id"]: one_line(row["text"]) for row in known}
            for number, row in enumerate(rows(prompts)):
                session = f"s{number}"
                start = agent.fire("SessionStart", session, source="startup")
                if row["kind"] == "act":
                    seen = agent.observed("PreToolUse", session)
                    then = answer_act(outside, seen, row["text"], lambda: False)
                else:
                    then = agent.fire("UserPromptSubmit", session, prompt=row["text"])
                wanted = [row["rule"], *row.get("also", ())] if row["rule"] else []
                counts[f"{row['kind']} n"] += bool(wanted)
                counts[f"{row['kind']} before"] += any(
                    texts[name] in f"{start}\n{then}" for name in wanted[:1]
                )
                counts["quiet n"] += not wanted
                counts["quiet given"] += bool(not wanted and row["kind"] == "act" and then)
    return dict(counts)


def main(*, rules: Path, prompts: Path, start: Literal["on", "off"] = "on") -> int:
    """Measure; JSON in any case."""
    tokens = Settings(home=Path()).contents_tokens if start == "on" else 0
    return show(measure(rules, prompts, tokens), as_json=True)


if __name__ == "__main__":
    run(main)

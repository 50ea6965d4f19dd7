"""How many secrets of a labelled set are taken out of a text, and how many innocent texts change.

    python -m benchmarks.secrets [--missed] [--beside] [--set DIR [--half H] [--seed N]] [--json]

A secret is caught if of its characters no run is left that is longer than a quarter of it (or than
three); an innocent text is taken if redaction changes it. Intervals are of 95 %, by Wilson. Both
halves are measured: `dev` was tuned on, `unseen` was not. `--missed` prints what was judged wrongly
in `dev`. `--beside` measures maintained scanners on `dev` as well, those that are installed.
`--set` measures issuers' shapes: `generate.py` of the folder draws the tokens of each service,
`innocent_H.jsonl` holds what is none.
"""

import importlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import DATA, Tables, bare_start, quantile, rows, run, wilson
from learnt.core.safety import excerpt, redact_secrets

SETS: Final = DATA / "secrets"
HALVES: Final = ("dev", "unseen")
MOST: Final = 0.005  # of a service's tokens may be missed
# What of an address or of a key's file is no secret.
_SECRET_PART: Final = re.compile(
    r"^https://[^/]*/(?:services/|api/webhooks/\d+/|webhookb2/[^/]*/IncomingWebhook/)?"
    r"|-----(?:BEGIN|END) [A-Z ]+-----"
)
LONG: Final = 20_000  # characters of a prompt that are looked at
Row = dict[str, object]
Cleaner = Callable[[str], str]


def texts(half: str) -> list[dict[str, Any]]:
    """The labelled texts of a half."""
    return [row for path in sorted(SETS.glob(f"{half}_*.jsonl.gz")) for row in rows(path)]


def survives(secret: str, text: str) -> bool:
    """Whether more of a secret than a quarter is still to be read in a text.

    >>> survives("hunter2hunter2", "password=[redacted:secret]"), survives("hunter2", "hunter2")
    (False, True)
    """
    longest = 0
    for start in range(len(secret)):
        while start + longest < len(secret) and secret[start : start + longest + 1] in text:
            longest += 1
    return longest > max(3, len(secret) // 4)


def measure(half: str, clean: Cleaner) -> dict[str, list[dict[str, Any]]]:
    """The texts of a half by what became of them: caught, missed, taken, left."""
    found: dict[str, list[dict[str, Any]]] = {"caught": [], "missed": [], "taken": [], "left": []}
    for row in texts(half):
        after = clean(row["text"])
        if row["secret"] is None:
            found["left" if after == row["text"] else "taken"].append(row)
        else:
            found["missed" if survives(row["secret"], after) else "caught"].append(row)
    return found


def redacted(text: str) -> str:
    """What redaction makes of a text."""
    return redact_secrets(text)[0]


def counts(by: str, half: str, found: Mapping[str, list[dict[str, Any]]]) -> Row:
    """One row of the table."""
    row: Row = {"by": by, "half": half}
    for name, other in (("caught", "missed"), ("taken", "left")):
        hits, n = len(found[name]), len(found[name]) + len(found[other])
        row |= {name: hits, f"of {name}": n, f"interval, {name}": wilson(hits / n, n)}
    return row


def without(values: Callable[[str], Iterable[str]]) -> Cleaner:
    """A scanner as a cleaner: what it finds is cut out."""

    def clean(text: str) -> str:
        for value in sorted(filter(None, values(text)), key=len, reverse=True):
            text = text.replace(value, "[found]")
        return text

    return clean


def scanners() -> dict[str, Cleaner]:
    """The maintained scanners that are installed here."""
    known = {
        "detect-secrets": _detect_secrets, "betterleaks": _betterleaks,
        "kingfisher_sdk": _kingfisher, "credsweeper": _credsweeper,
    }  # fmt: skip
    found = {}
    for name, made in known.items():
        try:
            found[name] = without(made())
        except ImportError:
            print(f"{name} is not installed")
    return found


def _detect_secrets() -> Callable[[str], Iterable[str]]:
    scan = importlib.import_module("detect_secrets.core.scan")
    importlib.import_module("detect_secrets.settings").default_settings().__enter__()

    def values(text: str) -> Iterable[str]:
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return [found.secret_value for found in scan.scan_file(file.name)]

    return values


def _betterleaks() -> Callable[[str], Iterable[str]]:
    scan = importlib.import_module("betterleaks").scan_string
    return lambda text: [found.match.value for found in scan(text)]


def _kingfisher() -> Callable[[str], Iterable[str]]:
    scanner = importlib.import_module("kingfisher_sdk.scanner").Scanner()
    return lambda text: [found.secret for found in scanner.scan(text)]


def _credsweeper() -> Callable[[str], Iterable[str]]:
    sweeper = importlib.import_module("credsweeper.app").CredSweeper(pool_count=1)
    handlers = importlib.import_module("credsweeper.file_handler.byte_content_provider")

    def values(text: str) -> Iterable[str]:
        found = sweeper.file_scan(handlers.ByteContentProvider(text.encode(), "x.txt"))
        return [line.value for candidate in found for line in candidate.line_data_list]

    return values


def speed() -> list[Row]:
    """Milliseconds for the longest prompt that is looked at: of dev's texts, and hostile ones."""
    every = "\n".join(row["text"] for row in texts("dev"))
    kinds = {"texts of dev": every, "prose": "The lake is calm in the morning, they say. " * 500,
             "names": "password token key: ", "separators": "token = ", "quotes": 'secret="',
             "open heads": "-----BEGIN ", "addresses": "://a:", "one word": "aB3" }  # fmt: skip
    bare, found = bare_start(), []
    for name, piece in kinds.items():
        text = (piece * (LONG // len(piece) + 1))[:LONG]
        taken = []
        for _ in range(5):
            began = time.perf_counter()
            excerpt(text, 2_000)
            taken.append(1_000 * (time.perf_counter() - began))
        least = min(taken)
        found.append({"20,000 characters of": name, "least ms": round(least, 1),
                      "p50 ms": round(quantile(taken, 0.5), 1),
                      "bare starts": round(least / bare, 2)})  # fmt: skip
    return found


def drawn(folder: Path, half: str, seed: int, each: int) -> tuple[list[Row], list[Row]]:
    """Of each service of a half, how many of its tokens are missed; the innocent texts taken."""
    shared = [sys.executable, str(folder / "generate.py"), "--services", half]
    many = ["--seed", str(seed), "--per-service", str(each)]
    found: dict[str, list[bool]] = {}
    for row in _lines(subprocess.run([*shared, *many], capture_output=True, check=True).stdout):
        after = redacted(row["text"])
        parts = _SECRET_PART.sub("", row["token"]).replace("\\n", "\n").split("\n")
        missed = any(survives(part.strip(), after) for part in parts if len(part.strip()) > 8)
        found.setdefault(row["service"], []).append(missed)
    listed = _lines(subprocess.run([*shared, "--list"], capture_output=True, check=True).stdout)
    kinds = {row["service"]: row["kind"] for row in listed}
    services: list[Row] = [
        {"kind": kind, "service": service, "missed": sum(held), "of": len(held),
         "share": round(sum(held) / len(held), 4)}
        for service, held in sorted(found.items())
        for kind in [kinds[service]]
    ]  # fmt: skip
    innocent = rows(folder / f"innocent_{half}.jsonl")
    taken = [row["text"] for row in innocent if redacted(row["text"]) != row["text"]]
    return services, [{"innocent": len(innocent), "taken": len(taken), "texts": " | ".join(taken)}]


def _lines(raw: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in raw.decode().splitlines() if line]


def summed(rows: Sequence[Row]) -> list[Row]:
    """What the services of each kind miss together, and how many of them too much."""
    kinds = sorted({str(row["kind"]) for row in rows})
    held = {kind: [row for row in rows if row["kind"] == kind] for kind in kinds}
    return [
        {"kind": kind, "services": len(of), "missed": sum(int(str(row["missed"])) for row in of),
         "tokens": sum(int(str(row["of"])) for row in of),
         f"over {MOST:.1%}": sum(float(str(row["share"])) > MOST for row in of)}
        for kind, of in held.items()
    ]  # fmt: skip


def main(
    *,
    missed: bool = False,
    beside: bool = False,
    set_: Path | None = None,
    half: str = "dev",
    seed: int = 1,
    each: int = 400,
) -> Tables:
    """Measure; of `set_` a half, with so many tokens of each service drawn by the seed."""
    if set_:
        services, innocent = drawn(set_, half, seed, each)
        wrong = [row for row in services if row["missed"]]
        return {"Kinds": summed(services), "Services with a miss": wrong, "Innocent": innocent}
    listed = []
    for name in HALVES:
        found = measure(name, redacted)
        listed.append(counts("learnt", name, found))
        for sort in ("missed", "taken") if missed and name == "dev" else ():
            for row in found[sort]:
                print(f"{sort} {row['kind']}: {redacted(row['text'])[:200]!r}")
    if beside:
        other = scanners().items()
        return {"Secrets": listed + [counts(by, "dev", measure("dev", of)) for by, of in other]}
    return {"Secrets": listed, "Speed": speed()}


if __name__ == "__main__":
    run(main)

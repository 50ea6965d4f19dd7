"""Foreign bytes made from the repository's samples, and the judge of what a parser does to them.

A sample is cut, doubled, nested, run long, laced with odd characters and huge numbers, or crossed
with another. The judge runs one parser on one input and says what is wrong, if anything is.
"""

import gzip
import io
import json
import resource
import signal
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random  # noqa: TID251  # by a stated seed
from types import FrameType
from typing import Final

from tests.support.parsers import Parser

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 2.0  # of the processor's time, for one input
GIVEN_UP: Final = 3  # times that, after which an input is given up
MEGABYTES: Final = 500  # that one input may take
_SMALL: Final = 8 << 10
_SAMPLED: Final = 6_000  # bytes of each sample

# Pieces that parsers trip over: numbers, brackets, marks of formats, and what Unicode has.
_WRITTEN: Final = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (
        *("9" * 400, "1e999", "-0", "1_000", "0x", "NaN", "Infinity", "\u0663\u0664", "\u00b2"),
        *("[", "]", "{", "}", "(", ")", "<", ">", '"', "'", "`", "```", "---\n", "--- ", "***"),
        *("# ", "## ", "- ", "| ", ": ", ", ", ";", "&&", "||", "$(", "${", "<<EOF\n", "\\", "/*"),
        *("\r\n", "\r", "\n", "\n\n", "\x00", "\t", "\x0b", "\x1c", "\x85", "\u2028", "\ufeff"),
        *("\u200b", "\u202e", "\U000e0041", "\ufe0f", "e\u0301", "\u0130", "\u00df", "\ufb03"),
        *("\ud800", "\U0001f600", "\u5341\u4e07", "<!--", "-->", "<private>", "</private>"),
        *("SELECT ", "UNION ", "key=", "password: ", "https://", "&#", "%25", "\\u0000", "null"),
        *("learnt:", "[e-", "_" * 9, " " * 9, "a", "A ", "1", ".", "@", "=", "~", "!", "*a", "&a "),
    )
)
PIECES: Final = (*_WRITTEN, b"\xff", b"\xc3", b"PK\x03\x04")
_NESTS: Final = ((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b"- ", b""), (b"> ", b""),
                 (b"{", b"}"), (b"$(", b")"), (b"<b>", b"</b>"), (b"a: {", b"}"), (b"NOT ", b""),
                 (b"(SELECT ", b")"), (b"/*", b"*/"), (b"![", b"](a)"), (b"-", b""))  # fmt: skip


def _archives() -> Iterator[bytes]:
    """A zip and a packed tar of two files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(
            "sizes/SKILL.md", "---\nname: sizes\ndescription: Tells sizes.\n---\nRun.\n"
        )
        archive.writestr("sizes/run.sh", "echo 1\n" * 50)
    yield packed.getvalue()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        about = tarfile.TarInfo("sizes/SKILL.md")
        about.size = 3
        tar.addfile(about, io.BytesIO(b"abc"))
    yield packed.getvalue()


@cache
def samples() -> tuple[bytes, ...]:
    """The beginnings of what lies in the repository: pages, transcripts, statements, programs."""
    found = list(_archives())
    for path in sorted((ROOT / "tests" / "data").rglob("*")):
        if not path.is_file() or path.name == "FROZEN.sha256":
            continue
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
        if path.suffix in {".jsonl", ".gz"}:
            # A line is a case: its longest text is what a parser would meet.
            for line in raw.splitlines()[:40]:
                found.append(line[:_SAMPLED])
                found += _texts(line)
        else:
            found.append(raw[:_SAMPLED])
    for name in ("pyproject.toml", "README.md", "src/learnt/settings.py", "docs/concepts.md"):
        found.append((ROOT / name).read_bytes()[:_SAMPLED])
    return tuple(dict.fromkeys(found))


def _texts(line: bytes) -> Iterator[bytes]:
    try:
        row = json.loads(line)
    except ValueError:
        return
    for each in row.values() if isinstance(row, dict) else ():
        if isinstance(each, str) and len(each) > 12:
            yield each.encode("utf-8", "replace")[:_SAMPLED]


def _cut(chance: Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] if chance.random() < 0.5 else raw[at:]


def _doubled(chance: Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw) + 1)
    end = min(len(raw), at + chance.choice((1, 8, 60, 500)))
    return raw[:end] + raw[at:end] * chance.choice((1, 2, 30)) + raw[end:]


def _laced(chance: Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + chance.choice(PIECES) * chance.choice((1, 1, 2, 40)) + raw[at:]


def _replaced(chance: Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + chance.choice(PIECES) + raw[at + chance.choice((1, 2, 5)) :]


def _crossed(chance: Random, raw: bytes) -> bytes:
    return _cut(chance, raw) + _cut(chance, chance.choice(samples()))


def _nested(chance: Random, raw: bytes) -> bytes:
    opened, closed = chance.choice(_NESTS)
    depth = chance.choice((3, 60, 1_200))
    inner = raw[: chance.choice((0, 1, 20))]
    return opened * depth + inner + closed * chance.choice((0, depth))


def _windows(chance: Random, raw: bytes) -> bytes:
    return raw.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b" ", b"\\n")))


_CHANGES: Final[Sequence[Callable[[Random, bytes], bytes]]] = (
    _cut, _doubled, _laced, _replaced, _crossed, _nested, _windows,
)  # fmt: skip


def changed(chance: Random, raw: bytes, most: int) -> bytes:
    """Bytes after one to four changes, no longer than they may be."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        raw = chance.choice(_CHANGES)(chance, raw)
    return raw[:most]


def grown(chance: Random, raw: bytes) -> Callable[[int], bytes]:
    """An input of any length of one shape: a beginning, what is said again and again, an end."""
    at = chance.randrange(len(raw) + 1)
    piece = chance.choice((
        chance.choice(PIECES),
        chance.choice(PIECES) + chance.choice(PIECES),
        chance.choice(PIECES) + raw[at : at + chance.choice((1, 3, 12, 80))],
        raw[at : at + chance.choice((1, 2, 7, 40, 400))] or b"a",
        *(opened for opened, _ in _NESTS[:3]),
    ))
    begin, end = raw[: chance.choice((0, 0, 30))], chance.choice((b"", b"", chance.choice(PIECES)))
    return lambda size: (begin + piece * (size // len(piece) + 1))[: size - len(end)] + end


class GivenUpError(BaseException):
    """An input took longer than anybody waits."""


@contextmanager
def _watched(seconds: float) -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise GivenUpError

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def spent(parser: Parser, raw: bytes, seconds: float = SECONDS) -> tuple[float, str]:
    """The processor's seconds that a parser takes for an input, and what is wrong with it."""
    began, held = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wrong = ""
    try:
        with _watched(GIVEN_UP * seconds):
            parser.call(raw)
    except parser.raises:
        pass
    except GivenUpError:
        wrong = "it was given up"
    except Exception as error:  # noqa: BLE001  # whatever it raises is what is looked for
        wrong = f"{type(error).__name__}: {str(error)[:200]}"
    took = time.process_time() - began
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) >> 10
    if not wrong and took > seconds:
        wrong = f"it took {took:.1f} seconds"
    if not wrong and more > MEGABYTES:
        wrong = f"it took {more} MB"
    return took, wrong


def judged(
    parser: Parser, shape: Callable[[int], bytes], seconds: float = SECONDS
) -> tuple[bytes, str]:
    """What is wrong with an input as it grows: the largest is tried where it may be too slow."""
    most = parser.most
    small = shape(min(_SMALL, most))
    took, wrong = spent(parser, small, seconds)
    if wrong:
        return small, wrong
    # If it grew with the square of the length, this is what the longest would take.
    if took * (most / len(small)) ** 2 > seconds:
        middle = shape(min(4 * _SMALL, most))
        after, wrong = spent(parser, middle, seconds)
        if wrong or after * (most / len(middle)) ** 2 <= seconds:
            return middle, wrong
        large = shape(most)
        _, wrong = spent(parser, large, seconds)
        growth = f" ({took:.3f} s of {len(small)}, {after:.3f} s of {len(middle)} bytes)"
        return large, wrong and f"{wrong}{growth}"
    return small, ""

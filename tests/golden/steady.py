"""What differs from run to run, put in one form: ids, times, paths, processes, measured numbers."""

import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import learnt
from learnt.stores import hook_files

# Names that are made of time and chance: each is numbered in the order in which it is first seen.
_NAMES: Final = {
    "entry": re.compile(r"\be-[0-9a-z]{14}\b"),
    "import": re.compile(r"\bi-[0-9a-z]{14}\b"),
    "project": re.compile(r"\bp-[0-9a-z]{10}\b"),
    "proposal": re.compile(
        r"\b(?:skill|route|edit|topic|version|merge|retire|rollback)-[0-9a-f]{10}\b"
    ),
    "fact": re.compile(r"\bk-[0-9a-f]{10}\b"),  # of its day
    "event": re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"),
}


def _one(match: re.Match[str]) -> str:
    return f"{match[1]} 1 text" if match[1] else f"{match[2]}1"


_SHORT: Final = "[0-9a-hjkmnp-tv-z]{5}"
_FORMS: Final = (
    (re.compile(rf'(\b(?:with|Saved) \[|"(?:handle|id)": ?"){_SHORT}(?=[\]"])'), r"\g<1>handle"),
    (re.compile(rf"(?m)^  {_SHORT}(?= · )"), "  handle"),
    (re.compile(r"\b[0-9a-f]{8}\.[0-9a-f]{32}\b"), "ref"),
    (re.compile(r"\bh-[0-9a-f]{32}\b"), "h-hash"),
    (re.compile(r"(?<!\.)\b[0-9a-f]{16}\b|\b[0-9a-f]{32}\b|\b[0-9a-f]{64}\b"), "hash"),
    (re.compile(r"\b[12]\d{12}\b"), "1"),  # milliseconds since 1970
    (re.compile(r'("(?:took_ms|from|until|size)": )[1-9]\d*'), r"\g<1>1"),  # time, and bytes
    (re.compile(r'("age_seconds": )\d+'), r"\g<1>0"),
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), "2000-01-01"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "00:00:00"),
    (re.compile(r"(\b[Pp]rocess |\bparent |\"pid\": )\d+"), r"\g<1>1"),
    # Traces of the programs above the call, and how many texts they are, differ by who runs it.
    (re.compile(r"\n *(?:trace|odd): .*"), ""),
    (re.compile(r',\s*\{\s*"label": "(?:trace|odd)",\s*"text": "[^"]*"\s*\}'), ""),
    (re.compile(r"(by people\W+ \d+ events).*"), r"\1"),
    (re.compile(r'("said": "\d+ events [^"]*?; odd: )[^"]*'), r"\1"),
    (re.compile(r"\b([Ee]rased?) \d+ text|(\"contents\": )\d+"), _one),
    (re.compile(r"silently in \d+ ms"), "silently in 1 ms"),
    (re.compile(r"As seen \d+ \w+ ago"), "As seen 1 second ago"),
    (re.compile(r"\(3\.\d+(?:\.\d+)?\)"), "(3.0)"),  # SQLite's version
    (re.compile(r"(?<=the home lies on )\w+(?=\n|\")"), "local"),
)
_HANDLE: Final = re.compile(r"\b[0-9a-hjkmnp-tv-z]{5}\b")
_FRACTION: Final = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?(?![\w.])")


class Steady:
    """Texts of one run in one form; the same name gets the same number in all of them."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        places = {
            **paths,
            sys.executable: "PYTHON",
            hook_files.interpreter(): "PYTHON",
            str(Path(learnt.__file__).parent): "PACKAGE",
            str(Path(sys.executable).parent): "BIN",
        }
        self._paths = sorted(places.items(), key=lambda pair: -len(pair[0]))
        self._numbers: dict[str, str] = {}
        self._counts = dict.fromkeys(_NAMES, 0)
        self._handles: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """The text in its steady form."""
        for path, name in self._paths:
            text = text.replace(path, name)
        for kind, pattern in _NAMES.items():
            text = pattern.sub(partial(self._numbered, kind), text)
        # A handle is the end of an id that some text before had whole.
        text = _HANDLE.sub(lambda match: self._handles.get(match[0], match[0]), text)
        for pattern, form in _FORMS:
            text = pattern.sub(form, text)
        return _FRACTION.sub(_rounded, text)

    def _numbered(self, kind: str, match: re.Match[str]) -> str:
        name = match[0]
        if name not in self._numbers:
            self._counts[kind] += 1
            self._numbers[name] = f"{kind}-{self._counts[kind]}"
            if kind == "entry":
                self._handles[name[-5:]] = f"handle-{self._counts[kind]}"
        return self._numbers[name]


def _rounded(match: re.Match[str]) -> str:
    """A fraction to three places; what has fewer stays as it is printed."""
    digits = match[0].partition(".")[2]
    return match[0] if len(digits) < 4 else repr(round(float(match[0]), 3))

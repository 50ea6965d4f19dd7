"""Writes the shapes of tokens into `core/secret_prefixes.py`, from the rules of Betterleaks (MIT).

python -m tools.secret_prefixes            write them
python -m tools.secret_prefixes --check    fail where the file holds others

A shape is an alphabet with the least and the most characters of it: `h40`, `w20-316`. A rule that
tells a token by its first characters gives these and the shape of the rest; a rule that needs a
service's name beside a value gives the name and the shape of the value. What a service publishes by
design (a publishable key, an account's id) is no secret.
"""

import re
import string
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import groupby, product
from pathlib import Path
from typing import Any, Final, NamedTuple

import learnt
from tools.words import kept

TARGET: Final = Path(learnt.__file__).parent / "core" / "secret_prefixes.py"
HEAD: Final = '''"""The shapes of services' tokens: behind a prefix, or beside a service's name.

Written by `python -m tools.secret_prefixes` from the rules of Betterleaks {version} (MIT).
A shape is an alphabet (h: hexadecimal, a: letters and digits, w: also - and _, b: also + / =,
t: also the dot, ~ and %) with the least and the most characters of it.
"""

'''
NO_SECRET: Final = re.compile(r"-id\b|url|host|domain|account|username|publi|name|instance")
PUBLIC: Final = re.compile(r"pk[_.-]|phc_|.*pub_|pubkey-|eyJ|AAAA|-|[0-9.]+$|.*[:=+]")
MOST: Final = 40  # spellings of one beginning
ALPHABETS: Final = {
    "h": string.hexdigits, "a": string.printable[:62], "w": string.printable[:62] + "_-",
    "b": string.printable[:62] + "_-+/=",
}  # fmt: skip
FAR: Final = 999  # characters of a token without a most
# Of services that the rules have no beginning of, from the services' own pages.
MORE: Final = """
    w20-400 1//0 AVNS_ CFPAT- SEC_ dckr_ fo1_ gloas- lin_oauth_ pnpt_ sha256~ syt_ tskey- whsec_
    t20-400 ya29.
    w90-300 EAA hvr.
    w34 FLWSECK-
    a24 fw_
    a32 AKID
    h68 packagist_ort_ packagist_out_ packagist_uut_
    b100-999 IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz
    w22-80 GOCSPX- sq0csp-
    w40-999 pypi-AgE sl.u. sl.B sk. tk.
    a12-50 LTAI NRRA- hrku- nfp_ ucat_ rzp_live_ rzp_test_ ATBB cfk_ oy2 secret_
    t40-200 dp.st. dp.ct. ATCTT3 glc_ glsa_
    h32-40 dapi SK squ_ sqp_ sqa_ sbp_
    w36 pat-eu1- pat-na1-
    t60-999 xoxe.xoxp- xoxe.xoxb- xoxe-1- fm2_
    t12-999 xoxp-
"""


class Shape(NamedTuple):
    """An alphabet, and the least and the most characters of it."""

    alphabet: str
    least: int
    most: int

    def __str__(self) -> str:
        most = "" if self.most == self.least else f"-{min(self.most, FAR)}"
        return f"{self.alphabet}{self.least}{most}"


def written() -> str:
    """The text of `core/secret_prefixes.py`."""
    program = str(Path(sys.executable).parent / "betterleaks")  # of this very environment
    config = [program, "config", "show", "toml"]
    shown = subprocess.run(config, capture_output=True, text=True, check=True)
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True)
    begin: dict[str, set[str]] = {}
    beside: dict[str, set[str]] = {}
    for rule in tomllib.loads(shown.stdout)["rules"]:
        for prefix, shape in prefixes(rule):
            begin.setdefault(str(shape), set()).add(prefix)
        for name, shape in names(rule):
            beside.setdefault(str(shape), set()).add(name)
    for line in MORE.strip().splitlines():
        shape_, *words = line.split()
        begin.setdefault(shape_, set()).update(words)
    head = HEAD.format(version=version.stdout.strip())
    return head + _table("PREFIXES", begin) + "\n" + _table("NAMES", beside)


def _table(name: str, table: dict[str, set[str]]) -> str:
    """A table, an alphabet a line."""
    lines = (
        "    " + " ".join(f"{shape}: {' '.join(sorted(table[shape]))}" for shape in shapes)
        for _, shapes in groupby(sorted(table), key=lambda shape: shape[0])
    )
    return f'{name} = """\n' + "\n".join(lines) + '\n"""\n'


def prefixes(rule: dict[str, Any]) -> Iterator[tuple[str, Shape]]:
    """How a rule's tokens begin, where by fixed characters of their own, and what follows."""
    if (value := _value(rule)) is None:
        return
    shape = _shape(value)
    for prefix in set(_beginnings(value)[0]):
        own = re.search(r"[_.$+/-]", prefix) or (
            re.search(r"[A-Z]", prefix[1:]) and len(prefix) > 3
        )
        whole = shape.least == shape.most > 30 and re.search("[a-z]", prefix)
        if (own or whole) and len(prefix) > 2 and not PUBLIC.match(prefix):
            least = max(shape.least - len(prefix), 8)
            yield prefix, Shape(shape.alphabet, least, max(least, shape.most - len(prefix)))


def names(rule: dict[str, Any]) -> Iterator[tuple[str, Shape]]:
    """The services beside whose names a rule's tokens stand, where nothing else tells them."""
    value = _value(rule)
    if value is None or any(True for _ in prefixes(rule)) or "(" not in rule["regex"]:
        return
    shape = _shape(value)
    name = rule["id"].partition("-")[0]
    if 19 < shape.least <= shape.most < FAR and any(name in word for word in rule["keywords"]):
        yield name, shape


def _value(rule: dict[str, Any]) -> Any:
    """The part of a rule's pattern that is the secret, or None for a rule of something else."""
    if NO_SECRET.search(rule["id"]) or "regex" not in rule:
        return None
    # RE2 spells these otherwise.
    pattern = rule["regex"].replace("(?i)", "").replace(r"\z", r"\Z")
    tree = re._parser.parse(pattern.replace("[:alnum:]", "A-Za-z0-9"))  # type: ignore[attr-defined]  # there is no public one
    groups = list(_groups(tree))
    return groups[-1] if groups else tree


def _shape(tree: Any) -> Shape:
    """The shape of what a pattern matches."""
    found = set(_characters(tree))
    least, most = tree.getwidth()
    for alphabet, allowed in ALPHABETS.items():
        if found <= set(allowed):
            return Shape(alphabet, least, min(most, FAR))
    return Shape("t", least, min(most, FAR))


def _characters(tree: Any) -> Iterator[str]:
    """The characters of a pattern's classes, and those that stand behind the first of these."""
    behind = False
    for name, value in tree:
        kind = str(name)
        if kind == "LITERAL" and behind:
            yield chr(value)
        elif kind == "IN":
            for sort, of in value:
                yield from (chr(of) if str(sort) == "LITERAL" else "")
                yield from map(chr, range(of[0], of[1] + 1) if str(sort) == "RANGE" else ())
                yield from string.printable[:62] + "_" if "WORD" in str(of) else ""
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from _characters(branch)
        elif kind == "SUBPATTERN":
            yield from _characters(value[3])
        elif "REPEAT" in kind:
            yield from _characters(value[2])
        behind = behind or kind != "LITERAL"


def _groups(tree: Any) -> Iterator[Any]:
    """What a pattern captures, in order."""
    for name, value in tree:
        if str(name) == "SUBPATTERN":
            if value[0]:
                yield value[3]
            yield from _groups(value[3])
        elif str(name) == "BRANCH":
            for branch in value[1]:
                yield from _groups(branch)


def _beginnings(tree: Any) -> tuple[list[str], bool]:
    """The fixed characters that a pattern begins with, and whether it has no others."""
    begun = [""]
    for name, value in tree:
        more, whole = [""], True
        if str(name) == "LITERAL":
            more = [chr(value)]
        elif str(name) == "IN":
            more = [chr(code) for kind, code in value if str(kind) == "LITERAL"]
            whole = len(more) == len(value)
        elif str(name) == "SUBPATTERN":
            more, whole = _beginnings(value[3])
        elif str(name) == "BRANCH":
            found = [_beginnings(branch) for branch in value[1]]
            more, whole = [one for some, _ in found for one in some], all(w for _, w in found)
        elif str(name) != "AT" and not str(name).startswith("ASSERT"):
            return begun, False
        if len(begun) * len(more) > MOST or (str(name) == "IN" and not whole):
            return begun, False
        begun = [first + then for first, then in product(begun, more)]
        if not whole:
            return begun, False
    return begun, True


if __name__ == "__main__":
    raise SystemExit(kept(TARGET, written(), sys.argv[1:]))

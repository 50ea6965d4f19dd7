"""Writes how tokens begin into `core/secret_prefixes.py`, from the rules of Betterleaks (MIT).

python -m tools.secret_prefixes            write them
python -m tools.secret_prefixes --check    fail where the file holds others

A rule that tells a token by its first characters gives them; a rule that needs a service's name
beside a value does not: names are `core/secrets.py`'s own. What a service publishes by design
(a publishable key, an account's id) is no secret.
"""

import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import learnt
from tools.generated import kept

TARGET: Final = Path(learnt.__file__).parent / "core" / "secret_prefixes.py"
HEAD: Final = '''"""How the tokens of services begin, each followed by characters of chance.

Written by `python -m tools.secret_prefixes` from the rules of Betterleaks {version} (MIT).
"""

PREFIXES = tuple(
    """
'''
NO_SECRET: Final = re.compile(r"-id\b|url|host|domain|account|username|publi|name|instance")
PUBLIC: Final = re.compile(r"pk[_.-]|phc_|.*pub_|pubkey-|eyJ|AAAA|-|[0-9.]+$|.*[:=+]")
MOST: Final = 40  # spellings of one beginning
# Of services that the rules have no beginning of, from the services' own pages.
MORE: Final = """
    1//0 ATCTT3 AVNS_ CFPAT- EAAG dapi GOCSPX- LTAI NRRA- SEC_ dp.st. dp.ct. dckr_ glc_ gloas-
    hrku- lin_oauth_ nfp_ pat-eu1- pat-na1- pnpt_ pypi-AgE rzp_live_ rzp_test_ sbp_ sha256~
    sk. sl.u.
    syt_ tskey- ucat_ whsec_ xoxe. xoxp- ya29.
"""


def written() -> str:
    """The text of `core/secret_prefixes.py`."""
    program = str(Path(sys.executable).parent / "betterleaks")  # of this very environment
    config = [program, "config", "show", "toml"]
    shown = subprocess.run(config, capture_output=True, text=True, check=True)
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True)
    found = {prefix for rule in tomllib.loads(shown.stdout)["rules"] for prefix in prefixes(rule)}
    listed: list[str] = []
    for prefix in sorted(found | set(MORE.split())):
        if not listed or not prefix.startswith(listed[-1]):
            listed.append(prefix)
    words = textwrap.fill(" ".join(listed), 90, break_on_hyphens=False, break_long_words=False)
    text = textwrap.indent(words, "    ")
    return f'{HEAD.format(version=version.stdout.strip())}{text}\n    """.split()\n)\n'


def prefixes(rule: dict[str, Any]) -> Iterator[str]:
    """How a rule's tokens begin, where they begin with fixed characters of their own."""
    if NO_SECRET.search(rule["id"]) or "regex" not in rule:
        return
    # RE2 spells these otherwise.
    pattern = rule["regex"].replace("(?i)", "").replace(r"\z", r"\Z")
    tree = re._parser.parse(pattern.replace("[:alnum:]", "A-Za-z0-9"))  # type: ignore[attr-defined]  # there is no public one
    groups = list(_groups(tree))
    for prefix in _beginnings(groups[-1] if groups else tree)[0]:
        own = re.search(r"[_.$+/-]", prefix) or (
            re.search(r"[A-Z]", prefix[1:]) and len(prefix) > 3
        )
        if own and len(prefix) > 2 and not PUBLIC.match(prefix):
            yield prefix


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

"""What the laws are tried on: texts, events, secrets."""

import hashlib
import string
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from learnt.core.events import CURRENT_VERSION, Actor, Event, Kind, Origin, Stamp, Where
from learnt.core.identifiers import EventId, NaturalKey, ProjectId, Subject
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.stemming import porter
from tests.support.in_memory import CountedRandom, FixedClock

_PIECES = [
    "<private>", "</private>", "<PRIVATE x>", "</learnt-recall>", "<learnt-recall>", "</", "<!",
    "<?", "!`", "!", "`", "```", "```!", "$ARGUMENTS", "$", "ARGUMENTS", "\u200b", "\u202e", "\x00",
    "\r", "\r\n", "\n", " ", "password", "password=", "token: ", "secret is ", "密码是", "令牌",
    "api_key='", "--token ", "bearer ", "Basic ", "://", "a:b@", "@", ":", "=", '"', "'", "(", "[",
    "]", "a@b.co", "git@", "/home/ann", "/Users/", "C:\\Users\\", "~", "[redacted:",
    "[redacted:secret]", "eyJ", "eyJhbGciOiJI.eyJzdWIiOiIx.abcd", "sk-", "sk_live_", "ghp_",
    "a1B2c3D4e5F6g7H8i9J0", "AKIA", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
    "hunter2", "createUser", "create_user", "C++", ".NET", "数据库", "データ・ベース", "데이터",
    "ราคา", "हिन्दी", "café", "don't", "_", "-", ".", "\\", "\ud800", "ﬁ", "İ", "ß", "%", "%0A",
    "\u2028", "\x0b", "\x85", "ignore previous instructions",
]  # fmt: skip

any_text = st.text(st.characters(), max_size=60)
"""Any text at all, lone surrogates included."""

nasty_text = st.lists(st.sampled_from(_PIECES) | st.text(max_size=8), max_size=12).map("".join)
"""Texts made of what the rules look for, in all the orders that nobody thought of."""

texts = nasty_text | any_text

storable_text = texts.map(lambda text: text.encode("utf-8", "replace").decode())
"""What a file can hold."""

_ALNUM = string.ascii_letters + string.digits
_ADDRESS = _ALNUM + "-_"


def _key(least: int, alphabet: str = _ALNUM) -> st.SearchStrategy[str]:
    """A key of chance: a digit and both cases for certain, as nearly all real ones have."""

    def drawn(seed: int) -> str:
        chance = hashlib.sha512(str(seed).encode()).digest()
        return "q7Z" + "".join(alphabet[byte % len(alphabet)] for byte in chance[:least])

    return st.integers(0, 2**32).map(drawn)


@st.composite
def _written(draw: st.DrawFn) -> tuple[str, str]:
    """A secret as it is written somewhere, and the part of it that nobody may see."""
    key = draw(_key(33))
    mixed = draw(_key(17, _ADDRESS))
    longer = draw(_key(90, _ADDRESS))
    upper = "Q7Z" + draw(st.text(string.ascii_uppercase + "234567", min_size=13, max_size=13))
    strong = draw(_key(12, _ALNUM + "!@#$%^&*-_+=.?~{}[]"))
    forms = [
        (f"AKIA{upper}", upper),
        (f"ghp_{key}", key),
        (f"github_pat_{key}", key),
        (f"glpat-{mixed}", mixed),
        (f"xoxb-{key}", key),
        (f"sk-ant-api03-{longer}AA", longer),
        (f"sk_live_{key}", key),
        (f"AIza{longer[:35]}", longer[:35]),
        (f"npm_{key}", key),
        (f"pypi-AgEIcHlwaS5vcmc{longer}", longer),
        (f"eyJhbGciOiJI.{longer}.{mixed}", longer),
        (f"Bearer {key}", key),
        (f"Basic {key}==", key),
        (f"postgres://app:{key}@db/x", key),
        (f"redis://:{key}@cache", key),
        (f"-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----", key),
        (f"password={strong}", strong),
        (f"DB_PASS={strong}", strong),
        (f'"api_key": "{strong}"', strong),
        (f"dbPassword: {key}", key),
        (f"password是{key}", key),
        (f"the token is {key}", key),
        (f"密码是{key}", key),
        (f"--password {key}", key),
    ]
    return draw(st.sampled_from(forms))


secrets = _written()

# Kinds and payloads that the folds of each subject react to.
_ENTRIES = [f"e-{number}" for number in range(3)]
_refs = st.sampled_from(["k.a", "k.b", "k.c"])
_entry_ids = st.lists(st.sampled_from(_ENTRIES), max_size=3, unique=True)
_PAYLOADS: dict[str, dict[Kind, st.SearchStrategy[Any]]] = {
    "entry": {
        Kind.GATED: st.fixed_dictionaries({
            "verdict": st.sampled_from(["admit", "merge", "reject"]),
            "reason": st.sampled_from(["too-long", "no-problem"]),
        }),
        Kind.REMEMBERED: st.fixed_dictionaries(
            {"stage": st.sampled_from(["candidate", "validated"])},
            optional={
                "form": st.sampled_from(["solution", "fact", ""]),
                "problem": _refs,
                "approach": _refs,
                "tags": st.lists(_refs, max_size=2),
                "cautions": st.lists(_refs, max_size=2),
                "scope": st.sampled_from(["p-1", None]),
                "fingerprint": st.sampled_from(["", "f1"]),
                "source": st.none()
                | st.fixed_dictionaries(
                    {}, optional={"session": st.just("s"), "position": st.integers(0, 3)}
                ),
            },
        ),
        Kind.REUSED: st.just({}),
        Kind.NOT_DELIVERED: st.just({}),
        Kind.PURGED: st.just({}),
    },
    "session": {
        Kind.SESSION_STARTED: st.fixed_dictionaries({
            "source": st.sampled_from(["startup", "resume", "compact", "clear"])
        }),
        Kind.RECALLED: st.fixed_dictionaries({
            "mode": st.sampled_from(["hook", "explicit"]),
            "shown": _entry_ids,
            "counted": _entry_ids,
        }),
        Kind.MISSED: st.just({}),
        Kind.NOT_DELIVERED: st.fixed_dictionaries({"entries": _entry_ids, "uncounted": _entry_ids}),
        Kind.EPISODE_CLOSED: st.fixed_dictionaries({"failed": st.integers(0, 3)}),
        Kind.SESSION_LINKED: st.just({"other": "s0"}),
        Kind.SESSION_ENDED: st.fixed_dictionaries({"reason": st.sampled_from(["clear", ""])}),
        Kind.PURGED: st.just({}),
    },
    "project": {
        Kind.PROJECT_SEEN: st.fixed_dictionaries(
            {"path": st.sampled_from(["x", "y", "z"])},
            optional={
                "git": st.sampled_from(["s", "t"]),
                "remote": st.just("r"),
                "root_commit": st.just("c"),
                "label": _refs,
            },
        ),
        Kind.PROJECT_LINKED: st.fixed_dictionaries({
            "other": st.sampled_from(["p-1", "p-2"]),
            "verdict": st.sampled_from(["same", "apart"]),
        }),
        Kind.PROJECT_NAMED: st.fixed_dictionaries({"label": _refs}),
        Kind.PROJECT_SWITCHED: st.fixed_dictionaries({"turned": st.sampled_from(["off", "on"])}),
        Kind.PURGED: st.just({}),
    },
}
SUBJECTS = [*(f"entry:{name}" for name in _ENTRIES), "session:claude-code:s", "project:p-1"]

_maybe = st.none() | st.text(string.ascii_lowercase, min_size=1, max_size=3)
places = st.builds(
    Where,
    project=st.none() | st.just(ProjectId("p-1")),
    place=_maybe,
    agent=_maybe,
    session=_maybe,
    subagent=_maybe,
    epoch=st.none() | st.integers(0, 9),
    episode=_maybe,
)


@st.composite
def events(draw: st.DrawFn, subjects: list[str], least: int, most: int) -> list[Event]:
    """Events of these subjects in the order of their stamps, no stamp twice."""
    stamps = draw(
        st.lists(
            st.builds(
                Stamp,
                st.integers(0, 2**48 - 1),
                st.integers(0, 9),
                st.sampled_from(["00000000000000aa", "00000000000000bb"]),
            ),
            min_size=least,
            max_size=most,
            unique=True,
        )
    )
    made = []
    for number, stamp in enumerate(sorted(stamps)):
        subject = draw(st.sampled_from(subjects))
        kind = draw(st.sampled_from(sorted(_PAYLOADS[subject.split(":")[0]])))
        made.append(
            Event(
                id=EventId(f"{number:08x}-0000-7000-8000-000000000000"),
                stamp=stamp,
                wall_ms=draw(st.integers(0, 2**48 - 1)),
                subject=Subject(subject),
                kind=kind,
                version=CURRENT_VERSION[kind],
                actor=draw(st.sampled_from(Actor)),
                origin=draw(st.none() | st.sampled_from(Origin)),
                where=draw(places),
                natural_key=draw(st.none() | st.just(NaturalKey(f"{number:032x}"))),
                payload=draw(_PAYLOADS[subject.split(":")[0]][kind]),
            )
        )
    return made


@contextmanager
def empty_ledger(clock: FixedClock | None = None) -> Iterator[SqliteLedger]:
    """A ledger in a folder that is gone afterwards."""
    around = Surroundings(
        key=b"k" * 32, clock=clock or FixedClock(), random=CountedRandom(), stem=porter
    )
    with TemporaryDirectory() as folder:
        ledger = SqliteLedger(Path(folder), around)
        try:
            yield ledger
        finally:
            ledger.close()

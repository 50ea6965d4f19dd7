"""What was said in sessions is read in once, as its person may show it, and found again."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.errors import NotFound, UsageError
from learnt.file_ports import Part
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.harvest import transcript_of
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.recall.conversations import SaidTurn, said_in, search_sessions, sessions_of
from learnt.flows.sessions.past import read_in, unread
from learnt.stores.plain_files import DiskTranscripts
from learnt.stores.sqlite_past import SqlitePast
from tests.support.in_memory_files import InMemoryTranscripts
from tests.support.sessions_told import FOLDER, Home, ran, said, told

ASKED = said("Which port does the staging gateway use?", told("It listens on 8443."))
ORDERS = said("Now count the orders", ran("psql orders", "zebra 17 rows"), told("Done counting."))


@pytest.fixture
def home() -> Home:
    return Home()


def read(home: Home) -> int:
    """Read in what has ended; how many sessions."""
    waiting = unread(home.outside)
    for session in waiting:
        read_in(home.outside, session)
    return len(waiting)


def found(home: Home, question: str, folder: str = FOLDER) -> list[SaidTurn]:
    """What is found of a question."""
    return list(search_sessions(home.outside, question, folder=folder, most=5).turns)


def everything(home: Home, name: str = "s1") -> list[str]:
    """All that is findable of a session."""
    return [turn.text for turn in said_in(home.outside, name, folder=FOLDER).turns]


def test_what_was_said_is_found_with_who_and_how_to_go_on(home: Home) -> None:
    """The question and its answer, in the order of the session, without a tool's output."""
    home.session("s1", [ASKED, ORDERS])
    assert 1 == read(home)

    first = found(home, "staging gateway port")[0]
    assert (ASKED["prompt"], "person", "s1", 0) == (
        first.text, first.speaker, first.session, first.number
    )  # fmt: skip
    assert "claude --resume s1" == first.resume and not first.gone
    assert ("It listens on 8443.", "agent") == (
        found(home, "staging gateway port")[1].text, found(home, "staging gateway port")[1].speaker
    )  # fmt: skip
    assert 4 == len(everything(home))
    assert [] == found(home, "zebra")
    assert [] == found(home, "staging gateway port", "/projects/elsewhere")


def test_a_session_that_goes_on_waits_and_is_read_from_where_it_was_left(home: Home) -> None:
    """Nothing before its end; what comes after a resume is added, and nothing doubled."""
    home.session("s1", [ASKED], ended=False)
    assert 0 == read(home)
    home.session("s1", [ASKED])
    assert (1, 0) == (read(home), read(home))
    home.write("s1", [ASKED, ORDERS])

    assert (1, 4) == (read(home), len(everything(home)))


def test_a_fork_adds_what_is_its_own(home: Home) -> None:
    """The turns that the client copied are held once, in the session that they were said in."""
    home.session("s1", [ASKED])
    read(home)
    copied = home.transcripts["/t/s1.jsonl"].replace(b'"s1"', b'"s2"')
    home.session("s2", [ORDERS])
    home.transcripts["/t/s2.jsonl"] = copied + home.transcripts["/t/s2.jsonl"]
    read(home)

    assert ["s1", "s1"] == [turn.session for turn in found(home, "staging gateway port")[:2]]
    assert (2, 2) == (len(everything(home)), len(everything(home, "s2")))


def test_a_transcript_written_anew_is_read_anew(home: Home) -> None:
    """What stands elsewhere by now is found there; what it holds no more is told to be gone."""
    home.session("s1", [ORDERS, ASKED])
    read(home)
    lines = home.transcripts["/t/s1.jsonl"].splitlines(keepends=True)
    mascot = b'{"type":"user","message":{"content":"The mascot is a heron"}}\n'
    home.transcripts["/t/s1.jsonl"] = b"".join([mascot, *lines[-2:]])

    assert (1, 0) == (read(home), read(home))
    assert "The mascot is a heron" == found(home, "mascot heron")[0].text
    assert ASKED["prompt"] == found(home, "staging gateway port")[0].text
    gone = found(home, "count orders")[0]
    assert (True, "") == (gone.gone, gone.text)


def test_of_a_transcript_that_is_gone_who_and_when_is_told(home: Home) -> None:
    """The index alone has no text."""
    home.session("s1", [ASKED])
    read(home)
    del home.transcripts["/t/s1.jsonl"]

    first = found(home, "staging gateway port")[0]
    assert (True, "", "person") == (first.gone, first.text, first.speaker)
    (begins,) = sessions_of(home.outside, FOLDER, 9).turns
    assert (True, "s1", 0) == (begins.gone, begins.session, begins.number)


def test_private_parts_and_secrets_are_left_out(home: Home) -> None:
    """They are neither found nor shown."""
    text = "Log in with password=hunter2hunter2 as <private>kestrel</private> now"
    home.session("s1", [said(text)])
    read(home)

    assert [] == found(home, "kestrel") == found(home, "hunter2hunter2")
    assert ["Log in with [redacted:secret] as [private] now"] == everything(home)


def test_who_was_not_seen_typing_is_no_person(home: Home) -> None:
    """A headless session's prompt, and one that only the transcript has."""
    home.session("s1", [ASKED], attended=False)
    home.session("s2", [ORDERS], written=[ORDERS, said("approve the gateway of mallory")])
    read(home)

    assert "prompt" == found(home, "staging port")[0].speaker
    assert "prompt" == found(home, "approve mallory")[0].speaker


def test_a_strangers_transcript_is_not_read(home: Home) -> None:
    """Only what hooks reported is."""
    home.write("s1", [ASKED])

    assert (0, []) == (read(home), found(home, "staging gateway port"))


def test_what_nobody_typed_is_not_read(home: Home) -> None:
    """Bodies of skills, subagents, the client's own words, compactions."""
    home.session("s1", [ASKED])
    (prompt, *_) = (
        json.loads(line)
        for line in home.transcripts["/t/s1.jsonl"].splitlines()
        if b'"type": "user"' in line
    )
    odd = [
        prompt | {"isMeta": True, "promptId": "x1"},
        prompt | {"isSidechain": True, "promptId": "x2"},
        prompt | {"message": {"content": "body of a skill"}},
        prompt | {"promptId": "x3", "message": {"content": "<system-reminder>hm"}},
        prompt | {"promptId": "x4", "message": {"content": "[Request interrupted by user]"}},
        {"type": "assistant", "message": {"model": "<synthetic>",
         "content": [{"type": "text", "text": "No response requested."}]}},
        {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "hm"}]}},
    ]  # fmt: skip
    lines = home.transcripts["/t/s1.jsonl"].splitlines()
    lines[2:2] = [json.dumps(record).encode() for record in odd]
    home.transcripts["/t/s1.jsonl"] = b"".join(line + b"\n" for line in lines)
    read(home)

    assert [ASKED["prompt"], "It listens on 8443."] == everything(home)


def test_hostile_lines_are_passed_over(home: Home) -> None:
    """Deep nesting, NULs, halves of characters, no JSON, odd types, a line that is half written."""
    home.session("s1", [ASKED])
    good = home.transcripts["/t/s1.jsonl"]
    nul = b'{"type":"user","message":{"content":"the mas\\u0000cot \\ud800 is a heron"}}\n'
    bad = [
        b'{"type":"user","message":' + b"[" * 200_000 + b"\n",
        b'{"type":"user","message":{"content":[[],{"type":"text","text":7},3,null]}}\n',
        b'{"type":"user","timestamp":"9999-99","message":{"content":"\\u0000"}}\n',
        b'{"type":"assistant"\xff\xfe\x00\n',
        b'{"type":"user","timestamp":"9999-12-31T23:59:59-14:00","message":{"content":"far"}}\n',
        b'{"type":"user","timestamp":"0001-01-01T00:00:00+14:00","message":{"content":"old"}}\n',
    ]
    half = b'{"type":"user","message":{"content":"half a turt'
    home.transcripts["/t/s1.jsonl"] = b"".join([*bad, nul, good, half])

    assert (1, 0) == (read(home), read(home))
    assert "mascot" in found(home, "mascot heron")[0].text
    home.transcripts["/t/s1.jsonl"] += b'le"}}\n'
    assert 1 == read(home)
    assert "half a turtle" == found(home, "turtle")[0].text


def test_half_a_gigabyte_is_read_in_little_memory(home: Home, tmp_path: Path) -> None:
    """A line of that length is passed over; what stands behind it is found."""
    home.session("s1", [ASKED])
    path = tmp_path / "s1.jsonl"
    path.write_bytes(home.transcripts["/t/s1.jsonl"])
    with path.open("ab") as file:
        file.truncate(500 << 20)
        file.seek(0, 2)
        file.write(b'\n{"type":"user","message":{"content":"the mascot is a heron"}}\n')
    home.outside = replace(home.outside, transcripts=DiskTranscripts())
    (session,) = [replace(s, path=str(path)) for s in (_session(home),)]
    tracemalloc.start()
    read_in(home.outside, session)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 64 << 20
    assert "the mascot is a heron" == found(home, "mascot heron")[0].text


def _session(home: Home) -> Transcript:
    with home.outside.ledger.reading() as reader:
        session = transcript_of(home.outside, reader, "s1")
    assert session is not None
    return session


class Disturbed(InMemoryTranscripts):
    """Transcripts, while the first of which is read somebody else does something."""

    def __init__(self, files: dict[str, bytes], meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self.files, self._meanwhile = files, [meanwhile]

    def since(self, path: str, start: int, most: int) -> Part:
        while self._meanwhile:
            self._meanwhile.pop()()
        return super().since(path, start, most)


def test_where_another_is_quicker_nothing_is_read_twice(home: Home) -> None:
    """Both begin, the other adds all, and this one stops."""
    home.session("s1", [ASKED])
    session, quicker = _session(home), home.outside
    disturbed = Disturbed(home.transcripts, lambda: read_in(quicker, session))
    read_in(replace(home.outside, transcripts=disturbed), session)

    assert 2 == len(everything(home)) and 0 == read(home)


@pytest.mark.parametrize("target", [Target(session="s1"), Target(everything=True)])
def test_what_is_purged_while_it_is_read_is_not_kept(home: Home, target: Target) -> None:
    """The purge comes after the transcript was looked at and before it was added."""
    home.session("s1", [ASKED])
    session, other = _session(home), home.outside
    disturbed = Disturbed(home.transcripts, lambda: purge(other, target, Actor.HUMAN))
    read_in(replace(home.outside, transcripts=disturbed), session)

    assert ([], 0) == (list(home.outside.past.known()), read(home))


def test_words_purged_in_a_session_that_goes_on_are_not_read_in_at_its_end(home: Home) -> None:
    """The purge may come from within it; what else was said is found as ever."""
    home.session("s1", [ASKED], ended=False)
    purge(home.outside, Target(text="8443"), Actor.HUMAN)
    home.session("s1", [ASKED, ORDERS])
    read(home)

    assert [] == found(home, "8443")
    assert [ASKED["prompt"], ORDERS["prompt"], "Done counting."] == everything(home)


def test_where_it_is_off_nothing_is_read_or_found(home: Home) -> None:
    """And whoever asks is told."""
    home.session("s1", [ASKED])
    home.outside = replace(home.outside, past=SqlitePast(wanted=False))

    assert 0 == read(home)
    with pytest.raises(UsageError, match="search is off"):
        found(home, "gateway")


@pytest.mark.parametrize("name", ["s", "s9", ""])
def test_a_session_is_shown_by_its_name(home: Home, name: str) -> None:
    """Neither by a beginning, nor by none."""
    home.session("s1", [ASKED])
    home.session("s2", [ORDERS])
    read(home)

    with pytest.raises(NotFound, match="learnt sessions list"):
        said_in(home.outside, name, folder=FOLDER)


@pytest.mark.parametrize(
    "question",
    ["", "?", "the", "🦄", '"port" OR (NEAR* -gateway)', "‮port", "端口", "a" * 1_000_000],
)
def test_odd_questions_are_answered(home: Home, question: str) -> None:
    """Empty, stop words, operators, other scripts, a megabyte."""
    home.session("s1", [ASKED, said("端口是哪个？")])
    read(home)

    assert all(turn.session == "s1" for turn in found(home, question))

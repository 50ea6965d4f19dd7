"""A home in which every command is called in this one process, by a person or by an agent."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import anyio

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.payloads.entry_events import EntryDecided
from learnt.flows.sessions.answer import respond
from learnt.flows.stored import append
from learnt.formats.wire import Frame
from learnt.settings import Settings
from learnt.surfaces.cli.commands import run
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from tests.golden.steady import Steady
from tests.support.homes import Home
from tests.support.screens import Keyboard, Screen
from tests.support.transcripts import session_frames, session_lines

SESSION = "mcp-session"
ENTRY = re.compile(r"\be-[0-9a-z]{14}\b")
NAMED = re.compile(rf'{ENTRY.pattern}|(?<="handle": ")[0-9a-z]{{5}}|(?<="handle":")[0-9a-z]{{5}}')
PROPOSAL = re.compile(r"\b(?:skill|route|edit|topic|version|merge|retire|rollback)-[0-9a-f]{10}\b")


class Stage:
    """Calls commands and keeps what they answer, in a steady form."""

    def __init__(self, home: Home, *, as_json: bool) -> None:
        self.home, self._as_json = home, as_json
        self.kept: list[dict[str, Any]] = []
        self.said = ""  # the last answer as it was printed
        self._steady = Steady({str(home.folder): "FOLDER"})

    def agent(self, *words: str, stdin: str = "", text: bool = False) -> str:
        """A call without a terminal; with `text` the command has no `--json`."""
        return self._called("agent", words, stdin, text=text)

    def person(self, *words: str, typed: str = "", text: bool = False) -> str:
        """A call on a terminal, with what is typed there."""
        return self._called("person", words, typed, text=text)

    def entry(self) -> str:
        """The id of the first entry that the last answer names."""
        return self._named(ENTRY)

    def proposal(self) -> str:
        """The id of the first proposal that the last answer names."""
        return self._named(PROPOSAL)

    def _named(self, name: re.Pattern[str]) -> str:
        found = name.search(self.said)
        assert found, self.said
        return found[0]

    def _called(self, by: str, words: tuple[str, ...], typed: str, *, text: bool) -> str:
        as_json = self._as_json and not text
        given = (*words, "--json") if as_json else words
        with self.surroundings():
            output = Screen() if by == "person" else StringIO()
            errors, keyboard = StringIO(), sys.stdin
            piped = TextIOWrapper(BytesIO(typed.encode()), encoding="utf-8")
            sys.stdin = Keyboard(typed) if by == "person" else piped
            try:
                with redirect_stdout(output), redirect_stderr(errors):
                    try:
                        code: object = run(given)
                    except SystemExit as left:  # folder mode's own parser leaves so
                        code = left.code
            finally:
                sys.stdin = keyboard
        self.said = output.getvalue() + errors.getvalue()
        call = {"call": self._steady(" ".join(words)), "by": by, "exit": code}
        call |= {"errors": self._steady(errors.getvalue()).split("\n")} if errors.getvalue() else {}
        steady = self._steady(output.getvalue())
        self.kept.append(call | (_read(steady) if as_json else {"text": steady.split("\n")}))
        return self.said

    @contextmanager
    def surroundings(self) -> Iterator[None]:
        """The environment and the folder of a shell in the project."""
        kept, back = dict(os.environ), Path.cwd()
        given = self.home.environment | {"NO_COLOR": "1", "COLUMNS": "100"}
        os.environ.clear()
        os.environ.update(given)
        os.chdir(self.home.project)
        try:
            yield
        finally:
            os.chdir(back)
            os.environ.clear()
            os.environ.update(kept)

    def reported(self, name: str, *turns: Mapping[str, Any], ended: bool = True) -> Path:
        """A session as the hooks reported it, with its transcript."""
        path = self.home.folder / f"{name}.jsonl"
        folder = str(self.home.project)
        lines = session_lines(turns, name, folder=folder)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        frames = session_frames(turns, name, folder=folder, transcript=str(path))
        self._reported(frame for frame in frames if ended or frame.event != "SessionEnd")
        return path

    def _reported(self, frames: Iterable[Frame]) -> None:
        with opened(Settings(home=self.home.path)) as outside:
            for frame in frames:
                respond(outside, frame, lambda: False)

    def decided(self, entry: str, *decisions: EntryDecided) -> None:
        """What nobody calls a command for: what the coin and the worker decided on an entry."""
        with opened(Settings(home=self.home.path)) as outside, outside.ledger.writing() as writer:
            for decision in decisions:
                append(writer, entry_subject(EntryId(entry)), Actor.LEARNT, decision)

    def tools(self, calls: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        """Call the MCP server's tools by the SDK's own client; `{}` is the last entry named.

        `{before}` is the one that was named before it.
        """
        with self.surroundings():
            anyio.run(self._tools, list(calls))

    async def _tools(self, calls: list[tuple[str, Mapping[str, Any]]]) -> None:
        # The SDK takes a second to load: not while tests are collected.
        from mcp import Client as Connected
        from mcp.types import TextContent

        from learnt.surfaces.agent_calls import Client
        from learnt.surfaces.mcp_server import server_of

        settings = Settings(home=self.home.path)
        ledgers = Ledgers(quick=LedgerThread(lambda: settings), slow=LedgerThread(lambda: settings))
        here = Client(folder=str(self.home.project), session=SESSION)
        try:
            async with Connected(server_of(ledgers, here)) as client:
                listed = (await client.list_tools()).tools
                told = [tool.model_dump(mode="json", exclude_none=True) for tool in listed]
                self.kept.append({"call": "tools/list", "answer": told})
                entry = before = ""
                for name, arguments in calls:
                    given = {
                        key: {"{}": entry, "{before}": before}.get(str(value), value)
                        for key, value in arguments.items()
                    }
                    done = await client.call_tool(name, given)
                    (block,) = done.content
                    assert isinstance(block, TextContent)
                    found = NAMED.search(block.text)
                    if found and found[0] != entry:
                        before, entry = entry, found[0]
                    self._kept_call(name, given, done.is_error, block.text, done.structured_content)
        finally:
            for ledger in ledgers:
                ledger.close()

    def _kept_call(
        self, name: str, given: Mapping[str, Any], failed: bool | None, text: str, typed: Any
    ) -> None:
        call = {"call": name, "given": json.loads(self._steady(json.dumps(given)))}
        if failed:
            self.kept.append(call | {"refused": self._steady(text)})
            return
        assert json.loads(text) == typed
        self.kept.append(call | {"answer": json.loads(self._steady(text))})


def _read(printed: str) -> dict[str, Any]:
    """What was printed: as JSON where it is, else as lines."""
    if not printed:
        return {}
    with suppress(ValueError):
        return {"answer": json.loads(printed)}
    return {"text": printed.split("\n")}

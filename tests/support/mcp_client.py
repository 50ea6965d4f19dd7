"""The SDK's own client, called as if it were plain functions, and a server of ours behind it.

The SDK takes a second to load: it is, once a server is asked for.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import IO, TYPE_CHECKING, Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from learnt.settings import Settings, load
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from tests.support.homes import LEARNT, Home

if TYPE_CHECKING:
    from mcp import Client, StdioServerParameters
    from mcp.types import Tool

SESSION = "mcp-session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a call gave: the typed content, or the text of an error."""

    failed: bool
    typed: dict[str, Any]
    text: str

    def __getitem__(self, name: str) -> Any:
        assert not self.failed, self.text
        return self.typed[name]


class Served:
    """One `learnt mcp`, and its client."""

    def __init__(self, portal: BlockingPortal, client: "Client", errors: IO[str]) -> None:
        self._portal, self._client, self._errors = portal, client, errors

    @property
    def instructions(self) -> str:
        return self._client.instructions or ""

    @property
    def errors(self) -> str:
        """What it wrote to standard error so far."""
        self._errors.seek(0)
        return self._errors.read()

    def tools(self) -> "dict[str, Tool]":
        return {tool.name: tool for tool in self._portal.call(self._client.list_tools).tools}

    def resources(self) -> dict[str, str]:
        """The descriptions of the first page of resources, by address."""
        listed = self._portal.call(self._client.list_resources).resources
        return {str(each.uri): each.description or "" for each in listed}

    def prompt(self, name: str) -> str:
        """The text of a prompt that is listed. Raises the SDK's error for any other."""
        (message,) = self._portal.call(self._client.get_prompt, name).messages
        listed = self._portal.call(self._client.list_prompts).prompts
        assert name in {each.name for each in listed}
        return str(getattr(message.content, "text", ""))

    def read(self, uri: str) -> list[str]:
        """The texts at an address. Raises the SDK's error where it is refused."""
        contents = self._portal.call(self._client.read_resource, uri).contents
        return [each.text for each in contents if hasattr(each, "text")]

    def __call__(self, name: str, /, **arguments: Any) -> Answer:
        """Call a tool."""
        answer: Answer = self._portal.call(self._call, name, arguments)
        return answer

    def during(self, name: str, /, **arguments: Any) -> tuple[bool, Answer]:
        """Call a tool, and for the list and the status meanwhile: whether these came first."""
        found: tuple[bool, Answer] = self._portal.call(self._during, name, arguments)
        return found

    def called(self, call: str, name: str, /, **arguments: Any) -> Answer:
        """Call a tool as Claude Code does, which names its call."""
        meta = {"claudecode/toolUseId": call}
        answer: Answer = self._portal.call(partial(self._call, name, arguments, meta=meta))
        return answer

    async def _call(self, name: str, arguments: Mapping[str, Any], **more: Any) -> Answer:
        result = await self._client.call_tool(name, dict(arguments), **more)
        (block,) = result.content
        assert block.type == "text"
        typed = result.structured_content or {}
        return Answer(failed=result.is_error, typed=typed, text=block.text)

    async def _during(self, name: str, arguments: Mapping[str, Any]) -> tuple[bool, Answer]:
        found: list[Answer] = []

        async def call() -> None:
            found.append(await self._call(name, arguments))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await anyio.sleep(0.1)
            await self._client.list_tools(cache_mode="bypass")
            await self._call("status", {})
            first = not found
        return first, found[0]


def parameters(home: Home, *words: str, **more: str) -> "StdioServerParameters":
    """How an agent's client starts the server."""
    from mcp import StdioServerParameters

    environment = home.agents_environment | {"LEARNT_HOME": str(home.path)}
    return StdioServerParameters(
        command=str(LEARNT),
        args=["mcp", *words],
        env=environment | {"CLAUDE_CODE_SESSION_ID": SESSION} | more,
        cwd=home.project,
    )


@contextmanager
def served(home: Home, *words: str, **more: str) -> Iterator[Served]:
    """A server as a process of its own, with a client; `more` is put into its environment."""
    from mcp import Client, stdio_client

    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(
            Client(stdio_client(parameters(home, *words, **more), errlog=errors))
        ) as client,
    ):
        yield Served(portal, client, errors)


@contextmanager
def served_here(home: Home) -> Iterator[Served]:
    """A server in this very process: quicker where its process is not what is tried."""
    from mcp import Client

    from learnt.surfaces.agent_calls import Client as Agent
    from learnt.surfaces.mcp_server import server_of

    def settings() -> Settings:
        return load(home.environment)

    agent = Agent(folder=str(home.project), session=SESSION)
    ledgers = Ledgers(quick=LedgerThread(settings), slow=LedgerThread(settings))
    try:
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(server_of(ledgers, agent))) as client,
        ):
            yield Served(portal, client, StringIO())
    finally:
        for ledger in ledgers:
            ledger.close()

"""`learnt mcp`: one client over standard input and output.

Only this command loads the SDK. A signal, or the end of the input, ends it with 0.
"""

import json
import logging
import os
import signal
from collections.abc import AsyncIterable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as protocol
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from learnt.core.governance.actors import session
from learnt.formats.observations import lenient
from learnt.settings import Settings
from learnt.surfaces.agent_calls import Client, settings_of_agent
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.mcp_server import server_of


def serve(home: str | None, project: str | None) -> int:
    """Answer until the client leaves or a signal ends the process. 0."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logging.basicConfig(level=logging.ERROR, handlers=[handler])
    environment = dict(os.environ)
    folder = str(Path(project or environment.get("CLAUDE_PROJECT_DIR") or ".").resolve())

    def settings() -> Settings:
        return settings_of_agent(environment, home)

    ledgers = Ledgers(*(LedgerThread(settings) for _ in range(2)))
    try:
        client = Client(folder=folder, session=session(environment))
        anyio.run(_serve_input, ledgers, client)
    finally:
        for ledger in ledgers:
            ledger.close()
    return 0


async def _serve_input(ledgers: Ledgers, client: Client) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_leave_when_told, ledgers)
        async with stdio_server(_Requests()) as (incoming, outgoing):  # type: ignore[arg-type]  # it is read by line alone
            server = server_of(ledgers, client)
            passed_on, requests = anyio.create_memory_object_stream[Any]()
            tasks.start_soon(_pass_on, incoming, passed_on, outgoing)
            await server.run(requests, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _pass_on(incoming: AsyncIterable[Any], requests: Any, answers: Any) -> None:
    """Hand requests to the server, and answer each line that is none: the SDK says nothing."""
    async with requests:
        async for message in incoming:
            if isinstance(message, ValidationError):
                await answers.send(SessionMessage(_answer_to_no_request(message)))
            elif not isinstance(message, Exception):
                await requests.send(message)


def _answer_to_no_request(error: ValidationError) -> protocol.JSONRPCError:
    faults = error.errors(include_url=False, include_context=False)
    parsed = faults[0]["type"] != "json_invalid"
    lines = (fault["input"] for fault in faults if isinstance(fault["input"], dict))
    name = next(lines, {}).get("id")
    return protocol.JSONRPCError(
        jsonrpc="2.0",
        id=name if isinstance(name, str | int) and not isinstance(name, bool) else None,
        error=protocol.ErrorData(
            code=protocol.INVALID_REQUEST if parsed else protocol.PARSE_ERROR,
            message="This line is no JSON-RPC 2.0 message."
            if parsed
            else "This line is no JSON. Nothing was done.",
        ),
    )


class _Requests:
    """The lines of standard input, without halves of characters: the SDK answers none with one."""

    def __init__(self) -> None:
        own = os.dup(0)
        with Path(os.devnull).open("rb") as nothing:  # which is what a child of ours is to read
            os.dup2(nothing.fileno(), 0)
        self._lines = anyio.wrap_file(os.fdopen(own, encoding="utf-8", errors="replace"))

    def __aiter__(self) -> "_Requests":
        return self

    async def __anext__(self) -> str:
        line = "\n"
        while line == "\n":
            line = await self._lines.readline()
        if not line:
            raise StopAsyncIteration
        value = lenient(line) if "\\u" in line else None
        return line if value is None else json.dumps(value)


async def _leave_when_told(ledgers: Ledgers) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            for ledger in ledgers:
                ledger.close()
            # A thread still waits for the client's next line, and would wait for ever.
            os._exit(0)


class _OneLine(logging.Formatter):
    """One short line an event: a client shows little more of standard error."""

    def format(self, record: logging.LogRecord) -> str:
        return f"learnt mcp: {' '.join(record.getMessage().split())[:300]}"

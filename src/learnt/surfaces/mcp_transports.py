"""`learnt mcp`: one client over standard input and output, or several over HTTP on this machine.

Only this command loads the SDK. A signal, or the end of the input, ends it with 0.
"""

import hmac
import json
import logging
import os
import shlex
import signal
import socket
import sys
from collections.abc import AsyncIterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import anyio
import mcp_types as protocol
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from pydantic import AnyHttpUrl, ValidationError

from learnt.core.governance.actors import session
from learnt.errors import EnvironmentTrouble
from learnt.formats.observations import lenient
from learnt.settings import Settings
from learnt.stores import home_folder
from learnt.stores.system import SystemRandom
from learnt.surfaces.agent_calls import Client, settings_of_agent
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.loopback import HOST, bound
from learnt.surfaces.loopback import server_of as http_server_of
from learnt.surfaces.mcp_server import server_of

TOKEN_BYTES: Final = 32
LAST_SECONDS: Final = 2  # for what has begun, once it is told to end


def serve(home: str | None, project: str | None, port: int | None = None) -> int:
    """Answer until the client leaves or the process is told to end; with a port over HTTP. 0.

    Raises EnvironmentTrouble where the port is taken, HomeUnusable where the token cannot be kept.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logging.basicConfig(level=logging.ERROR, handlers=[handler])
    environment = dict(os.environ)
    folder = str(Path(project or environment.get("CLAUDE_PROJECT_DIR") or ".").resolve())

    def settings() -> Settings:
        return settings_of_agent(environment, home)

    ledgers = Ledgers(*(LedgerThread(settings) for _ in range(2)))
    try:
        if port is None:
            client = Client(folder=folder, session=session(environment))
            anyio.run(_serve_input, ledgers, client)
        else:
            # Whose sessions call there the environment of this process does not say.
            _serve_http(ledgers, Client(folder=folder), settings().home, port)
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


def _serve_http(ledgers: Ledgers, client: Client, home: Path, port: int) -> None:
    """Answer whoever has the home's token, on this machine alone."""
    home_folder.prepare(home)
    token = home_folder.mcp_token(home, SystemRandom().bytes(TOKEN_BYTES).hex())
    with closing(_listening(port)) as listener:
        there = [f"{host}:{listener.getsockname()[1]}" for host in (HOST, "localhost")]
        own = [f"http://{place}" for place in there]
        app = server_of(ledgers, client).streamable_http_app(
            # Each request stands for itself, so that no session is kept or lost.
            stateless_http=True,
            json_response=True,
            transport_security=TransportSecuritySettings(allowed_hosts=there, allowed_origins=own),
            auth=AuthSettings(issuer_url=AnyHttpUrl(own[0]), resource_server_url=None),
            token_verifier=_OneToken(token),
        )
        # A client that was cut off at the end is no trouble.
        quiet: dict[str, Any] = {"log_config": None, "log_level": "critical"}
        server = http_server_of(app, timeout_graceful_shutdown=LAST_SECONDS, **quiet)

        def leave(*_: object) -> None:
            server.should_exit = True

        for number in (signal.SIGTERM, signal.SIGINT):
            # The server's own handlers stand while it runs; it raises what they got again then.
            signal.signal(number, leave)
        _say_where(f"{own[0]}/mcp", client.folder, home)
        server.run(sockets=[listener])


def _listening(port: int) -> socket.socket:
    try:
        return bound(port)
    except OSError as error:
        raise EnvironmentTrouble(
            f"Port {port} of {HOST} cannot be had: {error.strerror}. Nothing was started. Name "
            "another with --port, or 0 for any that is free."
        ) from error


def _say_where(address: str, folder: str, home: Path) -> None:
    token = shlex.quote(str(home / home_folder.TOKEN_FILE))
    header = f'--header "Authorization: Bearer $(cat {token})"'
    sys.stderr.write(
        f"Learnt answers at {address}, for {folder}; Ctrl-C ends it.\n"
        f"Claude Code: claude mcp add --transport http learnt {address} {header}\n"
    )


class _OneToken(TokenVerifier):
    """Lets in whoever has the token of the home."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whoever that is, if the token is the one."""
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
            return None
        return AccessToken(token=token, client_id="agent", scopes=[])


class _OneLine(logging.Formatter):
    """One short line an event: a client shows little more of standard error."""

    def format(self, record: logging.LogRecord) -> str:
        return f"learnt mcp: {' '.join(record.getMessage().split())[:300]}"

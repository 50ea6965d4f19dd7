"""Text models of providers, and of servers that speak OpenAI's dialect.

This file alone loads the library; `bootstrap` loads this file where the settings name a provider.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

import httpx2
from pydantic_ai import messages
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.settings import ModelSettings

from learnt.core.governance.model_calls import Completion, Question
from learnt.core.safety import redact
from learnt.core.visible_text import visible
from learnt.errors import ModelUnusable
from learnt.exchanges.web import safe_address

LARGEST: Final = 2_000_000  # bytes of an answer
_TOLD: Final = 300  # characters of an error, in a message
_KINDS: Final = {"openai": "openai-chat"}  # the dialect that other servers speak as well


class _Body(httpx2.AsyncByteStream):
    """An answer's body, no longer than it may be."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for block in self._body:
            read += len(block)
            if read > LARGEST:
                raise httpx2.ReadError(f"it sent more than {LARGEST} bytes")
            yield block

    async def aclose(self) -> None:
        """Let the connection go."""
        await self._body.aclose()


class Bounded(httpx2.AsyncBaseTransport):
    """Asks encrypted or on this machine, and takes no answer that is packed or too long."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One answer to one request. Raises ReadError where it is packed."""
        safe_address(str(request.url))
        request.headers["accept-encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise httpx2.ReadError("its answer is packed")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Body(response.stream)
        return response

    async def aclose(self) -> None:
        """Let the connections go."""
        await self._inner.aclose()


def _run(asked: Coroutine[Any, Any, messages.ModelResponse]) -> messages.ModelResponse:
    """What comes of it, also where the caller's thread runs an event loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(asked)
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, asked).result()


class ProviderModel:
    """A model by pydantic-ai's name; `key_from` names the variable that holds the key."""

    def __init__(self, use: str, url: str, key_from: str, seconds: float) -> None:
        self.name, self._url, self._key_from, self._seconds = use, url, key_from, seconds

    def complete(self, question: Question) -> Completion:
        """Its reply. Raises ModelUnusable."""
        key = os.environ.get(self._key_from, "") if self._key_from else "none"
        if not key:
            message = f"The environment has no {self._key_from}. Nothing was sent."
            raise ModelUnusable(message, "no key", free=True)
        try:
            said = _run(self._asked(question, key))
        except ModelHTTPError as error:
            # What a server turns down it does not bill.
            free, trouble = 300 <= error.status_code < 500, f"http {error.status_code}"
            raise ModelUnusable(self._message(error, key), trouble, free=free) from None
        except TimeoutError:
            message = f"{self.name} gave no reply within {self._seconds:g} seconds."
            raise ModelUnusable(message, "time-out") from None
        except Exception as error:  # noqa: BLE001  # whatever an answer does to the library
            raise ModelUnusable(self._message(error, key), "no reply") from None
        usage = said.usage
        cut = said.finish_reason == "length"
        return Completion(said.text or "", cut, usage.input_tokens, usage.output_tokens)

    def _message(self, error: Exception, key: str) -> str:
        said = " ".join(redact(visible(str(error).replace(key, "[key]"))).split())
        return f"{self.name} gave no reply: {said[:_TOLD]}"

    async def _asked(self, question: Question, key: str) -> messages.ModelResponse:
        client = httpx2.AsyncClient(
            transport=Bounded(), follow_redirects=False, timeout=self._seconds
        )
        parts: list[messages.ModelRequestPart] = [
            messages.SystemPromptPart(question.instructions),
            messages.UserPromptPart(question.text),
        ]
        settings = ModelSettings(max_tokens=question.most_tokens, timeout=self._seconds)
        async with asyncio.timeout(self._seconds), client:
            return await model_request(
                self._model(client, key), [messages.ModelRequest(parts)], model_settings=settings
            )

    def _model(self, client: httpx2.AsyncClient, key: str) -> Model:
        def provider(name: str) -> Provider[Any]:
            given: dict[str, Any] = {"api_key": key, "http_client": client}
            made: Provider[Any] = infer_provider_class(name)(
                **given, **({"base_url": self._url} if self._url else {})
            )
            with suppress(AttributeError):
                made.client.max_retries = 0  # each try is a call of its own, with its reservation
            return made

        kind, _, model = self.name.partition(":")
        return infer_model(f"{_KINDS.get(kind, kind)}:{model}", provider_factory=provider)

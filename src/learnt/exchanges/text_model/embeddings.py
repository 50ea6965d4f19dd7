"""Embeddings of any server that speaks OpenAI's dialect, asked as a text model is.

The question is a JSON list of texts, the reply a JSON list of their vectors.
"""

import asyncio
import json

import httpx2
from openai import APIStatusError, AsyncOpenAI
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.usage import RequestUsage

from learnt.core.governance.model_calls import Question
from learnt.exchanges.text_model.providers import Bounded, ProviderModel


class EmbeddingsModel(ProviderModel):
    """A server's model as `openai:NAME`, asked, bounded and explained as a provider's is."""

    async def _asked(self, question: Question, key: str) -> ModelResponse:
        texts, model = json.loads(question.text), self.name.partition(":")[2]
        http = httpx2.AsyncClient(
            transport=Bounded(), follow_redirects=False, timeout=self._seconds
        )
        async with asyncio.timeout(self._seconds), http:
            try:
                client = AsyncOpenAI(
                    api_key=key, base_url=self._url or None, max_retries=0, http_client=http
                )
                said = await client.embeddings.create(
                    model=model, input=texts, encoding_format="float"
                )
            except APIStatusError as error:
                raise ModelHTTPError(error.status_code, model, error.body) from None
        vectors = [each.embedding for each in sorted(said.data, key=lambda each: each.index)]
        tokens = RequestUsage(input_tokens=said.usage.prompt_tokens)
        return ModelResponse([TextPart(json.dumps(vectors))], usage=tokens)

"""A hook reports: what it is to print. The worker and `learnt hook --inline` answer by this."""

import json
from collections.abc import Callable
from dataclasses import replace

from learnt.core import safety
from learnt.core.json_values import whole
from learnt.core.sessions.observations import Observation
from learnt.flows.recall.answer_prompt import answer_prompt
from learnt.flows.sessions.observe import digest_of, take
from learnt.formats.observations import LONGEST_PROMPT, parse, pointers
from learnt.formats.wire import Frame
from learnt.ports import Outside

PROMPT = "UserPromptSubmit"
EXCERPT = 2_000  # of a prompt that no worker answered; the hook cuts at the same


def observation_of(outside: Outside, frame: Frame) -> tuple[Observation, str]:
    """What a frame reports, and the prompt in it, if it is one."""
    payload = parse(frame.body)
    found = pointers(frame.event, payload)
    detail = found["detail"]
    now = outside.clock.now_ms()
    observation = Observation(
        id=f"{now:013x}-{outside.random.bytes(8).hex()}",
        ms=now,
        event=frame.event,
        agent=frame.agent or "claude-code",
        session=str(found["session"]),
        subagent=str(found["subagent"]),
        episode=str(found["episode"]),
        cwd=str(found["cwd"]),
        transcript=str(found["transcript"]),
        size=whole(frame.size),
        detail=detail if isinstance(detail, dict) else {},
        environment=frame.environment,
    )
    said = payload.get("prompt")
    if not isinstance(said, str):
        return observation, ""
    prompt = said[:LONGEST_PROMPT]
    digest = digest_of(outside, safety.excerpt(prompt, EXCERPT))
    return replace(observation, digest=digest), prompt


def answer(
    outside: Outside, observation: Observation, prompt: str, expired: Callable[[], bool]
) -> bytes:
    """What the hook is to print: JSON for a prompt that something bears on, else nothing.

    Nothing is ever returned from any other event: what a Stop hook prints makes the agent go on.
    """
    if observation.event != PROMPT:
        with outside.ledger.writing() as writer:
            take(outside, writer, observation)
        return b""
    text = answer_prompt(outside, observation, prompt, expired)
    if not text:
        return b""
    output = {"hookSpecificOutput": {"hookEventName": PROMPT, "additionalContext": text}}
    return json.dumps(output, ensure_ascii=False).encode()

"""A hook reports: what it is to print. The worker and `learnt hook --inline` answer by this."""

import json
from collections.abc import Callable
from dataclasses import replace

from learnt.core import safety
from learnt.core.json_values import whole
from learnt.core.sessions.observations import Observation
from learnt.flows.health.observe import measured
from learnt.flows.recall.answer_prompt import answer_prompt
from learnt.flows.sessions.observe import digest_of, take
from learnt.formats.evidence.calls import redacting
from learnt.formats.observations import parse, pointers
from learnt.formats.wire import Frame
from learnt.ports import Clock, Outside, Random

PROMPT = "UserPromptSubmit"
_EVIDENCE = redacting(safety.excerpt, safety.strip_private)
EXCERPT = 2_000  # of a prompt that no worker answered; the hook cuts at the same


def observation_of(clock: Clock, random: Random, frame: Frame) -> tuple[Observation, str]:
    """What a frame reports, and the prompt in it, if it is one."""
    payload = parse(frame.body)
    found = pointers(frame.event, payload, _EVIDENCE)
    detail = found["detail"]
    now = clock.now_ms()
    observation = Observation(
        id=f"{now:013x}-{random.bytes(8).hex()}",
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
        # A folder's name may be any bytes; what is kept is text.
        environment={
            k: v.encode("utf-8", "replace").decode() for k, v in frame.environment.items()
        },
    )
    said = payload.get("prompt")
    return observation, said if isinstance(said, str) else ""


def told_apart(outside: Outside, observation: Observation, prompt: str) -> Observation:
    """The observation with what tells its prompt from another of the same id."""
    digest = digest_of(outside, safety.excerpt(prompt, EXCERPT))
    return replace(observation, digest=digest)


def answer(
    outside: Outside, observation: Observation, prompt: str, expired: Callable[[], bool]
) -> bytes:
    """What the hook is to print: JSON for a prompt that something bears on, else nothing.

    Nothing is ever returned from any other event: what a Stop hook prints makes the agent go on.
    """
    observation = told_apart(outside, observation, prompt)
    if observation.event != PROMPT:
        observation = measured(outside, observation)
        with outside.ledger.writing() as writer:
            take(outside, writer, observation)
        return b""
    text = answer_prompt(outside, observation, prompt, expired)
    if not text:
        return b""
    output = {"hookSpecificOutput": {"hookEventName": PROMPT, "additionalContext": text}}
    return json.dumps(output, ensure_ascii=False).encode()

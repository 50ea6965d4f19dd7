"""What an agent's hook leaves out of a report is looked up: a call's outcome, a report's prompt."""

from dataclasses import replace
from typing import Final

from learnt.core.records import JsonObject, JsonValue, text_of
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Made, ToldCall
from learnt.flows.sessions.answer import EVIDENCE
from learnt.formats.agents.codex import CODEX
from learnt.formats.agents.dialects import PROMPT, STEP
from learnt.formats.agents.gemini_cli import GEMINI_CLI
from learnt.formats.agents.transcripts import results
from learnt.formats.observations import failed
from learnt.ports import Outside

TAIL: Final = 256 * 1024  # of a transcript: a command's output, and what stands behind it
_UNPROMPTED: Final = frozenset({PROMPT, "SessionStart", "SessionEnd"})


def completed(
    outside: Outside, observation: Observation, call: ToldCall | None = None
) -> tuple[Observation, ToldCall | None]:
    """A report, and the call that it tells of, with what its hook could not say.

    Codex writes a command's exit code down before it calls the hook, and hands it no hook. Gemini
    CLI names no prompt: a report belongs to the last one of its session.
    """
    if observation.agent == CODEX.id and observation.event == STEP and observation.transcript:
        return _with_outcome(outside, observation, call)
    unnamed = observation.session and not observation.episode
    if observation.agent == GEMINI_CLI.id and unnamed and observation.event not in _UNPROMPTED:
        with outside.ledger.reading() as reader:
            seen = reader.observed(observation.session, open_only=True)
            seen = seen or reader.observed(observation.session)
        prompts = [o.episode for o in (each.observation for each in seen) if o.event == PROMPT]
        observation = replace(observation, episode=prompts[-1] if prompts else "")
    return observation, call


def _with_outcome(
    outside: Outside, observation: Observation, call: ToldCall | None
) -> tuple[Observation, ToldCall | None]:
    names = [text_of(told.get("id")).encode() for told in observation.calls]
    lines = outside.transcripts.tail(observation.transcript, TAIL).split(b"\n")
    made = results(line for line in lines if any(name in line for name in names))
    pairs = [(told, made.get(text_of(told.get("id")))) for told in observation.calls]
    calls: list[JsonValue] = [_judged(told, run) for told, run in pairs]
    responses = (text_of(run.response) for _, run in pairs if run is not None)
    error = next(filter(failed, responses), "")
    observation = replace(observation, detail={**observation.detail, "calls": calls})
    return observation, ToldCall(error=error) if error else call


def _judged(told: JsonObject, made: Made | None) -> JsonObject:
    if made is None or not isinstance(made.response, str):
        return told
    evidence = EVIDENCE(made.tool, made.input, made.response)
    return {**told, "failed": failed(made.response), "evidence": evidence}  # type: ignore[dict-item]  # evidence is JSON by its schema

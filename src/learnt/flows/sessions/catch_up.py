"""What sessions did while no worker was up to be told of it is read from their transcripts.

Only where agents post their reports: a command hook leaves what nobody took in the spool.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from learnt.core.json_values import JsonObject, text_of
from learnt.core.safety import excerpt
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Turn
from learnt.flows.sessions.answer import observation_of
from learnt.flows.sessions.drain import drain
from learnt.flows.sessions.prompts import EXCERPT
from learnt.formats.agents.claude_code import CLAUDE_CODE
from learnt.formats.agents.dialects import PROMPT, STARTS, STEP
from learnt.formats.agents.transcripts import turns
from learnt.formats.observations import parse
from learnt.formats.wire import Frame
from learnt.ports import Outside

TAIL: Final = 8 << 20  # bytes of a transcript's end that are looked at
UNDER_WAY_MS: Final = 60_000  # a prompt without any reply may wait for its hook so long
# Whose words a prompt is no transcript tells: anybody may have written it.
_OF_PLACE: Final = ("CLAUDE_PROJECT_DIR", "CLAUDE_PID")


def as_begun(outside: Outside, frame: Frame) -> Frame:
    """A posted report with the surroundings that its session's start told of."""
    session = text_of(parse(frame.body).get("session_id"))  # type: ignore[arg-type]  # JSON
    with outside.ledger.reading() as reader:
        seen = reader.observed(session, naming="source") if session else ()
    starts = [each.observation for each in seen if each.observation.event == STARTS]
    return replace(frame, environment=starts[-1].environment) if starts else frame


def catch_up(outside: Outside, sessions: Iterable[str] | None = None) -> int:
    """Take in what sessions did and nobody reported: how many prompts that were.

    All sessions that the inbox knows, or those named. What a hook left in the spool comes first.
    """
    drain(outside)
    with outside.ledger.reading() as reader:
        names = reader.sessions_observed() if sessions is None else sessions
        told = [[seen.observation for seen in reader.observed(name)] for name in names if name]
    missed = [report for reports in told for report in _missed(outside, reports)]
    for report in missed:
        outside.spool.put(report)
    drain(outside)
    return sum(report.event == PROMPT for report in missed)


def _missed(outside: Outside, reports: Sequence[Observation]) -> Iterator[Observation]:
    own = [each for each in reports if each.agent == CLAUDE_CODE.id and not each.subagent]
    paths = [each.transcript for each in own if each.transcript]
    if not paths:
        return
    began, now = min(each.ms for each in own), outside.clock.now_ms()
    prompts = {each.episode for each in own if each.event == PROMPT}
    calls = {text_of(call.get("id")) for each in own for call in each.calls}
    for turn in turns(outside.transcripts.tail(paths[-1], TAIL).split(b"\n")):
        under_way = not turn.steps and turn.at_ms > now - UNDER_WAY_MS
        if not turn.id or turn.at_ms < began or under_way:
            continue  # what was before the first report is none of ours
        said = {
            "session_id": own[-1].session, "prompt_id": turn.id,
            "transcript_path": paths[-1], "cwd": turn.folder or own[-1].cwd,
        }  # fmt: skip
        if turn.id not in prompts:
            yield _report(outside, own[-1], turn.at_ms, PROMPT, {**said, "prompt": turn.prompt})
        yield from (
            _report(outside, own[-1], turn.ended_ms, STEP, {**said, "tool_calls": [call]})
            for call in _calls(turn)
            if call["tool_use_id"] not in calls
        )


def _calls(turn: Turn) -> Iterator[JsonObject]:
    for made in turn.calls:
        if made.response is not None:  # else it is under way, and told of once it is over
            yield {
                "tool_name": made.tool, "tool_use_id": made.id,
                "tool_input": made.input, "tool_response": made.response,
            }  # fmt: skip


def _report(
    outside: Outside, like: Observation, ms: int, event: str, payload: JsonObject
) -> Observation:
    given = {name: like.environment[name] for name in _OF_PLACE if name in like.environment}
    body = json.dumps(payload).encode()
    frame = Frame(event=event, size=len(body), environment=given, body=body)
    made, prompt = observation_of(outside.clock, outside.random, frame)
    name = f"{ms:013x}-{made.id.partition('-')[2]}"
    return replace(made, id=name, ms=ms, excerpt=excerpt(prompt, EXCERPT))

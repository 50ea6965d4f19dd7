"""A hook reports: what it is to print. The worker and `learnt hook --inline` answer by this."""

import re
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from learnt.core import safety
from learnt.core.governance.actors import BY_FILE
from learnt.core.identifiers import EntryId, session_subject
from learnt.core.marked import asks_to_remember
from learnt.core.records import JsonObject, JsonValue, encode, member, text_of, whole
from learnt.core.sessions.observations import NO_RESPONSE, Observation
from learnt.core.sessions.sessions import Session
from learnt.core.sessions.turns import Made, ToldCall
from learnt.errors import LedgerBusy
from learnt.flows.health.closing import measured
from learnt.flows.health.experiences import answer_call
from learnt.flows.recall.answer_step import answer_act, answer_prompt, answer_step
from learnt.flows.sessions.episodes import session_of
from learnt.flows.sessions.locate import is_off
from learnt.flows.sessions.observe import digest_of, report
from learnt.flows.sessions.prompts import EXCERPT, read_excerpt, read_prompt
from learnt.flows.stored import stored
from learnt.formats.agents.claude_code import CLAUDE_CODE
from learnt.formats.agents.codex import CODEX
from learnt.formats.agents.dialects import (
    ACT,
    EXPANSION,
    NOTHING,
    PROMPT,
    STARTS,
    STEP,
    Answer,
    joined,
)
from learnt.formats.agents.gemini_cli import GEMINI_CLI
from learnt.formats.agents.known import dialect_of
from learnt.formats.agents.reports import common
from learnt.formats.agents.told_calls import told_call
from learnt.formats.agents.transcripts import results
from learnt.formats.evidence.calls import redacting
from learnt.formats.observations import failed, parse, pointers
from learnt.formats.wire import Frame
from learnt.ports import Clock, Outside, Random

Untold = MutableMapping[str, Answer]  # by session, what it is to be told
FIRST_PROMPTS = 2  # that may make good what a start could not show
# For these calls a hook must record the session.
_PROVED = re.compile(r"__(?:remember|relate)\b|--quote|knowledge\s+relate")
EVIDENCE = redacting(safety.excerpt, safety.strip_private)


def call_of(frame: Frame) -> ToldCall | None:
    """The call that a frame tells of, by itself; None for any other."""
    return told_call(frame.event, common(frame.agent, frame.event, parse(frame.body)))  # type: ignore[arg-type]  # what JSON holds


def observation_of(clock: Clock, random: Random, frame: Frame) -> tuple[Observation, str]:
    """What a frame reports, and the prompt in it, if it is one."""
    payload = common(frame.agent, frame.event, parse(frame.body))
    where = pointers(frame.event, payload, EVIDENCE)
    detail, now = where.pop("detail"), clock.now_ms()
    names = {name: str(value) for name, value in where.items()}
    observation = Observation(
        id=f"{now:013x}-{random.bytes(8).hex()}",
        ms=now,
        agent=frame.agent or CLAUDE_CODE.id,
        size=whole(frame.size),
        detail=detail if isinstance(detail, dict) else {},
        # A folder's name may be any bytes; what is kept is text. Of another agent it says nothing.
        environment={
            k: v.encode("utf-8", "replace").decode()
            for k, v in frame.environment.items()
            if frame.agent in {"", CLAUDE_CODE.id}
        },
        seen=encode(frame.sight),
        **names,  # type: ignore[arg-type]  # ids alone, and no excerpt
    )
    prompt = payload.get("prompt")
    return observation, prompt if isinstance(prompt, str) else ""


def command_of(frame: Frame) -> str:
    """The command that a shell's tool is about to run; empty for any other report."""
    payload = common(frame.agent, frame.event, parse(frame.body))
    shell = frame.event == ACT and payload.get("tool_name") == "Bash"
    return text_of(member(payload.get("tool_input"), "command")) if shell else ""  # type: ignore[arg-type]  # what JSON holds


def see(outside: Outside, observation: Observation, frame: Frame, command: str) -> None:
    """Keep that a call is about to save a quote or to relate: by it its session is known."""
    payload = common(frame.agent, frame.event, parse(frame.body))
    tool, call = text_of(payload.get("tool_name")), text_of(payload.get("tool_use_id"))  # type: ignore[arg-type]  # what JSON holds
    if observation.session and _PROVED.search(f"{tool} {command}"):
        from learnt.flows.knowledge.quoting import see_call  # few calls need it

        see_call(outside, observation.session, tool, call, command)


def answer_before(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> bytes:
    """What the hook is to print before a command runs: a text for the model, never a decision."""
    dialect = dialect_of(observation.agent)
    if not command or not dialect.hears(ACT) or is_off(outside, observation.folder):
        return b""
    with outside.ledger.told(observation.sight):
        text = answer_act(outside, observation, command, expired)
    return dialect.output(ACT, Answer(text))


def told_apart(outside: Outside, observation: Observation, prompt: str) -> Observation:
    """The observation with what tells its prompt from another of the same id."""
    return replace(observation, digest=digest_of(outside, safety.excerpt(prompt, EXCERPT)))


def answer(
    outside: Outside,
    observation: Observation,
    prompt: str,
    expired: Callable[[], bool],
    call: ToldCall | None = None,
    untold: Untold | None = None,
) -> bytes:
    """What the hook is to print: JSON where something is to be told, else nothing.

    `call` is one that failed, or of a file. `untold` holds what sessions are to be told until it is
    delivered.
    """
    if is_off(outside, observation.folder):
        return b""
    with outside.ledger.told(observation.sight):
        dialect, reply = dialect_of(observation.agent), NOTHING
        untold = {} if untold is None else untold
        source = text_of(observation.detail.get("source")) if observation.event == STARTS else None
        if source in dialect.deaf or not dialect.hears(observation.event):
            # What would be shown here no model would see: nothing is looked up.
            if observation.event == PROMPT:
                reply, _ = keep_marked(outside, observation, prompt, untold)
                reply = joined(reply, Answer(notice=kept_prompt(outside, observation, prompt)))
            seen = measured(outside, told_apart(outside, observation, prompt))
            response = read_excerpt(outside.language, prompt) if prompt else NO_RESPONSE
            report(outside, seen, response=response)
            return dialect.output(observation.event, Answer(notice=reply.notice))
        # Of a call that is told of by itself the step's own report tells that it was made.
        if call is None or observation.event == STEP:
            reply = _answer(outside, observation, prompt, expired, untold)
        wanted = observation.event != STEP or outside.at_files
        if call is not None and not reply.context and (call.error or wanted):
            text = answer_step(outside, told_apart(outside, observation, ""), call, expired)
            reply = replace(reply, context=text)
    if not outside.screen:
        reply = replace(reply, notice="")
    return dialect.output(observation.event, reply)


def _answer(
    outside: Outside,
    observation: Observation,
    prompt: str,
    expired: Callable[[], bool],
    untold: Untold,
) -> Answer:
    if observation.event == PROMPT:
        read = read_prompt(outside.language, observation.actor, prompt)
        digest = digest_of(outside, read.redacted[:EXCERPT])
        observation = replace(observation, digest=digest)
        unlisted = _is_unlisted(outside, observation)
        # First: what the prompt puts right is not given as it was before.
        saved, entries = keep_marked(outside, observation, prompt, untold)
        reply = answer_prompt(outside, observation, read, expired, entries)
        if unlisted:
            from learnt.flows.recall.contents import show_contents  # few prompts need it

            with suppress(LedgerBusy):  # the note is worth more
                reply = joined(show_contents(outside, observation, expired), reply)
        saved = joined(saved, Answer(notice=kept_prompt(outside, observation, prompt)))
    else:
        reply = _reported(outside, observation, prompt, expired)
        saved = NOTHING
        if observation.event == EXPANSION:
            saved, _ = keep_marked(outside, observation, prompt, untold)
    return joined(reply, saved)


def kept_prompt(outside: Outside, observation: Observation, prompt: str) -> str:
    """Keep a prompt for the proof of quotes; what is to be said of those picked before it."""
    from learnt.flows.knowledge.quoting import keep_prompt  # a start needs none of it

    keep_prompt(outside, observation, prompt)
    return " ".join(outside.prompts.notices(observation.session))


def _is_unlisted(outside: Outside, observation: Observation) -> bool:
    """Whether one of the first prompts carries the contents, as the session's start could not."""
    subject = session_subject(observation.agent, session_of(outside, observation))
    with outside.ledger.reading() as reader:
        state = stored(reader, Session, subject) or Session(agent="", id="")
        if state.episodes > FIRST_PROMPTS or state.listed or state.rules:
            return False
        seen = [each.observation for each in reader.observed(observation.session)]
    starts = [each for each in seen if each.event == STARTS]
    if not starts:
        return not seen and bool(outside.spool.waiting(1))
    deaf = text_of(starts[-1].detail.get("source")) in dialect_of(observation.agent).deaf
    return deaf or starts[-1].sight.by == BY_FILE.by or state.undelivered > 0


def keep_marked(
    outside: Outside, observation: Observation, prompt: str, untold: Untold
) -> tuple[Answer, tuple[EntryId, ...]]:
    """Save what a prompt marks; what to say of it and was not told yet, and the entries."""
    answer = NOTHING
    entries: tuple[EntryId, ...] = ()
    if asks_to_remember(prompt):
        from learnt.flows.knowledge.remembering import remember_at_once  # few prompts need it

        answer, entries = remember_at_once(outside, observation, prompt)
    answer = joined(untold.pop(observation.session, NOTHING), answer)
    if answer != NOTHING:
        untold[observation.session] = answer
    return answer, entries


def _reported(
    outside: Outside, observation: Observation, prompt: str, expired: Callable[[], bool]
) -> Answer:
    # What a Stop hook prints would make the agent go on.
    observation = told_apart(outside, observation, prompt)
    new = report(outside, measured(outside, observation))
    if observation.event == STARTS:
        from learnt.flows.governance.listing import ready_notice
        from learnt.flows.governance.projects import moved_notice
        from learnt.flows.health.queue import asked_of_agent  # most reports need none of it
        from learnt.flows.recall.contents import show_contents

        if not new:
            return NOTHING
        begun = observation.detail.get("source") == "startup"
        told = Answer(notice=moved_notice(outside, observation.folder, FIRST_LOOK))
        commands = observation.agent == CLAUDE_CODE.id
        ready = Answer(
            asked_of_agent(outside) if begun and commands else "",
            ready_notice(outside, commands=commands) if begun else "",
        )
        return joined(joined(show_contents(outside, observation, expired), told), ready)
    return Answer(answer_call(outside, observation, prompt, expired))


FIRST_LOOK: Final = 0.25  # seconds for git at the first start in a folder
TAIL: Final = 256 * 1024  # of a transcript: a command's output, and what stands behind it
_UNPROMPTED: Final = frozenset({PROMPT, "SessionStart", "SessionEnd"})


def completed(
    outside: Outside, observation: Observation, call: ToldCall | None = None
) -> tuple[Observation, ToldCall | None]:
    """A report and its call, with what the hook could not say.

    Codex writes a command's exit code elsewhere; Gemini CLI names no prompt: the last one counts.
    """
    if observation.agent == CODEX.id and observation.event == STEP and observation.transcript:
        names = [text_of(told.get("id")).encode() for told in observation.calls]
        lines = outside.transcripts.tail(observation.transcript, TAIL).split(b"\n")
        made = results(line for line in lines if any(name in line for name in names))
        pairs = [(told, made.get(text_of(told.get("id")))) for told in observation.calls]
        calls: list[JsonValue] = [_judged(told, run) for told, run in pairs]
        responses = (text_of(run.response) for _, run in pairs if run is not None)
        error = next(filter(failed, responses), "")
        observation = replace(observation, detail={**observation.detail, "calls": calls})
        return observation, ToldCall(error=error) if error else call
    unnamed = observation.session and not observation.episode
    if observation.agent == GEMINI_CLI.id and unnamed and observation.event not in _UNPROMPTED:
        with outside.ledger.reading() as reader:
            seen = reader.observed(observation.session, open_only=True)
            seen = seen or reader.observed(observation.session)
        prompts = [o.episode for o in (each.observation for each in seen) if o.event == PROMPT]
        observation = replace(observation, episode=prompts[-1] if prompts else "")
    return observation, call


def _judged(told: JsonObject, made: Made | None) -> JsonObject:
    if made is None or not isinstance(made.response, str):
        return told
    evidence = EVIDENCE(made.tool, made.input, made.response)
    return {**told, "failed": failed(made.response), "evidence": evidence}  # type: ignore[dict-item]  # evidence is JSON by its schema

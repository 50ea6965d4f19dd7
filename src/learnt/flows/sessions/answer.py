"""A hook reports: what it is to print. The worker and `learnt hook --inline` answer by this.

What no worker answered waits in the spool, and is taken from there into the ledger.
"""

import re
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import ExitStack, suppress
from typing import Final

from msgspec.structs import replace

from learnt.core import safety
from learnt.core.governance.actors import BY_FILE
from learnt.core.identifiers import EntryId, session_subject
from learnt.core.marked import MarkedText, asks_to_remember, refusal, sorted_out
from learnt.core.records import JsonObject, JsonValue, encode, member, text_of, whole
from learnt.core.sessions.observations import NO_RESPONSE, STOPS, Observation
from learnt.core.sessions.turns import Made, ToldCall
from learnt.errors import Conflict, LedgerBusy
from learnt.flows.health.closing import measured
from learnt.flows.health.experiences import answer_call
from learnt.flows.knowledge.remembering import keep_prompt, see_call
from learnt.flows.plans import PATIENT_LOOKS
from learnt.flows.recall.contents import answer_act, show_contents
from learnt.flows.recall.offering import answer_prompt, answer_step, session_at
from learnt.flows.sessions.locate import is_off
from learnt.flows.sessions.observe import (
    EXCERPT,
    digest_of,
    read_excerpt,
    read_prompt,
    report,
    retract,
    session_of,
)
from learnt.formats.agents.dialects import (
    ACT,
    CLAUDE_CODE,
    CODEX,
    EXPANSION,
    GEMINI_CLI,
    NOTHING,
    PROMPT,
    STARTS,
    STEP,
    Answer,
    dialect_of,
    joined,
    reported_call,
)
from learnt.formats.agents.reports import common
from learnt.formats.agents.transcripts import results, typed
from learnt.formats.evidence.calls import redacting
from learnt.formats.observations import failed, parse, pointers
from learnt.formats.wire import Frame
from learnt.ports import Clock, Outside, Random, Spool

Untold = MutableMapping[str, Answer]  # by session, what it is to be told
FIRST_PROMPTS: Final = 2  # that may make good what a start could not show
# For these calls a hook must record the session.
_PROVED: Final = re.compile(r"__(?:remember|relate)\b|--quote|knowledge\s+relate")
EVIDENCE: Final = redacting(safety.excerpt, safety.strip_private)
FIRST_LOOK: Final = 0.25  # seconds for git at the first start in a folder
TAIL: Final = 256 * 1024  # of a transcript: a command's output, and what stands behind it
BATCH: Final = 20  # files of the spool
_UNPROMPTED: Final = frozenset({PROMPT, STARTS, "SessionEnd"})
# What an observation nobody foresaw may raise; anything else is the ledger's and stops the drain.
_NONSENSE: Final = (ValueError, TypeError, KeyError, ArithmeticError, RecursionError)


def respond(
    outside: Outside, frame: Frame, expired: Callable[[], bool], untold: Untold | None = None
) -> bytes:
    """What the hook is to print. A ledger that is busy for too long costs the recall, no more.

    `untold` is what sessions are still to be told of what they asked to be remembered. Whatever
    goes wrong, the observation waits in the spool, as it would had no worker answered;
    what is worse than a busy ledger is then raised.
    """
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    if frame.event == ACT:  # the step's own report tells that it ran
        return _before_call(outside, observation, frame, expired)
    if frame.event in STOPS and outside.spool.waiting(1):
        # It is known from its copy, should the hook leave one, by what came before both.
        keep(outside.spool, observation, prompt)
        return b""
    with suppress(LedgerBusy, Conflict), ExitStack() as unanswered:
        unanswered.callback(keep, outside.spool, observation, prompt)
        call = reported_call(frame.event, _payload(frame))
        observation, call = completed(outside, observation, call)
        output = answer(outside, observation, prompt, expired, call, untold)
        unanswered.pop_all()
        return output
    return b""


def keep(spool: Spool, observation: Observation, prompt: str) -> None:
    """Have a report wait in the spool, with the beginning of its prompt and what it marks."""
    marked = tuple(map(tuple, sorted_out(prompt)[0]))
    spool.put(replace(observation, excerpt=safety.excerpt(prompt, EXCERPT), marked=marked))


def left_open(frame: Frame) -> bool:
    """Whether a prompt asks for something to be remembered: without an answer it may wait still."""
    return asks_to_remember(text_of(_payload(frame).get("prompt")))


def keep_late(outside: Outside, frame: Frame, untold: Untold) -> None:
    """Keep what a prompt asks for that a busy ledger left open, for the next prompt's answer."""
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    with outside.ledger.told(observation.sight):
        keep_marked(outside, completed(outside, observation)[0], prompt, untold)


def delivered(frame: Frame, untold: Untold) -> None:
    """The hook has the answer, and with it all that its session was still to be told."""
    if frame.event != STARTS:  # which carries none of it
        untold.pop(str(_payload(frame).get("session_id")), None)


def undeliverable(outside: Outside, frame: Frame) -> None:
    """The hook was gone when the answer came: what it would have shown was not shown."""
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    observation = told_apart(outside, completed(outside, observation)[0], prompt)
    with outside.ledger.writing() as writer:
        retract(outside, writer, observation, session_of(outside, observation), "hook gone")


def _payload(frame: Frame) -> Mapping[str, JsonValue]:
    """What a frame's body says, as Claude Code would say it."""
    return common(frame.agent, frame.event, parse(frame.body))  # type: ignore[return-value]  # what JSON holds


def observation_of(clock: Clock, random: Random, frame: Frame) -> tuple[Observation, str]:
    """What a frame reports, and the prompt in it, if it is one."""
    payload = _payload(frame)
    where = pointers(frame.event, dict(payload), EVIDENCE)
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
    return observation, text_of(payload.get("prompt"))


def command_of(frame: Frame) -> str:
    """The command that a shell's tool is about to run; empty for any other report."""
    payload = _payload(frame)
    shell = frame.event == ACT and payload.get("tool_name") == "Bash"
    return text_of(member(payload.get("tool_input"), "command")) if shell else ""


def _before_call(
    outside: Outside, observation: Observation, frame: Frame, expired: Callable[[], bool]
) -> bytes:
    """What the hook is to print before a call: a text for the model, never a decision.

    That it is about to save a quote, or to relate, is kept: by it the call's session is known.
    """
    command, payload = command_of(frame), _payload(frame)
    tool, call = text_of(payload.get("tool_name")), text_of(payload.get("tool_use_id"))
    if observation.session and _PROVED.search(f"{tool} {command}"):
        see_call(outside, observation.session, tool, call, command)
    dialect = dialect_of(observation.agent)
    with suppress(LedgerBusy, Conflict):
        if command and dialect.accepts_context(ACT) and not is_off(outside, observation.folder):
            with outside.ledger.told(observation.sight):
                text = answer_act(outside, observation, command, expired)
            return dialect.output(ACT, Answer(text))
    return b""


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
        if source in dialect.deaf or not dialect.accepts_context(observation.event):
            # What would be shown here no model would see: nothing is looked up.
            if observation.event == PROMPT:
                reply, _ = keep_marked(outside, observation, prompt, untold)
                reply = joined(reply, _kept_prompt(outside, observation, prompt))
            arrived = measured(outside, told_apart(outside, observation, prompt))
            response = read_excerpt(outside.language, prompt) if prompt else NO_RESPONSE
            report(outside, arrived, response=response)
            return dialect.output(observation.event, Answer(notice=reply.notice))
        if observation.event == PROMPT:
            reply = _to_prompt(outside, observation, prompt, expired, untold)
        # Of a call that is told of by itself the step's own report tells that it was made.
        elif call is None or observation.event == STEP:
            reply = _to_report(outside, observation, prompt, expired)
            if observation.event == EXPANSION:
                reply = joined(reply, keep_marked(outside, observation, prompt, untold)[0])
        wanted = observation.event != STEP or outside.at_files
        if call is not None and not reply.context and (call.error or wanted):
            text = answer_step(outside, told_apart(outside, observation, ""), call, expired)
            reply = replace(reply, context=text)
    if not outside.screen:
        reply = replace(reply, notice="")
    return dialect.output(observation.event, reply)


def _to_prompt(
    outside: Outside,
    observation: Observation,
    prompt: str,
    expired: Callable[[], bool],
    untold: Untold,
) -> Answer:
    read = read_prompt(outside.language, observation.actor, prompt)
    observation = replace(observation, digest=digest_of(outside, read.redacted[:EXCERPT]))
    unlisted = _is_unlisted(outside, observation)
    # First: what the prompt puts right is not given as it was before.
    saved, entries = keep_marked(outside, observation, prompt, untold)
    reply = answer_prompt(outside, observation, read, expired, entries)
    if unlisted:
        with suppress(LedgerBusy):  # the note is worth more
            reply = joined(show_contents(outside, observation, expired), reply)
    return joined(reply, joined(saved, _kept_prompt(outside, observation, prompt)))


def _kept_prompt(outside: Outside, observation: Observation, prompt: str) -> Answer:
    """Keep a prompt for the proof of quotes; what is to be said of those picked before it."""
    keep_prompt(outside, observation, prompt)
    return Answer(notice=" ".join(outside.prompts.notices(observation.session)))


def _is_unlisted(outside: Outside, observation: Observation) -> bool:
    """Whether one of the first prompts carries the contents, as the session's start could not."""
    subject = session_subject(observation.agent, session_of(outside, observation))
    with outside.ledger.reading() as reader:
        state = session_at(reader, subject)
        if state.episodes > FIRST_PROMPTS or state.listed or state.rules:
            return False
        reports = [observed.observation for observed in reader.observed(observation.session)]
    starts = [observed for observed in reports if observed.event == STARTS]
    if not starts:
        return not reports and bool(outside.spool.waiting(1))
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


def _to_report(
    outside: Outside, observation: Observation, prompt: str, expired: Callable[[], bool]
) -> Answer:
    # What a Stop hook prints would make the agent go on.
    observation = told_apart(outside, observation, prompt)
    new = report(outside, measured(outside, observation))
    if observation.event == STARTS:
        from learnt.flows.governance.listing import ready_notice
        from learnt.flows.governance.projects import moved_notice
        from learnt.flows.health.queue import asked_of_agent  # most reports need none of it

        if not new:
            return NOTHING
        begun = observation.detail.get("source") == "startup"
        moved = Answer(notice=moved_notice(outside, observation.folder, FIRST_LOOK))
        commands = observation.agent == CLAUDE_CODE.id
        ready = Answer(
            asked_of_agent(outside) if begun and commands else "",
            ready_notice(outside, commands=commands) if begun else "",
        )
        return joined(joined(show_contents(outside, observation, expired), moved), ready)
    return Answer(answer_call(outside, observation, prompt, expired))


def completed(
    outside: Outside, observation: Observation, call: ToldCall | None = None
) -> tuple[Observation, ToldCall | None]:
    """A report and its call, with what the hook could not say.

    Codex writes a command's exit code elsewhere; Gemini CLI names no prompt: the last one counts.
    """
    if observation.agent == CODEX.id and observation.event == STEP and observation.transcript:
        names = [text_of(step.get("id")).encode() for step in observation.calls]
        lines = outside.transcripts.tail(observation.transcript, TAIL).split(b"\n")
        made = results(line for line in lines if any(name in line for name in names))
        pairs = [(step, made.get(text_of(step.get("id")))) for step in observation.calls]
        calls: list[JsonValue] = [_judged(step, run) for step, run in pairs]
        responses = (text_of(run.response) for _, run in pairs if run is not None)
        error = next(filter(failed, responses), "")
        observation = replace(observation, detail={**observation.detail, "calls": calls})
        return observation, ToldCall(error=error) if error else call
    unnamed = observation.session and not observation.episode
    if observation.agent == GEMINI_CLI.id and unnamed and observation.event not in _UNPROMPTED:
        with outside.ledger.reading() as reader:
            reports = reader.observed(observation.session, open_only=True)
            reports = reports or reader.observed(observation.session)
        prompts = [
            o.episode for o in (observed.observation for observed in reports) if o.event == PROMPT
        ]
        observation = replace(observation, episode=prompts[-1] if prompts else "")
    return observation, call


def _judged(call: JsonObject, made: Made | None) -> JsonObject:
    if made is None or not isinstance(made.response, str):
        return call
    evidence = EVIDENCE(made.tool, made.input, made.response)
    return {**call, "failed": failed(made.response), "evidence": evidence}  # type: ignore[dict-item]  # evidence is JSON by its schema


def drain(outside: Outside, most: int = 10_000, untold: Untold | None = None) -> int:
    """Take in at most so many waiting observations; how many left the spool.

    A file goes once it is on the disk, unreadable ones aside; `untold` gets what became of wishes.
    """
    taken = 0
    untold = {} if untold is None else untold
    while taken < most:
        names = outside.spool.waiting(min(BATCH, most - taken))
        if not names:
            break
        readable = {name for name in names if _taken_in(outside, name, untold)}
        outside.ledger.settle()
        for name in names:
            leave = outside.spool.done if name in readable else outside.spool.set_aside
            leave(name)
        taken += len(names)
    return taken


def _save_marked(outside: Outside, observation: Observation, untold: Untold) -> None:
    """Save what a prompt marked to be remembered while no worker answered: each once."""
    from learnt.flows.knowledge.remembering import save  # few reports need it
    from learnt.formats.saved import told_of

    marked = (MarkedText(*text) for text in observation.marked)
    refused: list[str] = []
    plain = [text for text in marked if refusal(text.text, text.text) == ("", "")]
    outcome = told_of(save(outside, observation, plain, refused), refused)
    if outcome != NOTHING:
        session = observation.session
        untold[session] = joined(untold.get(session, NOTHING), outcome)


def _taken_in(outside: Outside, name: str, untold: Untold) -> bool:
    """Take one observation in; False where the file holds none, or one that makes no sense."""
    try:
        observation = outside.spool.read(name)
        if observation is not None:
            # Whoever wrote the file is gone: what it says of itself was seen by nobody.
            observation, _ = completed(outside, observation)
            if is_off(outside, observation.folder):
                return True
            observation = replace(measured(outside, observation), seen=encode(BY_FILE))
            with outside.ledger.told(BY_FILE):
                marked = observation.marked and not observation.subagent
                if marked and typed(observation.excerpt):
                    _save_marked(outside, observation, untold)
                if observation.excerpt and observation.event == PROMPT:
                    keep_prompt(outside, observation, observation.excerpt)
                report(outside, observation, waited=True, looks=PATIENT_LOOKS)
    except _NONSENSE:
        return False
    return observation is not None

"""A text model is asked: within the day's budget, one call at a time, and all of it on record.

The greatest cost is recorded before anything is sent. A crash leaves it: what may have been billed
counts, whatever became of the answer.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from learnt.core.events import NOWHERE, Actor, Origin, Where, payload_of
from learnt.core.governance import model_calls
from learnt.core.identifiers import EventId, Subject, content_ref
from learnt.core.payloads.skill_events import ModelCalled, Purpose
from learnt.core.safety import clean, redact, strip_private
from learnt.core.visible_text import visible
from learnt.errors import ModelUnusable, Refused
from learnt.flows.governance.explain import of_call
from learnt.flows.stored import append, kept
from learnt.ports import Outside, Reader, TextModel

LONGEST_REPLY: Final = 20_000  # characters; a reply of the most tokens has fewer


def ask(
    outside: Outside,
    model: TextModel,
    budget: model_calls.Budget,
    question: model_calls.Question,
    purpose: Purpose,
    *,
    judged: Callable[[model_calls.Completion], str] = lambda reply: "",
    where: Where = NOWHERE,
) -> tuple[model_calls.Completion, EventId]:
    """A model's reply without secrets, and the event of the call.

    `judged` says in a few words what is wrong with a reply, for the record; a purge finds the call
    by `where`. Raises Refused for the day's budget and while another call goes on, ModelUnusable.
    """
    question = _fitting(question)
    with outside.model_door.passed():
        subject, call, most = _reserved(outside, model, budget, question, purpose, where)
        try:
            reply = model.complete(question)
        except ModelUnusable as error:
            cost = model_calls.Cost() if error.free else most
            _settle(outside, subject, ModelCalled(
                action="failed", purpose=purpose, call=call, tokens=cost.tokens,
                micro_usd=cost.micro_usd, trouble=error.trouble,
            ))  # fmt: skip
            raise
        reply = replace(reply, text=_clean(reply.text[:LONGEST_REPLY]))
        cost, over = budget.billed(question, reply)
        _settle(outside, subject, ModelCalled(
            action="answered", purpose=purpose, call=call, tokens=cost.tokens,
            micro_usd=cost.micro_usd, trouble=model_calls.OVERBILLED if over else judged(reply),
        ), reply.text)  # fmt: skip
    return reply, call


def was_answered(outside: Outside, question: model_calls.Question) -> bool:
    """Whether the same was asked before, on any day, and a reply came."""
    ref = content_ref(outside.ledger.key, "question", _as_sent(_fitting(question)))
    with outside.ledger.reading() as reader:
        calls = [event.id for event in reader.events_citing(ref)]
        settled = [payload_of(ModelCalled, e) for call in calls for e in of_call(reader, call)]
    return any(each.action == "answered" for each in settled)


def spent_today(outside: Outside) -> model_calls.Spent:
    """What this day's calls cost until now."""
    with outside.ledger.reading() as reader:
        return _spent(reader, _subject(model_calls.day_of(outside.clock.now_ms())))


def _fitting(question: model_calls.Question) -> model_calls.Question:
    return replace(question, system=_clean(question.system), text=_clean(question.text))


def _as_sent(question: model_calls.Question) -> str:
    return f"{question.instructions}\n\n{question.text}"


def _clean(text: str) -> str:
    """A text that may be sent and kept."""
    return redact(strip_private(visible(text)))


def _subject(day: str) -> Subject:
    return Subject(f"model:{day}")


def _spent(reader: Reader, subject: Subject) -> model_calls.Spent:
    events = reader.events(subject=subject)
    return model_calls.spent((event.id, payload_of(ModelCalled, event)) for event in events)


def _reserved(
    outside: Outside,
    model: TextModel,
    budget: model_calls.Budget,
    question: model_calls.Question,
    purpose: Purpose,
    where: Where,
) -> tuple[Subject, EventId, model_calls.Cost]:
    """The call on record at its greatest cost."""
    day, most = model_calls.day_of(outside.clock.now_ms()), budget.greatest(question)
    subject = _subject(day)
    with outside.ledger.durably_writing() as writer:
        if refused := model_calls.why_not(budget, _spent(writer, subject), most, day):
            raise Refused(f"{refused} Nothing was sent.")
        asked = append(writer, subject, Actor.LEARNT, ModelCalled(
            purpose=purpose,
            model=writer.keep("model", clean(model.name)),
            question=writer.keep("question", clean(_as_sent(question))),
            tokens=most.tokens,
            micro_usd=most.micro_usd,
        ), where=where)  # fmt: skip
    assert asked is not None  # it has no natural key: each call is one of its own
    return subject, asked.id, most


def _settle(outside: Outside, subject: Subject, settled: ModelCalled, reply: str = "") -> None:
    with outside.ledger.durably_writing() as writer:
        settled = replace(settled, reply=kept(writer, "reply", clean(reply)))
        append(writer, subject, Actor.MODEL, settled, origin=Origin.ASSISTANT)

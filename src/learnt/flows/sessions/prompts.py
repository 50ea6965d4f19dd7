"""A prompt is read once, before anything is written: what may be kept of it, and what it says."""

from learnt.core import safety
from learnt.core.events import Actor, Origin
from learnt.core.governance.actors import origin_of_prompt
from learnt.core.health.outcomes import Reply
from learnt.core.knowledge.objections import Objection
from learnt.core.recall.asking import should_recall
from learnt.core.records import Record
from learnt.core.sessions.observations import NO_RESPONSE, Response
from learnt.formats.agents.transcripts import typed
from learnt.language_ports import Language

EXCERPT = 2_000  # characters of a prompt that no worker answered; the hook cuts at the same


class Prompt(Record):
    """What is to be known of a prompt before it is answered."""

    public: str  # as it may be looked at
    redacted: safety.Clean  # as it may be kept
    origin: Origin
    worth_recall: bool = False  # it is worth a search
    response: Response = NO_RESPONSE  # what it says of what came before it
    objection: Objection | None = None  # a person's word against a note that was shown


def read_prompt(language: Language, actor: Actor, text: str) -> Prompt:
    """Read a prompt: what may be kept of it, and what it says."""
    public = safety.public(text)
    redacted, is_typed = safety.redact(public), typed(public)
    objection = language.objection(public) if is_typed and actor is Actor.HUMAN else None
    # Of the redacted text: a quote may begin in the middle of a secret.
    reply = language.reply(redacted[:EXCERPT]) if is_typed else None
    return Prompt(
        public=public,
        redacted=redacted,
        origin=origin_of_prompt(actor, public),
        worth_recall=is_typed and should_recall(public),
        response=_response(reply, objection),
        objection=objection,
    )


def read_excerpt(language: Language, text: str) -> Response:
    """What the excerpt of a prompt that waited in the spool says of what came before it."""
    return _response(language.reply(safety.excerpt(text, EXCERPT)) if typed(text) else None, None)


def _response(reply: Reply | None, objection: Objection | None) -> Response:
    if reply is None:
        return NO_RESPONSE
    quote = reply.quote if reply.verdict else ""
    return Response(verdict=reply.verdict, quote=quote, objects=objection is not None)

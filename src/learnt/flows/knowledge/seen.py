"""What the hooks saw of a session's turns, and what the session teaches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from learnt.core import safety
from learnt.core.address import Address
from learnt.core.digest.cures import found_in
from learnt.core.digest.lessons import Lesson, digest
from learnt.core.digest.steps import Talk
from learnt.core.digest.telling import Cure, Found, asked_of, told
from learnt.core.events import Origin
from learnt.core.governance.actors import origin_of_prompt
from learnt.core.health.outcomes import CallEvidence
from learnt.core.identifiers import Subject, plain_or_hashed, session_subject
from learnt.core.records import decode, text_of
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Turn
from learnt.flows.sessions.observe import digest_of
from learnt.flows.sessions.prompts import EXCERPT
from learnt.formats.agents.gemini_cli import GEMINI_CLI
from learnt.formats.evidence.calls import of_call
from learnt.language_ports import Language
from learnt.ports import Outside


def lessons_of(
    language: Language,
    turns: Sequence[Turn],
    calls: Mapping[str, CallEvidence],
    origin_of: Callable[[Turn], Origin],
) -> list[Lesson]:
    """The lessons of a session's turns, in order; `calls` is the evidence of each call by id."""
    readings = [language.remarks(turn.prompt) for turn in turns]
    found = found_in(Talk(turns, calls, readings))
    return digest(turns, readings, cures_told(language, found), origin_of)


def cures_told(language: Language, found: Sequence[Found]) -> list[Cure]:
    """Cures in structure, without texts that speak to their reader."""
    texts = {text for each in found for text in asked_of(each)}
    speaking = {text for text in texts if language.commands(text) is not Address.NONE}
    return [cure for each in found if (cure := told(each, speaking))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A session's transcript."""

    path: str
    id: str = ""  # the session's, where hooks reported it
    agent: str = "claude-code"
    folder: str = ""  # where it was, by the hooks' word
    over: bool = False  # its last turn is complete

    def name(self, key: bytes) -> str:
        """The session's name as payloads may hold it; that of a mere transcript is its path's."""
        return plain_or_hashed(key, self.id or self.path)

    def subject(self, key: bytes) -> Subject:
        """The subject of the session's events."""
        return session_subject(self.agent, self.name(key))


class Seen:
    """The turns of a transcript, and beside them the hooks' reports."""

    def __init__(
        self, outside: Outside, turns: Sequence[Turn], reports: Sequence[Observation]
    ) -> None:
        self.turns = turns
        self._reported = {id(turn): report_of(outside, reports, turn) for turn in turns}
        # The evidence of each call by its id: as its hook found, or else by the transcript.
        self.calls = _evidence(turns, reports)

    def reported(self, turn: Turn) -> Observation | None:
        """The hook's report of the very same prompt."""
        return self._reported[id(turn)]

    def origin_of(self, turn: Turn) -> Origin:
        """Whose words a prompt is."""
        report = self.reported(turn)
        return Origin.MIXED if report is None else origin_of_prompt(report.actor, turn.prompt)


def report_of(outside: Outside, reports: Sequence[Observation], turn: Turn) -> Observation | None:
    """The hook's report of the very same prompt, among a session's."""
    excerpt = safety.excerpt(turn.prompt, EXCERPT) if reports else ""
    if not reports or len(excerpt) == EXCERPT:
        return None  # of what is behind it no report tells
    digested = digest_of(outside, excerpt)
    prompts = (report for report in reports if report.event == "UserPromptSubmit")
    alike = (p for p in prompts if p.digest == digested)
    # Of Gemini CLI neither the hooks nor the chat file name a prompt alike.
    return next((p for p in alike if p.episode == turn.id or p.agent == GEMINI_CLI.id), None)


def _evidence(turns: Sequence[Turn], reports: Sequence[Observation]) -> dict[str, CallEvidence]:
    """The evidence of each call; the digest of an edit only where the hook saw the same texts."""
    reported = {
        text_of(call.get("id")): decode(CallEvidence, evidence)
        for report in reports
        for call in report.calls
        if isinstance(evidence := call.get("evidence"), dict)
    }
    found = {}
    for made in (made for turn in turns for made in turn.calls):
        call = reported.get(made.id)
        if call is None or call.edit:
            written = decode(CallEvidence, of_call(made.tool, made.input, made.response))  # type: ignore[arg-type]  # evidence is JSON by its schema
            call = call or replace(written, edit="")
            call = call if call.edit == written.edit else replace(call, edit="")
        found[made.id] = call
    return found

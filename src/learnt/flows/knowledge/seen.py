"""What the hooks saw of a session's turns: a transcript by itself is anybody's."""

from collections.abc import Sequence

from learnt.core import safety
from learnt.core.digest.steps import reads_pages
from learnt.core.events import Origin
from learnt.core.governance.actors import origin_of_prompt
from learnt.core.health.outcomes import Call
from learnt.core.json_values import text_of
from learnt.core.records import decode
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Turn
from learnt.flows.sessions.observe import digest_of
from learnt.flows.sessions.prompts import EXCERPT
from learnt.formats.evidence.calls import of_call
from learnt.ports import Outside


class Seen:
    """The hooks' reports beside the turns of a transcript.

    `calls` is the evidence of each call by its id: as its hook found, or else by the transcript.
    `hidden_pages`: a page was read that these turns do not show. A subagent read it, or it stands
    in an earlier part: what of it is repeated here nobody can say.
    """

    def __init__(
        self, outside: Outside, turns: Sequence[Turn], reports: Sequence[Observation]
    ) -> None:
        self._typed = {id(turn): _report_of(outside, reports, turn) for turn in turns}
        self.calls = _evidence(turns, reports)
        self.hidden_pages = _hidden_pages(turns, reports)

    def typed(self, turn: Turn) -> Observation | None:
        """The hook's report of the very same prompt."""
        return self._typed[id(turn)]

    def origin_of(self, turn: Turn) -> Origin:
        """Whose words a prompt is."""
        report = self.typed(turn)
        return Origin.MIXED if report is None else origin_of_prompt(report.actor, turn.prompt)


def _report_of(outside: Outside, reports: Sequence[Observation], turn: Turn) -> Observation | None:
    excerpt = safety.excerpt(turn.prompt, EXCERPT) if reports else ""
    if not reports or len(excerpt) == EXCERPT:
        return None  # of what is behind it no report tells
    digested = digest_of(outside, excerpt)
    prompts = (one for one in reports if one.event == "UserPromptSubmit")
    same = (one for one in prompts if one.episode == turn.id and one.digest == digested)
    return next(same, None)


def _evidence(turns: Sequence[Turn], reports: Sequence[Observation]) -> dict[str, Call]:
    known = {
        text_of(call.get("id")): decode(Call, found)
        for one in reports
        for call in one.calls
        if isinstance(found := call.get("evidence"), dict)
    }
    return {
        made.id: known[made.id]
        if made.id in known
        else decode(Call, of_call(made.tool, made.input, made.response))  # type: ignore[arg-type]  # evidence is JSON by its schema
        for turn in turns
        for made in turn.calls
    }


def _hidden_pages(turns: Sequence[Turn], reports: Sequence[Observation]) -> bool:
    shown = {made.id for turn in turns for made in turn.calls}
    return any(
        reads_pages(text_of(call.get("tool"))) and text_of(call.get("id")) not in shown
        for one in reports
        for call in one.calls
    )

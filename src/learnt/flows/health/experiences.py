"""A skill is called: what went well when it ran before is put before the agent, and recorded."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial
from itertools import chain
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Kind, Origin, payload_of
from learnt.core.governance.actors import origin_of_prompt
from learnt.core.health.experiences import Experience, Trail, experience, kept, similar, successes
from learnt.core.identifiers import ContentRef, EventId, ProjectId, content_ref, session_subject
from learnt.core.payloads.entry_events import Recalled
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.records import decode, text_of
from learnt.core.safety import excerpt, public
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.skills.skills import key_of
from learnt.core.tokens import estimate
from learnt.flows.health.closing import prompt_of, typed_skill
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.sessions.locate import find
from learnt.flows.sessions.observe import answered_key, place_of, session_of, where_of
from learnt.flows.stored import append, legible, named, stored, text_or_empty
from learnt.formats.injection import past_successes
from learnt.ports import Outside, Reader, Writer

LOOKED_AT: Final = 100  # executions of the skill, the newest
PROMPT_KEPT: Final = 1_000
_COMMAND: Final = re.compile(r"\s*/\S+\s*")


def answer_call(
    outside: Outside, observation: Observation, prompt: str, expired: Callable[[], bool]
) -> str:
    """What went well when a called skill ran before; empty if it was shown already."""
    typed, key = typed_skill(observation), outside.ledger.key
    skill = typed or text_of(observation.detail.get("skill"))
    if not skill:
        return ""
    session = session_of(outside, observation)
    subject, place = session_subject(observation.agent, session), place_of(outside, observation)
    words = _COMMAND.sub("", public(prompt), count=1) if typed else ""

    def context(reader: Reader) -> tuple[EventId, ...]:
        state = None if observation.subagent else stored(reader, Session, subject)
        return state.exemplars if state else ()

    def planned() -> Plan[str]:
        with outside.ledger.reading() as reader, outside.ledger.within(expired):
            rests_on, task = snapshot(reader, context), words
            if not typed:
                asked = prompt_of(reader, subject, named(key, observation.episode))
                task = text_or_empty(reader, asked[0])
            located = find(reader, place) if place else None
            projects = located.household if located else (None,)
            past = of_skill(reader, content_ref(key, "skill", skill), projects)
            new = [each for each in past if each.id not in rests_on.seen]
        return Plan(rests_on=rests_on, write=partial(write, similar(task, new, outside.stem)))

    def in_own_words(past: Experience) -> Experience:
        # What stands in another paragraph may have been pasted, however it looks.
        own = outside.language.own_part(past.task_description.partition("\n\n")[0])
        return replace(past, task_description=" ".join(own.split()))

    def write(given: list[Experience], writer: Writer) -> str:
        if not (words or given):
            return ""
        text = past_successes(list(map(in_own_words, given)))
        payload = Recalled(
            mode="skill",
            prompt=writer.keep("prompt", excerpt(words, PROMPT_KEPT)) if words else None,
            search="lexical",
            exemplars=tuple(each.id for each in given),
            tokens=estimate(text),
        )
        where, actor = where_of(outside, writer, observation, place), observation.actor
        origin = origin_of_prompt(actor, words) if typed else None
        once = answered_key(key, observation, session)
        new = append(writer, subject, actor, payload, where=where, origin=origin, key=once)
        return text if new else ""

    return carry_out(outside.ledger, planned, f"What is known of {skill}")


def of_skill(
    reader: Reader, skill: ContentRef, projects: Collection[ProjectId | None] | None = None
) -> list[Experience]:
    """The past successes of a skill that are kept, in some projects or in all."""
    found = []
    for use in successes(list(reader.uses(skill, LOOKED_AT))):
        event = reader.event(use.event)
        if event is not None and (projects is None or event.where.project in projects):
            closed, own = payload_of(EpisodeClosed, event), event.origin is Origin.USER
            refs = (one.did for one in closed.skills if (one.skill, one.by) == (skill, use.by))
            done = decode(Trail, json.loads(text_or_empty(reader, next(refs, None)) or "{}"))
            found.append(experience(use, done, text_or_empty(reader, closed.prompt), own=own))
    return kept(filter(None, found))


def library(outside: Outside, of: str = "") -> list[Experience]:
    """The past successes of every skill, or one; an imported library knows folders' names alone."""
    found: dict[str, list[Experience]] = {}
    imported: defaultdict[str, list[Experience]] = defaultdict(list)
    with outside.ledger.reading() as reader:
        for use in reader.uses(newest=1):
            name = legible(reader, use.skill)
            found[name] = [replace(past, skill=name) for past in of_skill(reader, use.skill)]
        for event in reader.events(kind=Kind.SKILL):
            said = payload_of(SkillEvent, event)
            if said.action == "exemplar" and (text := text_or_empty(reader, said.text)):
                past = decode(Experience, json.loads(text))
                imported[past.skill].append(past)
    every = chain(*(found[name] for name in sorted(found)), *map(kept, imported.values()))
    folder = re.sub("[:/]", "_", of)
    named = {False: key_of(of), True: key_of(folder)}
    return [past for past in every if not of or key_of(past.skill) == named[past.imported]]

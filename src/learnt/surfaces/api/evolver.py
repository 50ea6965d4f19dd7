"""Distillation for programs that embed Learnt, with the names of seed 004. No transcript is needed.

loop = ContinualLearningLoop(SkillRegistry(), mode="skills_only")
loop.post_run(failures, successes, session_id="run-7", injected_skills=["release-notes"])

What is learnt is proposed: a person decides, and no skill is written.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from learnt.core.distil.distilled import (
    Extract,
    FailedAttempt,
    Mode,
    Success,
    TaskWorked,
    compressed,
    novel,
    reward,
    telling,
)
from learnt.core.governance.model_calls import Budget
from learnt.errors import UsageError
from learnt.flows.knowledge.capture import OfferOutcome
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.skills.distil import (
    PROGRAM,
    Asking,
    Distillation,
    distil_seen,
    offer_memories,
)
from learnt.flows.skills.session_evidence import SessionLook
from learnt.ports import TextModel
from learnt.surfaces.api.skills import SkillRegistry

__all__ = [
    "AttemptLike",
    "Budget",
    "ContinualLearningLoop",
    "Extract",
    "FailedAttempt",
    "Mode",
    "PostRun",
    "ProofLike",
    "ProofRecord",
    "SkillEvolver",
    "Success",
]
_LOG = logging.getLogger("learnt.skills")


class AttemptLike(Protocol):
    """A failed attempt with the fields of seed 004."""

    lemma_id: str
    attempt_text: str
    failure_reason: str


class ProofLike(Protocol):
    """A success with the fields of seed 004."""

    lemma_id: str
    proof_text: str


@dataclass(kw_only=True)
class ProofRecord:
    """Something that was shown, with the fields of seed 004 that are read here."""

    lemma_id: str
    proof_text: str


class PostRun(NamedTuple):
    """What became of a run: proposals with their reasons, skills graded, rewards by what failed.

    `rewards` stays empty without a process reward.
    """

    distilled: Distillation
    graded: tuple[str, ...]
    rewards: tuple[tuple[str, float], ...] = ()


class SkillEvolver:
    """Drafts skills of a program's own evidence and proposes them.

    Rules draft where no `model` is handed in; a model is asked within a day's `budget`. Raises
    UsageError for a model without one.
    """

    def __init__(
        self, registry: SkillRegistry, model: TextModel | None = None, budget: Budget | None = None
    ) -> None:
        if model is not None and budget is None:
            raise UsageError("A model is asked within a budget: hand in a `Budget`.")
        self.registry, self._model, self._budget = registry, model, budget

    def distill_from_session(
        self,
        failures: Iterable[FailedAttempt | AttemptLike],
        successes: Iterable[Success | ProofLike],
        session_id: str = "",
    ) -> Distillation:
        """Propose what this evidence teaches, however little there is of it."""
        return self.distilled(
            novel(map(_failure, failures)), list(map(_success, successes)), session_id, asked=True
        )

    def distilled(
        self,
        failures: Sequence[FailedAttempt],
        successes: Sequence[Success],
        session_id: str,
        *,
        asked: bool,
    ) -> Distillation:
        """Propose what this evidence teaches; `asked`: whether or not it suffices."""
        shelf, model = self.registry.shelf(), None
        text = "\n".join(part for each in (*failures, *successes) for part in each)
        name = session_id or hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        if self._model is not None and self._budget is not None:
            model = Asking(shelf.outside, self._model, self._budget)
        done = distil_seen(
            shelf,
            Transcript(path="", id=name, agent=PROGRAM),
            SessionLook(
                lessons=(),
                runs=(),
                failures=tuple(failures),
                successes=tuple(successes),
                folder="",
                until=len(text),
                # What it wanted is the kind of its task.
                worked=tuple(
                    TaskWorked(one.what.strip(), (one.how.strip(),))
                    for one in successes
                    if one.how.strip()
                ),
            ),
            model,
            asked=asked,
        )
        for fate in done.fates:
            _LOG.info("%s of %s: %s", fate.what, fate.skill, fate.proposal or fate.why)
        return done


class ContinualLearningLoop:
    """Learns of each run of a program: grades the skills it used, and proposes new ones.

    `rl` looks first at the failures of which the process reward is surest; `madmax` does so too and
    distils however little there is. `score` gives the reward of a failure that no
    counterexample refuted; one that raises counts as 0.
    """

    def __init__(
        self,
        registry: SkillRegistry,
        mode: Mode = "skills_only",
        evolver: SkillEvolver | None = None,
        score: Callable[[FailedAttempt], float] | None = None,
    ) -> None:
        self.mode, self._registry, self._score = mode, registry, score
        self.skill_evolver = evolver or SkillEvolver(registry)

    def post_run(
        self,
        failures: Iterable[FailedAttempt | AttemptLike],
        successes: Iterable[Success | ProofLike],
        *,
        session_id: str = "",
        succeeded: bool | None = None,
        injected_skills: Iterable[str] = (),
        refuted: Iterable[str] = (),
    ) -> PostRun:
        """Learn of a run that is over: it is distilled where its evidence suffices.

        `succeeded` is how it went, which grades the `injected_skills`; None grades none. `refuted`
        names what a counterexample speaks against.
        """
        graded = tuple(injected_skills) if succeeded is not None else ()
        for name in graded:
            self._registry.update_stats(name, success=bool(succeeded))
        found, wrong = list(map(_failure, failures)), frozenset(refuted)
        rewarded = [(each, self._reward(each, wrong)) for each in found]
        scored = self.mode != "skills_only"
        done = self.skill_evolver.distilled(
            novel(telling(rewarded) if scored else found),
            list(map(_success, successes)),
            session_id,
            asked=self.mode == "madmax",
        )
        rewards = tuple((each.what, value) for each, value in rewarded) if scored else ()
        return PostRun(done, graded, rewards)

    def remember(self, memories: Iterable[Extract]) -> list[OfferOutcome]:
        """Offer what a model extracted of a run to the gates; a candidate at best comes of it."""
        project = self._registry.project
        folder = None if project is None else str(project)
        return offer_memories(self._registry.shelf().outside, memories, folder=folder)

    def _reward(self, failure: FailedAttempt, refuted: frozenset[str]) -> float:
        if failure.what in refuted:
            return reward("refuted")
        if self.mode == "skills_only" or self._score is None:
            return reward("error")
        try:
            return reward("scored", float(self._score(failure)))
        except Exception as error:  # noqa: BLE001  # it is the program's own, and a run is not to end with it
            _LOG.warning("A process reward failed (%s) and counts as 0.", type(error).__name__)
            return reward("error")


def _failure(given: FailedAttempt | AttemptLike) -> FailedAttempt:
    if isinstance(given, FailedAttempt):
        return given
    return FailedAttempt(given.lemma_id, given.failure_reason, given.attempt_text)


def _success(given: Success | ProofLike) -> Success:
    if isinstance(given, Success):
        return Success(given.what, compressed(given.how))
    return Success(given.lemma_id, compressed(given.proof_text))

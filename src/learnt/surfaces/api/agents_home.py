"""What a program asks and tells of what is remembered: as an agent does, by plain methods.

with Home(project=Path("service")) as home:
    for entry in home.recall("how are rooms joined?").entries:
        print(entry.trust, entry.text, entry.id)
"""

import json
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar

from learnt.core.digest.lessons import kind_of
from learnt.core.governance.actors import session
from learnt.core.knowledge.drafts import Draft
from learnt.errors import UsageError
from learnt.flows.governance.explain import Story
from learnt.formats.answers import as_told
from learnt.ports import Outside
from learnt.surfaces import agent_calls
from learnt.surfaces.agent_calls import Client, settings_of_agent
from learnt.surfaces.answers.home import HomeStatus, home_status
from learnt.surfaces.answers.memories import Admission, Memories, Recorded
from learnt.surfaces.ledger_thread import LedgerThread

A = TypeVar("A")
P = ParamSpec("P")


class Home:
    """What is remembered in a home (`path`, else LEARNT_HOME, else the platform's) for a project.

    `project` is the folder whose project is meant (else the current one). Whoever calls is an
    agent: what it offers is a candidate, and nothing is decided.

    Any thread may call, and each call sees the home as it is by then. Close it, or use `with`.
    Every method raises a LearntError: UsageError for a call that is wrong or comes after `close`,
    Refused where a rule says no, NotFound for an id that the project may not see,
    EnvironmentTrouble where the home cannot be used.
    """

    def __init__(self, path: Path | None = None, *, project: Path | None = None) -> None:
        environment, home = dict(os.environ), None if path is None else str(path)

        folder = str((project or Path()).resolve())
        self._client = Client(folder=folder, session=session(environment))
        self._ledger = LedgerThread(partial(settings_of_agent, environment, home))

    def __enter__(self) -> "Home":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let what has begun come to its end, and give the ledger back."""
        self._ledger.close()

    def recall(self, question: str, *, most: int = 5) -> Memories:
        """The entries that fit a question best, or the one of an id; that it was asked is recorded.

        Each says how far to trust it. Raises UsageError for a question without words.
        """
        if not question.strip() or most < 1:
            raise UsageError("A question has words, and at least one answer. Nothing was asked.")
        return self._do(agent_calls.recalled, question, most)

    def remember(
        self,
        fact: str,
        *,
        kind: str = "",
        about: Iterable[str] = (),
        tags: Iterable[str] = (),
        evidence: str = "",
        everywhere: bool = False,
    ) -> Admission:
        """Offer a fact to the gates: what they decided, and why.

        Without a `kind` it is guessed. `about` names what it is of (tables, files, functions),
        `evidence` the id of a tool call that shows it; `everywhere` is for every project. Raises
        UsageError for a kind that there is not.
        """
        guessed = kind_of(fact[: agent_calls.LONGEST_TEXT])
        what = Draft(text=fact, kind=kind or guessed, entities=(*about,), tags=(*tags,))
        return self._do(agent_calls.offered, what, evidence, everywhere=everywhere)

    def remember_solution(
        self,
        problem: str,
        approach: str,
        *,
        cautions: Iterable[str] = (),
        tags: Iterable[str] = (),
        evidence: str = "",
        everywhere: bool = False,
    ) -> Admission:
        """Offer what went wrong, or was to be done, and what worked; as `remember` otherwise."""
        what = Draft(problem=problem, approach=approach, cautions=(*cautions,), tags=(*tags,))
        return self._do(agent_calls.offered, what, evidence, everywhere=everywhere)

    def confirm(self, entry: str, *, evidence: str = "") -> Recorded:
        """A witness for an entry: with the id of a tool call that shows it, else a judgement.

        A judgement counts once a day, or once in each session of an agent that Learnt saw.
        """
        return self._do(agent_calls.told, entry, "confirmed", evidence)

    def feedback(
        self,
        entry: str,
        result: Literal["success", "failure", "invalidate", "reset"],
        *,
        evidence: str = "",
    ) -> Recorded:
        """Say how a validated entry held: the entry as it is then.

        A judgement without `evidence` moves its confidence little, and counts as in `confirm`.
        """
        return self._do(agent_calls.told, entry, result, evidence)

    def why(self, name: str) -> Story:
        """The story of an entry, a proposal, a session or an event, from its first event to now."""
        return self._do(agent_calls.story, name)

    def status(self) -> HomeStatus:
        """What the home holds, how it is used, and what waits for a person."""
        return self._do(lambda outside, client: home_status(outside, client.folder))

    @staticmethod
    def for_prompt(answer: object) -> str:
        """An answer as JSON that may stand in a prompt: its texts can command nobody.

        Long texts and lists are cut, and what is of this machine or of other projects is left out:
        it is what a tool of the MCP server answers.
        """
        return json.dumps(as_told(answer), ensure_ascii=False)

    def _do(
        self, call: Callable[Concatenate[Outside, Client, P], A], *given: P.args, **named: P.kwargs
    ) -> A:
        def work(outside: Outside) -> A:
            return call(outside, self._client, *given, **named)

        try:
            future = self._ledger.submit(work)
        except RuntimeError:
            raise UsageError("This Home was closed before. Nothing was done.") from None
        return future.result()

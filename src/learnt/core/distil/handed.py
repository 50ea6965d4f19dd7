"""Evidence that a program hands over: what it failed at, and what helped of the same subject."""

from collections.abc import Iterable, Sequence

from learnt.core.digest.telling import trimmed
from learnt.core.distil.evidence import FailedAttempt, Success
from learnt.core.distil.rules import LONGEST_STEP, MOST_PITFALLS, MOST_STEPS, Teaching
from learnt.core.events import Origin


def handed(failures: Sequence[FailedAttempt], successes: Iterable[Success]) -> list[Teaching]:
    """A piece for each subject that failed: what helped, if anything did, and what did not.

    Whose words they are only the program knows: they are taken for an agent's.

    >>> handed([FailedAttempt("lemma-2", "the bound is loose", "Markov")],
    ...        [Success("lemma-2", "Use Bernstein."), Success("lemma-9", "Induct.")])[0].steps
    ('Use Bernstein.',)
    """
    subjects = dict.fromkeys(each.what.strip() for each in failures if each.what.strip())
    helped = [success for success in successes if success.how.strip()]
    return [
        _piece(
            subject,
            [each for each in failures if each.what.strip() == subject],
            [each.how for each in helped if each.what.strip().casefold() == subject.casefold()],
        )
        for subject in subjects
    ]


def _piece(subject: str, failed: Sequence[FailedAttempt], helped: Sequence[str]) -> Teaching:
    pitfalls = (f"{each.tried}: {each.why}" if each.tried else each.why for each in failed)
    return Teaching(
        "fix",
        trimmed(f"{subject}: {failed[0].why}", LONGEST_STEP),
        frozenset({subject}),
        tuple(dict.fromkeys(trimmed(each, LONGEST_STEP) for each in helped))[:MOST_STEPS],
        tuple(dict.fromkeys(trimmed(each, LONGEST_STEP) for each in pitfalls))[:MOST_PITFALLS],
        quote=trimmed(f"{failed[-1].what}: {failed[-1].why}", LONGEST_STEP),
        origin=Origin.ASSISTANT,
    )

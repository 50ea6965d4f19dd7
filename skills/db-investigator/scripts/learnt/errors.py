"""Everything Learnt raises on purpose, sorted by what the caller can do about it.

LearntError
├── UsageError            2  the call's words are off: call again, corrected
│   └── SettingsUnusable 5  config.toml is no file that is read
├── Refused               1  a rule says no: the message names the rule and the way round, if any
├── StatementFailed       1  a server could not run the statement: the message is its own
├── NotFound              3  no such entry, event, file or project
├── Conflict              4  somebody changed it meanwhile: look again, then repeat
└── EnvironmentTrouble    5  the machine, not the call
    ├── LedgerBusy           another program holds the ledger: try again
    ├── LedgerDamaged        the file is not readable: it is left as it is, never emptied
    ├── LedgerNewer          written by a newer Learnt: upgrade this one
    ├── ModelUnusable        the model that [models] use names gave no reply
    ├── EmbedderUnusable     the embedder that [search] names gives no vectors: search goes by words
    ├── VectorsUnusable      the vectors cannot be read: search goes by words
    └── HomeUnusable         the home folder is missing, read-only, full or not ours

The number is the exit code of the command line. Every message says what happened, what was kept
and what to do.
"""


class LearntError(Exception):
    """The root: catch it to catch all that Learnt raises on purpose."""

    exit_code = 1


def raised_at(error: BaseException) -> str:
    """The file and line that raised an error, as `worker.py:12`; empty where it was not raised."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


class UsageError(LearntError):
    """The call itself is wrong."""

    exit_code = 2


class SettingsUnusable(UsageError):
    """config.toml is not a file that is read: a pipe, a folder, or far too large."""

    exit_code = 5


class Refused(LearntError):
    """A rule forbids it."""


class StatementFailed(LearntError):
    """A server could not run a statement, or not in time."""


class NotFound(LearntError):
    """What was named does not exist."""

    exit_code = 3


class Conflict(LearntError):
    """The thing changed since it was last looked at."""

    exit_code = 4


class EnvironmentTrouble(LearntError):
    """The machine does not allow it."""

    exit_code = 5


class ModelUnusable(EnvironmentTrouble):
    """The text model gave no usable reply: `trouble` says why, `free` that nothing was billed."""

    def __init__(self, message: str, trouble: str = "unusable", *, free: bool = False) -> None:
        super().__init__(message)
        self.trouble, self.free = trouble, free


class EmbedderUnusable(EnvironmentTrouble):
    """The embedder that the settings name gives no vectors that can be used."""


class VectorsUnusable(EnvironmentTrouble):
    """The vectors cannot be read or written."""


class LedgerBusy(EnvironmentTrouble):
    """Another program holds the ledger's write lock."""


class LedgerDamaged(EnvironmentTrouble):
    """The ledger cannot be read; it is left untouched."""


class LedgerNewer(EnvironmentTrouble):
    """The ledger was written by a newer Learnt; this one must not write to it."""


class HomeUnusable(EnvironmentTrouble):
    """The home folder cannot be used."""

"""The keys by which a person answers in `review`: the same manners in all its parts."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

import click

from learnt.errors import Conflict, LearntError, NotFound
from learnt.formats.draft_md import one_line
from learnt.surfaces.cli.context import plain

_MARKED: Final = re.compile(r"\((\w)\)(\w*)")  # the key in its word, as in "(s)kip"
_LONGEST_SHOWN: Final = 40  # characters of an answer that is no key


class KeyChoice(NamedTuple):
    """A key as the question names it (`(s)kip`), what it does in words, and that."""

    label: str
    does: str
    act: Callable[[], object] = lambda: None


Keys = dict[str, KeyChoice]
_ALWAYS: Final[Keys] = {
    "s": KeyChoice("(s)kip", "leave it as it is; it waits on (Enter does the same)"),
    "q": KeyChoice("(q)uit", "leave the review; what was decided stays decided"),
    "?": KeyChoice("?", "show this"),
}


def asked(keys: Keys, *, leads_on: tuple[type[LearntError], ...] = (Conflict, NotFound)) -> str:
    """Ask until an answer leads on: its key, `q` for leaving. What could not be done is told.

    An answer is a key or the whole word that it stands for. An error of `leads_on` counts as `s`.
    """
    every = {**keys, **_ALWAYS}
    words = {_word(choice.label): key for key, choice in every.items()} | {"help": "?"}
    question = ", ".join(choice.label for choice in every.values())
    while True:
        try:
            answer = click.prompt(question, default="s").strip().lower()
            key = answer if answer in every else words.get(answer)
            if key is None:
                click.echo(f"{plain(one_line(answer, _LONGEST_SHOWN))} is no key here.")
            elif key == "?":
                _explain(every)
            else:
                every[key].act()
                return key
        except click.Abort:
            return "q"
        except LearntError as error:
            click.secho(plain(str(error)), fg="red", err=True)
            if isinstance(error, leads_on):
                return "s"


def _word(label: str) -> str:
    marked = _MARKED.search(label)
    return "".join(marked.groups()).lower() if marked else label


def _explain(keys: Keys) -> None:
    for key, choice in keys.items():
        word = _word(choice.label) if _MARKED.search(choice.label) else "help" * (key == "?")
        click.echo(f"  {f'{key}, {word}' if word else key}: {choice.does}")

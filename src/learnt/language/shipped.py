"""The language room: answers its questions with the patterns and weights that are shipped."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from learnt.core.address import Address
from learnt.core.digest.remarks import Reading
from learnt.core.health.outcomes import Reply
from learnt.core.knowledge.admission import Worth
from learnt.core.knowledge.objections import Objection

_LATIN: Final = "the port is 8443"
_CHINESE: Final = "\u7aef\u53e3\u662f 8443"


def _question(module: str, function: str) -> Any:
    """A function of this room, whose module is loaded when it is asked first."""
    return staticmethod(
        lambda text: getattr(import_module(f"learnt.language.{module}"), function)(text)
    )


class ShippedLanguage:
    """Reads English and Chinese. Its port says what each question is."""

    worth: Callable[[str], Worth] = _question("scorer", "worth")
    reply: Callable[[str], Reply] = _question("scorer", "reply")
    remarks: Callable[[str], Reading] = _question("remarks", "read")
    own_part: Callable[[str], str] = _question("remarks", "own_part")
    leaves_open: Callable[[str], bool] = _question("remarks", "leaves_open")
    draft_words: Callable[[str], Mapping[str, str]] = _question("remarks", "draft_words")
    objection: Callable[[str], Objection | None] = _question("remarks", "objection")
    commands: Callable[[str], Address] = _question("scorer", "commands")
    misleads: Callable[[str], float] = _question("scorer", "misleads")
    lays_down: Callable[[str], bool] = _question("remarks", "lays_down")
    weakens: Callable[[str], bool] = _question("remarks", "weakens")
    acts_in: Callable[[str], frozenset[str]] = _question("remarks", "acts_in")

    def warm_up(self) -> Iterator[None]:
        """Load what a prompt's questions need, then by small parts what an offer's need as well.

        Each part behind the first step takes some tens of milliseconds: a hook may come meanwhile.
        """
        from learnt.language.scorer import warm_up

        warm_up()
        for text in _LATIN, _CHINESE:  # of a note that may be shown: whether it commands its reader
            self.commands(text)
            self.misleads(text)
        yield
        from learnt.core.knowledge.relating import compare
        from learnt.language.remarks import read

        for text in _LATIN, _CHINESE:
            yield
            read(text)
            yield
            self.worth(text)
        yield
        compare(_LATIN, _CHINESE, str)

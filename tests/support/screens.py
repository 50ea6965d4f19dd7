"""A terminal within this process: what is printed is kept, what is typed is given beforehand."""

from io import BytesIO, StringIO, TextIOWrapper


class Screen(StringIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


class Keyboard(TextIOWrapper):
    """Standard input that is a terminal, with what a person types."""

    def __init__(self, typed: str) -> None:
        super().__init__(BytesIO(typed.encode()), encoding="utf-8")

    def isatty(self) -> bool:
        return True

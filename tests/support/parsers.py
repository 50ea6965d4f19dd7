"""Every function of the project that takes a text or bytes somebody else may have written.

What is pure is found by itself: each public function of these rings whose parameters can be made
from one text. What needs a folder, or is a method, stands in `by_hand`. What takes no foreign text
stands in `OWN`, with the reason. `tests/laws/test_law_foreign_bytes.py` holds this complete.
"""

import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pydantic import ValidationError

from learnt import errors
from learnt.core.address import Address, Commanded, unsafe
from learnt.core.governance.model_calls import Completion
from learnt.core.knowledge import citations
from learnt.core.knowledge.spans import texts
from learnt.core.knowledge.spans.prints import extent
from learnt.core.sessions.observations import from_json
from learnt.core.skills.threats import scan
from learnt.domains.database.gate.statements import judge
from learnt.domains.database.schema.cache import about
from learnt.domains.database.servers.connections import Dialect
from learnt.exchanges import archive, sources, web
from learnt.formats import decay_tags, front_matter, model_replies, seed_health
from learnt.language.shipped import ShippedLanguage
from learnt.settings import load
from learnt.stores.spool import FileSpool
from learnt.surfaces.mcp_tools import TOOLS
from tests.support.foreign_arguments import Foreign, decoded, filler, lines, mapped, value
from tests.support.kept_structure import Kept, table

RINGS: Final = ("formats", "core", "language", "domains.database")
LONGEST: Final = 256 << 10  # bytes of an input


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """One callable of one foreign input, what it may raise, and the longest input it meets."""

    name: str
    call: Callable[[Foreign], object]
    raises: tuple[type[BaseException], ...] = ()
    most: int = LONGEST


# Modules and functions whose words are Learnt's own, with the reason.
_LISTS: Final = "it names a list or weights that come with Learnt"
_RECORD: Final = "its argument is a record, a name or an id that Learnt made"
_TOLD: Final = "it is given what another row of the table has read"
OWN: Final[Mapping[str, str]] = {
    "domains.database.commands": "what a person typed, checked by `typer`",
    "domains.database.lists": _LISTS,
    "language.data": _LISTS,
    "language.scorer:load": _LISTS,
    "language.scorer:likeliest_of": _LISTS,
    "core.records": _RECORD,
    "core.coin": _RECORD,
    "core.events": _RECORD,
    "core.views": _RECORD,
    "core.governance.model_calls": _RECORD,
    "core.health": _RECORD,
    "core.knowledge.admission": _RECORD,
    "core.knowledge.objections": _TOLD,
    "core.knowledge.relating": _RECORD,
    "core.knowledge.entries:belief": _RECORD,
    "core.knowledge.spans.prints": _TOLD,
    "core.skills.replay": _TOLD,
    "core.skills.skills:is_sign": "it is given a character, and the one before it",
    "domains.database.gate.parts:with_schemas": "`judge` asks it",
    "domains.database.servers.sqlite:main": "the child's own arguments, which Learnt gives it",
    "exchanges.github_issues": "of what `gh` says an address that fits a pattern counts",
    "exchanges.programs": "it runs a program, whose words others read",
    "exchanges.sources:fetch": "it asks the others of its file",
    "core.knowledge.topics:widened": _RECORD,
    "core.recall.ranking": _RECORD,
    "core.recall.closeness": _RECORD,
    "language.embedders": "a folder that the user names, and a library's own file",
    "core.recall.eligibility:under_coin": _RECORD,
    "formats.answers": _RECORD,
    "formats.seed_health:parse": "see the row by hand",
    "formats.own_texts": "it names a file that comes with Learnt",
    "formats.evidence.shell:program": "it is given a segment, which is never empty",
    "domains.database.schema.objects:relation": _RECORD,
    "domains.database.gate.grammar": "`judge` asks it, and refuses what it cannot read",
    "formats.draft_md:without_route": "its block is one that Learnt wrote",
    "formats.evidence.shell:family": "it is given a segment, which is never empty",
    "formats.agents.settings_text:render": "`parse` has read the text that it changes",
}

# What a caller cuts a text to before it gets there, in bytes.
BOUNDED: Final[Mapping[str, int]] = {
    "core.deeds:spelled": 600,  # `LONGEST`
    "core.digest.lessons:plain": 8_000,  # `LOOKED_AT`
    "core.recall.marks:parts": 400,  # a line of `naming`
    "formats.config_toml:with_setting": 32_768,  # what `settings` reads of the file
    "core.digest.bare:message": 180,  # a signature
    "core.sessions.sessions:lineage": 256,  # a session's name, by `observations.name_of`
    "domains.database.observed.mentions:mentions": 20_000,  # a command of `observed.questions`
}


def _takes_text(hint: Any) -> bool:
    return re.search(r"\b(str|bytes)\b", str(hint)) is not None or hint in (object, Any)


def _raises(function: Callable[..., object]) -> tuple[type[BaseException], ...]:
    """The errors that its docstring names behind `Raises`."""
    named = re.findall(r"[Rr]aises ([^.]*)", function.__doc__ or "")
    module = inspect.getmodule(function)
    found = []
    for word in re.findall(r"[A-Z]\w+", " ".join(named)):
        kind = getattr(module, word, None) or getattr(errors, word, None)
        kind = kind or getattr(importlib.import_module("builtins"), word, None)
        if inspect.isclass(kind) and issubclass(kind, BaseException):
            found.append(kind)
    return tuple(found)


def modules(rings: Iterable[str] = RINGS) -> Iterator[str]:
    """The modules of the rings, by their names below `learnt`."""
    for ring in rings:
        package = importlib.import_module(f"learnt.{ring}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.ispkg and "-" not in found.name:
                yield found.name.removeprefix("learnt.")


def _type(hint: Any, module: types.ModuleType) -> Any:
    """An annotation that stands as a text, where its names can be found."""
    try:
        return eval(hint, vars(module)) if isinstance(hint, str) else hint
    except NameError:
        return hint


def functions(module: str) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """The public functions of a module that take text or bytes, with the types that they need."""
    loaded = importlib.import_module(f"learnt.{module}")
    for name, function in vars(loaded).items():
        function = inspect.unwrap(function) if callable(function) else function
        if name[0] == "_" or not inspect.isfunction(function):
            continue
        if function.__module__ != loaded.__name__:
            continue
        needed = {
            each.name: _type(each.annotation, loaded)
            for each in inspect.signature(function).parameters.values()
            if each.default is each.empty
        }
        if any(map(_takes_text, needed.values())):
            yield name, getattr(loaded, name), needed


def is_own(function: str) -> bool:
    """Whether a function, its module or its package is among what takes no foreign text."""
    return any(function == own or function.startswith((f"{own}.", f"{own}:")) for own in OWN)


def found(module: str) -> Iterator[Parser]:
    """The parsers of a module that need nothing but a text."""
    for name, function, needed in functions(module):
        full = f"{module}:{name}"
        if is_own(full):
            continue
        fillers: dict[str, Callable[[Foreign], object]] = {}
        first = True
        for parameter, hint in needed.items():
            if fills := filler(parameter, hint, first):
                fillers[parameter] = fills
            first = first and hint is not str
        if len(fillers) == len(needed):
            yield Parser(
                name=full,
                call=partial(_called, function, fillers),
                raises=_raises(function),
                most=BOUNDED.get(full, LONGEST),
            )


def _called(
    function: Callable[..., Any], fillers: Mapping[str, Callable[[Foreign], object]], raw: Foreign
) -> object:
    positional = {name: fill(raw) for name, fill in fillers.items()}
    signature = inspect.signature(function)
    only_named = {
        name: given
        for name, given in positional.items()
        if signature.parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    }
    made = function(*(v for n, v in positional.items() if n not in only_named), **only_named)
    return list(made) if isinstance(made, Iterator) else made


def _settings(raw: Foreign) -> object:
    with TemporaryDirectory() as folder:
        Path(folder, "config.toml").write_bytes(raw)
        return load({}, folder)


def _folder(name: str, raw: Foreign) -> object:
    with TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(raw)
        return sources.from_folder(Path(folder, name))


def _spooled(raw: Foreign) -> object:
    with TemporaryDirectory() as folder:
        Path(folder, "spool").mkdir()
        Path(folder, "spool", "0019a0000000a-00112233445566aa.json").write_bytes(raw)
        return _spool_read(FileSpool(Path(folder)))


def _spool_read(spool: Any) -> object:
    return [spool.read(each) for each in spool.waiting(9)]


def _judged(dialect: Dialect, raw: Foreign) -> object:
    return judge(decoded(raw), dialect)


def _extent(path: str, raw: Foreign) -> object:
    return extent(decoded(raw), path, texts.read(decoded(raw), path), "minutes")


def _replied(read: Callable[[Completion], object], raw: Foreign) -> object:
    return read(Completion(decoded(raw)))


def _asked(tool: str, raw: Foreign) -> object:
    return TOOLS[tool].takes.model_validate(mapped(raw))


def by_hand() -> Iterator[Parser]:
    """What is a method, needs a folder, or a value of ours beside the text."""
    refused = (errors.LearntError,)
    yield Parser(name="exchanges.archive:unpack", call=archive.unpack)
    yield Parser(name="exchanges.sources:name_of", call=lambda raw: sources.name_of(decoded(raw)))
    yield Parser(name="exchanges.sources:address", call=lambda r: sources.address(decoded(r)))
    yield Parser(
        name="exchanges.web:safe_address",
        call=lambda raw: web.safe_address(decoded(raw)),
        raises=refused,
    )
    for name in ("one.zip", "one.md", "one.tar.gz"):
        yield Parser(
            name=f"exchanges.sources:from_folder {name}",
            call=partial(_folder, name),
            raises=refused,
        )
    yield Parser(name="settings:load", call=_settings, raises=refused)
    yield Parser(name="stores.spool:FileSpool", call=_spooled, raises=refused)
    for tool in TOOLS:
        yield Parser(
            name=f"surfaces.mcp_tools:{tool}",
            call=partial(_asked, tool),
            raises=(ValidationError,),
        )
    for dialect in typing.get_args(Dialect):
        yield Parser(
            name=f"domains.database.gate.statements:judge {dialect}",
            call=partial(_judged, dialect),
        )
    kept = Kept()
    kept.structure(kept.database("shop"), table("film", "film_id", "rating"))
    yield Parser(
        name="domains.database.schema.cache:about",
        call=lambda raw: about(decoded(raw), kept.home),
    )
    yield Parser(
        name="formats.seed_health:parse",
        call=lambda raw: seed_health.parse(decoded(raw), {"2026-03-01.jsonl": lines(raw)}),
        raises=refused,
    )
    yield Parser(
        name="core.sessions.observations:from_json",
        call=lambda raw: from_json(value(raw), "0019a0000000a-00112233445566aa"),
    )
    for suffix in (".py", ".sql", ".ts"):
        yield Parser(
            name=f"core.knowledge.spans.prints:extent {suffix}",
            call=partial(_extent, f"a{suffix}"),
        )
    yield Parser(
        name="core.address:unsafe",
        call=lambda raw: unsafe(decoded(raw), Commanded(Address.NONE)),
    )
    yield Parser(
        name="core.knowledge.citations:parse",
        call=lambda raw: [citations.parse(decoded(raw), each) for each in Address],
    )
    yield Parser(
        name="formats.decay_tags:rewritten",
        call=lambda raw: [
            decay_tags.rewritten(decoded(raw), item.line, item.belief)
            for item in decay_tags.read(decoded(raw), date(2026, 3, 1)).entries[:9]
        ],
    )
    yield Parser(
        name="formats.skill_edit:edited",
        call=lambda raw: [front_matter.edited(decoded(raw), "name", new) for new in ("a b", None)],
        raises=(*refused, ValueError),
    )
    for read in (model_replies.read, model_replies.memories):
        yield Parser(
            name=f"formats.model_replies:{read.__name__}",
            call=partial(_replied, read),
        )
    yield Parser(
        name="core.skills.threats:scan",
        call=lambda raw: scan(
            {"SKILL.md": raw, "a.sh": raw[:9_000]},
            "sizes",
            ("greet",),
            ShippedLanguage(),
        ),
    )


@cache
def parsers() -> Mapping[str, Parser]:
    """All of them, by name."""
    every = [*by_hand(), *(each for module in modules() for each in found(module))]
    return {each.name: each for each in every}

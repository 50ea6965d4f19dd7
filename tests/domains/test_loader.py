"""Domains are loaded only when they are named, and cost nothing but themselves when broken."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tiny_slots.domain import DOMAIN

from learnt.core.knowledge.kinds import KINDS
from learnt.core.knowledge.signals import Measured, Worked
from learnt.core.knowledge.topics import Layer
from learnt.domain_ports import (
    NOTHING,
    About,
    Domain,
    DomainFinding,
    DomainHome,
    DomainKind,
    Extracted,
    SeedSkill,
    TextExtractor,
    ToolCall,
)
from learnt.domains.loader import Loaded, commands, findings_of, guarded, load, things_of
from learnt.errors import EnvironmentTrouble
from tests.support.in_memory_files import InMemoryPrivateFiles

Install = Callable[..., None]
HEAD = """
from pathlib import Path
from learnt.core.knowledge.topics import Layer
from learnt.core.knowledge.signals import Worked
from learnt.domain_ports import Domain, DomainKind
(Path(__file__).parent / "imported").touch()
"""
CALL = ToolCall(tool="t", input=None, response="r")


def home_at(folder: Path) -> DomainHome:
    """A home with nothing in it."""
    return DomainHome(folder=folder, files=lambda name: InMemoryPrivateFiles(), now_ms=lambda: 0)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a distribution with one domain, as pip leaves it on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def one(name: str, source: str, distribution: str = "") -> None:
        own = distribution or name
        module = f"{own}_of_{tmp_path.name}"  # a module is imported once: each test has its own
        (tmp_path / f"{module}.py").write_text(f"{HEAD}{source}\n", encoding="utf-8")
        info = tmp_path / f"{own}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {own}\nVersion: 1.0\n", encoding="utf-8")
        entry = f"[learnt.domains]\n{name} = {module}:DOMAIN\n"
        (info / "entry_points.txt").write_text(entry, encoding="utf-8")

    return one


def only(loaded: Loaded) -> DomainFinding:
    """The one finding where nothing could be loaded."""
    (finding,) = loaded.findings
    assert (() == loaded.domains, "problem") == (True, finding.level)
    assert finding.todo.endswith((".", "?"))
    return finding


def test_what_is_not_named_is_not_imported(install: Install, tmp_path: Path) -> None:
    """Nor is what stands beside what is named."""
    install("shy", 'DOMAIN = Domain(name="shy")')
    assert Loaded() == load([])
    assert ["slots"] == [domain.name for domain in load(["slots"]).domains]
    assert not (tmp_path / "imported").exists()
    assert not any(module.startswith("shy_of") for module in sys.modules)
    assert ["shy"] == [domain.name for domain in load(["shy"]).domains]
    assert (tmp_path / "imported").exists()


def test_one_that_is_missing_is_a_finding() -> None:
    """With its name, and what to do; the others load."""
    loaded = load(["nowhere", "slots", "slots"])
    (finding,) = loaded.findings
    assert ("nowhere", True) == (finding.domain, "Install" in finding.todo)
    assert ["slots"] == [domain.name for domain in loaded.domains]


BROKEN = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "leaves": ("raise SystemExit(3)", "SystemExit"),
    "misspelt": ("DOMAIN_ = 1", "AttributeError"),
    "another": ("DOMAIN = 1", "is no Domain record"),
    "renamed": ('DOMAIN = Domain(name="slots")', "is no Domain record named renamed"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_that_breaks_is_a_finding(install: Install, name: str) -> None:
    """Whatever its import raises, and whatever it turns out to be."""
    source, said = BROKEN[name]
    install(name, source)
    finding = only(load([name]))
    assert (name, True) == (finding.domain, said in finding.said)


KIND = "DomainKind(rate={rate}, layer={layer}, short={short!r})"
UNFIT: dict[str, tuple[str, dict[str, object], str]] = {
    "a kind of Learnt's own": ('"schema": ' + KIND, {}, "Learnt itself"),
    "another's kind": ('"payoff": ' + KIND, {}, "its kind payoff is slots's"),
    "another's short name": ('"odds": ' + KIND, {"short": "payoff"}, "payoff is taken"),
    "a long short name": ('"odds": ' + KIND, {"short": "o" * 11}, "short name of 10"),
    "no name": ('"Odds!": ' + KIND, {}, "no name of a kind"),
    "no rate": ('"odds": ' + KIND, {"rate": "float('nan')"}, "fades by nan"),
    "a rate of words": ('"odds": ' + KIND, {"rate": "'quick'"}, "fades by 'quick'"),
    "no fading": ('"odds": ' + KIND, {"rate": 0}, "above 0"),
    "no layer": ('"odds": ' + KIND, {"layer": "'rules'"}, "no policy"),
    "no policy": ('"odds": 3', {}, "no policy"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_kind_that_does_not_fit_is_a_finding(install: Install, case: str) -> None:
    """The domain that comes second is left out, whole."""
    kind, given, said = UNFIT[case]
    filled = {"rate": 0.01, "layer": "Layer.RULES", "short": "", **given}
    source = kind.format(**filled)
    install("unfit", f'DOMAIN = Domain(name="unfit", kinds={{{source}}})')
    loaded = load(["slots", "unfit"])
    assert [DOMAIN.name] == [domain.name for domain in loaded.domains]
    assert said in loaded.findings[0].said


@pytest.mark.parametrize(
    "part",
    [
        "kinds=[1]",
        "extractors=[1]",
        "extractors=(1,)",
        "text_extractors=(1,)",
        "skills=(1,)",
        "cited_things=1",
        "commands={'Loud!': 1}",
        "commands={'loud': 1}",
    ],
)
def test_a_part_that_is_none_is_a_finding(install: Install, part: str) -> None:
    """Types are the author's promise alone."""
    install("odd", f'DOMAIN = Domain(name="odd", {part})')
    assert "Tell its author" in only(load(["odd"])).todo


def test_two_that_offer_one_name_are_a_finding(install: Install) -> None:
    """Neither is loaded: nobody can tell which is meant."""
    install("twin", 'DOMAIN = Domain(name="twin")', "one")
    install("twin", 'DOMAIN = Domain(name="twin")', "two")
    assert "offered more than once: one, two" == only(load(["twin"])).said


def test_its_kinds_are_known_beside_our_own() -> None:
    """With their policy and their layer; ours stay as they are."""
    kinds = load(["slots"]).kinds
    assert (0.02, "payoff") == (kinds.policies["payoff"].rate, kinds.short("payoff"))
    assert Layer.RULES is kinds.layer("payoff", "")
    assert set(KINDS) < set(kinds.policies)
    assert KINDS == {kind: kinds.policies[kind] for kind in KINDS}


@pytest.mark.parametrize(
    "found",
    [
        None,
        "text",
        Extracted(entities=["a"]),  # type: ignore[arg-type]  # as an author may err
        Extracted(signals=(1,)),  # type: ignore[arg-type]  # likewise
        Extracted(signals=(Worked(good=True, kinds=("a",), equal=(1,)),)),  # type: ignore[arg-type]  # likewise
    ],
)
def test_an_extractor_that_errs_finds_nothing(
    found: object, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told once, by its type and its place, without the result's words."""
    domain = guarded(Domain(name="odd", extractors=(lambda call: found,)))  # type: ignore[arg-type, return-value]  # likewise
    assert [NOTHING, NOTHING] == [domain.extractors[0](CALL) for _ in range(2)]
    (record,) = caplog.records
    assert record.getMessage().startswith("domain odd: TypeError in loader.py:")


def test_an_extractor_that_raises_costs_that_call(caplog: pytest.LogCaptureFixture) -> None:
    """The next one is read all the same."""

    def read(call: ToolCall) -> Extracted:
        if call.tool == "t":
            raise RuntimeError("secret")
        return Extracted(entities=tuple(map(str, range(999))))

    (guard,) = guarded(Domain(name="odd", extractors=(read,))).extractors
    assert NOTHING == guard(CALL)
    assert 200 == len(guard(replace(CALL, tool="u")).entities)
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "read",
    [
        lambda text, home: None,
        lambda text, home: About(entities=[text]),  # type: ignore[arg-type]  # as an author may err
        lambda text, home: About(kind=1),  # type: ignore[arg-type]  # likewise
        lambda text, home: 1 / 0,
    ],
)
def test_an_extractor_of_texts_that_errs_knows_nothing(
    read: TextExtractor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The text goes on as if there were none; the log holds the place and not the text."""
    (guard,) = guarded(Domain(name="odd", text_extractors=(read,))).text_extractors
    assert About() == guard("a secret", home_at(tmp_path))
    assert "domain odd" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("asks", [lambda text: 1 / 0, lambda text: "yes"])
def test_a_domain_that_errs_about_a_text_finds_no_query_in_it(asks: Callable[[str], bool]) -> None:
    """The others are asked all the same."""
    slow = guarded(Domain(name="slow", asks=lambda text: "slow" in text))
    kinds = Loaded(domains=(guarded(Domain(name="odd", asks=asks)), slow)).kinds
    layers = [kinds.layer("tool_experience", text) for text in ("it is slow", "it hangs")]
    assert [Layer.QUERIES, Layer.FLOWS] == layers


class Half:
    """Tables of which one is known, and one can't be asked for."""

    def digest(self, table: str) -> str | None:
        """The one."""
        if table == "broken":
            raise OSError
        return "d1" if table == "t_room" else None


def test_things_of_several_domains_are_one(tmp_path: Path) -> None:
    """The first that knows a table tells of it; of what fails nobody can tell."""

    def broken(home: DomainHome) -> Half:
        raise RuntimeError

    makers: tuple[Callable[[DomainHome], Half | None] | None, ...] = (
        None,
        broken,
        lambda home: None,
        lambda home: Half(),
    )
    domains = [guarded(Domain(name=f"d{n}", cited_things=made)) for n, made in enumerate(makers)]
    tables = things_of(domains, home_at(tmp_path))
    assert tables is not None
    assert ["d1", None, ""] == [tables.digest(t) for t in ("t_room", "t_x", "broken")]
    assert things_of(domains[:3], home_at(tmp_path)) is None


def test_doctor_tells_of_each(tmp_path: Path) -> None:
    """Its kinds where it has nothing to say itself; and of a skill that is not there."""
    lost = SeedSkill(name="lost", package="tiny_slots", folder="skills/lost")
    odd = SeedSkill(name="odd", package="no.such_package", folder="x")

    def says(home: DomainHome) -> list[DomainFinding]:
        return [DomainFinding(domain="own", level="warning", said=f"looks at {home.folder.name}")]

    def fails(home: DomainHome) -> list[DomainFinding]:
        raise OSError

    domains = (
        load(["slots"]).domains[0],
        guarded(Domain(name="own", doctor=says)),
        guarded(Domain(name="ill", doctor=fails)),
        guarded(Domain(name="bare", skills=(lost, odd))),
        guarded(Domain(name="none", kinds={"k": DomainKind(rate=0.1, layer=Layer.RULES)})),
    )
    said = [(one.domain, one.level, one.said) for one in findings_of(
        Loaded(domains=domains), home_at(tmp_path))]  # fmt: skip
    assert [
        ("slots", "ok", "payoff"),
        ("own", "warning", f"looks at {tmp_path.name}"),
        ("ill", "problem", "its own look at itself failed"),
        ("bare", "warning", "its seed skill lost is not in its package"),
        ("bare", "warning", "its seed skill odd is not in its package"),
        ("none", "ok", "k"),
    ] == said


COMMAND = """
from learnt.domain_ports import Command
DOMAIN = Domain(name="{name}", commands={{"{command}": Command(summary="It.", load={load})}})
"""


def test_commands_come_from_domains_that_are_named_and_from_learnts_own(
    install: Install, tmp_path: Path
) -> None:
    """Those of Learnt's own domains are there before one is enabled: they set it up."""
    install("vocal", COMMAND.format(name="vocal", command="sing", load="lambda: 7"))
    assert ["db"] == list(commands([]))
    assert not (tmp_path / "imported").exists()
    named = commands(["vocal", "nowhere"])
    assert ({"db", "sing"}, 7) == (set(named), named["sing"].load())


def test_a_command_of_a_name_that_is_taken_is_left_out(install: Install) -> None:
    """Learnt's own domains come first."""
    install("greedy", COMMAND.format(name="greedy", command="db", load="lambda: 7"))
    assert 7 != commands(["greedy"])["db"].load()


def test_a_command_that_cannot_be_loaded_is_told(install: Install) -> None:
    """By its domain's name, without a trace of its code."""
    install("croaky", COMMAND.format(name="croaky", command="sing", load="lambda: 1 / 0"))
    with pytest.raises(EnvironmentTrouble, match="croaky sing cannot be loaded: ZeroDivision"):
        commands(["croaky"])["sing"].load()


def test_a_number_reader_that_fails_finds_nothing() -> None:
    """It runs over entries' texts, long after its extractor was heard."""
    broken = Measured(value=1, kinds=("payoff",), reads=lambda text: [1 / 0])
    domain = Domain(name="odd", extractors=(lambda call: Extracted(signals=(broken,)),))
    (signal,) = guarded(domain).extractors[0](CALL).signals
    assert isinstance(signal, Measured) and signal.reads is not None
    assert [] == signal.reads("1")

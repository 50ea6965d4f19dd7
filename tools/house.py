"""Draws the house, `docs/images/house.svg`, from the import contract in `pyproject.toml`."""

import tomllib
from html import escape
from typing import Any, Final

from tools.set_up import ROOT

# What a ring holds, in a few words. A ring of the contract that is not told here is an error.
HOLDS: Final = {
    "surfaces": "what people and agents touch: hook, worker, command line, servers",
    "bootstrap": "joins flows and stores",
    "flows": "what happens",
    "stores": "where it is kept",
    "exchanges": "what is fetched",
    "language": "what words mean",
    "domains": "subjects, plugged in",
    "ports": "what flows ask of the outside",
    "domain_ports": "what a domain brings",
    "file_ports": "what flows ask of files",
    "formats": "texts to values and back; pure",
    "core": "decides; pure functions from values to values",
}
_WIDE, _EDGE, _GAP, _FLOOR, _THIN, _ROOF, _LINE = 880, 20, 8, 58, 32, 118, 21
_STYLE: Final = """
svg { --back: #ffffff; --text: #1f2937; --dim: #4b5563; --wall: #6b7280; --roof: #f6d9cf;
  --thin: #eef1f5; --room: #d9e8fb; --base: #d8efdc }
@media (prefers-color-scheme: dark) {
  svg { --back: #16191f; --text: #e5e9f0; --dim: #b3bcc9; --wall: #7c8799; --roof: #4a2d25;
    --thin: #262b34; --room: #1f3350; --base: #1e3d29 } }
text { font: 14px system-ui, sans-serif; fill: var(--text); text-anchor: middle }
.name { font-weight: 600; font-size: 15px } .dim { fill: var(--dim); font-size: 13px }
.left { text-anchor: start } .back { fill: var(--back) }
.roof { fill: var(--roof) } .thin { fill: var(--thin) } .room { fill: var(--room) }
.base { fill: var(--base) } .roof, .thin, .room, .base { stroke: var(--wall) }
"""


def contracts() -> list[dict[str, Any]]:
    """The contracts of imports, as the linter reads them."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found: list[dict[str, Any]] = read["tool"]["importlinter"]["contracts"]
    return found


def floors(found: list[dict[str, Any]]) -> list[list[str]]:
    """The rings from the roof down; those of one floor are listed together.

    >>> floors([{"type": "layers", "layers": ["learnt.a", "learnt.b | learnt.c"]}])
    [['a'], ['b', 'c']]
    """
    layers = next(contract["layers"] for contract in found if contract["type"] == "layers")
    return [[ring.strip().removeprefix("learnt.") for ring in layer.split("|")] for layer in layers]


def _told(ring: str, x: float, y: float, apart: int) -> str:
    if ring not in HOLDS:
        raise ValueError(f"the contract names the ring {ring}: tell in tools/house.py what it is")
    name, holds = escape(ring.replace("_", " ")), escape(HOLDS[ring])
    if not apart:
        label = f'{name} <tspan class="dim" font-weight="400">— {holds}</tspan>'
        return f'<text class="name" x="{x:.0f}" y="{y:.0f}">{label}</text>'
    return (
        f'<text class="name" x="{x:.0f}" y="{y:.0f}">{name}</text>'
        f'<text class="dim" x="{x:.0f}" y="{y + apart:.0f}">{holds}</text>'
    )


def _floor(rings: list[str], y: int, kind: str) -> tuple[str, int]:
    """A floor's drawing and how high it is; a module alone is a thin one."""
    thin = all((ROOT / "src" / "learnt" / f"{ring}.py").exists() for ring in rings)
    high = _THIN if thin else _FLOOR
    wide = (_WIDE - 2 * _EDGE - _GAP * (len(rings) - 1)) / len(rings)
    parts = []
    for number, ring in enumerate(rings):
        x = _EDGE + number * (wide + _GAP)
        box = f'x="{x:.0f}" y="{y}" width="{wide:.0f}" height="{high}" rx="4"'
        parts.append(f'<rect class="{"thin" if thin else kind}" {box}/>')
        parts.append(_told(ring, x + wide / 2, y + (21 if thin else 25), 0 if thin else 20))
    return "\n".join(parts), high


def picture() -> str:
    """The drawing, of the contracts as they are."""
    return drawing(contracts())


def drawing(found: list[dict[str, Any]]) -> str:
    """The drawing of contracts.

    Raises:
        ValueError: they have a ring of which nothing is told.

    """
    roof, *below = floors(found)
    middle = _WIDE / 2
    parts = [
        f'<path class="roof" d="M{middle:.0f} 8 L{_WIDE - 4} {_ROOF} L4 {_ROOF} Z"/>',
        _told(roof[0], middle, _ROOF - 38, 20),
    ]
    y = _ROOF + _GAP
    pure = {ring for part in found if "pure" in part["name"] for ring in part["source_modules"]}
    for rings in below:
        drawn, high = _floor(rings, y, "base" if f"learnt.{rings[0]}" in pure else "room")
        parts.append(drawn)
        y += high + _GAP
    notes = [
        "Imports lead downwards only; rooms of one floor do not import each other."
        " `make check` also holds:",
        *(f"· {contract['name']}" for contract in found if contract["type"] != "layers"),
    ]
    for number, note in enumerate(notes):
        at = f'x="{_EDGE}" y="{y + 22 + number * _LINE}"'
        parts.append(f'<text class="left{" dim" if number else ""}" {at}>{escape(note)}</text>')
    high = y + 22 + len(notes) * _LINE
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" role="img">',
        "<title>The rings of Learnt and which may import which</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="back" width="{_WIDE}" height="{high}" rx="8"/>',
        *parts,
        "</svg>",
        "",
    ])  # fmt: skip

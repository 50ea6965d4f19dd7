"""README.md: short, its figures the page's own, its links and commands there, its excerpt real."""

import os
import re
import subprocess
from pathlib import Path

import click
import pytest

from benchmarks.figures import PAGE as FIGURES
from learnt.surfaces.cli.commands import learnt_command
from tools.docs import BEGIN, DEMO, END, README, ROOT, said_once

TEXT = README.read_text("utf-8")
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)")
LEARNT = re.compile(r"^    learnt ([^#\n]*)|`learnt ([^`]*)`", re.MULTILINE)


def test_it_is_short_and_begins_with_what_one_wants_to_know() -> None:
    """Nine hundred words; what it is, why, how to install, what one sees and what it promises."""
    assert len(TEXT.split()) <= 900
    headings = re.findall(r"^## (.*)", TEXT, re.MULTILINE)
    assert ["Install", "What you see", "Five promises"] == headings[:3]
    first_screen = TEXT.partition("## Beside")[0]
    assert len(first_screen.splitlines()) <= 60
    assert 5 == len(re.findall(r"^\d\. \*\*", first_screen, re.MULTILINE))


def test_what_one_sees_is_a_dozen_lines_of_the_demo() -> None:
    """Something is said once, and the next session's agent is given it."""
    shown = TEXT.partition(BEGIN)[2].partition(END)[0]
    lines = shown.replace("```text", "").replace("```", "").strip().splitlines()
    assert len(lines) <= 12
    assert "\n".join(lines) == said_once(DEMO.read_text("utf-8"))
    assert lines[0].startswith("> remember: ")
    assert "Saved [" in shown and " TRUST 2" in shown


def test_its_figures_are_among_the_ten() -> None:
    """Each number of its limits is one that the page of figures begins with."""
    limits = TEXT.partition("## Limits")[2].partition("\n## ")[0]
    told = re.findall(r"\d+ of (?:the )?\d+|\d[\d.]* %|\d,\d{3}", limits)
    ten = FIGURES.read_text("utf-8").partition("\n## ")[0]
    assert len(told) >= 8
    assert [] == [figure for figure in told if figure not in ten]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    """Files and folders beside it."""
    links = LINK.findall(page.read_text("utf-8"))
    assert [] == [link for link in links if not (page.parent / link).exists()]


def test_every_page_is_linked_from_it() -> None:
    """Nobody looks into a folder for what is not named."""
    linked = set(LINK.findall(TEXT))
    assert {f"docs/{page.name}" for page in PAGES[1:]} <= linked


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "quickstart.md"], ids=lambda p: p.name)
def test_the_commands_are_there(page: Path) -> None:
    """Each command of a page is one, with the options that it is given there."""
    given = ["".join(found) for found in LEARNT.findall(page.read_text("utf-8"))]
    assert len(given) >= 4
    for words in given:
        command: click.Command = learnt_command
        rest = words.split()
        context = click.Context(command)
        while rest and isinstance(command, click.Group):
            found = command.get_command(context, rest[0])
            assert found is not None, words
            command, rest = found, rest[1:]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, words


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_do_their_own_set_up(target: str, tmp_path: Path) -> None:
    """Where there is no environment yet, it is made first."""
    said = subprocess.run(
        ["make", "--dry-run", f"VENV={tmp_path / 'none'}", target],
        cwd=ROOT, capture_output=True, text=True, check=True,
        env={n: v for n, v in os.environ.items() if n not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}},
    ).stdout.splitlines()  # fmt: skip
    first, last = said[0], said[-1]
    assert "tools/set_up.py" in first
    assert ("learnt demo" if target == "demo" else "pytest") in last


def test_the_page_on_use_asks_two_questions_and_says_whose_they_are() -> None:
    """Does the knowledge grow, has it a ceiling; with the survey, its sections and authors."""
    text = " ".join((ROOT / "docs" / "when.md").read_text("utf-8").split())
    for words in ("Does the knowledge grow", "Has that growth a ceiling?", "Use it when",
                  "Do not use it when", "Gao, H., Geng, J., et al. (2026)", "arXiv:2507.21046v4",
                  "section 3.2", "section 4.2", "Mem0", "MUSE"):  # fmt: skip
        assert words in text

"""The bandits domain: four skills, what they compute, and a simulation that is right."""

import ast
import json
import math
import re
import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import resources
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import skills_ref

from learnt.domains.bandits.domain import DOMAIN
from learnt.domains.loader import load
from learnt.surfaces.api.skills import SkillRegistry
from tests.cli.test_domains_enabled import enable
from tests.support.homes import Home

FOLDERS = {
    skill.name: Path(str(resources.files(skill.package) / skill.folder)) for skill in DOMAIN.skills
}
SCRIPT = FOLDERS["bandit-simulation"] / "scripts" / "simulate.py"
MEANS, ROUNDS, RUNS = (0.8, 0.4, 0.3), 10_000, 50
GAPS = [max(MEANS) - mean for mean in MEANS if mean < max(MEANS)]
# As seed 004 names them, with its tags.
SEEDS = {
    "ucb_regret_analysis": {"bandit", "regret", "ucb"},
    "thompson_sampling_analysis": {"bandit", "thompson", "bayesian"},
    "lower_bound_construction": {"bandit", "lower-bound", "information"},
    "bandit_simulation": {"bandit", "simulation", "experiment"},
}


def ran(*words: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The script, run as an agent runs it, and in another folder than this one if it is given."""
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def ran_here(*words: object) -> subprocess.CompletedProcess[str]:
    """The same in this very process, which has loaded NumPy."""
    output, errors, before = StringIO(), StringIO(), sys.argv
    code: object = 0
    sys.argv = [str(SCRIPT), *map(str, words)]
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            runpy.run_path(str(SCRIPT), run_name="__main__")
    except SystemExit as left:
        code = left.code
    finally:
        sys.argv = before
    assert code is None or isinstance(code, int)
    return subprocess.CompletedProcess(sys.argv, code or 0, output.getvalue(), errors.getvalue())


def divergence(p: float, q: float) -> float:
    """Of two coins, in nats."""
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    """Three policies over 10,000 rounds."""
    done = ran(
        *("--means", *MEANS, "--rounds", ROUNDS, "--runs", RUNS, "--seed", 4),
        *("--policies", "ucb1", "thompson", "uniform"),
    )
    assert 0 == done.returncode, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def at(answer: dict[str, Any], policy: str, rounds: int) -> float:
    """The mean regret after so many rounds."""
    curve = answer["policies"][policy]["curve"]
    return next(float(mean) for played, mean, _ in curve if played == rounds)


def test_it_loads_only_when_it_is_named() -> None:
    """With nothing to complain of, and no kinds of its own."""
    loaded = load(["bandits"])
    assert (["bandits"], ()) == ([domain.name for domain in loaded.domains], loaded.findings)
    assert ({}, ()) == (dict(DOMAIN.kinds), load([]).domains)


@pytest.mark.parametrize("name", FOLDERS)
def test_its_skills_are_valid_and_short(name: str) -> None:
    """By the specification's own validator; a body has at most 200 lines and names its sources."""
    assert [] == skills_ref.validate(FOLDERS[name])
    body = (FOLDERS[name] / "SKILL.md").read_text("utf-8").split("---\n", 2)[2]
    assert len(body.splitlines()) <= 200
    titles = ("## Worked example", "## Pitfalls", "## How to check", "## Sources")
    assert all(title in body for title in titles)


def test_they_are_found_without_installing_where_they_are_enabled(home: Home) -> None:
    """By seed 004's names and tags, roles and stages; nothing is wrong with their texts."""
    enable(home, "bandits")
    with SkillRegistry(home=home.path) as registry:
        for name, tags in SEEDS.items():
            skill = registry.get(name)
            assert skill is not None, name
            assert (name.replace("_", "-"), "seed") == (skill.meta.name, skill.meta.source)
            assert tags <= set(skill.meta.tags)
        theory = {skill.meta.name for skill in registry.get_by_pipeline_stage("theory")}
        tagged = {skill.meta.name for skill in registry.get_by_tags(["bandit"])}
        experiment = {skill.meta.name for skill in registry.get_by_role("experiment")}
    assert set(FOLDERS) == tagged
    assert (set(FOLDERS) - {"bandit-simulation"}) <= theory
    assert "bandit-simulation" in experiment


def test_their_worked_examples_are_computed_right() -> None:
    """Each number of theirs that a formula gives."""
    n, log_n = 10_000, math.log(10_000)
    worse = divergence(0.6, 0.9)
    failing = 1 + math.pi**2 / 3
    numbers = {
        "ucb-regret-analysis": {
            f"{8 * log_n / 0.09 + failing:.2f}": "pulls of UCB1's theorem",
            f"{8 * log_n / 0.3 + failing * 0.3:.2f}": "its regret",
            f"{8 * log_n / 0.05**2:,.0f}": "pulls at a small gap",
            f"{math.sqrt(64 * n * log_n):,.0f}": "the bound without gaps",
            f"{0.3 / worse:.4f}": "the constant of Lai and Robbins",
            f"{0.3 / worse * log_n:.2f}": "times ln n",
        },
        "thompson-sampling-analysis": {
            f"{log_n / divergence(0.7, 0.84):.1f} pulls": "L",
            f"{1 + 1 / divergence(0.7, 0.6):.1f}": "the third sum",
            f"{log_n / worse:.1f} pulls": "of the worse arm",
            f"{math.sqrt(n * math.log(2)):.1f}": "the Bayesian bound",
        },
        "lower-bound-construction": {
            f"{divergence(0.9, 0.6):.4f}": "the wrong direction",
            f"{0.3 / divergence(0.9, 0.6):.3f}": "its constant",
            f"{math.sqrt(9 * n) / 27:.1f}": "minimax",
            f"{math.sqrt(320 * n * log_n):,.0f}": "UCB1's",
            f"{64 * (0.9 * math.log(64) - math.log(2)) / 0.04:,.0f}": "Fano",
        },
    }
    for name, expected in numbers.items():
        text = (FOLDERS[name] / "SKILL.md").read_text("utf-8")
        assert [] == [(number, of) for number, of in expected.items() if number not in text]
    assert math.exp(-0.5) / 16 > 1 / 27


def test_the_theory_is_computed_right(simulated: dict[str, Any]) -> None:
    """The constant of Lai and Robbins, and UCB1's theorem."""
    constant = sum((0.8 - mean) / divergence(mean, 0.8) for mean in MEANS[1:])
    bound = sum(8 * math.log(ROUNDS) / gap for gap in GAPS) + (1 + math.pi**2 / 3) * sum(GAPS)
    assert constant == pytest.approx(simulated["lai_robbins_constant"])
    assert bound == pytest.approx(simulated["ucb1_bound"])


def test_uniform_play_loses_the_mean_gap_each_round(simulated: dict[str, Any]) -> None:
    """Within four standard errors, whose size is known as well."""
    result = simulated["policies"]["uniform"]
    mean = sum(GAPS) / len(MEANS)
    deviation = math.sqrt(sum(gap**2 for gap in GAPS) / len(MEANS) - mean**2)
    error = deviation * math.sqrt(ROUNDS / RUNS)
    assert mean * ROUNDS == pytest.approx(result["regret"], abs=4 * error)
    assert error == pytest.approx(result["standard_error"], rel=0.4)


def test_the_regret_of_ucb1_grows_like_the_logarithm(simulated: dict[str, Any]) -> None:
    """Below its theorem; as equal indices foretell it; over a decade far from linear."""
    foretold = {
        rounds: sum(
            gap * 2 * math.log(rounds) / (gap + math.sqrt(2 * math.log(rounds) / rounds)) ** 2
            for gap in GAPS
        )
        for rounds in (1_000, ROUNDS)
    }
    regret = {rounds: at(simulated, "ucb1", rounds) for rounds in foretold}
    assert foretold == pytest.approx(regret, rel=0.1)
    assert regret[ROUNDS] < simulated["ucb1_bound"]
    # ln 10,000 / ln 1,000 is 4/3; at these rounds the ratio is still above it. Linear is 10.
    assert 4 / 3 < regret[ROUNDS] / regret[1_000] < 2


def test_with_wide_gaps_the_ratio_is_that_of_the_logarithms() -> None:
    """Where the limit is reached sooner: within a fifth of 4/3."""
    words = ("--means", 0.99, 0.01, "--rounds", ROUNDS, "--runs", 10, "--policies", "ucb1")
    answer = json.loads(ran_here(*words).stdout)
    ratio = at(answer, "ucb1", ROUNDS) / at(answer, "ucb1", 1_000)
    assert 4 / 3 == pytest.approx(ratio, rel=0.2)


def test_thompson_sampling_comes_near_the_lower_bound(simulated: dict[str, Any]) -> None:
    """Far below UCB1; its slope is within a factor of 2 of the constant of Lai and Robbins."""
    ucb1, thompson = (simulated["policies"][name] for name in ("ucb1", "thompson"))
    assert thompson["regret"] + 4 * thompson["standard_error"] < ucb1["regret"] / 2
    constant = simulated["lai_robbins_constant"]
    assert constant / 2 < thompson["slope_last_decade"] < constant * 2


def test_the_other_policies_are_where_theory_has_them() -> None:
    """KL-UCB far below UCB1; a constant epsilon costs its share of each round."""
    words = ("--means", 0.9, 0.6, "--rounds", 500, "--runs", 100)
    results = json.loads(ran_here(*words).stdout)["policies"]
    assert 1.5 * results["kl-ucb"]["regret"] < results["ucb1"]["regret"]
    assert 7.5 < results["epsilon-greedy"]["regret"] < 7.5 + 10  # 500 times 0.1 times 0.15


def test_a_seed_gives_the_same_bytes_whatever_else_runs(tmp_path: Path) -> None:
    """From any folder, with more policies beside it; another seed gives others."""
    words = ("--means", 0.5, 0.6, "--rounds", 200, "--runs", 10)
    first, again, alone, other = (
        ran_here(*words, "--seed", 3, "--policies", "ucb1", "thompson").stdout,
        ran(*words, "--seed", 3, "--policies", "ucb1", "thompson", folder=tmp_path).stdout,
        ran_here(*words, "--seed", 3, "--policies", "thompson").stdout,
        ran_here(*words, "--seed", 5, "--policies", "thompson").stdout,
    )
    assert first == again != ""
    policies = [json.loads(text)["policies"]["thompson"] for text in (first, alone, other)]
    assert policies[0] == policies[1] != policies[2]


@pytest.mark.parametrize(
    "words",
    [
        ("--means", 0.5),
        ("--means", 0.5, 1.5),
        ("--means", 0.5, "nan"),
        ("--means", 0.5, 0.6, "--runs", 1),
        ("--means", 0.5, 0.6, "--rounds", 2, "--plot", "/nowhere/at/all.png"),
    ],
)
def test_what_it_cannot_do_it_says(words: tuple[object, ...]) -> None:
    """Exit 2, and no traceback."""
    done = ran_here(*words)
    assert (2, False) == (done.returncode, "Traceback" in done.stderr), done.stderr


def test_the_plot_is_an_image_with_lines_in_it(tmp_path: Path) -> None:
    """A PNG of the size that was asked for, with many colours."""
    if find_spec("matplotlib") is None:
        pytest.skip("Matplotlib is not installed")
    from matplotlib.image import imread

    file = tmp_path / "regret.png"
    words = ("--means", 0.5, 0.6, "--rounds", 100, "--runs", 5, "--policies", "ucb1", "uniform")
    done = ran_here(*words, "--plot", file)
    assert 0 == done.returncode, done.stderr
    assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    pixels = imread(file)
    assert (600, 960) == pixels.shape[:2]
    assert len({tuple(pixel) for row in pixels[::4] for pixel in row[::2].tolist()}) > 20


def test_the_script_is_that_of_older_pythons_too() -> None:
    """Its syntax is Python 3.8's, and its options are those that the skill names."""
    ast.parse(SCRIPT.read_text("utf-8"), feature_version=(3, 8))
    text = (FOLDERS["bandit-simulation"] / "SKILL.md").read_text("utf-8")
    options = set(re.findall(r"--[a-z]+", ran_here("--help").stdout)) - {"--help"}
    assert options == set(re.findall(r"`(--[a-z]+)`", text))

"""config.toml changed while a worker runs: it goes by it, stays, and no report is lost."""

from collections.abc import Callable

import pytest

from learnt.core.events import Kind
from tests.support.cases import first
from tests.support.homes import APPROACH, Home, wait_until
from tests.support.vouched import vouched

PATIENCE = 60
COIN = "[effects]\nshare = 1.0\n"
BROKEN = ["[effects", "[effects]\nshare = 7\n", "[domains]\nenabled = 1\n", "\udcff"]


def write(home: Home, text: str) -> None:
    """Put the settings there as an editor does: another file in place of the first."""
    fresh = home.path / "config.toml.new"
    fresh.write_text(text, "utf-8", errors="surrogateescape")
    fresh.replace(home.path / "config.toml")


class Prompting:
    """Prompts in sessions of their own, one after the other."""

    def __init__(self, home: Home) -> None:
        self.home, self.sent, self.injected = home, 0, ""

    def __call__(self, times: int = 1) -> None:
        for _ in range(times):
            self.injected = self.home.prompt(session=f"s{self.sent}").injected
            self.sent += 1

    def until(self, reached: Callable[[], bool], what: str) -> None:
        """Prompt until it is so."""

        def looked() -> bool:
            self()
            return reached()

        wait_until(looked, f"{what}\n{self.home.worker_log()}", seconds=PATIENCE)

    def under_the_coin(self) -> bool:
        """Whether the newest note was drawn for by the coin, as `share` has it."""
        drawn = [one["eligible"] for one in self.home.events(Kind.RECALLED) if one.get("eligible")]
        return bool(drawn) and drawn[-1][0]["propensity"] < 1_000_000

    def all_kept(self) -> None:
        """Each prompt is in the ledger, once."""
        self.home.drained(seconds=PATIENCE)
        kept = [one["session"] for one in self.home.inbox() if one["event"] != "Late"]
        assert sorted(kept) == sorted(f"s{number}" for number in range(self.sent))
        self.home.verify()


@pytest.fixture
def prompting(home: Home) -> Prompting:
    vouched(home)  # else it is never withheld
    return Prompting(home)


def test_a_worker_follows_what_is_written_and_removed(home: Home, prompting: Prompting) -> None:
    """The same process goes by the new settings, and by none once the file is gone."""
    worker = home.start_worker()
    prompting.until(lambda: home.events(Kind.RECALLED) != [], "the first answer")
    assert not prompting.under_the_coin()
    write(home, COIN)
    prompting.until(prompting.under_the_coin, "the new share")
    (home.path / "config.toml").unlink()
    prompting.until(lambda: not prompting.under_the_coin(), "the usual share")
    prompting.until(lambda: APPROACH in prompting.injected, "a note to be shown")
    assert worker == home.worker()
    assert "" == home.worker_log()


@pytest.mark.parametrize("text", first(1, BROKEN))
def test_a_broken_file_leaves_a_worker_as_it_was(
    home: Home, prompting: Prompting, text: str
) -> None:
    """It says so once in its log, `doctor` says so too, and once it is mended it is followed."""
    write(home, COIN)
    worker = home.start_worker()
    write(home, text)
    wait_until(lambda: "config.toml" in home.worker_log(), "a line in its log", seconds=PATIENCE)
    prompting(5)
    assert 1 == len(home.worker_log().splitlines())
    prompting.until(prompting.under_the_coin, "the share that it had")
    said = home.cli("doctor")
    assert (1, True) == (said.exit_code, "settings" in said.output and "config.toml" in said.output)
    assert "goes on with what it had" in said.output
    assert worker == home.worker()
    write(home, "")
    prompting.until(lambda: not prompting.under_the_coin(), "the mended settings")
    assert worker == home.worker()
    prompting.all_kept()


def test_doctor_tells_of_a_setting_that_hooks_do_not_have_yet(home: Home) -> None:
    """Calls that touch files are told of only once `init` has registered them again."""
    assert 0 == home.here("init").exit_code
    assert "each event once" in home.here("doctor").output
    for wished, said in (("true", "on"), ("false", "off")):
        write(home, f"[recall]\nat_files = {wished}\n")
        told = home.here("doctor").output
        assert f"`[recall] at_files` is {said} since hooks were registered" in told
        assert 0 == home.here("init").exit_code
        assert "each event once" in home.here("doctor").output


@pytest.mark.slow  # the two before it in turn, many times
def test_settings_changed_again_and_again_lose_nothing(home: Home, prompting: Prompting) -> None:
    """While prompts come: each is in the ledger, and the worker is the one that it was."""
    worker = home.start_worker()
    for number in range(12):
        write(home, (COIN, "[effects", "", "[domains]\nenabled = ['nowhere']\n")[number % 4])
        prompting(6)
    write(home, COIN)
    prompting.until(prompting.under_the_coin, "the last settings")
    assert worker == home.worker()
    prompting.all_kept()

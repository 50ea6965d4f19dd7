"""A worker maintains its home by itself, once a day at most, however often it leaves."""

import os
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind
from learnt.core.knowledge.drafts import Draft
from learnt.flows.knowledge.capture import Offer
from learnt.settings import Settings
from learnt.stores.home_folder import MAINTAIN_EVERY, maintenance_is_due
from tests.support.homes import Home, wait_until
from tests.support.kept_unseen import capture_many

NOW = 1_800_000_000.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return tmp_path


def test_a_day_is_counted_from_the_first_worker(folder: Path) -> None:
    """Then it is due once; another worker of the day has nothing to do."""
    assert not maintenance_is_due(folder, NOW)
    os.utime(folder / "run" / "maintained", (NOW, NOW))

    assert not maintenance_is_due(folder, NOW + MAINTAIN_EVERY - 1)
    assert maintenance_is_due(folder, NOW + MAINTAIN_EVERY + 1)


def test_a_clock_that_went_back_does_not_stop_it(folder: Path) -> None:
    """A mark of the far future is as old as one of the far past."""
    maintenance_is_due(folder, NOW)
    os.utime(folder / "run" / "maintained", (NOW * 2, NOW * 2))

    assert maintenance_is_due(folder, NOW)


def test_without_a_folder_nothing_is_due(tmp_path: Path) -> None:
    """Of a home that is gone."""
    assert not maintenance_is_due(tmp_path / "gone", NOW)


def test_duplicates_are_joined_by_the_worker(home: Home) -> None:
    """What two machines brought is swept without anybody asking, and status tells."""
    offer = Offer(what=Draft(text="Table t_room holds rooms", kind="schema"), actor=Actor.AGENT,
                  folder=str(home.project))  # fmt: skip
    with opened(Settings(home=home.path)) as outside:
        capture_many(outside, [offer, offer], gated=False)
    mark = home.path / "run" / "maintained"
    mark.touch()
    os.utime(mark, (1, 1))
    home.start_worker()

    wait_until(lambda: bool(home.events(Kind.STAGED)), "the sweep", seconds=20)

    (staged,) = home.events(Kind.STAGED)
    assert "retired" == staged["stage"]
    assert "Swept by the evidence in the last week: 1 retired" in home.cli("status").output

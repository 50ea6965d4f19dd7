"""Which model the settings allow to ask, and what a day of it may cost."""

import subprocess
import sys
from pathlib import Path

import pytest

from learnt.bootstrap import model_budget, text_model
from learnt.errors import LearntError, UsageError
from learnt.installed import installing
from learnt.settings import load, removed

CONFIG = {
    'use = "off"': None,
    'use = "openai:small"': "usd_per_million must tell",
    'use = "openai:small"\nurl = "https://example.org"': "usd_per_million must tell",
    'use = "openai:small"\nurl = "http://127.0.0.1:11434/v1"': None,
    "use = 7": "use must be",
    'use = "llama"': "use must be",
    'use = ":x"': "use must be",
    'key_from = "sk-abc"': "never a key itself",
    'key_from = "sk_abc"': "never a key itself",
    'url = "localhost:8080"': "url must be",
    "tokens_a_day = -1": "tokens_a_day must be",
    "tokens_a_day = true": "tokens_a_day must be",
    "usd_a_day = nan": "usd_a_day must be",
    "usd_per_million = [1]": "usd_per_million must be",
    "seconds = 0": "seconds must be",
}


@pytest.mark.parametrize("text", CONFIG)
def test_settings_are_good_or_refused(tmp_path: Path, text: str) -> None:
    """With the name of the setting; where no price is known, none is guessed."""
    (tmp_path / "config.toml").write_text(f"[models]\n{text}\n", encoding="utf-8")
    try:
        settings = load({}, str(tmp_path))
        made = text_model(settings)
        budget = model_budget(settings) if made else None
    except LearntError as error:
        assert isinstance(error, UsageError)
        assert (CONFIG[text] or "fine") in str(error)
        return
    assert CONFIG[text] is None
    assert ("off" in text) is (made is None) is (budget is None)
    assert budget is None or (0, 0) == (budget.micro_usd_in, budget.micro_usd_out)


WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pydantic_ai", "openai", "anthropic", "httpx2"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from learnt.bootstrap import text_model
from learnt.errors import ModelUnusable
from learnt.settings import ModelSettings, Settings
try:
    text_model(Settings(home=Path("h"), models=ModelSettings(use="openai:small")))
except ModelUnusable as error:
    print(error)
"""


def test_without_the_extra_a_provider_is_told_to_need_it() -> None:
    """Agents' programs need nothing that is installed besides."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, timeout=60
    )
    assert (0, True) == (done.returncode, installing("models") in done.stdout), done.stderr


@pytest.mark.parametrize("use", ["claude", "codex", "gemini:flash"])
def test_an_agents_program_is_asked_no_more(tmp_path: Path, use: str) -> None:
    """A home that names one works, without a model; `doctor` says which line to delete."""
    (tmp_path / "config.toml").write_text(f'[models]\nuse = "{use}"\n', encoding="utf-8")
    assert text_model(load({}, str(tmp_path))) is None
    assert [f'[models] use = "{use}"'] == removed(tmp_path)

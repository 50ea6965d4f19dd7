"""The Python of the page on skills runs as it stands there."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "skills.md"
BLOCKS = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_python_api_is_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All blocks in order, as one program, in a folder and a home of their own."""
    for name in ("LEARNT_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    blocks = BLOCKS.findall(PAGE.read_text("utf-8"))
    assert len(blocks) >= 5
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
    assert [path.name for path in (tmp_path / "skills").iterdir()] == ["regret-bounds"]

"""The examples of the README run in their order."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Dict

import pytest


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, tables: Path) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "superflip").symlink_to(tables.resolve())
    text = Path(os.environ["README"]).read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 10
    names: Dict[str, Any] = {}
    for example in examples:
        exec(compile(example.replace("http://localhost:8080", url), "README.md", "exec"), names)

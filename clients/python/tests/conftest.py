"""What the tests share: a service of the installed program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """Address of a service, which `superflip serve` of the wheel runs."""
    command = [sys.executable, "-m", "superflip", "serve", "--listen", "127.0.0.1:0", "--profile", "tiny", "--log-format", "json"]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert service.stderr is not None
    try:
        for line in service.stderr:
            if line.startswith("{") and json.loads(line).get("message") == "listening":
                yield "http://" + json.loads(line)["address"]
                return
        raise AssertionError("the service did not start")
    finally:
        service.terminate()
        service.communicate(timeout=60)
    assert service.returncode == 0


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the tables of `small`: that of other tests, if there is one."""
    return Path(os.environ.get("TABLES") or tmp_path_factory.mktemp("tables"))

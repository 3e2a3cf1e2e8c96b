"""Without its libraries the example server says which extra brings them."""

from __future__ import annotations

import importlib
import sys

import pytest


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("uvicorn", *sys.modules):
        if name.partition(".")[0] == "uvicorn":
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "qipai.examples.server", raising=False)
    with pytest.raises(ImportError, match=r"pip install '?qipai\[server\]"):
        importlib.import_module("qipai.examples.server")

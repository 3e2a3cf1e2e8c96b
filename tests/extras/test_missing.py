"""What needs a library that is not there says which extra brings it."""

from __future__ import annotations

import importlib
import sys

import pytest

from qipai import cluster


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("gymnasium", "gymnasium", "gymnasium"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_environments(
    module: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (library, *sys.modules):
        if name.partition(".")[0] == library:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"qipai.envs.{module}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install 'qipai\[{extra}\]'"):
        importlib.import_module(f"qipai.envs.{module}")


@pytest.mark.parametrize(("where", "library"), [("dask", "distributed"), ("ray", "ray")])
def test_clusters(where: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"pip install 'qipai\[{where}\]'"):
        cluster.connect(where)
    with pytest.raises(ValueError, match="nonesuch"):
        cluster.connect("nonesuch")

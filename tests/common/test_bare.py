"""Objects of compiled classes that no function of the package has made."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys
from enum import Enum
from importlib import import_module

import pytest

from qipai import _core

CLASSES = [
    (module, name)
    for module in (f"qipai._core.{found.name}" for found in pkgutil.iter_modules(_core.__path__))
    for name, thing in vars(import_module(module)).items()
    if inspect.isclass(thing) and thing.__module__ == module and not issubclass(thing, Enum)
]
# A crash would take the tests with it.
TRIAL = """
import sys
from importlib import import_module
import qipai

kind = getattr(import_module(sys.argv[1]), sys.argv[2])
game = qipai.new("shuangkou", seed=1)
bare = import_module("qipai._core.game").Engine()
heir = type("Heir", (kind,), {"_engine": bare}) if kind.__flags__ >> 10 & 1 else kind
ways = [
    lambda: kind.__new__(kind), kind, lambda: heir.__new__(heir), heir,
    lambda: heir.restore(game.snapshot()), lambda: kind,
]
given = [(), (0,), (5, b""), (-1,), ("x",), (game,), (game, 0), (game, 1 << 20), ([0],),
         (None, None, None)]
tried = 0
for way in ways:
    try:
        thing = way()
    except Exception:
        continue
    for name in dir(thing):
        if name in ("__class__", "__init_subclass__", "__subclasshook__", "__new__"):
            continue
        for arguments in given:
            tried += 1
            try:
                getattr(thing, name)(*arguments)
            except Exception:
                pass
print(tried)
"""


@pytest.mark.parametrize(("module", "name"), CLASSES, ids=[".".join(one) for one in CLASSES])
def test_no_use_of_a_compiled_class_crashes(module: str, name: str) -> None:
    trial = subprocess.run(
        [sys.executable, "-c", TRIAL, module, name], capture_output=True, text=True
    )
    assert trial.returncode == 0, trial.stderr
    assert int(trial.stdout.split()[-1]) > 0

"""What holds for the package as a whole: what importing loads, names, stubs, docstrings."""

from __future__ import annotations

import ast
import inspect
import json
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, get_overloads

import pytest

import qipai
from qipai import _core, reference

ROOT = Path(__file__).resolve().parents[1]
GAMES = sorted({name.partition("/")[0] for name in qipai.games()})
COMPILED = [found.name for found in pkgutil.iter_modules(_core.__path__)]


def names_of_modules() -> list[str]:
    """Every module of the package but those that only start the command line."""
    found = pkgutil.walk_packages(qipai.__path__, "qipai.")
    return ["qipai", *(module.name for module in found if not module.name.endswith("__main__"))]


def loaded_by(name: str) -> set[str]:
    """The modules that a fresh interpreter has after importing one."""
    code = f"import json, sys, {name}; print(json.dumps(list(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return set(json.loads(answer.stdout))


def imported(name: str) -> ModuleType:
    """A module, the test skipped where it needs a library that is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        # What qipai.extras.missing() says of an extra that is not installed.
        if "pip install 'qipai[" not in str(error):
            raise
        pytest.skip(str(error))


def written_docstring(thing: object) -> str:
    """The docstring, without the signature that stands before it in compiled modules."""
    text = inspect.getdoc(thing) or ""
    name = getattr(thing, "__name__", None)
    first, _, rest = text.partition("\n")
    if name and re.fullmatch(rf"(\w+\.)?{name}\(.*\)( -> \w+)?", first):
        return rest.strip()
    return text.strip()


# What importing loads ---------------------------------------------------------------------------


def test_importing_the_package_loads_nothing_else() -> None:
    loaded = loaded_by("qipai")
    assert {name for name in loaded if name.partition(".")[0] == "qipai"} == {"qipai"}
    assert "numpy" not in loaded


@pytest.mark.parametrize("game", GAMES)
def test_importing_a_game_loads_neither_numpy_nor_another_game(game: str) -> None:
    loaded = loaded_by(f"qipai.{game}")
    assert f"qipai.{game}.game" in loaded
    assert "numpy" not in loaded
    assert not {f"qipai.{other}" for other in GAMES if other != game} & loaded
    assert not {name for name in loaded if name.startswith("qipai.reference")}


@pytest.mark.parametrize(
    "module", [found.name for found in pkgutil.iter_modules(reference.__path__)]
)
def test_the_reference_stands_alone(module: str) -> None:
    allowed = r"qipai(\.plain|\.(rules|reference)(\..*)?)?"
    loaded = {name for name in loaded_by(f"qipai.reference.{module}") if name.startswith("qipai")}
    assert f"qipai.reference.{module}" in loaded
    assert not {name for name in loaded if not re.fullmatch(allowed, name)}
    # Nor does any function of it import more when it is called.
    for path in sorted(Path(reference.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                wanted = [node.module]
            elif isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            else:
                continue
            for name in wanted:
                assert not name.startswith("qipai") or re.fullmatch(allowed, name), (path, name)
                assert not name.startswith("numpy"), path


# Names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names_of_modules())
def test_public_names_resolve(name: str) -> None:
    module = imported(name)
    names = getattr(module, "__all__", [])
    assert len(set(names)) == len(names)
    for public in names:
        assert getattr(module, public) is not None


def test_the_package_lists_its_names() -> None:
    assert set(dir(qipai)) == set(qipai.__all__)


def test_a_name_that_is_none() -> None:
    for module in (qipai, *(import_module(f"qipai.{game}") for game in GAMES)):
        with pytest.raises(AttributeError, match="nothing_of_the_kind"):
            module.nothing_of_the_kind  # noqa: B018


def test_type_checkers_see_the_names_that_there_are() -> None:
    tree = ast.parse(Path(qipai.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.asname
        for guard in tree.body
        if isinstance(guard, ast.If)
        for node in guard.body
        if isinstance(node, ast.ImportFrom) and node.module != "typing"
        for alias in node.names
    }
    assert {*seen, "__version__"} == set(qipai.__all__)


def test_every_name_of_a_game_has_its_type() -> None:
    typed: list[str] = []
    for overload in get_overloads(qipai.new):
        typed += re.findall(r"'([^']+)'", overload.__annotations__["name"])
    assert sorted(typed) == sorted([*GAMES, *qipai.games()])


@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="not in a checkout")
def test_the_version_is_one() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.search(r"^## \[?(\d[^]\s]*)", changes, re.M)
    assert latest
    assert qipai.__version__ == project["project"]["version"] == latest[1]


# Types and docstrings ---------------------------------------------------------------------------


def test_types_are_shipped() -> None:
    assert (files("qipai") / "py.typed").is_file()
    assert COMPILED
    for name in COMPILED:
        assert (files("qipai._core") / f"{name}.pyi").is_file(), name


@pytest.mark.parametrize("name", COMPILED)
def test_a_stub_tells_what_the_module_tells(name: str) -> None:
    """A docstring of a stub is the compiled one, or the beginning of it."""
    stub = ast.parse((files("qipai._core") / f"{name}.pyi").read_text(encoding="utf-8"))
    told: set[str] = set()

    def compare(body: list[ast.stmt], owner: object, where: str) -> None:
        for node in body:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef):
                continue
            thing = getattr(owner, node.name)
            text = ast.get_docstring(node)
            if text:
                written = written_docstring(thing)
                told.add(f"{where}.{node.name}")
                assert written.startswith(text), f"{where}.{node.name}:\n{written}"
            if isinstance(node, ast.ClassDef):
                compare(node.body, thing, f"{where}.{node.name}")

    compare(stub.body, import_module(f"qipai._core.{name}"), name)
    assert told or not [node for node in stub.body if isinstance(node, ast.FunctionDef)]


def public_things(module: ModuleType) -> Iterator[tuple[str, object]]:
    """The public functions and classes that a module defines, and the methods of the classes."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(thing):
            yield name, thing
            for part, value in vars(thing).items():
                made = isinstance(value, property | classmethod | staticmethod)
                if not part.startswith("_") and (made or inspect.isroutine(value)):
                    yield f"{name}.{part}", getattr(thing, part)
        elif inspect.isroutine(thing):
            yield name, thing


@pytest.mark.parametrize("name", names_of_modules())
def test_every_public_thing_has_a_docstring(name: str) -> None:
    module = imported(name)
    assert module.__doc__
    assert [what for what, thing in public_things(module) if not written_docstring(thing)] == []


# Wheels -----------------------------------------------------------------------------------------


@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="not in a checkout")
@pytest.mark.parametrize(
    ("platform", "tags"),
    [
        (
            "linux",
            "manylinux_x86_64 manylinux_aarch64 musllinux_x86_64 musllinux_aarch64",
        ),
        ("macos", "macosx_x86_64 macosx_arm64"),
        ("windows", "win_amd64"),
    ],
)
def test_wheels_are_built_for(platform: str, tags: str) -> None:
    pytest.importorskip("cibuildwheel")
    told = subprocess.run(
        [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    pythons = ("cp311", "cp312", "cp313", "cp314", "cp314t")
    assert sorted(told.stdout.split()) == sorted(
        f"{python}-{tag}" for python in pythons for tag in tags.split()
    )

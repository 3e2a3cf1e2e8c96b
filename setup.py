"""Build the compiled core: make the tables, then the Cython modules under pyxsrc.

QIPAI_SANITIZE=1 builds with the address and undefined-behaviour sanitizers, QIPAI_COVERAGE=1 for
gcov, QIPAI_ABI3=1 for the stable ABI of Python 3.11; QIPAI_PREBUILT=1 builds nothing, for
an editable install of what is built in place.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from glob import glob
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
SANITIZE = os.environ.get("QIPAI_SANITIZE") == "1"
COVERAGE = os.environ.get("QIPAI_COVERAGE") == "1"
ABI3 = os.environ.get("QIPAI_ABI3") == "1"
PREBUILT = os.environ.get("QIPAI_PREBUILT") == "1"


def make_tables() -> None:
    """Write csrc/generated/NAME_table.h from csrc/tables/NAME.py, unless it is newer."""
    generated = ROOT / "csrc" / "generated"
    generated.mkdir(exist_ok=True)
    for source in sorted((ROOT / "csrc" / "tables").glob("*.py")):
        target = generated / f"{source.stem}_table.h"
        if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
            continue
        spec = importlib.util.spec_from_file_location(f"qipai_table_{source.stem}", source)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        part = target.with_suffix(".part")
        with part.open("w") as out:
            module.write(out)
        part.replace(target)


def compile_args() -> list[str]:
    if sys.platform == "win32":
        return ["/O2"]
    if SANITIZE:
        return ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    if COVERAGE:
        return ["-O1", "-g0", "--coverage", "-fprofile-update=atomic"]
    return ["-O3", "-g0"]


def link_args() -> list[str]:
    if SANITIZE:
        return ["-fsanitize=address,undefined"]
    return ["--coverage"] if COVERAGE else []


def extensions() -> list[Extension]:
    # setuptools wants paths relative to setup.py, with forward slashes.
    depends = glob("csrc/*.h") + glob("csrc/generated/*.h") + glob("pyxsrc/qipai/_core/*.pxd")
    macros: list[tuple[str, str | None]] = []
    if ABI3:
        macros = [("Py_LIMITED_API", "0x030B0000")]
    return [
        Extension(
            f"qipai._core.{Path(source).stem}",
            [source],
            include_dirs=["csrc", "csrc/generated"],
            depends=depends,
            define_macros=macros,
            py_limited_api=ABI3,
            extra_compile_args=compile_args(),
            extra_link_args=link_args(),
        )
        for source in sorted(glob("pyxsrc/qipai/_core/*.pyx"))
    ]


def modules() -> list[Extension]:
    make_tables()
    built: list[Extension] = cythonize(
        extensions(),
        include_path=["pyxsrc"],
        compiler_directives={
            "language_level": 3,
            "cdivision": True,
            "initializedcheck": False,
            "nonecheck": True,
            # A method of a compiled class checks what it is called on only where it is not bound.
            "binding": False,
            "embedsignature": True,
            "embedsignature.format": "clinic",
            "freethreading_compatible": True,
        },
        build_dir="build/cython",
        quiet=True,
    )
    return built


os.chdir(ROOT)
setup(
    ext_modules=[] if PREBUILT else modules(),
    options={"build_ext": {"parallel": True}},
)

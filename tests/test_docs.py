"""README and docs: every Python block runs and prints what stands under it.

``python tests/test_docs.py`` writes what they print now into the files.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import fields
from pathlib import Path

import pytest

import qipai
from qipai.cli import main as command_line

ROOT = Path(__file__).resolve().parents[1]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]
PAGES = [page for page in (*READMES, *sorted((ROOT / "docs").rglob("*.md"))) if page.exists()]
RULES = {"shuangkou": "SK", "gunzi": "GZ", "mahjong": "AM", "fangyang": "FY", "jiayibing": "JY"}
WITH_DOCS = pytest.mark.skipif(
    not (ROOT / "docs").exists(), reason="no documentation beside the tests"
)

FENCED = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```\n", re.M | re.S)
OUTPUT = re.compile(r"\s*^```text\n.*?^```\n", re.M | re.S)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def printed_by(code: str, page: Path, line: int, names: dict[str, object]) -> str:
    """What a block prints; the traceback of one that fails names its line in the page."""
    out = io.StringIO()
    compiled = compile("\n" * line + code, str(page), "exec", dont_inherit=True)
    with redirect_stdout(out):
        exec(compiled, names)
    return out.getvalue()


def answered(transcript: str) -> str:
    """A console block with each ``$ qipai ...`` followed by what it writes now."""
    parts: list[str] = []
    for line in transcript.splitlines():
        if line.startswith("$ "):
            program, *arguments = shlex.split(line[2:])
            assert program == "qipai", f"a console block runs qipai only, not {program}"
            out = io.StringIO()
            with redirect_stdout(out):
                assert command_line(arguments) == 0
            parts.append(f"{line}\n")
            parts += [f"{row.rstrip()}\n" for row in out.getvalue().splitlines()]
    return "".join(parts)


def as_run(page: Path) -> str:
    """The text of a page with the output of its blocks as they print it now."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "docs"}
    parts: list[str] = []
    at = 0
    while block := FENCED.search(text, at):
        parts.append(text[at : block.start(2)])
        language, code = block.groups()
        at = block.end()
        if language == "console":
            parts += [answered(code), "```\n"]
            continue
        parts.append(text[block.start(2) : at])
        if language != "python":
            continue
        out = printed_by(code, page, text.count("\n", 0, block.start(2)), names)
        shown = OUTPUT.match(text, at)
        if shown:
            at = shown.end()
        if out or shown:
            parts.append(f"\n```text\n{out}```\n")
    return "".join([*parts, text[at:]])


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blocks may write files; the command line is as on a pipe."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "QIPAI_LANG", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_run_and_print_what_is_shown(page: Path) -> None:
    assert as_run(page) == page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_is_found(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"```(?:python|console)\b", text)) == sum(
        block[1] in ("python", "console") for block in FENCED.finditer(text)
    )


@pytest.mark.parametrize("page", [page for page in READMES if page.exists()], ids=name_of)
def test_readme_lists_the_games_there_are(page: Path) -> None:
    rows = re.findall(r"^\| .*?\| (`.*?`) \|", page.read_text(encoding="utf-8"), re.M)
    assert re.findall(r"`(\w+/\w+)`", " ".join(rows)) == qipai.games()


@WITH_DOCS
@pytest.mark.parametrize("page", [page for page in READMES if page.exists()], ids=name_of)
def test_readme_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^):#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def cited_in_code(prefix: str) -> Iterator[str]:
    for folder, ending in (("python", "*.py"), ("pyxsrc", "*.py[xd]"), ("csrc", "*.[hp]*")):
        for source in (ROOT / folder).rglob(ending):
            yield from re.findall(rf"\b{prefix}-\d+", source.read_text(encoding="utf-8"))


@WITH_DOCS
@pytest.mark.parametrize(("game", "prefix"), RULES.items())
def test_every_clause_named_in_the_code_is_in_the_rules_page(game: str, prefix: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    cited = set(cited_in_code(prefix))
    told = re.findall(rf"^- \*\*({prefix}-\d+)\*\*{{ #{prefix.lower()}-\d+ }}", page, re.M)
    assert cited
    assert len(told) == len(set(told))
    assert cited - set(told) == set()


@WITH_DOCS
@pytest.mark.parametrize("game", RULES)
def test_every_house_rule_is_documented(game: str) -> None:
    text = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
    section = re.split(r"^## ", text, flags=re.M)
    (mine,) = (part for part in section if f"`qipai.rules.{game}`" in part)
    rules = importlib.import_module(f"qipai.rules.{game}").Rules
    documented = re.findall(r"^\| `(\w+)` \|", mine, re.M)
    assert documented == [field.name for field in fields(rules)]


def main() -> None:
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            new = as_run(page)
        if new != page.read_text(encoding="utf-8"):
            page.write_text(new, encoding="utf-8")
            print(name_of(page))


if __name__ == "__main__":
    for variable in ("FORCE_COLOR", "QIPAI_LANG"):
        os.environ.pop(variable, None)
    main()

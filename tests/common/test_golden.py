"""What docs/promises.md promises, against the files in tests/golden."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import qipai

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
_spec = importlib.util.spec_from_file_location("golden_make", GOLDEN / "make.py")
assert _spec is not None and _spec.loader is not None
make = importlib.util.module_from_spec(_spec)
sys.modules["golden_make"] = make  # dataclasses look their module up
_spec.loader.exec_module(make)

FILES = sorted(GOLDEN.glob("*.json"))
RECORD = make.versions_of("package")["record"]
GAME_FILES = [path for path in FILES if not path.name.startswith("package")]
BROKEN = """{name} says otherwise than the package. What it says is promised (docs/promises.md).
Mend the change; or, if it is meant, raise the version of the game's engine, of snapshots or of
records, tell it in CHANGELOG.md under "Changed formats", and write the new file beside the old one
with `python tests/golden/make.py`. Only what is merely added goes into a file of the same versions,
with `--accept`.
{found}"""
by_name = pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)


def hands(path: Path) -> list[dict[str, Any]]:
    return [hand for hands in make.read(path)["hands"].values() for hand in hands]


@pytest.mark.parametrize("part", make.PARTS)
def test_promises_are_kept(part: str) -> None:
    path = make.path_of(part)
    assert path.exists(), f"{path.name} is missing: write it with `python tests/golden/make.py`"
    found = list(make.changes(make.read(path), make.build(part)))
    assert not found, BROKEN.format(name=path.name, found="\n".join(found[:40]))


def test_every_game_is_there() -> None:
    kept = {name for path in GAME_FILES for name in make.read(path)["hands"]}
    assert kept == set(qipai.games())


@pytest.mark.parametrize("game", make.GAMES)
def test_texts_are_read_as_their_actions(game: str) -> None:
    """As the file has them: stored text leads to the stored id."""
    actions = make.read(make.path_of(game))["actions"]
    reader = qipai.new(game, seed=0)
    lines = actions.get("all") or [" ".join(line.split()[:2]) for line in actions["some"]]
    assert len(lines) > 100
    for line in lines:
        id, _, text = line.partition(" ")
        assert int(reader.parse(text)) == int(id), line


@by_name
def test_snapshots_come_back(path: Path) -> None:
    """Those of the present versions as what they were, others not at all."""
    versions = make.read(path)["versions"]
    present = make.versions_of(path.name.partition("-")[0])
    held = 0
    for hand in hands(path):
        for position in hand["positions"]:
            data = bytes.fromhex(position["snapshot"])
            if any(versions[what] != present[what] for what in ("snapshot", "engine")):
                with pytest.raises(ValueError, match=r"the snapshot has (format|version)"):
                    qipai.restore(data)
                continue
            game = qipai.restore(data)
            facts = {name: value for name, value in position.items() if name != "snapshot"}
            found = list(make.changes(facts, json.loads(json.dumps(make.facts(game)))))
            assert not found, BROKEN.format(name=path.name, found="\n".join(found[:40]))
            assert game.snapshot() == data
            held += game.turn is not None and data != game.record().replay().snapshot()
    if present == versions and path.name.startswith(("fangyang", "gunzi", "mahjong")):
        assert held  # answers that are held are in no record


@by_name
def test_records_replay(path: Path) -> None:
    """Records outlive the engine's version: replayed to the same end, or their format refused."""
    for hand in hands(path):
        if hand["record"]["format"] != RECORD:
            with pytest.raises(ValueError, match="the record has format"):
                qipai.Record.from_dict(hand["record"])
            continue
        record = qipai.Record.from_dict(hand["record"])
        game = record.replay()
        assert game.record() == record
        wanted = {name: hand[name] for name in ("scores", "outcome", "lines", "next_history")}
        found = list(make.changes(wanted, json.loads(json.dumps(make.plain_result(game)))))
        assert not found, BROKEN.format(name=path.name, found="\n".join(found))


@pytest.mark.parametrize("game", make.GAMES)
def test_other_versions_are_refused_by_name(game: str) -> None:
    hand = hands(make.path_of(game))[-1]
    data = bytes.fromhex(hand["positions"][1]["snapshot"])
    for at, what in ((6, "format"), (10, "version")):
        for step in (-1, 1, 7):
            other = bytearray(data)
            other[at] = other[at] + step & 0xFF
            with pytest.raises(ValueError, match=rf"the snapshot has {what} {other[at]}\b"):
                qipai.restore(bytes(other))
    for number in (0, RECORD + 1):
        with pytest.raises(ValueError, match=f"the record has format {number}, this version"):
            qipai.Record.from_dict({**hand["record"], "format": number})


def test_a_file_is_overwritten_on_purpose_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / make.path_of("package").name
    assert make.main(["package"], tmp_path) == 0
    good = path.read_bytes()
    shutil.copy(make.path_of("package"), path)
    assert path.read_bytes() == good
    path.write_bytes(good.replace(b'"over"', b'"ended"'))
    assert make.main(["package"], tmp_path) == 1
    assert b'"ended"' in path.read_bytes()
    assert 'reasons[0]: was "ended", is "over"' in capsys.readouterr().out
    assert make.main(["--accept", "package"], tmp_path) == 0
    assert path.read_bytes() == good
    assert make.main(["package"], tmp_path) == 0

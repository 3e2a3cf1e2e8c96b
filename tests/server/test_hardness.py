"""The example server against floods, silence and bad luck."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qipai
from qipai import fair

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

sys.path.append(str(Path(__file__).parent))

import uvicorn
from test_server import WAIT, Client, Process, frame, joined
from uvicorn.server import ServerState

from qipai._core.game import Game
from qipai.examples import server as example

HANDSHAKE = (
    b"GET /tables/%s/play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
unix = pytest.mark.skipif(os.name == "nt", reason="signals and files as on Unix")


class Hasty(Process):
    """A server with short times, whose log is kept; ``**limits`` of its process."""

    def __init__(self, db: Path, code: str = "", before: Callable[[], None] | None = None) -> None:
        run = (
            f"import qipai.examples.server as s\n{code}\ns.main(['--db', {str(db)!r}, '--port=0'])"
        )
        self.log = db.with_suffix(".log")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", run],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                preexec_fn=before,
            )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rpartition(":")[2])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    process = Process(tmp_path_factory.mktemp("hardness") / "tables.sqlite")
    process.seated("door", "shuangkou/bianfeng")
    yield process
    process.end()


@contextmanager
def opened(process: Process, table: str = "") -> Iterator[socket.socket]:
    """A bare connection; with a table a WebSocket."""
    with socket.create_connection(("127.0.0.1", process.port), WAIT) as bare:
        if table:
            bare.sendall(HANDSHAKE % table.encode())
            assert b" 101 " in bare.recv(4096)
        yield bare


def is_cut_off(bare: socket.socket, seconds: float = WAIT) -> bool:
    """Whether the server ends a connection."""
    until = time.monotonic() + seconds
    bare.settimeout(seconds)
    try:
        while time.monotonic() < until:
            if not bare.recv(1 << 16):
                return True
    except ConnectionError:
        return True
    except TimeoutError:
        pass
    return False


# Floods -----------------------------------------------------------------------------------------

MASK = bytes(4)
PING, PONG, MORE = b"\x89\x80" + MASK, b"\x8a\x80" + MASK, b"\x00\x80" + MASK


@pytest.mark.parametrize("kind", [PING, PONG, MORE, b"\x81\x81" + MASK + b"{"])
def test_who_floods_is_cut_off(server: Process, kind: bytes) -> None:
    with opened(server, "door") as bare:
        if kind == MORE:
            bare.sendall(b"\x01\x81" + MASK + b"{")
        with suppress(ConnectionError):
            bare.sendall(kind * 40_000)
        assert is_cut_off(bare, 5)
    assert server.ask("/tables/door")[0] == 200


def test_chunks_of_a_body_that_flood_are_cut_off(server: Process) -> None:
    with opened(server) as bare:
        bare.sendall(b"POST /tables/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):
            for _ in range(100):
                bare.sendall(b"1\r\nx\r\n" * 20_000)
        assert is_cut_off(bare, 5)


def test_a_few_pings_are_answered(server: Process) -> None:
    with opened(server, "door") as bare:
        bare.sendall(PING * 100)
        answered = b""
        while len(answered) < 200:
            answered += bare.recv(4096)
        assert answered == b"\x8a\x00" * 100


class Far(asyncio.Transport):
    """A connection to somebody who has not read so many bytes."""

    def __init__(self, unread: int) -> None:
        super().__init__()
        self.unread = unread
        self.aborted = False

    def write(self, data: Any) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize(
    ("unread", "sent", "cut"),
    [
        (example.UNREAD, [PING] * 1000, False),
        (example.UNREAD + 1, [PING], True),
        # A message in ever more parts, read by read; pings between them are none.
        (0, [b"\x01\x80" + MASK, *[MORE + PING] * 127], False),
        (0, [b"\x01\x80" + MASK, *[MORE + PING] * 128], True),
    ],
)
def test_what_one_client_may_fill(unread: int, sent: list[bytes], cut: bool) -> None:
    async def app(scope: object, receive: object, send: object) -> None:
        pass

    async def nothing() -> None:
        pass

    async def run() -> bool:
        far = Far(0)
        config = uvicorn.Config(app, ws=example.Socket)
        config.load()
        one = example.Socket(config, ServerState(), {})
        one.connection_made(far)
        one.run_asgi = nothing  # type: ignore[method-assign]
        one.data_received(HANDSHAKE % b"door")
        one.conn.send_response(one.response)
        far.unread = unread
        for read in sent:
            one.data_received(read)
        await asyncio.sleep(0)  # the task of the app
        return far.aborted

    assert asyncio.run(run()) is cut


# Ends -------------------------------------------------------------------------------------------


def test_no_connection_but_a_players_lasts(tmp_path: Path) -> None:
    process = Hasty(tmp_path / "tables.sqlite", "s.LASTING = s.CLOSING = 2")
    seats = process.table("a", "shuangkou/bianfeng")
    head = b"POST /tables/b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as stack:
        (player,) = joined(stack, process, seats[3:])
        half = [stack.enter_context(opened(process)) for _ in range(3)]
        half[1].sendall(head[:20])
        half[2].sendall(head + b"{")
        assert [is_cut_off(bare) for bare in half] == [True] * 3
        player.say({"do": "play", "action": "?"})
        assert player.hear("refused")
    process.end()


def test_who_never_reads_is_cut_off(tmp_path: Path) -> None:
    """Closing does not wait for it, so neither memory nor a descriptor is kept."""
    process = Hasty(tmp_path / "tables.sqlite", "s.CLOSING = 0.1")
    seats = process.table("slow", "jiayibing/anshan")
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", process.port))
        slow.settimeout(WAIT)
        slow.sendall(HANDSHAKE % b"slow")
        slow.sendall(frame({"token": seats[0]["token"]}))
        flood = frame({"do": "play", "action": "?", "id": "x" * 3000})
        with pytest.raises(ConnectionError):
            for _ in range(20_000):
                slow.sendall(flood)
    process.end()


@unix
def test_nobody_keeps_the_server_from_ending(tmp_path: Path) -> None:
    process = Hasty(tmp_path / "tables.sqlite", "s.CLOSING = 0.5")
    process.seated("a", "shuangkou/bianfeng")
    with opened(process) as half, opened(process, "a"):
        half.sendall(b"POST /tables/b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
        time.sleep(0.2)
        process.end()
    assert process.log.read_text() == ""


@unix
def test_what_clients_do_wrong_is_no_error_of_the_server(tmp_path: Path) -> None:
    process = Hasty(tmp_path / "tables.sqlite")
    process.seated("a", "shuangkou/bianfeng")
    with opened(process, "a") as bare:
        bare.sendall(b"\x81\x81" + MASK + b"\xff")
        assert is_cut_off(bare)
    with opened(process) as bare:
        bare.sendall(b"POST /tables/b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
        time.sleep(0.2)
    time.sleep(0.2)
    process.process.send_signal(signal.SIGINT)
    process.process.wait(WAIT)
    process.end()
    assert process.log.read_text() == ""


# What is kept -----------------------------------------------------------------------------------


def started(db: Path) -> tuple[int, str, str]:
    """A server that cannot start: its code, what it printed, its errors."""
    command = [sys.executable, "-m", "qipai.examples.server", "--db", str(db), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT, check=False)
    return done.returncode, done.stdout, done.stderr


@unix
def test_the_database_is_private_and_of_one_process(tmp_path: Path) -> None:
    db = tmp_path / "tables.sqlite"
    process = Process(db)
    assert stat.S_IMODE(db.stat().st_mode) == 0o600
    code, told, error = started(db)
    assert (code, told) == (1, "") and "locked" in error
    process.end()


def test_a_damaged_table_is_named(tmp_path: Path) -> None:
    db = tmp_path / "tables.sqlite"
    process = Process(db)
    process.seated("whole", "shuangkou/bianfeng")
    process.seated("broken", "shuangkou/bianfeng")
    process.end()
    for damage in ("hand = x'00'", "state = '{}'"):
        with sqlite3.connect(db) as rows:
            rows.execute(f"UPDATE tables SET {damage} WHERE name = 'broken'")
        rows.close()
        code, told, error = started(db)
        assert (code, told) == (1, "") and "table broken " in error
        assert "Traceback" not in error


@unix
def test_on_a_full_disk_no_table_opens(tmp_path: Path) -> None:
    import resource

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    process = Hasty(tmp_path / "tables.sqlite", before=full)
    for number in range(200):
        status = 0
        with suppress(json.JSONDecodeError):  # the answer to 500 is text
            status, _ = process.ask(f"/tables/t{number}", {"game": "shuangkou/bianfeng"})
        if status != 201:
            break
    assert 0 < number < 199
    assert process.ask(f"/tables/t{number - 1}")[0] == 200
    assert process.ask(f"/tables/t{number}")[0] == 404
    process.end()


# Windows ----------------------------------------------------------------------------------------


WORDS = ("word",) * 4


def found(is_it: Callable[[Game], object]) -> tuple[Game, bytes]:
    """A moment of a hand of 鞍山麻将, and the secret of its deal."""
    for number in range(1000):
        chance = random.Random(number)
        secret = number.to_bytes(32)
        game = qipai.new("mahjong/anshan", seed=fair.hand_seed(secret, WORDS, 0))
        while not game.is_over:
            if game.view("table").turn is None and is_it(game):
                return game, secret
            legal = [str(action) for action in game.legal_actions()]
            game.apply("win" if "win" in legal else chance.choice(legal))
    raise AssertionError


@contextmanager
def resumed(
    db: Path, game: Game, secret: bytes, **wishes: object
) -> Iterator[tuple[Process, list[dict[str, Any]]]]:
    """A server that starts with a table at this moment."""
    state = example.State.new({"game": "mahjong/anshan", **wishes})
    tokens = [f"token {seat}" for seat in range(4)]
    state = replace(
        state,
        game=game,
        secret=secret,
        tokens=tuple(map(example.hashed, tokens)),
        promises=tuple(map(fair.word_commitment, WORDS)),
        words=WORDS,
    )
    store = example.Store(db)
    store.commit([("a", *state.to_row())], [])
    store.db.close()
    seats = [{"table": "a", "seat": seat, "token": token} for seat, token in enumerate(tokens)]
    process = Process(db)
    try:
        yield process, seats
    finally:
        process.end()


def test_after_a_restart_a_window_stays_open(tmp_path: Path) -> None:
    """Who is asked has time to come back."""
    game, secret = found(lambda game: len(game.pending()) == 1)
    with (
        resumed(tmp_path / "tables.sqlite", game, secret, timeout=20, pace=0.5) as (process, seats),
        ExitStack() as stack,
    ):
        time.sleep(1)
        (player,) = joined(stack, process, [seats[game.pending()[0]]])
        assert set(player.legal) == {str(action) for action in game.legal_actions()}
        player.say({"do": "play", "action": player.legal[0], "id": 1})
        assert player.hear("done", "refused") == {"type": "done", "id": 1}


def asked_again(game: Game) -> bool:
    """Whether the seat that says no to 碰 is asked again, with nothing told."""
    if len(game.pending()) > 1 or "pass" not in [str(action) for action in game.legal_actions()]:
        return False
    (seat,) = game.pending()
    after = game.clone()
    after.apply("pass")
    same = after.events(seat) == game.events(seat)
    return not after.is_over and after.pending() == (seat,) and same


def test_one_answer_is_not_taken_for_two_questions(tmp_path: Path) -> None:
    game, secret = found(asked_again)
    (seat,) = game.pending()
    with (
        resumed(tmp_path / "tables.sqlite", game, secret, timeout=3600, pace=0) as (process, seats),
        ExitStack() as stack,
    ):
        player = Client(stack.enter_context(process.socket("a")), seats[seat])
        first = player.hear("view")
        answer = {"do": "play", "action": "pass", "at": first["question"], "id": 1}
        player.say(answer)
        assert player.hear() == {"type": "done", "id": 1}
        second = player.hear("events")
        assert "pass" in second["legal_actions"] and second["number"] == first["number"]
        player.say(answer)
        assert player.hear()["code"] == "stale"
        player.say({**answer, "at": second["question"]})
        assert player.hear() == {"type": "done", "id": 1}
        # Who is not asked hears no name.
        for one in seats:
            client = Client(stack.enter_context(process.socket("a")), one)
            assert (client.hear("view")["question"] is None) == (not client.legal)


def ends_with(game: Game) -> str | None:
    """The answer that ends the hand, where there is one."""
    for action in map(str, game.legal_actions() if len(game.pending()) == 1 else []):
        after = game.clone()
        after.apply(action)
        if after.is_over:
            return action
    return None


def test_the_end_is_known_when_it_is_told(tmp_path: Path) -> None:
    game, secret = found(ends_with)
    (seat,) = game.pending()
    with (
        resumed(tmp_path / "tables.sqlite", game, secret, timeout=3, pace=1) as (process, seats),
        ExitStack() as stack,
    ):
        player, other = joined(stack, process, [seats[seat], seats[seat - 1]])
        before = process.ask("/tables/a")
        player.say({"do": "play", "action": ends_with(game)})
        assert player.hear()["type"] == "done"
        other.say({"do": "next", "word_promise": "0" * 64})
        assert "not over" in other.hear()["text"]
        assert process.ask("/tables/a") == before and before[1]["is_running"]
        assert process.ask("/tables/a/record")[0] == 409
        assert process.ask("/tables/a/record?hand=0")[0] == 409
        totals = other.hear("result")["totals"]
        after = process.ask("/tables/a")[1]
        assert not after["is_running"] and after["totals"] == totals
        assert process.ask("/tables/a/record")[0] == 200

"""The example server over real sockets: whole hands, secrecy, crashes, hostile clients."""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import qipai
from qipai import fair

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Message = dict[str, Any]
WAIT = 30.0


def sha(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


class Process:
    """A server of its own, on a free port."""

    def __init__(self, db: Path, port: int = 0) -> None:
        command = [sys.executable, "-m", "qipai.examples.server", "--db", str(db)]
        self.process = subprocess.Popen(
            [*command, "--port", str(port)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:")
        self.port = int(self.url.rpartition(":")[2])

    def end(self, *, kill: bool = False) -> None:
        assert self.process.stdout is not None
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait(WAIT)
        self.process.stdout.close()

    def ask(self, path: str, body: object = None, *, raw: bytes | None = None) -> tuple[int, Any]:
        data = json.dumps(body).encode() if body is not None else raw
        request = urllib.request.Request(self.url + path, data)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def seated(self, name: str, game: str, **wishes: object) -> list[Message]:
        """Open a table and take all its seats; words are promised."""
        status, about = self.ask(f"/tables/{name}", {"game": game, "pace": 0, **wishes})
        assert status == 201, about
        seats: list[Message] = []
        for seat in range(about["players"]):
            promised = {"word_promise": sha(f"word {seat}")}
            status, given = self.ask(f"/tables/{name}/seats", promised)
            assert status == 201 and given["seat"] == seat
            assert (given["hand"], given["promise"]) == (0, about["promise"])
            seats.append({"table": name, **given})
        return seats

    def table(self, name: str, game: str, **wishes: object) -> list[Message]:
        """Open a table, take all its seats and open all words."""
        seats = self.seated(name, game, **wishes)
        with ExitStack() as stack:
            clients = [Client(stack.enter_context(self.socket(name)), seat) for seat in seats]
            for client in clients:
                client.open_word(f"word {client.seat}")
        return seats

    @contextmanager
    def socket(self, table: str) -> Iterator[ClientConnection]:
        address = f"ws://127.0.0.1:{self.port}/tables/{table}/play"
        with connect(address, compression=None, open_timeout=WAIT) as ws:
            yield ws


class Client:
    """A seat that plays random legal actions and keeps all that it was told."""

    def __init__(self, ws: ClientConnection, seat: Message) -> None:
        self.ws = ws
        self.seat: int = seat["seat"]
        self.told: list[Message] = []
        self.turn: int | None = None
        self.legal: list[str] = []
        self.chance = random.Random(self.seat)
        self.say({"token": seat["token"]})

    def say(self, message: object) -> None:
        self.ws.send(json.dumps(message))

    def hear(self, *kinds: str) -> Message:
        """The next message, or the next of some kinds."""
        while True:
            message: Message = json.loads(self.ws.recv(WAIT))
            self.told.append(message)
            now = message["view"] if message["type"] == "view" else message
            if message["type"] in ("view", "events") and now is not None:
                self.turn, self.legal = now["turn"], now["legal_actions"]
            if not kinds or message["type"] in kinds:
                return message

    def open_word(self, word: str) -> Message:
        """Open the word once all are promised; return the promises."""
        while None in (promised := self.hear("promises"))["word_promises"]:
            pass
        self.say({"do": "word", "word": word})
        assert self.hear("done", "refused")["type"] == "done"
        return promised

    def play_on(self, stop: threading.Event | None = None) -> None:
        """Play until the hand is over; where the server is expected to die, until then."""
        busy = stop is not None and bool(self.legal)  # the caller has sent the first action
        try:
            while True:
                message = self.hear()
                if message["type"] == "result":
                    return
                if message["type"] in ("done", "refused"):
                    busy = False
                if message["type"] == "done":
                    self.legal = []
                # Another's answer may repeat the question while this one is on its way.
                if self.legal and not busy:
                    busy = True
                    self.say({"do": "play", "action": self.chance.choice(self.legal)})
        except (ConnectionClosed, OSError):
            if stop is None:
                raise

    @property
    def events(self) -> list[Message]:
        """All events told in messages; those of a view count from its number on."""
        return [event for message in self.told for event in message.get("events", [])]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    process = Process(tmp_path_factory.mktemp("server") / "tables.sqlite")
    yield process
    process.end()


def joined(stack: ExitStack, process: Process, seats: list[Message]) -> list[Client]:
    clients = [Client(stack.enter_context(process.socket(seat["table"])), seat) for seat in seats]
    for client in clients:
        client.hear("view")
        client.told.clear()
    return clients


def played(process: Process, seats: list[Message]) -> list[Client]:
    """Connect all seats and play the hand to its end."""
    with ExitStack() as stack:
        clients = [
            Client(stack.enter_context(process.socket(seat["table"])), seat) for seat in seats
        ]
        together([client.play_on for client in clients])
    return clients


def together(jobs: list[Any]) -> None:
    failed: list[BaseException] = []

    def run(job: Any) -> None:
        try:
            job()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
        assert not thread.is_alive()
    if failed:
        raise failed[0]


def record_of(process: Process, table: str) -> qipai.Record:
    status, data = process.ask(f"/tables/{table}/record")
    assert status == 200, data
    return qipai.Record.from_dict(data)


# Whole hands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "pace"),
    [
        ("mahjong/anshan", 0),
        ("mahjong/anshan", 0.01),
        ("gunzi/diamond", 0),
        ("fangyang/anshan", 0),
        ("jiayibing/anshan", 0),
    ],
)
def test_a_hand_tells_each_seat_what_it_may_know(server: Process, game: str, pace: float) -> None:
    name = f"hand-{game.partition('/')[0]}-{int(pace > 0)}"
    seats = server.table(name, game, pace=pace)
    clients = played(server, seats)
    record = record_of(server, name)
    over = record.replay()
    assert record.proof is not None
    words = {seat: f"word {seat}" for seat in range(over.players)}
    promises = {seat: sha(word) for seat, word in words.items()}
    promise = seats[0]["promise"]
    record.proof.check(record, promise, number=0, words=words, promises=promises)
    table = [event.as_dict() for event in over.events("table") if event.kind != "draw"]
    assert record.proof.words == tuple(f"word {seat}" for seat in range(over.players))
    for client in clients:
        result = client.told[-1]
        assert result["type"] == "result"
        assert result["scores"] == result["totals"] == over.scores()
        # What a seat was told is what the library says that it may know, no more and no less.
        may_know = [event.as_dict() for event in over.events(client.seat)]
        first = client.told[0]
        before = 0 if first["view"] is None else len(first["view"]["history"])
        assert client.events == may_know[before:]
        numbers = [message["number"] for message in client.told if "number" in message]
        assert numbers == sorted(numbers)
        assert numbers[-1] == len(may_know)
        # So are its views: each is that of some moment of the hand.
        views = [m["view"] for m in client.told if m["type"] == "view" and m["view"]]
        assert views
        moments = views_of(record, client.seat)
        assert all(view in moments for view in views)
        known = {"view", "events", "done", "result", "hand", "number", "type", "id", "turn"}
        known |= {"legal_actions", "totals", "promise", "word_promises", "scores", "lines"}
        known |= {"code", "clause", "text", "text_zh", "question"}
        assert {name for message in client.told for name in message} <= known
        # An answer may come when another's has ended the window.
        refused = [message for message in client.told if message["type"] == "refused"]
        assert not refused or game.startswith(("mahjong", "gunzi"))
        # With it, what all see comes one by one.
        batches = [message.get("events", []) for message in client.told]
        assert not pace or max(sum(event in table for event in batch) for batch in batches) == 1
        secrets = (record.seed, record.proof.secret)
        assert not any(secret in json.dumps(client.told) for secret in secrets)


def views_of(record: qipai.Record, seat: int) -> list[Message]:
    """The views of a seat after each action of a record."""
    game = replace(record, actions=()).replay()
    views = [game.view(seat).as_dict()]
    for text in record.actions:
        game.apply(text)
        views.append(game.view(seat).as_dict())
    return views


def test_nobody_hears_of_a_no(server: Process) -> None:
    """A seat that is not asked, or does not learn of an answer, gets no message at all."""
    seats = server.table("silence", "fangyang/anshan")
    with ExitStack() as stack:
        clients = joined(stack, server, seats)
        banker = next(client for client in clients if client.legal)
        banker.say({"do": "play", "action": banker.legal[0]})
        for client in clients:
            asked = client.hear("events")
            assert asked["turn"] == client.seat and "no" in asked["legal_actions"]
        first = clients[0]
        first.say({"do": "play", "action": "no", "id": "mine"})
        assert first.hear() == {"type": "done", "id": "mine"}
        # Nor does the one who answered, whether others still have to.
        for other in clients:
            # Its own refusal is the next that it hears.
            other.say({"do": "play", "action": "jokers!", "id": 7})
            heard = other.hear()
            assert (heard["type"], heard["id"]) == ("refused", 7), heard


def test_while_a_move_is_told_an_answer_does_not_wait(server: Process) -> None:
    """How long a refusal takes does not tell whether somebody is asked."""
    seats = server.table("pace", "mahjong/anshan", pace=60)
    with ExitStack() as stack:
        for client in joined(stack, server, seats):
            # The dealer has been told; the tile turned up comes in a minute.
            assert [event["kind"] for event in client.hear("events")["events"]] == ["dealer"]
            client.say({"do": "play", "action": "discard 1m"})
            assert client.hear()["code"] == "out_of_turn"
            client.say({"do": "escape"})
            assert client.hear()["code"] == "no_escape"
        (again,) = joined(stack, server, seats[2:3])
        assert again.hear()["events"] == client.told[0]["events"]


def test_hands_in_a_row(server: Process) -> None:
    seats = server.table("row", "shuangkou/bianfeng")
    first = played(server, seats)
    with ExitStack() as stack:
        clients = joined(stack, server, seats)
        for client in clients:
            result = client.hear("result")  # that of the first hand, again
            assert result == first[client.seat].told[-1]
            client.say({"do": "next", "word_promise": sha(f"again {client.seat}")})
        promised = [client.open_word(f"again {client.seat}") for client in clients]
        assert all(one == promised[0] for one in promised)
        together([client.play_on for client in clients])
        second = clients[0].told[-1]
    record = record_of(server, "row")
    assert record.proof is not None and promised[0]["promise"] != seats[0]["promise"]
    assert promised[0]["hand"] == 1
    record.proof.check(
        record,
        promised[0]["promise"],
        number=1,
        words={seat: f"again {seat}" for seat in range(4)},
        promises=dict(enumerate(promised[0]["word_promises"])),
    )
    one = qipai.Record.from_dict(server.ask("/tables/row/record?hand=0")[1]).replay()
    assert record.history == one.next_history
    sums = [a + b for a, b in zip(one.scores(), record.replay().scores(), strict=True)]
    assert second["totals"] == sums


def test_absent_players_are_played_for(server: Process) -> None:
    seats = server.table("away", "mahjong/anshan", timeout=0.01)
    with ExitStack() as stack:
        (client,) = joined(stack, server, seats[:1])
        client.hear("result")
    assert record_of(server, "away").replay().is_over


# Promises ---------------------------------------------------------------------------------------


def test_words_are_opened_when_all_are_promised(server: Process) -> None:
    name = "words"
    about = server.ask(f"/tables/{name}", {"game": "shuangkou/wenzhou"})[1]
    assert about["word_promises"] == [None] * 4 and about["hand"] == 0
    promises = [sha(f"word {seat}") for seat in range(4)]

    def sit(seat: int) -> Message:
        given = server.ask(f"/tables/{name}/seats", {"word_promise": promises[seat]})[1]
        assert given["word_promises"] == promises[: seat + 1] + [None] * (3 - seat)
        return {"table": name, **given}

    with ExitStack() as stack:
        (first,) = joined(stack, server, [sit(0)])
        first.hear("promises")

        def refused(client: Client, message: Message, text: str) -> None:
            client.say(message)
            reply = client.hear("done", "refused")
            assert reply["type"] == "refused" and text in reply["text"], reply

        refused(first, {"do": "word", "word": "word 0"}, "when all")
        refused(first, {"do": "next", "word_promise": sha("other")}, "promised its word already")
        refused(first, {"do": "play", "action": "33"}, "not begun")
        seats = [sit(seat) for seat in (1, 2, 3)]
        for seat in (1, 2, 3):  # the first sees every promise as it comes
            told = first.hear("promises")
            assert told["word_promises"] == promises[: seat + 1] + [None] * (3 - seat)
            assert (told["hand"], told["promise"]) == (0, about["promise"])
        others = joined(stack, server, seats)
        assert all(other.hear("promises") == told for other in others)
        for word in ("word 1", "word 0 ", "", "x" * 257, "\ud800", None, 5):
            refused(first, {"do": "word", "word": word}, "")
        assert not server.ask(f"/tables/{name}")[1]["is_running"]
        for client in others:
            client.say({"do": "word", "word": f"word {client.seat}"})
            assert client.hear()["type"] == "done"
        refused(others[0], {"do": "word", "word": "word 1"}, "opened its word already")
        # Nobody is told of an opened word before the deal: this is the next that is heard.
        first.say({"do": "word", "word": "word 0"})
        assert first.hear()["type"] == "done"
        for client in (first, *others):
            assert client.hear()["type"] == "events"
        assert server.ask(f"/tables/{name}")[1]["promise"] == about["promise"]


def test_a_word_that_is_not_opened_makes_all_void(server: Process) -> None:
    """All promise anew, the server too, and no word that was opened has a part in the deal."""
    seats = server.seated("void", "jiayibing/anshan", word_timeout=0.3)
    with ExitStack() as stack:
        clients = joined(stack, server, seats)
        for client in clients[1:]:
            client.say({"do": "word", "word": f"word {client.seat}"})
        for client in clients:
            told = client.hear("promises")
            while told["promise"] == seats[0]["promise"]:
                told = client.hear("promises")
            assert told["word_promises"] == [None] * 6 and told["hand"] == 0
        for client in clients:
            client.say({"do": "word", "word": f"word {client.seat}"})
            assert client.hear("done", "refused")["type"] == "refused"
        for client in clients:
            client.say({"do": "next", "word_promise": sha(f"anew {client.seat}")})
        for client in clients:
            promised = client.open_word(f"anew {client.seat}")
            assert promised["promise"] == told["promise"]
        together([client.play_on for client in clients])
    record = record_of(server, "void")
    assert record.proof is not None
    words = {seat: f"anew {seat}" for seat in range(6)}
    record.proof.check(record, told["promise"], number=0, words=words)


# Crashes ----------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("game", ["mahjong/anshan", "gunzi/yiku", "shuangkou/lishui"])
def test_no_move_that_was_told_is_lost(tmp_path: Path, game: str) -> None:
    db = tmp_path / "tables.sqlite"
    process = Process(db)
    seats = process.table("crash", game)
    stop = threading.Event()
    told: list[list[Message]] = [[] for _ in seats]
    acknowledged = 0
    for round_ in range(3):
        with ExitStack() as stack:
            clients = [Client(stack.enter_context(process.socket("crash")), s) for s in seats]
            for client in clients:
                view = client.hear("view")
                # All that was told before stands in the view after the crash.
                assert view["view"]["history"][: len(told[client.seat])] == told[client.seat]
                told[client.seat] = view["view"]["history"]
                client.told.clear()
                client.chance.seed(round_)
            first = [c for c in clients if c.legal]
            assert first
            for client in first:
                client.say({"do": "play", "action": client.chance.choice(client.legal)})
            killer = threading.Timer(
                0.1 + 0.05 * round_, process.process.send_signal, [signal.SIGKILL]
            )
            killer.start()
            together([partial(client.play_on, stop) for client in clients])
            killer.join()
        for client in clients:
            told[client.seat] = [*told[client.seat], *client.events]
            acknowledged += sum(message["type"] == "done" for message in client.told)
        process.end(kill=True)
        process = Process(db)
    assert acknowledged
    clients = played(process, seats)
    over = record_of(process, "crash").replay()
    for client in clients:
        history = [event.as_dict() for event in over.events(client.seat)]
        assert history[: len(told[client.seat])] == told[client.seat]
        assert client.told[-1]["scores"] == over.scores()
    process.end()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_promises_survive_a_crash(tmp_path: Path) -> None:
    """A crash between promises, or between words, lets nobody choose anew."""
    db = tmp_path / "tables.sqlite"
    process = Process(db)
    status, about = process.ask("/tables/oath", {"game": "shuangkou/wenzhou"})
    assert status == 201
    seats: list[Message] = []
    for seat in range(4):
        promised = {"word_promise": sha(f"word {seat}")}
        seats.append({"table": "oath", **process.ask("/tables/oath/seats", promised)[1]})
        process.end(kill=True)
        process = Process(db)
    for seat in seats:
        with process.socket("oath") as ws:
            promised = Client(ws, seat).open_word(f"word {seat['seat']}")
            assert promised["promise"] == about["promise"]
            assert promised["word_promises"] == [sha(f"word {i}") for i in range(4)]
        process.end(kill=True)
        process = Process(db)
    played(process, seats)
    record = record_of(process, "oath")
    assert record.proof is not None
    words = {seat: f"word {seat}" for seat in range(4)}
    record.proof.check(record, about["promise"], number=0, words=words)
    process.end()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_words_that_stay_closed_are_void_after_a_crash(tmp_path: Path) -> None:
    process = Process(tmp_path / "tables.sqlite")
    seats = process.seated("closed", "shuangkou/wenzhou", word_timeout=0.3)
    process.end(kill=True)
    process = Process(tmp_path / "tables.sqlite")
    with process.socket("closed") as ws:
        client = Client(ws, seats[0])
        while (told := client.hear("promises"))["promise"] == seats[0]["promise"]:
            pass
        assert told["word_promises"] == [None] * 4
    process.end()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_timers_wake_up_after_a_crash(tmp_path: Path) -> None:
    process = Process(tmp_path / "tables.sqlite")
    seats = process.table("asleep", "shuangkou/wenzhou", timeout=0.01)
    process.end(kill=True)
    process = Process(tmp_path / "tables.sqlite")
    with ExitStack() as stack:
        client = Client(stack.enter_context(process.socket("asleep")), seats[2])
        client.hear("result")
    process.end()


# Hostile clients --------------------------------------------------------------------------------


def test_refused_plays_have_reasons_and_change_nothing(server: Process) -> None:
    seats = server.table("refused", "shuangkou/bianfeng")
    with ExitStack() as stack:
        clients = joined(stack, server, seats)
        actor = next(client for client in clients if client.legal)
        other = clients[actor.seat - 1]
        cases: list[tuple[Client, object, str]] = [
            (other, {"do": "play", "action": actor.legal[0]}, "out_of_turn"),
            (actor, {"do": "play", "action": "3457"}, "no_play"),
            (actor, {"do": "play", "action": "pass"}, "free_lead"),
            (actor, {"do": "play", "action": 10**30}, "foreign"),
            (actor, {"do": "play", "action": "jokers!"}, "unreadable"),
            (actor, {"do": "play", "action": "\ud800"}, "unreadable"),
            (actor, {"do": "play", "action": [0, 0]}, "unreadable"),
            (actor, {"do": "play", "action": [True]}, "unreadable"),
            (actor, {"do": "play", "action": [[0]]}, "unreadable"),
            (actor, {"do": "play", "action": True}, "unreadable"),
            (actor, {"do": "play", "action": 1.5}, "unreadable"),
            (actor, {"do": "play", "action": {"a": 1}}, "unreadable"),
            (actor, {"do": "play"}, "unreadable"),
            (actor, {"do": "play", "action": actor.legal[0], "at": 99}, "stale"),
            (actor, {"do": "next", "word_promise": sha("early")}, "unreadable"),
            (actor, {"do": "word", "word": f"word {actor.seat}"}, "unreadable"),
            (actor, {"do": ["play"]}, "unreadable"),
            (actor, {}, "unreadable"),
            (actor, [], "unreadable"),
            (actor, None, "unreadable"),
        ]
        for client, message, code in cases:
            client.say(message)
            reply = client.hear()
            assert reply["type"] == "refused" and reply["code"] == code, (message, reply)
            assert reply["text"] and reply["text_zh"]
        raw: list[str | bytes] = ["", "{", "[" * 3000, '{"do":NaN}', "9" * 4000, b"\x00\xff"]
        for text in raw:
            actor.ws.send(text)
            assert actor.hear()["code"] == "unreadable"
        assert sum(len(client.events) for client in clients) == 0
        actor.say({"do": "play", "action": actor.legal[0], "at": 1})
        assert other.hear()["events"][0]["seat"] == actor.seat


def closed_with(ws: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed):
        while True:
            ws.recv(WAIT)
    return ws.close_code


def test_who_may_not_come_in(server: Process) -> None:
    seats = server.table("door", "jiayibing/anshan")
    server.table("other", "jiayibing/anshan")
    token = seats[0]["token"]
    wrong: list[object] = [token[:-1], token + "x", "", None, 5, [token], "\ud800"]
    for given in wrong:
        with server.socket("door") as ws:
            ws.send(json.dumps({"token": given}))
            assert closed_with(ws) == 4401, given
    for text in ("", "{", "[]", "null", "[" * 3000):
        with server.socket("door") as ws:
            ws.send(text)
            assert closed_with(ws) == 4401, text
    with server.socket("other") as ws:  # a token of another table
        ws.send(json.dumps({"token": token}))
        assert closed_with(ws) == 4401
    with server.socket("nonesuch") as ws:
        assert closed_with(ws) == 4404
    with server.socket("door") as ws:  # longer than any message
        ws.send(json.dumps({"token": "x" * 5000}))
        assert closed_with(ws) == 1009


def test_the_newest_connection_of_a_seat_counts(server: Process) -> None:
    seats = server.table("twice", "shuangkou/wenzhou")
    with server.socket("twice") as old, server.socket("twice") as new:
        Client(old, seats[0]).hear("view")
        second = Client(new, seats[0])
        second.hear("view")
        assert closed_with(old) == 4409
        second.say({"do": "play", "action": "?"})
        assert second.hear()["type"] == "refused"


def test_a_client_that_does_not_read_holds_nobody_up(server: Process) -> None:
    seats = server.table("slow", "jiayibing/anshan")
    with socket.socket() as slow:
        # A small window: what the server sends stays with the server.
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(
            b"GET /tables/slow/play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert b" 101 " in slow.recv(1000)
        slow.sendall(frame({"token": seats[0]["token"]}))
        # Have it answer, and answer, and never read, until it does not read any more either.
        slow.setblocking(False)
        flood = frame({"do": "play", "action": "?", "id": "x" * 3000}) * 50
        sent = 0
        while sent < 30_000_000 and select.select([], [slow], [], 2)[1]:
            try:
                sent += slow.send(flood[sent % len(flood) :])
            except OSError:
                break
        with ExitStack() as stack:
            clients = joined(stack, server, seats[1:])
            clients[0].say({"do": "play", "action": "??"})
            assert clients[0].hear()["type"] == "refused"
        # It was dropped: what was on its way comes, then the end.
        slow.settimeout(WAIT)
        with suppress(ConnectionError):
            while slow.recv(1 << 16):
                pass


def frame(message: object) -> bytes:
    """A masked text frame of a message; the mask is nought."""
    data = json.dumps(message).encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + data


def test_requests_that_are_refused(server: Process) -> None:
    seats = server.table("http", "shuangkou/wenzhou")
    cases: list[tuple[str, object, int]] = [
        ("/tables/http", {"game": "shuangkou"}, 409),
        ("/tables/http/seats", {"word_promise": sha("one too many")}, 409),
        ("/tables/nonesuch/seats", {"word_promise": sha("w")}, 404),
        ("/tables/http/seats", {"word": "w"}, 400),
        ("/tables/http/seats", {"word_promise": 5}, 400),
        ("/tables/http/seats", {"word_promise": sha("w")[1:]}, 400),
        ("/tables/http/seats", {"word_promise": sha("w").upper()}, 400),
        ("/tables/http/seats", {"word_promise": sha("w") + "\n"}, 400),
        ("/tables/http/seats", {"word_promise": "\ud800" * 64}, 400),
        ("/tables/a.b", {"game": "shuangkou"}, 400),
        ("/tables/new", {"game": "nonesuch"}, 400),
        ("/tables/new", {"game": ["shuangkou"]}, 400),
        ("/tables/new", {"game": "shuangkou", "rules": {"nonesuch": 1}}, 400),
        ("/tables/new", {"game": "shuangkou", "rules": {"stake": -1}}, 400),
        ("/tables/new", {"game": "shuangkou", "rules": 5}, 400),
        ("/tables/new", {"game": "shuangkou", "timeout": 0}, 400),
        ("/tables/new", {"game": "shuangkou", "timeout": float("nan")}, 400),
        ("/tables/new", {"game": "shuangkou", "pace": True}, 400),
        ("/tables/new", {"game": "shuangkou", "word_timeout": 0}, 400),
        ("/tables/new", {"game": "x" * 10_000}, 400),
        ("/tables/new", [], 400),
    ]
    for path, body, expected in cases:
        status, reply = server.ask(path, body)
        assert status == expected and reply["error"], (path, body, reply)
    assert server.ask("/tables/new", raw=b"\xff")[0] == 400
    assert server.ask("/tables/new")[0] == 404
    # The record holds all cards.
    assert server.ask("/tables/http/record")[0] == 409
    assert server.ask("/tables/http/record?hand=x")[0] == 400
    assert server.ask("/tables/http/record?hand=7")[0] == 409
    assert server.ask("/tables/nonesuch/record")[0] == 404
    about = server.ask("/tables/http")[1]
    assert about["promise"] == seats[0]["promise"] and about["is_running"]
    assert len(about["promise"]) == len(fair.commitment(bytes(32)))


def test_house_rules_of_a_table(server: Process) -> None:
    seats = server.table("house", "shuangkou/bianfeng", rules={"stake": 10})
    assert server.ask("/tables/house")[1]["rules"]["stake"] == 10
    with ExitStack() as stack:
        clients = joined(stack, server, seats)
        clients[2].say({"do": "escape"})  # SK-68
        result = clients[0].hear("result")
    assert result["scores"][2] < 0 and result["scores"][2] % 10 == 0
    assert record_of(server, "house").replay().scores() == result["scores"]

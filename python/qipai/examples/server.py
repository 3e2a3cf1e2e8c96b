"""A game server in one file: tables over HTTP and WebSocket, kept in SQLite.

``python -m qipai.examples.server --db tables.sqlite`` serves on 127.0.0.1:8000. The protocol stands
in the documentation, *An example server*.

Every table is one task that does one thing at a time: a change is made on a copy, stored, and only
then told. So a change that fails leaves nothing behind, and no player hears of a move that a crash
could undo.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
import re
import secrets
import socket
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import qipai
from qipai import fair
from qipai._core.game import Event, Game
from qipai.extras import missing
from qipai.registry import preset_rules
from qipai.rules._base import RulesBase

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.frames import Frame, Opcode
except ImportError as error:
    raise missing("qipai.examples.server", "starlette, uvicorn and websockets", "server") from error

log = logging.getLogger("qipai.server")

LONGEST = 4096  # bytes of a message or a body
OUTBOX = 256  # messages that may wait for a slow client
MOST_TABLES = 10_000
FRAMES = 128  # of a client that may come in one read, and parts of one message
UNREAD = 1 << 18  # bytes that may wait in a client's socket
LASTING = 30.0  # seconds for a connection that is no WebSocket
CLOSING = 5.0  # seconds to take what is left when a connection ends
JOINING = 10.0  # seconds for the first message
TIMEOUT = 30.0  # seconds until an absent player is played for
WORDS = 30.0  # seconds to open a word once all are promised
# Seconds from what all see to the next, in the games where who is asked is a secret.
PACES = {"mahjong": 3.0, "gunzi": 1.0}
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
PROMISE = re.compile(r"[0-9a-f]{64}")

# Why a connection is closed.
GONE, UNKNOWN_TABLE, WRONG_TOKEN, REPLACED, SLOW = 1000, 4404, 4401, 4409, 4408

STALE = qipai.Reason("stale", "", "more has happened since", "局面已变")
NOT_ASKED = qipai.Reason("out_of_turn", "", "it is not this seat's turn", "还没轮到该玩家")

Message = dict[str, Any]


def read_message(text: str | bytes | None) -> Message:
    """Return a JSON object that somebody sent; ``ValueError`` for anything else."""
    if text is None or len(text) > LONGEST:
        raise ValueError(f"a message is text of up to {LONGEST} bytes")
    try:
        message: Any = json.loads(text)
    except RecursionError:
        raise ValueError("the message is nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("a message is a JSON object")
    return cast(Message, message)


def read_seconds(message: Message, name: str, default: float, low: float, high: float) -> float:
    """A duration that somebody wishes, or the default."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{name} must be seconds from {low} to {high}")
    return value


def read_word(message: Message) -> str:
    """The word that a seat opens for the deal."""
    word = message.get("word")
    if not isinstance(word, str) or not 1 <= len(word.encode()) <= fair.LONGEST:
        raise ValueError(f"word must be text of 1 to {fair.LONGEST} bytes, best a random one")
    return word


def read_promise(message: Message) -> str:
    """The promise of a seat's word."""
    promise = message.get("word_promise")
    if not isinstance(promise, str) or not PROMISE.fullmatch(promise):
        raise ValueError("word_promise must be SHA-256 of a word: 64 digits 0-9 and a-f")
    return promise


def read_action(message: Message) -> str | int | list[int]:
    """The action of a message: text, an id, or ids of cards; what it means is the game's affair."""
    action: Any = message.get("action")
    parts = cast("list[object]", action) if isinstance(action, list) else [action]
    if not isinstance(action, str) and any(type(part) is not int for part in parts):
        raise ValueError("action must be text, an id, or a list of card ids")
    return cast("str | int | list[int]", action)


def put(given: tuple[str | None, ...], seat: int, text: str) -> tuple[str | None, ...]:
    """What the seats gave, with what one gives now."""
    return (*given[:seat], text, *given[seat + 1 :])


def hashed(token: str) -> str:
    """A token as it is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


# What is kept ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """All of a table that must survive; it is replaced as a whole, and its game never changed."""

    game_name: str
    rules: RulesBase
    players: int
    timeout: float
    pace: float
    word_timeout: float
    secret: bytes  # of the hand that is played, or the next
    tokens: tuple[str, ...]  # hashed, of the seats that are taken
    promises: tuple[str | None, ...]  # of the seats' words for the deal
    words: tuple[str | None, ...]  # as far as they are open
    totals: tuple[int, ...]
    hand: int = 0
    game: Game | None = None

    @classmethod
    def new(cls, wish: Message) -> State:
        """A table as somebody wants it; ``ValueError`` names what is amiss."""
        name = wish.get("game")
        if not isinstance(name, str):
            raise ValueError(f"game must be one of {', '.join(qipai.games())}")
        house: Any = wish.get("rules", {})
        if not isinstance(house, dict):
            raise ValueError("rules must be an object of house rules")
        kind, preset = preset_rules(name)
        rules = kind.Rules.from_dict({**preset.as_dict(), **house})
        players = kind(rules, seed=0).players
        timeout = read_seconds(wish, "timeout", TIMEOUT, 0.01, 3600)
        pace = read_seconds(wish, "pace", PACES.get(name.partition("/")[0], 0.0), 0, 60)
        word_timeout = read_seconds(wish, "word_timeout", WORDS, 0.01, 3600)
        nothing = (None,) * players
        return cls(
            *(name, rules, players, timeout, pace, word_timeout),
            *(fair.new_secret(), (), nothing, nothing, (0,) * players),
        )

    @property
    def is_running(self) -> bool:
        """Whether a hand is being played."""
        return self.game is not None and not self.game.is_over

    @property
    def is_opening(self) -> bool:
        """Whether all words are promised, and now to be opened."""
        return not self.is_running and None not in self.promises

    @property
    def number(self) -> int:
        """The number of the hand that is played, or else of the next."""
        return self.hand if self.game is None or self.is_running else self.hand + 1

    def deal_promises(self) -> Message:
        """What is promised for the hand of this number."""
        return {
            "hand": self.number,
            "promise": fair.commitment(self.secret),
            "word_promises": self.promises,
        }

    def with_promise(self, seat: int, promise: str) -> State:
        """The state with the promise of a seat's word, which cannot be taken back."""
        if self.promises[seat] is not None:
            raise ValueError("this seat has promised its word already")
        return replace(self, promises=put(self.promises, seat, promise))

    def with_word(self, seat: int, word: str) -> State:
        """The state with a seat's word; the last one deals."""
        if not self.is_opening:
            raise ValueError("words are opened when all seats have promised theirs")
        if self.words[seat] is not None:
            raise ValueError("this seat has opened its word already")
        if fair.word_commitment(word) != self.promises[seat]:
            raise ValueError("this is not the word that the seat has promised")
        words = put(self.words, seat, word)
        given = [word for word in words if word is not None]
        if len(given) < self.players:
            return replace(self, words=words)
        hand = self.number
        seed = fair.hand_seed(self.secret, given, hand)
        if self.game is None:
            game: Game = preset_rules(self.game_name)[0](self.rules, seed=seed)
        else:
            game = self.game.next_hand(seed)
        return replace(self, words=words, hand=hand, game=game)

    def anew(self) -> State:
        """The state with nothing promised for the deal, and nothing kept of what was."""
        nothing = (None,) * self.players
        return replace(self, secret=fair.new_secret(), promises=nothing, words=nothing)

    def with_game(self, game: Game) -> tuple[State, str | None]:
        """The state after a move, and after the last one the record of the hand."""
        if not game.is_over:
            return replace(self, game=game), None
        given = [word for word in self.words if word is not None]
        record = fair.with_proof(game.record(), fair.Proof.of(self.secret, given, self.hand))
        totals = tuple(a + b for a, b in zip(self.totals, game.scores(), strict=True))
        # A secret that has been shown is spent: the next hand has its own, and new words.
        return replace(self, game=game, totals=totals).anew(), record.to_json()

    def to_row(self) -> tuple[str, bytes | None]:
        """The state as it is stored, and the snapshot of its game."""
        kept = {name: getattr(self, name) for name in self.__slots__ if name != "game"}
        kept |= {"rules": self.rules.as_dict(), "secret": self.secret.hex()}
        return json.dumps(kept), None if self.game is None else self.game.snapshot()

    @classmethod
    def from_row(cls, text: str, snapshot: bytes | None) -> State:
        """The state of what :meth:`to_row` gave."""
        kept = json.loads(text)
        kept["rules"] = preset_rules(kept["game_name"])[0].Rules.from_dict(kept["rules"])
        kept["secret"] = bytes.fromhex(kept["secret"])
        for name in ("tokens", "promises", "words", "totals"):
            kept[name] = tuple(kept[name])
        return cls(**kept, game=None if snapshot is None else qipai.restore(snapshot))


class Store:
    """Tables and records in SQLite, on a thread of its own; for one process at a time."""

    def __init__(self, path: str | Path) -> None:
        Path(path).touch(0o600)  # it holds all cards
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self.db.execute("PRAGMA journal_mode = WAL")
        # In this mode FULL writes through at every commit: what is told survives a power cut.
        self.db.execute("PRAGMA synchronous = FULL")
        with self.db:
            self.db.execute(
                "CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, state TEXT, hand BLOB)"
            )
            self.db.execute(
                "CREATE TABLE IF NOT EXISTS records"
                " (name TEXT, hand INTEGER, record TEXT, PRIMARY KEY (name, hand))"
            )
        self.thread = ThreadPoolExecutor(1)
        self.waiting: list[tuple[str, State, str | None, asyncio.Future[None]]] = []
        self.writer: asyncio.Task[None] | None = None

    def load(self) -> dict[str, State]:
        """All tables; ``ValueError`` names the one that cannot be read."""
        states: dict[str, State] = {}
        for name, text, snapshot in self.db.execute("SELECT name, state, hand FROM tables"):
            try:
                states[name] = State.from_row(text, snapshot)
            except Exception as error:
                raise ValueError(f"table {name} cannot be read: {error!r}") from error
        return states

    async def record(self, name: str, hand: int) -> str | None:
        """The record of a hand as JSON, None where there is none."""
        query = "SELECT record FROM records WHERE name = ? AND hand = ?"
        loop = asyncio.get_running_loop()
        row: tuple[str] | None = await loop.run_in_executor(
            self.thread, lambda: self.db.execute(query, (name, hand)).fetchone()
        )
        return row[0] if row else None

    async def save(self, name: str, state: State, record: str | None = None) -> None:
        """Return when the state, and a record with it, is on the disk."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((name, state, record, done))
        if self.writer is None or self.writer.done():
            self.writer = asyncio.create_task(self.write())
        await done

    async def write(self) -> None:
        """Store what waits, until nothing does."""
        # What came while the disk was busy goes into one transaction.
        while self.waiting:
            batch, self.waiting = self.waiting, []
            states = [(name, *state.to_row()) for name, state, _, _ in batch]
            records = [(name, state.hand, record) for name, state, record, _ in batch if record]
            try:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self.thread, self.commit, states, records)
                failed = None
            except sqlite3.Error as error:
                failed = error
            for *_, done in batch:
                if done.cancelled():
                    continue
                if failed is None:
                    done.set_result(None)
                else:
                    done.set_exception(failed)

    def commit(self, states: list[Any], records: list[Any]) -> None:
        """Store it all or nothing; on the store's own thread."""
        with self.db:
            self.db.executemany("REPLACE INTO tables VALUES (?, ?, ?)", states)
            self.db.executemany("INSERT INTO records VALUES (?, ?, ?)", records)

    async def close(self) -> None:
        """Finish what is being written."""
        if self.writer is not None:
            await self.writer
        self.thread.shutdown()
        self.db.close()


# Connections and tables -------------------------------------------------------------------------


class Connection:
    """What waits for one client. A client that does not read is dropped, and nobody waits."""

    def __init__(self) -> None:
        self.outbox: asyncio.Queue[str] = asyncio.Queue(OUTBOX)
        self.code = GONE
        self.dropped = asyncio.Event()

    def send(self, message: Message) -> None:
        """Have a message sent; never wait for it."""
        try:
            self.outbox.put_nowait(json.dumps(message))
        except asyncio.QueueFull:
            self.drop(SLOW)

    def drop(self, code: int) -> None:
        """End the connection, with the code that says why."""
        self.code = code
        self.dropped.set()


Job = Callable[[], Awaitable[Any]]
# Whose turn it is, as a seat may know it, and what it may do itself.
Question = tuple[int | None, list[str]]
NOTHING: Question = (None, [])


class Table:
    """A table: its state, who is connected, and what has been told."""

    def __init__(self, name: str, state: State, store: Store) -> None:
        self.name = name
        self.state = state
        self.store = store
        self.inbox: asyncio.Queue[tuple[Job, asyncio.Future[Any]]] = asyncio.Queue()
        self.connections: dict[int, Connection] = {}
        self.public = state  # without an end of the hand that is yet to be told
        self.beat = 0.0  # when the next thing that all see may be told
        self.deadlines: dict[int, float] = {}
        self.words_until = 0.0
        self.untold: list[Event] = []
        self.fresh: list[Event] = []  # told since the position that who joins is shown
        self.told = self.shown = state.game
        self.numbers = [0] * state.players
        self.asked = [NOTHING] * state.players
        # Of what each seat was asked last: two questions may come with nothing told in between.
        self.question = [secrets.token_hex(4) for _ in range(state.players)]
        if state.game is not None:
            for seat in range(state.players):
                self.numbers[seat] = len(state.game.events(seat))
            self.asked = questions(state.game)

    async def do(self, job: Job) -> Any:
        """Have the table do something; it goes on even if who wanted it is gone."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.inbox.put_nowait((job, done))
        return await done

    async def run(self) -> None:
        """One thing after the other, and for absent players when their time is over."""
        if self.is_secret:  # a window that a restart has cut short: time to come back
            now = asyncio.get_running_loop().time()
            self.beat = now + max(self.state.timeout, self.state.pace)
        self.set_deadlines()
        self.tell_promises()
        while True:
            done = None
            try:
                async with asyncio.timeout(self.patience()):
                    job, done = await self.inbox.get()
            except TimeoutError:
                job = self.time_is_over
            try:
                result = await job()
                if done is not None and not done.done():
                    done.set_result(result)
                await self.tell()
            except Exception as error:
                if done is not None and not done.done():
                    done.set_exception(error)
                if done is None or not isinstance(error, ValueError):
                    log.exception("table %s", self.name)
                    await asyncio.sleep(1)  # a full disk, say: nothing is gained by haste

    async def commit(self, state: State, events: list[Event], record: str | None = None) -> None:
        """Store a new state, make it the table's, and have its events told."""
        await self.store.save(self.name, state, record)
        self.state = state
        if record is None:
            self.public = state
        self.untold += events

    # What is done ---------------------------------------------------------------------------

    async def take_seat(self, word_promise: str) -> Message:
        """Give the next seat to somebody, with its token."""
        seat = len(self.state.tokens)
        if seat == self.state.players:
            raise ValueError("all seats are taken")
        token = secrets.token_urlsafe()
        state = replace(self.state, tokens=(*self.state.tokens, hashed(token)))
        await self.commit(state.with_promise(seat, word_promise), [])
        self.tell_promises()
        return {"seat": seat, "token": token, **self.state.deal_promises()}

    async def promise_word(self, seat: int, promise: str, done: Callable[[], None]) -> None:
        """Note the promise of a seat's word; after the last one they are opened."""
        await self.commit(self.state.with_promise(seat, promise), [])
        done()
        self.tell_promises()

    async def open_word(self, seat: int, word: str, done: Callable[[], None]) -> None:
        """Note a seat's word; after the last one the hand is dealt."""
        state = self.state.with_word(seat, word)
        dealt = state.game if state.is_running else None
        await self.commit(state, [] if dealt is None else dealt.events())
        done()
        if dealt is None:
            return
        self.told = self.shown = None
        self.fresh = []
        self.numbers = [0] * state.players
        self.asked = [NOTHING] * state.players

    async def receive(self, seat: int, connection: Connection, message: Message) -> None:
        """Do what a client sent, and answer it."""
        wish = message.get("id")
        reply: Message = {"id": wish if isinstance(wish, int | str) else None}

        def done() -> None:
            connection.send({"type": "done", **reply})

        try:
            await self.do(self.job(seat, message, done))
        except ValueError as error:
            connection.send({"type": "refused", **reply, **refusal(error)})

    def job(self, seat: int, message: Message, done: Callable[[], None]) -> Job:
        """What a message asks for; ``ValueError`` where the seat knows that it cannot be.

        That is told at once: if it came later while a move is being told, it would tell whether
        somebody is asked.
        """
        do = message.get("do")
        if do in ("next", "word"):
            if self.public.is_running:
                raise ValueError("the hand is not over")
            if do == "next":
                promise = read_promise(message)
                return lambda: self.promise_word(seat, promise, done)
            word = read_word(message)
            return lambda: self.open_word(seat, word, done)
        game = self.public.game
        if game is None:
            raise ValueError("the hand has not begun")
        at = message.get("at")
        if do == "play":
            action = read_action(message)
            if not game.is_over and self.asked[seat][0] != seat:
                raise qipai.IllegalAction(NOT_ASKED)
            return lambda: self.move(lambda game: game.apply(action, seat=seat), seat, at, done)
        if do == "escape":
            game.clone().escape(seat)
            return lambda: self.move(lambda game: game.escape(seat), seat, at, done)
        raise ValueError("do must be play, escape, next or word")

    async def move(
        self,
        act: Callable[[Game], list[Event]],
        seat: int,
        at: object = None,
        done: Callable[[], None] | None = None,
    ) -> None:
        """Do something on a copy of the game and keep that."""
        # A client that missed something might mean its action for another moment.
        if at is not None and at not in (self.question[seat], self.numbers[seat]):
            raise qipai.IllegalAction(STALE)
        assert self.state.game is not None
        game = self.state.game.clone()
        events = act(game)
        state, record = self.state.with_game(game)
        await self.commit(state, events, record)
        self.deadlines.pop(seat, None)
        self.question[seat] = secrets.token_hex(4)
        if done is None:
            self.asked[seat] = (seat, [])  # whatever comes now, it is another question
        else:
            # The question is answered; whether others are still asked is not for this seat to know.
            self.asked[seat] = NOTHING
            done()

    async def time_is_over(self) -> None:
        """托管: the seat whose turn it is takes the action of an average player.

        A word that is not opened makes all promises void. The others' words are known by now: with
        one of them kept, the next deal could be chosen.
        """
        if self.state.is_opening:
            await self.commit(self.state.anew(), [])
            self.tell_promises()
            return
        assert self.state.game is not None and self.state.game.turn is not None
        await self.move(lambda game: game.apply(game.auto()), self.state.game.turn)

    # What is told ---------------------------------------------------------------------------

    async def tell(self) -> None:
        """Tell everybody what happened, and who is asked now.

        With a pace, what all see comes one by one, with the same time between whether somebody was
        asked in between or not. Who may not learn of something gets no message at all.
        """
        game = self.state.game
        if game is None or game is self.told:
            return
        while True:
            group = self.next_group()
            if self.state.pace and any(event.for_seat("table") for event in group):
                now = asyncio.get_running_loop().time()
                await asyncio.sleep(self.beat - now)
                self.beat = max(self.beat, now) + self.state.pace
            self.fresh += group
            now_asked = [NOTHING] * self.state.players if self.untold else questions(game)
            for seat in range(self.state.players):
                seen = seen_by(seat, group)
                self.numbers[seat] += len(seen)
                asked = now_asked[seat]
                if asked != self.asked[seat]:
                    self.deadlines.pop(seat, None)
                    self.question[seat] = secrets.token_hex(4)
                if seen or asked != self.asked[seat]:
                    self.send(seat, self.events_message(seat, seen, asked))
                self.asked[seat] = asked
            if not self.untold:
                break
        self.told = game
        self.public = self.state
        self.set_deadlines()
        if self.is_secret:
            return  # who joins now must see the same as where nobody is asked
        dealt = self.shown is None
        self.shown = game
        self.fresh = []
        for seat in self.connections:
            if dealt:
                self.send(seat, self.view_message(seat))
            if game.is_over:
                self.send(seat, self.result_message(game))
                self.send(seat, self.promises_message())

    def tell_promises(self) -> None:
        """Show all seats what is promised for the deal; when it is all, words are opened."""
        self.words_until = asyncio.get_running_loop().time() + self.state.word_timeout
        for seat in self.connections:
            self.send(seat, self.promises_message())

    @property
    def is_secret(self) -> bool:
        """Whether there is a pace, and who is asked now is a secret."""
        game = self.state.game
        if game is None or game.is_over or not self.state.pace:
            return False
        return game.view("table").turn is None

    def next_group(self) -> list[Event]:
        """The events to be told together; with a pace only one that all see."""
        size = len(self.untold)
        if self.state.pace:
            public = (i for i, event in enumerate(self.untold) if event.for_seat("table"))
            size = next(public, size - 1) + 1
        group, self.untold = self.untold[:size], self.untold[size:]
        return group

    def set_deadlines(self) -> None:
        """Give time to those who are asked now; who was asked before keeps what is left."""
        game = self.state.game
        pending = () if game is None else game.pending()
        now = asyncio.get_running_loop().time()
        deadline = now + self.state.timeout
        if self.is_secret:  # all must be done when the next thing may be told
            self.beat = max(self.beat, now)
            deadline = self.beat - self.state.pace / 5
        self.deadlines = {seat: self.deadlines.get(seat, deadline) for seat in pending}

    def patience(self) -> float | None:
        """Seconds until the table plays by itself."""
        now = asyncio.get_running_loop().time()
        if self.state.is_opening:
            return self.words_until - now
        game = self.state.game
        if game is None or game.turn is None:
            return None
        return self.deadlines.get(game.turn, 0.0) - now

    def join(self, seat: int, connection: Connection) -> None:
        """Connect a seat, and show it what has been told so far; the newest connection counts."""
        if seat in self.connections:
            self.connections[seat].drop(REPLACED)
        self.connections[seat] = connection
        connection.send(self.view_message(seat))
        if self.fresh:
            seen = seen_by(seat, self.fresh)
            connection.send(self.events_message(seat, seen, self.asked[seat]))
        elif self.shown is not None and self.shown.is_over:
            connection.send(self.result_message(self.shown))
        if self.shown is self.state.game and not self.state.is_running:
            connection.send(self.promises_message())

    def leave(self, seat: int, connection: Connection) -> None:
        """Forget a connection, unless a newer one has taken its place."""
        if self.connections.get(seat) is connection:
            del self.connections[seat]

    def send(self, seat: int, message: Message) -> None:
        """Send to a seat, if it is connected."""
        if seat in self.connections:
            self.connections[seat].send(message)

    def view_message(self, seat: int) -> Message:
        """What a seat gets when it joins, and after a deal."""
        view = None
        if self.shown is not None:
            view = self.shown.view(seat).as_dict()
            if self.shown is not self.state.game:  # what happened since comes next
                view |= {"turn": None, "legal_actions": []}
        return {
            "type": "view",
            "hand": self.state.hand,
            "number": 0 if view is None else len(view["history"]),
            "view": view,
            "question": None if view is None else self.question_of(seat, view["turn"]),
            "totals": self.public.totals,
        }

    def promises_message(self) -> Message:
        """What is promised for the next deal, by the server and by the seats."""
        return {"type": "promises", **self.state.deal_promises()}

    def events_message(self, seat: int, seen: list[Message], asked: Question) -> Message:
        """What a seat learns, and what it is asked now."""
        turn, legal = asked
        return {
            "type": "events",
            "number": self.numbers[seat],
            "events": seen,
            "turn": turn,
            "legal_actions": legal,
            "question": self.question_of(seat, turn),
        }

    def question_of(self, seat: int, turn: int | None) -> str | None:
        """What names the question that a seat is asked, if it is."""
        return self.question[seat] if turn == seat else None

    def result_message(self, game: Game) -> Message:
        """How the hand ended."""
        return {
            "type": "result",
            "scores": game.scores(),
            "lines": [line.as_dict() for line in game.result],
            "totals": self.state.totals,
        }


def questions(game: Game) -> list[Question]:
    """What each seat is asked: who is to act, as views tell it, and what the seat may do."""
    asked: list[Question] = [(game.view("table").turn, [])] * game.players
    for seat in game.pending():
        # Their own list is at hand for the one who comes first.
        legal = game.legal_actions() if seat == game.turn else game.view(seat).legal_actions
        asked[seat] = (seat, [str(action) for action in legal])
    return asked


def seen_by(seat: int, events: list[Event]) -> list[Message]:
    """Events as a seat learns them."""
    return [seen.as_dict() for event in events if (seen := event.for_seat(seat)) is not None]


def refusal(error: ValueError) -> Message:
    """Why something is refused."""
    if isinstance(error, qipai.IllegalAction):
        reason = error.reason
        return {name: getattr(reason, name) for name in ("code", "clause", "text", "text_zh")}
    return {"code": "unreadable", "clause": "", "text": str(error), "text_zh": "看不懂"}


# HTTP and WebSocket -----------------------------------------------------------------------------


class Server:
    """All tables of a file."""

    def __init__(self, path: str | Path) -> None:
        self.store = Store(path)
        self.states = self.store.load()
        self.tables: dict[str, Table] = {}
        self.opening: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.app = Starlette(
            routes=[
                Route("/tables/{name}", self.about),
                Route("/tables/{name}", self.create, methods=["POST"]),
                Route("/tables/{name}/seats", self.sit, methods=["POST"]),
                Route("/tables/{name}/record", self.record),
                WebSocketRoute("/tables/{name}/play", self.play),
            ],
            exception_handlers={ValueError: refused},
            lifespan=self.lifespan,
        )

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncGenerator[None]:
        """Wake all tables up, and in the end put them to bed."""
        while self.states:
            self.open(*self.states.popitem())
        yield
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.close()

    def open(self, name: str, state: State) -> None:
        """Start the task of a table."""
        self.tables[name] = Table(name, state, self.store)
        self.tasks.add(asyncio.create_task(self.tables[name].run()))

    async def create(self, request: Request) -> Response:
        """Open a table."""
        name = request.path_params["name"]
        state = State.new(await body(request))
        if not NAME.fullmatch(name):
            raise ValueError("a table's name is 1 to 40 letters, digits, - and _")
        if name in self.tables or name in self.opening:
            return answer({"error": "there is a table of this name"}, 409)
        if len(self.tables) >= MOST_TABLES:
            return answer({"error": "there are too many tables"}, 503)
        self.opening.add(name)
        try:
            await self.store.save(name, state)
        finally:
            self.opening.remove(name)
        self.open(name, state)
        return answer(about(state), 201)

    async def about(self, request: Request) -> Response:
        """What anybody may know of a table."""
        table = self.tables.get(request.path_params["name"])
        return answer(about(table.public)) if table else answer({"error": "no such table"}, 404)

    async def sit(self, request: Request) -> Response:
        """Take a seat: the token is given here and never again."""
        table = self.tables.get(request.path_params["name"])
        promise = read_promise(await body(request))
        if table is None:
            return answer({"error": "no such table"}, 404)
        if len(table.state.tokens) == table.state.players:
            return answer({"error": "all seats are taken"}, 409)
        return answer(await table.do(lambda: table.take_seat(promise)), 201)

    async def record(self, request: Request) -> Response:
        """The record of a hand, once it is over: it holds all cards."""
        name = request.path_params["name"]
        table = self.tables.get(name)
        if table is None:
            return answer({"error": "no such table"}, 404)
        hand = request.query_params.get("hand", str(table.public.hand))
        if not re.fullmatch(r"[0-9]{1,9}", hand):
            raise ValueError("hand must be the number of a hand")
        is_told = not (table.public.is_running and int(hand) == table.public.hand)
        found = await self.store.record(name, int(hand)) if is_told else None
        if found is None:
            return answer({"error": "this hand is not over"}, 409)
        return Response(found, media_type="application/json")

    async def play(self, ws: WebSocket) -> None:
        """A seat's connection; the first message is its token, so that no log of URLs has it."""
        await ws.accept()
        connection = Connection()
        table = self.tables.get(ws.path_params["name"])
        if table is None:
            connection.drop(UNKNOWN_TABLE)
        else:
            seat = await authenticated(ws, table)
            if seat is None:
                connection.drop(WRONG_TOKEN)
            else:
                await serve(ws, table, seat, connection)
        # Who is gone, or does not read, does not hear why.
        with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
            async with asyncio.timeout(1):
                await ws.close(connection.code)


class Http(H11Protocol):
    """uvicorn's, with an end: who sends or reads slowly keeps no connection for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(LASTING, self.end)

    def data_received(self, data: bytes) -> None:
        if len(data) > 4 * LONGEST:  # thousands of chunks would be taken in one go
            self.transport.abort()
        else:
            super().data_received(data)

    def end(self) -> None:
        """End the connection, unless it has become a WebSocket."""
        if self.transport.get_protocol() is self:
            self.shutdown()

    def shutdown(self) -> None:
        if not self.transport.is_closing():
            super().shutdown()
        self.loop.call_later(CLOSING, self.transport.abort)


class Socket(WebSocketsSansIOProtocol):
    """uvicorn's, for players: who floods it, or does not read, is cut off.

    Uvicorn takes all frames of a read in one go, and waits for nobody before it answers pings.
    """

    room = FRAMES  # for frames in this read
    parts = 0  # of the message that is coming

    def data_received(self, data: bytes) -> None:
        """Take what was read piece by piece."""
        self.room = FRAMES
        for start in range(0, len(data), LONGEST):
            if not self.transport.is_closing():
                super().data_received(data[start : start + LONGEST])

    def handle_events(self) -> None:
        """Handle the frames of a piece, where they are not too many."""
        self.room -= len(self.conn.events)
        for event in self.conn.events:
            if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.CONT):
                self.parts = 0 if event.fin else self.parts + 1
        waiting = self.transport.get_write_buffer_size()
        if self.room < 0 or self.parts > FRAMES or waiting > UNREAD:
            self.transport.abort()
        else:
            super().handle_events()

    # Closing waits for what was not read to be taken: not for ever.

    async def run_asgi(self) -> None:
        """Serve the connection to its end."""
        await super().run_asgi()
        self.loop.call_later(CLOSING, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """End a connection that answers no ping."""
        super().keepalive_timeout()
        self.loop.call_later(CLOSING, self.transport.abort)

    def shutdown(self) -> None:
        """End the connection, as the server ends."""
        super().shutdown()
        self.loop.call_later(CLOSING, self.transport.abort)


async def body(request: Request) -> Message:
    """The body of a request, read no further than it may be long."""
    data = b""
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > LONGEST:
                break
    except ClientDisconnect:
        raise ValueError("the body is cut off") from None
    return read_message(data)


def answer(content: Message, status: int = 200) -> JSONResponse:
    """An answer in JSON."""
    return JSONResponse(content, status)


async def refused(_: Request, error: Exception) -> Response:
    """What was asked cannot be: 400 and why."""
    # The text may repeat what was sent, which need not be valid Unicode.
    return answer({"error": str(error).encode(errors="replace").decode()}, 400)


def about(state: State) -> Message:
    """What anybody may know of a table."""
    return {
        "game": state.game_name,
        "rules": state.rules.as_dict(),
        "players": state.players,
        "seats_taken": len(state.tokens),
        "timeout": state.timeout,
        "pace": state.pace,
        "word_timeout": state.word_timeout,
        "is_running": state.is_running,
        "totals": state.totals,
        **state.deal_promises(),
    }


async def next_message(ws: WebSocket) -> Message:
    """The next message of a client; ``WebSocketDisconnect`` when it is gone."""
    event = await ws.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    return read_message(event.get("text"))


async def authenticated(ws: WebSocket, table: Table) -> int | None:
    """The seat whose token comes first; None where it is none."""
    try:
        async with asyncio.timeout(JOINING):
            token = (await next_message(ws)).get("token")
        given = hashed(token) if isinstance(token, str) else ""
    except (ValueError, TimeoutError, WebSocketDisconnect):
        return None
    same = [hmac.compare_digest(given, kept) for kept in table.state.tokens]
    return same.index(True) if any(same) else None


async def serve(ws: WebSocket, table: Table, seat: int, connection: Connection) -> None:
    """Read and write until the client is gone or dropped."""

    async def read() -> None:
        while True:
            try:
                message = await next_message(ws)
            except ValueError as error:
                connection.send({"type": "refused", "id": None, **refusal(error)})
            else:
                # One message at a time: a flood waits in its own socket.
                await table.receive(seat, connection, message)
            await asyncio.sleep(0)

    async def write() -> None:
        while True:
            await ws.send_text(await connection.outbox.get())

    table.join(seat, connection)
    tasks = [asyncio.create_task(job) for job in (read(), write(), connection.dropped.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        table.leave(seat, connection)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def main(argv: list[str] | None = None) -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser("python -m qipai.examples.server", description=main.__doc__)
    parser.add_argument("--db", required=True, help="the SQLite file; it holds all cards")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0: any that is free")
    options = parser.parse_args(argv)
    with socket.create_server((options.host, options.port)) as listener:
        host, port = listener.getsockname()[:2]
        try:
            server = Server(options.db)
        except (OSError, sqlite3.Error, ValueError) as error:
            parser.exit(1, f"{options.db}: {error}\n")
        print(f"http://{host}:{port}", flush=True)
        config = uvicorn.Config(
            server.app,
            http=Http,
            ws=Socket,
            ws_max_size=LONGEST,
            ws_per_message_deflate=False,
            log_level="warning",
            timeout_graceful_shutdown=round(2 * CLOSING),
        )
        # A client's mistake is no fault of the server's.
        logging.getLogger("uvicorn.error").addFilter(lambda line: "UTF-8" not in line.msg)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()

"""Load on the example server: many tables at once over loopback sockets.

``python benches/load_server.py [HANDS]``. The server is a process of its own with a database in a
temporary folder; the clients are in others, one connection a seat. Each plays random actions among
those it was told, and the time from sending one to its acknowledgement, which comes when the move
is on the disk, is what is measured. Every record is fetched, its proof checked, and replayed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import resource
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

import qipai
from qipai import fair

Message = dict[str, Any]
# What a seat knew before a hand: the promises, and its own word.
Known = tuple[Message, str]
# What a worker gives back: seconds of each action, hands that were checked.
Done = tuple[list[float], int]


def ask(url: str, body: object = None) -> Message:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=60) as reply:
        answer: Message = json.load(reply)
        return answer


async def play_seat(
    ws: ClientConnection, seat: Message, hands: int, times: list[float]
) -> tuple[list[list[int]], list[Known]]:
    """Play so many hands at a seat; return the scores it was told, and what it knew before."""
    chance = random.Random(seat["token"])
    word: str = seat["word"]
    sent: float | None = None
    legal: list[str] = []
    told: list[list[int]] = []
    known: list[Known] = []
    await ws.send(json.dumps({"token": seat["token"]}))
    while True:
        message: Message = json.loads(await ws.recv())
        kind = message["type"]
        if kind == "refused":  # the window was over when it came
            sent = None
        elif kind == "done":
            if sent is not None:
                times.append(time.perf_counter() - sent)
                sent = None
                legal = []
        elif kind == "result":
            told.append(message["scores"])
            if len(told) == hands:
                return told, known
            word = secrets.token_hex(16)
            promise = {"do": "next", "word_promise": fair.word_commitment(word)}
            await ws.send(json.dumps(promise))
        elif kind == "promises":
            if None not in message["word_promises"]:
                known.append((message, word))
                await ws.send(json.dumps({"do": "word", "word": word}))
        else:
            now = message["view"] if kind == "view" else message
            legal = now["legal_actions"] if now is not None else []
        # Another's answer may repeat the question while this one is on its way.
        if legal and sent is None:
            sent = time.perf_counter()
            await ws.send(json.dumps({"do": "play", "action": chance.choice(legal)}))


async def play_table(url: str, name: str, game: str, hands: int, times: list[float]) -> int:
    wish = {"game": game, "pace": 0, "timeout": 3600, "word_timeout": 3600}
    about = await asyncio.to_thread(ask, f"{url}/tables/{name}", wish)
    seats: list[Message] = []
    for _ in range(about["players"]):
        word = secrets.token_hex(16)
        promise = {"word_promise": fair.word_commitment(word)}
        given = await asyncio.to_thread(ask, f"{url}/tables/{name}/seats", promise)
        seats.append({**given, "word": word})
    address = f"ws{url.removeprefix('http')}/tables/{name}/play"
    sockets = [await connect(address, compression=None, open_timeout=60) for _ in seats]
    try:
        jobs = [play_seat(ws, s, hands, times) for ws, s in zip(sockets, seats, strict=True)]
        played = await asyncio.gather(*jobs)
    finally:
        for ws in sockets:
            await ws.close()
    told = [scores for scores, _ in played]
    for hand, scores in enumerate(told[0]):
        data = await asyncio.to_thread(ask, f"{url}/tables/{name}/record?hand={hand}")
        record = qipai.Record.from_dict(data)
        if record.proof is None:
            raise RuntimeError(f"the record of {name}, hand {hand}, has no proof")
        for seat, (_, known) in enumerate(played):
            promised, word = known[hand]
            promises = dict(enumerate(promised["word_promises"]))
            record.proof.check(
                record, promised["promise"], number=hand, words={seat: word}, promises=promises
            )
        if record.replay().scores() != scores or any(one[hand] != scores for one in told):
            raise RuntimeError(f"the record of {name}, hand {hand}, gives other scores")
    return len(told[0])


def work(job: tuple[str, list[tuple[str, str]], int]) -> Done:
    url, tables, hands = job

    async def run() -> Done:
        times: list[float] = []
        played = [play_table(url, name, game, hands, times) for name, game in tables]
        return times, sum(await asyncio.gather(*played))

    return asyncio.run(run())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hands", nargs="?", type=int, default=2000)
    parser.add_argument("--tables", type=int, default=64, help="that play at once")
    parser.add_argument("--processes", type=int, default=1, help="for the clients")
    options = parser.parse_args()
    games = qipai.games()
    each = max(1, options.hands // options.tables)
    tables = [(f"t{i}", games[i % len(games)]) for i in range(options.tables)]
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "tables.sqlite"
        server = subprocess.Popen(
            [sys.executable, "-m", "qipai.examples.server", "--db", str(db), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            share = options.processes
            jobs = [(url, tables[i::share], each) for i in range(share)]
            start = time.perf_counter()
            with multiprocessing.get_context("spawn").Pool(share) as pool:
                done = pool.map(work, jobs)
            seconds = time.perf_counter() - start
        finally:
            before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
            server.terminate()
            server.wait()
            busy = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before
            server.stdout.close()
    times = [1000 * t for part, _ in done for t in part]
    hands = sum(count for _, count in done)
    cuts = statistics.quantiles(times, n=100)
    rows = {
        "durability": "SQLite, WAL, synchronous=FULL, told after the commit",
        "tables at once": f"{len(tables)}, of {len(games)} games",
        "hands, replayed": f"{hands}",
        "actions": f"{len(times)}",
        "seconds": f"{seconds:.1f}",
        "hands/s": f"{hands / seconds:.1f}",
        "actions/s": f"{len(times) / seconds:.0f}",
        "server's CPU, an action": f"{1000 * busy / len(times):.2f} ms",
        "to acknowledgement, median": f"{cuts[49]:.1f} ms",
        "95 of 100 within": f"{cuts[94]:.1f} ms",
        "99 of 100 within": f"{cuts[98]:.1f} ms",
        "longest": f"{max(times):.1f} ms",
    }
    for name, value in rows.items():
        print(f"{name:28}{value}")


if __name__ == "__main__":
    main()

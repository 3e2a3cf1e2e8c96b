"""Whole hands on more than one machine, as tasks on a Dask or Ray cluster that is there already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any, Protocol

from qipai._core.chance import seed_bytes
from qipai._core.game import Game
from qipai.batches import Bots, Summary, play_batch, prototype_of
from qipai.extras import missing
from qipai.plain import integer, shown
from qipai.registry import restore

# Fewer hands would be less work than sending them around.
LEAST_DEALS = 1000
# How many tasks are under way for each processor, so that none waits for the next.
AHEAD = 2

Task = Callable[[int, int], Summary]  # first deal, how many


def connect(where: str, address: str | None = None) -> Any:
    """Return an engine for :func:`play_batch_on`.

    ``where``: ``"dask"`` or ``"ray"``; ``address``: of a running cluster, None for one of this
    machine's processors. ``ImportError`` where the library is not there.
    """
    if where not in ("dask", "ray"):
        raise ValueError(f"where must be 'dask' or 'ray', not {where!r}")
    library = {"dask": "distributed", "ray": "ray"}[where]
    try:
        module = import_module(library)
    except ImportError as error:
        raise missing(f"qipai.cluster on {where}", library, where) from error
    if where == "dask":
        return module.Client(address)
    module.init(address)
    return module


def play_batch_on(
    engine: Any,
    game: str | Game,
    bots: Bots,
    n: int,
    *,
    seed: int | bytes | None = None,
    duplicate: bool = False,
    first: int = 0,
    deals_per_task: int = LEAST_DEALS,
    progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Play n deals to the end on a cluster; the result is that of :func:`qipai.play_batch`.

    ``engine``: a ``distributed.Client``, or the module ``ray`` after ``ray.init``. The cluster's
    workers need qipai of the same version. Every task plays at least ``deals_per_task`` deals (1000
    or more), or all; a task whose worker is lost is done again by another, and counts once. Bots in
    Python must be picklable, and may not remember: a task done again must come out the same.
    ``progress``: called with the summary so far after every task; what it raises ends the batch.
    Other arguments and errors as for :func:`qipai.play_batch`.
    """
    n, first = integer("n", n), integer("first", first)
    deals_per_task = integer("deals_per_task", deals_per_task)
    if n < 1 or first < 0 or first + n > 1 << 63:
        raise ValueError(
            f"n must be at least 1, first at least 0 and their sum at most 2**63, "
            f"not {shown(n)} and {shown(first)}"
        )
    if deals_per_task < LEAST_DEALS:
        raise ValueError(
            f"deals_per_task must be at least {LEAST_DEALS}, not {shown(deals_per_task)}"
        )
    like = prototype_of(game)[0].snapshot()
    task = partial(_play, like, bots, seed_bytes(seed), duplicate)
    summary: Summary | None = None
    for part in _parts(_queue(engine, task), _spans(first, n, deals_per_task)):
        summary = part if summary is None else summary + part
        if progress is not None:
            progress(summary)
    assert summary is not None
    return summary


def _play(like: bytes, bots: Bots, seed: bytes, duplicate: bool, first: int, n: int) -> Summary:
    return play_batch(restore(like), bots, n, seed=seed, duplicate=duplicate, first=first)


def _spans(first: int, n: int, least: int) -> Iterator[tuple[int, int]]:
    """Yield (first deal, how many) of every task."""
    tasks = max(1, n // least)
    for i in range(tasks):
        start, stop = n * i // tasks, n * (i + 1) // tasks
        yield first + start, stop - start


class _Queue(Protocol):
    """Tasks on a cluster, by handles."""

    def processors(self) -> int: ...
    def submit(self, first: int, n: int) -> Any: ...
    def first_done(self, handles: list[Any]) -> Any: ...
    def result(self, handle: Any) -> Summary: ...
    def cancel(self, handles: list[Any]) -> None: ...


def _parts(queue: _Queue, spans: Iterator[tuple[int, int]]) -> Iterator[Summary]:
    """Yield what every task makes, in any order, each once."""
    waiting: list[Any] = []
    try:
        while True:
            room = max(1, AHEAD * queue.processors()) - len(waiting)
            waiting += [queue.submit(*span) for span in islice(spans, max(0, room))]
            if not waiting:
                return
            done = queue.first_done(waiting)
            waiting.remove(done)
            yield queue.result(done)
    finally:
        queue.cancel(waiting)


def _queue(engine: Any, task: Task) -> _Queue:
    if getattr(engine, "__name__", None) == "ray":
        return _Ray(engine, task)
    if type(engine).__module__.partition(".")[0] == "distributed":
        return _Dask(engine, task)
    raise TypeError(f"engine must be a distributed.Client or the module ray, not {engine!r}")


class _Dask:
    def __init__(self, client: Any, task: Task) -> None:
        self._client = client
        self._task = task
        self._wait: Callable[..., Any] = import_module("distributed").wait

    def processors(self) -> int:
        return sum(self._client.nthreads().values())

    def submit(self, first: int, n: int) -> Any:
        # A key of its own: deals may be asked for again, of bots that look the same.
        return self._client.submit(self._task, first, n, pure=False)

    def first_done(self, handles: list[Any]) -> Any:
        return next(iter(self._wait(handles, return_when="FIRST_COMPLETED").done))

    def result(self, handle: Any) -> Summary:
        summary: Summary = handle.result()
        return summary

    def cancel(self, handles: list[Any]) -> None:
        self._client.cancel(handles)


class _Ray:
    def __init__(self, ray: Any, task: Task) -> None:
        self._ray = ray
        self._remote = ray.remote(_call)
        self._task = ray.put(task)

    def processors(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 1))

    def submit(self, first: int, n: int) -> Any:
        return self._remote.remote(self._task, first, n)

    def first_done(self, handles: list[Any]) -> Any:
        return self._ray.wait(handles, num_returns=1)[0][0]

    def result(self, handle: Any) -> Summary:
        summary: Summary = self._ray.get(handle)
        return summary

    def cancel(self, handles: list[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle)


def _call(task: Task, first: int, n: int) -> Summary:
    return task(first, n)

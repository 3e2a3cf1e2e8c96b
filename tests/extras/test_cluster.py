"""Batches on clusters of two workers, of which one dies on the way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import qipai
from qipai.cluster import play_batch_on

# Libraries of this kind leave sockets and files to the collector when a worker has died.
pytestmark = pytest.mark.filterwarnings("default")

BOTS = ("greedy", "random")


class Cluster(SimpleNamespace):
    """An engine and the processes of its workers."""

    engine: Any
    pids: Callable[[], set[int]]


@pytest.fixture
def dask() -> Iterator[Cluster]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as local,
        distributed.Client(local) as client,
    ):
        yield Cluster(engine=client, pids=lambda: set(client.run(os.getpid).values()))


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    library = pytest.importorskip("ray")

    def pid() -> int:
        time.sleep(0.5)  # so that both workers are asked
        return os.getpid()

    library.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    asked = library.remote(pid)
    yield Cluster(engine=library, pids=lambda: set(library.get([asked.remote(), asked.remote()])))
    library.shutdown()


@pytest.fixture(params=["dask", "ray"])
def cluster(request: pytest.FixtureRequest) -> Cluster:
    return request.getfixturevalue(request.param)


def last_of(view: qipai.View, actions: list[qipai.Action]) -> qipai.Action:
    return actions[-1]


def test_batches_are_those_of_one_machine(cluster: Cluster) -> None:
    """With a worker killed in between; every task counts once."""
    before = cluster.pids()
    assert len(before) == 2
    victim = min(before)
    parts: list[qipai.Summary] = []

    def watch(summary: qipai.Summary) -> None:
        parts.append(summary)
        if len(parts) == 3:
            os.kill(victim, signal.SIGKILL)

    n = 30_000
    batch = play_batch_on(
        cluster.engine, "fangyang", BOTS, n, seed=1, duplicate=True, progress=watch
    )
    assert batch == qipai.play_batch("fangyang", BOTS, n, seed=1, duplicate=True, threads=2)
    assert [part.n for part in parts] == list(range(1000, n + 1, 1000))
    assert victim not in cluster.pids()

    # On whatever is left or has come back: cuts, first deals, house rules, bots in Python.
    for name in qipai.games():
        assert play_batch_on(cluster.engine, name, BOTS, 40, seed=2) == qipai.play_batch(
            name, BOTS, 40, seed=2
        )
    rules = qipai.shuangkou.Rules.bianfeng().replace(loops=False)
    game = qipai.shuangkou.Game(rules, seed=0)
    parts.clear()
    cut = play_batch_on(
        cluster.engine, game, "greedy", 2500, seed=3, first=7, progress=parts.append
    )
    assert cut == qipai.play_batch(game, "greedy", 2500, seed=3, first=7)
    assert [part.n for part in parts] == [1250, 2500]
    assert play_batch_on(
        cluster.engine, "jiayibing", [last_of, "greedy"], 2, seed=4
    ) == qipai.play_batch("jiayibing", [last_of, "greedy"], 2, seed=4)

    def stop(summary: qipai.Summary) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_batch_on(cluster.engine, "fangyang", "greedy", 10**9, seed=5, progress=stop)
    with pytest.raises(ValueError, match="3 bots"):
        play_batch_on(cluster.engine, "fangyang", ["greedy"] * 3, 1, seed=5)


def test_bad_batches() -> None:
    for wrong in ({"n": 0}, {"n": 1, "first": -1}, {"n": 1, "deals_per_task": 999}):
        with pytest.raises(ValueError):
            play_batch_on(None, "fangyang", "greedy", **wrong)
    with pytest.raises(ValueError, match="seed"):
        play_batch_on(None, "fangyang", "greedy", 1, seed=-1)
    with pytest.raises(ValueError, match="nonesuch"):
        play_batch_on(None, "nonesuch", "greedy", 1)
    with pytest.raises(TypeError, match="engine"):
        play_batch_on(None, "fangyang", "greedy", 1)

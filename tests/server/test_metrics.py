"""What Prometheus is told, and who may ask."""

import json
import re
from pathlib import Path

import httpx

from heckmeck.hosting.events import Field
from heckmeck.server.monitoring import Metrics
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server
from tests.server.store.postgres import Postgres

DASHBOARD = Path(__file__).parents[2] / "docs" / "deploy" / "grafana.json"


def value(text: str, name: str) -> float:
    """Return a metric; 0 if there is none yet."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def read(server: Server) -> str:
    answer = httpx.get(f"{server.url}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return answer.text


@scenario
async def test_play_is_counted(tmp_path: Path) -> None:
    with Server(tmp_path, metrics=["127.0.0.1"]) as server:
        made = await create(server.url, "junior", ["chick"], pace=0)
        async with Client(server.url, made["id"], [made["secret"]]) as ada:
            await ada.sit("Ada")
            await ada.do("start")
            await ada.play_on(3)
            assert await ada.refused("move", at=ada.n, move="return:hen") != ""
            text = read(server)
            assert value(text, "heckmeck_connections") == 1
        assert value(text, 'heckmeck_events_total{event="move"}') == 3
        assert value(text, 'heckmeck_events_total{event="created"}') == 1
        assert value(text, 'heckmeck_answer_seconds_count{do="move"}') == 3
        assert value(text, 'heckmeck_tables{status="playing"}') == 1
        assert value(text, 'heckmeck_http_seconds_count{status="201"}') == 1
        assert len(re.findall(r"^heckmeck_refusals_total\{", text, re.MULTILINE)) == 1
        assert re.findall(r'^heckmeck_waiting\{queue="(\w+)"\} 0\.0$', text, re.MULTILINE)


def test_strangers_find_nothing(tmp_path: Path) -> None:
    with Server(tmp_path / "off") as server:
        assert httpx.get(f"{server.url}/metrics").status_code == 404
    with Server(tmp_path / "on", metrics=["127.0.0.1"]) as server:
        stranger = {"X-Forwarded-For": "192.0.2.7"}  # through a proxy on this machine
        assert httpx.get(f"{server.url}/metrics", headers=stranger).status_code == 404
        assert httpx.get(f"{server.url}/metrics").status_code == 200


def test_workers_answer_for_each_other(tmp_path: Path, postgres: Postgres) -> None:
    with Server(tmp_path, postgres.fresh(), workers=2, metrics=["127.0.0.1"]) as server:
        for _ in range(20):
            httpx.get(f"{server.url}/api/bots")
        texts = [read(server) for _ in range(6)]
    counts = [value(text, 'heckmeck_http_seconds_count{status="200"}') for text in texts]
    # Every reader is counted once it is answered, so whoever answers, the count goes up by one.
    assert counts == [counts[0] + reader for reader in range(6)]
    assert counts[0] >= 20


def test_failures_are_told_apart() -> None:
    metrics = Metrics(lambda: {"bots": 3})
    fields: dict[str, Field] = {"cause": "disk full"}
    metrics.happened("store_unavailable", fields, failed=True)
    metrics.happened("store_failed", fields, failed=False)
    text = metrics.written({"over": 2}).decode()
    assert value(text, 'heckmeck_failures_total{event="store_unavailable"}') == 1
    assert value(text, 'heckmeck_events_total{event="store_failed"}') == 1
    assert value(text, 'heckmeck_waiting{queue="bots"}') == 3
    assert value(text, 'heckmeck_tables{status="over"}') == 2


def test_the_dashboard_asks_for_what_there_is() -> None:
    metrics = Metrics(lambda: {"bots": 0})
    metrics.happened("request", {"status": 200, "ms": 1.0}, failed=False)
    metrics.happened("move", {"ms": 1.0, "code": "stale"}, failed=False)
    metrics.happened("bot_failed", {}, failed=True)
    text = metrics.written({"over": 2}).decode()
    there = set(re.findall(r"^(heckmeck_\w+)", text, re.MULTILINE))
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"heckmeck_\w+", target["expr"])
    }
    assert asked
    assert asked <= there

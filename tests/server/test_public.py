"""Public tables: made so by their host, listed at once, asked for often at little cost."""

from typing import Any

import httpx

from heckmeck.server.hub import Hub
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server


@scenario
async def test_a_host_opens_and_closes_a_table_to_the_public(server: Server) -> None:
    made = await create(server.url)
    async with (
        Client(server.url, made["id"], [made["secret"]]) as ada,
        httpx.AsyncClient(base_url=server.url) as http,
    ):

        async def listed() -> dict[str, Any] | None:
            tables = (await http.get("/api/tables")).json()["tables"]
            return next((table for table in tables if table["id"] == made["id"]), None)

        assert await listed() is None
        await ada.do("options", public=True, edition="junior")
        shown = await listed()
        assert shown is not None
        assert shown["edition"] == "junior"
        await ada.do("options", public=False)
        assert await listed() is None


@scenario
async def test_a_list_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    await create(server.url, public=True)
    async with httpx.AsyncClient(base_url=server.url) as http:
        first = await http.get("/api/tables")
        again = await http.get("/api/tables", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        await create(server.url, public=True)
        changed = await http.get("/api/tables", headers={"If-None-Match": first.headers["etag"]})
        assert changed.status_code == 200


@scenario
async def test_many_visitors_ask_the_store_once() -> None:
    asked = 0

    class Counting:
        async def list_public(self, _: int) -> list[object]:
            nonlocal asked
            asked += 1
            return []

    hub = Hub(Counting(), None, None)  # type: ignore[arg-type]
    for _ in range(100):
        assert await hub.public_tables() == []
    assert asked == 1

"""Many writers at once, in one process and in several."""

from __future__ import annotations

import asyncio

from heckmeck.server.store import Conflict, NoSuchTable, Store, Summary
from heckmeck.wire.setup import Status
from tests.server.store.places import Place, commits, in_loop, new_game, texts_of

GAMES = [f"game {index}" for index in range(50)]


async def attempt(store: Store, game: str, n: int, words: list[str]) -> Conflict | None:
    """Append; return the conflict, if somebody was faster."""
    try:
        await store.append(game, n, words)
    except Conflict as conflict:
        return conflict
    return None


@in_loop
async def test_writers_at_the_same_time_share_a_commit(place: Place) -> None:
    async with place.opened() as store:
        for game in GAMES:
            await store.create(new_game(game))
        before = commits(store)
        await asyncio.gather(*(store.append(game, 1, ["roll"]) for game in GAMES))
        assert commits(store) == before + 1
        for game in GAMES:
            assert await texts_of(store, game) == ["created", "roll"]


@in_loop
async def test_writers_that_never_stop_share_commits_too(place: Place) -> None:
    async def write(game: str) -> None:
        for n in range(1, 11):
            await store.append(game, n, [str(n)])

    async with place.opened() as store:
        for game in GAMES:
            await store.create(new_game(game))
        await asyncio.gather(*map(write, GAMES))
        assert commits(store) < 10 * len(GAMES) / 5
        for game in GAMES:
            assert await texts_of(store, game) == ["created", *map(str, range(1, 11))]


@in_loop
async def test_a_conflict_in_a_batch_is_its_own_affair(place: Place) -> None:
    async with place.opened() as store:
        for game in ("fox", "hen", "owl"):
            await store.create(new_game(game))
        over = Summary(Status.OVER, "{}")
        answers = await asyncio.gather(
            store.append("fox", 1, ["roll", "=11234WWW"]),
            store.append("hen", 0, ["stale", "stale"], over),
            store.append("cat", 1, ["nowhere"]),
            store.append("owl", 5, ["too far"]),
            store.append("owl", 1, ["roll"], over),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers] == [
            tuple,
            Conflict,
            NoSuchTable,
            Conflict,
            tuple,
        ]
        assert await texts_of(store, "fox") == ["created", "roll", "=11234WWW"]
        assert await texts_of(store, "hen") == ["created"]
        assert await texts_of(store, "owl") == ["created", "roll"]
        assert await store.count() == {Status.WAITING: 2, Status.OVER: 1}


@in_loop
async def test_of_two_appends_with_one_number_the_first_wins(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        refusals = await asyncio.gather(
            *(attempt(store, "fox", 1, [f"word {index}"]) for index in range(10))
        )
        assert refusals[0] is None
        assert all(isinstance(refusal, Conflict) for refusal in refusals[1:])
        assert await texts_of(store, "fox") == ["created", "word 0"]


@in_loop
async def test_appends_to_one_game_may_follow_each_other_without_waiting(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        await asyncio.gather(*(store.append("fox", n, [str(n)]) for n in range(1, 20)))
        assert await texts_of(store, "fox") == ["created", *map(str, range(1, 20))]


@in_loop
async def test_processes_that_race_for_the_same_games_lose_cleanly(place: Place) -> None:
    """Every number is won by exactly one, whole; the loser reads on and tries the next."""
    games = GAMES[:6]
    won: dict[str, list[str]] = {game: [] for game in games}

    async def play(store: Store, who: str, game: str) -> None:
        n = 1
        for move in range(12):
            words = [f"{who}{move}.{part}" for part in range(1 + move % 3)]
            while await attempt(store, game, n, words):
                n = 1 + (await store.entries(game, -1))[-1].n
            won[game] += words
            n += len(words)

    async with place.opened() as ada, place.opened() as ben, place.opened() as cleo:
        for game in games:
            await ada.create(new_game(game))
        await asyncio.gather(
            *(
                play(store, who, game)
                for store, who in ((ada, "a"), (ben, "b"), (cleo, "c"))
                for game in games
            )
        )
        for game in games:
            written = (await texts_of(ben, game))[1:]
            assert sorted(written) == sorted(won[game])
            together = [word for word in written if word.endswith((".1", ".2"))]
            for word in together:
                move, _, part = word.rpartition(".")
                assert written[written.index(word) - 1] == f"{move}.{int(part) - 1}"


@in_loop
async def test_one_of_many_who_create_the_same_game_succeeds(place: Place) -> None:
    async with place.opened() as ada, place.opened() as ben:
        answers = await asyncio.gather(
            *(
                store.create(new_game("fox", [f"by {index}"]))
                for index, store in enumerate([ada, ben] * 4)
            ),
            return_exceptions=True,
        )
        winners = [
            index for index, answer in enumerate(answers) if not isinstance(answer, Exception)
        ]
        assert len(winners) == 1
        assert await texts_of(ada, "fox") == [f"by {winners[0]}"]


@in_loop
async def test_closing_writes_what_waits(place: Place) -> None:
    async with place.opened() as store:
        for game in GAMES:
            await store.create(new_game(game))
        under_way = [
            asyncio.create_task(attempt(store, game, n, [str(n)])) for game in GAMES for n in (1, 2)
        ]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*under_way) == [None] * len(under_way)
    async with place.opened() as store:
        for game in GAMES:
            assert await texts_of(store, game) == ["created", "1", "2"]


@in_loop
async def test_who_stops_waiting_takes_nothing_back(place: Place) -> None:
    """A connection may end while its move is on the way to disk; the move counts."""
    async with place.opened() as store:
        for game in ("fox", "hen"):
            await store.create(new_game(game))
        gone = asyncio.create_task(store.append("fox", 1, ["roll"]))
        stays = asyncio.create_task(store.append("hen", 1, ["roll"]))
        await asyncio.sleep(0)
        gone.cancel()
        await stays
        assert await texts_of(store, "fox") == ["created", "roll"]

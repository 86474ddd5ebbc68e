"""Random commands, valid and not, from several people: whatever they do, the table is what its steps say."""

from __future__ import annotations

import asyncio
import json
import random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from server.tables import Client, Game, everything, rules, text_of
from stationmaster.match.fair import text_commitment
from stationmaster.server import hall
from stationmaster.server.refusal import Refusal
from stationmaster.server.told import welcome

WHO = st.integers(0, 4)  # three who sit, one who comes and goes, one who looks on
SEAT = st.integers(0, 4)
LEVEL = st.sampled_from(["porter", "passenger", None, "nobody"])
COMMANDS = st.one_of(
    st.fixed_dictionaries({"sit": st.fixed_dictionaries({"name": st.sampled_from(["Eva", "Ann", " "]), "seat": SEAT})}),
    st.fixed_dictionaries({"sit": st.just({"name": "Finn"})}),
    *(st.just({verb: True}) for verb in ("leave", "back", "start", "next")),
    st.fixed_dictionaries({"name": st.sampled_from(["Gus", "Ida", "", "Ben"])}),
    st.fixed_dictionaries({"takeback": st.sampled_from(["ask", "agree", "agree", "refuse"])}),
    *(st.fixed_dictionaries({verb: st.booleans()}) for verb in ("lock", "hints", "pause")),
    *(st.fixed_dictionaries({verb: st.fixed_dictionaries({"seat": SEAT, "level": LEVEL})}) for verb in ("bot", "hold")),
    *(st.fixed_dictionaries({verb: SEAT}) for verb in ("remove", "host")),
    st.fixed_dictionaries({"mute": st.fixed_dictionaries({"seat": SEAT, "on": st.booleans()})}),
    st.fixed_dictionaries({"say": st.sampled_from(["hello", ""])}),
    st.fixed_dictionaries({"ask": st.sampled_from(["hint", "line-up", "view"])}),
    st.fixed_dictionaries({"play": st.sampled_from(["draw", "pass", "stop", "0-1@0", "castle"])}),
)
NEW_HOLDER = "eva"
SMALL = rules("tactic", highest=4, deal={3: 4}, rounds=5)


class Play(RuleBasedStateMachine):
    """A table of three, with a clock, and what may happen at it."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        rng = random.Random(0)  # the same deals whenever an example is run
        known = SimpleNamespace(
            token_hex=lambda size: rng.randbytes(size).hex(),
            token_urlsafe=lambda size: rng.randbytes(size).hex(),
            choice=rng.choice,
        )
        self.patch = patch.object(hall, "secrets", known)
        self.patch.start()
        self.looked: dict[Client, tuple[int, int]] = {}  # how many frames, and the last version
        self.ids: list[tuple[Client, str, dict[str, Any]]] = []

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    @initialize(
        bots=st.integers(0, 1),
        start=st.sampled_from([True, True, False]),
        clock=st.sampled_from([None, 20]),
        watchers=st.booleans(),
    )
    def lay(self, bots: int, start: bool, clock: int | None, watchers: bool) -> None:
        self.game = game = self.run(Game.lay(3 - bots, bots, clock=clock, watchers=watchers, rulebook=SMALL))
        for name in ("cleo", NEW_HOLDER, None)[2 - len(game.people) if watchers else 3 :]:
            game.people.append(self.run(Client(game, name, str(name)).open()))
        if start:
            self.run(game.start())

    def client(self, who: int) -> Client:
        assume(self.game.people)  # somebody is still there
        return self.game.people[who % len(self.game.people)]

    def say(self, client: Client, **command: Any) -> dict[str, Any]:
        answer = self.run(client(**command))
        if "version" in answer and "error" not in answer and answer.get("id"):
            self.ids.append((client, client.id, answer))
        return dict(answer)

    @rule(who=WHO, command=COMMANDS, seat=st.none() | SEAT, late=st.integers(0, 3))
    def command(self, who: int, command: dict[str, Any], seat: int | None, late: int) -> None:
        client = self.client(who)
        told = {one: len(one.raw) for one in self.game.people}
        steps = len(self.game.steps)
        answer = self.say(client, version=max(0, self.game.live.version - late), seat=seat, **command)
        if "error" in answer:
            assert len(self.game.steps) == steps
            assert all(len(one.raw) == told[one] for one in self.game.people if one is not client)

    @rule(command=COMMANDS)
    def command_of_the_host(self, command: dict[str, Any]) -> None:
        for client in self.game.people:
            if client.holder is not None and client.holder == self.game.table.host:
                self.say(client, seat=next(iter(client.line.seats), None), **command)

    @rule(answer=st.sampled_from(["agree", "refuse"]), who=WHO)
    def take_back(self, answer: str, who: int) -> None:
        """Somebody who has moved asks, and everybody says something."""
        asker = self.client(who)
        for seat in asker.line.seats:
            self.say(asker, takeback="ask", seat=seat)
        for client in self.game.people:
            for seat in client.line.seats:
                self.say(client, takeback=answer, seat=seat)

    @rule(choice=st.integers(0, 1000))
    def play_to_the_end_of_the_round(self, choice: int) -> None:
        self.play_on(25, choice)

    @rule(count=st.integers(1, 5), choice=st.integers(0, 1000))
    def play_on(self, count: int, choice: int) -> None:
        """As people mostly do: whoever's turn it is plays, whoever is asked for a text gives it."""
        game = self.game
        for _ in range(count):
            table = game.table
            if table.paused is not None or table.closed:
                return
            if table.stage == "deal":
                self.give_texts()
                if game.table.stage == "deal":
                    self.run(game.wait(3000))
            elif table.stage == "between":
                for client in game.people:
                    for seat in client.line.seats:
                        self.say(client, next=True, seat=seat)
                return
            elif table.turn is not None:
                moves = game.legal()
                if table.seats[table.turn].bot is not None:
                    self.run(game.wait())
                else:
                    holder = table.seats[table.turn].holder
                    client = next((one for one in game.people if one.holder == holder), None)
                    if client is None:
                        return
                    answer = self.say(client, play=moves[choice % len(moves)], seat=table.turn)
                    assert "events" in answer, answer

    def give_texts(self) -> None:
        for verb in ("promise", "text"):
            for client in self.game.people:
                for seat in client.line.seats:
                    text = text_of(client, seat)
                    self.say(client, **{verb: text if verb == "text" else text_commitment(text)}, seat=seat)

    @rule(ms=st.sampled_from([0, 1000, 3000, 20_000]))
    def wait(self, ms: int) -> None:
        self.run(self.game.wait(ms))

    @rule(who=WHO, resume=st.booleans())
    def reconnect(self, who: int, resume: bool) -> None:
        client, game = self.client(who), self.game
        self.run(client.close())
        version = client.version
        try:
            line = self.run(
                game.hall.open_line(
                    game.id, client.holder, after=version if resume else None, language="en", send=client.raw.append
                )
            )
        except Refusal:
            assert not game.table.created.watchers
            game.people.remove(client)
        else:
            client.line = line

    @rule(which=st.integers(0, 1000))
    def say_again(self, which: int) -> None:
        if self.ids:
            client, id, answer = self.ids[which % len(self.ids)]
            if client.line.open and client.holder is not None:
                steps = len(self.game.steps)
                assert self.run(client(id=id, play="pass")) == {"ok": id, "version": answer["version"]}
                assert len(self.game.steps) == steps

    @rule()
    def leaves_memory(self) -> None:
        """As on a node that was restarted: everybody comes back."""
        game = self.game
        for client in game.people:
            self.run(client.close())
        del game.hall.live[game.id]
        self.run(game.hall.table(game.id))
        for client in list(game.people):
            try:
                client.line = self.run(
                    game.hall.open_line(
                        game.id, client.holder, after=client.version, language="en", send=client.raw.append
                    )
                )
            except Refusal:
                game.people.remove(client)

    # ---- What always holds -----------------------------------------------------------------------

    @invariant()
    def the_table_is_what_its_steps_say(self) -> None:
        game = self.game
        rebuilt = self.run(game.rebuilt())
        assert everything(rebuilt) == everything(game.table)
        assert [step.version for step in game.steps] == list(range(1, game.table.version + 1))
        row = game.store.stored_rows[game.id]
        assert row.due == game.table.due()
        assert set(row.holders) == set(game.table.holders)
        assert row.over == (game.table.stage == "over" or game.table.closed)

    @invariant()
    def everybody_was_told_everything_once_and_in_order(self) -> None:
        table = self.game.table
        for client in self.game.people:
            looked, last = self.looked.get(client, (0, 0))
            for frame in map(json.loads, client.raw[looked:]):
                if "events" in frame:
                    came_back = "welcome" in frame and not table.created.watchers  # and sat down again
                    assert frame["version"] == last + 1 or not last or (came_back and frame["version"] > last)
                    last = frame["version"]
                elif "welcome" in frame:
                    assert frame["version"] >= last
                    last = frame["version"]
            if client.line.seats or table.created.watchers:
                assert last == table.version
            self.looked[client] = len(client.raw), last

    @invariant()
    def who_resumes_gets_the_same_bytes(self) -> None:
        game, live = self.game, self.game.live
        for client in game.people[:2]:
            seats = client.line.seats
            if not (seats or game.table.created.watchers) or any(game.table.seats[seat].held for seat in seats):
                continue  # cannot come, or would be back
            plain = [frame for frame in client.raw[-9:] if b'"events":' in frame[:400] and b'"welcome":' not in frame]
            steps = [json.loads(frame) for frame in plain]
            wanted: list[bytes] = []
            for frame, step in zip(reversed(plain), reversed(steps), strict=True):
                if step["version"] != game.table.version - len(wanted):
                    break
                id = b',"id":' + json.dumps(step["id"]).encode() + b"}" if "id" in step else None
                wanted.insert(0, frame[: -len(id)] + b"}" if id is not None else frame)
            wanted = wanted[-3:]
            kept = list(live.told)
            for remembered in (True, False):
                if not remembered:
                    live.told.clear()
                got: list[bytes] = []
                line = self.run(
                    game.hall.open_line(
                        game.id, client.holder, after=game.table.version - len(wanted), language="en", send=got.append
                    )
                )
                assert got[: len(wanted)] == wanted
                assert json.loads(got[len(wanted)])["resumed"] == game.table.version
                self.run(line.close())
            live.told.extend(kept)

    @invariant()
    def a_new_line_sees_the_table_as_it_is(self) -> None:
        game = self.game
        for client in game.people:
            if client.line.seats:
                live, line = game.live, client.line
                assert live.welcome(line) == welcome(game.table, line.seats, live.all_said(), live.seats_present())

    def teardown(self) -> None:
        self.patch.stop()
        if hasattr(self, "game"):
            table = self.game.table
            if table.match is not None and table.match.outcomes():
                for holder in table.holders.keys() - table.removed:
                    self.run(self.game.hall.record(self.game.id, holder)).replay()
        self.loop.close()


TestPlay = Play.TestCase
TestPlay.settings = settings(
    max_examples=40, stateful_step_count=40, suppress_health_check=list(HealthCheck), deadline=None
)


@pytest.mark.long
def test_play_for_longer() -> None:
    run_state_machine_as_test(Play, settings=settings(TestPlay.settings, max_examples=500, stateful_step_count=80))

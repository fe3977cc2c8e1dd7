"""Game records: the notation, records in JSON and text, replay, states and events as JSON.

>>> from heckmeck import record
>>> game = record.read_record(b'''
... heckmeck: 1
... edition: classic
... seats: Ada, Ben
...
... roll =11234WWW keep:W roll =12455 keep:5 stop
... ''')
>>> record.state_to_json(record.final_state(game))["table"]["stacks"]
[[25], []]
"""

from heckmeck.record.errors import BadRecord, BadState, TooManyMoves
from heckmeck.record.event_json import event_name, event_to_json
from heckmeck.record.files import MAX_BYTES, read_record, write_json, write_text
from heckmeck.record.games import split_games
from heckmeck.record.history import History
from heckmeck.record.json_text import BadJson, JsonObject, JsonValue
from heckmeck.record.moments import moments
from heckmeck.record.record import MAX_MOVES, Record, Step, final_state, replay
from heckmeck.record.record_json import record_from_json, record_to_json
from heckmeck.record.state_json import STATE_KEYS, state_to_json
from heckmeck.record.state_reading import state_from_json
from heckmeck.record.tagged_json import ending_to_json, name_of

__all__ = [
    "MAX_BYTES",
    "MAX_MOVES",
    "STATE_KEYS",
    "BadJson",
    "BadRecord",
    "BadState",
    "History",
    "JsonObject",
    "JsonValue",
    "Record",
    "Step",
    "TooManyMoves",
    "ending_to_json",
    "event_name",
    "event_to_json",
    "final_state",
    "moments",
    "name_of",
    "read_record",
    "record_from_json",
    "record_to_json",
    "replay",
    "split_games",
    "state_from_json",
    "state_to_json",
    "write_json",
    "write_text",
]

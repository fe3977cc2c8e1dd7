"""Game records: the notation, records and positions as text and JSON, replay, events as JSON.

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

from heckmeck.record.draft import (
    BadPosition,
    Draft,
    Flaw,
    PlayerDraft,
    decision_at,
    draft_of,
    state_of,
)
from heckmeck.record.forms import (
    MAX_BYTES,
    moments,
    read_and_replay,
    read_record,
    record_from_json,
    record_to_json,
    split_games,
    write_json,
    write_text,
)
from heckmeck.record.json_text import BadJson, JsonObject, JsonValue
from heckmeck.record.position_text import (
    read_draft,
    read_position,
    write_draft,
    write_position,
)
from heckmeck.record.record import (
    MAX_MOVES,
    BadRecord,
    History,
    Record,
    Step,
    TooManyMoves,
    final_state,
    record_from,
    replay,
)
from heckmeck.record.state_json import (
    STATE_KEYS,
    HouseOptions,
    StateInfo,
    TableFacts,
    ending_to_json,
    event_name,
    event_to_json,
    name_of,
    state_info,
    state_to_json,
    table_facts,
)
from heckmeck.record.state_reading import BadState, state_from_json

__all__ = [
    "MAX_BYTES",
    "MAX_MOVES",
    "STATE_KEYS",
    "BadJson",
    "BadPosition",
    "BadRecord",
    "BadState",
    "Draft",
    "Flaw",
    "History",
    "HouseOptions",
    "JsonObject",
    "JsonValue",
    "PlayerDraft",
    "Record",
    "StateInfo",
    "Step",
    "TableFacts",
    "TooManyMoves",
    "decision_at",
    "draft_of",
    "ending_to_json",
    "event_name",
    "event_to_json",
    "final_state",
    "moments",
    "name_of",
    "read_and_replay",
    "read_draft",
    "read_position",
    "read_record",
    "record_from",
    "record_from_json",
    "record_to_json",
    "replay",
    "split_games",
    "state_from_json",
    "state_info",
    "state_of",
    "state_to_json",
    "table_facts",
    "write_draft",
    "write_json",
    "write_position",
    "write_text",
]

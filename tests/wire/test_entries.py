"""Entries of logs that older servers wrote."""

import pytest

from heckmeck.wire import entries as a

OLD = {
    '{"do":"promised_words","seat":1,"promise":"ab"}': a.PromisedSalt(1, "ab"),
    '{"do":"added_words","seat":1,"words":"lucky"}': a.ShownSalt(1, "lucky"),
    '{"do":"started","first":0,"drawn":true,"words":["","lucky"],"promises":["","ab"]}': (
        a.Started(0, drawn=True, salts=("", "lucky"), promises=("", "ab"))
    ),
    '{"do":"started","first":1,"drawn":false,"words":["",""]}': (
        a.Started(1, drawn=False, salts=("", ""))
    ),
}


@pytest.mark.parametrize(("text", "entry"), OLD.items(), ids=lambda part: str(part)[:24])
def test_what_was_called_words_is_salt(text: str, entry: a.AnyEntry) -> None:
    assert a.read(text) == entry
    assert a.read(a.write(entry)) == entry


@pytest.mark.parametrize(
    "text",
    [
        '{"do":"added_words","seat":1}',
        '{"do":"started","first":0,"drawn":true,"words":7}',
        '{"do":"danced","seat":1}',
        '{"do":',
    ],
)
def test_what_no_server_wrote_is_refused(text: str) -> None:
    with pytest.raises(a.BadEntry, match="is not an entry"):
        a.read(text)

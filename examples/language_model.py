"""A language model as a player: it reads the table as text and answers with a word.

    export LLM_URL=http://localhost:11434/v1/chat/completions LLM_MODEL=qwen3
    heckmeck play --players me,py:examples.language_model:LanguageModel
    heckmeck arena --bots py:examples.language_model:LanguageModel,chick --games 10 --workers 1

Any server will do that speaks the usual protocol for chats (most do, also those on your own
machine); LLM_KEY is sent if it is set. No package is needed.
"""

import json
import os
import re
import sys
from collections.abc import Callable
from urllib.request import Request, urlopen

from heckmeck.envs.pictures import as_text
from heckmeck.rules import AnyState, game_at, legal, word

RULES = """You play Heckmeck (Pickomino), edition {edition}, as player P{seat}. Roll eight dice with
1 2 3 4 5 and W (a worm, worth 5 points). After each roll keep all dice of one face that you have
not kept yet. Then roll the rest or stop. Stop with at least one worm and enough points for a tile
on the grill, or with exactly the number of the top tile of another player's stack, which you
steal. If you cannot keep anything, or stop with nothing, you lose your top tile. Who has the most
worms at the end wins.

The table:
{table}

Answer with exactly one of the legal words, and nothing else: {legal}"""
TRIES = 3


def ask(prompt: str) -> str:
    """Send a prompt to the server in LLM_URL and return what the model says."""
    question = {
        "model": os.environ.get("LLM_MODEL", "default"),
        "messages": [{"role": "user", "content": prompt}],
        "temperature": 0,
    }
    headers = {"Content-Type": "application/json"}
    if "LLM_KEY" in os.environ:
        headers["Authorization"] = f"Bearer {os.environ['LLM_KEY']}"
    request = Request(os.environ["LLM_URL"], json.dumps(question).encode(), headers)
    with urlopen(request, timeout=60) as answer:
        said: str = json.load(answer)["choices"][0]["message"]["content"]
        return said


class LanguageModel:
    """Asks a language model for every decision."""

    def __init__(self, complete: Callable[[str], str] = ask) -> None:
        """Use ``complete``, which takes a prompt and returns a text."""
        self._complete = complete
        self.failures = 0

    def choose(self, state: AnyState) -> str:
        """Return the word the model names; the first legal one if it names none in three tries."""
        words = sorted(map(word, legal(state)))
        prompt = RULES.format(
            edition=game_at(state.table).edition,
            seat=state.seat,
            table=as_text(state),
            legal=" ".join(words),
        )
        for _ in range(TRIES):
            said = self._complete(prompt)
            found = word_in(said, words)
            if found is not None:
                return found
            prompt += f"\n\nYou answered {said[-80:]!r}, which is not one of them. Try again."
        self.failures += 1
        print(f"no legal word in {TRIES} answers; playing {words[0]}", file=sys.stderr)
        return words[0]


def word_in(said: str, words: list[str]) -> str | None:
    """Return the last of the words in an answer: models think aloud before they decide.

    >>> word_in("I could roll, but I'd rather stop.", ["roll", "stop"])
    'stop'
    """
    any_word = "|".join(re.escape(each) for each in sorted(words, key=len, reverse=True))
    found = re.findall(rf"(?<![\w:])(?:{any_word})(?![\w:])", said)
    return found[-1] if found else None

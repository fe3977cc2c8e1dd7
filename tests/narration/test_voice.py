"""The reader is *you*: never called by name, in any event, as whoever they are in it."""

import re
from typing import NamedTuple

import pytest

from heckmeck.narration import Narrator, languages
from heckmeck.rules import Event, Specialist
from heckmeck.rules import events as e
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.outcome import DecidedBy, EndReason
from tests.narration.every_event import SEATS, every_event, outcome

NAMES = ("Ada", "Ben", "Cleo")
#: Names that are no part of any word.
ODD_NAMES = ("Qvx", "Wqj", "Zxk")


@pytest.mark.parametrize("language", languages())
def test_the_reader_is_never_called_by_name(language: str) -> None:
    """As whoever acts, as whoever something is taken from, and among others."""
    by_name = Narrator(ODD_NAMES, language)
    readers = [Narrator(ODD_NAMES, language, you) for you in SEATS]
    for event in every_event():
        told = by_name.event(event)
        for you, reader in enumerate(readers):
            assert_told_to(ODD_NAMES[you], reader.event(event), told)


def assert_told_to(name: str, sentence: str, by_name: str) -> None:
    """The reader called ``name`` is told what others are told about them, and no name is lost."""
    if name not in by_name:
        assert sentence == by_name
        return
    assert name not in sentence, sentence
    assert names_in(sentence) == names_in(by_name) - {name}, sentence
    assert sentence.endswith("."), sentence
    assert sentence[0].isupper() or sentence[0].isdigit(), sentence
    assert not set("{}<>_") & set(sentence), sentence


def names_in(sentence: str) -> set[str]:
    return set(re.findall("|".join(ODD_NAMES), sentence))


@pytest.mark.parametrize("language", languages())
def test_the_reader_starts(language: str) -> None:
    assert ODD_NAMES[1] not in Narrator(ODD_NAMES, language, 1).start(1)
    assert Narrator(ODD_NAMES, language, 1).start(0) == Narrator(ODD_NAMES, language).start(0)


class Told(NamedTuple):
    """One event as the player on seat ``you`` reads it; French with plain spaces before colons."""

    you: int
    event: Event
    en: str
    de: str
    fr: str
    it: str
    nl: str
    es: str


SENTENCES = [
    Told(
        1,
        e.TurnStarted(1),
        "It is your turn.",
        "Du bist am Zug.",
        "C’est ton tour.",
        "Tocca a te.",
        "Jij bent aan de beurt.",
        "Te toca.",
    ),
    Told(
        0,
        e.DiceCast(0, 8, golden=True),
        "You roll 8 dice and the golden die.",
        "Du würfelst mit 8 Würfeln und dem Goldenen Würfel.",
        "Tu lances 8 dés et le Dé doré.",
        "Lanci 8 dadi e il dado d’oro.",
        "Je gooit 8 dobbelstenen en de gouden dobbelsteen.",
        "Tiras 8 dados y el dado dorado.",
    ),
    Told(
        0,
        e.DiceFell(0, "1145", None),
        "You roll 1 1 4 5.",
        "Du würfelst 1 1 4 5.",
        "Tu lances les dés : 1 1 4 5.",
        "Lanci i dadi: 1 1 4 5.",
        "Je gooit 1 1 4 5.",
        "Sacas 1 1 4 5.",
    ),
    Told(
        0,
        e.DiceKept(0, "5", 1, False, 5, 7),
        "You keep one 5: 5.",
        "Du legst eine 5 beiseite: 5.",
        "Tu mets de côté un 5 : 5.",
        "Accantoni un 5: 5.",
        "Je legt één 5 opzij: 5.",
        "Apartas un 5: 5.",
    ),
    Told(
        0,
        e.WeaselUsed(0),
        "The weasel lies down: you roll the same dice again.",
        "Das Wiesel legt sich hin: Du würfelst noch einmal mit denselben Würfeln.",
        "La Belette se couche : tu relances les mêmes dés.",
        "La donnola si corica: rilanci gli stessi dadi.",
        "De wezel gaat liggen: je gooit dezelfde dobbelstenen opnieuw.",
        "La comadreja se tumba: vuelves a tirar los mismos dados.",
    ),
    Told(
        0,
        e.TurnEnded(0, 25, stopped=False),
        "Your turn ends with 25.",
        "Dein Zug endet mit 25.",
        "Ton tour se termine à 25.",
        "Il tuo turno finisce con 25.",
        "Je beurt eindigt met 25.",
        "Tu turno acaba con 25.",
    ),
    Told(
        0,
        e.AttemptFailed(0, WhyNothing.DEAD_THROW),
        "Your attempt has failed.",
        "Das ist ein Fehlwurf für dich.",
        "Lancer nul pour toi.",
        "Lancio sballato per te.",
        "Een mislukte worp voor jou.",
        "Tu tirada es fallida.",
    ),
    Told(
        0,
        e.MissedOut(0, WhyNothing.TOO_LOW),
        "Too low to take anything: you miss out.",
        "Dafür ist nichts zu haben: Du gehst leer aus.",
        "Il n’y a rien à prendre pour ce total : tu repars bredouille.",
        "Con questo totale non c’è niente da prendere: resti a bocca asciutta.",
        "Te laag om iets te pakken: je krijgt niets.",
        "Demasiado bajo para tomar algo: te quedas sin nada.",
    ),
    # --- between two
    Told(
        0,
        e.TileStolen(0, 2, 25, 2),
        "You steal 25 (2 worms) from Cleo.",
        "Du stiehlst Cleo die 25 (2 Würmer).",
        "Tu piques le Pickomino 25 (2 vers) à Cleo.",
        "Rubi la porzione 25 (2 vermi) a Cleo.",
        "Je steelt de 25 (2 wormen) van Cleo.",
        "Le robas la 25 (2 gusanos) a Cleo.",
    ),
    Told(
        2,
        e.TileStolen(0, 2, 25, 2),
        "Ada steals 25 (2 worms) from you.",
        "Ada stiehlt dir die 25 (2 Würmer).",
        "Ada te pique le Pickomino 25 (2 vers).",
        "Ada ti ruba la porzione 25 (2 vermi).",
        "Ada steelt de 25 (2 wormen) van jou.",
        "Ada te roba la 25 (2 gusanos).",
    ),
    Told(
        1,
        e.TileStolen(0, 1, 7, 2),
        "Ada pinches 7 (2 worms) from you.",
        "Ada stibitzt dir die 7 (2 Würmer).",
        "Ada te pique le Pickomino 7 (2 vers).",
        "Ada ti soffia la porzione 7 (2 vermi).",
        "Ada pikt de 7 (2 wormen) van jou.",
        "Ada te birla la 7 (2 gusanos).",
    ),
    Told(
        2,
        e.TileStolen(0, 1, 25, 2),
        "Ada steals 25 (2 worms) from Ben.",
        "Ada stiehlt Ben die 25 (2 Würmer).",
        "Ada pique le Pickomino 25 (2 vers) à Ben.",
        "Ada ruba la porzione 25 (2 vermi) a Ben.",
        "Ada steelt de 25 (2 wormen) van Ben.",
        "Ada le roba la 25 (2 gusanos) a Ben.",
    ),
    Told(
        1,
        e.SpecialistStolen(0, 1, Specialist.RAVEN),
        "Ada receives the raven from you.",
        "Ada bekommt den Raben von dir.",
        "Ada te prend le Corbeau.",
        "Ada riceve il corvo da te.",
        "Ada krijgt de raaf van jou.",
        "Ada te quita el cuervo.",
    ),
    Told(
        1,
        e.BratwormRobbed(0, 1),
        "Ada takes a Bratworm from you.",
        "Ada nimmt dir einen Rostbratwurm weg.",
        "Ada te prend un ver grillé.",
        "Ada ti prende un vermarrosto.",
        "Ada pakt een braadworm van jou.",
        "Ada te quita un gusano frito.",
    ),
    Told(
        1,
        e.BratwormRobbed(1, 0),
        "You take a Bratworm from Ada.",
        "Du nimmst Ada einen Rostbratwurm weg.",
        "Tu prends un ver grillé à Ada.",
        "Prendi un vermarrosto ad Ada.",
        "Je pakt een braadworm van Ada.",
        "Le quitas un gusano frito a Ada.",
    ),
    Told(
        1,
        e.PlateReplaced(0, 1, 24, 1),
        "Ada replaces your plate on 24 and takes 1 worm.",
        "Ada ersetzt deinen Teller auf Grillplatz 24 und nimmt 1 Wurm.",
        "Ada remplace ton assiette sur l’emplacement 24 et prend 1 ver.",
        "Ada sostituisce il tuo piatto sulla casella 24 e prende 1 verme.",
        "Ada vervangt jouw bord op plek 24 en neemt 1 worm.",
        "Ada sustituye tu plato en la casilla 24 y se lleva 1 gusano.",
    ),
    Told(
        0,
        e.TileGuarded(0, 26, 1),
        "The sitting hen guards your 26.",
        "Die Glucke bewacht deine 26.",
        "La Mère poule veille : tu gardes le Pickomino 26.",
        "La chioccia fa la guardia alla tua porzione 26.",
        "De kloek bewaakt jouw 26.",
        "La gallina guarda tu 26.",
    ),
    # --- among others
    Told(
        2,
        e.PinchAsked(0, 7, (1, 2)),
        "Ada chooses whom to pinch 7 from: you and Ben.",
        "Ada stibitzt die 7 und wählt zwischen dir und Ben.",
        "Ada choisit à qui piquer le Pickomino 7, entre toi et Ben.",
        "Ada sceglie a chi soffiare la porzione 7, tra te e Ben.",
        "Ada pikt de 7 en kiest wie hem kwijtraakt: jij en Ben.",
        "Ada birla la 7 y elige entre tú y Ben.",
    ),
    Told(
        0,
        e.RobAsked(0, (1, 2)),
        "The supply is empty. You choose whom to rob: Ben and Cleo.",
        "Der Vorrat ist leer. Du holst dir den Rostbratwurm woanders und wählst zwischen Ben und "
        "Cleo.",
        "La réserve est vide. Tu choisis à qui prendre un ver grillé, entre Ben et Cleo.",
        "La riserva è vuota. Scegli a chi prendere un vermarrosto, tra Ben e Cleo.",
        "De voorraad is leeg. Je kiest wie een braadworm kwijtraakt: Ben en Cleo.",
        "La reserva está vacía. Eliges a quién quitarle un gusano frito, entre Ben y Cleo.",
    ),
    # --- the end
    Told(
        1,
        e.GameEnded(outcome((1, 4, 0), ((1,), (0,), (2,)))),
        "No tile is left face up: the game is over. Ada: 1 worm, You: 4 worms, Cleo: 0 worms. "
        "You win.",
        "Keine Bratwurmportion liegt mehr offen: Das Spiel ist aus. "
        "Ada: 1 Wurm, Du: 4 Würmer, Cleo: 0 Würmer. Du gewinnst.",
        "Plus aucun Pickomino n’est visible sur la brochette : la partie est finie. "
        "Ada : 1 ver, Toi : 4 vers, Cleo : 0 ver. Tu gagnes.",
        "Nella grigliata non restano porzioni a faccia in su: la partita è finita. "
        "Ada: 1 verme, Tu: 4 vermi, Cleo: 0 vermi. Vinci tu.",
        "Er ligt geen tegel meer open: het spel is uit. Ada: 1 worm, Jij: 4 wormen, Cleo: "
        "0 wormen. Jij wint.",
        "No queda ninguna ración boca arriba: fin de la partida. Ada: 1 gusano, Tú: 4 "
        "gusanos, Cleo: 0 gusanos. Ganas tú.",
    ),
    Told(
        1,
        e.GameEnded(outcome((9, 9, 9), ((0, 1, 2),), EndReason.NO_SNAIL_LEFT, DecidedBy.SHARED)),
        "No grill snail is left to take: the game is over. "
        "Ada: 9 worms, You: 9 worms, Cleo: 9 worms. You, Ada and Cleo share the win.",
        "Es ist keine Grillschnecke mehr zu holen: Das Spiel ist aus. "
        "Ada: 9 Würmer, Du: 9 Würmer, Cleo: 9 Würmer. Du, Ada und Cleo teilt euch den Sieg.",
        "Il n’y a plus d’escargot grillé à prendre : la partie est finie. "
        "Ada : 9 vers, Toi : 9 vers, Cleo : 9 vers. Toi, Ada et Cleo, vous vous partagez la "
        "victoire.",
        "Non ci sono più lumache alla griglia da prendere: la partita è finita. "
        "Ada: 9 vermi, Tu: 9 vermi, Cleo: 9 vermi. Tu, Ada e Cleo vi dividete la vittoria.",
        "Er is geen grillslak meer te pakken: het spel is uit. Ada: 9 wormen, Jij: 9 "
        "wormen, Cleo: 9 wormen. Jij, Ada en Cleo delen de winst.",
        "No quedan caracoles que tomar: fin de la partida. Ada: 9 gusanos, Tú: 9 gusanos, "
        "Cleo: 9 gusanos. Tú, Ada y Cleo compartís la victoria.",
    ),
]


@pytest.mark.parametrize("told", SENTENCES, ids=lambda told: type(told.event).__name__)
def test_an_event_reads(told: Told) -> None:
    assert Narrator(NAMES, "en", told.you).event(told.event) == told.en
    assert Narrator(NAMES, "de", told.you).event(told.event) == told.de
    french = Narrator(NAMES, "fr", told.you).event(told.event)
    assert french.replace("\u00a0:", " :") == told.fr
    assert Narrator(NAMES, "it", told.you).event(told.event) == told.it
    assert Narrator(NAMES, "nl", told.you).event(told.event) == told.nl
    assert Narrator(NAMES, "es", told.you).event(told.event) == told.es

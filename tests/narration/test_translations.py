"""Events in every language but English, word for word."""

from typing import NamedTuple

import pytest

from heckmeck.narration import Narrator
from heckmeck.rules import Event, Specialist
from heckmeck.rules import events as e
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.outcome import DecidedBy, EndReason
from tests.narration.every_event import outcome

NAMES = ("Ada", "Ben", "Cleo")


class Told(NamedTuple):
    """One event in all languages; French with plain spaces before its colons."""

    event: Event
    de: str
    fr: str
    it: str
    nl: str
    es: str


SENTENCES = [
    Told(
        e.TurnStarted(1),
        "Die Würfel gehen an Ben.",
        "Les dés passent à Ben.",
        "I dadi passano a Ben.",
        "De dobbelstenen gaan naar Ben.",
        "Los dados pasan a Ben.",
    ),
    # --- dice
    Told(
        e.DiceCast(0, 8, golden=True),
        "Ada würfelt mit 8 Würfeln und dem Goldenen Würfel.",
        "Ada lance 8 dés et le Dé doré.",
        "Ada lancia 8 dadi e il dado d’oro.",
        "Ada gooit 8 dobbelstenen en de gouden dobbelsteen.",
        "Ada tira 8 dados y el dado dorado.",
    ),
    Told(
        e.DiceCast(0, 1, golden=False),
        "Ada würfelt mit einem Würfel.",
        "Ada lance un dé.",
        "Ada lancia un dado.",
        "Ada gooit één dobbelsteen.",
        "Ada tira un dado.",
    ),
    Told(
        e.DiceFell(0, "1134W", None),
        "Ada würfelt 1 1 3 4 Wurm.",
        "Ada lance les dés : 1 1 3 4 ver.",
        "Ada lancia i dadi: 1 1 3 4 verme.",
        "Ada gooit 1 1 3 4 worm.",
        "Ada saca 1 1 3 4 gusano.",
    ),
    Told(
        e.DiceFell(0, "WBCGK", None),
        "Ada würfelt Wurm Brötchen Käse Gurke Ketchup.",
        "Ada lance les dés : ver pain fromage cornichon ketchup.",
        "Ada lancia i dadi: verme panino formaggio cetriolo ketchup.",
        "Ada gooit worm broodje kaas augurk ketchup.",
        "Ada saca gusano pan queso pepinillo kétchup.",
    ),
    Told(
        e.DiceFell(0, "34", "W"),
        "Ada würfelt 3 4; der Goldene Würfel zeigt Wurm.",
        "Ada lance les dés : 3 4. Le Dé doré donne : ver.",
        "Ada lancia i dadi: 3 4. Il dado d’oro mostra: verme.",
        "Ada gooit 3 4; de gouden dobbelsteen toont worm.",
        "Ada saca 3 4; el dado dorado muestra gusano.",
    ),
    Told(
        e.DiceKept(1, "W", 2, False, 10, 6),
        "Ben legt zwei Würmer beiseite: 10.",
        "Ben met de côté deux vers : 10.",
        "Ben accantona due vermi: 10.",
        "Ben legt twee wormen opzij: 10.",
        "Ben aparta dos gusanos: 10.",
    ),
    Told(
        e.DiceKept(1, "W", 1, False, 5, 7),
        "Ben legt einen Wurm beiseite: 5.",
        "Ben met de côté un ver : 5.",
        "Ben accantona un verme: 5.",
        "Ben legt één worm opzij: 5.",
        "Ben aparta un gusano: 5.",
    ),
    Told(
        e.DiceKept(0, "4", 3, False, 12, 5),
        "Ada legt drei 4er beiseite: 12.",
        "Ada met de côté trois 4 : 12.",
        "Ada accantona tre 4: 12.",
        "Ada legt drie vieren opzij: 12.",
        "Ada aparta tres cuatros: 12.",
    ),
    Told(
        e.DiceKept(0, "6", 1, False, 6, 7),
        "Ada legt eine 6 beiseite: 6.",
        "Ada met de côté un 6 : 6.",
        "Ada accantona un 6: 6.",
        "Ada legt één 6 opzij: 6.",
        "Ada aparta un 6: 6.",
    ),
    Told(
        e.DiceKept(0, "B", 1, False, 2, 5),
        "Ada legt ein Brötchen beiseite: 2.",
        "Ada met de côté un pain : 2.",
        "Ada accantona un panino: 2.",
        "Ada legt één broodje opzij: 2.",
        "Ada aparta un pan: 2.",
    ),
    Told(
        e.DiceKept(0, "G", 5, False, 5, 1),
        "Ada legt fünf Gurken beiseite: 5.",
        "Ada met de côté cinq cornichons : 5.",
        "Ada accantona cinque cetrioli: 5.",
        "Ada legt vijf augurken opzij: 5.",
        "Ada aparta cinco pepinillos: 5.",
    ),
    Told(
        e.TurnEnded(0, 25, stopped=True),
        "Ada hört bei 25 auf.",
        "Ada s’arrête à 25.",
        "Ada si ferma a 25.",
        "Ada stopt bij 25.",
        "Ada se planta con 25.",
    ),
    Told(
        e.TurnEnded(0, 25, stopped=False),
        "Der Zug von Ada endet mit 25.",
        "Le tour se termine : 25 pour Ada.",
        "Il turno di Ada finisce con 25.",
        "De beurt van Ada eindigt met 25.",
        "El turno de Ada acaba con 25.",
    ),
    # --- what brings nothing
    Told(
        e.AttemptFailed(0, WhyNothing.DEAD_THROW),
        "Das ist ein Fehlwurf für Ada.",
        "Lancer nul pour Ada.",
        "Lancio sballato per Ada.",
        "Een mislukte worp voor Ada.",
        "Tirada fallida de Ada.",
    ),
    Told(
        e.AttemptFailed(0, WhyNothing.NO_WORM),
        "Ada hat keinen Wurm: ein Fehlwurf.",
        "Ada n’a pas de ver : lancer nul.",
        "Ada non ha vermi: lancio sballato.",
        "Ada heeft geen worm: een mislukte worp.",
        "Ada no tiene ningún gusano: tirada fallida.",
    ),
    Told(
        e.MissedOut(1, WhyNothing.NO_WORM),
        "Ben hat keinen Wurm und geht leer aus.",
        "Ben n’a pas de ver et repart bredouille.",
        "Ben non ha vermi e resta a bocca asciutta.",
        "Ben heeft geen worm en krijgt niets.",
        "Ben no tiene ningún gusano y se queda sin nada.",
    ),
    # --- tiles
    Told(
        e.TileTaken(0, 25, 2, 25),
        "Ada nimmt die 25 (2 Würmer).",
        "Ada prend le Pickomino 25 (2 vers).",
        "Ada prende la porzione 25 (2 vermi).",
        "Ada pakt de 25 (2 wormen).",
        "Ada toma la 25 (2 gusanos).",
    ),
    Told(
        e.TileTaken(0, 24, 1, 27),
        "Eine 27 ist nicht zu haben: Ada nimmt die 24 (1 Wurm).",
        "Pas de Pickomino 27 à prendre : Ada prend le 24 (1 ver).",
        "Non c’è una porzione 27 da prendere: Ada prende la 24 (1 verme).",
        "Er is geen 27 te pakken: Ada pakt de 24 (1 worm).",
        "No hay ninguna 27 que tomar: Ada toma la 24 (1 gusano).",
    ),
    Told(
        e.TileStolen(0, 2, 33, 4),
        "Ada stiehlt Cleo die 33 (4 Würmer).",
        "Ada pique le Pickomino 33 (4 vers) à Cleo.",
        "Ada ruba la porzione 33 (4 vermi) a Cleo.",
        "Ada steelt de 33 (4 wormen) van Cleo.",
        "Ada le roba la 33 (4 gusanos) a Cleo.",
    ),
    Told(
        e.TileStolen(1, 0, 7, 2),
        "Ben stibitzt Ada die 7 (2 Würmer).",
        "Ben pique le Pickomino 7 (2 vers) à Ada.",
        "Ben soffia la porzione 7 (2 vermi) ad Ada.",
        "Ben pikt de 7 (2 wormen) van Ada.",
        "Ben le birla la 7 (2 gusanos) a Ada.",
    ),
    Told(
        e.TileReturned(1, 21),
        "Ben legt die 21 zurück auf den Bratwurmgrill.",
        "Ben remet le Pickomino 21 sur la brochette.",
        "Ben rimette la porzione 21 nella grigliata.",
        "Ben legt de 21 terug op de grill.",
        "Ben devuelve la 21 a la parrilla.",
    ),
    Told(
        e.TileTurned(36),
        "Die 36 wird umgedreht.",
        "Le Pickomino 36 est retourné face cachée.",
        "La porzione 36 viene girata a faccia in giù.",
        "De 36 wordt omgedraaid.",
        "La 36 se pone boca abajo.",
    ),
    Told(
        e.PinchAsked(0, 7, (1, 2)),
        "Ada stibitzt die 7 und wählt zwischen Ben und Cleo.",
        "Ada choisit à qui piquer le Pickomino 7, entre Ben et Cleo.",
        "Ada sceglie a chi soffiare la porzione 7, tra Ben e Cleo.",
        "Ada pikt de 7 en kiest wie hem kwijtraakt: Ben en Cleo.",
        "Ada birla la 7 y elige entre Ben y Cleo.",
    ),
    # --- Specialists and Bratworms
    Told(
        e.SpecialistTaken(0, Specialist.GOLDEN, 27),
        "Ada bekommt den Goldenen Würfel.",
        "Ada reçoit le Dé doré.",
        "Ada riceve il dado d’oro.",
        "Ada krijgt de gouden dobbelsteen.",
        "Ada recibe el dado dorado.",
    ),
    Told(
        e.SpecialistStolen(0, 1, Specialist.APPLE),
        "Ada bekommt den Apfel von Ben.",
        "Ada prend la Pomme à Ben.",
        "Ada riceve la mela da Ben.",
        "Ada krijgt de appel van Ben.",
        "Ada le quita la manzana a Ben.",
    ),
    Told(
        e.ReturnAsked(0, Specialist.HEN, Specialist.CANNED),
        "Ada hat die Glucke und den Dosenwurm und muss einen der beiden Spezialisten "
        "zurückstellen.",
        "Ada a la Mère poule et le Ver en boîte, et doit reposer un des deux spécialistes.",
        "Ada ha la chioccia e il verme in scatola, e deve rimettere nella grigliata uno dei due "
        "specialisti.",
        "Ada heeft de kloek en de blikworm en moet een van beide terugzetten.",
        "Ada tiene la gallina y el gusano en lata, y debe devolver uno de los dos especialistas.",
    ),
    Told(
        e.SpecialistReturned(0, Specialist.GOLDEN, 22),
        "Der Goldene Würfel geht von Ada zurück auf die 22.",
        "Le Dé doré quitte Ada et retourne sur le Pickomino 22.",
        "Il dado d’oro lascia Ada e torna sulla porzione 22.",
        "De gouden dobbelsteen gaat van Ada terug naar de 22.",
        "El dado dorado deja a Ada y vuelve a la 22.",
    ),
    Told(
        e.SpecialistMoved(Specialist.RAVEN, 23, 22),
        "Der Rabe zieht von der 23 auf die 22.",
        "Le Corbeau passe du Pickomino 23 au Pickomino 22.",
        "Il corvo passa dalla porzione 23 alla porzione 22.",
        "De raaf gaat van de 23 naar de 22.",
        "El cuervo pasa de la 23 a la 22.",
    ),
    Told(
        e.SpecialistMoved(Specialist.WEASEL, 25, None),
        "Das Wiesel findet keine freie Bratwurmportion und verlässt das Spiel.",
        "La Belette ne trouve aucun Pickomino libre et quitte la partie.",
        "La donnola non trova porzioni libere ed esce dal gioco.",
        "De wezel vindt geen vrije tegel en verlaat het spel.",
        "La comadreja no encuentra ninguna ración libre y sale del juego.",
    ),
    Told(
        e.TileGuarded(0, 26, 1),
        "Die Glucke bewacht die 26 von Ada.",
        "La Mère poule veille : Ada garde le Pickomino 26.",
        "La chioccia fa la guardia alla porzione 26 di Ada.",
        "De kloek bewaakt de 26 van Ada.",
        "La gallina guarda la 26 de Ada.",
    ),
    Told(
        e.BratwormTaken(0, 6),
        "Ada nimmt einen Rostbratwurm aus dem Vorrat (noch 6).",
        "Ada prend un ver grillé dans la réserve (il en reste 6).",
        "Ada prende un vermarrosto dalla riserva (rimasti: 6).",
        "Ada pakt een braadworm uit de voorraad (nog 6).",
        "Ada toma un gusano frito de la reserva (quedan 6).",
    ),
    # --- the board
    Told(
        e.PlateReplaced(0, 1, 24, 1),
        "Ada ersetzt den Teller von Ben auf Grillplatz 24 und nimmt 1 Wurm.",
        "Ada remplace l’assiette posée par Ben sur l’emplacement 24 et prend 1 ver.",
        "Ada sostituisce il piatto di Ben sulla casella 24 e prende 1 verme.",
        "Ada vervangt het bord van Ben op plek 24 en neemt 1 worm.",
        "Ada sustituye el plato de Ben en la casilla 24 y se lleva 1 gusano.",
    ),
    Told(
        e.SpotClosed(0, 36, 4),
        "Ada sichert Grillplatz 36 mit einem zweiten Teller (4 Würmer).",
        "Ada ferme l’emplacement 36 avec une deuxième assiette (4 vers).",
        "Ada chiude la casella 36 con un secondo piatto (4 vermi).",
        "Ada sluit plek 36 met een tweede bord (4 wormen).",
        "Ada cierra la casilla 36 con un segundo plato (4 gusanos).",
    ),
    Told(
        e.SnailPlaced(36, 11),
        "Eine Grillschnecke kommt auf Grillplatz 36 (noch 11 im Vorrat).",
        "Un escargot grillé arrive sur l’emplacement 36 (il en reste 11 dans la réserve).",
        "Una lumaca alla griglia va sulla casella 36 (rimaste nella riserva: 11).",
        "Er komt een grillslak op plek 36 (nog 11 in de voorraad).",
        "Un caracol va a la casilla 36 (quedan 11 en la reserva).",
    ),
    # --- the end
    Told(
        e.GameEnded(outcome((1, 4, 0), ((1,), (0,), (2,)))),
        "Keine Bratwurmportion liegt mehr offen: Das Spiel ist aus. "
        "Ada: 1 Wurm, Ben: 4 Würmer, Cleo: 0 Würmer. Ben gewinnt.",
        "Plus aucun Pickomino n’est visible sur la brochette : la partie est finie. "
        "Ada : 1 ver, Ben : 4 vers, Cleo : 0 ver. Ben gagne.",
        "Nella grigliata non restano porzioni a faccia in su: la partita è finita. "
        "Ada: 1 verme, Ben: 4 vermi, Cleo: 0 vermi. Ben vince.",
        "Er ligt geen tegel meer open: het spel is uit. Ada: 1 worm, Ben: 4 wormen, Cleo: "
        "0 wormen. Ben wint.",
        "No queda ninguna ración boca arriba: fin de la partida. Ada: 1 gusano, Ben: 4 "
        "gusanos, Cleo: 0 gusanos. Gana Ben.",
    ),
    Told(
        e.GameEnded(
            outcome((9, 9, 9), ((0, 1, 2),), EndReason.NO_SNAIL_LEFT, DecidedBy.SHARED),
        ),
        "Es ist keine Grillschnecke mehr zu holen: Das Spiel ist aus. "
        "Ada: 9 Würmer, Ben: 9 Würmer, Cleo: 9 Würmer. Ada, Ben und Cleo teilen sich den Sieg.",
        "Il n’y a plus d’escargot grillé à prendre : la partie est finie. "
        "Ada : 9 vers, Ben : 9 vers, Cleo : 9 vers. Ada, Ben et Cleo se partagent la victoire.",
        "Non ci sono più lumache alla griglia da prendere: la partita è finita. "
        "Ada: 9 vermi, Ben: 9 vermi, Cleo: 9 vermi. Ada, Ben e Cleo si dividono la vittoria.",
        "Er is geen grillslak meer te pakken: het spel is uit. Ada: 9 wormen, Ben: 9 "
        "wormen, Cleo: 9 wormen. Ada, Ben en Cleo delen de winst.",
        "No quedan caracoles que tomar: fin de la partida. Ada: 9 gusanos, Ben: 9 "
        "gusanos, Cleo: 9 gusanos. Ada, Ben y Cleo comparten la victoria.",
    ),
]


@pytest.mark.parametrize("told", SENTENCES, ids=lambda told: type(told.event).__name__)
def test_an_event_reads(told: Told) -> None:
    assert Narrator(NAMES, "de").event(told.event) == told.de
    assert Narrator(NAMES, "fr").event(told.event).replace("\u00a0:", " :") == told.fr
    assert Narrator(NAMES, "it").event(told.event) == told.it
    assert Narrator(NAMES, "nl").event(told.event) == told.nl
    assert Narrator(NAMES, "es").event(told.event) == told.es


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "Ada beginnt."),
        ("fr", "Ada commence."),
        ("nl", "Ada begint."),
        ("es", "Empieza Ada."),
        ("it", "Ada inizia."),
    ],
)
def test_who_starts_is_told(language: str, told: str) -> None:
    assert Narrator(NAMES, language).start(0) == told


@pytest.mark.parametrize(
    ("specialist", "whom", "who"),
    [
        (Specialist.APPLE, "den Apfel", "Der Apfel"),
        (Specialist.CANNED, "den Dosenwurm", "Der Dosenwurm"),
        (Specialist.GOLDEN, "den Goldenen Würfel", "Der Goldene Würfel"),
        (Specialist.HEN, "die Glucke", "Die Glucke"),
        (Specialist.RAVEN, "den Raben", "Der Rabe"),
        (Specialist.WEASEL, "das Wiesel", "Das Wiesel"),
    ],
)
def test_german_bends_its_specialists(specialist: Specialist, whom: str, who: str) -> None:
    tell = Narrator(NAMES, "de")
    assert tell.event(e.SpecialistTaken(0, specialist, 21)) == f"Ada bekommt {whom}."
    returned = tell.event(e.SpecialistReturned(0, specialist, 21))
    assert returned == f"{who} geht von Ada zurück auf die 21."

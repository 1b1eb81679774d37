"""The text of a root node that nobody has looked at is that which its properties would be written as."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import games
import pytest

import wei7core
from wei7core import BLACK, Game
from wei7core.game.conversion.plain_records import root_as_read

PLAIN = b"(;GM[1]FF[3]SZ[9]PB[a\\]b]PW[\\\\]KM[6.5]RE[B+R]TM[60]XX[1][2]C1[z];B[aa];W[bb];B[cc])"
TEXTS = {
    "plain": PLAIN,
    "nothing": b"(;)",
    "a move in the root": b"(;SZ[9]PB[a]B[aa];W[bb])",
    "setup": b"(;SZ[9]PB[a]AB[aa][bb];W[cc])",
    "a comment": b"(;SZ[9]C[;B[aa\\]]PB[a];B[cc])",
    "marks": b"(;SZ[9]TR[aa]LB[bb:x];B[cc])",
    "long names": b"(;SZ[9]PlayerBlack[a]GaMe[1];B[cc])",
    "information later": b"(;SZ[9];B[cc];W[dd]PB[x])",
    "an encoding": "(;CA[GBK]SZ[9]PB[古力];B[cc])".encode("gbk"),
    "variations": b"(;SZ[9]PB[a](;B[aa];W[bb])(;B[cc]))",
    "another size": b"(;SZ[9:7]PB[a];B[cc])",
    "an error": b"(;SZ[9]KM[x]PB[a];B[cc];W[zz];B[dd])",
    "a property twice": b"(;SZ[9]PB[a]PB[b];B[cc])",
}


def add_branch(game: Game) -> None:
    game.root.add_variation([(BLACK, (4, 4))])


def cut(game: Game) -> None:
    game.root.truncate()


def comment(game: Game) -> None:
    game.root.comment = "said"


def rename(game: Game) -> None:
    game.set("PB", "other")


def komi(game: Game) -> None:
    game.info = wei7core.Info() if hasattr(wei7core, "Info") else type(game.info)()


def widen(game: Game) -> None:
    game.size = (13, 13)


EDITS: list[Callable[[Game], None]] = [add_branch, cut, comment, rename, komi, widen]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.filterwarnings("ignore::wei7core.LossWarning")
def test_edited_games_are_written_as_if_their_roots_were_read(name: str, edit: Callable[[Game], None]) -> None:
    written = []
    for looks in (False, True):
        game = wei7core.loads(TEXTS[name], strict=False)
        if looks:
            assert game.document.properties is not None and game.document.info is not None
            assert root_as_read(game.document) is None
        edit(game)
        try:
            written.append(wei7core.dumps(game, format="sgf"))
        except ValueError as error:
            written.append(str(error).encode())
    assert written[0] == written[1]


def test_the_root_of_a_plain_game_is_not_read() -> None:
    game = wei7core.loads(PLAIN.replace(b"C1[z]", b""))
    cursor = game.cursor()
    cursor.forward(1)
    cursor.node.add_variation([None])
    root = root_as_read(game.document)
    assert root is not None and root.startswith(b";")
    assert wei7core.dumps(game, format="sgf").startswith(b"(" + root)
    assert game.document.record_of_root is not None
    for copied in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert wei7core.dumps(copied, format="sgf") == wei7core.dumps(game, format="sgf")
    assert game.document.info.rules is not None
    assert game.document.record_of_root is None


def test_games_of_the_corpus() -> None:
    for text in games.sgf_texts()[:100]:
        written = []
        for looks in (False, True):
            game = wei7core.loads(text)
            if looks:
                game.document.properties  # noqa: B018 - it is read
            game.cursor().node.add_variation([None])
            written.append(wei7core.dumps(game, format="sgf"))
        assert written[0] == written[1]

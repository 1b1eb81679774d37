"""Information about the game in another node than the root: one before all variations counts (FF[4], game-info)."""

import pytest

import wei7core as w7

INFO = "PB[a]PW[b]RE[B+R]KM[6.5]"


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        (f"(;SZ[19];{INFO};B[aa])", ["node-dropped"]),
        (f"(;SZ[19];B[aa]{INFO};W[bb])", []),
        (f"(;SZ[19];B[aa];W[bb]{INFO}(;B[cc])(;B[dd]))", []),
        (f"(;SZ[19]{INFO};B[aa])", []),
    ],
)
def test_the_only_node_with_it_counts(text, dropped):
    game = w7.loads(text)
    assert (game.info.black_name, game.info.white_name, game.info.rules.komi) == ("a", "b", 6.5)
    assert str(game.result) == "B+R"
    losses = []
    again = w7.convert(game, "wei7", losses=losses)
    assert [loss.code for loss in losses] == dropped
    assert (again.info.black_name, again.info.result.winner) == ("a", 1)
    assert all(step.comment is None for branch in again.tree.walk() for step in branch.steps)
    written = w7.dumps(game, format="sgf")
    assert written.count(b"PB[a]") == 1
    assert w7.loads(written).info == game.info
    game.info.participants[0].name = "c"
    assert w7.loads(w7.dumps(game, format="sgf")).info.black_name == "c"


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[19];B[aa]PB[a](;W[bb]PB[b]))",
        "(;SZ[19];B[aa](;W[bb]PB[a])(;W[cc]PB[b]))",
        "(;SZ[19];B[aa](;W[bb]PB[a])(;W[cc]))",
        "(;SZ[19]PW[w];B[aa]PB[a])",
    ],
)
def test_where_several_nodes_have_it_or_not_every_line_has_it_it_stays(text):
    game = w7.loads(text)
    assert game.info.black_name is None
    assert w7.dumps(game, format="sgf").count(b"PB[") == text.count("PB[")


@pytest.mark.parametrize(
    "text", ["(;SZ[19];%s;B[aa])", "(;SZ[19];B[aa]%s;W[bb])", "(;SZ[19];B[aa];W[bb]%s(;B[cc])(;B[dd]))"]
)
@pytest.mark.parametrize("format", ["sgf", "wei7", "wei7-2.2", "giseong"])
def test_what_has_no_member_of_its_own_is_kept_as_at_the_root(text, format):
    rest = "DT[1996-12-27,28]OT[5x30]TM[60]HA[2]EV[cup]RO[3]BT[t]ON[o]AN[x]GC[long]"
    game, of_root = w7.loads(text % rest), w7.loads(text.replace("SZ[19]", "SZ[19]" + rest) % "")
    assert game.properties == of_root.properties
    assert game.root.facts == of_root.root.facts
    losses, of_root_losses = [], []
    written = w7.dumps(game, format=format, losses=losses)
    assert written == w7.dumps(of_root, format=format, losses=of_root_losses)
    assert losses == of_root_losses

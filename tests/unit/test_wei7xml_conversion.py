"""wei7 2.x and the other formats: every line of the mapping, and the loss that goes with it."""

import json

import pytest
from helpers.cases import in_groups
from samples.wei7xml_texts import EXAMPLES, NAMES, canonical, example, xml

import wei7core as w7
from wei7core.game.conversion.from_wei7xml import utc_time
from wei7core.game.conversion.report import LOSS_CODES, LossReport
from wei7core.record.document import Edit, MarkAction, Message, Note, Step, Stone, Takeback, Unreadable

STONE = '<black x="0" y="0"/>'


def reported(losses):
    return [f"{loss.code} {loss.path}" for loss in losses]


def to_wei7(text, format="wei7"):
    """The record as objects of wei7 3.0, and what was lost."""
    losses = []
    data = w7.dumps(w7.loads(text), format=format, losses=losses, validate=True)
    return json.loads(data), reported(losses)


def from_wei7(tree, losses, *, size=19, info=None, revision=7):
    """A record of wei7 3.0 as a game of 2.x."""
    obj = {"format": "wei7", "version": "3.0", "size": size, "tree": tree} | ({"info": info} if info else {})
    found = []
    game = w7.loads(w7.dumps(w7.from_obj(obj, revision=revision), format="wei7-2.2", losses=found, validate=True))
    assert reported(found) == losses
    return game


def move(color, x, y, **more):
    point = None if x is None else {"x": x, "y": y}
    evaluation = {key: more.pop(key) for key in ("evaluation", "problem") if key in more}
    return {"action": {"type": "move", "value": {"color": color, "point": point, **evaluation}}, **more}


# --- 2.x -> 3.0 --------------------------------------------------------------------


def test_a_record_without_its_steps_is_written():
    game = w7.convert(w7.loads(b"(;SZ[9];B[ac];W[aa](;B[bb])(;B[cc];W[cd]))"), "wei7-2.2", losses=[])
    game.root.next.delete()
    lost = []
    written = w7.dumps(game, format="wei7-2.2", losses=lost)
    assert written.split()[-4:] == [b"<pre", b"/>", b"</moves>", b"</wei7>"]
    assert [loss.code for loss in lost] == ["pre-added"]


def test_the_simple_example_is_that_of_the_specification():
    obj, losses = to_wei7(example("simple"))
    tree = obj["tree"]
    assert (tree["title"], len(tree["pre"]["stones"]), len(tree["steps"])) == ("handicap title", 3, 1)
    (problem,) = tree["branches"]
    assert problem["pre"] == {"problem": {"color": 1}}
    assert "steps" not in problem
    main, first, second = problem["branches"]
    points = [step["action"]["value"]["point"] for step in main["steps"]]
    assert points == [{"x": 17, "y": 8}, None, None]
    assert [mark["symbol"] for mark in main["steps"][0]["marks"]] == ["#", "#"]
    assert [step["action"]["value"]["evaluation"] for step in main["steps"]] == ["bad", "good", "good"]
    assert first == {"steps": [move(1, 17, 8, evaluation="good")]}
    assert second == {"pre": {"comment": "second variation"}, "steps": [move(1, 16, 9, evaluation="good")]}
    assert losses == [
        "problem-moved -;0",
        "normal-as-good 1;0",
        "symbol-replaced 0;0",
        "symbol-replaced 0;0",
        "splitter-dropped 0;0",
        "normal-as-good 0;1",
        "normal-as-good 0;2",
    ]


def test_revision_2_holds_the_content_of_the_simple_example():
    obj, losses = to_wei7(example("simple"), "wei7-rev2")
    assert losses == ["splitter-dropped 0;0"]
    assert obj["tree"]["steps"][0]["action"]["value"]["problem"] == {"color": 1}
    assert obj["tree"]["branches"][0]["steps"][0]["marks"][0]["symbol"] == "*"


@pytest.mark.parametrize("name", ["tutorial", "lg-cup"])
def test_the_other_examples_lose_nothing(name):
    assert to_wei7(example(name))[1] == []


def test_the_tutorial_is_the_one_of_wei7():
    obj, _ = to_wei7(example("tutorial"))
    path = EXAMPLES.parent / "examples" / "rev2" / "tutorial.wei7"
    other = json.loads(path.read_bytes())
    ours, theirs = (one["tree"]["branches"][0] for one in (obj, other))
    assert ours.pop("pre") == {}
    # The documents are printed with other punctuation and other spaces.
    for branch in (ours, theirs):
        branch["title"] = branch["title"].replace(" ", "")
        for below in branch["branches"]:
            below["title"] = below["title"].replace(" ", "")
            assert below["pre"].pop("comment")
            below["pre"]["stones"].sort(key=repr)
    assert ours == theirs


def test_info():
    obj, _ = to_wei7(example("simple"))
    assert obj["info"] == {
        "domain": "wei7",
        "id": "3827112",
        "name": "the game between you and me",
        "rules": {"scoring": "area", "komi": 7.5, "type": "Chinese"},
        "time": "2011-09-05T18:35:19.5822023Z",
        "participants": [
            {"domain": "qq", "id": "123456789", "name": "me"},
            {"domain": "qq", "id": "987654321", "name": "you"},
        ],
        "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}],
        "result": {"winner": 2, "margin": 2.5},
    }


def info_of(game):
    obj, losses = to_wei7(xml("<pre/>", game=f"<game>{game}</game>"))
    return obj.get("info"), losses


def test_players_of_one_colour():
    info, _ = info_of('<white name="b" title="9p" rank="9d"/>')
    assert info["participants"] == [{"name": "b", "title": "9p", "rank": "9d"}]
    assert info["players"] == [{"participant": 0, "color": 2}]
    info, _ = info_of('<white name="b"/><black name="a"/>')
    assert [one["name"] for one in info["participants"]] == ["a", "b"]


def test_no_komi_is_a_komi_of_0_where_there_are_rules():
    assert info_of('<rules scoring="area"/>') == ({"rules": {"scoring": "area", "komi": 0}}, [])
    assert info_of("<result winner='neither'/>") == ({"result": {"winner": None}}, [])


@in_groups(
    ("time", "expected", "losses"),
    [
        ("2009-02-23T16:00:00+08:00", "2009-02-23T08:00Z", []),
        ("2009-02-23T16:00:01Z", "2009-02-23T16:00:01Z", []),
        ("2009-02-23T16:00:00.50Z", "2009-02-23T16:00:00.5Z", []),
        ("2009-02-23T16:00:00.000Z", "2009-02-23T16:00Z", []),
        ("2009-02-23T16:00:00.1234567891Z", "2009-02-23T16:00:00.123456789Z", ["time-rounded"]),
        ("2009-02-23T16:00:00", "2009-02-23T16:00Z", ["time-zone-assumed"]),
        ("2009-12-31T24:00:00Z", "2010-01-01T00:00Z", []),
        ("2009-01-01T00:30:00+01:00", "2008-12-31T23:30Z", []),
        ("2008-02-28T23:30:00-01:00", "2008-02-29T00:30Z", []),
        ("0001-01-01T00:00:00+01:00", "0000-12-31T23:00Z", []),
        ("9999-12-31T24:00:00Z", None, ["date-dropped"]),
        ("12009-02-23T16:00:00Z", None, ["date-dropped"]),
        ("-0044-03-15T12:00:00Z", None, ["date-dropped"]),
    ],
)
def test_times(time, expected, losses):
    found = LossReport()
    assert utc_time(time, found) == expected
    assert [loss.code for loss in found.losses()] == losses
    info, reported_losses = info_of(f"<time>{time}</time>")
    assert ((info or {}).get("time"), reported_losses) == (expected, [f"{code} info.time" for code in losses])


def test_short_texts_lose_their_control_characters():
    info, losses = info_of("<black name='a&#x85;b'/>")
    assert (info["participants"], losses) == ([{"name": "a b"}], ["text-changed info.participants[0].name"])


@in_groups(
    ("moves", "tree", "losses"),
    [
        ("<pre/>", {"pre": {}}, []),
        ('<pre eval="normal" problem="no"/>', {"pre": {}}, []),
        ('<pre eval="good"/>', {"pre": {}}, ["position-evaluation-dropped -;pre"]),
        ('<pre title="t" comment="c"/>', {"title": "t", "pre": {"comment": "c"}}, []),
        ('<pre problem="white"/>', {"pre": {"problem": {"color": 2}}}, []),
        (
            '<pre><mark x="1" y="2" symbol="*"/></pre>',
            {"pre": {"marks": [{"point": {"x": 1, "y": 2}, "symbol": "#"}]}},
            ["symbol-replaced -;pre"],
        ),
        ('<black x="0" y="0" eval="bad"/>', {"steps": [move(1, 0, 0, evaluation="bad")]}, []),
        ('<black x="0" y="0" type="normal" eval="normal" splitter="small"/>', {"steps": [move(1, 0, 0)]}, []),
        ('<white type="pass" splitter="large"/>', {"steps": [move(2, None, 0)]}, ["splitter-dropped -;0"]),
        (
            '<black x="0" y="0" eval="trick" comment="c"/>',
            {"steps": [move(1, 0, 0, comment="c\nA trick move.")]},
            ["evaluation-dropped -;0"],
        ),
        (
            '<pre problem="black"/><black x="0" y="0" eval="trick"/>',
            {
                "pre": {"problem": {"color": 1}},
                "steps": [move(1, 0, 0, evaluation="bad", comment="A trick move.")],
            },
            ["evaluation-dropped -;0"],
        ),
        ('<black x="0" y="0" title="t"/>', {"title": "t", "steps": [move(1, 0, 0)]}, []),
        (
            '<black x="0" y="0"/><white x="1" y="0" title="t" comment="c"/>',
            {"steps": [move(1, 0, 0), move(2, 1, 0, comment="t\nc")]},
            ["title-as-comment -;1"],
        ),
        (
            '<pre title="a"/><black x="0" y="0" title="t"/>',
            {"title": "a", "pre": {}, "steps": [move(1, 0, 0, comment="t")]},
            ["title-as-comment -;0"],
        ),
        (
            '<black x="0" y="0" problem="white"/>',
            {"steps": [move(1, 0, 0)], "branches": [{"pre": {"problem": {"color": 2}}}]},
            ["problem-moved -;0"],
        ),
        (
            '<pre problem="black"/><black x="0" y="0" eval="good" problem="white"/>',
            {
                "pre": {"problem": {"color": 1}},
                "steps": [move(1, 0, 0, evaluation="good", comment="Problem: White to play.")],
            },
            ["problem-dropped -;0"],
        ),
        (
            '<pre problem="black"/><moves><pre problem="black"/></moves>',
            {
                "pre": {"problem": {"color": 1}},
                "branches": [{"pre": {"comment": "Problem: Black to play."}}],
            },
            ["problem-dropped 0;pre"],
        ),
        ("<!-- a --><?b c?>" + STONE, {"steps": [move(1, 0, 0)]}, ["xml-comments-dropped $"]),
    ],
)
def test_trees(moves, tree, losses):
    obj, found = to_wei7(xml(moves))
    assert (obj["tree"], found) == (tree, losses)


def test_the_main_line_comes_first():
    text = xml(f'{STONE}<moves><white x="1" y="0"/></moves><moves><white x="2" y="0"/></moves><white x="3" y="0"/>')
    obj, _ = to_wei7(text)
    assert [branch["steps"] for branch in obj["tree"]["branches"]] == [
        [move(2, 3, 0)],
        [move(2, 1, 0)],
        [move(2, 2, 0)],
    ]


@pytest.mark.parametrize("name", NAMES)
def test_to_sgf(name):
    game = w7.loads(example(name))
    losses = []
    other = w7.convert(game, "sgf", losses=losses)
    assert [node.move for node in other.main_line() if node.move] == [
        node.move for node in game.main_line() if node.move
    ]
    assert all(loss.code in LOSS_CODES for loss in losses)


def test_titles_of_steps_are_names_of_nodes_in_sgf():
    text = xml('<black x="0" y="0"/><white x="1" y="0" title="a]"/><black type="pass" splitter="large"/>')
    losses = []
    data = w7.dumps(w7.loads(text), format="sgf", losses=losses)
    assert b"W[ba]N[a\\]]" in data
    assert reported(losses) == ["splitter-dropped -;2"]


@in_groups(
    ("action", "written", "code"),
    [
        (Note(), b";B[ee];N[what])", None),
        (Edit([Stone(1, (2, 2))]), b";B[ee];AB[cc]N[what])", None),
        (Unreadable(b"XX[1]"), b";B[ee];N[what]XX[1])", None),
        (Message("hi"), b";B[ee]N[what]C[hi])", "message-as-comment"),
        (MarkAction((1, 1), "A"), b";B[ee]N[what]LB[bb:A])", "mark-action-as-mark"),
        (Takeback(1), b"(;N[what]C[1 move taken back: B E5])\n(;B[ee]))", "takeback-as-variation"),
    ],
)
def test_titles_of_steps_of_every_kind_are_kept_in_sgf(action, written, code):
    """Only programs give them to others than moves."""
    game = w7.Game(9)
    game.tree.play(1, (4, 4))
    game.tree.steps.append(Step(action, title="what", splitter="large"))
    losses = []
    assert w7.dumps(game, format="sgf", losses=losses).strip().endswith(written)
    assert reported(losses) == [f"{name} -;1" for name in (code, "splitter-dropped") if name]
    if code and code != "takeback-as-variation":
        game.tree.steps[0].title = "one"
        losses = []
        again = w7.dumps(game, format="sgf", losses=losses)
        assert b"N[one]" in again and b"what" in again
        assert "title-as-comment -;1" in reported(losses)


def test_a_record_with_an_error_goes_as_far_as_it_can():
    text = xml(f'{STONE}<white x="0" y="0"/><black x="1" y="1"/>')
    game = w7.loads(text, strict=False)
    losses = []
    assert json.loads(w7.dumps(game, losses=losses))["tree"] == {"steps": [move(1, 0, 0)]}
    assert reported(losses) == ["move-occupied -;1"]


# --- 3.0 -> 2.x --------------------------------------------------------------------


def test_a_board_of_another_size_cannot_be():
    for size in (8, 21, {"width": 9, "height": 7}):
        game = w7.from_obj({"format": "wei7", "version": "3.0", "size": size, "tree": {"pre": {}}})
        with pytest.raises(w7.ConversionError, match="7, 9"):
            w7.dumps(game, format="wei7-2.2")


def test_lines_of_a_tree():
    tree = {
        "title": "t",
        "steps": [move(1, 0, 0)],
        "branches": [{"title": "m", "steps": [move(2, 1, 0)]}, {"title": "v", "pre": {}, "steps": [move(2, 2, 0)]}],
    }
    game = from_wei7(tree, [])
    written = w7.dumps(game, format="wei7-2.2").decode()
    order = [written.index(one) for one in ('title="t"', '<moves>\n      <pre title="v" />', 'title="m"')]
    assert order == sorted(order)
    assert w7.convert(game, "wei7").to_obj()["tree"] == tree


def test_a_main_line_with_a_pre_continues_after_the_variations():
    tree = {"steps": [move(1, 0, 0)], "branches": [{"pre": {}, "steps": [move(2, 1, 0)]}, {"steps": [move(2, 2, 0)]}]}
    game = from_wei7(tree, ["pre-merged -;0"])
    del tree["branches"][0]["pre"]
    assert w7.convert(game, "wei7").to_obj()["tree"] == tree


def test_a_single_branch_continues_in_the_same_moves_and_places_without_moves_stay():
    tree = {"steps": [move(1, 0, 0)], "branches": [{"steps": [move(2, 1, 0)], "branches": [{"pre": {}}, {"pre": {}}]}]}
    steps = [move(1, 0, 0), move(2, 1, 0)]
    assert w7.convert(from_wei7(tree, []), "wei7").to_obj()["tree"] == {
        "steps": steps,
        "branches": [{}, {"pre": {}}, {"pre": {}}],
    }


def test_a_branch_without_a_step_gets_a_pre():
    tree = {"branches": [{"branches": [{"steps": [move(1, 0, 0)]}]}]}
    game = from_wei7(tree, ["pre-added -;pre"])
    assert [branch.pre is not None for branch in game.tree.walk()] == [True, False]
    tree = {"title": "t", "branches": [{"steps": [move(1, 0, 0)]}, {"steps": [move(1, 1, 0)]}]}
    assert from_wei7(tree, ["pre-added -;pre"]).tree.title == "t"


def test_problems_and_evaluations_have_their_places():
    tree = {"pre": {"problem": {"color": 1}}, "steps": [move(1, 0, 0, evaluation="good")]}
    game = from_wei7(tree, [])
    assert (game.tree.pre.problem, game.tree.steps[0].action.evaluation) == (1, "good")
    steps = [move(1, 0, 0, evaluation="trick", problem={"color": 2}), move(2, 1, 0, evaluation="controversial")]
    game = from_wei7({"steps": steps}, ["evaluation-as-comment -;1"], revision=2)
    assert (game.tree.steps[0].action.evaluation, game.tree.steps[0].action.problem) == ("trick", 2)
    assert game.tree.steps[1].comment == "A controversial move."


def test_what_2_x_has_no_place_for():
    info = {
        "place": "Seoul",
        "time": "2016-12-31T23:59:60Z",
        "rules": {"scoring": "area"},
        "participants": [{"name": "a"}, {"name": "b", "id": "1"}, {"name": "c"}],
        "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 1}, {"participant": 2}],
        "result": {"winner": 1},
    }
    steps = [
        move(1, 0, 0, time=1, actor=0, comment="c"),
        {"action": {"type": "message", "value": "hello"}, "actor": 1},
        {"action": {"type": "mark", "value": {"point": {"x": 1, "y": 1}, "symbol": "a"}}, "time": 2},
        {"action": {"type": "result", "value": {"winner": 2, "margin": 1.5}}, "actor": 0},
        move(2, 1, 0),
        {"action": {"type": "takeback", "value": 1}, "actor": 2},
        move(2, 2, 0),
    ]
    game = from_wei7(
        {"steps": steps},
        [
            "place-dropped info.place",
            "komi-implied info.rules",
            "time-rounded info.time",
            "player-dropped info.players[2]",
            "players-merged info.players",
            "participant-dropped info.participants[2]",
            "takeback-as-variation -;5",
            "time-dropped -;0",
            "actor-dropped -;0",
            "message-as-comment -;1",
            "time-dropped -;2",
            "mark-action-as-mark -;2",
            "result-as-comment -;3",
            "pre-merged -;0",
        ],
        info=info,
    )
    assert game.info.time == "2017-01-01T00:00:00Z"
    assert [(one.name, one.id) for one in game.info.participants] == [("a, b", "1")]
    assert game.tree.pre.comment == "Place: Seoul"
    assert game.tree.steps[0].comment == "c\nb: hello\na: White has won by 1.5\nc takes back 1 move: W B19"
    assert [(mark.point, mark.symbol) for mark in game.tree.steps[0].marks] == [((1, 1), "a")]
    back, withdrawn = game.tree.branches
    assert back.pre is None
    assert [step.action.point for step in back.steps] == [(2, 0)]
    assert [step.action.point for step in withdrawn.steps] == [(1, 0)]


def test_times_and_komi():
    for time, expected in (
        ("2013-03-06T10:10Z", "2013-03-06T10:10:00Z"),
        ("2013-03-06T10:10:05.25Z", "2013-03-06T10:10:05.25Z"),
        ("2013-03-06T24:00Z", "2013-03-06T24:00:00Z"),
    ):
        info = {"time": time, "rules": {"komi": 0}}
        game = from_wei7({"pre": {}}, [], info=info)
        assert (game.info.time, game.info.rules.komi) == (expected, None)
        expected_info = {"time": time.replace("03-06T24:00", "03-07T00:00"), "rules": {"komi": 0}}
        assert w7.convert(game, "wei7").to_obj()["info"] == expected_info
    from_wei7({"pre": {}}, ["date-dropped info.time"], info={"time": "0000-01-01T00:00Z"})


def test_long_titles_and_odd_characters():
    title = "t" * 130
    game = from_wei7(
        {"title": title + "\n", "pre": {"comment": "a\0b"}},
        ["text-changed -;title", "text-cut -;title", "text-changed -;pre"],
    )
    assert game.tree.title == "t" * 128
    assert game.tree.pre.comment == f"{title} \na\ufffdb"
    game = from_wei7({"title": title, "steps": [move(1, 0, 0)]}, ["text-cut -;title"])
    assert (game.tree.steps[0].title, game.tree.steps[0].comment) == ("t" * 128, title)


def test_an_empty_text_is_no_line_of_the_comment():
    info = {"place": "", "time": "", "rules": {"komi": 0, "scoring": "", "type": ""}}
    obj = {"format": "wei7", "version": "3.0", "size": 19, "info": info, "tree": {"steps": [move(1, 0, 0)]}}
    losses = []
    data = w7.dumps(w7.loads(json.dumps(obj), strict=False), format="wei7-2.2", losses=losses)
    assert set(reported(losses)) == {
        *("place-dropped info.place", "date-dropped info.time"),
        *("scoring-unknown info.rules.scoring", "scoring-unknown info.rules.type"),
    }
    assert b"comment" not in data


def test_a_game_of_xml_is_edited_and_written():
    game = w7.loads(example("simple"))
    game.tree.branches[1].play(2, (3, 3), "trick", comment="new").title = "title"
    game.info.rules.komi = 6.5
    again = w7.loads(w7.dumps(game, format="wei7-2.2"))
    assert again == game
    game.tree.branches[1].take_back()
    game.info.place = "here"
    losses = []
    w7.loads(w7.dumps(game, format="wei7-2.2", losses=losses))
    assert reported(losses) == ["place-dropped info.place", "takeback-as-variation 1;2"]
    game.tree.steps[0].title = "a\nb"
    with pytest.raises(w7.RecordError, match="more than one line"):
        w7.dumps(game, format="wei7-2.2", losses=losses)
    assert [problem.code for problem in w7.loads(example("simple")).check()] == []


def test_titles_can_be_set_in_a_new_game():
    game = w7.Game(9)
    game.tree.play(1, (2, 2)).title = "corner"
    game.tree.play(2, (6, 6)).splitter = "large"
    losses = []
    again = w7.loads(w7.dumps(game, format="wei7-2.2", losses=losses))
    assert (losses, [step.title for step in again.tree.steps]) == ([], ["corner", None])
    assert again.tree.steps[1].splitter == "large"
    losses = []
    w7.dumps(game, format="wei7", losses=losses)
    assert reported(losses) == ["splitter-dropped -;1"]


def test_files(tmp_path):
    game = w7.loads(example("lg-cup"))
    path = tmp_path / "a.wei7"
    w7.dump(game, path, format="wei7-2.2")
    assert canonical(path.read_bytes()) == canonical(example("lg-cup"))
    assert w7.load(path) == game
    with pytest.raises(w7.RecordError, match="\\.wei7"):
        w7.dump(game, tmp_path / "a.xml", format="wei7-2.2")
    w7.dump(game, path)
    assert w7.load(path).format == "wei7"


@in_groups(
    ("edit", "words"),
    [
        (lambda game: game.tree.take_back(), "Takeback"),
        (lambda game: game.tree.play(1, (0, 0), time=1), "times"),
        (lambda game: setattr(game.info, "place", "here"), "place"),
        (lambda game: game.info.players.append(w7.Player(0, 1)), "one Black and one White"),
        (lambda game: setattr(game.tree.pre, "comment", "\0"), "no character"),
        (lambda game: setattr(game.document, "height", 9), "19 x 9"),
        (lambda game: game.tree.branches.append(game.tree), "contains itself"),
        (lambda game: game.tree.play(3, (9, 9)), "colour 3"),
    ],
)
def test_the_writer_refuses_what_2_x_cannot_have(edit, words):
    from wei7core.formats.wei7xml.write import document_to_xml

    game = w7.loads(example("simple"))
    edit(game)
    with pytest.raises(ValueError, match=words):
        document_to_xml(game.document)


def test_the_command_line_writes_one_record_a_file(tmp_path, capsys):
    from wei7core.cli.main import main

    source = str(EXAMPLES)
    assert main(["convert", source, str(tmp_path / "all.jsonl")]) == 0
    assert main(["convert", str(tmp_path / "all.jsonl"), str(tmp_path / "xml/"), "--to", "wei7-2.2"]) == 0
    names = sorted(path.name for path in (tmp_path / "xml").iterdir())
    assert [name[:6] for name in names] == ["000001", "000002", "000003"]
    assert all(w7.load(tmp_path / "xml" / name).format == "wei7-2.2" for name in names)
    assert main(["convert", source, str(tmp_path / "one.wei7"), "--to", "wei7-2.2"]) == 2
    assert main(["convert", source, str(tmp_path / "one.jsonl"), "--to", "wei7-2.2"]) == 2
    assert main(["convert", source, "-", "--to", "wei7-2.2"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors[-3].endswith("one.wei7: the source has more than one record; write them to a folder")
    assert errors[-2].endswith("one.jsonl: the source has more than one record; write them to a folder")
    assert errors[-1].endswith("-: the source has more than one record; write them to a folder")
    one = str(EXAMPLES / "lg-cup.wei7")
    assert main(["convert", one, str(tmp_path / "one.wei7"), "--to", "wei7-2.2"]) == 0
    assert (tmp_path / "one.wei7").read_bytes() == example("lg-cup")


def test_of_two_problems_at_a_position_one_is_kept_in_words():
    tree = {
        "steps": [move(1, 0, 0), move(2, 1, 1, problem={"color": 2})],
        "branches": [{"pre": {"problem": {"color": 1}}, "steps": [move(1, 5, 5)]}],
    }
    game = from_wei7(tree, ["pre-merged -;1", "problem-dropped -;1"], revision=2)
    last = game.tree.steps[1]
    assert (last.action.problem, last.comment) == (1, "Problem: White to play.")

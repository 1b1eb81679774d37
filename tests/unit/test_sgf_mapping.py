"""The two tables of the mapping between SGF and wei7, one case for each row.

A tree of wei7 is sketched as `title {stones; marks; comment} steps (branch)(branch)`, with points as SGF has them.
"""

import json

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.errors import ConversionError


def point(at):
    return "pass" if at is None else chr(97 + at["x"]) + chr(97 + at["y"])


def marks(owner):
    return " ".join(point(mark["point"]) + mark["symbol"] for mark in owner.get("marks", []))


def step(made):
    value = made["action"]["value"]
    worth = {"good": "!", "bad": "?"}.get(value.get("evaluation"), "")
    parts = ["-BW"[value["color"]] + " " + point(value["point"]) + worth, marks(made), made.get("comment", "")]
    assert set(made) <= {"action", "marks", "comment"}
    return "; ".join(filter(None, parts))


def branch(tree):
    pre = tree.get("pre", {})
    stones = " ".join("-BW"[stone["color"]] + point(stone["point"]) for stone in pre.get("stones", []))
    start = "; ".join(filter(None, (stones, marks(pre), pre.get("comment", ""))))
    assert set(pre) <= {"stones", "marks", "comment"}
    parts = [tree.get("title", ""), "{" + start + "}" if start else "", ", ".join(map(step, tree.get("steps", [])))]
    below = "".join(f"({branch(below)})" for below in tree.get("branches", []))
    return " ".join(filter(None, [*parts, below]))


def wei7_of(text, encoding="utf-8"):
    """Info, sketch of the tree and losses of SGF as wei7."""
    losses = []
    found = json.loads(w7.dumps(w7.loads(text.encode(encoding), strict=False), format="wei7", losses=losses))
    return found, [f"{loss.code} {loss.path}" for loss in losses]


def cases(rows):
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


def players(*two):
    return {"participants": list(two), "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}]}


# The row, the text after `(;SZ[9]`, `info`, the sketch of the tree, the losses.
FROM_SGF = [
    ("FF[1]", "FF[1]TM[60];B[aa]", {}, "{Time limit: 3600} B aa", ["info-as-comment -;0.TM"]),
    ("FF[3]", "FF[3]TM[60];Black[aa]", {}, "{Time limit: 60} B aa", ["info-as-comment -;0.TM"]),
    ("FF[4]", "FF[4]TM[60];B[aa]", {}, "{Time limit: 60} B aa", ["info-as-comment -;0.TM"]),
    ("SZ, square", "", {}, "", []),
    ("GN", "GN[name]EV[event]", {"name": "name"}, "{Event: event}", ["info-as-comment -;0.EV"]),
    ("GN absent", "EV[event]RO[2]", {"name": "event, 2"}, "", ["event-as-name info.name"]),
    ("EV and others", "GN[g]EV[e]RO[r]SO[s]US[u]AN[a]CP[c]GC[t\nt]ON[o]OT[3x30]AP[p:1]", {"name": "g"},
     "{Event: e\nRound: r\nSource: s\nEntered by: u\nAnnotated by: a"
     "\nCopyright: c\nAbout the game: t\nt\nOpening: o\nOvertime: 3x30\nProgram: p:1}",
     ["info-as-comment -;0.EV", "info-as-comment -;0.RO", "info-as-comment -;0.SO", "info-as-comment -;0.US",
      "info-as-comment -;0.AN", "info-as-comment -;0.CP", "info-as-comment -;0.GC", "info-as-comment -;0.ON",
      "info-as-comment -;0.OT", "info-as-comment -;0.AP"]),
    ("PC", "PC[place]", {"place": "place"}, "", []),
    ("DT", "DT[1996-12-27,28]", {}, "{Date: 1996-12-27,28}", ["info-as-comment -;0.DT"]),
    ("PB and PW", "PB[b]PW[w]", players({"name": "b"}, {"name": "w"}), "", []),
    ("BR and WR", "PB[b]BR[1d]WR[2d]", players({"name": "b", "rank": "1d"}, {"rank": "2d"}), "", []),
    ("BT and WT", "BT[x]WT[y]", {}, "{Team of Black: x\nTeam of White: y}",
     ["info-as-comment -;0.BT", "info-as-comment -;0.WT"]),
    ("KM", "KM[6.5]", {"rules": {"komi": 6.5}}, "", []),
    ("KM beyond", "KM[-5]", {}, "{Komi: -5}", ["komi-dropped info.rules.komi", "info-as-comment -;0.KM"]),
    ("KM of quarters", "KM[3.75]RU[Chinese]", {"rules": {"scoring": "area", "type": "Chinese"}}, "{Komi: 3.75}",
     ["komi-dropped info.rules.komi", "info-as-comment -;0.KM"]),
    ("RU, Chinese", "RU[Chinese]", {"rules": {"scoring": "area", "type": "Chinese"}}, "", []),
    ("RU, Japanese", "RU[Japanese]", {"rules": {"scoring": "territory", "type": "Japanese"}}, "", []),
    ("RU, Korean", "RU[Korean]", {"rules": {"scoring": "territory", "type": "Korean"}}, "", []),
    ("RU, AGA", "RU[AGA]", {"rules": {"scoring": "area"}}, "{Rules: AGA}", ["info-as-comment -;0.RU"]),
    ("RU, GOE", "RU[GOE]", {"rules": {"scoring": "area"}}, "{Rules: GOE}", ["info-as-comment -;0.RU"]),
    ("RU, NZ", "RU[NZ]", {"rules": {"scoring": "area"}}, "{Rules: NZ}", ["info-as-comment -;0.RU"]),
    ("RU, other", "RU[House rules of 1900]", {}, "{Rules: House rules of 1900}", ["info-as-comment -;0.RU"]),
    ("HA", "HA[2]AB[cc][gg]", {}, "{Bcc Bgg}", ["handicap-implied -;0.HA"]),
    ("HA without stones", "HA[2]", {}, "{Handicap: 2}", ["info-as-comment -;0.HA"]),
    ("RE with margin", "RE[B+2.5]", {"result": {"winner": 1, "margin": 2.5}}, "", []),
    ("RE with margin of whole", "RE[W+64]", {"result": {"winner": 2, "margin": 64}}, "", []),
    ("RE with other margin", "RE[W+512]", {}, "{Result: W+512}",
     ["result-dropped info.result", "info-as-comment -;0.RE"]),
    ("RE by resignation", "RE[B+R]", {"result": {"winner": 1}}, "", []),
    ("RE on time", "RE[B+T]", {"result": {"winner": 1}}, "{Result: B+T}", ["info-as-comment -;0.RE"]),
    ("RE by forfeit", "RE[W+F]", {"result": {"winner": 2}}, "{Result: W+F}", ["info-as-comment -;0.RE"]),
    ("RE without margin", "RE[B+]", {"result": {"winner": 1}}, "{Result: B+}", ["info-as-comment -;0.RE"]),
    ("RE 0", "RE[0]", {"result": {"winner": None}}, "", []),
    ("RE Draw", "RE[Draw]", {"result": {"winner": None}}, "", []),
    ("RE Void", "RE[Void]", {}, "{Result: Void}", ["info-as-comment -;0.RE"]),
    ("RE ?", "RE[?]", {}, "{Result: ?}", ["info-as-comment -;0.RE"]),
    ("RE as text", "RE[Somebody won]", {}, "{Result: Somebody won}", ["info-as-comment -;0.RE"]),
    ("time", "TM[60]OT[fast];B[aa]BL[30]OB[3];W[bb]WL[20]OW[2]", {}, "{Time limit: 60\nOvertime: fast} B aa, W bb",
     ["info-as-comment -;0.TM", "info-as-comment -;0.OT", "time-dropped -;1.BL", "time-dropped -;1.OB",
      "time-dropped -;2.WL", "time-dropped -;2.OW"]),
    ("C and N of the root", "C[c]N[n]", {}, "n {c}", []),
    ("AB, AW, AE of the root", "AB[aa][bb][aa]AW[cc]AE[bb];B[dd]", {}, "{Baa Wcc} B dd", []),
    ("no liberties", "AB[aa]AW[ab][ba];B[dd]", {}, "", ["setup-without-liberties -;1"]),
    ("setup in several nodes", "AB[aa];AE[aa]AW[bb];B[dd]", {}, "{Wbb} B dd", ["setup-folded -;1"]),
    ("setup after moves", ";B[aa];AB[bb];W[cc]", {}, "B aa", ["setup-after-move -;2"]),
    ("setup by variation", "(;AB[aa];W[bb])(;AW[cc];B[dd])", {}, "({Baa} W bb)({Wcc} B dd)", []),
    ("PL", "PL[W];PL[B];B[aa]", {}, "{To play: White} ({To play: Black} B aa)",
     ["property-as-comment -;0.PL", "property-as-comment -;1.PL"]),
    ("B and W", ";B[aa];W[bb];W[cc]", {}, "B aa, W bb, W cc", []),
    ("occupied", ";B[aa];W[aa];B[bb]", {}, "B aa", ["move-occupied -;2"]),
    ("suicide", "AW[ab][ba];B[aa]", {}, "{Wba Wab} B aa", []),
    ("passes", ";B[];W[tt]", {}, "B pass, W pass", []),
    ("KO", ";B[aa]KO[]", {}, "B aa", ["property-dropped -;1.KO"]),
    ("MN", ";B[aa]MN[7]", {}, "B aa", ["property-dropped -;1.MN"]),
    ("node without move", ";B[aa];C[c]TR[bb];W[bb]", {}, "B aa ({bb%; c} W bb)", ["shape-as-symbol -;2"]),
    ("empty node", ";B[aa];;W[bb]", {}, "B aa, W bb", ["node-dropped -;2"]),
    ("C", ";B[aa]C[a\\]\\\\b\\:\\\nc\nd\te]", {}, "B aa; a]\\b:c\nd e", []),
    ("N, beginning of a branch", ";B[aa](;W[bb]N[n])", {}, "B aa (n W bb)", []),
    ("N, within", ";B[aa]N[n]", {}, "B aa; n", ["title-as-comment -;1"]),
    ("TE", ";B[aa]TE[1];W[bb]TE[2]", {}, "B aa!, W bb!; Very good move.", ["property-as-comment -;2.TE"]),
    ("BM", ";B[aa]BM[1];W[bb]BM[2]", {}, "B aa?, W bb?; Very bad move.", ["property-as-comment -;2.BM"]),
    ("DO", ";B[aa]DO[]", {}, "B aa; Doubtful move.", ["property-as-comment -;1.DO"]),
    ("IT", ";B[aa]IT[]", {}, "B aa; Interesting move.", ["property-as-comment -;1.IT"]),
    ("GB, GW, DM, UC, V, HO", ";B[aa]GB[1];W[bb]GW[2];B[cc]DM[1];W[dd]UC[1];B[ee]V[1.5];W[ff]HO[1]", {},
     "B aa; Good for Black., W bb; Very good for White., B cc; Even position., W dd; Unclear position., "
     "B ee; Value: 1.5, W ff; Important node.",
     ["property-as-comment -;1.GB", "property-as-comment -;2.GW", "property-as-comment -;3.DM",
      "property-as-comment -;4.UC", "property-as-comment -;5.V", "property-as-comment -;6.HO"]),
    ("LB", ";B[aa]LB[bb:a][cc:Z][dd:1][ee:12][ff:*]", {}, "B aa; bba ccZ dd1 ee? ff?; Labels: E5 12, F4 *",
     ["label-replaced -;1", "label-replaced -;1"]),
    ("LB without a text", ";B[aa]LB[bb:][cc][dd:?]", {}, "B aa; bb? cc? dd?", ["label-replaced -;1.LB"]),
    ("L of FF[1]", "FF[1];B[aa]L[bb][cc]", {}, "B aa; bbA ccB", []),
    ("TR, CR, SQ, MA, M, SL", ";B[aa]TR[bb]CR[cc]SQ[dd]MA[ee]M[ff]SL[gg]", {}, "B aa; bb% cc@ dd# ee& ff& gg$",
     ["shape-as-symbol -;1"] * 6),
    ("AR, LN, DD, VW, FG, PM", ";B[aa]AR[bb:cc]LN[bb:dd]DD[aa]VW[aa:cc]FG[]PM[1]", {}, "B aa",
     ["property-dropped -;1.AR", "property-dropped -;1.LN", "property-dropped -;1.DD",
      "property-dropped -;1.VW", "property-dropped -;1.FG", "property-dropped -;1.PM"]),
    ("TB and TW", ";B[aa]TB[bb][cc:dd]TW[ee]", {}, "B aa; Territory of Black: bb, cc:dd\nTerritory of White: ee",
     ["property-as-comment -;1.TB", "property-as-comment -;1.TW"]),
    ("variations", ";B[aa](;W[bb])(;W[cc](;B[dd])(;B[ee]))", {}, "B aa (W bb)(W cc (B dd)(B ee))", []),
    ("ST", "ST[1]", {}, "", ["property-dropped -;0.ST"]),
    ("private", "XX[x];B[aa]YY[y]", {}, "B aa", ["property-dropped -;0.XX", "property-dropped -;1.YY"]),
]  # fmt: skip


@in_groups(("text", "info", "tree", "losses"), cases(FROM_SGF))
def test_sgf_as_wei7(text, info, tree, losses):
    found, reported = wei7_of(f"(;SZ[9]{text})")
    assert found.pop("size") == 9
    assert branch(found.pop("tree")) == tree
    assert found.pop("info", {}) == info
    assert found == {"format": "wei7", "version": "3.0"}
    assert reported == losses


def test_size_and_encoding_of_sgf_as_wei7():
    assert wei7_of("(;SZ[9:13])")[0]["size"] == {"width": 9, "height": 13}
    assert "size" not in wei7_of("(;GM[1])")[0]
    assert branch(wei7_of("(;SZ[20];B[tt])")[0]["tree"]) == "B tt"
    assert wei7_of("(;CA[GB2312]PB[柯洁镕])", "gbk")[0]["info"]["participants"][0] == {"name": "柯洁镕"}
    with pytest.raises(ConversionError, match=r"GM\[2\]"):
        wei7_of("(;GM[2];B[aa])")


def at(text):
    return {"x": ord(text[0]) - 97, "y": ord(text[1]) - 97}


def mark(text):
    return {"point": at(text), "symbol": text[2]}


def made(color, where, **members):
    value = {"color": color, "point": where and at(where)}
    value |= {name: members.pop(name) for name in ("evaluation",) if name in members}
    return {"action": {"type": "move", "value": value}, **members}


def live(kind, value, **members):
    return {"action": {"type": kind, "value": value}, **members}


ANN, BOB = {"name": "Ann", "rank": "1d"}, {"name": "Bob"}
RIGHT = [made(1, "aa", evaluation="good")]

# The row, `info`, the tree, the text after `(;FF[4]CA[UTF-8]GM[1]SZ[9]`, the losses.
FROM_WEI7 = [
    ("name, place, players", {"name": "n:]", "place": "p", **players(ANN, BOB)}, {},
     "GN[n:\\]]PC[p]PB[Ann]BR[1d]PW[Bob]", []),
    ("domain, id, title", {"domain": "d", "id": "7", **players(ANN | {"domain": "e"}, BOB | {"id": "8", "title": "t"})},
     {}, "PB[Ann]BR[1d]PW[Bob]", [f"identifier-dropped info.{name}" for name in (
         "domain", "id", "participants[0].domain", "participants[1].id")]
     + ["participant-title-dropped info.participants[1].title"]),
    ("further participants", {"participants": [ANN, BOB], "players": [{"participant": 1, "color": 1}]}, {}, "PB[Bob]",
     ["participant-dropped info.participants[0]"]),
    ("players of one colour", {"participants": [ANN, BOB], "players": [{"participant": k, "color": 1} for k in (0, 1)]},
     {}, "PB[Ann, Bob]BR[1d]", ["players-merged info.players"]),
    ("time", {"time": "2013-03-06T10:10Z"}, {}, "DT[2013-03-06]", ["time-of-day-dropped info.time"]),
    ("rules", {"rules": {"type": "Chinese", "scoring": "area", "komi": 7.5}}, {}, "RU[Chinese]KM[7.5]", []),
    ("rules without a type", {"rules": {"scoring": "territory"}}, {}, "RU[territory]", []),
    ("rules that differ", {"rules": {"type": "Korean", "scoring": "area"}}, {}, "RU[Korean]",
     ["scoring-dropped info.rules.scoring"]),
    ("result with margin", {"result": {"winner": 1, "margin": 2.5}}, {}, "RE[B+2.5]", []),
    ("result without margin", {"result": {"winner": 2}}, {}, "RE[W+R]", []),
    ("draw", {"result": {"winner": None}}, {}, "RE[0]", []),
    ("stones", {}, {"pre": {"stones": [{"color": 1, "point": at("aa")}, {"color": 2, "point": at("bb")}]}},
     "AB[aa]AW[bb]", []),
    ("pre of a branch", {}, {"branches": [{"pre": {"comment": "c", "marks": [mark("aaa")]}}]}, "\n(;LB[aa:a]C[c])", []),
    ("title", {}, {"title": "t", "branches": [{"title": "u\nv", "steps": [made(1, "aa")]}]}, "N[t]\n(;B[aa]N[u v])",
     ["text-changed 0;title"]),
    ("move", {}, {"steps": [made(1, "aa"), made(2, None)]}, "\n;B[aa];W[]", []),
    ("takeback", {}, {"steps": [made(1, "aa"), made(2, "ba"), live("takeback", 1), made(2, "ca")]},
     "\n;B[aa]\n(;C[1 move taken back: W B9];W[ca])\n(;W[ba])", ["takeback-as-variation -;2"]),
    ("message, mark", {"participants": [ANN], "players": [{"participant": 0, "color": 1}]},
     {"steps": [made(1, "aa"), live("message", "hi]", actor=0, time=2), live("mark", mark("bba"), time=3)]},
     "PB[Ann]BR[1d]\n;B[aa]LB[bb:a]C[Ann: hi\\]]",
     ["time-dropped -;1", "message-as-comment -;1", "time-dropped -;2", "mark-action-as-mark -;2"]),
    ("result action", {}, {"steps": [made(1, "aa"), live("result", {"winner": 1, "margin": 0.5})]},
     "RE[B+0.5]\n;B[aa]C[Black has won by 0.5]", ["result-as-comment -;1"]),
    ("result action and result", {"result": {"winner": 2}}, {"steps": [live("result", {"winner": 1})]},
     "RE[W+R]C[Black has won]", ["result-as-comment -;0"]),
    ("evaluation", {}, {"steps": [*RIGHT, made(2, "ba", evaluation="bad")]}, "\n;B[aa]TE[1];W[ba]BM[1]", []),
    ("problem", {}, {"pre": {"problem": {"color": 1}}, "steps": RIGHT},
     "PL[B]C[Problem: Black to play.]\n;B[aa]C[Right.]", ["problem-as-comment -;pre", "evaluation-as-comment -;0"]),
    ("marks", {}, {"pre": {"marks": [mark(text) for text in ("aaa", "ba7", "ca%", "da@", "ea#", "fa&", "ga$")]}},
     "LB[aa:a][ba:7][ca:%][da:@][ea:#][fa:&][ga:$]", []),
    ("time, actor", {"participants": [ANN], "players": [{"participant": 0, "color": 1}]},
     {"steps": [made(1, "aa", time=1.5, actor=0)]}, "PB[Ann]BR[1d]\n;B[aa]", ["time-dropped -;0", "actor-dropped -;0"]),
    ("two marks on one point", {}, {"pre": {"marks": [mark("aaa"), mark("aab")]}}, "LB[aa:a]", ["mark-dropped -;pre"]),
    ("one side, suicide", {},
     {"pre": {"stones": [{"color": 2, "point": at(text)} for text in ("ba", "ab")]}, "steps": [made(1, "aa")] * 2},
     "AW[ab][ba]\n;B[aa];B[aa]", []),
    ("text", {}, {"pre": {"comment": "a\\b]c:d\ne"}}, "C[a\\\\b\\]c:d\ne]", []),
]  # fmt: skip


@in_groups(("info", "tree", "text", "losses"), cases(FROM_WEI7))
def test_wei7_as_sgf(info, tree, text, losses):
    game = w7.from_obj({"format": "wei7", "version": "3.0", "size": 9, "info": info, "tree": tree}, strict=False)
    reported = []
    assert w7.dumps(game, format="sgf", losses=reported).decode() == f"(;FF[4]CA[UTF-8]GM[1]SZ[9]{text})\n"
    assert [f"{loss.code} {loss.path}" for loss in reported] == losses


@pytest.mark.parametrize(("width", "height", "text"), [(52, 52, "52"), (9, 52, "9:52"), (53, 9, None)])
def test_size_of_wei7_as_sgf(width, height, text):
    size = {"width": width, "height": height}
    game = w7.from_obj({"format": "wei7", "version": "3.0", "size": size, "tree": {}})
    if text is None:
        with pytest.raises(ConversionError, match="1 to 52 points"):
            w7.dumps(game, format="sgf")
    else:
        assert w7.dumps(game, format="sgf").decode() == f"(;FF[4]CA[UTF-8]GM[1]SZ[{text}])\n"


@in_groups("most", range(1, 12))
def test_a_limit_in_the_middle_of_a_node(most):
    text = b"(;X[]F[];N[]Z[]A[]B[aa]C[a]A["
    game = w7.loads(text, strict=False, limits=w7.Limits(max_steps=most))
    assert repr(game).startswith("<Game 19x19, ")
    assert len(list(game.walk())) == len(list(w7.loads(w7.dumps(game, format="sgf", losses=[])).walk()))

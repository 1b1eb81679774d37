"""Every requirement and every ambiguity of the wei7 2.2 specification, as a table of documents."""

from __future__ import annotations

import wei7core

from .rows import Row, accept, reject, warn

PERSON = ("domain", "id", "name", "title", "rank")


def xml(moves: str = "<pre/>", *, size: str = "19", game: str = "", root: str = 'version="2.2"', head: str = "") -> str:
    """A document with this content of `moves`."""
    return f"{head}<wei7 {root}><size>{size}</size>{game}<moves>{moves}</moves></wei7>"


def game(content: str, attributes: str = "") -> str:
    """A document with a `game`."""
    return xml(game=f"<game{attributes}>{content}</game>")


def step(attributes: str) -> str:
    """A document with one step that has more than a point."""
    return xml(f'<black x="0" y="0" {attributes}/>')


def pre(attributes: str = "", content: str = "") -> str:
    """A document with only a `pre`."""
    return xml(f"<pre {attributes}>{content}</pre>")


LONG = "围" * 128
STONE = '<black x="0" y="0"/>'
OTHER = '<white x="1" y="1"/>'
MARK = '<mark x="2" y="2" symbol="a"/>'
MOVES = "/wei7/moves"
BLACK = MOVES + "/black[1]"

DOCUMENT = [
    accept("3.1-2", '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n' + xml()),
    accept("3.1-2", '<?xml version="1.0" encoding="utf-8" standalone="yes"?>' + xml()),
    reject("3.1-2", "xml-declaration", "/", '»<?xml version="1.0" encoding="gb2312"?>' + xml(), "3.1"),
    reject("3.1-2", "xml-declaration", "/", '»<?xml version="1.1"?>' + xml(), "3.1"),
    reject("3.1-2", "encoding-invalid", MOVES, step('title="@"').encode().replace(b"@", b"\xc3("), "3.1"),
    reject("3.1-2", "encoding-invalid", MOVES, xml("@").encode().replace(b"@", b"\xff"), "3.1"),
    reject("3.1-2", "encoding-invalid", "/", xml().encode("utf-16"), "3.1"),
    reject("3.1-2", "encoding-invalid", "/", xml().encode("utf-16-be"), "3.1"),
    reject("3.1-2", "xml-syntax", MOVES, '<wei7 version="2.2"><size>19</size><moves><pre/></»wei7>', "3.1"),
    reject("3.1-2", "xml-syntax", "/wei7", '<wei7 version="2.2">»', "3.1"),
    reject("3.1-2", "xml-syntax", MOVES, xml('<black x="0" »x="0" y="0"/>'), "3.1"),
    accept("3.2-1 10.1", xml(root='version="2.0"')),
    accept("3.2-1 10.1", xml(root="version='2.1'")),
    reject("3.2-1", "missing-attribute", "/wei7", "»" + xml(root=""), "3.2"),
    reject("3.2-1 10.1", "value-not-allowed", "/wei7/@version", xml(root='version="»2.3"'), "3.2"),
    reject("3.2-1", "value-not-allowed", "/wei7/@version", xml(root='version="»3.0"'), "3.2"),
    reject("3.2-1", "unknown-attribute", "/wei7/@id", xml(root='version="2.2" »id="1"'), "3.2"),
    reject("3.2-1", "unknown-attribute", "/wei7/@xmlns", xml(root='version="2.2" »xmlns="http://a"'), "3.2"),
    reject("3.2-1", "unknown-element", "/record", '»<record version="2.2"><size>19</size></record>', "3.2"),
    accept("3.3-1", xml(game="<game/>")),
    reject("3.3-1", "missing-element", "/wei7", '»<wei7 version="2.2"><moves><pre/></moves></wei7>', "3.3"),
    reject("3.3-1", "missing-element", "/wei7", '»<wei7 version="2.2"><size>9</size></wei7>', "3.3"),
    reject("3.3-1", "element-repeated", "/wei7/size[2]", xml(game="»<size>19</size>"), "3.3"),
    reject("3.3-1", "element-repeated", "/wei7/moves[2]", xml("<pre/></moves>»<moves><pre/>"), "3.3"),
    reject(
        "3.3-1",
        "element-misplaced",
        "/wei7/size",
        '<wei7 version="2.2"><game/>»<size>9</size><moves><pre/></moves></wei7>',
        "3.3",
    ),
    reject(
        "3.3-1", "element-misplaced", "/wei7/game", xml("<pre/></moves>»<game/>").replace("</moves></wei7>", "</wei7>")
    ),
    reject("3.3-1", "unknown-element", "/wei7/info", xml(game="»<info/>"), "3.3"),
    reject("3.3-1", "text-misplaced", "/wei7", xml(game=" »hello "), "3.3"),
    *(accept("3.4-1", xml(size=str(size))) for size in (7, 9, 11, 13, 15, 17, 19)),
    accept("3.4-1", xml(size="\n 19\t"), why="XML Schema takes white space around a number away"),
    *(
        reject("3.4-1", "value-not-allowed", "/wei7/size", xml(size=f"»{size}"), "3.4")
        for size in ("8", "21", "0", "-19", "nineteen", "19.0", "19x19", "1e1")
    ),
    reject(
        "3.4-1", "value-not-allowed", "/wei7/size", "<wei7 version='2.2'>»<size/><moves><pre/></moves></wei7>", "3.4"
    ),
    *(reject("3.4-1", "number-spelling", "/wei7/size", xml(size=f"»{size}"), "3.4") for size in ("019", "+9")),
    reject("3.4-1", "unknown-attribute", "/wei7/size/@x", xml().replace("<size", '<size »x="1"'), "3.4"),
]

GAME = [
    accept("3.5-1", game("<result winner='black'/><white/><black/><time>2011-09-06T02:35:19</time><rules/>")),
    accept("3.5-1 3.5-2", game("<rules komi='0.5'/>")),
    reject("3.5-1", "element-repeated", "/wei7/game/black[2]", game("<black/>»<black/>"), "3.5"),
    reject("3.5-1", "unknown-element", "/wei7/game/place", game("»<place/>"), "3.5"),
    reject("3.5-1", "text-misplaced", "/wei7/game", game("»hello"), "3.5"),
    accept("3.6-1 3.6-3", game("<rules/>")),
    *(accept("3.6-1", game(f'<rules scoring="{one}"/>')) for one in ("area", "territory")),
    *(accept("3.6-1", game(f'<rules type="{one}"/>')) for one in ("Chinese", "Japanese", "Korean")),
    reject("3.6-1", "value-not-allowed", "/wei7/game/rules/@scoring", game('<rules scoring="»Area"/>'), "3.6"),
    reject("3.6-1", "value-not-allowed", "/wei7/game/rules/@type", game('<rules type="»Ing"/>'), "3.6"),
    reject("3.6-1", "unknown-attribute", "/wei7/game/rules/@handicap", game('<rules »handicap="2"/>'), "3.6"),
    reject("3.6-1", "unknown-element", "/wei7/game/rules/ko", game("<rules>»<ko/></rules>"), "3.6"),
    reject("3.6-1", "text-misplaced", "/wei7/game/rules", game("<rules>»no komi</rules>"), "3.6"),
    *(accept("3.6-2 3.10", game(f'<rules komi="{komi}"/>')) for komi in ("0.5", "7.5", "8", "9.5", " 6.5 ")),
    *(
        reject("3.6-2", code, "/wei7/game/rules/@komi", game(f'<rules komi="»{komi}"/>'), "3.6")
        for komi, code in (
            ("0", "number-out-of-range"),
            ("10", "number-out-of-range"),
            ("-0.5", "number-out-of-range"),
            ("7.55", "number-not-half"),
            ("3.75", "number-not-half"),
            ("7.50", "number-spelling"),
            ("06.5", "number-spelling"),
            ("8.0", "number-spelling"),
            (".5", "number-spelling"),
            ("+5", "number-spelling"),
            ("6,5", "value-not-allowed"),
            ("", "value-not-allowed"),
            ("NaN", "value-not-allowed"),
        )
    ),
    reject("3.6-3 3.10", "number-out-of-range", "", game('<rules komi="»0"/>'), "3.6", why="zero cannot be written"),
    *(
        accept("3.7-1 X10", game(f"<time>{time}</time>"))
        for time in (
            "2011-09-06T02:35:19.5822023+08:00",
            "2011-09-06T02:35:19Z",
            "2011-09-06T02:35:19",
            "2012-02-29T24:00:00",
            "2000-02-29T00:00:00.000000000000-14:00",
            "-0044-03-15T12:00:00",
            "12011-09-06T02:35:19",
            "\n 2011-09-06T02:35:19 ",
        )
    ),
    *(
        reject("3.7-1", "datetime-invalid", "/wei7/game/time", game(f"<time>»{time}</time>"), "3.7")
        for time in (
            "2011-09-06",
            "2011-09-06T02:35",
            "2011-02-29T02:35:19",
            "1900-02-29T02:35:19",
            "2011-13-06T02:35:19",
            "2011-09-00T02:35:19",
            "2011-09-06T25:00:00",
            "2011-09-06T24:00:01",
            "2011-09-06T02:60:00",
            "2011-09-06T02:35:60",
            "2011-09-06T02:35:19+14:01",
            "2011-09-06T02:35:19.",
            "0000-09-06T02:35:19",
            "02011-09-06T02:35:19",
            "2011-09-06 02:35:19",
            "２０１１-09-06T02:35:19",
        )
    ),
    reject("3.7-1 X10", "datetime-invalid", "/wei7/game/time", game("»<time/>"), "3.7"),
    reject(
        "3.7-1", "unknown-attribute", "/wei7/game/time/@zone", game('<time »zone="8">2011-09-06T02:35:19</time>'), "3.7"
    ),
    reject("3.7-1", "unknown-element", "/wei7/game/time/b", game("<time>2011-09-06T02:35:19»<b/></time>"), "3.7"),
    accept("3.8-1 3.8-3", game("", ' domain="a" id="b" name="c"')),
    *(accept("3.8-1", game("".join(f'<{color} {name}="a"/>' for color in ("black", "white")))) for name in PERSON),
    reject("3.8-1", "unknown-attribute", "/wei7/game/@title", game("", ' »title="a"'), "3.8"),
    reject("3.8-1", "unknown-attribute", "/wei7/game/black/@team", game('<black »team="a"/>'), "3.8"),
    reject("3.8-1", "text-misplaced", "/wei7/game/white", game("<white>»Li</white>"), "3.8"),
    accept("3.8-2 X9", game("", f' name="{LONG}"')),
    accept("3.8-2 X9", game("", ' name="' + "\U00020000" * 128 + '"')),
    accept("3.8-2", game("", ' name="a\tb\nc"'), why="white space as written becomes spaces before anybody sees it"),
    reject("3.8-2 3.8-3 X9", "string-too-long", "/wei7/game/@name", game("", f' name="»{LONG}a"'), "3.8"),
    reject("3.8-2", "string-line-break", "/wei7/game/black/@name", game('<black name="»a&#10;b"/>'), "3.8"),
    reject("3.8-2", "string-line-break", "/wei7/game/black/@rank", game('<black rank="»a&#xD;b"/>'), "3.8"),
    reject("3.8-2", "string-control-character", "/wei7/game/@id", game("", ' id="»a&#9;b"'), "3.8"),
    *(accept("3.9-1 3.9-2 3.9-3", game(f'<result winner="{one}"/>')) for one in ("black", "white", "neither")),
    *(accept("3.9-2 3.10", game(f'<result winner="black" margin="{one}"/>')) for one in ("0.5", "511.5", "10", "100")),
    reject("3.9-1", "missing-attribute", "/wei7/game/result", game("»<result/>"), "3.9"),
    reject("3.9-1 3.9-3", "missing-attribute", "/wei7/game/result", game('»<result margin="2"/>'), "3.9"),
    reject("3.9-1", "value-not-allowed", "/wei7/game/result/@winner", game('<result winner="»Black"/>'), "3.9"),
    reject("3.9-1", "unknown-attribute", "/wei7/game/result/@by", game('<result winner="black" »by="time"/>'), "3.9"),
    *(
        reject("3.9-2", code, "/wei7/game/result/@margin", game(f'<result winner="black" margin="»{margin}"/>'), "3.9")
        for margin, code in (
            ("512", "number-out-of-range"),
            ("0", "number-out-of-range"),
            ("2.0", "number-spelling"),
            ("1.25", "number-not-half"),
            ("R", "value-not-allowed"),
        )
    ),
]

TREE = [
    accept("3.11-1 3.12-1 3.13-1", xml(f"{STONE}<moves>{OTHER}<moves>{STONE.replace('0', '3')}</moves></moves>")),
    accept("3.11-1", xml("<pre/>" + "<moves><pre/>" * 50 + "</moves>" * 50)),
    reject("3.11-1", "unknown-attribute", MOVES + "/@title", xml().replace("<moves", '<moves »title="a"'), "3.14"),
    reject(
        "3.12-1", "moves-without-step", MOVES, xml(f"<moves>{STONE}</moves>").replace("<moves>", "»<moves>", 1), "3.20"
    ),
    accept(
        "3.14-1 3.14-2",
        xml(f"<pre>{STONE}{MARK}{OTHER}</pre>{MARK}{STONE.replace('0', '5')}<moves>{OTHER.replace('1', '7')}</moves>"),
    ),
    accept("3.14-1", xml("<pre></pre>")),
    reject("3.14-1", "unknown-element", MOVES + "/step", xml(f"{STONE}»<step/>"), "3.14"),
    reject("3.14-1", "unknown-element", MOVES + "/pre/pre", pre(content="»<pre/>"), "3.14"),
    reject("3.14-1", "unknown-element", MOVES + "/pre/moves[1]", pre(content="»<moves/>"), "3.14"),
    reject("3.14-1", "text-misplaced", MOVES, xml(f"{STONE} »hello <!-- a -->"), "3.14"),
    reject("3.14-1", "text-misplaced", MOVES + "/pre", pre(content="»hello"), "3.14"),
    reject("3.14-1", "text-misplaced", MOVES + "/pre", pre(content="»<![CDATA[<hello>]]>"), "3.14"),
    reject("3.14-1", "text-misplaced", MOVES, xml(f"<![CDATA[ ]]>{STONE}<![CDATA[\n]]>{OTHER}»hello"), "3.14"),
    reject("3.14-2", "element-misplaced", MOVES + "/pre[2]", xml("<pre/>»<pre/>"), "3.15"),
    accept("3.15-1", xml(f"<pre/>{STONE}<moves><pre/></moves>")),
    reject("3.15-1", "element-misplaced", MOVES + "/pre", xml(f"{STONE}»<pre/>"), "3.15"),
    reject("3.15-1", "element-misplaced", MOVES + "/pre", xml(f"<moves>{STONE}</moves>»<pre/>"), "3.15"),
    reject("3.15-1", "element-misplaced", MOVES + "/pre", xml(f"{MARK}»<pre/>{STONE}"), "3.15"),
    accept("3.15-2 X5", xml(f"<pre/><moves><pre>{STONE}</pre></moves><moves><pre>{OTHER}</pre></moves>")),
    reject(
        "3.15-2",
        "setup-after-move",
        MOVES + "/moves[1]/pre/white[1]",
        xml(f"{STONE}<moves><pre>»{OTHER}</pre></moves>"),
        "3.15",
    ),
    reject(
        "3.15-2 X5",
        "setup-after-move",
        MOVES + "/moves[1]/pre/white[1]",
        xml(f"<pre>{STONE}</pre><moves><pre>»{OTHER}{OTHER.replace('1', '4')}</pre></moves>"),
        "3.15",
    ),
    accept("X6", xml(f"<pre/><moves><pre>{STONE}</pre></moves><black type='pass'/>")),
    reject(
        "X6",
        "setup-after-move",
        MOVES + "/moves[1]/pre/black[1]",
        xml(f"<black type='pass'/><moves><pre>»{STONE}</pre></moves>"),
        "3.15",
    ),
    *(accept("3.16-1", pre(f'eval="{one}"')) for one in ("bad", "normal", "good", "trick")),
    *(accept("3.16-1", step(f'eval="{one}"')) for one in ("bad", "normal", "good", "trick")),
    reject("3.16-1", "value-not-allowed", MOVES + "/pre/@eval", pre('eval="»controversial"'), "3.16.1"),
    reject("3.16-1", "value-not-allowed", BLACK + "/@eval", step('eval="»"'), "3.16.1"),
    accept("3.16-2 X9", pre(f'title="{LONG}"')),
    accept("3.16-2", step('title=""')),
    reject("3.16-2 X9", "string-too-long", MOVES + "/pre/@title", pre(f'title="»{LONG}a"'), "3.16.2"),
    reject("3.16-2", "string-line-break", BLACK + "/@title", step('title="»a&#10;b"'), "3.16.2"),
    accept("3.16-3", pre(f'comment="{LONG * 100}&#10;&#9;"')),
    accept("3.16-3", step("comment='a\"b&lt;&gt;&amp;&apos;&quot;'")),
    reject("3.16-3", "unknown-attribute", BLACK + "/@comments", step('»comments="a"'), "3.17.1"),
    *(accept("3.16-4", pre(f'problem="{one}"')) for one in ("no", "black", "white")),
    *(accept("3.16-4", step(f'problem="{one}"')) for one in ("no", "black", "white")),
    reject("3.16-4", "value-not-allowed", MOVES + "/pre/@problem", pre('problem="»yes"'), "3.16.4"),
    reject("3.16-4", "value-not-allowed", BLACK + "/@problem", step('problem="»1"'), "3.16.4"),
    reject("3.16-4", "unknown-attribute", MOVES + "/pre/@splitter", pre('»splitter="large"'), "3.16"),
]

STEPS = [
    accept("3.17-1", xml('<black x="0" y="0"></black><white x="1" y="0"/>')),
    accept("3.17-1", xml('<white x="1" y="0">\n</white>'), why="white space is ignored, though the schema has none"),
    reject(
        "3.17-1",
        "unknown-element",
        BLACK + "/mark[1]|" + BLACK + "/mark",
        xml(f'<black x="0" y="0">»{MARK}</black>'),
        "3.17.1",
    ),
    reject("3.17-1", "text-misplaced", BLACK, xml('<black x="0" y="0">»good</black>'), "3.17.1"),
    reject("3.17-1", "unknown-attribute", BLACK + "/@time", step('»time="9"'), "3.17.1"),
    accept("3.17-2 3.17-3", xml('<black type="normal" x="0" y="0"/><white type="pass"/>')),
    reject("3.17-2", "value-not-allowed", BLACK + "/@type", step('type="»resign"'), "3.17.1.1"),
    reject(
        "3.17-2 X11",
        "unknown-attribute",
        MOVES + "/pre/black[1]/@type",
        pre(content='<black »type="normal" x="0" y="0"/>'),
        "3.17.2",
    ),
    accept("3.17-3", xml('<black x="18" y="0"/><white x="0" y="18"/><black x=" 3 " y="3"/>')),
    accept("3.17-3", xml('<black x="6" y="6"/>', size="7")),
    *(
        reject("3.17-3", code, BLACK + "/@x", xml(f'<black x="»{x}" y="0"/>'), "3.17.1.2")
        for x, code in (
            ("19", "point-off-board"),
            ("100", "point-off-board"),
            ("-1", "number-out-of-range"),
            ("017", "number-spelling"),
            ("+3", "number-spelling"),
            ("3.0", "number-not-integer"),
            ("d", "value-not-allowed"),
            ("", "value-not-allowed"),
        )
    ),
    reject("3.17-3", "point-off-board", BLACK + "/@y", xml('<black x="0" y="»9"/>', size="9"), "3.17.1.2"),
    reject("3.17-3", "missing-attribute", BLACK, xml('»<black x="0"/>'), "3.17.1.2"),
    reject("3.17-3", "missing-attribute", BLACK, xml('»<black type="normal" y="0"/>'), "3.17.1.2"),
    reject("3.17-3", "attribute-excluded", BLACK + "/@x", xml('<black type="pass" »x="0" y="0"/>'), "3.17.1.2"),
    reject("3.17-3", "attribute-excluded", BLACK + "/@y", xml('<black »y="0" type="pass"/>'), "3.17.1.2"),
    reject("3.17-3", "missing-attribute", MOVES + "/pre/white[1]", pre(content='»<white x="0"/>'), "3.17.2"),
    reject("3.17-3", "point-off-board", MOVES + "/pre/white[1]/@x", pre(content='<white x="»19" y="0"/>'), "3.17.1.2"),
    *(accept("3.17-4", step(f'splitter="{one}"')) for one in ("small", "medium", "large")),
    reject("3.17-4", "value-not-allowed", BLACK + "/@splitter", step('splitter="»huge"'), "3.17.1.3"),
    reject(
        "3.17-4 X11",
        "unknown-attribute",
        MOVES + "/pre/black[1]/@splitter",
        pre(content='<black x="0" y="0" »splitter="small"/>'),
        "3.17.2",
    ),
    accept("3.17-5 X11", pre(content=STONE + OTHER)),
    *(
        reject(
            "3.17-5 X11",
            "unknown-attribute",
            MOVES + f"/pre/black[1]/@{name}",
            pre(content=f'<black x="0" y="0" »{name}="no"/>'),
            "3.17.2",
        )
        for name in ("eval", "title", "comment", "problem")
    ),
    *(
        accept("3.18-1 3.18-2", xml(f'<mark x="0" y="0" symbol="{symbol}"/>{STONE}'))
        for symbol in ("a", "Z", "0", "@", "#", "$", "%", "&amp;", "*", "?")
    ),
    *(
        reject(
            "3.18-1",
            "value-not-allowed",
            MOVES + "/mark[1]/@symbol",
            xml(f'<mark x="0" y="0" symbol="»{symbol}"/>{STONE}'),
            "3.18",
        )
        for symbol in ("\\", "!", "^", "", "ab", "围", " ")
    ),
    reject("3.18-1", "missing-attribute", MOVES + "/mark[1]", xml('»<mark x="0" y="0"/>' + STONE), "3.18"),
    reject("3.18-1", "missing-attribute", MOVES + "/mark[1]", xml('»<mark y="0" symbol="a"/>' + STONE), "3.18"),
    reject(
        "3.18-1",
        "unknown-attribute",
        MOVES + "/mark[1]/@color",
        xml(MARK.replace("/>", ' »color="red"/>') + STONE),
        "3.18",
    ),
    reject(
        "3.18-1", "point-off-board", MOVES + "/mark[1]/@y", xml('<mark x="0" y="»19" symbol="a"/>' + STONE), "3.17.1.2"
    ),
    reject(
        "3.18-1", "text-misplaced", MOVES + "/mark[1]", xml('<mark x="0" y="0" symbol="a">»a</mark>' + STONE), "3.18"
    ),
    reject(
        "3.18-1",
        "value-not-allowed",
        MOVES + "/pre/mark[1]/@symbol",
        pre(content='<mark x="0" y="0" symbol="».."/>'),
        "3.18",
    ),
    accept("3.18-2 3.19-1 X1", xml(f"{STONE}{MARK}<moves>{OTHER}</moves>{OTHER}")),
    reject("3.18-2 3.19-1 X1", "mark-without-step", MOVES + "/mark[1]", xml(f"{STONE}»{MARK}"), "3.19"),
    reject(
        "3.19-1 X2", "mark-without-step", MOVES + "/mark[1]", xml(f"{STONE}<moves>{OTHER}</moves>»{MARK}{MARK}"), "3.19"
    ),
    reject("X2", "mark-without-step", MOVES + "/mark[1]", xml(f"{STONE}»{MARK}<moves>{OTHER}</moves>"), "3.18"),
    accept("X2 X3", xml(f"{STONE}<moves>{MARK}{OTHER}</moves>")),
    reject(
        "X3",
        "mark-without-step",
        MOVES + "/moves[1]/mark[1]",
        xml(f"{STONE}<moves><pre/>»{MARK}</moves>{OTHER}"),
        "3.19",
    ),
    accept("X4 3.19-1", xml(f"{STONE}<moves>{OTHER}</moves><moves>{OTHER}</moves>")),
    accept("3.20-1", xml(STONE)),
    accept("3.20-1", xml('<black type="pass"/>')),
    reject("3.20-1", "moves-without-step", MOVES, xml("").replace("<moves>", "»<moves>"), "3.20"),
    reject(
        "3.20-1",
        "moves-without-step",
        MOVES + "/moves[1]",
        xml(f"{STONE}»<moves><moves>{OTHER}</moves></moves>"),
        "3.20",
    ),
    accept("X7", pre(content='<white x="0" y="0"/><black x="1" y="0"/>')),
    reject("X7", "setup-point-taken", MOVES + "/pre/white[1]", pre(content=f'{STONE}»<white x="0" y="0"/>'), "3.14"),
    reject(
        "X7",
        "setup-no-liberty",
        MOVES + "/pre/*",
        pre(content='<white x="0" y="0"/><black x="1" y="0"/><black x="0" y="1"/>'),
        "3.14",
    ),
    accept(
        "X8 9.7",
        xml('<white x="0" y="0"/><black x="1" y="0"/><black x="0" y="1"/><white x="5" y="5"/><black x="0" y="0"/>'),
    ),
    reject("X8", "move-occupied", MOVES + "/white[1]", xml(f'{STONE}»<white x="0" y="0"/>'), "3.17"),
]

TEXTS = [
    accept("X12", xml(f"<!-- a --><?b c?>{STONE}", head="<?xml version='1.0'?><!-- a --><?b?>") + "<!-- d -->"),
    accept("X12 3.2-1", xml().replace("<wei7 ", "<wei7\n")),
    reject("3.14-1", "text-misplaced", MOVES, xml('<pre ></pre >»="a" b=').replace("<moves>", "<moves >"), "3.14"),
    reject(
        "X12",
        "unknown-element",
        MOVES + "/w:black",
        xml('»<w:black x="0" y="0"/><pre/>').replace("<pre/>", STONE),
        "3.14",
    ),
    warn("X12", "foreign-attribute", "/wei7/@xmlns:a", xml(root='version="2.2" »xmlns:a="http://a"'), "3.2"),
    warn("X12", "foreign-attribute", "/wei7/@xmlns", xml(root='»xmlns="" version="2.2"'), "3.2"),
    warn("X12", "foreign-attribute", "/wei7/@xsi:x", xml(root='version="2.2" »xsi:x="a.xsd"'), "3.2"),
    accept("X13", step("comment='&#22260;&#x68cb;&lt;'")),
    reject("X13", "doctype-refused", "/", "»<!DOCTYPE wei7>" + xml(), "3.1"),
    reject(
        "X13",
        "doctype-refused",
        "/",
        '<!-- <!DOCTYPE a> -->»<!DOCTYPE wei7 SYSTEM "file:///etc/passwd">' + xml(),
        "3.1",
    ),
    reject("X13", "doctype-refused", "/", '»<!DOCTYPE wei7 [<!ENTITY a "b">]>' + xml('<pre title="&a;"/>'), "3.1"),
    reject("X13", "xml-syntax", MOVES, xml("<pre comment='&nbsp;'/>"), "3.1"),
    reject("X13", "xml-syntax", MOVES, xml("<pre comment='&#0;'/>"), "3.1"),
    reject("X13", "xml-syntax", MOVES, xml("<pre comment='&#xD800;'/>"), "3.1"),
]

ROWS: list[Row] = [*DOCUMENT, *GAME, *TREE, *STEPS, *TEXTS]

FILES = [
    ("3.1-1", "a.wei7", None),
    ("3.1-1", "a.WEI7", "file-suffix-case"),
    ("3.1-1", "a.xml", "file-suffix"),
]
"""Names of files, and what is wrong with them."""


def _numbered(prefix: str, last: int) -> list[str]:
    return [f"{prefix}-{number}" for number in range(1, last + 1)]


IDS = (
    *_numbered("3.1", 2),
    "3.2-1",
    "3.3-1",
    "3.4-1",
    "10.1",
    *_numbered("3.5", 2),
    *_numbered("3.6", 3),
    "3.7-1",
    *_numbered("3.8", 3),
    *_numbered("3.9", 3),
    "3.10",
    "3.11-1",
    "3.12-1",
    "3.13-1",
    *_numbered("3.14", 2),
    *_numbered("3.15", 2),
    *_numbered("3.16", 4),
    *_numbered("3.17", 5),
    *_numbered("3.18", 2),
    "3.19-1",
    "3.20-1",
    "9.7",
    *(f"X{number}" for number in range(1, 14)),
)

CANNOT_REJECT = {
    "3.5-2": "says what does not matter",
    "3.13-1": "any order is one of variations",
    "9.7": "says what the position of a step is",
    "X4": "says what a variation at the end means",
}
"""Why some ids have no document that breaks them; `MEANINGS` shows what those with a meaning mean."""


def _first(game: wei7core.Game) -> list[object]:
    """The first move of each branch below the root."""
    return [branch.steps[0].action.point if branch.steps else None for branch in game.tree.branches]


def _marked(game: wei7core.Game) -> list[object]:
    return [(node.move, len(node.marks)) for node in game.walk() if node.move]


MEANINGS = [
    ("3.5-2", game("<rules komi='5.5'/>"), lambda game: game.size, (19, 19)),
    ("3.6-3", game("<rules/>"), lambda game: game.info.rules.komi, None),
    (
        "3.8-3",
        game("<black name='a'/><white name='b'/>", " name='c'"),
        lambda game: (game.info.name, game.info.black_name, game.info.white_name),
        ("c", "a", "b"),
    ),
    (
        "3.9-2",
        game("<result winner='white'/>"),
        lambda game: (game.info.result.winner, game.info.result.margin),
        (2, None),
    ),
    ("3.9-3", game(""), lambda game: game.info.result, None),
    ("3.10", game("<rules komi='7.5'/>"), lambda game: game.info.rules.komi, 7.5),
    (
        "3.12-1 3.13-1",
        xml(f'{STONE}<moves><white x="3" y="3"/></moves><moves><white x="4" y="4"/></moves>{OTHER}'),
        _first,
        [(1, 1), (3, 3), (4, 4)],
    ),
    (
        "X4",
        xml(f'{STONE}<moves><white x="3" y="3"/></moves><moves><white x="4" y="4"/></moves>'),
        _first,
        [None, (3, 3), (4, 4)],  # the game as played ends before them
    ),
    (
        "X4",
        xml('<pre/><moves><white x="3" y="3"/></moves><moves><white x="4" y="4"/></moves>'),
        _first,
        [(3, 3), (4, 4)],  # the entries of a table of contents
    ),
    ("3.14-2", xml("<pre/>" + STONE), lambda game: [node.is_pause_point for node in game.walk()], [True, True]),
    (
        "3.18-2 X1",
        xml(f"{STONE}{MARK}<moves>{MARK}{OTHER}</moves>{MARK}{OTHER}"),
        _marked,
        [((1, (0, 0)), 0), ((2, (1, 1)), 2), ((2, (1, 1)), 1)],
    ),
    ("X3", xml(f"{STONE}<moves>{MARK}{OTHER}</moves>"), _marked, [((1, (0, 0)), 0), ((2, (1, 1)), 1)]),
    (
        "9.7",
        xml('<white x="0" y="0"/><black x="1" y="0"/><black x="0" y="1"/>'),
        lambda game: [node.board[0, 0] for node in game.main_line() if node.move],
        [2, 2, 0],
    ),
    (
        "3.16-2",
        xml(f'<pre title="a"/><moves><pre title="b"/></moves>{STONE}'),
        lambda game: [branch.title for branch in game.tree.walk()],
        ["a", None, "b"],
    ),
]
"""Ids, a document, a view of its game and what that shows."""

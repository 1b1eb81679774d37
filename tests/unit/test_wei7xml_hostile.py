"""wei7 2.x that would cost much or reach out of its text: refused at once, with a place."""

import zipfile

import pytest
from helpers.cases import in_groups
from samples.wei7xml_texts import example, xml

import wei7core
from wei7core.cli import main as cli
from wei7core.errors import LimitError, RecordError
from wei7core.formats.registry import write_document
from wei7core.formats.wei7xml import xml_parser
from wei7core.formats.wei7xml.decode import decode
from wei7core.limits import Limits
from wei7core.replaying.replay import replay_record

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
STONE = "<black x='0' y='0'/>"
HOSTILE = [
    f'<?xml version="1.0"?>\n<!DOCTYPE wei7 [{LAUGHS}]>\n' + xml('<pre comment="&l9;"/>'),
    '<!DOCTYPE wei7 [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + xml('<pre comment="&a;"/>'),
    '<!DOCTYPE wei7 SYSTEM "http://127.0.0.1:9/a.dtd">' + xml("<pre/>"),
    '<!DOCTYPE wei7 PUBLIC "a" "http://127.0.0.1:9/a" [<!ENTITY % a SYSTEM "file:///dev/zero"> %a;]>' + xml(""),
    "<!DOCTYPE wei7 [<!ATTLIST black type CDATA 'pass'>]>" + xml("<black/>"),
    "<!DOCTYPE wei7 [" + "<!ENTITY a 'b'>" * 10_000,
]


@in_groups("text", HOSTILE)
def test_declarations_of_entities_end_the_reading(text):
    game = wei7core.loads(text, strict=False, format="wei7-2.2")
    assert [(one.code, one.offset) for one in game.problems] == [("doctype-refused", text.index("<!DOCTYPE"))]
    assert (game.size, list(game.tree.walk())) == ((0, 0), [game.tree])
    with pytest.raises(RecordError, match="doctype-refused"):
        wei7core.loads(text, format="wei7-2.2")


def test_entities_without_a_declaration_are_unknown():
    text = xml('<pre comment="&xxe;"/>')
    assert [one.code for one in wei7core.loads(text, strict=False).problems] == ["xml-syntax"]


DEEP = 5_000


@pytest.mark.exhaustive
def test_any_depth_is_read_walked_and_written():
    text = xml("<pre/>" + "<moves><pre/>" * DEEP + "</moves>" * DEEP)
    game = wei7core.loads(text)
    assert sum(1 for _ in game.tree.walk()) == DEEP + 1
    written = wei7core.dumps(game, format="wei7-2.2")
    assert len(written) < 300 * DEEP  # few of the levels are indented
    assert wei7core.loads(written) == game
    assert sum(1 for _ in wei7core.convert(game, "wei7").tree.walk()) == DEEP + 1


def test_a_deep_path_is_reported_in_part():
    text = xml("<pre/>" + "<moves><pre/>" * DEEP + "<foo/>" + "</moves>" * DEEP)
    (problem,) = wei7core.loads(text, strict=False).problems
    assert problem.path.startswith("/wei7/moves/moves[1]/") and problem.path.endswith("/moves[1]/foo")
    assert "/.../" in problem.path and len(problem.path) < 1000


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(max_bytes=100), "limit-bytes"),
        (Limits(max_depth=4), "limit-depth"),
        (Limits(max_steps=3), "limit-steps"),
        (Limits(max_points=100), "board-size-unsupported"),
        (Limits(max_moves=3), "limit-replay"),
    ],
)
def test_limits(limits, code):
    with pytest.raises(LimitError) as caught:
        wei7core.loads(example("tutorial"), limits=limits)
    assert caught.value.code == code
    game = wei7core.loads(example("tutorial"), strict=False, limits=limits)
    assert code in [problem.code for problem in game.problems]


@in_groups(
    "moves",
    [
        "<black x='0' y='0'/>" * 20,
        "<mark x='0' y='0' symbol='a'/>" * 20,
        "<mark/>" * 20,
        f"<pre>{'<mark/>' * 20}</pre>",
        f"<pre>{'<black/>' * 20}</pre>",
        "<!-- a -->" * 20,
        "<foo/>" * 20,
        "a<!-- -->" * 20,
        "<moves>" * 20,
        "<black x='0' y='0' a='1' b='1' c='1' d='1' e='1' f='1' g='1' h='1' i='1' j='1' k='1'/>",
    ],
)
def test_every_kind_of_row_is_limited(moves):
    record = decode(xml(moves).encode(), limits=Limits(max_steps=10))
    assert record.broken_off
    assert record.problems[-1].code == "limit-steps" or "limit-steps" in [one.code for one in record.problems]
    assert max(map(len, (record.steps, record.details, record.marks, record.kept, record.trees, record.stones))) <= 10
    # The document is made on access.
    wei7core.loads(xml(moves), strict=False, limits=Limits(max_steps=10)).document  # noqa: B018


def test_the_list_of_problems_is_limited():
    record = decode(xml("<foo/>" * 100).encode(), limits=Limits(max_problems=10))
    assert [one.code for one in record.problems] == [*["unknown-element"] * 10, "limit-problems"]


def test_a_tag_without_an_end_is_given_up(monkeypatch):
    monkeypatch.setattr(xml_parser, "_FEED", 16)
    monkeypatch.setattr(xml_parser, "_MOST_WITHOUT_EVENT", 8)
    assert not decode(xml("<pre comment='a short one'/>").encode()).problems
    for text in (xml("<pre comment='" + "a" * 500 + "'/>"), xml(STONE + "<!--" + "a" * 500 + "-->")):
        (problem,) = decode(text.encode()).problems
        assert (problem.code, problem.message) == ("limit-bytes", "one tag or comment takes more than 64 MiB")
    assert not decode(xml(STONE + " " * 500).encode()).problems


def test_texts_in_small_pieces_are_read_as_in_one(monkeypatch):
    data = example("simple")
    whole = wei7core.loads(data)
    for size in (1, 2, 7, 64):
        monkeypatch.setattr(xml_parser, "_FEED", size)
        monkeypatch.setattr(xml_parser, "_MOST_WITHOUT_EVENT", 1000)
        assert wei7core.loads(data) == whole


@in_groups(
    "moves",
    [
        "<pre><black><black></black><!-- </black> --></black></pre>",
        "<pre><black x='1'><![CDATA[</black>]]><black a='>'/></black></pre>",
        "<pre><mark><mark></mark></mark></pre>",
        f"{STONE}<mark><mark></mark></mark>{STONE.replace('0', '1')}",
        f"{STONE}<mark x='0' y='0' symbol='a'><mark></mark></mark>",
        "<black><black></black></black>",
        "<foo><foo></foo><!-- a --><bar/></foo>" + STONE,
        "<black><!-- a --><?b?></black>",
        f"{STONE}<pre><!-- a --></pre>",
        f"{STONE}</moves><size><!-- a -->9</size><moves>",
    ],
)
def test_elements_inside_of_their_like_are_kept_whole(moves):
    game = wei7core.loads(xml(moves), strict=False)
    written = write_document(game.document, "wei7-2.2")
    again = wei7core.loads(written, strict=False)
    assert again == game
    assert [one.code for one in again.problems] == [one.code for one in game.problems]


def test_text_in_game_is_kept_whole():
    game = wei7core.loads(xml(STONE, game="<game><![CDATA[a]]> b <![CDATA[<c]]><rules/></game>"), strict=False)
    written = wei7core.dumps(game, format="wei7-2.2")
    assert b"<![CDATA[a]]> b <![CDATA[<c]]>" in written
    assert wei7core.loads(written, strict=False) == game


@pytest.mark.parametrize(
    "time", ["<rules komi='1'/>2011", "a<b>c</b>d", "<a/>", "<a><time>1</time></a>2", "<!-- a --><![CDATA[b]]><c/>"]
)
def test_elements_in_time_are_kept_in_it(time):
    game = wei7core.loads(xml(STONE, game=f"<game><time>{time}</time></game>"), strict=False)
    assert game.info.rules is None
    written = write_document(game.document, "wei7-2.2")
    assert time.replace("<!-- a -->", "").encode() in written
    assert wei7core.loads(written, strict=False) == game
    losses = []
    wei7core.dumps(game, format="wei7", losses=losses)
    assert [str(loss) for loss in losses if loss.code == "member-dropped"] == [
        "info: the member '<time>' is left out [member-dropped]"
    ]


def test_elements_in_size_are_kept_in_it():
    text = xml(STONE).replace("<size>", "<size><a>7</a>")
    game = wei7core.loads(text, strict=False)
    written = write_document(game.document, "wei7-2.2")
    assert b"<size><a>7</a>" in written
    assert wei7core.loads(written, strict=False) == game


@pytest.mark.parametrize("broken", ["<black>\n<x='1'", "<black a='1'>", "<white><"])
def test_a_broken_stone_of_a_setup_is_kept(broken):
    moves = f"<pre>{STONE}{broken}"
    game = wei7core.loads(xml(moves).split("</moves>")[0], strict=False)
    assert game.tree.pre.stones == []
    assert wei7core.loads(write_document(game.document, "wei7-2.2"), strict=False) == game


@pytest.mark.parametrize("mark", ["<mark x='1' y='1' symbol='a'/>", "<mark x='1'/>", "<mark/><mark/>"])
def test_half_a_step_is_none(mark):
    for end in ("", "</b", ">", "><!-- "):
        game = wei7core.loads(xml(STONE + mark + "<black x=''").split("</moves>")[0] + end, strict=False)
        assert [len(branch.steps) for branch in game.tree.walk()] == [1]
        written = wei7core.dumps(game, format="wei7-2.2")
        assert wei7core.loads(written) == game


@pytest.mark.exhaustive
def test_a_text_that_breaks_off_anywhere_gives_what_was_read():
    data = example("simple")
    steps = 0
    for end in range(0, len(data), 3):
        record = decode(data[:end])
        if not data[end:].strip():
            assert not record.problems
            continue
        assert record.broken_off
        assert [one.code for one in record.problems] == ["xml-syntax"]
        assert len(record.steps) >= steps
        steps = len(record.steps)
        replay_record(record)
        game = wei7core.loads(data[:end], strict=False, format="wei7-2.2")
        assert sum(len(branch.steps) for branch in game.tree.walk()) == steps
    assert steps == 6


ENCODINGS = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
REFUSED = {"doctype-refused", "encoding-invalid"}


@in_groups("encoding", ENCODINGS)
@pytest.mark.parametrize("text", HOSTILE)
def test_other_encodings_hide_no_entities(text, encoding):
    text = text.replace('<?xml version="1.0"?>', f'<?xml version="1.0" encoding="{encoding[:6]}"?>')
    data = ("\ufeff" * encoding.startswith("utf-32") + text).encode(encoding)
    for format in (None, "wei7-2.2"):
        # Big-endian UTF-32 is taken for XML only where it is requested or declared.
        refused = REFUSED | {"json-syntax"} if format is None and encoding == "utf-32-be" else REFUSED
        game = wei7core.loads(data, strict=False, format=format)
        assert refused & {one.code for one in game.problems}
        assert list(game.tree.walk()) == [game.tree]


def test_entities_are_refused_by_every_command_in_files_and_archives(tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for number, text in enumerate(HOSTILE):
            for encoding in ("utf-8", "utf-16"):
                (folder / f"{number}-{encoding}.wei7").write_bytes(text.encode(encoding))
                archive.writestr(f"inner/{number}-{encoding}.wei7", text.encode(encoding))
    count = 4 * len(HOSTILE)
    assert cli.main(["validate", str(folder), "-q"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == count
    assert {row.error for row in wei7core.replay(folder)} == REFUSED
    for target in ("out.sgf", "out"):
        assert cli.main(["convert", str(folder), str(tmp_path / target), "--to", "sgf"]) == 1
        errors = capsys.readouterr().err.splitlines()
        assert errors[-1].startswith(f"{count} records, nothing written, {count} records with an error")
        assert not (tmp_path / target).exists()


def test_a_declaration_longer_than_what_is_looked_at_is_one_of_xml():
    text = "<!DOCTYPE wei7 [<!ENTITY a '" + "x" * (1 << 17) + "'>]>" + xml("<pre comment='&a;'/>")
    assert [one.code for one in wei7core.loads(text, strict=False).problems] == ["doctype-refused"]

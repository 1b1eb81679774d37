"""The pages of `wei7core explore`: moves with their numbers, links, filters; and what no page may do."""

from __future__ import annotations

import html
import http.client
import re
import signal
import subprocess
import sys
import threading
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest

import wei7core as w7
from wei7core.cli import explore
from wei7core.cli.explore import ExploreServer
from wei7core.cli.main import main

EVIL = '<script>alert("1")</script>&\'x'
SECONDS = 600


def sgf(moves: str, result: str, black: str = "Ke Jie", date: str = "2016-03-15", size: int = 9) -> bytes:
    name = black.replace("]", "\\]")
    line = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate(moves.split()))
    return f"(;GM[1]SZ[{size}]CA[UTF-8]PB[{name}]PW[Gu Li]DT[{date}]RE[{result}]{line})".encode()


GAMES = [
    sgf("cc gg cg", "B+R"),
    sgf("gg cc gc", "W+R", date="1999"),
    sgf("ee cc", "Void", black=EVIL),
    sgf("ee", "B+1.5"),
    sgf("cc gg cg", "W+1.5", size=7),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    index = w7.Index.create(tmp_path_factory.mktemp("index"), GAMES)
    with ExploreServer(index) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class Page(HTMLParser):
    """The elements of a page: links by their text, rows of tables, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: dict[str, str] = {}
        self.rows: list[list[str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._href: str | None = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag == "a":
            self._href = dict(attributes)["href"]
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag == "a":
            self._href = None

    def handle_data(self, data):
        self.words += data
        if self._href is not None:
            self.links.setdefault(data, self._href)
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def ask(server, path="/", method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=SECONDS)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def look(server, path="/") -> Page:
    answer, text = ask(server, path)
    assert answer.status == 200, text
    return Page(text)


def test_the_first_page_has_the_moves_of_the_explorer(server):
    page = look(server)
    wanted = [
        [
            f"{'AB'[number]} Black {row.point}",
            str(row.games),
            "",
            str(row.black_wins),
            str(row.white_wins),
            str(row.other),
        ]
        for number, row in enumerate(server.index.explorer(w7.Board(9)))
    ]
    assert [row[:6] for row in page.rows[1:]] == wanted
    assert len(wanted) == 2
    assert page.rows[1][6] in ("50%", "100%")
    assert "4 games of 5 have this position" in page.words.replace("\n", "")
    assert "7×7" in page.links


def test_a_line_of_clicks_back_and_forward(server):
    page = look(server)
    points = [link for tag, link in page.tags if tag == "a" and "line=b" in link["href"]]
    assert len({link["href"] for link in points}) == 9 * 9 + 1  # every point, and a pass
    page = look(server, page.links["E5"])
    assert {row[0] for row in page.rows[1:]} == {"A White C7"}
    later = look(server, page.links["A White C7"])
    assert later.words.count("No game continues from here.") == 1
    again = look(server, later.links["back"])
    assert again.links["forward"] == later_address(later)
    assert look(server, again.links["forward"]).rows == later.rows
    start = look(server, later.links["start"])
    assert "start" not in start.links
    assert start.links["forward"] == again.links["forward"].replace("at=2", "at=1")
    other = look(server, start.links["C7"])  # another line begins here
    assert "forward" not in other.links
    passed = look(server, page.links["Pass"])
    assert "Black to play" in passed.words


def later_address(page: Page) -> str:
    """The address of a page, as its link back has it."""
    return page.links["back"].replace("at=1", "at=2")


def test_the_form_keeps_the_place_and_filters(server):
    pytest.importorskip("pyarrow")
    page = look(server, "/?size=9x9&line=bE5&at=1&player=ke+jie")
    assert [row[1] for row in page.rows[1:]] == []
    inputs = {attributes["name"]: attributes["value"] for tag, attributes in page.tags if tag == "input"}
    assert inputs == {
        "size": "9x9",
        "line": "bE5",
        "at": "1",
        "player": "ke jie",
        "event": "",
        "result": "",
        "since": "",
        "until": "",
    }
    assert "player=ke+jie" in page.links["back"]
    page = look(server, "/?size=9x9&since=1990&until=1999")
    assert "1 game of 5" in page.words
    assert "Ke Jie – Gu Li, 1999, W+R" in page.words


def test_filters_without_metadata_say_so(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyarrow", None)
        index = w7.Index.create(tmp_path, GAMES)
        with ExploreServer(index) as server:
            place = __import__("wei7core.cli.explore", fromlist=["Page"]).Page
            assert "wei7core[arrow]" in server.page(place.read("player=x", (9, 9)))
            assert "&lt;bytes&gt;#0" in server.page(place.read("", (9, 9)))


def test_all_texts_are_escaped(server):
    answer, text = ask(server, "/?size=9x9&line=bE5&player=%22%3E%3Cscript%3E*")
    assert answer.status == 200
    assert "<script" not in text
    pytest.importorskip("pyarrow")
    answer, text = ask(server, "/?size=9x9&line=bE5")
    assert "<script" not in text
    assert EVIL in Page(text).words
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("path", "status", "problem"),
    [
        ("/?size=x", 400, "WIDTHxHEIGHT"),
        ("/?size=0x9", 400, "1 to"),
        ("/?size=999x999", 400, "1 to"),
        ("/?line=<b>", 400, "a line has at most"),
        ("/?line=bE5,bE5", 400, "the point is occupied"),
        ("/?line=bZ99", 400, "off the 9 x 9 board"),
        ("/?line=bE5&at=2", 400, "fewer moves"),
        ("/?line=bE5&at=%C2%B2", 400, "fewer moves"),
        ("/?line=" + ",".join(["bpass"] * 1001), 400, "at most 1,000"),
        ("/?player=" + "x" * 201, 400, "at most 200 characters"),
        ("/?size=11x11", 200, "fits no board"),
        ("/other", 404, "Page not found"),
        ("/../etc/passwd", 404, "Page not found"),
    ],
)
def test_addresses_that_make_no_sense(server, path, status, problem):
    answer, text = ask(server, path.replace("<", "%3C").replace(">", "%3E"))
    assert answer.status == status
    assert problem in Page(text).words
    assert "Traceback" not in text


def test_only_this_machine_is_answered(server):
    assert server.server_address[0] == "127.0.0.1"
    for host, status in (
        ("evil.example", 403),
        (f"evil.example:{server.server_port}", 403),
        (f"localhost:{server.server_port}", 200),
    ):
        assert ask(server, Host=host)[0].status == status
    answer, text = ask(server, method="HEAD")
    assert (answer.status, text) == (200, "")
    assert int(answer.headers["Content-Length"]) > 1000
    assert ask(server, method="POST")[0].status == 501


def test_the_command(tmp_path, capsys):
    folder = tmp_path / "games.w7i"
    w7.Index.create(folder, GAMES)
    # A shell may start what runs in the background with this signal ignored.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from wei7core.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "explore", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        port = int(re.search(r"http://127\.0\.0\.1:([0-9]+)/ - 5 games", line)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
        if sys.platform == "win32":
            process.kill()
        else:
            process.send_signal(signal.SIGINT)
            assert process.wait(SECONDS) == 0
            assert "Traceback" not in process.stderr.read()
    with ExploreServer(w7.Index.open(folder)) as server:
        assert main(["explore", str(folder), "--port", str(server.server_port)]) == 2
        assert f"port {server.server_port}: " in capsys.readouterr().err
    assert main(["explore", str(folder), "--port", "65536"]) == 2
    assert main(["explore", str(tmp_path / "none")]) == 2
    (folder / "index.json").write_text("{}")
    assert main(["explore", str(folder)]) == 2
    assert "none of an index" in capsys.readouterr().err


def test_addresses_are_read_as_they_are_written(server):
    page = look(server, "/?size=7x7")
    for link in page.links.values():
        query = parse_qs(urlsplit(link).query)
        assert set(query) <= {"size", "line", "at"}


@pytest.mark.parametrize(
    "place",
    [
        explore.Page((9, 9)),
        explore.Page((11, 3), ((1, "D2"), (2, "pass"), (1, "L1")), 2, (("player", 'a&at=3"\0'), ("since", "\u00e9"))),
        explore.Page((9, 9), ((1, "D4"), (2, "E5")), 1, (("result", "&amp;at="),)),
    ],
)
def test_the_points_of_a_board_link_to_the_places_after_them(place):
    board = place.board()
    color = board.to_play
    picture = explore._picture(board, place, {})
    names = [w7.coordinates.to_gtp(point, *place.size) for point in board.legal()]
    links = re.findall('<a href="([^"]*)"><rect[^>]*><title>([^<]*)</title>', picture)
    assert links == [(html.escape(place.after(color, name).url()), name) for name in names]


def test_the_page_of_a_large_board_takes_few_calls(tmp_path):
    server = ExploreServer(w7.Index.create(tmp_path / "big.w7i", w7.dumps(w7.Game(150))))
    place = explore.Page((150, 150))
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        page = server.page(place)
    finally:
        sys.setprofile(None)
        server.server_close()
    assert page.count("<rect") >= 150 * 150 and calls < 6 * 150 * 150  # it took 36 a point

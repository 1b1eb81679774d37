"""The pages of `wei7core explore` in Chromium: a click on the board, back and forward, filters; skipped without one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import wei7core as w7
from wei7core.cli.explore import ExploreServer
from wei7core.tables.writers import has_pyarrow

MILLISECONDS = 600_000


def sgf(moves: str, result: str, black: str) -> bytes:
    line = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate(moves.split()))
    return f"(;GM[1]SZ[9]CA[UTF-8]PB[{black}]PW[Gu Li]DT[2016-03-15]RE[{result}]{line})".encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExploreServer]:
    games = [sgf("cc gg cg", "B+R", "Ke Jie"), sgf("gg cc gc", "W+R", "Lee Sedol"), sgf("ee cc", "Void", "Cho Chikun")]
    with ExploreServer(w7.Index.create(tmp_path_factory.mktemp("index"), games)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("width", [360, 1000])
def test_a_visit(chromium: Any, server: ExploreServer, width: int) -> None:
    messages: list[str] = []
    page = chromium.new_page(viewport={"width": width, "height": 640})
    page.set_default_timeout(MILLISECONDS)
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: request.url.startswith(server.url) or messages.append(request.url))

    def shows(text: str) -> None:
        assert text in page.inner_text("body")
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.goto(server.url)
    shows("3 games of 3 have this position")
    points = page.locator("svg a rect")
    assert points.count() == 81
    # E5, the middle of the board.
    point = page.locator("svg a").filter(has=page.locator("title", has_text="E5"))
    point.locator("rect").click()
    shows("1 game of 3 have this position")
    assert "line=bE5" in page.url
    assert page.locator("svg a rect").count() == 80
    page.go_back()
    shows("3 games of 3 have this position")
    page.locator("td a").first.click()
    shows("2 games of 3 have this position")
    page.get_by_role("link", name="back", exact=True).click()
    shows("3 games of 3 have this position")
    page.get_by_role("link", name="forward", exact=True).click()
    shows("2 games of 3 have this position")
    page.get_by_role("link", name="start", exact=True).click()
    if has_pyarrow():
        page.fill("input[name=player]", "lee sedol")
        page.get_by_role("button", name="filter").click()
        shows("1 game of 3 have this position")
        shows("Lee Sedol")
        assert page.input_value("input[name=player]") == "lee sedol"
    page.close()
    assert messages == []

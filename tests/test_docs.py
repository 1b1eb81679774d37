"""The documentation is true: its code blocks run, its links lead somewhere, its tables name what exists."""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers.cases import in_groups
from helpers.pairs import format_table

import wei7core
from wei7core.checking.codes import CODES, GROUPS
from wei7core.cli import main as cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]
FENCE = re.compile(r"(?:<!-- needs: (?P<needs>\w+) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
LINK = re.compile(r"(?<!`)\[[^\]]*\]\((?P<target>[^)\s]+)\)")

pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the documentation is not here")


class Block(NamedTuple):
    """A fenced block of a page: its language, text, first line, and the optional package that it needs."""

    language: str
    text: str
    line: int
    needs: str | None


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks_of(text: str) -> list[Block]:
    return [
        Block(match["language"], match["text"], text.count("\n", 0, match.start("text")), match["needs"])
        for match in FENCE.finditer(text)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the example records, as the source tree has them and as `games/`."""
    data = ROOT / "tests" / "data"
    for source in ("examples", "wei7-2.2"):
        shutil.copytree(data / source, tmp_path / "tests" / "data" / source)
    shutil.copytree(data / "examples", tmp_path / "games")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_examples(block: Block, name: str, names: dict[str, Any]) -> str:
    """Run a block of a Python session and return what was not as shown; `names` are those of the page."""
    examples = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line)
    examples.globs = names
    output: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=output.append, clear_globs=False)
    return "".join(output)


def run_command(line: str) -> int:
    """Run a command line of the page and return its exit status."""
    program, *arguments = shlex.split(line)
    assert program == "wei7core", line
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")), contextlib.redirect_stderr(io.StringIO()):
        return cli.main(arguments)


@pytest.mark.parametrize("name", NAMES)
def test_the_code_blocks_of_the_page_run(name: str, folder: Path) -> None:
    names: dict[str, Any] = {}
    for block in blocks_of(page(name)):
        if block.needs and importlib.util.find_spec(block.needs) is None:
            continue
        if block.language == "python":
            assert ">>> " in block.text, f"{name}, line {block.line}: a block without an example that runs"
            fault = run_examples(block, name, names)
            assert not fault, fault
        if block.language == "console":
            for line in re.findall(r"^\$ (.+)$", block.text, re.MULTILINE):
                assert run_command(line) in (0, 1), f"{name}: {line}"


def test_a_block_that_is_wrong_is_found(folder: Path) -> None:
    block = Block("python", ">>> 1 + 1\n3\n", 7, None)
    assert "Expected:\n    3\nGot:\n    2" in run_examples(block, "page.md", {})
    assert run_command("wei7core replay no-such-file.sgf") == 2


def test_every_block_names_its_language() -> None:
    known = {"python", "console", "sh", "text", "cython"}
    odd = [(name, block.line) for name in NAMES for block in blocks_of(page(name)) if block.language not in known]
    assert not odd


def anchors_of(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    prose = FENCE.sub("", text)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@in_groups("name", NAMES)
def test_the_links_of_the_page_lead_somewhere(name: str) -> None:
    made = {
        "docs/changelog.md": "CHANGELOG.md",
        "docs/contributing.md": "CONTRIBUTING.md",
        "docs/security.md": "SECURITY.md",
    }
    for match in LINK.finditer(FENCE.sub("", page(name))):
        path, _, anchor = match["target"].partition("#")
        if re.match(r"\w+:", path):
            continue
        target = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        relative = target.relative_to(ROOT).as_posix()
        target = ROOT / made.get(relative, relative)
        assert target.exists(), f"{name}: {match['target']}"
        assert not anchor or anchor in anchors_of(target.read_text(encoding="utf-8")), f"{name}: {match['target']}"


@in_groups("name", NAMES)
def test_every_file_that_the_page_names_exists(name: str) -> None:
    for path in re.findall(r"`((?:ci|\.ci|tests|benchmarks|examples|src)/[\w./]+)[` ]", page(name)):
        assert (ROOT / path).exists(), path


def test_the_codes_of_a_check_are_all_named() -> None:
    table = page("docs/guides/checking.md").split("| group | codes |", 1)[1].split("\n\n", 1)[0]
    assert [name for name in re.findall(r"`([^`]+)`", table) if name not in GROUPS] == list(CODES)


def test_the_table_of_rooms_names_every_room() -> None:
    table = page("docs/architecture.md").split("## Rooms", 1)[1].split("\n## ", 1)[0]
    rooms = {path.name for path in Path(wei7core.__file__).parent.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE))


def test_the_table_of_formats_is_the_one_that_is_tested() -> None:
    assert "\n".join(format_table()) in page("docs/formats.md")


def test_the_cython_example_names_what_the_declarations_hold() -> None:
    names = re.search(r"from wei7core.board cimport (.+)", page("docs/guides/cython.md"))
    assert names is not None
    declarations = "".join(
        path.read_text(encoding="utf-8") for path in (Path(wei7core.get_include()) / "board").glob("*.pxd")
    )
    for name in names[1].split(", "):
        assert re.search(rf"\b{name}\b", declarations), name


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r": ([\w/-]+\.md)$", page("mkdocs.yml"), re.MULTILINE))
    assert {name.removeprefix("docs/") for name in NAMES if name.startswith("docs/")} <= named


COMPARED = ("openspiel", "python-chess", "sente", "sgfmill")


@pytest.mark.parametrize("peer", COMPARED)
def test_the_names_for_users_of_other_libraries_exist(peer: str) -> None:
    owners: dict[str, object] = {
        "board": wei7core.Board,
        "child": wei7core.Node,
        "cursor": wei7core.Cursor,
        "game": wei7core.Game,
        "node": wei7core.Node,
        "w7": wei7core,
    }
    ours = "\n".join(row.split(" | ", 1)[1] for row in rows_for(peer))
    named = re.findall(r"\b(board|child|cursor|game|node|w7)\.(\w+)(?:\.(\w+))?", ours)
    assert len(named) > 10
    for owner, name, inner in named:
        assert hasattr(owners[owner], name), f"{owner}.{name}"
        assert not inner or owner != "w7" or hasattr(getattr(wei7core, name), inner), f"w7.{name}.{inner}"


def test_the_names_of_sgfmill_exist() -> None:
    pytest.importorskip("sgfmill")
    from sgfmill import ascii_boards, boards, common, sgf, sgf_moves

    game = sgf.Sgf_game(size=9)
    owners = [ascii_boards, boards, common, sgf, sgf_moves, boards.Board(9), game, game.extend_main_sequence()]
    theirs = "\n".join(row.split(" | ", 1)[0] for row in rows_for("sgfmill"))
    for name in re.findall(r"\.(\w+)\b", theirs):
        assert name.isdigit() or any(hasattr(owner, name) for owner in owners), name


def rows_for(peer: str) -> list[str]:
    """The rows of the table of the page for users of a library."""
    return re.findall(r"^\| (.*`.*) \|$", page(f"docs/coming-from/{peer}.md"), re.MULTILINE)


def test_the_architecture_names_functions_and_files_that_exist() -> None:
    """Each function on the way of a record is defined in a file of its row, and the answers name files that exist."""
    package = ROOT / "src" / "wei7core"
    text = page("docs/architecture.md")
    steps = re.findall(r"^\| \d+ \| (.+) \| (.+) \|$", text, re.MULTILINE)
    assert len(steps) >= 18
    for step, files in steps:
        texts = "".join((package / name).read_text(encoding="utf-8") for name in re.findall(r"`(\S+)`", files))
        for function in re.findall(r"`(\w+)`", step):
            assert re.search(rf"(?:def |[ *]){function}\(", texts), (function, files)
    answers = re.findall(r"^\| [Ww]here (?:is|are) .+ \| (.+) \|$", text, re.MULTILINE)
    assert len(answers) >= 6
    named = re.findall(r"`([\w/]+\.(?:py|pyx|pxi|h))`", "".join(answers) + text.split("## Where is", 1)[1])
    for name in named:
        assert (package / name).is_file(), name

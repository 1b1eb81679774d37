"""The table of what is promised of the speed: which figures each line compares, and whether it holds.

Figures have names. Those of the benchmarks of pytest are the names of their tests, and their values what these put
into `benchmark.extra_info` under one of `UNITS`; the others are named by `whole_process.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

Figure = tuple[float, str]
"""A value and its unit, one of `UNITS`."""

UNITS = {
    "ns_per_move": "ns a move",
    "ns_per_child": "ns a child",
    "ns_per_call": "ns a call",
    "ns_per_position": "ns a position",
    "us_per_game": "us a game",
    "us_per_query": "us a query",
    "us_per_action": "us an action",
    "us_per_picture": "us a picture",
    "queries_per_second": "queries/s",
    "megabytes_per_second": "MB/s",
    "megabytes": "MB",
}
RATES = {"megabytes_per_second", "queries_per_second"}
"""Units of which more is better."""


@dataclass(frozen=True)
class Row:
    """One promise. `ours` and `peer` name figures.

    `at_least`: ours is so many times as good; else it costs at most `bar` times what the peer costs, or is at most
    `bar` of `unit` where there is no peer. `kernel` is the instruction set that the process of both is made to use.
    `module` holds the benchmarks; without one the figures are of whole processes.
    """

    key: str
    what: str
    bar: float
    ours: str
    peer: str | None
    module: str | None = None
    at_least: bool = True
    kernel: str | None = None
    unit: str = "megabytes"

    @property
    def names(self) -> list[str]:
        return [name for name in (self.ours, self.peer) if name]

    def bar_text(self) -> str:
        limit = "at least" if self.at_least else "at most"
        return f"{limit} {self.bar:g} {'times' if self.peer else UNITS[self.unit]}"


@dataclass(frozen=True)
class Line:
    """A row with its figures, as far as they were measured."""

    row: Row
    ours: Figure | None
    peer: Figure | None

    @property
    def value(self) -> float | None:
        """What is held against the bar; None if it was not measured."""
        if self.ours is None or (self.peer is None and self.row.peer):
            return None
        if self.peer is None:
            return self.ours[0]
        if self.ours[1] != self.peer[1]:
            raise ValueError(f"{self.row.key}: {self.ours[1]} cannot be compared with {self.peer[1]}")
        ours_for_peer = self.ours[0] / self.peer[0]
        better_with_more = self.ours[1] in RATES
        return ours_for_peer if better_with_more == self.row.at_least else 1 / ours_for_peer

    @property
    def met(self) -> bool | None:
        if self.value is None:
            return None
        return self.value >= self.row.bar if self.row.at_least else self.value <= self.row.bar

    def cells(self) -> list[str]:
        value = self.value
        return [
            self.row.what,
            figure_text(self.ours),
            figure_text(self.peer) if self.row.peer else "",
            "" if value is None or not self.row.peer else f"{value:.{0 if value >= 20 else 2}f}",
            self.row.bar_text(),
            {True: "yes", False: "no", None: "not measured"}[self.met],
        ]


PLAY = "test_board_replay.py"
WEI7 = "test_decode_replay.py"
SGF = "test_sgf.py"
CHILDREN = "test_children.py"
STATE = "test_state.py"
EXPAND = "test_expand.py"
CHECK = "test_check.py"
MESSY = "test_messy.py"
METADATA = "test_metadata.py"
DOCUMENTS = "test_documents.py"
INDEX = "test_index.py"
LIVE = "test_live.py"
QUERIES = "test_queries.py"
NODES = "test_nodes.py"

ROWS = (
    Row(
        "native", "native replay of decoded moves, every position live, hash at each move", 700,
        "test_native_loop[avx512]", "test_sgfmill", PLAY,
    ),
    Row(
        "native_bw", "the same by AVX-512 without VBMI", 700,
        "test_native_loop[avx512bw]", "test_sgfmill", PLAY,
    ),
    Row(
        "portable", "the same, portable kernel forced", 330,
        "test_native_loop[portable]", "test_sgfmill", PLAY, kernel="portable",
    ),
    Row(
        "compact", "compact wei7 JSON -> final position, captures, hash, against orjson.loads", 25,
        "test_bulk_replay[compact-replay]", "test_bulk_replay[compact-orjson.loads]", WEI7,
    ),
    Row(
        "replay_bytes", "lines of compact wei7 JSON -> columns by replay(data), against orjson.loads alone", 28,
        "test_replay[bytes]", "test_bulk_replay[compact-orjson.loads]", WEI7,
    ),
    Row(
        "replay_path", "the same by replay(path), against reading the file and replay(data)", 1.15,
        "test_replay[path]", "test_read_and_replay", WEI7, at_least=False,
    ),
    Row(
        "indented", "the same records indented by two spaces", 8,
        "test_bulk_replay[indented-replay]", "test_bulk_replay[indented-orjson.loads]", WEI7,
    ),
    Row(
        "annotated", "the same records with comments, marks, times and actors", 8,
        "test_bulk_replay[annotated-replay]", "test_bulk_replay[annotated-orjson.loads]", WEI7,
    ),
    Row(
        "sgf", "SGF -> the same, against sgfmill", 500,
        "test_sgf[replay, final positions]", "test_sgf[sgfmill, parsing and replay]", SGF,
    ),
    Row(
        "folder", "the same games as small files by replay(folder), against reading the files by pathlib", 1,
        "test_folder[replay]", "test_folder[read_bytes]", SGF, at_least=False,
    ),
    *(
        Row(
            f"{encoding}_{case.replace(' ', '_')}", f"SGF in {name}, {charset}, against the same games in UTF-8", bar,
            f"test_encoding[{encoding}-{case}]", f"test_encoding[{encoding}-in UTF-8]", MESSY, at_least=False,
        )
        for encoding, name in (
            ("gb18030", "GB18030"), ("gbk", "GBK"), ("big5", "Big5"), ("cp932", "Shift-JIS"), ("euc_kr", "EUC-KR"),
        )
        for case, charset, bar in (
            ("named", "CA right", 1.3), ("not named", "without CA", 2), ("named wrongly", "CA wrong", 2),
        )
    ),
    *(
        Row(
            f"{format}_{case.replace(' ', '_')}", f"{name} with {what}, against the same games without", bar,
            f"test_{format}_problem[{case}]", f"test_{format}_problem[clean]", MESSY, at_least=False,
        )
        for format, name, case, what, bar in (
            ("sgf", "SGF", "warning", "a problem each", 1.3), ("sgf", "SGF", "error", "an error each", 1.5),
            ("wei7", "wei7", "warning", "a problem each", 1.3), ("wei7", "wei7", "error", "an error each", 1.5),
            ("wei7", "wei7", "each step", "a problem in each step", 8),
        )
    ),
    *(
        Row(
            f"positions_{case}{suffix}", f"replay(positions=True{options}) of {what}", bar * times,
            f"test_positions[{case}-{kind}]", None, MESSY, at_least=False, unit="ns_per_position",
        )
        for kind, suffix, options, bar in (("hash", "", "", 25), ("canonical", "_canonical", ", canonical=True", 40))
        for case, what, times in (
            ("clean", "clean games", 1), ("gb18030", "games in GB18030 without CA", 1.5),
            ("warning", "games with a problem", 1.5), ("variations", "games with a variation", 1.5),
        )
    ),
    Row(
        "real_files", "150 real files of SGF, most with a flaw: time a byte, against clean games", 2.5,
        "test_real_files[files]", "test_real_files[clean]", MESSY, at_least=False,
    ),
    *(
        Row(
            f"metadata_{name}", f"replay(metadata=True) of {name}, against replay without", 1.5,
            f"test_metadata[{name}-with]", f"test_metadata[{name}-without]", METADATA, at_least=False,
        )
        for name in ("SGF", "wei7")
    ),
    Row(
        "index_create", "Index.create of 20,000 games, two threads, processor time", 100,
        "test_create", None, INDEX, at_least=False, unit="us_per_game",
    ),
    Row(
        "index_board", "20,000 games: a whole position, found, and the moves that followed it", 1000,
        "test_continuations", None, INDEX, at_least=False, unit="us_per_query",
    ),
    *(
        Row(
            f"index_{region}", f"20,000 games: a pattern, {where}, every symmetry", bar,
            f"test_find[{region}]", None, INDEX, at_least=False, unit="us_per_query",
        )
        for region, where, bar in (
            ("corner", "in a corner", 1000), ("side", "at a side", 1000), ("anywhere", "anywhere", 50_000),
        )
    ),
    *(
        Row(
            f"live_{key}", f"LiveGame.append, {what}", 3,
            f"test_live[{case}]", None, LIVE, at_least=False, unit="us_per_action",
        )
        for key, what, case in (
            ("memory", "in memory", "one by one-plain-memory"),
            ("journal", "with a journal", "one by one-plain-journal"),
            ("at_once", "10,000 games at once", "at once-plain-memory"),
            ("rules", "Chinese rules and a clock, in memory", "one by one-judged-memory"),
            ("rules_journal", "Chinese rules and a clock, with a journal", "one by one-judged-journal"),
        )
    ),
    *(
        Row(
            f"queries_{case.replace(' ', '_')}", f"queries to an analysis engine a second, {what}", 50_000,
            f"test_queries[{case}]", None, QUERIES, unit="queries_per_second",
        )
        for case, what in (
            ("positions", "one position each"), ("whole games", "all positions of whole games"),
            ("calls", "1,000 calls of query at once"),
        )
    ),
    *(
        Row(
            f"document_{key}", f"SGF: {what}, against sgfmill", bar,
            f"test_document[{case}]", f"test_document[{case}, sgfmill]", DOCUMENTS,
        )
        for key, case, what, bar in (
            ("objects", "objects", "loads, then every move as an object", 5),
            ("unchanged", "unchanged", "loads, then dumps of the game as it is", 20),
            ("branch", "branch", "loads, one variation added, then dumps", 10),
        )
    ),
    Row(
        "document_boards", "SGF: loads, then every node of the main line with its board", 400,
        "test_document[boards]", None, DOCUMENTS, at_least=False, unit="ns_per_move",
    ),
    *(
        Row(
            f"cursor_{key}", f"steps of a cursor with its board, {what}", 250,
            f"test_cursor[Cursor.{name}]", None, NODES, at_least=False, unit="ns_per_move",
        )
        for key, name, what in (
            ("forward", "forward(n)", "forward(n)"), ("back", "back(n)", "back(n)"),
            ("next", "next", "a call of next() each"), ("previous", "previous", "a call of previous() each"),
        )
    ),
    *(
        Row(
            f"svg_{labels}", f"Node.svg, the worst node of 10 games, {labels} marks each", 300,
            f"test_svg[{labels}]", None, NODES, at_least=False, unit="us_per_picture",
        )
        for labels in (0, 12)
    ),
    Row(
        "merge", "w7.merge of all games to move 40: 20,000 games in 2 s", 100,
        "test_merge", None, NODES, at_least=False, unit="us_per_game",
    ),
    *(
        Row(
            f"convert_{key}", f"convert, {ways}, file to file, against sgfmill's parse and serialise",
            50, f"test_convert[{target}]", "test_document[unchanged, sgfmill]", DOCUMENTS,
        )
        for key, target, ways in (
            ("sgf", "sgf", "SGF to SGF"),
            ("jsonl", "jsonl", "SGF to lines of wei7"),
            ("wei7", "sgf of jsonl", "lines of wei7 to SGF"),
            ("lines", "jsonl of jsonl", "lines of wei7 to lines of wei7"),
        )
    ),
    Row("play", "Board.play from Python, one call a move", 90, "test_board_play", "test_sgfmill", PLAY),
    Row(
        "copy", "Board.copy from Python, history included, against Board.play", 1.5,
        "test_copy[history]", "test_play", STATE, at_least=False,
    ),
    Row(
        "native-copy", "the same in C onto an existing board, without history, against a native move", 0.5,
        "test_native_copy[bare]", "test_native_move", STATE, at_least=False,
    ),
    Row(
        "whole", "wei7core replay, 1 GB of JSONL, start to exit, against the rate in a process", 0.7,
        "whole process, one job", "in process",
    ),
    Row(
        "jobs", "two jobs against one, 1 GB of JSONL, in a process", 1.8,
        "in process, two jobs", "in process, one job",
    ),
    Row(
        "jobs10", "two jobs on two processors against one on one, 10 GB of JSONL, start to exit", 1.8,
        "whole process, 10 GB, two jobs", "whole process, 10 GB, one job",
    ),
    Row(
        "growth", "peak memory with 10 GB of input against 1 GB", 1.1,
        "peak memory, 10 GB", "peak memory, 1 GB", at_least=False,
    ),
    Row("peak", "peak memory with 10 GB of input", 400, "peak memory, 10 GB", None, at_least=False),
    *(
        Row(
            f"size{size}", f"random games on {size}x{size}, against 19x19", 3,
            f"test_random_games[{size}]", "test_random_games[19]", PLAY, at_least=False,
        )
        for size in (25, 37, 100)
    ),
    Row(
        "check", "wei7core check --rules tromp-taylor, copies found, against wei7core replay, start to exit", 1.6,
        "test_command[check]", "test_command[replay]", CHECK, at_least=False,
    ),
    Row(
        "children", "hash, captures, suicide of every child of real positions, against copy, play and hash", 6,
        "test_native_children[avx512 planes]", "test_native_play", CHILDREN,
    ),
    Row(
        "children_call", "Board.children from Python, against one call of Board.play", 20,
        "test_board_children", "test_calls_of_play", CHILDREN, at_least=False,
    ),
    Row(
        "superko", "legal points by positional superko after 200 moves, against those without", 2,
        "test_long_history[superko]", "test_long_history[permissive]", CHILDREN, at_least=False,
    ),
    *(
        Row(
            f"expand_{form}", f"100,000 positions, {form}, to columns of all children: 100 million a second", 10,
            f"test_expand[{form}]", None, EXPAND, at_least=False, unit="ns_per_child",
        )
        for form in ("bytes", "packed")
    ),
    Row("expand_jobs", "the same, two jobs against one", 1.8, "test_expand_jobs[2]", "test_expand_jobs[1]", EXPAND),
    Row(
        "walk", "all nodes of a tree of 100,000 moves with boards, against those of games without branches", 3,
        "test_walk_of_a_tree", "test_walk_of_lines", EXPAND, at_least=False,
    ),
)  # fmt: skip

HEAD = ["what", "measured", "against", "ratio", "bar", "met"]


def figure_text(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    value, unit = figure
    return f"{value:,.{1 if value < 100 else 0}f} {UNITS[unit]}"


def lines_of(rows: list[Row], figures: dict[tuple[str | None, str], Figure]) -> list[Line]:
    """Return the lines; `figures` are named by kernel, None for the one that was chosen, and name."""
    return [
        Line(row, figures.get((row.kernel, row.ours)), figures.get((row.kernel, row.peer)) if row.peer else None)
        for row in rows
    ]


def plain_table(lines: list[Line]) -> str:
    cells = [HEAD, *(line.cells() for line in lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)


def markdown_table(lines: list[Line]) -> str:
    cells = [HEAD, ["---"] * len(HEAD), *(line.cells() for line in lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)

"""A stand-in for KataGo's analysis engine that costs little: it answers each turn of each query from prepared bytes.

The visits are the number of moves of the query and the turn that is answered, so that its client sees that nothing was
mixed.
"""

import os

ANSWER = (
    b'","isDuringSearch":false,"moveInfos":[{"lcb":0.68,"move":"D4","order":0,"prior":0.25,'
    b'"pv":["D4","Q16"],"scoreLead":2.5,"scoreStdev":9.5,"utility":0.4,"visits":60,"winrate":0.7},'
    b'{"lcb":0.58,"move":"pass","order":1,"prior":0.125,"pv":["pass"],"scoreLead":1.5,"scoreStdev":9.25,'
    b'"utility":0.3,"visits":40,"winrate":0.6}],"rootInfo":{"currentPlayer":"%b","scoreLead":2.5,"scoreStdev":9.5,'
    b'"utility":0.4,"visits":%d,"winrate":0.7},"turnNumber":%b}\n'
)
TOGETHER = 32
MOVES = b'","moves":['
MOST_KNOWN = 1000
known: dict[bytes, list[bytes]] = {}


def answers(line: bytes) -> list[bytes]:
    end = line.find(b'"', 7)
    begin, query = line[:end], line[end:]
    ends = known.get(query) or ends_of_answers(query)
    return [begin + rest for rest in ends]


def ends_of_answers(query: bytes) -> list[bytes]:
    if not query.startswith(MOVES):
        return [query + b"\n"]  # of an action
    moves = len(MOVES)
    count = 0 if query.startswith(b"]", moves) else query.count(b'","', moves, query.index(b"]]", moves))
    turns = query[query.rindex(b":[") + 2 : -2].replace(b" ", b"").split(b",")
    made = [answer(count, turn) for turn in turns]
    if len(known) < MOST_KNOWN:
        known[query] = made
    return made


def answer(count: int, turn: bytes) -> bytes:
    visits = 1000 * count + int(turn)
    return ANSWER % (b"BW"[int(turn) % 2 :][:1], visits, turn)


def main() -> None:
    rest = b""
    while data := os.read(0, 1 << 20):
        *lines, rest = (rest + data).split(b"\n")
        made: list[bytes] = []
        for line in lines:
            made += answers(line)
            if len(made) >= TOGETHER:
                write(b"".join(made))
                made = []
        write(b"".join(made))


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()

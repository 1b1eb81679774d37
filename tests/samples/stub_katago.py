"""A stand-in for KataGo's analysis engine: answers by rule, and misbehaves in the way that its argument names."""

import json
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
held = []


def write(value):
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value)) + "\n")
    sys.stdout.flush()


def answer(query, turn):
    """The visits are the numbers of moves and stones that were sent, so that tests see what the engine was sent."""
    color = "B" if turn % 2 == 0 else "W"
    moves = query["moves"][turn:] or [[color, "pass"]]
    infos = [{"move": moves[0][1], "visits": 9, "winrate": 0.6, "scoreLead": 1.5, "order": 1, "pv": ["pass"]}]
    infos.append({"move": "A1", "visits": 10, "winrate": 0.7, "scoreLead": 2.5, "order": 0, "pv": ["A1"], "new": 1})
    root = {"visits": len(query["moves"]) * 100 + turn, "winrate": 0.7, "scoreLead": 2.5, "currentPlayer": color}
    made = {"id": query["id"], "turnNumber": turn, "isDuringSearch": False, "moveInfos": infos, "rootInfo": root}
    if query.get("includeOwnership"):
        made["ownership"] = [0.5] * (query["boardXSize"] * query["boardYSize"])
    return made


def misbehave(query, turn, made):
    """Write what the mode asks for instead of a good answer, or before it."""
    wrong = {
        "syntax": '{"id": "q1", "turn',
        "no-turn": {**made, "turnNumber": None},
        "other-turn": {**made, "turnNumber": 77},
        "no-moves": {**made, "moveInfos": 7},
        "odd-move": {**made, "moveInfos": [{"move": "Z99"}]},
        "odd-number": {**made, "rootInfo": {"winrate": "high"}},
        "nan": json.dumps({**made, "rootInfo": {"winrate": float("nan")}}),
        "short-ownership": {**made, "ownership": [1]},
        "refused": {"error": "bad rules", "field": "rules", "id": query["id"]},
        "refused-all": {"error": "what is this"},
        "none": {"id": query["id"], "turnNumber": turn, "isDuringSearch": False, "noResults": True},
        "array": ["{", 1],
    }
    before = {
        "noise": ["KataGo v1.2.3", "", "[1]", {"id": "other", "turnNumber": 0}, {"id": 5}, {"warning": "no id"}],
        "twice": [made],
        "searching": [{**made, "isDuringSearch": True, "moveInfos": 3}],
        "warning": [{"id": query["id"], "warning": "unused", "field": "spam"}],
    }
    if MODE in wrong:
        write(wrong[MODE])
        return
    if MODE == "dies":
        sys.stderr.write("out of memory\n")
        sys.exit(3)
    if MODE == "silent":
        return
    if MODE == "late":
        time.sleep(0.3)
    for line in before.get(MODE, []):
        write(line)
    if MODE == "flood":
        sys.stdout.write("noise " * 20 + "\n")
        sys.stdout.write(("x" * 99 + "\n") * 20000)
    if MODE == "pieces":
        text = json.dumps(made) + "\n"
        for start in range(0, len(text), 40):
            sys.stdout.write(text[start : start + 40])
            sys.stdout.flush()
            time.sleep(0.002)
        return
    if MODE == "backwards":
        held.append(made)
        return
    write(made)


for line in sys.stdin:
    query = json.loads(line)
    if query.get("action") == "query_version":
        write({**query, "version": "1.99"})
    elif "action" in query:
        sys.stderr.write(f"{query['action']} {query.get('terminateId', '')}\n")
        sys.stderr.flush()
        write(query)
    else:
        for turn in query["analyzeTurns"]:
            misbehave(query, turn, answer(query, turn))
        if MODE == "backwards" and len(held) >= 12:
            for made in reversed(held):
                write(made)
if MODE == "stays":
    time.sleep(60)

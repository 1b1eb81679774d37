"""Small wei7 records for tests of batches: a good one, and one with a move on an occupied point."""

import json


def text(*steps, size=3, **info):
    document = {"format": "wei7", "version": "3.0", "size": size, "info": info, "tree": {"steps": steps}}
    return json.dumps(document, ensure_ascii=False).encode()


def move(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


GOOD = text(move(1, 0, 0), move(2, 1, 1), id="围-1")
BAD = text(move(1, 0, 0), move(2, 0, 0))

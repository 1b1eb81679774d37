"""Records that the tests of the command line read."""

import json
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"
REV7 = EXAMPLES / "rev7"
GOOD = REV7 / "simple.wei7"
LG_CUP = REV7 / "lg-cup.wei7"


def record(steps, **members):
    return json.dumps({"format": "wei7", "version": "3.0", "size": 3, "tree": {"steps": steps}, **members})


def move(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


OCCUPIED = record([move(1, 0, 0), move(2, 0, 0)])

SGF = "(;GM[1]FF[4]SZ[9]GN[one \\] two]PB[黑];B[aa]C[first];W[bb])\n(;GM[1]FF[4]SZ[5]\n;B[cc];W[zz])\n"

"""List the games below a folder in which a position occurs, on any branch and in the same orientation.

python examples/find_position.py tests/data/examples f0a75796d4d2de60
"""

import sys

import wei7core as w7


def main(path: str, key: str) -> None:
    wanted = int(key, 16)
    for results in w7.replay_batches(path, positions=True, jobs=2):
        columns = results.positions.to_numpy()
        for index in (columns["hash"] == wanted).nonzero()[0].tolist():
            print(columns["source"][index], int(columns["record"][index]), "move", int(columns["move_number"][index]))


if __name__ == "__main__":
    main(*sys.argv[1:])

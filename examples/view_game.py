"""View a game in the terminal: Enter goes forward, b back, a number to that move, q ends.

python examples/view_game.py tests/data/examples/rev7/lg-cup.wei7
"""

import sys

import wei7core as w7


def main(path: str) -> None:
    nodes = list(w7.load(path, strict=False).main_line())
    index = 0
    while True:
        node = nodes[index]
        print(node.board)
        print(f"move {node.move_number} of {nodes[-1].move_number}", node.comment or "")
        try:
            word = input("> ").strip()
        except EOFError:
            return
        if word == "q":
            return
        if word == "b":
            index -= 1
        elif word.isdecimal():
            index = int(word)
        else:
            index += 1
        index = min(max(index, 0), len(nodes) - 1)


if __name__ == "__main__":
    main(sys.argv[1])

"""Turn a diagram of text into a picture.

python examples/diagram_to_svg.py < diagram.txt > diagram.svg
"""

import sys

import wei7core as w7


def main() -> None:
    try:
        board = w7.Board.from_text(sys.stdin.read())
    except w7.DiagramError as error:
        sys.exit(str(error))
    print(board.svg())


if __name__ == "__main__":
    main()

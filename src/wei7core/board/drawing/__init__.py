"""Pictures of a position: SVG in themes, and characters with colors for terminals.

`svg.py` is the entry: it takes arrays of cells, not boards. `of_board.py` makes its arguments of a board.
"""

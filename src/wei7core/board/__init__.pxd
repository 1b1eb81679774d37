"""The declarations that other Cython packages use: `from wei7core.board cimport Board, w7_board_play, W7_BLACK`."""

from wei7core.board.board cimport *

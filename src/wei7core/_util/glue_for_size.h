/* The last include of a module whose C from Cython runs once a batch or record: gcc compiles that C, which follows all
 * includes, for size, and the kernels in the headers before it for speed. setup.py defines W7_GLUE_FOR_SIZE in release
 * builds. Not for board.board, whose calls cost a few nanoseconds. */
#ifdef W7_GLUE_FOR_SIZE
#pragma GCC optimize("Os")
#endif

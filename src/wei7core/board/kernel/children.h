/* All children of a position at once: the effect of each move of one colour, without playing it.
 *
 * Most moves only add a stone. Captures need the blocks in atari, each once; suicide and self-atari are possible only
 * on a point with at most one adjacent empty point. A block without liberties, made by an edit, is adjacent to no empty
 * point, so that no move touches it. */
#ifndef W7_BOARD_KERNEL_CHILDREN_H
#define W7_BOARD_KERNEL_CHILDREN_H

#include "_util/cpu.h"
#include "board/kernel/board.h"
#include "board/kernel/child.h"
#include "board/kernel/children_any_size.h"
#include "board/kernel/ko_recapture.h"
#include "board/kernel/superko_history.h"
#include "board/kernel/planes.h"
#include "board/kernel/point_sets.h"
#include "board/kernel/rules.h"

#define w7_plane_few W7_ISA_NAME(W7_ISA, few)
#define w7_plane_pack W7_ISA_NAME(W7_ISA, pack)
#define w7_planes_joined W7_ISA_NAME(W7_ISA, joined)
#define w7_planes_key W7_ISA_NAME(W7_ISA, key)
#define w7_planes_capturable W7_ISA_NAME(W7_ISA, capturable)
#define w7_planes_children W7_ISA_NAME(W7_ISA, children)

#define W7_PLANE portable
#define W7_ISA portable
#define W7_ISA_TARGET
#include "board/kernel/children_planes.h"
#undef W7_ISA
#undef W7_ISA_TARGET
#undef W7_PLANE

#ifdef W7_WITH_X86_ISAS
#define W7_PLANE avx512
#define W7_ISA avx512
#define W7_ISA_TARGET W7_TARGET_AVX512
#include "board/kernel/children_planes.h"
#undef W7_ISA
#undef W7_ISA_TARGET
#undef W7_PLANE
#endif

/* Finds the effect of every move of `color` on planes of its own stones and the opponent's; all but children->legal. */
typedef void (*w7_plane_children)(int isa, const w7_plane_tables *tables, const w7_plane_words *own,
                                  const w7_plane_words *opponent, int color, w7_children *children);

/* The w7_plane_children of this module: 20 KB of code, which one module gives to the others. */
static inline void w7_children_on_planes(int isa, const w7_plane_tables *tables, const w7_plane_words *own,
                                         const w7_plane_words *opponent, int color, w7_children *children)
{
#ifdef W7_WITH_X86_ISAS
    if (isa == W7_ISA_AVX512) {
        w7_avx512_children(tables, own, opponent, color, children);
        return;
    }
#endif
    (void)isa;
    w7_portable_children(tables, own, opponent, color, children);
}

/* Finds the effect of every move of `color`, on a board of any size or, with the tables of its size, by `on_planes`.
 * Legal are the moves of the board's own rules: every empty point. W7_NO_MEMORY is the only failure; not on planes. */
static inline w7_status w7_board_find_children(const w7_board *board, const w7_plane_tables *tables,
                                               w7_plane_children on_planes, int color, w7_children *children)
{
    const size_t set_bytes = w7_point_set_words(w7_grid_points(&board->grid)) * sizeof(uint64_t);
    w7_status status = W7_OK;
    w7_plane_words stones[2];
    if (tables != NULL) {
        w7_planes_read(board, &stones[0], &stones[1]);
        on_planes(board->isa, tables, &stones[color - W7_BLACK], &stones[W7_WHITE - color], color, children);
    } else {
        memset(children->empty, 0, set_bytes);
        memset(children->self_atari, 0, set_bytes);
        status = w7_any_children(&board->grid, color, children);
    }
    memcpy(children->legal, children->empty, set_bytes);
    return status;
}

#endif

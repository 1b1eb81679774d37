/* The children of a board, in memory of their own. */
#ifndef W7_BOARD_KERNEL_CHILDREN_OWNED_H
#define W7_BOARD_KERNEL_CHILDREN_OWNED_H

#include "board/kernel/children.h"
#include "board/kernel/children_rules.h"
#include "board/kernel/point_sets.h"

/* Lays out the sets and the takers in one block of memory, which begins at `empty`. */
static inline void w7_children_lay_out(w7_children *children, void *block, size_t words)
{
    children->empty = (uint64_t *)block;
    children->legal = children->empty + words;
    children->self_atari = children->legal + words;
    children->takers = (w7_child *)(children->self_atari + words);
}

/* Finds the children of a board and which of them the rules allow; `tables` are those of its size, NULL where it has
 * no planes. The caller frees children->empty. W7_NO_MEMORY is the only failure; then there is nothing to free. */
static inline w7_status w7_board_keep_children(w7_board *board, const w7_plane_tables *tables, w7_rules rules,
                                               int color, w7_children *children)
{
    const size_t words = w7_point_set_words(w7_grid_points(&board->grid)), set_bytes = 3 * words * sizeof(uint64_t);
    const uint64_t room = (uint64_t)w7_grid_points(&board->grid) - (uint64_t)board->stone_count;
    uint64_t block[3 * W7_PLANE_WORDS + W7_PLANE_BITS * sizeof(w7_child) / sizeof(uint64_t)];
    w7_status status;
    void *found = block, *kept;
    size_t bytes;
    if (room > (SIZE_MAX - set_bytes) / sizeof(w7_child))
        return W7_NO_MEMORY;
    /* Most boards have planes and few takers: these are found on the stack and copied to memory of exact size. */
    if (tables == NULL && (found = malloc(set_bytes + (size_t)room * sizeof(w7_child))) == NULL)
        return W7_NO_MEMORY;
    w7_children_lay_out(children, found, words);
    children->taker_count = 0;
    status = w7_board_find_children(board, tables, w7_children_on_planes, color, children);
    if (status == W7_OK)
        status = w7_children_apply(board, tables, rules, color, children);
    /* One byte more than needed, because realloc(p, 0) may free p: an uninitialised board has no points. */
    bytes = set_bytes + (size_t)children->taker_count * sizeof(w7_child) + 1;
    kept = status != W7_OK ? NULL : tables == NULL ? realloc(found, bytes) : malloc(bytes);
    if (kept == NULL) {
        if (tables == NULL)
            free(found);
        children->empty = NULL; /* the old layout is freed, and the owner of the children frees this one */
        return W7_NO_MEMORY;
    }
    if (tables != NULL)
        memcpy(kept, found, bytes);
    w7_children_lay_out(children, kept, words);
    return W7_OK;
}

#endif

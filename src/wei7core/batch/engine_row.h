/* The row of a record: the final position of its main line, and figures of the line. No Python. */
#ifndef W7_BATCH_ENGINE_ROW_H
#define W7_BATCH_ENGINE_ROW_H

#include "batch/engine_state.h"
#include "replaying/line.h"
#include "replaying/summary.h"
#include "replaying/walk.h"

static inline int w7_bulk_add_letters(w7_bulk *bulk)
{
    const w7_grid *grid = &bulk->slot->board.grid;
    w7_letters *letters = &bulk->letters;
    const int64_t more = (int64_t)grid->width * grid->height;
    if (w7_letters_reserve(letters, more) != 0)
        return -1;
    w7_board_letters(&bulk->slot->board, bulk->isa, letters->at + letters->count);
    letters->count += more;
    return 0;
}

static inline int w7_bulk_add_facts(w7_bulk *bulk)
{
    const w7_bulk_text *text = bulk->text;
    const w7_stop *stop = &bulk->main_stop;
    const int64_t step = stop->kind == W7_STOP_NONE ? -1 : stop->offset;
    if (step >= 0)
        bulk->facts.row->stop =
            (int32_t)(stop->kind == W7_STOP_UNREADABLE ? step : bulk->found.at[stop->move_number].shown);
    return w7_facts_add(&bulk->facts, &bulk->record, bulk->missed, step, text->at, text->size,
                        text->format == W7_BULK_SGF, bulk->double_byte, &bulk->slot->keys, bulk->isa,
                        &bulk->slot->board);
}

/* Describes the stones on the board. `stones` are the same stones as planes, Black first,
 * which are used instead of the board's; or NULL. */
static inline int w7_bulk_describe_stones(w7_bulk *bulk, const w7_plane_words *stones, w7_bulk_row *row)
{
    w7_board *board = &bulk->slot->board;
    const int has_keys = w7_symmetry_keys_serve(&bulk->slot->keys, &board->grid);
    w7_plane_words planes[2];
    uint64_t hashes[8];
    if (stones != NULL && (!has_keys || bulk->with_letters))
        w7_planes_write(&board->grid, &stones[0], &stones[1]);
    if (bulk->write != NULL) /* what is written has no hashes */
        return bulk->with_letters ? w7_bulk_add_letters(bulk) : 0;
    if (has_keys && stones == NULL) {
        w7_planes_read(board, &planes[0], &planes[1]);
        stones = planes;
    }
    if (has_keys)
        w7_symmetry_keys_hashes(&bulk->slot->keys, bulk->isa, &stones[0], &stones[1], hashes);
    else
        w7_grid_hashes(&board->grid, hashes);
    row->hash = hashes[0];
    row->canonical_hash = w7_canonical_hash(&board->grid, hashes);
    return bulk->with_letters ? w7_bulk_add_letters(bulk) : 0;
}

/* The main line has come to its end. */
static inline int w7_bulk_describe(w7_bulk *bulk, const w7_walk *walk, w7_bulk_row *row)
{
    const w7_board *board = &bulk->slot->board;
    const w7_figures figures = w7_board_figures(board, bulk->isa);
    row->moves = figures.moves;
    row->passes = figures.passes;
    row->takebacks = walk->main_takebacks;
    row->suicides = figures.suicides;
    row->ko_recaptures = figures.ko_recaptures;
    row->black_captured = board->captured[W7_BLACK];
    row->white_captured = board->captured[W7_WHITE];
    if (bulk->with_facts && w7_bulk_add_facts(bulk) != 0)
        return -1;
    if (bulk->with_metadata &&
        w7_metadata_add_board(&bulk->metadata, &bulk->slot->keys, &bulk->record, bulk->missed, board) != 0)
        return -1;
    if (bulk->positions.with_canonical &&
        w7_positions_follow(&bulk->positions, walk, figures.moves)) { /* the hashes are those of the last row */
        row->hash = bulk->positions.hash;
        row->canonical_hash = w7_canonical_hash(&board->grid, bulk->positions.sums);
        return bulk->with_letters ? w7_bulk_add_letters(bulk) : 0;
    }
    return w7_bulk_describe_stones(bulk, NULL, row);
}

static inline int w7_bulk_describe_line(w7_bulk *bulk, const w7_line *line, w7_bulk_row *row)
{
    row->moves = line->moves;
    row->passes = line->passes;
    row->suicides = line->suicides;
    row->ko_recaptures = line->ko_recaptures;
    row->black_captured = line->captured[W7_BLACK];
    row->white_captured = line->captured[W7_WHITE];
    return w7_bulk_describe_stones(bulk, line->stones, row);
}

#endif

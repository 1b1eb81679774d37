/* The batch engine: texts are decoded and replayed on every branch, and the end of the main line becomes a row.
 *
 * One record and one board are reused for all texts. What is wrong with a record is counted by code, and the error of its
 * row is stored with the text that its message needs; a caller that does not ask for errors does such records itself. No
 * Python. */
#ifndef W7_BATCH_ENGINE_H
#define W7_BATCH_ENGINE_H

#include "batch/engine_decode.h"
#include "batch/engine_error.h"
#include "batch/engine_walk.h"

/* Whether the table of positions of the record stays within the limit, or -1 when memory is short. */
static inline int w7_bulk_has_room(const w7_bulk *bulk)
{
    const w7_record *record = &bulk->record;
    const int64_t area = (int64_t)record->width * record->height;
    int64_t size;
    if (!bulk->with_positions || (record->trees.count == 1 && record->steps.count < bulk->max_positions / (area + 1)))
        return 1;
    return w7_walk_text_size(&bulk->record, &size) != 0 ? -1 : size <= bulk->max_positions;
}

static inline int w7_bulk_add_id(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row)
{
    const uint8_t *begin, *end;
    row->name_begin = bulk->name.begin;
    row->name_end = bulk->name.end;
    row->id_size = -1;
    row->charset = bulk->charset;
    if (!bulk->with_ids || row->name_begin < 0)
        return 0;
    begin = text->at + row->name_begin;
    end = text->at + row->name_end;
    if (bulk->is_raw_name) {
        row->is_raw_name = bulk->has_raw_names = 1;
        row->id_size = end - begin;
        if (w7_letters_reserve(&bulk->ids, row->id_size) != 0)
            return -1;
        memcpy(bulk->ids.at + bulk->ids.count, begin, (size_t)row->id_size);
        bulk->ids.count += row->id_size;
        return 0;
    }
    return text->format == W7_BULK_SGF ? w7_name_of_values(begin, end, bulk->double_byte, &bulk->ids, &row->id_size)
                                       : w7_name_of_info(&bulk->record, text->at, &bulk->ids, &row->id_size);
}

/* Frees a board whose memory small ones do not need. */
static inline void w7_bulk_drop_large_board(w7_bulk *bulk)
{
    const w7_grid *grid = &bulk->slot->board.grid;
    if ((int64_t)grid->width * grid->height <= W7_BULK_MOST_POINTS)
        return;
    w7_board_free(&bulk->slot->board);
    w7_symmetry_keys_free(&bulk->slot->keys);
}

/* Whether the text as a whole, in UTF-8, has the characters that its values have. */
static inline int w7_bulk_has_text_of_values(const w7_bulk *bulk)
{
    const w7_problems *problems = &bulk->record.problems;
    if (bulk->charset == W7_CHARSET_UTF8)
        return 1;
    for (int64_t k = 0; k < problems->count; k++)
        if (problems->at[k].code == W7_TEXT_UNDECODABLE || problems->at[k].code == W7_STRAY_TEXT)
            return 0;
    return 1;
}

/* Fills in the row of a record that was decoded. Returns 1, 0 if it is deferred, or -1 when memory is short. */
static inline int w7_bulk_fill_row(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row)
{
    const w7_record *record = &bulk->record;
    const int64_t points = (int64_t)record->width * record->height;
    const int has_board = points > 0 && points <= bulk->max_points, has_game = record->trees.count > 0;
    const int has_room = w7_bulk_has_room(bulk);
    int good = 1;
    if (has_room < 0)
        return -1;
    bulk->is_too_long = !has_room;
    if (!bulk->with_failures && (bulk->is_too_long || !has_board || !has_game || record->unreadable))
        return 0;
    if (bulk->with_facts && points > W7_BULK_MOST_POINTS)
        return 0;
    if (bulk->with_metadata && w7_bulk_read_header(bulk, text) != 0)
        return -1;
    if (!has_game)
        bulk->metadata.row.handicap = -1;
    if (has_board && has_game) {
        good = w7_bulk_replay(bulk, row);
        w7_bulk_drop_large_board(bulk);
    }
    if (good <= 0)
        return good;
    row->width = record->width;
    row->height = record->height;
    row->lacks = has_game ? has_board ? 0 : W7_BULK_LACKS_BOARD : W7_BULK_LACKS_GAME;
    if (!has_game)
        bulk->name = w7_no_span();
    if (w7_bulk_add_id(bulk, text, row) != 0 || w7_bulk_keep_failure(bulk, text, has_board) != 0)
        return -1;
    w7_bulk_count_problems(bulk, row);
    if (bulk->write != NULL && row->lacks == 0 && text->format != W7_BULK_DECODED && w7_bulk_is_written(bulk) &&
        w7_bulk_has_text_of_values(bulk) &&
        bulk->write(bulk->writing, record, text->at, text->size, text->format != W7_BULK_SGF, bulk->positions.text,
                    bulk->charset, &bulk->sgf) != 0)
        return -1;
    return 1;
}

/* Returns 0, or -1 when memory is short. */
static inline int w7_bulk_one(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row)
{
    const w7_positions_mark positions = w7_positions_here(&bulk->positions);
    const int64_t letters = bulk->letters.count;
    const int64_t first = bulk->metadata.first.count;
    int good;
    bulk->text = text;
    memset(&bulk->failure, 0, sizeof bulk->failure);
    bulk->failure.step = -1;
    bulk->found.count = 0;
    bulk->main_stop.kind = bulk->side_stop.kind = W7_STOP_NONE;
    bulk->missed = -1;
    memset(row, 0, sizeof *row);
    if (bulk->with_facts)
        memset(bulk->facts.row, 0, sizeof *bulk->facts.row);
    if (bulk->with_metadata)
        w7_metadata_clear_row(&bulk->metadata);
    /* Facts and headers name places in the text by 32 bits. */
    good = (bulk->with_facts || bulk->with_metadata) && text->size > INT32_MAX ? 0 : w7_bulk_decode(bulk, text);
    if (good > 0)
        good = w7_bulk_fill_row(bulk, text, row);
    if (good == 0) {
        memset(row, 0, sizeof *row);
        row->is_deferred = 1;
        if (bulk->with_facts)
            memset(bulk->facts.row, 0, sizeof *bulk->facts.row);
        bulk->letters.count = letters;
        bulk->metadata.first.count = first;
        w7_metadata_clear_row(&bulk->metadata);
        w7_positions_cut(&bulk->positions, positions);
    }
    if (good >= 0 && bulk->with_metadata && w7_metadata_add_row(&bulk->metadata) != 0)
        return -1;
    return good < 0 ? -1 : 0;
}

/* Texts in one buffer: number k is bytes begins[k] up to ends[k]. */
typedef struct {
    const uint8_t *data;
    const int64_t *begins;
    const int64_t *ends;
    uint8_t format;
} w7_bulk_block;

/* Whether all texts of the block are inside a buffer of `size` bytes. */
static inline int w7_bulk_block_fits(const w7_bulk_block *block, int64_t count, int64_t size)
{
    for (int64_t k = 0; k < count; k++)
        if (block->begins[k] < 0 || block->ends[k] < block->begins[k] || block->ends[k] > size)
            return 0;
    return 1;
}

/* Bytes of letters, positions and failures that wait for the caller. */
static inline int64_t w7_bulk_held(const w7_bulk *bulk)
{
    return bulk->letters.count + bulk->ids.count + w7_positions_bytes(&bulk->positions) +
           w7_metadata_bytes(&bulk->metadata) + bulk->failures.texts.count +
           bulk->failures.rows.count * (int64_t)sizeof(w7_bulk_failure);
}

/* Replays text `number` of a block. Returns 1, 0 if something is requested first, or -1 when memory is short. */
static inline int w7_bulk_number(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *rows, int64_t number)
{
    bulk->positions.text = number;
    bulk->facts.row = bulk->with_facts ? bulk->facts.rows + number : NULL;
    if (w7_bulk_one(bulk, text, &rows[number]) != 0)
        return -1;
    if (bulk->wants_charsets > 1 || bulk->wants_utf8 > 1) {
        bulk->metadata.rows.count -= bulk->with_metadata;
        return 0;
    }
    bulk->spent += text->size;
    return 1;
}

/* Estimates the positions of texts of so many bytes. */
static inline void w7_bulk_expect_positions(w7_bulk *bulk, int format, int64_t bytes)
{
    const int64_t rows = bytes / (format == W7_BULK_SGF ? W7_BULK_SGF_MOVE_BYTES : W7_BULK_WEI7_MOVE_BYTES);
    const int64_t most = bulk->positions.is_sparse ? W7_BULK_MOST_SPARSE : W7_BULK_MOST_EXPECTED;
    bulk->positions.expected = rows < 0 ? 0 : rows < most ? rows : most;
}

/* Does texts of a block from number `next` on, until all `count` are done or it is time to look for signals; positions
 * name their text by its number. Also stops after W7_BULK_MOST_HELD bytes of results, and before a text that needs what
 * is requested. Returns the number of the next one to do, or -1 when memory is short. */
static inline int64_t w7_bulk_run_block(w7_bulk *bulk, const w7_bulk_block *block, w7_bulk_row *rows, int64_t next,
                                        int64_t count)
{
    if (bulk->positions.room == 0 && next < count)
        w7_bulk_expect_positions(bulk, block->format, block->ends[count - 1] - block->begins[next]);
    for (bulk->spent = 0; next < count && bulk->spent < W7_BULK_TICK && w7_bulk_held(bulk) < W7_BULK_MOST_HELD;
         next++) {
        const w7_bulk_text text = {block->data + block->begins[next], block->ends[next] - block->begins[next],
                                   block->format};
        int done;
        bulk->next_text = next + 1 < count ? block->data + block->begins[next + 1] : NULL;
        done = w7_bulk_number(bulk, &text, rows, next);
        if (done <= 0)
            return done < 0 ? -1 : next;
    }
    return next;
}

#endif

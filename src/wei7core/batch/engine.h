/* Many texts, one after the other: decoded, replayed on every branch, and the end of the main line described in a row.
 *
 * The memory of one record and one board serves all of them. A text with anything to say beyond its row (a problem,
 * a branch that cannot be played) is left to the caller, who has the words for it. No Python. */
#ifndef W7_BULK_H
#define W7_BULK_H

#include "batch/summary.h"
#include "batch/record_id.h"
#include "batch/positions.h"
#include "board/kernel/symmetry_keys.h"
#include "replaying/line.h"
#include "replaying/summary.h"
#include "replaying/walk.h"
#include "formats/sgf/decode.h"
#include "formats/wei7/decode.h"

enum {
    W7_BULK_MOST_POINTS = 1 << 16, /* larger boards are left: their memory would be kept for the small ones */
    W7_BULK_TICK = 1 << 23,        /* bytes of text and moves between two chances to look for signals */
    W7_BULK_MOST_HELD = 1 << 24,   /* bytes of results after which a block is left for the next call */
    W7_BULK_FIELDS = 4             /* sizes of boards that are kept: few others are mixed with a common one */
};

enum { W7_BULK_UNKNOWN = 0, W7_BULK_WEI7_7, W7_BULK_WEI7_2, W7_BULK_SGF };

typedef struct {
    const uint8_t *at;
    int64_t size;
    const void *later; /* where the caller looks when all texts are done: it is asked for meanwhile; may be NULL */
    uint8_t format;
} w7_bulk_text;

/* What became of one text; all zeros but `left` where it is left to the caller. */
typedef struct {
    int32_t width;
    int32_t height;
    int64_t moves; /* in force at the end of the main line, as the figures below */
    int64_t passes;
    int64_t takebacks; /* on the main line */
    int64_t suicides;
    int64_t ko_recaptures;
    int64_t black_captured;
    int64_t white_captured;
    uint64_t hash;
    uint64_t canonical_hash;
    int64_t name_begin; /* bytes of the text that hold the name of the record: in wei7 its info, in SGF the values */
    int64_t name_end;   /* of GN; -1 where there is none */
    int64_t id_size;    /* bytes of the name among w7_bulk.ids, -1 where there is none or none was asked for */
    uint8_t left;
    uint8_t unused[7];
} w7_bulk_row;

/* A board, and what is looked up for its size. */
typedef struct {
    w7_board board;
    w7_symmetry_keys keys;
    int64_t last_use;
} w7_bulk_field;

/* All zeros but the limits at first. */
typedef struct {
    w7_decode_options wei7;
    w7_layouts layouts; /* of the texts of wei7 so far */
    w7_sgf_options sgf;
    int64_t max_points;
    int64_t max_moves;
    int isa;                  /* w7_isa */
    const w7_bulk_text *text; /* at hand */
    const uint8_t *ahead;     /* the next one */
    w7_record record;
    w7_span name; /* of the record */
    w7_bulk_field fields[W7_BULK_FIELDS];
    w7_bulk_field *field; /* of the record */
    int64_t uses;         /* of fields */
    int64_t spent;        /* bytes of text and moves of this run */
    w7_letters letters;   /* of the last positions, one after the other, where they are asked for */
    w7_letters ids;       /* names of the records, one after the other, where they are asked for */
    w7_positions positions;
    int64_t max_positions;
    uint8_t with_letters;
    uint8_t with_ids;
    w7_facts_work facts;
    uint8_t with_positions;
    uint8_t with_facts; /* which takes the history of the moves */
} w7_bulk;

static inline void w7_bulk_free(w7_bulk *bulk)
{
    w7_record_free(&bulk->record);
    for (int k = 0; k < W7_BULK_FIELDS; k++) {
        w7_board_free(&bulk->fields[k].board);
        w7_symmetry_keys_free(&bulk->fields[k].keys);
    }
    free(bulk->letters.at);
    free(bulk->ids.at);
    w7_facts_work_free(&bulk->facts);
    w7_positions_free(&bulk->positions);
    memset(bulk, 0, sizeof *bulk);
}

/* Takes a board of that size, of any content: the one that was of it last time, or else the one that nobody took for
 * longest. */
static inline w7_status w7_bulk_take_field(w7_bulk *bulk, int32_t width, int32_t height)
{
    w7_bulk_field *field = bulk->fields;
    for (int k = 0; k < W7_BULK_FIELDS; k++) {
        w7_bulk_field *other = &bulk->fields[k];
        if (other->board.grid.width == width && other->board.grid.height == height) {
            field = other;
            break;
        }
        if (other->last_use < field->last_use)
            field = other;
    }
    field->board.isa = (uint8_t)bulk->isa;
    field->last_use = ++bulk->uses;
    bulk->field = field;
    if (field->board.grid.width == width && field->board.grid.height == height)
        return W7_OK;
    return w7_board_renew(&field->board, width, height);
}

static inline int w7_bulk_decode_wei7(w7_bulk *bulk, const w7_bulk_text *text)
{
    bulk->wei7.revision = text->format == W7_BULK_WEI7_2 ? 2 : 7;
    if (w7_decode(text->at, text->size, &bulk->wei7, &bulk->layouts, &bulk->record) != 0)
        return -1;
    bulk->name = bulk->record.info;
    return 1;
}

/* Whether a text of SGF is read in the encoding that it says, without a look at its bytes from outside. */
static inline int w7_bulk_is_plain_text(const w7_bulk_text *text, const w7_record *record)
{
    const uint8_t *name;
    if (record->flags & W7_NOT_UTF8)
        return 0;
    if (!(record->flags & W7_HAS_HIGH_BYTES))
        return 1;
    if (record->charset.begin < 0)
        return 0;
    name = text->at + record->charset.begin;
    return record->charset.end - record->charset.begin == 5 && (name[0] | 0x20) == 'u' && (name[1] | 0x20) == 't' &&
           (name[2] | 0x20) == 'f' && name[3] == '-' && name[4] == '8';
}

/* Whether the capitals of a property's name are G and N. */
static inline int w7_bulk_is_game_name(const uint8_t *key, const uint8_t *end)
{
    uint32_t capitals = 0;
    for (; key < end; key++)
        if (*key < 'a' || *key > 'z')
            capitals = capitals << 8 | *key;
    return capitals == ('G' << 8 | 'N');
}

/* The values of the property GN of the root node. */
static inline w7_span w7_bulk_sgf_name(const w7_bulk_text *text, const w7_record *record)
{
    for (int64_t i = 0; i < record->kept.count && record->kept.at[i].owner == W7_OWNER_ROOT; i++) {
        const w7_kept *kept = &record->kept.at[i];
        if (w7_bulk_is_game_name(text->at + kept->key.begin, text->at + kept->key.end))
            return kept->value;
    }
    return w7_no_span();
}

static inline int w7_bulk_decode_sgf(w7_bulk *bulk, const w7_bulk_text *text)
{
    if (w7_sgf_decode(text->at, text->size, &bulk->sgf, &bulk->record) != 0)
        return -1;
    if (bulk->record.problems.count == 0 && !w7_bulk_is_plain_text(text, &bulk->record))
        return 0;
    bulk->name = w7_bulk_sgf_name(text, &bulk->record);
    return 1;
}

/* Returns whether the record holds nothing to speak of, or -1 when memory is short. */
static inline int w7_bulk_decode(w7_bulk *bulk, const w7_bulk_text *text)
{
    const w7_record *record = &bulk->record;
    int read = text->format == W7_BULK_UNKNOWN ? 0
               : text->format == W7_BULK_SGF   ? w7_bulk_decode_sgf(bulk, text)
                                               : w7_bulk_decode_wei7(bulk, text);
    if (read <= 0)
        return read;
    return record->problems.count == 0 && record->trees.count > 0 && !record->unreadable;
}

static inline int w7_bulk_add_letters(w7_bulk *bulk)
{
    const w7_grid *grid = &bulk->field->board.grid;
    w7_letters *letters = &bulk->letters;
    const int64_t more = (int64_t)grid->width * grid->height;
    if (w7_letters_reserve(letters, more) != 0)
        return -1;
    w7_board_letters(&bulk->field->board, bulk->isa, letters->at + letters->count);
    letters->count += more;
    return 0;
}

static inline int w7_bulk_add_facts(w7_bulk *bulk)
{
    const w7_bulk_text *text = bulk->text;
    return w7_facts_add(&bulk->facts, &bulk->record, text->at, text->size, text->format == W7_BULK_SGF,
                        &bulk->field->keys, bulk->isa, &bulk->field->board);
}

/* Describes the stones on the board, and what the record says itself. `stones` are the same as planes, black ones
 * first, and then those of the board need not be right; or NULL. */
static inline int w7_bulk_describe_stones(w7_bulk *bulk, const w7_plane_words *stones, w7_bulk_row *row)
{
    w7_board *board = &bulk->field->board;
    const int has_keys = w7_symmetry_keys_serve(&bulk->field->keys, &board->grid);
    w7_plane_words planes[2];
    uint64_t hashes[8];
    if (stones != NULL && (!has_keys || bulk->with_letters))
        w7_planes_write(&board->grid, &stones[0], &stones[1]);
    if (has_keys && stones == NULL) {
        w7_planes_read(board, &planes[0], &planes[1]);
        stones = planes;
    }
    if (has_keys)
        w7_symmetry_keys_hashes(&bulk->field->keys, bulk->isa, &stones[0], &stones[1], hashes);
    else
        w7_grid_hashes(&board->grid, hashes);
    row->width = board->grid.width;
    row->height = board->grid.height;
    row->hash = hashes[0];
    row->canonical_hash = w7_canonical_hash(&board->grid, hashes);
    row->name_begin = bulk->name.begin;
    row->name_end = bulk->name.end;
    return bulk->with_letters ? w7_bulk_add_letters(bulk) : 0;
}

/* The main line has come to its end. */
static inline int w7_bulk_describe(w7_bulk *bulk, const w7_walk *walk, w7_bulk_row *row)
{
    const w7_board *board = &bulk->field->board;
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

/* Writes down all positions up to the next event that is none. */
static inline w7_event w7_bulk_next_position(w7_bulk *bulk, w7_walk *walk)
{
    for (;;) {
        w7_event event = w7_walk_next(walk);
        if (event != W7_EVENT_MOVE && event != W7_EVENT_PRE && event != W7_EVENT_SETUP)
            return event;
        if (w7_positions_add(&bulk->positions, walk, event) != 0)
            return W7_EVENT_NO_MEMORY;
    }
}

/* Walks all branches of the record. Returns whether every one could be played, or -1 when memory is short. */
static inline int w7_bulk_walk(w7_bulk *bulk, w7_bulk_row *row)
{
    w7_walk walk;
    w7_event event;
    int failed = 0;
    w7_walk_init(&walk, &bulk->record, &bulk->field->board, bulk->max_moves);
    walk.ahead = (uintptr_t)bulk->ahead;
    do {
        event = bulk->with_positions ? w7_bulk_next_position(bulk, &walk) : w7_walk_next_halt(&walk);
        if (event == W7_EVENT_MAIN_END) {
            failed = w7_bulk_describe(bulk, &walk, row);
            event = failed || !w7_walk_has_more(&walk) ? W7_EVENT_END : event;
        }
    } while (event == W7_EVENT_MAIN_END);
    bulk->spent += w7_walk_spent(&walk);
    w7_walk_free(&walk);
    return failed || event == W7_EVENT_NO_MEMORY ? -1 : event == W7_EVENT_END;
}

/* Replays the record. Returns whether every branch could be played, or -1 when memory is short. */
static inline int w7_bulk_replay(w7_bulk *bulk, w7_bulk_row *row)
{
    const w7_record *record = &bulk->record;
    w7_line line;
    if (w7_bulk_take_field(bulk, record->width, record->height) != W7_OK)
        return -1;
    if (!bulk->with_positions && !bulk->with_facts &&
        w7_line_replay(record, &bulk->field->board, bulk->max_moves, (uintptr_t)bulk->ahead, &line)) {
        bulk->spent += line.moves;
        return w7_bulk_describe_line(bulk, &line, row) == 0 ? 1 : -1;
    }
    w7_board_clear(&bulk->field->board);
    w7_positions_start(&bulk->positions);
    return w7_bulk_walk(bulk, row);
}

/* Whether the table of positions of the record stays within the limit, or -1 when memory is short. */
static inline int w7_bulk_has_room(const w7_bulk *bulk)
{
    int64_t size;
    if (!bulk->with_positions)
        return 1;
    return w7_walk_text_size(&bulk->record, &size) != 0 ? -1 : size <= bulk->max_positions;
}

static inline int w7_bulk_add_id(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row)
{
    const uint8_t *begin = text->at + row->name_begin, *end = text->at + row->name_end;
    row->id_size = -1;
    if (!bulk->with_ids || row->name_begin < 0)
        return 0;
    return text->format == W7_BULK_SGF ? w7_name_of_values(begin, end, &bulk->ids, &row->id_size)
                                       : w7_name_of_info(begin, end, &bulk->ids, &row->id_size);
}

/* Returns 0, or -1 when memory is short. */
static inline int w7_bulk_one(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row)
{
    const int64_t letters = bulk->letters.count, positions = bulk->positions.count;
    const w7_record *record = &bulk->record;
    /* Facts name places in the text by 32 bits. */
    int good = bulk->with_facts && text->size > INT32_MAX ? 0 : w7_bulk_decode(bulk, text);
    int64_t points = good > 0 ? (int64_t)record->width * record->height : 0;
    bulk->text = text;
    memset(row, 0, sizeof *row);
    if (bulk->with_facts)
        memset(bulk->facts.row, 0, sizeof *bulk->facts.row);
    good = good > 0 ? w7_bulk_has_room(bulk) : good;
    if (good > 0 && points > 0 && points <= bulk->max_points && points <= W7_BULK_MOST_POINTS) {
        good = w7_bulk_replay(bulk, row);
    } else if (good > 0) {
        good = 0;
    }
    if (good > 0 && w7_bulk_add_id(bulk, text, row) != 0)
        return -1;
    if (good == 0) {
        memset(row, 0, sizeof *row);
        row->left = 1;
        if (bulk->with_facts)
            memset(bulk->facts.row, 0, sizeof *bulk->facts.row);
        bulk->letters.count = letters;
        w7_positions_cut(&bulk->positions, positions);
    }
    return good < 0 ? -1 : 0;
}

/* Does texts from number `next` on, until all `count` are done or it is time to look for signals. Returns the number
 * of the next one to do, or -1 when memory is short. */
static inline int64_t w7_bulk_run(w7_bulk *bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t next,
                                  int64_t count)
{
    for (bulk->spent = 0; next < count && bulk->spent < W7_BULK_TICK; next++) {
        bulk->ahead = next + 1 < count ? texts[next + 1].at : NULL;
        W7_PREFETCH(texts[next].later);
        if (w7_bulk_one(bulk, &texts[next], &rows[next]) != 0)
            return -1;
        bulk->spent += texts[next].size;
    }
    return next;
}

/* Texts that stand in one buffer: number k is bytes begins[k] up to ends[k]. */
typedef struct {
    const uint8_t *data;
    const int64_t *begins;
    const int64_t *ends;
    uint8_t format;
} w7_bulk_block;

/* Whether all texts of the block lie in a buffer of `size` bytes. */
static inline int w7_bulk_block_fits(const w7_bulk_block *block, int64_t count, int64_t size)
{
    for (int64_t k = 0; k < count; k++)
        if (block->begins[k] < 0 || block->ends[k] < block->begins[k] || block->ends[k] > size)
            return 0;
    return 1;
}

/* Bytes of letters and positions that wait for the caller. */
static inline int64_t w7_bulk_held(const w7_bulk *bulk)
{
    return bulk->letters.count + bulk->ids.count + w7_positions_bytes(&bulk->positions);
}

/* As w7_bulk_run, for the texts of a block; positions name their text by its number. Also stops where
 * W7_BULK_MOST_HELD bytes wait for the caller. */
static inline int64_t w7_bulk_run_block(w7_bulk *bulk, const w7_bulk_block *block, w7_bulk_row *rows, int64_t next,
                                        int64_t count)
{
    for (bulk->spent = 0; next < count && bulk->spent < W7_BULK_TICK && w7_bulk_held(bulk) < W7_BULK_MOST_HELD;
         next++) {
        const w7_bulk_text text = {block->data + block->begins[next], block->ends[next] - block->begins[next], NULL,
                                   block->format};
        bulk->positions.text = next;
        bulk->facts.row = bulk->with_facts ? bulk->facts.rows + next : NULL;
        bulk->ahead = next + 1 < count ? block->data + block->begins[next + 1] : NULL;
        if (w7_bulk_one(bulk, &text, &rows[next]) != 0)
            return -1;
        bulk->spent += text.size;
    }
    return next;
}

#endif

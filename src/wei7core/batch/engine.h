/* The batch engine: texts are decoded and replayed on every branch, and the end of the main line becomes a row.
 *
 * One record and one board are reused for all texts. Problems that do not prevent a replay are counted by code if
 * requested. Texts with other problems, or with a branch that cannot be played, need the fallback of the caller. No
 * Python. */
#ifndef W7_BATCH_ENGINE_H
#define W7_BATCH_ENGINE_H

#include "batch/failures.h"
#include "batch/metadata.h"
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
    W7_BULK_MOST_POINTS = 1 << 16,  /* larger boards need the fallback: their memory would be kept for small ones */
    W7_BULK_TICK = 1 << 23,         /* bytes of text and moves between two checks for signals */
    W7_BULK_LONGEST_INFO = 4096,    /* bytes of an info object with problems of which the name is taken here */
    W7_BULK_MOST_HELD = 1 << 24,    /* bytes of results after which the rest of a block is left to the next call */
    W7_BULK_MOST_EXPECTED = 160000, /* positions for which memory is allocated at once: more than a result holds */
    W7_BULK_SGF_MOVE_BYTES = 6,
    W7_BULK_WEI7_MOVE_BYTES = 64,
    W7_BULK_SLOTS = 4 /* boards kept by size: few sizes are mixed in a batch */
};

enum { W7_BULK_UNKNOWN = 0, W7_BULK_WEI7_7, W7_BULK_WEI7_2, W7_BULK_SGF };

/* Flags of a code: the problem is counted and needs no fallback; it is an error; it is the error of its row, wherever the
 * main line ends; it may be the place where reading stopped. */
enum { W7_BULK_COUNTED = 1, W7_BULK_ERROR = 2, W7_BULK_REFUSED = 4, W7_BULK_BREAK = 8 };

typedef struct {
    const uint8_t *at;
    int64_t size;
    const void *later; /* address to prefetch for the caller; may be NULL */
    uint8_t format;
} w7_bulk_text;

/* The row of one text; all zeros but `needs_fallback` if the text needs the fallback. */
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
    uint8_t needs_fallback;
    uint8_t charset; /* w7_charset of the name among w7_bulk.ids */
    uint8_t unused[2];
    int32_t problems; /* of the decoder: none of them an error of the row */
} w7_bulk_row;

/* A board and the tables of its size. */
typedef struct {
    w7_board board;
    w7_symmetry_keys keys;
    int64_t last_use;
} w7_bulk_slot;

/* The decoders are compiled in modules of their own: w7_decode and w7_sgf_decode_game. */
typedef int (*w7_decode_function)(const uint8_t *text, int64_t size, const w7_decode_options *options,
                                  w7_layouts *layouts, w7_record *record);
typedef int (*w7_sgf_decode_function)(const uint8_t *text, int64_t size, const w7_sgf_options *options,
                                      w7_record *record, w7_sgf_facts *facts);

/* All zeros but the decoders and the limits at first. */
typedef struct {
    w7_decode_function decode_wei7;
    w7_sgf_decode_function decode_sgf;
    w7_decode_options wei7;
    w7_layouts layouts; /* of the texts of wei7 so far */
    w7_sgf_options sgf;
    int64_t max_points;
    int64_t max_moves;
    int isa;                  /* w7_isa */
    const w7_bulk_text *text; /* being read */
    const uint8_t *next_text; /* the next one */
    w7_record record;
    w7_span name; /* of the record */
    w7_bulk_slot slots[W7_BULK_SLOTS];
    w7_bulk_slot *slot; /* of the record */
    int64_t uses;       /* of slots */
    int64_t replaced;   /* moves of the record that replace a stone */
    int64_t spent;      /* bytes of text and moves of this run */
    w7_letters letters; /* the last positions, concatenated, if requested */
    w7_letters ids;     /* names of the records, concatenated, if requested */
    w7_positions positions;
    int64_t max_positions;
    const uint8_t *charsets;  /* the tables and names of charset.h, NULL: not loaded */
    const uint8_t *last_name; /* among them, of the last record */
    int wanted_charset;       /* of texts that do not name theirs, or a wrong one; -1: none */
    uint8_t charset;          /* of the record */
    uint8_t wants_charsets;   /* 1: they may be requested; 2: they are requested */
    uint8_t wants_utf8;       /* the same, for the UTF-8 of a text in an encoding without a table */
    uint8_t is_utf8;          /* the text is one that was requested */
    int utf8_code;            /* problem of the encoding that it had; -1: none */
    uint8_t with_letters;
    uint8_t with_ids;
    w7_facts_work facts;
    w7_metadata metadata;
    uint8_t with_metadata;
    uint8_t with_positions;
    uint8_t with_facts;                /* which takes the history of the moves */
    uint8_t is_counted[W7_CODE_COUNT]; /* by code: W7_BULK_COUNTED, W7_BULK_ERROR, W7_BULK_REFUSED */
    w7_failures failures;
    w7_bulk_failure failure;       /* of the record; code W7_CODE_COUNT: none */
    uint8_t is_of_branch;          /* the failure is that of a branch other than the main line */
    int32_t missed;                /* the first tree of the main line that the walk did not enter; -1: none */
    uint8_t with_failures;         /* records whose main line ends with an error need no fallback */
    int64_t counts[W7_CODE_COUNT]; /* problems of the records that need no fallback */
} w7_bulk;

static inline void w7_bulk_free(w7_bulk *bulk)
{
    w7_record_free(&bulk->record);
    for (int k = 0; k < W7_BULK_SLOTS; k++) {
        w7_board_free(&bulk->slots[k].board);
        w7_symmetry_keys_free(&bulk->slots[k].keys);
    }
    free(bulk->letters.at);
    free(bulk->ids.at);
    w7_failures_free(&bulk->failures);
    w7_facts_work_free(&bulk->facts);
    w7_metadata_free(&bulk->metadata);
    w7_positions_free(&bulk->positions);
    memset(bulk, 0, sizeof *bulk);
}

/* Selects a board of the size, with any content: the one that has it, or else the least recently used one. */
static inline w7_status w7_bulk_take_slot(w7_bulk *bulk, int32_t width, int32_t height)
{
    w7_bulk_slot *slot = bulk->slots;
    for (int k = 0; k < W7_BULK_SLOTS; k++) {
        w7_bulk_slot *other = &bulk->slots[k];
        if (other->board.grid.width == width && other->board.grid.height == height) {
            slot = other;
            break;
        }
        if (other->last_use < slot->last_use)
            slot = other;
    }
    slot->board.isa = (uint8_t)bulk->isa;
    slot->last_use = ++bulk->uses;
    bulk->slot = slot;
    if (slot->board.grid.width == width && slot->board.grid.height == height)
        return W7_OK;
    return w7_board_renew(&slot->board, width, height);
}

static inline int w7_bulk_decode_wei7(w7_bulk *bulk, const w7_bulk_text *text)
{
    bulk->wei7.revision = text->format == W7_BULK_WEI7_2 ? 2 : 7;
    if (bulk->decode_wei7(text->at, text->size, &bulk->wei7, &bulk->layouts, &bulk->record) != 0)
        return -1;
    bulk->name = bulk->record.info;
    bulk->charset = W7_CHARSET_UTF8;
    return 1;
}

/* Whether an SGF text can be read in its stated encoding without examining its bytes. */
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

/* Adds a problem of the encoding, unless the decoder has found it. Returns 0, or -1 when memory is short. */
static inline int w7_bulk_add_problem(w7_bulk *bulk, int code, int64_t offset, int detail)
{
    const w7_problems *problems = &bulk->record.problems;
    for (int64_t k = 0; k < problems->count; k++)
        if (problems->at[k].code == code && problems->at[k].offset == offset)
            return 0;
    return w7_sgf_add_problem(&bulk->record, code, offset, detail, bulk->sgf.max_problems);
}

/* Whether the text is, or looks, wide: UTF-16 or UTF-32. */
static inline int w7_bulk_looks_wide(const w7_bulk_text *text)
{
    const uint8_t *p = text->at;
    return text->size < 4 || memchr(p, 0, 4) != NULL || (p[0] == 0xFF && p[1] == 0xFE) ||
           (p[0] == 0xFE && p[1] == 0xFF);
}

/* Determines the encoding of a record that was read as single bytes, and reads it again if necessary. Returns whether
 * it is known, or -1 when memory is short. */
static inline int w7_bulk_settle_charset(w7_bulk *bulk, const w7_bulk_text *text, const w7_sgf_facts *facts)
{
    const uint8_t *begin = text->at + facts->begin, *end = text->at + facts->end;
    const int64_t said_at = bulk->record.charset.begin;
    const int said = said_at < 0 ? -1
                                 : w7_sgf_charset_of_name(bulk->charsets, text->at + said_at,
                                                          text->at + bulk->record.charset.end, &bulk->last_name);
    w7_charset_choice choice;
    w7_sgf_facts others;
    int failed = 0;
    if (said == -2)
        bulk->wants_utf8 *= 2;
    if (said == -2 || w7_bulk_looks_wide(text))
        return 0;
    w7_charset_choose(bulk->charsets, begin, end, !(bulk->record.flags & W7_NOT_UTF8), said, bulk->wanted_charset,
                      &choice);
    bulk->charset = (uint8_t)choice.charset;
    bulk->sgf.double_byte = w7_charset_double_byte(choice.charset);
    if (bulk->sgf.double_byte && w7_sgf_is_read_by_pairs(begin, end, NULL, bulk->sgf.double_byte))
        failed = bulk->decode_sgf(text->at, text->size, &bulk->sgf, &bulk->record, &others);
    bulk->sgf.double_byte = 0;
    if (!choice.is_named)
        failed |= said == -1 ? w7_bulk_add_problem(bulk, W7_CHARSET_ASSUMED,
                                                   w7_charset_pass_ascii(begin, end) - text->at, choice.evidence)
                             : w7_bulk_add_problem(bulk, W7_CHARSET_CONTRADICTED, said_at, choice.evidence);
    if (choice.undecodable >= 0)
        failed |= w7_bulk_add_problem(bulk, W7_TEXT_UNDECODABLE, facts->begin + choice.undecodable, 0);
    bulk->name = w7_bulk_sgf_name(text, &bulk->record);
    if (failed)
        return -1;
    /* Where the bytes of a name end is not the same for everybody if some of them are no characters. */
    return choice.undecodable < 0 || bulk->name.begin < 0 ||
           w7_charset_reads(bulk->charsets, choice.charset, text->at + bulk->name.begin, text->at + bulk->name.end);
}

static inline int w7_bulk_decode_sgf(w7_bulk *bulk, const w7_bulk_text *text)
{
    w7_sgf_facts facts;
    if (bulk->wants_utf8 && !bulk->is_utf8 && text->size >= 4 && w7_bulk_looks_wide(text)) {
        bulk->wants_utf8 *= 2;
        return 0;
    }
    if (bulk->decode_sgf(text->at, text->size, &bulk->sgf, &bulk->record, &facts) != 0)
        return -1;
    bulk->charset = W7_CHARSET_UTF8;
    if (bulk->is_utf8 || w7_bulk_is_plain_text(text, &bulk->record)) {
        bulk->name = w7_bulk_sgf_name(text, &bulk->record);
        return bulk->is_utf8 && bulk->utf8_code >= 0 && w7_bulk_add_problem(bulk, bulk->utf8_code, 0, 0) != 0 ? -1 : 1;
    }
    if (bulk->charsets != NULL)
        return w7_bulk_settle_charset(bulk, text, &facts);
    if (bulk->wants_charsets)
        bulk->wants_charsets *= 2;
    else
        bulk->wants_utf8 *= 2;
    return 0;
}

/* Whether the name of a wei7 record is ambiguous. */
static inline int w7_bulk_is_name_doubtful(const w7_bulk *bulk, const w7_problem *problem)
{
    const w7_span name = bulk->name;
    if (bulk->text->format == W7_BULK_SGF || name.begin < 0)
        return 0;
    if (problem->code == W7_ENCODING_INVALID) /* which is reported once, wherever it is */
        return 1;
    /* Python takes the last of two members, no string with a bare control character, and nothing that nests deeply. */
    return problem->offset >= name.begin && problem->offset < name.end &&
           (problem->code == W7_DUPLICATE_MEMBER || problem->code == W7_SURROGATE_LONE ||
            problem->code == W7_JSON_SYNTAX || problem->code == W7_STRING_CONTROL_CHARACTER ||
            problem->code == W7_STRING_LINE_BREAK || name.end - name.begin > W7_BULK_LONGEST_INFO);
}

/* Whether all problems of the record are such as need only be counted. */
static inline int w7_bulk_may_count(const w7_bulk *bulk)
{
    const w7_problems *problems = &bulk->record.problems;
    for (int64_t k = 0; k < problems->count; k++) {
        const int kind = bulk->is_counted[problems->at[k].code];
        if (!(kind & W7_BULK_COUNTED) || (kind & W7_BULK_REFUSED && !bulk->with_failures) ||
            w7_bulk_is_name_doubtful(bulk, &problems->at[k]))
            return 0;
    }
    return problems->count <= INT32_MAX / 2;
}

static inline void w7_bulk_count_problems(w7_bulk *bulk, w7_bulk_row *row)
{
    const w7_problems *problems = &bulk->record.problems;
    const int64_t most = bulk->sgf.max_problems, replaced = bulk->replaced < most ? bulk->replaced : most;
    for (int64_t k = 0; k < problems->count; k++)
        bulk->counts[problems->at[k].code]++;
    /* Replay lists as many problems as the decoder, and then reports that there are more. */
    bulk->counts[W7_MOVE_OCCUPIED] += replaced;
    bulk->counts[W7_LIMIT_PROBLEMS] += bulk->replaced > replaced;
    bulk->counts[W7_MOVE_OCCUPIED] += bulk->failure.color != 0;
    row->problems = (int32_t)(problems->count + replaced + (bulk->replaced > replaced) + (bulk->failure.color != 0));
}

/* Returns whether the record holds nothing that needs more than its row, or -1 when memory is short. */
static inline int w7_bulk_decode(w7_bulk *bulk, const w7_bulk_text *text)
{
    const w7_record *record = &bulk->record;
    int read = text->format == W7_BULK_UNKNOWN ? 0
               : text->format == W7_BULK_SGF   ? w7_bulk_decode_sgf(bulk, text)
                                               : w7_bulk_decode_wei7(bulk, text);
    if (read <= 0)
        return read;
    return record->trees.count > 0 && (!record->unreadable || bulk->with_failures) && w7_bulk_may_count(bulk);
}

/* Whether a text of the record has bytes that are no characters. */
static inline int w7_bulk_has_undecodable(const w7_bulk *bulk)
{
    const w7_problems *problems = &bulk->record.problems;
    for (int64_t k = 0; k < problems->count; k++)
        if (problems->at[k].code == W7_TEXT_UNDECODABLE)
            return 1;
    return 0;
}

/* Reads the header. Returns 1, 0 if the record needs the fallback, -1 when memory is short. */
static inline int w7_bulk_read_header(w7_bulk *bulk, const w7_bulk_text *text)
{
    w7_metadata *metadata = &bulk->metadata;
    int read;
    metadata->scratch.count = 0;
    metadata->row.handicap = w7_metadata_handicap(&bulk->record);
    if (text->format != W7_BULK_SGF)
        return w7_metadata_of_info(metadata, &bulk->record, text->at);
    read = w7_metadata_of_root(metadata, &bulk->record, text->at, bulk->charset,
                               w7_charset_double_byte((w7_charset)bulk->charset));
    return read > 0 && w7_bulk_has_undecodable(bulk) ? 0 : read;
}

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
    return w7_facts_add(&bulk->facts, &bulk->record, bulk->missed, text->at, text->size, text->format == W7_BULK_SGF,
                        w7_charset_double_byte((w7_charset)bulk->charset), &bulk->slot->keys, bulk->isa,
                        &bulk->slot->board);
}

/* Describes the stones on the board and the header of the record. `stones` are the same stones as planes, Black first,
 * which are used instead of the board's; or NULL. */
static inline int w7_bulk_describe_stones(w7_bulk *bulk, const w7_plane_words *stones, w7_bulk_row *row)
{
    w7_board *board = &bulk->slot->board;
    const int has_keys = w7_symmetry_keys_serve(&bulk->slot->keys, &board->grid);
    w7_plane_words planes[2];
    uint64_t hashes[8];
    if (stones != NULL && (!has_keys || bulk->with_letters))
        w7_planes_write(&board->grid, &stones[0], &stones[1]);
    if (has_keys && stones == NULL) {
        w7_planes_read(board, &planes[0], &planes[1]);
        stones = planes;
    }
    if (has_keys)
        w7_symmetry_keys_hashes(&bulk->slot->keys, bulk->isa, &stones[0], &stones[1], hashes);
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
        w7_event event;
        int is_replaced;
        if (walk->phase == W7_PHASE_STEPS && w7_positions_play_on(&bulk->positions, walk) != 0)
            return W7_EVENT_NO_MEMORY;
        event = w7_walk_next(walk);
        is_replaced = event == W7_EVENT_REPLACED;
        if (event != W7_EVENT_MOVE && event != W7_EVENT_PRE && event != W7_EVENT_SETUP && !is_replaced)
            return event;
        if (w7_positions_add(&bulk->positions, walk, is_replaced ? W7_EVENT_MOVE : event, is_replaced) != 0)
            return W7_EVENT_NO_MEMORY;
        if (is_replaced)
            return event;
    }
}

/* Writes down the positions of a record by itself, as far as its branches can be played. Returns W7_EVENT_END,
 * W7_EVENT_TICK, after which it is to be called again, or W7_EVENT_NO_MEMORY. */
static inline w7_event w7_bulk_walk_positions(w7_bulk *bulk, w7_walk *walk)
{
    for (;;) {
        const w7_event event = w7_bulk_next_position(bulk, walk);
        if (event == W7_EVENT_END || event == W7_EVENT_TICK || event == W7_EVENT_NO_MEMORY)
            return event;
    }
}

/* Begins with the positions of a record by itself: the walk starts with an empty board of its size. */
static inline w7_status w7_bulk_start_positions(w7_bulk *bulk, const w7_record *record, w7_walk *walk)
{
    const w7_status status = w7_bulk_take_slot(bulk, record->width, record->height);
    if (status != W7_OK)
        return status;
    w7_board_clear(&bulk->slot->board);
    w7_positions_start(&bulk->positions, &bulk->slot->keys);
    w7_walk_init(walk, record, &bulk->slot->board, bulk->max_moves);
    return W7_OK;
}

/* Notes the error of the unreadable step at which the walk has stopped. Returns whether the decoder has found one. */
static inline int w7_bulk_find_error(w7_bulk *bulk, int64_t offset)
{
    const w7_problems *problems = &bulk->record.problems;
    const w7_problem *found = NULL;
    int best = 0;
    for (int64_t k = 0; k < problems->count; k++) {
        const w7_problem *problem = &problems->at[k];
        const int is_later = problem->offset >= offset;
        const int is_of_move = bulk->text->format == W7_BULK_SGF &&
                               (problem->code == W7_MOVE_INVALID || problem->code == W7_POINT_OFF_BOARD);
        /* One of a move, the first error from there on, the last error before. */
        const int rank = !(bulk->is_counted[problem->code] & W7_BULK_ERROR) ? 0 : is_later ? 2 + is_of_move : 1;
        if (rank > best || (rank != 0 && rank == best && (problem->offset < found->offset) == is_later)) {
            found = problem;
            best = rank;
        }
    }
    if (found != NULL)
        bulk->failure.problem = *found;
    return found != NULL;
}

/* Whether the walk continues after a stop: that of the main line at a move with an error, or that of another branch at a
 * step that the decoder could not read. */
static inline int w7_bulk_fails_at(w7_bulk *bulk, const w7_walk *walk)
{
    const w7_stop *stop = &walk->stop;
    w7_bulk_failure *failure = &bulk->failure;
    if (!bulk->with_failures || bulk->sgf.max_problems == 0)
        return 0;
    if (!walk->on_main && stop->kind == W7_STOP_UNREADABLE) {
        if (failure->problem.code != W7_CODE_COUNT)
            return 1;
        failure->step = -1;
        bulk->is_of_branch = 1;
        return w7_bulk_find_error(bulk, stop->offset);
    }
    if (!walk->on_main || failure->problem.code != W7_CODE_COUNT)
        return 0;
    failure->step = -1;
    bulk->missed = walk->step < 0 ? walk->tree : walk->record->trees.at[walk->tree].first_branch;
    if (bulk->text->format != W7_BULK_SGF) {
        const w7_span step = w7_failure_step(walk, bulk->text->at, bulk->text->size);
        failure->step = step.begin < 0 ? -1 : (int32_t)(walk->step - walk->record->trees.at[0].first_step);
        failure->base = step.begin;
        failure->size = step.end - step.begin;
    }
    if (stop->kind == W7_STOP_UNREADABLE)
        return w7_bulk_find_error(bulk, stop->offset);
    if (stop->kind != W7_STOP_OCCUPIED || bulk->replaced > 0)
        return 0;
    failure->problem.code = W7_MOVE_OCCUPIED;
    failure->problem.offset = stop->offset;
    failure->move_number = stop->move_number;
    failure->x = stop->x;
    failure->y = stop->y;
    failure->color = stop->color;
    return 1;
}

static inline int w7_bulk_goes_on(w7_bulk *bulk, const w7_walk *walk, w7_event event)
{
    if (event == W7_EVENT_REPLACED)
        return bulk->is_counted[W7_MOVE_OCCUPIED] & W7_BULK_COUNTED;
    return event == W7_EVENT_STOP && w7_bulk_fails_at(bulk, walk);
}

/* Walks all branches of the record. Returns whether every one could be played, or -1 when memory is short. */
static inline int w7_bulk_walk(w7_bulk *bulk, w7_bulk_row *row)
{
    w7_walk walk;
    w7_event event;
    int failed = 0;
    w7_walk_init(&walk, &bulk->record, &bulk->slot->board, bulk->max_moves);
    walk.ahead = (uintptr_t)bulk->next_text;
    bulk->replaced = 0;
    bulk->missed = -1;
    do {
        event = bulk->with_positions ? w7_bulk_next_position(bulk, &walk) : w7_walk_next_halt(&walk);
        bulk->replaced += event == W7_EVENT_REPLACED;
        if (event == W7_EVENT_MAIN_END) {
            failed = w7_bulk_describe(bulk, &walk, row);
            event = failed || !w7_walk_has_more(&walk) ? W7_EVENT_END : event;
        }
    } while (event == W7_EVENT_MAIN_END || w7_bulk_goes_on(bulk, &walk, event));
    bulk->spent += w7_walk_spent(&walk);
    w7_walk_free(&walk);
    return failed || event == W7_EVENT_NO_MEMORY ? -1 : event == W7_EVENT_END;
}

/* Replays the record. Returns whether every branch could be played, or -1 when memory is short. */
static inline int w7_bulk_replay(w7_bulk *bulk, w7_bulk_row *row)
{
    const w7_record *record = &bulk->record;
    w7_line line;
    if (w7_bulk_take_slot(bulk, record->width, record->height) != W7_OK)
        return -1;
    if (!bulk->with_positions && !bulk->with_facts &&
        w7_line_replay(record, &bulk->slot->board, bulk->max_moves, (uintptr_t)bulk->next_text, &line)) {
        bulk->replaced = 0;
        bulk->spent += line.moves;
        if (bulk->with_metadata &&
            w7_metadata_add_line(&bulk->metadata, &bulk->slot->keys, &bulk->slot->board.grid, record, line.moves) != 0)
            return -1;
        return w7_bulk_describe_line(bulk, &line, row) == 0 ? 1 : -1;
    }
    w7_board_clear(&bulk->slot->board);
    w7_positions_start(&bulk->positions, &bulk->slot->keys);
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
    const int double_byte = w7_charset_double_byte((w7_charset)bulk->charset);
    row->id_size = -1;
    row->charset = bulk->charset;
    if (!bulk->with_ids || row->name_begin < 0)
        return 0;
    return text->format == W7_BULK_SGF ? w7_name_of_values(begin, end, double_byte, &bulk->ids, &row->id_size)
                                       : w7_name_of_info(begin, end, &bulk->ids, &row->id_size);
}

/* Stores the error of the record, if any, with the part of its text that the message needs. Returns 0, or -1 when
 * memory is short. */
static inline int w7_bulk_keep_failure(w7_bulk *bulk, const w7_bulk_text *text)
{
    const w7_problems *problems = &bulk->record.problems;
    w7_bulk_failure *failure = &bulk->failure;
    const int is_cut = bulk->record.unreadable && (failure->problem.code == W7_CODE_COUNT || bulk->is_of_branch);
    int best = 0; /* flags of the error so far */
    for (int64_t k = 0; k < problems->count; k++) {
        const w7_problem *problem = &problems->at[k];
        const int flags = bulk->is_counted[problem->code];
        const int kind = flags & W7_BULK_REFUSED                          ? W7_BULK_REFUSED
                         : !is_cut || best & W7_BULK_REFUSED              ? 0
                         : flags & W7_BULK_BREAK                          ? W7_BULK_BREAK
                         : flags & W7_BULK_ERROR && best != W7_BULK_BREAK ? W7_BULK_ERROR
                                                                          : 0;
        /* The first one of those that no game is read for, the last one of others. */
        if (kind != 0 && (kind != best || (problem->offset < failure->problem.offset) == (kind == W7_BULK_REFUSED))) {
            failure->problem = *problem;
            failure->step = -1;
            best = kind;
        }
    }
    if (failure->problem.code == W7_CODE_COUNT)
        return 0;
    if (failure->color != 0) { /* the error is the point of the step */
        const int64_t point = w7_find_in_step(text->at, text->size, failure->problem.offset, "point");
        failure->problem.offset = point < 0 ? failure->problem.offset : point;
    }
    if (failure->problem.offset < failure->base || failure->problem.offset >= failure->base + failure->size ||
        bulk->record.unreadable)
        failure->step = -1; /* the problem is elsewhere, or its step has no end */
    failure->text = bulk->positions.text;
    failure->charset = bulk->charset;
    return w7_failures_add(&bulk->failures, *failure, text->at, text->size);
}

/* Returns 0, or -1 when memory is short. */
static inline int w7_bulk_one(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_row *row)
{
    const w7_positions_mark positions = w7_positions_here(&bulk->positions);
    const int64_t letters = bulk->letters.count;
    const int64_t first = bulk->metadata.first.count;
    const w7_record *record = &bulk->record;
    int64_t points;
    int good;
    bulk->text = text;
    memset(&bulk->failure, 0, sizeof bulk->failure);
    bulk->failure.problem.code = W7_CODE_COUNT;
    bulk->is_of_branch = 0;
    /* Facts and headers name places in the text by 32 bits. */
    good = (bulk->with_facts || bulk->with_metadata) && text->size > INT32_MAX ? 0 : w7_bulk_decode(bulk, text);
    points = good > 0 ? (int64_t)record->width * record->height : 0;
    memset(row, 0, sizeof *row);
    if (bulk->with_facts)
        memset(bulk->facts.row, 0, sizeof *bulk->facts.row);
    if (bulk->with_metadata)
        w7_metadata_clear_row(&bulk->metadata);
    if (good > 0 && bulk->with_metadata)
        good = w7_bulk_read_header(bulk, text);
    good = good > 0 ? w7_bulk_has_room(bulk) : good;
    if (good > 0 && points > 0 && points <= bulk->max_points && points <= W7_BULK_MOST_POINTS) {
        good = w7_bulk_replay(bulk, row);
    } else if (good > 0) {
        good = 0;
    }
    if (good > 0 && w7_bulk_add_id(bulk, text, row) != 0)
        return -1;
    if (good > 0 && w7_bulk_keep_failure(bulk, text) != 0)
        return -1;
    if (good > 0)
        w7_bulk_count_problems(bulk, row);
    if (good == 0) {
        memset(row, 0, sizeof *row);
        row->needs_fallback = 1;
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

/* Does texts from number `next` on, until all `count` are done or it is time to look for signals. Returns the number
 * of the next one to do, or -1 when memory is short. */
static inline int64_t w7_bulk_run(w7_bulk *bulk, const w7_bulk_text *texts, w7_bulk_row *rows, int64_t next,
                                  int64_t count)
{
    for (bulk->spent = 0; next < count && bulk->spent < W7_BULK_TICK; next++) {
        bulk->next_text = next + 1 < count ? texts[next + 1].at : NULL;
        W7_PREFETCH(texts[next].later);
        if (w7_bulk_one(bulk, &texts[next], &rows[next]) != 0)
            return -1;
        bulk->spent += texts[next].size;
    }
    return next;
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

/* Bytes of letters, positions and texts of failures that wait for the caller. */
static inline int64_t w7_bulk_held(const w7_bulk *bulk)
{
    return bulk->letters.count + bulk->ids.count + w7_positions_bytes(&bulk->positions) +
           w7_metadata_bytes(&bulk->metadata) + bulk->failures.texts.count;
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
    bulk->positions.expected = rows < 0 ? 0 : rows < W7_BULK_MOST_EXPECTED ? rows : W7_BULK_MOST_EXPECTED;
}

/* As w7_bulk_run, for the texts of a block; positions name their text by its number. Also stops after W7_BULK_MOST_HELD
 * bytes of results, and before a text that needs what is requested. */
static inline int64_t w7_bulk_run_block(w7_bulk *bulk, const w7_bulk_block *block, w7_bulk_row *rows, int64_t next,
                                        int64_t count)
{
    if (bulk->positions.room == 0 && next < count)
        w7_bulk_expect_positions(bulk, block->format, block->ends[count - 1] - block->begins[next]);
    for (bulk->spent = 0; next < count && bulk->spent < W7_BULK_TICK && w7_bulk_held(bulk) < W7_BULK_MOST_HELD;
         next++) {
        const w7_bulk_text text = {block->data + block->begins[next], block->ends[next] - block->begins[next], NULL,
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

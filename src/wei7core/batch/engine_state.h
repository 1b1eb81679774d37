/* The state of the batch engine between texts: a record, boards by size, and the results so far. No Python. */
#ifndef W7_BATCH_ENGINE_STATE_H
#define W7_BATCH_ENGINE_STATE_H

#include "batch/failures.h"
#include "batch/metadata.h"
#include "batch/positions.h"
#include "batch/record_id.h"
#include "batch/summary.h"
#include "board/kernel/symmetry_keys.h"
#include "formats/sgf/decode.h"
#include "formats/wei7/decode.h"

enum {
    W7_BULK_MOST_POINTS = 1 << 16,  /* larger boards are freed after their record */
    W7_BULK_TICK = 1 << 23,         /* bytes of text and moves between two checks for signals */
    W7_BULK_LONGEST_INFO = 4096,    /* bytes of an info object with problems of which the name is read here */
    W7_BULK_MOST_HELD = 1 << 24,    /* bytes of results after which the rest of a block waits for the next call */
    W7_BULK_MOST_EXPECTED = 160000, /* positions for which memory is allocated at once: more than a result holds */
    W7_BULK_MOST_SPARSE = 1 << 21,  /* sparse ones */
    W7_BULK_MOST_KEPT = 1 << 22,    /* bytes that a batch keeps for the next one */
    W7_BULK_SGF_MOVE_BYTES = 6,
    W7_BULK_WEI7_MOVE_BYTES = 64,
    W7_BULK_SLOTS = 4 /* boards kept by size: few sizes are mixed in a batch */
};

/* W7_BULK_DECODED: the text was decoded by the caller, see w7_bulk.decoded. */
enum { W7_BULK_UNKNOWN = 0, W7_BULK_WEI7_7, W7_BULK_WEI7_2, W7_BULK_SGF, W7_BULK_DECODED };

/* Flags of a code: the problem is counted and defers no record; it is an error; no game is read because of it; it may be
 * the place where reading stopped; it is that of a move of SGF, of a size; a record with it may be written. */
enum {
    W7_BULK_COUNTED = 1,
    W7_BULK_ERROR = 2,
    W7_BULK_REFUSED = 4,
    W7_BULK_BREAK = 8,
    W7_BULK_OF_MOVE = 16,
    W7_BULK_OF_SIZE = 32,
    W7_BULK_WRITTEN = 64
};

/* What the row of a record lacks: the figures of its last position, or of the whole game. */
enum { W7_BULK_LACKS_BOARD = 1, W7_BULK_LACKS_GAME = 2 };

typedef struct {
    const uint8_t *at;
    int64_t size;
    uint8_t format;
} w7_bulk_text;

/* The row of one text; all zeros but `is_deferred` if the text is deferred. */
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
    int64_t name_begin;  /* bytes of the text that hold the name of the record: in wei7 its info, in SGF the values */
    int64_t name_end;    /* of GN; -1 where there is none */
    int64_t id_size;     /* bytes of the name among w7_bulk.ids, -1 where there is none or none was asked for */
    uint8_t is_deferred; /* the caller is to replay the record by itself */
    uint8_t charset;     /* w7_charset of the name among w7_bulk.ids */
    uint8_t lacks;       /* W7_BULK_LACKS_BOARD and so on, 0: nothing */
    uint8_t is_raw_name; /* the name among w7_bulk.ids is the range of the text, not read */
    int32_t problems;
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

/* Writes record `number` of the batch, a game of wei7 or SGF without errors but W7_BULK_WRITTEN, to `writing`; `charset` is its encoding.
 * Returns 0, or -1 with an exception set. */
typedef int (*w7_write_function)(void *writing, const w7_record *record, const uint8_t *text, int64_t size, int is_wei7,
                                 int64_t number, int charset, const w7_sgf_options *options);

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
    const w7_record *decoded; /* of a text that the caller has decoded; its tables are borrowed */
    w7_span name;             /* of the record */
    uint8_t is_raw_name;      /* it is not read here */
    uint8_t is_damaged;       /* a text of SGF has bytes that are no characters */
    w7_bulk_slot slots[W7_BULK_SLOTS];
    w7_bulk_slot *slot; /* of the record */
    int64_t uses;       /* of slots */
    w7_founds found;    /* problems that the replay of the record finds */
    w7_stop main_stop;  /* where the main line ends early, kind W7_STOP_NONE: nowhere */
    w7_stop side_stop;  /* the first place where another branch does */
    int64_t spent;      /* bytes of text and moves of this run */
    w7_letters letters; /* the last positions, concatenated, if requested */
    w7_letters ids;     /* names of the records, concatenated, if requested */
    w7_positions positions;
    int64_t max_positions;
    const uint8_t *charsets;  /* the tables and names of charset.h, NULL: not loaded */
    const uint8_t *last_name; /* among them, of the last record */
    int wanted_charset;       /* of texts that do not name theirs, or a wrong one; -1: none */
    uint8_t charset;          /* of the record */
    uint8_t double_byte;      /* of its texts, as in w7_sgf_pair */
    uint8_t has_all_charsets; /* the tables have those of the pairs that are not guessed */
    uint8_t wants_charsets;   /* 1: they may be requested; 2: they are requested */
    uint8_t wants_utf8;       /* the same, for the UTF-8 of a text in UTF-16 or UTF-32 */
    uint8_t is_utf8;          /* the text is one that was requested */
    int64_t not_wide;         /* the number of a text that looks wide and is not; -1: none */
    uint8_t with_letters;
    uint8_t with_ids;
    w7_facts_work facts;
    w7_metadata metadata;
    uint8_t with_metadata;
    uint8_t with_positions;
    uint8_t with_facts;                /* which takes the history of the moves */
    uint8_t is_counted[W7_CODE_COUNT]; /* by code: W7_BULK_COUNTED, W7_BULK_ERROR, W7_BULK_REFUSED */
    w7_failures failures;
    w7_bulk_failure failure;       /* where the record stops, of which its failures are made */
    int32_t missed;                /* the first tree of the main line that the walk did not enter; -1: none */
    uint8_t with_failures;         /* records with an error are not deferred */
    uint8_t is_strict;             /* the first error of a record is that of its row */
    uint8_t lists_problems;        /* all problems are failures, without their texts */
    uint8_t lacks_board;           /* the record, and no problem of the decoder has the reason */
    uint8_t is_too_long;           /* the table of positions of the record */
    uint8_t has_raw_names;         /* some name among the ids is not read */
    int64_t counts[W7_CODE_COUNT]; /* problems of the records that are not deferred */
    w7_write_function write;       /* NULL: nothing is written */
    void *writing;
    int (*check_signals)(void); /* called in long replays; not 0: stop as if memory were short */
} w7_bulk;

static inline void w7_bulk_slots_free(w7_bulk_slot *slots)
{
    for (int k = 0; k < W7_BULK_SLOTS; k++) {
        w7_board_free(&slots[k].board);
        w7_symmetry_keys_free(&slots[k].keys);
    }
}

static inline void w7_bulk_free(w7_bulk *bulk)
{
    w7_record_free(&bulk->record);
    w7_bulk_slots_free(bulk->slots);
    free(bulk->letters.at);
    free(bulk->ids.at);
    w7_failures_free(&bulk->failures);
    free(bulk->found.at);
    w7_facts_work_free(&bulk->facts);
    w7_metadata_free(&bulk->metadata);
    w7_positions_free(&bulk->positions);
    memset(bulk, 0, sizeof *bulk);
}

/* The rows of a record and the boards of a batch, kept for the next one: memory that is new to the system costs as much
 * as some dozens of games. */
typedef struct {
    w7_record record;
    w7_bulk_slot slots[W7_BULK_SLOTS];
} w7_bulk_kept;

/* Where they are kept; NULL: nothing is, or a batch has it. Any number of threads may use it. */
typedef w7_bulk_kept *w7_bulk_keeper;

static inline w7_bulk_kept *w7_bulk_exchange_kept(w7_bulk_keeper *keeper, w7_bulk_kept *kept)
{
#ifdef __GNUC__
    return __atomic_exchange_n(keeper, kept, __ATOMIC_ACQ_REL);
#else
    (void)keeper;
    return kept;
#endif
}

/* Takes what another batch has kept, if anything. */
static inline void w7_bulk_take_kept(w7_bulk *bulk, w7_bulk_keeper *keeper)
{
    w7_bulk_kept *kept = w7_bulk_exchange_kept(keeper, NULL);
    if (kept == NULL)
        return;
    bulk->record = kept->record;
    memcpy(bulk->slots, kept->slots, sizeof bulk->slots);
    for (int k = 0; k < W7_BULK_SLOTS; k++)
        bulk->slots[k].last_use = 0;
    free(kept);
}

static inline void w7_bulk_kept_free(w7_bulk_kept *kept)
{
    if (kept == NULL)
        return;
    w7_record_free(&kept->record);
    w7_bulk_slots_free(kept->slots);
    free(kept);
}

/* About the bytes of the rows of the record, of the boards and of their histories. */
static inline int64_t w7_bulk_bytes_kept(const w7_bulk *bulk)
{
    enum { POINT_BYTES = 64 };
    const w7_record *record = &bulk->record;
    int64_t bytes = W7_TABLE_BYTES(record->trees) + W7_TABLE_BYTES(record->steps) + W7_TABLE_BYTES(record->details) +
                    W7_TABLE_BYTES(record->pres) + W7_TABLE_BYTES(record->stones) + W7_TABLE_BYTES(record->marks) +
                    W7_TABLE_BYTES(record->kept) + W7_TABLE_BYTES(record->problems) + W7_TABLE_BYTES(record->header);
    for (int k = 0; k < W7_BULK_SLOTS; k++) {
        const w7_board *board = &bulk->slots[k].board;
        bytes += (int64_t)board->grid.width * board->grid.height * POINT_BYTES +
                 board->move_room * (int64_t)sizeof(w7_move) + board->removed_room * (int64_t)sizeof(w7_point) +
                 board->edit_room * (int64_t)sizeof(w7_edit);
    }
    return bytes;
}

/* Frees a batch that owns its record, and keeps what is not large for the next one. */
static inline void w7_bulk_end(w7_bulk *bulk, w7_bulk_keeper *keeper)
{
    w7_bulk_kept *kept = w7_bulk_bytes_kept(bulk) <= W7_BULK_MOST_KEPT ? (w7_bulk_kept *)malloc(sizeof *kept) : NULL;
    if (kept != NULL) {
        kept->record = bulk->record;
        memcpy(kept->slots, bulk->slots, sizeof kept->slots);
        w7_record_init(&bulk->record);
        memset(bulk->slots, 0, sizeof bulk->slots);
        w7_bulk_kept_free(w7_bulk_exchange_kept(keeper, kept)); /* of a batch that ended before */
    }
    w7_bulk_free(bulk);
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

#endif

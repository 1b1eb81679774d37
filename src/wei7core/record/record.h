/* A record as plain columns: a decoder of any format fills them, and replay reads them.
 *
 * Rows are structs with fixed offsets, so that Python sees each table as a NumPy structured array over the same memory.
 * Texts stay in the source bytes and are referenced by spans. Independent of formats and boards. */
#ifndef W7_RECORD_RECORD_H
#define W7_RECORD_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_util/table.h"

/* Bytes [begin, end) of the source; begin is -1 for an absent member. */
typedef struct {
    int64_t begin;
    int64_t end;
} w7_span;

enum {
    W7_STEP_UNREADABLE = 0, /* replay stops here; a problem has the reason; detail.value = the whole step */
    W7_STEP_MOVE = 1,       /* color, x, y (both -1: a pass), tag = evaluation */
    W7_STEP_TAKEBACK = 2,   /* x = number of moves withdrawn */
    W7_STEP_RESULT = 3,     /* color = winner (0: draw); detail.value = margin, if any */
    W7_STEP_MARK = 4,       /* x, y, tag = symbol */
    W7_STEP_MESSAGE = 5,    /* detail.value = text */
    W7_STEP_RAW = 6,        /* no move; unreadable otherwise; detail.value = the whole step */
    W7_STEP_SETUP = 7,      /* the y rows of stones from row x on are added or removed */
    W7_STEP_NOTE = 8        /* no action: a place in the game for comments and marks */
};

enum {
    W7_EVALUATION_NONE = 0,
    W7_EVALUATION_BAD = 1,
    W7_EVALUATION_GOOD = 2,
    W7_EVALUATION_TRICK = 3,        /* revision 2 only */
    W7_EVALUATION_CONTROVERSIAL = 4 /* revision 2 only */
};

typedef struct {
    int64_t offset; /* of the step in the source */
    int32_t x;
    int32_t y;
    int32_t detail; /* row of details, or -1: a bare step */
    uint8_t kind;
    uint8_t color;
    uint8_t tag;
    uint8_t joined; /* belongs to the same node as the step before it */
} w7_step;

/* The optional members of steps. */
typedef struct {
    w7_span time;       /* number as written */
    w7_span comment;    /* string with its quotes */
    w7_span value;      /* message: string with quotes; result: margin as written */
    double seconds;     /* value of time, -1 if absent */
    int32_t marks;      /* first row of marks */
    int32_t mark_count; /* -1: member absent */
    int32_t actor;      /* participant index, -1: absent */
    uint8_t problem;    /* revision 2: colour of a problem put after the move, or 0 */
    uint8_t unused[3];
} w7_detail;

typedef struct {
    int64_t offset;
    w7_span title;
    int32_t parent;       /* row of trees, -1 for the root; a parent comes before its branches */
    int32_t ordinal;      /* place among the branches of the parent, from 0 */
    int32_t first_branch; /* row of trees, or -1 */
    int32_t next_branch;  /* next branch of the same parent, or -1 */
    int32_t branch_count; /* -1: member absent */
    int32_t first_step;
    int32_t step_count; /* -1: member absent */
    int32_t pre;        /* row of pres, or -1: member absent */
} w7_tree;

typedef struct {
    int64_t offset;
    w7_span comment;
    int32_t stones;
    int32_t stone_count; /* -1: member absent */
    int32_t marks;
    int32_t mark_count; /* -1: member absent */
    uint8_t problem;    /* colour to play, or 0: not a problem */
    uint8_t unreadable; /* the stones cannot be set up; a problem has the reason */
    uint8_t unchecked;  /* stones placed without checking liberties */
    uint8_t unused[5];
} w7_pre;

/* A stone or a mark on a point. */
typedef struct {
    int64_t offset;
    int32_t x;
    int32_t y;
    uint8_t what; /* the colour of a stone (0 in a setup step: the point becomes empty), the symbol of a mark */
    uint8_t unused[7];
} w7_placed;

/* A member without a column (unknown, or of a wrong value): stored as text, written back. */
enum {
    W7_OWNER_ROOT = 0,
    W7_OWNER_TREE = 1,
    W7_OWNER_PRE = 2,
    W7_OWNER_STEP = 3,
    W7_OWNER_ACTION = 4, /* of the step of that row */
    W7_OWNER_VALUE = 5,  /* of the action of the step of that row */
    W7_OWNER_STONE = 6,
    W7_OWNER_MARK = 7
};

/* The place in the owner: itself, or a small object that is one of its members. */
enum { W7_INSIDE_OWNER = 0, W7_INSIDE_POINT = 1, W7_INSIDE_PROBLEM = 2, W7_INSIDE_SIZE = 3 };

typedef struct {
    w7_span key;   /* string with its quotes */
    w7_span value; /* any JSON value; in SGF all values of a property with their brackets */
    int32_t index; /* row of the owner */
    uint8_t owner;
    uint8_t inside;
    uint8_t unused[2];
} w7_kept;

typedef struct {
    int64_t offset; /* byte in the source at which it is reported */
    uint16_t code;
    uint16_t place; /* meaning belongs to the format */
    int32_t detail; /* meaning belongs to the code */
} w7_problem;

/* A value in the header, for those who need its text; place and name belong to the format. */
typedef struct {
    w7_span value; /* as written */
    int32_t index; /* of its object in a list, else 0; those of later objects are left out */
    uint16_t place;
    uint16_t name;
} w7_header_value;

enum { W7_MOST_HEADER_OBJECTS = 8 };

/* Flags of a record: its text has bytes of 0x80 and above; they are not UTF-8. */
enum { W7_HAS_HIGH_BYTES = 1, W7_NOT_UTF8 = 2 };

enum { W7_SIZE_ABSENT = 0, W7_SIZE_INTEGER = 1, W7_SIZE_OBJECT = 2 };

W7_TABLE(w7_steps, w7_step);
W7_TABLE(w7_details, w7_detail);
W7_TABLE(w7_trees, w7_tree);
W7_TABLE(w7_pres, w7_pre);
W7_TABLE(w7_placed_table, w7_placed);
W7_TABLE(w7_kepts, w7_kept);
W7_TABLE(w7_problems, w7_problem);
W7_TABLE(w7_header_values, w7_header_value);

typedef struct {
    int32_t width;
    int32_t height;
    uint8_t size_form;
    uint8_t unreadable; /* the text is truncated: the steps after its last row are unknown */
    uint8_t flags;
    uint8_t replaces; /* a move on an occupied point replaces the stone there, as FF[4] of SGF requires */
    uint32_t kinds;   /* of steps, a bit each, if the decoder sets them; 0: unknown */
    w7_span info;     /* JSON object, or absent */
    w7_span charset;  /* name of the encoding of texts as stated in the record, or absent */
    int64_t participant_count;
    w7_trees trees; /* row 0 is the whole game; empty where no tree was read */
    w7_steps steps; /* the steps of one tree are consecutive */
    w7_details details;
    w7_pres pres;
    w7_placed_table stones;
    w7_placed_table marks;
    w7_kepts kept;
    w7_problems problems;
    w7_header_values header; /* of wei7 */
} w7_record;

static inline w7_span w7_no_span(void)
{
    w7_span span = {-1, -1};
    return span;
}

static inline void w7_record_init(w7_record *record)
{
    memset(record, 0, sizeof *record);
}

/* Clears the record and reuses its memory for the next one. */
static inline void w7_record_clear(w7_record *record)
{
    record->width = record->height = 19;
    record->size_form = W7_SIZE_ABSENT;
    record->unreadable = 0;
    record->flags = record->replaces = 0;
    record->kinds = 0;
    record->charset = w7_no_span();
    record->info = w7_no_span();
    record->participant_count = 0;
    record->trees.count = record->steps.count = record->details.count = record->pres.count = 0;
    record->stones.count = record->marks.count = record->kept.count = record->problems.count = 0;
    record->header.count = 0;
}

static inline void w7_record_free(w7_record *record)
{
    free(record->trees.at);
    free(record->steps.at);
    free(record->details.at);
    free(record->pres.at);
    free(record->stones.at);
    free(record->marks.at);
    free(record->kept.at);
    free(record->problems.at);
    free(record->header.at);
    w7_record_init(record);
}

#endif

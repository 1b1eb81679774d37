/* Layouts of steps, marks and stones, learned from texts that were read well.
 *
 * A program writes its steps alike: fixed pieces of text (braces, names, white space) between values that change. The
 * pieces are kept as a tree: after each changing value, a hole, the pieces that were seen to follow it. A text that
 * follows a path of the tree from its root to an end means the same as the text that the path was learned from, but
 * for the holes. So layouts never change what is read, only how fast. */
#ifndef W7_FORMATS_WEI7_TEMPLATE_H
#define W7_FORMATS_WEI7_TEMPLATE_H

#include "record/record.h"
#include "formats/wei7/step_run.h"

typedef enum {
    W7_HOLE_NONE, /* the end */
    W7_HOLE_COLOR,
    W7_HOLE_X,
    W7_HOLE_Y,
    W7_HOLE_SYMBOL,
    W7_HOLE_MARKS,
    W7_HOLE_TIME,
    W7_HOLE_ACTOR,
    W7_HOLE_COMMENT,
    W7_HOLE_MESSAGE,
    W7_HOLE_UNKNOWN_OF_STEP, /* the value of a member of an unknown name, which is kept as text */
    W7_HOLE_UNKNOWN_OF_ACTION,
    W7_HOLE_UNKNOWN_OF_MOVE
} w7_hole;

/* The values of one thing, where a reader found them. */
enum { W7_MOST_HOLES = 16 };

typedef struct {
    int count; /* may be above W7_MOST_HOLES: the later ones are not held */
    struct {
        const uint8_t *begin;
        const uint8_t *end;
        w7_hole hole;
    } at[W7_MOST_HOLES];
} w7_trace;

static inline void w7_trace_hole(w7_trace *trace, w7_hole hole, const uint8_t *begin, const uint8_t *end)
{
    if (trace->count < W7_MOST_HOLES) {
        trace->at[trace->count].begin = begin;
        trace->at[trace->count].end = end;
        trace->at[trace->count].hole = hole;
    }
    trace->count++;
}

/* The members of unknown names among the values. */
static inline int w7_trace_unknown(const w7_trace *trace)
{
    int k, count = 0;
    for (k = 0; k < trace->count && k < W7_MOST_HOLES; k++)
        count += trace->at[k].hole >= W7_HOLE_UNKNOWN_OF_STEP;
    return count;
}

/* A piece of text and the hole after it. */
typedef struct {
    uint16_t begin; /* in the text of the layouts */
    uint16_t length;
    uint8_t hole;
    uint8_t next;  /* another piece for the same place, or 0 */
    uint8_t child; /* the first piece after the hole, or 0; at an end its row of ends */
} w7_piece;

typedef enum { W7_ROOT_STEP, W7_ROOT_MARK, W7_ROOT_STONE, W7_ROOT_COUNT } w7_root;

enum { W7_MOST_PIECES = 128, W7_MOST_SIDE_BY_SIDE = 12, W7_LAYOUT_TEXT = 6144, W7_LONGEST_PIECE = 1024 };

/* All zeros at first: nothing learned. */
typedef struct {
    int revision;
    int learned; /* from this text */
    int text_count;
    int piece_count; /* number 0 is none */
    int end_count;   /* as well */
    uint8_t roots[W7_ROOT_COUNT];
    w7_piece pieces[W7_MOST_PIECES];
    w7_step ends[W7_MOST_PIECES]; /* what a step without its holes holds */
    w7_run run;
    uint8_t text[W7_LAYOUT_TEXT + W7_BLOCK];
} w7_layouts;

static inline void w7_layouts_forget(w7_layouts *layouts)
{
    layouts->text_count = 0;
    layouts->piece_count = layouts->end_count = 1;
    memset(layouts->roots, 0, sizeof layouts->roots);
    layouts->run.end = 0;
}

/* Makes ready for another text. */
static inline void w7_layouts_start(w7_layouts *layouts, int revision)
{
    if (layouts->revision != revision || layouts->piece_count == 0)
        w7_layouts_forget(layouts);
    layouts->revision = revision;
    layouts->learned = layouts->run.used = 0;
}

/* The piece among `first` and its alternatives that is at p, or 0. */
static inline int w7_layout_follow(const w7_layouts *layouts, int first, const uint8_t *p, const uint8_t *end)
{
    int number;
    for (number = first; number != 0; number = layouts->pieces[number].next) {
        const w7_piece *piece = &layouts->pieces[number];
        if (end - p >= piece->length + W7_BLOCK && w7_same_bytes(p, layouts->text + piece->begin, piece->length))
            return number;
    }
    return 0;
}

/* The piece [begin, end) before `hole` at the place *place, added where it was not known, or NULL where there is no
 * room for it. */
static inline w7_piece *w7_layout_piece(w7_layouts *layouts, uint8_t *place, const uint8_t *begin, const uint8_t *end,
                                        w7_hole hole)
{
    const int64_t length = end - begin;
    w7_piece *piece;
    int alternatives = 0;
    for (; *place != 0; place = &piece->next, alternatives++) {
        piece = &layouts->pieces[*place];
        if (piece->length == length && piece->hole == hole &&
            memcmp(layouts->text + piece->begin, begin, (size_t)length) == 0)
            return piece;
    }
    if (alternatives == W7_MOST_SIDE_BY_SIDE || layouts->piece_count == W7_MOST_PIECES ||
        layouts->text_count + length > W7_LAYOUT_TEXT)
        return NULL;
    *place = (uint8_t)layouts->piece_count;
    piece = &layouts->pieces[layouts->piece_count++];
    piece->begin = (uint16_t)layouts->text_count;
    piece->length = (uint16_t)length;
    piece->hole = (uint8_t)hole;
    piece->next = piece->child = 0;
    memcpy(layouts->text + layouts->text_count, begin, (size_t)length);
    layouts->text_count += (int)length;
    return piece;
}

/* Adds the path of the text [begin, end) with the holes of the trace from number `from` on. Returns its last piece, or
 * NULL where there is no room for it. */
static inline w7_piece *w7_layout_add(w7_layouts *layouts, w7_root root, const uint8_t *begin, const uint8_t *end,
                                      const w7_trace *trace, int from)
{
    uint8_t *place = &layouts->roots[root];
    const uint8_t *p = begin;
    w7_piece *piece;
    int k;
    for (k = from; k < trace->count; k++) {
        piece = w7_layout_piece(layouts, place, p, trace->at[k].begin, trace->at[k].hole);
        if (piece == NULL)
            return NULL;
        place = &piece->child;
        p = trace->at[k].end;
    }
    return w7_layout_piece(layouts, place, p, end, W7_HOLE_NONE);
}

/* Whether the slots are in order inside the text, with fixed parts of storable size between them. */
static inline int w7_trace_fits(const w7_trace *trace, int from, const uint8_t *begin, const uint8_t *end)
{
    const uint8_t *p = begin;
    int k;
    if (trace->count > W7_MOST_HOLES)
        return 0;
    for (k = from; k <= trace->count; k++) {
        const uint8_t *next = k < trace->count ? trace->at[k].begin : end;
        if (next - p < 1 || next - p > W7_LONGEST_PIECE)
            return 0;
        p = k < trace->count ? trace->at[k].end : end;
    }
    return 1;
}

/* Learns the layout of the text [begin, end), which was read well. `read` is the step that was read, or NULL. `guessed`
 * is how many steps of the text have followed a layout: where few do, learning is given up. */
static inline void w7_learn(w7_layouts *layouts, w7_root root, const uint8_t *begin, const uint8_t *end,
                            const w7_trace *trace, int from, const w7_step *read, int64_t guessed)
{
    w7_piece *last;
    if (layouts->learned > 64 + guessed / 16 || !w7_trace_fits(trace, from, begin, end))
        return;
    layouts->learned++;
    last = w7_layout_add(layouts, root, begin, end, trace, from);
    if (last == NULL) {
        w7_layouts_forget(layouts);
        last = w7_layout_add(layouts, root, begin, end, trace, from);
    }
    if (last == NULL || read == NULL)
        return;
    if (last->child == 0)
        last->child = (uint8_t)layouts->end_count++;
    layouts->ends[last->child] = *read;
}

/* Whether the holes are those of a run: first the colour, then two coordinates. */
static inline int w7_trace_is_run(const w7_trace *trace)
{
    return trace->count == 3 && trace->at[0].hole == W7_HOLE_COLOR && trace->at[0].end - trace->at[0].begin == 1 &&
           ((trace->at[1].hole == W7_HOLE_X && trace->at[2].hole == W7_HOLE_Y) ||
            (trace->at[1].hole == W7_HOLE_Y && trace->at[2].hole == W7_HOLE_X));
}

/* Makes the run of the step [begin, step_end), which is followed by the step at `next`. */
static inline void w7_run_make(w7_run *run, int end, const uint8_t *begin, const uint8_t *step_end, const uint8_t *next,
                               const w7_trace *trace)
{
    const uint8_t *first = trace->at[1].begin, *between = trace->at[1].end, *second = trace->at[2].begin;
    const uint8_t *after = trace->at[2].end;
    run->end = 0;
    run->color = (int)(trace->at[0].begin - begin);
    run->closing = (int)(step_end - after);
    run->y_first = trace->at[1].hole == W7_HOLE_Y;
    if (next - after >= 2 && !w7_is_digit(after[0]) && !w7_is_digit(after[1]) &&
        w7_pattern_make(&run->before, begin, first, run->color) &&
        w7_pattern_make(&run->between, between, second, -1) && w7_pattern_make(&run->after, after, next, -1)) {
        run->end = end;
        run->has_tails = run->before.length <= W7_WIDEST_BLOCK &&
                         w7_tails_make(run->tails, run->longer, between, run->between.length, after, run->after.length);
    }
}

#endif

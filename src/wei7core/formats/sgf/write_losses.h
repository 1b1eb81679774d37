/* Losses of a record that is converted to wei7, as rows of numbers of 16 bits that plain_records.py reads. */
#ifndef W7_FORMATS_SGF_WRITE_LOSSES_H
#define W7_FORMATS_SGF_WRITE_LOSSES_H

#include "formats/sgf/write_text.h"

/* The kinds of rows, in the order of the losses of a root. A row begins with the place of the name of a property, and its
 * kind in the bits above. */
enum {
    W7_SGF_AS_NAME,    /* EV or RO, as the name of the game */
    W7_SGF_IMPOSSIBLE, /* KM or RE with a value that wei7 cannot have; the size and the bytes of the value follow */
    W7_SGF_NORMALISED, /* KM, RU or RE in other words */
    W7_SGF_AS_STONES,  /* HA, as the stones of the root */
    W7_SGF_MOVED,      /* a line of the comment */
    W7_SGF_LEFT_OUT,   /* the size and the bytes of the name follow */
    W7_SGF_CLOCK_LOST, /* BL, WL, OB or OW */
    W7_SGF_SHAPE_LOST, /* TR, CR, SQ, MA or SL on a point, as a symbol */
    W7_SGF_NODE_LOST,  /* an empty node */
    W7_SGF_AT,         /* the node of the rows that follow: the number of its branches, from the innermost on their
                           ordinals, and two numbers for its own */
    W7_SGF_TIMES,      /* the place in the list of names left out, 0 for clocks, and two numbers: how often in all */
    W7_SGF_KIND_BIT = 10
};

enum { W7_SGF_MOST_NUMBERS = 1 << 16, W7_SGF_MOST_NAMES = 32, W7_SGF_LONGEST_NAME = 64, W7_SGF_LISTED = 100 };

/* A name of properties that are left out: only the first one is a row, and of clocks the first W7_SGF_LISTED. */
typedef struct {
    const uint8_t *name;
    int64_t size;
    int64_t times;
} w7_sgf_name_lost;

typedef struct {
    w7_out numbers;
    w7_sgf_name_lost names[W7_SGF_MOST_NAMES]; /* the first one counts clocks */
    int names_count;
    const w7_tree *trees;
    int64_t node; /* the number of the node in its tree */
    int32_t tree;
    uint8_t has_node_row; /* there is a row W7_SGF_AT for it */
} w7_sgf_losses;

/* Appends a number. Returns a status, as all that appends does. */
static inline int w7_sgf_lose_number(w7_sgf_losses *losses, int64_t number)
{
    const uint16_t small = (uint16_t)number;
    if (number < 0 || number > UINT16_MAX || losses->numbers.count >= 2 * (int64_t)W7_SGF_MOST_NUMBERS)
        return W7_DECLINED;
    if (w7_out_reserve(&losses->numbers, 2))
        return W7_WRITE_NO_MEMORY;
    w7_out_put(&losses->numbers, &small, 2);
    return W7_WRITTEN;
}

static inline int w7_sgf_lose_long(w7_sgf_losses *losses, int64_t number)
{
    const int status = w7_sgf_lose_number(losses, number & 0xFFFF);
    return status != W7_WRITTEN ? status : w7_sgf_lose_number(losses, number >> 16);
}

/* Begins the losses of a node. */
static inline void w7_sgf_begin_losses(w7_sgf_losses *losses, int32_t tree, int64_t node)
{
    losses->tree = tree;
    losses->node = node;
    losses->has_node_row = 0;
}

/* Appends a row. */
static inline int w7_sgf_lose(w7_sgf_losses *losses, int kind, int place)
{
    int status = W7_WRITTEN;
    if (!losses->has_node_row) {
        int32_t tree = losses->tree, depth = 0;
        for (; losses->trees[tree].parent >= 0 && depth <= UINT16_MAX; tree = losses->trees[tree].parent)
            depth++;
        status = w7_sgf_lose_number(losses, W7_SGF_AT << W7_SGF_KIND_BIT);
        if (status == W7_WRITTEN)
            status = w7_sgf_lose_number(losses, depth);
        for (tree = losses->tree; status == W7_WRITTEN && losses->trees[tree].parent >= 0;
             tree = losses->trees[tree].parent)
            status = w7_sgf_lose_number(losses, losses->trees[tree].ordinal);
        if (status == W7_WRITTEN)
            status = w7_sgf_lose_long(losses, losses->node);
        losses->has_node_row = 1;
    }
    return status != W7_WRITTEN ? status : w7_sgf_lose_number(losses, kind << W7_SGF_KIND_BIT | place);
}

/* Appends a row with the bytes that follow it. */
static inline int w7_sgf_lose_text(w7_sgf_losses *losses, int kind, int place, const uint8_t *text, int64_t size)
{
    int status = w7_sgf_lose(losses, kind, place);
    if (status == W7_WRITTEN)
        status = w7_sgf_lose_number(losses, size);
    for (; status == W7_WRITTEN && size > 0; size--)
        status = w7_sgf_lose_number(losses, *text++);
    return status;
}

static inline int w7_sgf_lose_clock(w7_sgf_losses *losses, int place)
{
    return losses->names[0].times++ < W7_SGF_LISTED ? w7_sgf_lose(losses, W7_SGF_CLOCK_LOST, place) : W7_WRITTEN;
}

/* Lists a property without a counterpart. */
static inline int w7_sgf_lose_name(w7_sgf_losses *losses, const w7_sgf_node_property *one)
{
    int k;
    for (k = 1; k < losses->names_count; k++)
        if (losses->names[k].size == one->name_size &&
            memcmp(losses->names[k].name, one->name, (size_t)one->name_size) == 0) {
            losses->names[k].times++;
            return W7_WRITTEN;
        }
    if (k == W7_SGF_MOST_NAMES || one->name_size > W7_SGF_LONGEST_NAME)
        return W7_DECLINED;
    losses->names[k].name = one->name;
    losses->names[k].size = one->name_size;
    losses->names[k].times = 1;
    losses->names_count = k + 1;
    return w7_sgf_lose_text(losses, W7_SGF_LEFT_OUT, 0, one->name, one->name_size);
}

/* Appends how often there is what has more losses than rows. */
static inline int w7_sgf_end_losses(w7_sgf_losses *losses)
{
    int k, status = W7_WRITTEN;
    for (k = 0; status == W7_WRITTEN && k < losses->names_count; k++) {
        if (losses->names[k].times <= (k == 0 ? W7_SGF_LISTED : 1))
            continue;
        status = w7_sgf_lose_number(losses, W7_SGF_TIMES << W7_SGF_KIND_BIT | k);
        if (status == W7_WRITTEN)
            status = w7_sgf_lose_long(losses, losses->names[k].times);
    }
    return status;
}

#endif

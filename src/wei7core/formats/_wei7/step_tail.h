/* What stands from the first coordinate of a step of a run up to the next step (step_run.h), where that is short: all of
 * it is looked at in one register, once it is known how long the two coordinates are. */
#ifndef W7_STEP_TAIL_H
#define W7_STEP_TAIL_H

#include <stdint.h>
#include <string.h>

/* The bytes of a tail in the order of those of a row of steps: each coordinate lies in the first two bytes of its
 * member, its tens before its ones, and text that does not change everywhere else. Such a byte less `least` is no more
 * than `most`, and that times its place value, and `more` of a coordinate with tens, is the row. */
enum { W7_TAIL = 32, W7_TAIL_FIRST = 8, W7_TAIL_SECOND = 12, W7_TAIL_TEXT = W7_TAIL - 4 };

typedef struct {
    uint8_t from[W7_TAIL]; /* offset in the text */
    uint8_t least[W7_TAIL];
    uint8_t most[W7_TAIL];
    uint32_t more[W7_TAIL / 4];
} w7_tail;

/* Two for each number of digits over two: where the first coordinate has one, and where it has two. */
enum { W7_TAILS = 6 };

/* Says where the coordinate of one or two digits lies that stands at `offset` of the text. */
static inline void w7_tail_coordinate(w7_tail *tail, int place, int offset, int longer)
{
    if (longer) {
        tail->from[place] = (uint8_t)offset;
        tail->least[place] = '1';
        tail->most[place] = 8;
        tail->more[place / 4] = 10;
    }
    tail->from[place + 1] = (uint8_t)(offset + longer);
    tail->least[place + 1] = '0';
    tail->most[place + 1] = 9;
}

/* Makes the tails with the texts between the coordinates, of one byte at least, and behind them. Returns whether they
 * are short enough. */
static inline int w7_tails_make(w7_tail tails[W7_TAILS], const uint8_t *between, int between_length,
                                const uint8_t *behind, int behind_length)
{
    int k, place;
    if (between_length < 1 || between_length + behind_length > W7_TAIL_TEXT)
        return 0;
    memset(tails, 0, W7_TAILS * sizeof *tails);
    for (k = 0; k < W7_TAILS; k++) {
        w7_tail *tail = &tails[k];
        const int first_longer = k & 1, second_longer = k / 2 - first_longer;
        const int first_end = 1 + first_longer, second = first_end + between_length;
        int text = 0;
        if (second_longer < 0 || second_longer > 1) {
            tail->least[1] = 1; /* no byte is two */
            continue;
        }
        for (place = 0; place < W7_TAIL; place++) {
            const int in_between = text < between_length, in_behind = text < between_length + behind_length;
            tail->from[place] = (uint8_t)(in_between ? first_end + text
                                          : in_behind ? second + 1 + second_longer + text - between_length
                                                      : first_end);
            tail->least[place] = in_between ? between[text] : in_behind ? behind[text - between_length] : between[0];
            if ((place & ~5) != W7_TAIL_FIRST)
                text++;
        }
        w7_tail_coordinate(tail, W7_TAIL_FIRST, 0, first_longer);
        w7_tail_coordinate(tail, W7_TAIL_SECOND, second, second_longer);
    }
    return 1;
}

#endif

/* The text from the first coordinate of a step of a run up to the next step (step_run.h), where that is short: all of
 * it is looked at in one register, once it is known how long the two coordinates are. */
#ifndef W7_FORMATS_WEI7_STEP_TAIL_H
#define W7_FORMATS_WEI7_STEP_TAIL_H

#include <stdint.h>
#include <string.h>

/* The bytes of a tail in another order: each coordinate first, in the first two bytes of a number of 32 bits, its tens
 * before its ones, and text that does not change everywhere else. Such a byte less `least` is no more than `most`, and
 * that times its place value, and `more` of a coordinate with tens, are the coordinates. */
enum { W7_TAIL = 32, W7_TAIL_FIRST = 0, W7_TAIL_SECOND = 4, W7_TAIL_TEXT = W7_TAIL - 4 };

typedef struct {
    uint8_t from[W7_TAIL]; /* offset in the text */
    uint8_t least[W7_TAIL];
    uint8_t most[W7_TAIL];
    uint32_t more[4];
    uint32_t unused[4];
} w7_tail;

/* The number of a tail has a bit for each of three places of the text, set where a digit is there: the second
 * place of the first coordinate, and where the second place of the second one is if the first has one digit, and if it
 * has two. */
enum { W7_TAILS = 8, W7_TAIL_MOST_BETWEEN = W7_TAIL - 10 };

/* The three places, a bit each. */
static inline uint32_t w7_tail_places(int between_length)
{
    return (uint32_t)1 << 1 | (uint32_t)3 << (2 + between_length);
}

/* Whether the coordinates of a tail have two digits each. */
static inline int w7_tail_first_longer(int number)
{
    return number & 1;
}

static inline int w7_tail_second_longer(int number)
{
    return number & 1 ? number >> 2 : number >> 1 & 1;
}

/* Says where the coordinate of one or two digits is that begins at `offset` of the text. */
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

/* Makes the tails, and the number of digits over two that each has, with the texts between the coordinates, of one byte
 * at least, and after them. Returns whether they are short enough. */
static inline int w7_tails_make(w7_tail tails[W7_TAILS], uint8_t longer[W7_TAILS], const uint8_t *between,
                                int between_length, const uint8_t *after, int after_length)
{
    int k, place;
    if (between_length < 1 || between_length > W7_TAIL_MOST_BETWEEN || between_length + after_length > W7_TAIL_TEXT)
        return 0;
    memset(tails, 0, W7_TAILS * sizeof *tails);
    for (k = 0; k < W7_TAILS; k++) {
        w7_tail *tail = &tails[k];
        const int first_end = 1 + w7_tail_first_longer(k), second = first_end + between_length;
        const int second_end = second + 1 + w7_tail_second_longer(k);
        int text = 0;
        longer[k] = (uint8_t)(w7_tail_first_longer(k) + w7_tail_second_longer(k));
        for (place = 0; place < W7_TAIL; place++) {
            const int in_between = text < between_length, in_after = text < between_length + after_length;
            tail->from[place] = (uint8_t)(in_between ? first_end + text
                                          : in_after ? second_end + text - between_length
                                                     : first_end);
            tail->least[place] = in_between ? between[text] : in_after ? after[text - between_length] : between[0];
            if ((place & ~5) != 0)
                text++;
        }
        w7_tail_coordinate(tail, W7_TAIL_FIRST, 0, w7_tail_first_longer(k));
        w7_tail_coordinate(tail, W7_TAIL_SECOND, second, w7_tail_second_longer(k));
    }
    return 1;
}

#endif

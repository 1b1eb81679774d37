/* Byte offsets and their places in a text, for the locators of SGF and of wei7. */
#ifndef W7_FORMATS_LOCATED_H
#define W7_FORMATS_LOCATED_H

#include "record/record.h"

typedef struct {
    int64_t offset; /* given, in ascending order */
    int64_t line;   /* from 1 */
    int64_t column; /* from 1, in characters */
    int64_t path;   /* first byte in the text of paths */
    int64_t path_end;
} w7_located;

typedef w7_out w7_path_text;

/* The places that are not found yet, and the paths of the others. */
typedef struct {
    w7_path_text paths;
    w7_located *next;
    w7_located *last; /* one past the last */
    int failed;
} w7_places;

static inline void w7_path_put(w7_places *places, const char *text, int64_t length)
{
    places->failed |= w7_out_bytes(&places->paths, text, length) != 0;
}

static inline void w7_path_put_number(w7_places *places, int64_t number)
{
    char digits[24];
    int at = (int)sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    w7_path_put(places, digits + at, (int64_t)sizeof digits - at);
}

#endif

/* Tables that grow, and texts that are written as tables of bytes. */
#ifndef W7_UTIL_TABLE_H
#define W7_UTIL_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A growing table. Rows are never moved out of order. All zeros at first; `at` is freed with free(). */
#define W7_TABLE(name, row)                                                                                            \
    typedef struct {                                                                                                   \
        row *at;                                                                                                       \
        int64_t count;                                                                                                 \
        int64_t room;                                                                                                  \
    } name

W7_TABLE(w7_out, uint8_t);

enum { W7_TABLE_LEAST = 32, W7_BYTES_LEAST = 4096 };

/* Reserves memory for `count` rows of row_size bytes or more, twice as much as before at least, so that all that is ever
 * appended is copied at most once on average. Returns the rows, possibly moved, or NULL: nothing has changed then. */
static inline void *w7_grow(void *rows, int64_t *room, int64_t count, size_t row_size)
{
    int64_t wanted = *room < 8 ? 16 : *room * 2;
    void *grown;
    if (wanted < count)
        wanted = count;
    if ((uint64_t)wanted > (uint64_t)PTRDIFF_MAX / row_size)
        return NULL;
    grown = realloc(rows, (size_t)wanted * row_size);
    if (grown != NULL)
        *room = wanted;
    return grown;
}

/* Makes room for more rows. `at_field` is the address of a table's row pointer; it is copied as bytes because the
 * pointer's own type differs from table to table. Returns 0, or -1 when memory is short (nothing changed). */
static inline int w7_table_grow(void *at_field, int64_t *room, size_t row_size)
{
    void *rows;
    memcpy(&rows, at_field, sizeof rows);
    rows = w7_grow(rows, room, W7_TABLE_LEAST, row_size);
    if (rows == NULL)
        return -1;
    memcpy(at_field, &rows, sizeof rows);
    return 0;
}

#define W7_TABLE_RESERVE_ONE(table)                                                                                    \
    ((table)->count < (table)->room ? 0 : w7_table_grow(&(table)->at, &(table)->room, sizeof *(table)->at))

#define W7_TABLE_BYTES(table) ((table).room * (int64_t)sizeof *(table).at)

/* Makes room for `more` bytes in a table that has `count`, as w7_table_grow does. */
static inline int w7_bytes_reserve(void *at_field, int64_t *room, int64_t count, int64_t more)
{
    void *at;
    if (more <= *room - count)
        return 0;
    if (more > PTRDIFF_MAX - count)
        return -1;
    more += count;
    memcpy(&at, at_field, sizeof at);
    at = w7_grow(at, room, more < W7_BYTES_LEAST ? W7_BYTES_LEAST : more, 1);
    if (at == NULL)
        return -1;
    memcpy(at_field, &at, sizeof at);
    return 0;
}

/* Makes room for `more` bytes of a text. Returns 0, or -1 when memory is short (nothing changed). */
static inline int w7_out_reserve(w7_out *out, int64_t more)
{
    return w7_bytes_reserve(&out->at, &out->room, out->count, more);
}

/* Appends bytes for which there is room. */
static inline void w7_out_put(w7_out *out, const void *bytes, int64_t size)
{
    if (size > 0)
        memcpy(out->at + out->count, bytes, (size_t)size);
    out->count += size;
}

/* Appends a literal for which there is room. */
#define W7_OUT_PUT(out, text) w7_out_put((out), (text), (int64_t)sizeof(text) - 1)

/* Appends a number that is not negative, for whose digits there is room. */
static inline void w7_out_put_number(w7_out *out, int32_t number)
{
    uint8_t digits[12];
    int count = 0;
    do
        digits[count++] = (uint8_t)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        out->at[out->count++] = digits[--count];
}

/* Appends bytes. Returns 0, or -1 when memory is short (nothing changed). */
static inline int w7_out_bytes(w7_out *out, const void *bytes, int64_t size)
{
    if (w7_out_reserve(out, size) != 0)
        return -1;
    w7_out_put(out, bytes, size);
    return 0;
}

#endif

/* The records of a file with one a line: read, decoded and replayed without returning to Python in between. */
#ifndef W7_BATCH_LINE_RECORDS_H
#define W7_BATCH_LINE_RECORDS_H

#include "batch/engine.h"
#include "batch/line_file.h"

/* Bytes between two chances to look for signals. Another thread that needs the GIL to import modules may wait for
 * longer than these take. */
enum { W7_BULK_LINES_TICK = 1 << 26 };

typedef enum {
    W7_BULK_LINES_DONE,
    W7_BULK_LINES_PAUSE,  /* time to look for signals */
    W7_BULK_LINES_FULL,   /* W7_BULK_MOST_HELD bytes wait for the caller */
    W7_BULK_LINES_LONG,   /* the next line is longer than it may be, or than the memory to read into */
    W7_BULK_LINES_UNREAD, /* errno has the reason */
    W7_BULK_LINES_NO_MEMORY
} w7_bulk_lines_stop;

/* All zeros at first. */
typedef struct {
    w7_bulk_row *at;
    int64_t count;
    int64_t room;
    w7_letters deferred_texts; /* name_begin and name_end of their rows are offsets in it */
} w7_bulk_rows;

static inline void w7_bulk_rows_free(w7_bulk_rows *rows)
{
    free(rows->at);
    free(rows->deferred_texts.at);
    memset(rows, 0, sizeof *rows);
}

static inline int w7_bulk_rows_reserve(w7_bulk_rows *rows)
{
    return rows->count < rows->room ? 0 : w7_table_grow(&rows->at, &rows->room, sizeof *rows->at);
}

static inline int w7_bulk_add_line(w7_bulk *bulk, const w7_bulk_text *text, w7_bulk_rows *rows)
{
    w7_bulk_row *row;
    if (w7_bulk_rows_reserve(rows) != 0)
        return -1;
    row = &rows->at[rows->count];
    bulk->positions.text = rows->count;
    if (w7_bulk_one(bulk, text, row) != 0)
        return -1;
    if (row->is_deferred) {
        if (w7_letters_reserve(&rows->deferred_texts, text->size) != 0)
            return -1;
        memcpy(rows->deferred_texts.at + rows->deferred_texts.count, text->at, (size_t)text->size);
        row->name_begin = rows->deferred_texts.count;
        row->name_end = rows->deferred_texts.count += text->size;
    }
    rows->count++;
    bulk->spent += text->size;
    return 0;
}

/* Adds a row for each of the next lines that is not blank, until there is a reason to stop. */
static inline w7_bulk_lines_stop w7_bulk_run_lines(w7_bulk *bulk, uint8_t format, w7_line_file *lines,
                                                   w7_bulk_rows *rows)
{
    for (bulk->spent = 0; bulk->spent < W7_BULK_LINES_TICK;) {
        int64_t begin = 0, end = 0;
        w7_lines_piece piece;
        if (w7_bulk_held(bulk) + rows->deferred_texts.count >= W7_BULK_MOST_HELD)
            return W7_BULK_LINES_FULL;
        piece = w7_lines_next(lines->buffer, lines->end, &lines->begin, lines->final, lines->limit, &begin, &end);
        if (piece == W7_LINES_RECORD) {
            const w7_bulk_text text = {lines->buffer + begin, end - begin, format};
            bulk->next_text = lines->begin < lines->end ? lines->buffer + lines->begin : NULL;
            if (w7_bulk_add_line(bulk, &text, rows) != 0)
                return W7_BULK_LINES_NO_MEMORY;
            continue;
        }
        if (piece != W7_LINES_REST) {
            lines->begin = begin;
            return W7_BULK_LINES_LONG;
        }
        if (lines->final)
            return W7_BULK_LINES_DONE;
        if (lines->end - lines->begin == lines->room)
            return W7_BULK_LINES_LONG;
        if (w7_line_file_fill(lines) != 0)
            return W7_BULK_LINES_UNREAD;
    }
    return W7_BULK_LINES_PAUSE;
}

#endif

/* The lines of a part of a file, read piece by piece into memory of the caller that stays in the cache. Only where the
 * system reads at a place of a file. */
#ifndef W7_BATCH_LINE_FILE_H
#define W7_BATCH_LINE_FILE_H

#include "formats/wei7/lines.h"

#ifndef _WIN32
#include <errno.h>
#include <unistd.h>
#define W7_CAN_READ_AT 1
#else
#define W7_CAN_READ_AT 0
#endif

enum {
    W7_LINE_FILE_CHUNK = 1 << 20, /* bytes that are read at once */
    W7_LINE_FILE_STEP = 1 << 15   /* the same where a line is to end soon */
};

typedef struct {
    uint8_t *buffer;
    int64_t room;
    int64_t limit; /* bytes of a line that is a record */
    int64_t stop;  /* the last line is the last one that starts before this byte of the file; -1: that of the file */
    int64_t place; /* in the file, of what is read next */
    int64_t begin; /* what was read and not passed on is buffer[begin, end) */
    int64_t end;
    int file;
    int final; /* nothing follows */
} w7_line_file;

/* Reads more after the current text. Returns the number of bytes, or -1 with errno. */
static inline int64_t w7_line_file_read(const w7_line_file *lines, int64_t wanted)
{
#if W7_CAN_READ_AT
    ssize_t count;
    do
        count = pread(lines->file, lines->buffer + lines->end, (size_t)wanted, (off_t)lines->place);
    while (count < 0 && errno == EINTR);
    return count;
#else
    (void)lines;
    (void)wanted;
    return -1;
#endif
}

/* Goes to the first line that starts at byte `begin` of the file or later; the byte before shows whether one does
 * there. Returns 0, or -1 with errno. */
static inline int w7_line_file_start(w7_line_file *lines, int64_t begin)
{
    lines->begin = lines->end = 0;
    lines->place = begin > 0 ? begin - 1 : 0;
    lines->final = 0;
    while (begin > 0 && !lines->final) {
        int64_t wanted = lines->room < W7_LINE_FILE_STEP ? lines->room : W7_LINE_FILE_STEP, count = 0;
        const uint8_t *found = NULL;
        if (lines->stop >= 0 && wanted > lines->stop - 1 - lines->place)
            wanted = lines->stop - 1 - lines->place;
        if (wanted > 0)
            count = w7_line_file_read(lines, wanted);
        if (count < 0)
            return -1;
        if (count > 0)
            found = memchr(lines->buffer, '\n', (size_t)count);
        lines->final = count == 0;
        lines->place += found != NULL ? found - lines->buffer + 1 : count;
        if (found != NULL)
            break;
    }
    return 0;
}

/* Reads more after the rest of the text in memory, which must be less than there is room for. Returns 0, or -1 with
 * errno. */
static inline int w7_line_file_fill(w7_line_file *lines)
{
    int64_t wanted, count;
    memmove(lines->buffer, lines->buffer + lines->begin, (size_t)(lines->end - lines->begin));
    lines->end -= lines->begin;
    lines->begin = 0;
    wanted = lines->room - lines->end < W7_LINE_FILE_CHUNK ? lines->room - lines->end : W7_LINE_FILE_CHUNK;
    if (lines->stop >= 0) {
        const int64_t within = lines->stop > lines->place ? lines->stop - lines->place : 0;
        wanted = wanted - within > W7_LINE_FILE_STEP ? within + W7_LINE_FILE_STEP : wanted;
    }
    count = w7_line_file_read(lines, wanted);
    if (count < 0)
        return -1;
    lines->final = count == 0;
    if (lines->stop >= 0 && count > 0 && lines->place + count >= lines->stop) {
        const int64_t last = lines->stop - 1 > lines->place ? lines->stop - 1 - lines->place : 0;
        const uint8_t *text = lines->buffer + lines->end, *found = memchr(text + last, '\n', (size_t)(count - last));
        if (found != NULL) {
            lines->final = 1;
            count = found - text + 1;
        }
    }
    lines->place += count;
    lines->end += count;
    return 0;
}

/* Where in the file the next line starts. */
static inline int64_t w7_line_file_next(const w7_line_file *lines)
{
    return lines->place - (lines->end - lines->begin);
}

#endif

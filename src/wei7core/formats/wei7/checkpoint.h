/* Trying to read something quickly, and undoing it where that fails: the text is then read in full from the same
 * byte on, and what was noted since then is noted again. */
#ifndef W7_FORMATS_WEI7_CHECKPOINT_H
#define W7_FORMATS_WEI7_CHECKPOINT_H

#include "formats/wei7/json.h"

/* What an attempt must leave as it was when it fails. Rows of steps and details are added when it succeeds. */
typedef struct {
    const uint8_t *p;
    int64_t problems;
    int64_t kept;
    int64_t marks;
    int64_t noted;
} w7_attempt;

static inline w7_attempt w7_begin_attempt(const w7_reader *reader)
{
    const w7_record *record = reader->record;
    w7_attempt begun = {reader->p, record->problems.count, record->kept.count, record->marks.count, reader->noted};
    return begun;
}

/* Leaves everything as it was. Returns 0. */
static inline int w7_drop_attempt(w7_reader *reader, const w7_attempt *begun)
{
    reader->p = begun->p;
    reader->record->problems.count = begun->problems;
    reader->record->kept.count = begun->kept;
    reader->record->marks.count = begun->marks;
    reader->noted = begun->noted;
    reader->stopped = reader->no_memory;
    return 0;
}

/* Whether nothing was noted or kept since but `unknown` members: else the text holds more than its layout. */
static inline int w7_is_plain_since(const w7_reader *reader, const w7_attempt *begun, int unknown)
{
    return reader->noted == begun->noted + unknown && reader->record->kept.count == begun->kept + unknown;
}

#endif

/* The errors of records, each with the part of its text from which path and message are made. */
#ifndef W7_BATCH_FAILURES_H
#define W7_BATCH_FAILURES_H

#include "batch/record_id.h"
#include "formats/wei7/decode.h"
#include "replaying/walk.h"

/* What a replay finds in addition to w7_stop_kind. */
enum {
    W7_FOUND_REPLACED = W7_STOP_LIMIT + 1, /* a move replaces the stone of an occupied point */
    W7_FOUND_MORE_MOVES,                   /* there are more such moves than may be listed */
    W7_FOUND_MORE_STOPS,                   /* more branches cannot be replayed than may be listed */
    W7_FOUND_NO_BOARD,                     /* the board is too large, and no problem of the decoder states it */
    W7_FOUND_TOO_LONG                      /* the table of positions would be too long */
};

/* A problem that the replay of a record has found. */
typedef struct {
    w7_stop stop;  /* kind: also W7_FOUND_REPLACED and so on */
    int64_t shown; /* the offset at which it is reported */
} w7_found;

W7_TABLE(w7_founds, w7_found);

/* The code of what a replay finds. */
static inline int w7_found_code(int kind)
{
    switch (kind) {
    case W7_STOP_NO_LIBERTY: return W7_SETUP_NO_LIBERTY;
    case W7_STOP_TAKEBACK_OF_SETUP: return W7_TAKEBACK_TOO_DEEP;
    case W7_STOP_LIMIT: return W7_LIMIT_REPLAY;
    case W7_FOUND_MORE_MOVES:
    case W7_FOUND_MORE_STOPS: return W7_LIMIT_PROBLEMS;
    case W7_FOUND_NO_BOARD: return W7_BOARD_SIZE_UNSUPPORTED;
    case W7_FOUND_TOO_LONG: return W7_LIMIT_POSITIONS;
    default: return W7_MOVE_OCCUPIED;
    }
}

/* A problem of a record. */
typedef struct {
    int64_t text; /* its number */
    int64_t size; /* bytes of it that are stored */
    int64_t base; /* offset of the first of them in the text */
    w7_problem problem;
    int64_t move_number;
    int32_t x;
    int32_t y;
    int32_t step; /* index in the steps of `tree` of wei7 if only that step is stored; -1: the whole text is */
    uint8_t color;
    uint8_t charset;
    uint8_t kind;     /* of a w7_found; 0: a problem of the decoder */
    uint8_t is_error; /* that of the row */
} w7_bulk_failure;

W7_TABLE(w7_bulk_failures, w7_bulk_failure);

/* All zeros at first. */
typedef struct {
    w7_bulk_failures rows;
    w7_letters texts; /* the stored parts of the texts, concatenated */
} w7_failures;

static inline void w7_failures_free(w7_failures *failures)
{
    free(failures->rows.at);
    free(failures->texts.at);
    memset(failures, 0, sizeof *failures);
}

/* The end of the text before offset `at`, without white space. */
static inline int64_t w7_failure_before(const uint8_t *text, int64_t at)
{
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\r' || text[at - 1] == '\t'))
        at--;
    return at;
}

/* Whether the value at offset `at` is that of the member `quoted_name`, spelled so, or the first element of its array
 * with `opening`, a bracket: paths show names as they are spelled. */
static inline int w7_failure_follows(const uint8_t *text, int64_t at, const char *quoted_name, const char *opening)
{
    const int64_t size = (int64_t)strlen(quoted_name);
    at = w7_failure_before(text, at);
    if (*opening != 0) {
        if (at == 0 || text[at - 1] != (uint8_t)*opening)
            return 0;
        at = w7_failure_before(text, at - 1);
    }
    if (at == 0 || text[at - 1] != ':')
        return 0;
    at = w7_failure_before(text, at - 1);
    return at >= size && memcmp(text + at - size, quoted_name, (size_t)size) == 0;
}

/* Where the readable step at `step` ends. */
static inline int64_t w7_failure_step_end(const uint8_t *text, int64_t size, int64_t step)
{
    w7_reader reader;
    int64_t end;
    memset(&reader, 0, sizeof reader);
    reader.begin = text;
    reader.p = text + step;
    reader.end = text + size;
    reader.options.max_depth = INT64_MAX;
    reader.quiet = 1;
    end = w7_pass_value(&reader) ? w7_at(&reader, reader.p) : -1;
    free(reader.nesting);
    return end;
}

/* The step of wei7 at which the walk has stopped, where its place and its own text are all that a path and a message
 * are made of: a step of the root tree, of which nothing comes twice. Absent where the whole text is needed. */
static inline w7_span w7_failure_step(const w7_walk *walk, const uint8_t *text, int64_t size)
{
    const w7_record *record = walk->record;
    const w7_step *step;
    w7_span span = {walk->stop.offset, -1};
    if (walk->tree != 0 || walk->step < 0 || walk->step >= record->steps.count)
        return w7_no_span();
    step = &record->steps.at[walk->step];
    if (step->offset != span.begin || !w7_failure_follows(text, record->trees.at[0].offset, "\"tree\"", "") ||
        !w7_failure_follows(text, record->steps.at[record->trees.at[0].first_step].offset, "\"steps\"", "["))
        return w7_no_span();
    for (int64_t k = 0; k < record->problems.count; k++)
        if (record->problems.at[k].code == W7_DUPLICATE_MEMBER || record->problems.at[k].code == W7_LIMIT_PROBLEMS)
            return w7_no_span();
    span.end = step->kind == W7_STEP_UNREADABLE && step->detail >= 0 ? record->details.at[step->detail].value.end
                                                                     : w7_failure_step_end(text, size, span.begin);
    return span.end > span.begin ? span : w7_no_span();
}

/* Adds the failure, with the stored part of its text, none where `size` is 0. Returns 0, or -1 when memory is short. */
static inline int w7_failures_add(w7_failures *failures, w7_bulk_failure failure, const uint8_t *text, int64_t size)
{
    if (failure.step < 0 || size == 0) {
        failure.step = -1;
        failure.base = 0;
        failure.size = size;
    }
    if (W7_TABLE_RESERVE_ONE(&failures->rows) != 0 || w7_letters_reserve(&failures->texts, failure.size) != 0)
        return -1;
    if (failure.size > 0) { /* else there may be no memory yet, whose address is no argument of memcpy */
        memcpy(failures->texts.at + failures->texts.count, text + failure.base, (size_t)failure.size);
        failures->texts.count += failure.size;
    }
    failures->rows.at[failures->rows.count++] = failure;
    return 0;
}

#endif

/* The entry of the wei7 3.0 decoder: bytes to a record. No Python. */
#ifndef W7_FORMATS_WEI7_DECODE_H
#define W7_FORMATS_WEI7_DECODE_H

#include "formats/wei7/check.h"

/* Whether the text is in a known encoding that is not UTF-8. */
static inline int w7_is_utf16(const w7_reader *reader)
{
    const uint8_t *p = reader->begin;
    if (reader->end - p < 2)
        return 0;
    return (p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF) || (p[0] == 0) != (p[1] == 0);
}

static inline int w7_read_root(w7_reader *reader, w7_info *info)
{
    static const char *const FORMATS[] = {"wei7", NULL};
    static const char *const VERSIONS[] = {"3.0", NULL};
    w7_members members;
    int index, name;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_ROOT);
    members = w7_members_of(reader, &W7_ROOT_RULE);
    info->size_offset = members.offset;
    while ((name = w7_next_known_member(reader, &members, W7_OWNER_ROOT, 0, W7_INSIDE_OWNER)) >= 0) {
        int64_t value = w7_at(reader, reader->p);
        int status;
        switch (name) {
        case W7_N_FORMAT: status = w7_read_word(reader, W7_AT_FORMAT, FORMATS, &index); break;
        case W7_N_VERSION: status = w7_read_word(reader, W7_AT_VERSION, VERSIONS, &index); break;
        case W7_N_SIZE: status = w7_read_size(reader, info); break;
        case W7_N_INFO: status = w7_read_info(reader, info); break;
        default: status = w7_read_tree(reader); break;
        }
        if (status == W7_STOPPED)
            return W7_STOPPED;
        if (status == W7_BAD && !w7_keep(reader, members.key, value, W7_OWNER_ROOT, 0, W7_INSIDE_OWNER))
            return W7_STOPPED;
    }
    return name == W7_MEMBERS_END ? W7_GOOD : W7_STOPPED;
}

/* Reads the whole document. */
static inline void w7_read_document(w7_reader *reader, w7_info *info)
{
    static const uint8_t MARK[] = {0xEF, 0xBB, 0xBF};
    if (reader->end - reader->p > reader->options.max_bytes) {
        w7_stop_reading(reader, W7_LIMIT_BYTES, reader->p);
        return;
    }
    if (w7_is_utf16(reader)) {
        w7_stop_reading(reader, W7_ENCODING_INVALID, reader->p);
        return;
    }
    if (reader->end - reader->p >= 3 && memcmp(reader->p, MARK, 3) == 0) {
        w7_note(reader, W7_BYTE_ORDER_MARK, W7_AT_TEXT, reader->p, 0);
        reader->p += 3;
    }
    w7_skip_space(reader);
    if (w7_read_root(reader, info) == W7_STOPPED)
        return;
    w7_skip_space(reader);
    if (reader->p < reader->end)
        w7_stop_syntax(reader, reader->p);
}

/* Decodes `size` bytes of wei7 3.0 into `record`, which is cleared first. Every breach is a row
 * of record->problems, in no order. `layouts` are those learned from the texts before, and learn from this one; with
 * NULL every value is read in full, with the same answer. Returns 0, or -1 when memory is short. */
static inline int w7_decode(const uint8_t *text, int64_t size, const w7_decode_options *options, w7_layouts *layouts,
                            w7_record *record)
{
    w7_reader reader;
    w7_info info;
    memset(&reader, 0, sizeof reader);
    memset(&info, 0, sizeof info);
    w7_record_clear(record);
    reader.begin = reader.p = text;
    reader.end = text + size;
    reader.record = record;
    reader.options = *options;
    reader.layouts = layouts;
    if (layouts != NULL)
        w7_layouts_start(layouts, options->revision);
    /* Rows are numbered by int32_t; a branch may add a step of its own, and a step two rows of details. */
    if (reader.options.max_steps > INT32_MAX / 4)
        reader.options.max_steps = INT32_MAX / 4;
    w7_read_document(&reader, &info);
    record->unreadable = (uint8_t)reader.stopped;
    if (!reader.no_memory)
        w7_check_record(&reader, &info);
    record->kinds = reader.kinds;
    free(info.players.at);
    free(reader.nesting);
    return reader.no_memory ? -1 : 0;
}

/* The offset of the member `name` in the value of the action of the readable step at `step`, or -1. */
static inline int64_t w7_find_in_step(const uint8_t *text, int64_t size, int64_t step, const char *name)
{
    w7_reader reader;
    w7_step row;
    int64_t found;
    memset(&reader, 0, sizeof reader);
    memset(&row, 0, sizeof row);
    reader.begin = reader.p = text;
    reader.end = text + size;
    reader.options.max_depth = INT64_MAX;
    row.offset = step;
    found = w7_find_in_action(&reader, &row, name);
    free(reader.nesting);
    return found;
}

#endif

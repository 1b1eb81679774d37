/* Texts of the batch engine, decoded: their encodings, the problems that are counted, names and headers. No Python. */
#ifndef W7_BATCH_ENGINE_DECODE_H
#define W7_BATCH_ENGINE_DECODE_H

#include "batch/engine_state.h"

static inline int w7_bulk_decode_wei7(w7_bulk *bulk, const w7_bulk_text *text)
{
    bulk->wei7.revision = text->format == W7_BULK_WEI7_2 ? 2 : 7;
    if (bulk->decode_wei7(text->at, text->size, &bulk->wei7, &bulk->layouts, &bulk->record) != 0)
        return -1;
    bulk->name = bulk->record.info;
    bulk->charset = W7_CHARSET_UTF8;
    bulk->double_byte = 0;
    return 1;
}

/* Whether an SGF text can be read in its stated encoding without examining its bytes. */
static inline int w7_bulk_is_plain_text(const w7_bulk_text *text, const w7_record *record)
{
    const uint8_t *name;
    if (record->flags & W7_NOT_UTF8)
        return 0;
    if (!(record->flags & W7_HAS_HIGH_BYTES))
        return 1;
    if (record->charset.begin < 0)
        return 0;
    name = text->at + record->charset.begin;
    return record->charset.end - record->charset.begin == 5 && (name[0] | 0x20) == 'u' && (name[1] | 0x20) == 't' &&
           (name[2] | 0x20) == 'f' && name[3] == '-' && name[4] == '8';
}

/* Whether the capitals of a property's name are G and N. */
static inline int w7_bulk_is_game_name(const uint8_t *key, const uint8_t *end)
{
    uint32_t capitals = 0;
    for (; key < end; key++)
        if (*key < 'a' || *key > 'z')
            capitals = capitals << 8 | *key;
    return capitals == ('G' << 8 | 'N');
}

/* The values of the property GN of the root node. */
static inline w7_span w7_bulk_sgf_name(const w7_bulk_text *text, const w7_record *record)
{
    for (int64_t i = 0; i < record->kept.count && record->kept.at[i].owner == W7_OWNER_ROOT; i++) {
        const w7_kept *kept = &record->kept.at[i];
        if (w7_bulk_is_game_name(text->at + kept->key.begin, text->at + kept->key.end))
            return kept->value;
    }
    return w7_no_span();
}

/* Adds a problem of the encoding, unless the decoder has found it. Returns 0, or -1 when memory is short. */
static inline int w7_bulk_add_problem(w7_bulk *bulk, int code, int64_t offset, int detail)
{
    const w7_problems *problems = &bulk->record.problems;
    for (int64_t k = 0; k < problems->count; k++)
        if (problems->at[k].code == code && problems->at[k].offset == offset)
            return 0;
    return w7_sgf_add_problem(&bulk->record, code, offset, detail, bulk->sgf.max_problems);
}

/* Whether the text looks as if it were in UTF-16 or UTF-32. */
static inline int w7_bulk_looks_wide(const w7_bulk *bulk, const w7_bulk_text *text)
{
    const uint8_t *p = text->at;
    return text->size >= 4 && bulk->not_wide != bulk->positions.text &&
           (memchr(p, 0, 4) != NULL || (p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF));
}

/* The encoding that the record names: a number of W7_CHARSET_ALL, W7_CHARSET_WIDE, -1 for none, -2 for an unknown one. */
static inline int w7_bulk_named_charset(w7_bulk *bulk, const w7_bulk_text *text)
{
    const w7_span name = bulk->record.charset;
    return name.begin < 0
               ? -1
               : w7_sgf_charset_of_name(bulk->charsets, text->at + name.begin, text->at + name.end, &bulk->last_name);
}

/* Adds what is wrong with the encoding that a text names. Returns 0, or -1 when memory is short. */
static inline int w7_bulk_add_charset_problem(w7_bulk *bulk, const uint8_t *begin, const uint8_t *end, int named,
                                              int evidence)
{
    const int code = named == -1 ? W7_CHARSET_ASSUMED : named == -2 ? W7_CHARSET_UNKNOWN : W7_CHARSET_CONTRADICTED;
    const int64_t offset =
        named == -1 ? w7_charset_pass_ascii(begin, end) - bulk->text->at : bulk->record.charset.begin;
    return w7_bulk_add_problem(bulk, code, offset, evidence);
}

/* Whether the text is read in another way where bytes are paired; 0: they are not. */
static inline int w7_bulk_is_read_by_pairs(const uint8_t *begin, const uint8_t *end, int double_byte)
{
    return double_byte && w7_sgf_is_read_by_pairs(begin, end, NULL, double_byte);
}

/* Determines the encoding of a record, and reads it again where its bytes were paired in another way. Returns whether it
 * is known, or -1 when memory is short. */
static inline int w7_bulk_settle_charset(w7_bulk *bulk, const w7_bulk_text *text, const w7_sgf_facts *facts)
{
    const uint8_t *begin = text->at + facts->begin, *end = w7_charset_end_of_high(begin, text->at + facts->end);
    const int named = w7_bulk_named_charset(bulk, text), known = named < W7_CHARSET_ALL ? named : -1;
    w7_charset_choice choice;
    w7_sgf_facts others;
    int failed = 0, pairs;
    if (w7_bulk_looks_wide(bulk, text))
        return 0;
    if ((known > bulk->wanted_charset ? known : bulk->wanted_charset) >= W7_CHARSET_JOHAB && !bulk->has_all_charsets) {
        bulk->wants_charsets = 2;
        return 0;
    }
    w7_charset_choose(bulk->charsets, begin, end, !(bulk->record.flags & W7_NOT_UTF8), known, bulk->wanted_charset,
                      &choice);
    bulk->charset = (uint8_t)choice.charset;
    pairs = w7_charset_double_byte(choice.charset);
    bulk->double_byte = (uint8_t)pairs;
    if (pairs != facts->double_byte &&
        (w7_bulk_is_read_by_pairs(begin, end, facts->double_byte) || w7_bulk_is_read_by_pairs(begin, end, pairs))) {
        bulk->sgf.charsets = NULL;
        bulk->sgf.double_byte = (uint8_t)pairs;
        failed = bulk->decode_sgf(text->at, text->size, &bulk->sgf, &bulk->record, &others);
    }
    if (!choice.is_named)
        failed |= w7_bulk_add_charset_problem(bulk, begin, end, named, choice.evidence);
    bulk->is_damaged = choice.undecodable >= 0;
    if (bulk->is_damaged)
        failed |= w7_bulk_add_problem(bulk, W7_TEXT_UNDECODABLE, facts->begin + choice.undecodable, 0);
    bulk->name = w7_bulk_sgf_name(text, &bulk->record);
    /* Where the bytes of a name end is not the same for everybody if some of them are no characters. */
    bulk->is_raw_name =
        choice.undecodable >= 0 && bulk->name.begin >= 0 &&
        !w7_charset_reads(bulk->charsets, choice.charset, text->at + bulk->name.begin, text->at + bulk->name.end);
    return failed ? -1 : 1;
}

/* Adds what is wrong with the encoding that the record, which was in UTF-16 or UTF-32, names. Returns as
 * w7_bulk_settle_charset does. */
static inline int w7_bulk_settle_wide(w7_bulk *bulk, const w7_bulk_text *text, const w7_sgf_facts *facts)
{
    int named;
    bulk->name = w7_bulk_sgf_name(text, &bulk->record);
    if (!(bulk->record.flags & W7_HAS_HIGH_BYTES))
        return 1;
    named = w7_bulk_named_charset(bulk, text);
    if (named == W7_CHARSET_WIDE)
        return 1;
    named = named == -2 ? W7_CHARSET_WIDE : named; /* any other name contradicts */
    return w7_bulk_add_charset_problem(bulk, text->at + facts->begin, text->at + facts->end, named,
                                       W7_EVIDENCE_ZEROS) == 0
               ? 1
               : -1;
}

static inline int w7_bulk_decode_sgf(w7_bulk *bulk, const w7_bulk_text *text)
{
    w7_sgf_facts facts;
    if (!bulk->is_utf8 && w7_bulk_looks_wide(bulk, text)) {
        bulk->wants_utf8 *= 2; /* 0 of a caller that cannot make it UTF-8 stays 0 */
        return 0;
    }
    bulk->charset = W7_CHARSET_UTF8;
    bulk->double_byte = 0;
    bulk->sgf.double_byte = 0;
    bulk->sgf.charsets = bulk->is_utf8 ? NULL : bulk->charsets;
    bulk->sgf.last_name = &bulk->last_name;
    if (bulk->decode_sgf(text->at, text->size, &bulk->sgf, &bulk->record, &facts) != 0)
        return -1;
    if (!bulk->is_utf8 && w7_bulk_is_plain_text(text, &bulk->record)) {
        bulk->name = w7_bulk_sgf_name(text, &bulk->record);
        return 1;
    }
    if (bulk->charsets == NULL) {
        bulk->wants_charsets *= 2;
        return 0;
    }
    return bulk->is_utf8 ? w7_bulk_settle_wide(bulk, text, &facts) : w7_bulk_settle_charset(bulk, text, &facts);
}

/* Whether the name of a wei7 record is ambiguous. */
static inline int w7_bulk_is_name_doubtful(const w7_bulk *bulk, const w7_problem *problem)
{
    const w7_span name = bulk->name;
    if (bulk->text->format == W7_BULK_SGF || name.begin < 0)
        return 0;
    if (problem->code == W7_ENCODING_INVALID) /* which is reported once, wherever it is */
        return 1;
    /* Python takes the last of two members, no string with a bare control character, and nothing that nests deeply. */
    return problem->offset >= name.begin && problem->offset < name.end &&
           (problem->code == W7_DUPLICATE_MEMBER || problem->code == W7_SURROGATE_LONE ||
            problem->code == W7_JSON_SYNTAX || problem->code == W7_STRING_CONTROL_CHARACTER ||
            problem->code == W7_STRING_LINE_BREAK || name.end - name.begin > W7_BULK_LONGEST_INFO);
}

/* Whether the caller that does not ask for errors need not see any of the problems. */
static inline int w7_bulk_may_count(const w7_bulk *bulk)
{
    const w7_problems *problems = &bulk->record.problems;
    for (int64_t k = 0; k < problems->count; k++) {
        const int kind = bulk->is_counted[problems->at[k].code];
        if (!(kind & W7_BULK_COUNTED) || kind & W7_BULK_REFUSED)
            return 0;
    }
    return 1;
}

/* Reads the text into the record. Returns 1, 0 if it is deferred, or -1 when memory is short. */
static inline int w7_bulk_decode(w7_bulk *bulk, const w7_bulk_text *text)
{
    const w7_problems *problems = &bulk->record.problems;
    int read;
    bulk->is_raw_name = bulk->is_damaged = 0;
    if (text->format == W7_BULK_DECODED) {
        bulk->record = *bulk->decoded;
        bulk->name = w7_no_span();
        return w7_bulk_may_count(bulk);
    }
    read = text->format == W7_BULK_UNKNOWN ? 0
           : text->format == W7_BULK_SGF   ? w7_bulk_decode_sgf(bulk, text)
                                           : w7_bulk_decode_wei7(bulk, text);
    if (read <= 0)
        return read;
    for (int64_t k = 0; k < problems->count && !bulk->is_raw_name; k++)
        bulk->is_raw_name = (uint8_t)w7_bulk_is_name_doubtful(bulk, &problems->at[k]);
    if (problems->count > INT32_MAX / 2 || (bulk->is_raw_name && !bulk->with_ids))
        return 0;
    return bulk->with_failures || w7_bulk_may_count(bulk);
}

/* Reads the header. Returns 0, or -1 when memory is short. */
static inline int w7_bulk_read_header(w7_bulk *bulk, const w7_bulk_text *text)
{
    w7_metadata *metadata = &bulk->metadata;
    metadata->scratch.count = 0;
    metadata->row.handicap = w7_metadata_handicap(&bulk->record);
    if (text->format == W7_BULK_DECODED)
        return 0;
    return text->format == W7_BULK_SGF ? w7_metadata_of_root(metadata, &bulk->record, text->at, bulk->charset,
                                                             bulk->double_byte, bulk->is_damaged)
                                       : w7_metadata_of_info(metadata, &bulk->record, text->at, !bulk->is_raw_name);
}

#endif

/* Common properties that the decoder does not interpret: of one value, kept as they are. Read at once, with those of
 * the root that are short; all others are left to the reader of properties, from their name on. */
#ifndef W7_FORMATS_SGF_RAW_PROPERTIES_H
#define W7_FORMATS_SGF_RAW_PROPERTIES_H

#include "formats/sgf/node.h"

/* Pairs bytes as in the encoding that the value [p, end) of CA names, if the reading of all its values depends on none. */
static inline void w7_sgf_pair_as_named(w7_sgf_reader *reader, const uint8_t *p, const uint8_t *end)
{
    const uint8_t *tables = reader->options.charsets;
    const int named = tables == NULL ? -1 : w7_sgf_charset_of_name(tables, p, end, reader->options.last_name);
    const int pairs = named < 0 ? 0 : w7_charset_double_byte((w7_charset)named);
    const uint8_t *read = reader->lexer.p > end ? reader->lexer.p : end;
    if (pairs && w7_charset_pass_ascii(reader->lexer.begin, read) == read)
        reader->lexer.double_byte = (uint8_t)pairs;
}

/* Reads FF, GM, SZ or CA of the root node. */
static inline void w7_sgf_read_root_property(w7_sgf_reader *reader)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const w7_sgf_property_read *property = &lexer->property;
    const uint8_t *p = lexer->begin + property->first.begin, *end = lexer->begin + property->first.end;
    int32_t number, width = 19, height = 19;
    w7_sgf_trim(&p, &end);
    switch (property->number) {
    case W7_SGF_CA:
        reader->record->charset = property->first;
        w7_sgf_pair_as_named(reader, lexer->begin + property->first.begin, lexer->begin + property->first.end);
        break;
    case W7_SGF_SZ:
        reader->size_form = (uint8_t)w7_sgf_read_size(p, end, &width, &height);
        if (reader->size_form == W7_SIZE_ABSENT) {
            w7_sgf_note(lexer, W7_SIZE_INVALID, W7_SGF_SZ, property->first.begin, 0);
            width = height = 19;
        }
        reader->again = reader->points_read && (width != reader->board.width || height != reader->board.height);
        reader->board.width = width;
        reader->board.height = height;
        if ((int64_t)width * height > reader->options.max_points)
            w7_sgf_note(lexer, W7_BOARD_SIZE_UNSUPPORTED, W7_SGF_SZ, property->first.begin, 0);
        break;
    default:
        number = w7_sgf_read_number(p, end, 9999);
        if (number < 0 && p < end)
            w7_sgf_note(lexer, W7_VALUE_INVALID, property->number, property->first.begin, 0);
        if (property->number == W7_SGF_FF)
            reader->revision = number > 0 ? number : reader->revision;
        else if (number > 1)
            w7_sgf_note(lexer, W7_GAME_NOT_GO, W7_SGF_GM, property->first.begin, number);
    }
}

/* The `]` after the digits at p, with a fraction where `real`; NULL where anything else is there. */
static inline const uint8_t *w7_sgf_digits_end(const uint8_t *p, const uint8_t *end, int real)
{
    const uint8_t *first = p;
    while (p < end && w7_sgf_is_digit(*p))
        p++;
    if (p == first)
        return NULL;
    if (real && p < end && *p == '.')
        for (p++; p < end && w7_sgf_is_digit(*p);)
            p++;
    return p < end && *p == ']' ? p : NULL;
}

/* The end of a value of the property that starts at p, or NULL where it needs a closer look. */
static inline const uint8_t *w7_sgf_kept_value_end(const w7_sgf_property *known, const uint8_t *p, const uint8_t *end,
                                                   int double_byte)
{
    if (known->value == W7_SGF_CLOCK)
        return w7_sgf_digits_end(p, end, 1);
    if (known->value == W7_SGF_STONES_LEFT)
        return w7_sgf_digits_end(p, end, 0);
    if (known->value == W7_SGF_REAL || known->value == W7_SGF_NUMBER) {
        /* Two digits may be a komi in hundredths, and 1 is no handicap. */
        const uint8_t *close = w7_sgf_digits_end(p, end, known->value == W7_SGF_REAL);
        return close != NULL && (close - p == 2 || (close - p == 1 && *p == '1')) ? NULL : close;
    }
    if (known->value == W7_SGF_DOUBLE)
        return end - p > 1 && (*p == '1' || *p == '2') && p[1] == ']' ? p + 1 : NULL;
    if (known->value == W7_SGF_NONE)
        return p < end && *p == ']' ? p : NULL;
    if (known->value != W7_SGF_ANY)
        return NULL;
    end = w7_sgf_value_end(p, end, double_byte);
    return end == NULL || w7_sgf_is_cut(p, end, double_byte) ? NULL : end;
}

/* Reads properties from p on that are kept, and a comment into *comment, as long as there are such: of a step's node or
 * of the root by `owner`. `seen` are those of the node so far. Returns where something else is. */
static inline const uint8_t *w7_sgf_read_kept(w7_sgf_reader *reader, const uint8_t *p, int owner, int64_t step,
                                              uint64_t seen[2], w7_span *comment)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *begin = lexer->begin, *end = lexer->end;
    w7_kepts *kept = &reader->record->kept;
    p = w7_sgf_pass_spaces(p, end);
    for (;;) {
        const w7_sgf_property *known;
        const uint8_t *name, *value, *close;
        w7_kept *row;
        uint64_t bit;
        int number;
        name = p;
        if (end - p < 3 || !w7_sgf_is_upper(*p))
            return name;
        value = p + (p[1] == '[' ? 2 : 3);
        if (value[-1] != '[' || (value - p == 3 && !w7_sgf_is_upper(p[1])))
            return name;
        number = W7_SGF_NAMES[W7_SGF_PLACE_OF(p[0], value - p == 3 ? p[1] : 0)];
        known = &W7_SGF_TABLE[number];
        bit = UINT64_C(1) << number % 64;
        if (number == W7_SGF_UNKNOWN)
            bit = 0;
        if (seen[number / 64] & bit)
            return name;
        if (known->use != W7_SGF_KEEP && known->use != W7_SGF_COMMENT &&
            (known->use != W7_SGF_ROOT_ONLY || owner != W7_OWNER_ROOT))
            return name;
        close = w7_sgf_kept_value_end(known, value, end, lexer->double_byte);
        if (close == NULL)
            return name;
        p = close + 1;
        if (p < end && *p <= ' ')
            p = w7_sgf_pass_spaces(p, end);
        if (p < end && *p == '[')
            return name;
        if (known->use == W7_SGF_COMMENT) {
            seen[number / 64] |= bit;
            comment->begin = value - begin;
            comment->end = close - begin;
            continue;
        }
        if (kept->count >= reader->options.max_steps || W7_TABLE_RESERVE_ONE(kept) != 0)
            return name;
        seen[number / 64] |= bit;
        reader->late_info |= owner != W7_OWNER_ROOT && w7_sgf_is_of_root(number);
        if (known->use == W7_SGF_ROOT_ONLY) {
            lexer->property.number = number;
            lexer->property.first.begin = value - begin;
            lexer->property.first.end = close - begin;
            w7_sgf_read_root_property(reader);
        }
        row = &kept->at[kept->count++];
        row->key.begin = name - begin;
        row->key.end = value - 1 - begin;
        row->value.begin = value - 1 - begin;
        row->value.end = close + 1 - begin;
        row->index = (int32_t)step;
        row->owner = (uint8_t)owner;
        row->inside = W7_INSIDE_OWNER;
        row->unused[0] = row->unused[1] = 0;
        if (reader->again)
            return p;
    }
}

#endif

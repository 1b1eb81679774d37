/* Members and single values of a wei7 document, checked against their constraints.
 *
 * Return values: W7_STOPPED (reading is over), W7_BAD (noted; the value was passed over and
 * cannot be used) or W7_GOOD. */
#ifndef W7_FORMATS_WEI7_VALUES_H
#define W7_FORMATS_WEI7_VALUES_H

#include "formats/wei7/json.h"
#include "formats/wei7/number.h"

enum { W7_STOPPED = 0, W7_BAD = 1, W7_GOOD = 2 };

enum { W7_SHORT_STRING = 128 };

/* Passes over a value of the wrong kind and notes it, unless it is no JSON value at all. */
static inline int w7_refuse(w7_reader *reader, int code, int place)
{
    const uint8_t *value = reader->p;
    if (!w7_pass_value(reader))
        return W7_STOPPED;
    w7_note(reader, code, place, value, 0);
    return W7_BAD;
}

/* Walking over the members of one object. */
typedef struct {
    uint64_t seen;
    int64_t offset; /* of the object */
    const w7_object_rule *rule;
    int entered;
    w7_span key; /* of the member just found */
} w7_members;

static inline w7_members w7_members_of(const w7_reader *reader, const w7_object_rule *rule)
{
    w7_members members = {0, w7_at(reader, reader->p), rule, 0, {-1, -1}};
    return members;
}

/* The name among `allowed` whose quoted key is at p as it is, without escapes, or W7_NAME_COUNT. */
static inline int w7_match_name(const uint8_t *p, const uint8_t *end, uint64_t allowed)
{
    unsigned letter;
    if (end - p < W7_NAME_ROOM + 1)
        return W7_NAME_COUNT;
    letter = (unsigned)p[1] - 'a';
    if (letter >= 26)
        return W7_NAME_COUNT;
    allowed &= W7_BIT(W7_FIRST_NAME[letter + 1]) - W7_BIT(W7_FIRST_NAME[letter]);
    for (; allowed != 0; allowed &= allowed - 1) {
        int name = w7_name_of_bit(allowed);
        if (w7_same_bytes(p + 1, (const uint8_t *)W7_QUOTED_NAMES[name], W7_NAME_LENGTHS[name] + 1))
            return name;
    }
    return W7_NAME_COUNT;
}

/* The name among `allowed` that the key spells, however it is escaped, or W7_NAME_COUNT. */
static inline int w7_find_name(const w7_reader *reader, const w7_span *key, uint64_t allowed)
{
    int name;
    for (name = 0; name < W7_NAME_COUNT; name++)
        if ((allowed & W7_BIT(name)) && w7_string_is(reader, key, W7_NAMES[name]))
            return name;
    return W7_NAME_COUNT;
}

/* Reads the key at the reader and the colon after it. Returns the name among those of the rule, W7_NAME_COUNT for
 * another one, or -1 where reading stopped. */
static inline int w7_read_key(w7_reader *reader, uint64_t allowed, w7_span *key)
{
    int name = w7_match_name(reader->p, reader->end, allowed);
    key->begin = w7_at(reader, reader->p);
    if (name != W7_NAME_COUNT && *reader->p == '"') {
        reader->p += W7_NAME_LENGTHS[name] + 2;
        key->end = w7_at(reader, reader->p);
    } else if (w7_peek(reader) != '"') {
        w7_stop_syntax(reader, reader->p);
        return -1;
    } else if (!w7_read_string(reader, key)) {
        return -1;
    } else {
        name = w7_find_name(reader, key, allowed);
    }
    w7_skip_space(reader);
    if (w7_peek(reader) != ':') {
        w7_stop_syntax(reader, reader->p);
        return -1;
    }
    reader->p++;
    w7_skip_space(reader);
    return name;
}

enum { W7_MEMBERS_END = -1, W7_MEMBERS_STOPPED = -2, W7_MEMBERS_UNKNOWN = -3 };

/* Reads up to the value of the next member and returns its name. A member named twice is
 * noted and passed over; missing ones are noted at the end. W7_MEMBERS_UNKNOWN leaves the
 * reader on the value: the caller keeps it or passes over it. */
static inline int w7_next_member(w7_reader *reader, w7_members *members)
{
    for (;;) {
        int name;
        w7_skip_space(reader);
        if (!members->entered) {
            members->entered = 1;
            reader->p++;
            w7_skip_space(reader);
            if (w7_peek(reader) == '}')
                break;
        } else if (w7_peek(reader) == ',') {
            reader->p++;
            w7_skip_space(reader);
        } else if (w7_peek(reader) == '}') {
            break;
        } else {
            w7_stop_syntax(reader, reader->p);
            return W7_MEMBERS_STOPPED;
        }
        name = w7_read_key(reader, members->rule->allowed, &members->key);
        if (name < 0)
            return W7_MEMBERS_STOPPED;
        if (name == W7_NAME_COUNT) {
            w7_note_at(reader, W7_UNKNOWN_MEMBER, members->rule->place, members->key.begin, 0);
            return W7_MEMBERS_UNKNOWN;
        }
        if (members->seen & W7_BIT(name)) {
            w7_note_at(reader, W7_DUPLICATE_MEMBER, members->rule->place, members->key.begin, name);
            if (!w7_pass_value(reader))
                return W7_MEMBERS_STOPPED;
            continue;
        }
        members->seen |= W7_BIT(name);
        return name;
    }
    reader->p++;
    {
        uint64_t missing = members->rule->required & ~members->seen;
        int name;
        for (name = 0; missing != 0; name++, missing >>= 1)
            if (missing & 1)
                w7_note_at(reader, W7_MISSING_MEMBER, members->rule->place, members->offset, name);
    }
    return W7_MEMBERS_END;
}

static inline int w7_has(const w7_members *members, int name)
{
    return (members->seen & W7_BIT(name)) != 0;
}

static inline int w7_at_row_limit(w7_reader *reader, int64_t count)
{
    return count >= reader->options.max_steps && !w7_stop_reading(reader, W7_LIMIT_STEPS, reader->p);
}

/* Keeps the member whose key is in `members` and whose value is [value, reader): a text that
 * the columns cannot hold. */
static inline int w7_keep(w7_reader *reader, w7_span key, int64_t value, int owner, int64_t index, int inside)
{
    w7_kepts *kepts = &reader->record->kept;
    w7_kept *kept;
    if (w7_at_row_limit(reader, kepts->count))
        return 0;
    if (W7_TABLE_RESERVE_ONE(kepts) != 0)
        return w7_out_of_memory(reader);
    kept = &kepts->at[kepts->count++];
    kept->key = key;
    kept->value.begin = value;
    kept->value.end = w7_at(reader, reader->p);
    kept->index = (int32_t)index;
    kept->owner = (uint8_t)owner;
    kept->inside = (uint8_t)inside;
    memset(kept->unused, 0, sizeof kept->unused);
    return 1;
}

/* The hole of an unknown member of an object that is read by the rule of this place, where layouts have one. */
static inline w7_hole w7_unknown_hole(int place)
{
    return place == W7_AT_STEP     ? W7_HOLE_UNKNOWN_OF_STEP
           : place == W7_AT_ACTION ? W7_HOLE_UNKNOWN_OF_ACTION
           : place == W7_AT_MOVE   ? W7_HOLE_UNKNOWN_OF_MOVE
                                   : W7_HOLE_NONE;
}

static inline int w7_keep_unknown(w7_reader *reader, const w7_members *members, int owner, int64_t index, int inside)
{
    const uint8_t *begin = reader->p, *key = reader->begin + members->key.begin;
    const w7_hole hole = w7_unknown_hole(members->rule->place);
    if (!w7_pass_value(reader))
        return 0;
    if (hole != W7_HOLE_NONE && memchr(key, '\\', (size_t)(members->key.end - members->key.begin)) == NULL)
        w7_trace_hole(&reader->trace, hole, begin, reader->p);
    return w7_keep(reader, members->key, w7_at(reader, begin), owner, index, inside);
}

/* As w7_next_member, but unknown members are kept for the row `index` of `owner`, or passed over if that is negative. */
static inline int w7_next_known_member(w7_reader *reader, w7_members *members, int owner, int64_t index, int inside)
{
    int name;
    while ((name = w7_next_member(reader, members)) == W7_MEMBERS_UNKNOWN)
        if (owner < 0 ? !w7_pass_value(reader) : !w7_keep_unknown(reader, members, owner, index, inside))
            return W7_MEMBERS_STOPPED;
    return name;
}

/* A string of any content. */
static inline int w7_read_text(w7_reader *reader, int place, w7_span *span)
{
    w7_span text;
    *span = w7_no_span();
    if (w7_peek(reader) != '"')
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    if (!w7_read_string(reader, &text))
        return W7_STOPPED;
    *span = text;
    return W7_GOOD;
}

static inline int w7_is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

static inline int w7_is_line_break(uint32_t c)
{
    return (c >= 0x0A && c <= 0x0D) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/* Constraint shortString: at most 128 characters (code points), one line, and since
 * revision 7 no control character. */
static inline int w7_read_short_string(w7_reader *reader, int place)
{
    w7_span span;
    const uint8_t *p, *end;
    int64_t count = 0;
    int control = 0, broken = 0;
    int status = w7_read_text(reader, place, &span);
    if (status != W7_GOOD)
        return status;
    p = reader->begin + span.begin + 1;
    end = reader->begin + span.end - 1;
    while (p < end) {
        uint32_t c = w7_next_character(&p, end);
        count++;
        broken |= w7_is_line_break(c);
        control |= w7_is_control(c) && !w7_is_line_break(c);
    }
    if (count > W7_SHORT_STRING)
        w7_note_at(reader, W7_STRING_TOO_LONG, place, span.begin, count > INT32_MAX ? INT32_MAX : (int32_t)count);
    if (broken)
        w7_note_at(reader, W7_STRING_LINE_BREAK, place, span.begin, 0);
    if (control && reader->options.revision != 2)
        w7_note_at(reader, W7_STRING_CONTROL_CHARACTER, place, span.begin, 0);
    return W7_GOOD;
}

/* Reads a string that must be one of `words` (ended by NULL); *index is its place there. */
static inline int w7_read_word(w7_reader *reader, int place, const char *const *words, int *index)
{
    w7_span span;
    int status, k;
    for (k = 0; words[k] != NULL; k++) {
        size_t length = strlen(words[k]);
        if ((size_t)(reader->end - reader->p) >= length + 2 && reader->p[0] == '"' && reader->p[length + 1] == '"' &&
            memcmp(reader->p + 1, words[k], length) == 0) {
            reader->p += length + 2;
            *index = k;
            return W7_GOOD;
        }
    }
    status = w7_read_text(reader, place, &span);
    if (status != W7_GOOD)
        return status;
    for (k = 0; words[k] != NULL; k++)
        if (w7_string_is(reader, &span, words[k])) {
            *index = k;
            return W7_GOOD;
        }
    w7_note_at(reader, W7_VALUE_NOT_ALLOWED, place, span.begin, 0);
    return W7_BAD;
}

static inline int w7_read_decimal(w7_reader *reader, int place, w7_span *span, w7_decimal *value)
{
    *span = w7_no_span();
    memset(value, 0, sizeof *value);
    if (!w7_starts_number(w7_peek(reader)))
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    if (!w7_read_number(reader, span))
        return W7_STOPPED;
    *value = w7_decimal_read(reader->begin + span->begin, reader->begin + span->end);
    return W7_GOOD;
}

/* Passes over a whole number of one to nine digits in its plain spelling, where the number at the reader
 * is one. Returns it, or -1. */
static inline int32_t w7_pass_plain_integer(w7_reader *reader)
{
    const uint8_t *p = reader->p, *end = reader->end, *digits = p;
    int32_t value = 0;
    for (; p < end && (uint8_t)(*p - '0') < 10 && p - digits < 9; p++)
        value = value * 10 + (*p - '0');
    if (p == digits || p >= end || (*digits == '0' && p - digits > 1) || (uint8_t)(*p - '0') < 10 || *p == '.' ||
        (*p | 32) == 'e')
        return -1;
    reader->p = p;
    return value;
}

/* An integer of at least `least`. No board, list or game is so large that one above INT32_MAX could be right:
 * that is noted as `too_large`, the problem it would be found to be later. */
static inline int w7_read_integer(w7_reader *reader, int place, int32_t least, int too_large, int32_t *result)
{
    w7_span span;
    w7_decimal value;
    int64_t number;
    int status;
    const uint8_t *begin = reader->p;
    int32_t plain = w7_pass_plain_integer(reader);
    if (plain >= least) {
        *result = plain;
        return W7_GOOD;
    }
    reader->p = begin;
    status = w7_read_decimal(reader, place, &span, &value);
    if (status != W7_GOOD)
        return status;
    if (!w7_decimal_is_integer(&value)) {
        w7_note_at(reader, W7_NUMBER_NOT_INTEGER, place, span.begin, 0);
        return W7_BAD;
    }
    number = w7_decimal_floor(&value);
    if (value.negative || number < least) {
        w7_note_at(reader, W7_NUMBER_OUT_OF_RANGE, place, span.begin, 0);
        return W7_BAD;
    }
    if (number > INT32_MAX) {
        w7_note_at(reader, too_large, place, span.begin, -1);
        return W7_BAD;
    }
    *result = (int32_t)number;
    return W7_GOOD;
}

/* A coordinate of a point. Mostly it has one digit or two, and which is not predictable. */
static inline int w7_read_coordinate(w7_reader *reader, int32_t *result)
{
    if (reader->end - reader->p > 2) {
        const w7_coordinate small = w7_coordinate_at(reader->p);
        const uint8_t after = reader->p[1 + small.longer];
        if (small.wrong == 0 && (after == ',' || after == '}' || after <= ' ')) {
            reader->p += 1 + small.longer;
            *result = small.value;
            return W7_GOOD;
        }
    }
    return w7_read_integer(reader, W7_AT_COORDINATE, 0, W7_POINT_OFF_BOARD, result);
}

/* Constraint color: the number 1 or 2. */
static inline int w7_read_any_color(w7_reader *reader, int place, uint8_t *color)
{
    w7_span span;
    w7_decimal value;
    int64_t number;
    int status = w7_read_decimal(reader, place, &span, &value);
    if (status != W7_GOOD)
        return status;
    number = w7_decimal_floor(&value);
    if (value.negative || !w7_decimal_is_integer(&value) || number < 1 || number > 2) {
        w7_note_at(reader, W7_VALUE_NOT_ALLOWED, place, span.begin, 0);
        return W7_BAD;
    }
    *color = (uint8_t)number;
    return W7_GOOD;
}

static inline int w7_read_color(w7_reader *reader, int place, uint8_t *color)
{
    if (reader->end - reader->p > 1 && (reader->p[0] == '1' || reader->p[0] == '2') &&
        (reader->p[1] == ',' || reader->p[1] == '}')) {
        *color = (uint8_t)(*reader->p++ - '0');
        return W7_GOOD;
    }
    return w7_read_any_color(reader, place, color);
}

/* A multiple of 0.5 below `limit`; zero only where `zero` allows it. */
static inline int w7_read_points(w7_reader *reader, int place, int64_t limit, int zero, w7_span *span)
{
    w7_decimal value;
    int status = w7_read_decimal(reader, place, span, &value);
    if (status != W7_GOOD)
        return status;
    if (value.negative || w7_decimal_floor(&value) >= limit || (!zero && value.digits == 0)) {
        w7_note_at(reader, W7_NUMBER_OUT_OF_RANGE, place, span->begin, 0);
        return W7_BAD;
    }
    if (!w7_decimal_is_half_integer(&value)) {
        w7_note_at(reader, W7_NUMBER_NOT_HALF, place, span->begin, 0);
        return W7_BAD;
    }
    return W7_GOOD;
}

/* Passes over a number like 12.75, of at most five digits before the point and six after it, where the number
 * at the reader is one. Returns it, rounded as w7_decimal_double rounds it, or -1. */
static inline double w7_pass_plain_decimal(w7_reader *reader)
{
    static const double TENS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    const uint8_t *p = reader->p, *end = reader->end, *digits = p;
    int64_t value = 0; /* both it and the power of ten are exact, so that one division rounds once */
    int places = 0;
    for (; p < end && (uint8_t)(*p - '0') < 10 && p - digits < 6; p++)
        value = value * 10 + (*p - '0');
    if (p == digits || p - digits > 5 || (*digits == '0' && p - digits > 1))
        return -1.0;
    if (p < end && *p == '.') {
        digits = ++p;
        for (; p < end && (uint8_t)(*p - '0') < 10 && p - digits < 7; p++)
            value = value * 10 + (*p - '0');
        places = (int)(p - digits);
        if (places < 1 || places > 6)
            return -1.0;
    }
    if (p >= end || (*p | 32) == 'e')
        return -1.0;
    reader->p = p;
    return (double)value / TENS[places];
}

/* Constraint time: 0 <= t < 86400. */
static inline int w7_read_time(w7_reader *reader, w7_span *span, double *seconds)
{
    w7_decimal value;
    int status;
    const uint8_t *begin = reader->p;
    double plain = w7_pass_plain_decimal(reader);
    if (plain >= 0.0 && plain < 86400.0) {
        *seconds = plain;
        span->begin = w7_at(reader, begin);
        span->end = w7_at(reader, reader->p);
        return W7_GOOD;
    }
    reader->p = begin;
    status = w7_read_decimal(reader, W7_AT_STEP_TIME, span, &value);
    if (status != W7_GOOD)
        return status;
    if (value.negative || w7_decimal_floor(&value) >= 86400) {
        w7_note_at(reader, W7_NUMBER_OUT_OF_RANGE, W7_AT_STEP_TIME, span->begin, 0);
        return W7_BAD;
    }
    *seconds = w7_decimal_double(&value);
    return W7_GOOD;
}

static inline int w7_two_digits(const uint8_t *p)
{
    if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9')
        return -1;
    return (p[0] - '0') * 10 + (p[1] - '0');
}

static inline int w7_days_in_month(int year, int month)
{
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return DAYS[month - 1] + (month == 2 && leap);
}

enum { W7_DATE_BAD, W7_DATE_UNUSUAL, W7_DATE_GOOD };

/* Judges a time in one of the forms YYYY-MM-DDThh:mmZ, YYYY-MM-DDThh:mm:ssZ and YYYY-MM-DDThh:mm:ss.sZ with 1 to 9
 * digits of fraction. */
static inline int w7_judge_datetime(const uint8_t *text, int length)
{
    int century, year, month, day, hour, minute, second = 0, fraction = 0, k;
    if (length < 17 || length > 30 || length == 18 || length == 19 || length == 21 || text[length - 1] != 'Z' ||
        text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':')
        return W7_DATE_BAD;
    century = w7_two_digits(text);
    year = w7_two_digits(text + 2);
    month = w7_two_digits(text + 5);
    day = w7_two_digits(text + 8);
    hour = w7_two_digits(text + 11);
    minute = w7_two_digits(text + 14);
    if (length > 17) {
        if (text[16] != ':')
            return W7_DATE_BAD;
        second = w7_two_digits(text + 17);
    }
    if (length > 20) {
        if (text[19] != '.')
            return W7_DATE_BAD;
        for (k = 20; k < length - 1; k++) {
            if (text[k] < '0' || text[k] > '9')
                return W7_DATE_BAD;
            fraction |= text[k] != '0';
        }
    }
    if (century < 0 || year < 0 || month < 1 || month > 12 || day < 1 ||
        day > w7_days_in_month(century * 100 + year, month) || hour < 0 || minute < 0 || minute > 59 || second < 0)
        return W7_DATE_BAD;
    if (hour == 24)
        return minute == 0 && second == 0 && !fraction ? W7_DATE_UNUSUAL : W7_DATE_BAD;
    if (second == 60)
        return hour == 23 && minute == 59 ? W7_DATE_UNUSUAL : W7_DATE_BAD;
    return hour < 24 && second < 60 ? W7_DATE_GOOD : W7_DATE_BAD;
}

static inline int w7_read_datetime(w7_reader *reader)
{
    uint8_t text[64];
    w7_span span;
    int status = w7_read_text(reader, W7_AT_INFO_TIME, &span), length;
    if (status != W7_GOOD)
        return status;
    length = w7_string_value(reader, span, text, (int)sizeof text);
    switch (length < 0 ? W7_DATE_BAD : w7_judge_datetime(text, length)) {
    case W7_DATE_BAD: w7_note_at(reader, W7_DATETIME_INVALID, W7_AT_INFO_TIME, span.begin, 0); return W7_BAD;
    case W7_DATE_UNUSUAL: w7_note_at(reader, W7_DATETIME_UNUSUAL, W7_AT_INFO_TIME, span.begin, 0); break;
    default: break;
    }
    return W7_GOOD;
}

/* Walking over the elements of an array. */
typedef struct {
    int entered;
} w7_elements;

/* 1: the reader is at the next element; 0: the array ended; -1: reading stopped. */
static inline int w7_next_element(w7_reader *reader, w7_elements *elements)
{
    w7_skip_space(reader);
    if (!elements->entered) {
        elements->entered = 1;
        reader->p++;
        w7_skip_space(reader);
        if (w7_peek(reader) != ']')
            return 1;
    } else if (w7_peek(reader) == ',') {
        reader->p++;
        w7_skip_space(reader);
        return 1;
    } else if (w7_peek(reader) != ']') {
        w7_stop_syntax(reader, reader->p);
        return -1;
    }
    reader->p++;
    return 0;
}

/* The offset of a member's value in the object at `offset`, or -1 where there is none or the text
 * breaks off: for problems that show only after the whole document was read. */
static inline int64_t w7_find_value(w7_reader *reader, int64_t offset, const char *name)
{
    const uint8_t *resume = reader->p;
    int64_t found = -1;
    int quiet = reader->quiet;
    if (offset < 0 || offset >= w7_at(reader, reader->end) || reader->begin[offset] != '{')
        return -1;
    reader->quiet = 1;
    reader->p = reader->begin + offset + 1;
    w7_skip_space(reader);
    while (found < 0 && w7_peek(reader) == '"') {
        w7_span key;
        key.begin = w7_at(reader, reader->p);
        if (!w7_read_string(reader, &key))
            break;
        w7_skip_space(reader);
        if (w7_peek(reader) != ':')
            break;
        reader->p++;
        w7_skip_space(reader);
        if (w7_string_is(reader, &key, name)) {
            found = w7_at(reader, reader->p);
            break;
        }
        if (!w7_pass_value(reader))
            break;
        w7_skip_space(reader);
        if (w7_peek(reader) != ',')
            break;
        reader->p++;
        w7_skip_space(reader);
    }
    reader->p = resume;
    reader->quiet = quiet;
    return found;
}

#endif

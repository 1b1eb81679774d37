/* The source of the columns of metadata: texts of the header of a record, its first moves, the key of its opening.
 *
 * Texts go into one list of values; a value that came shortly before is not put there again. No Python. */
#ifndef W7_BATCH_METADATA_H
#define W7_BATCH_METADATA_H

#include "batch/game_keys.h"
#include "batch/header_values.h"
#include "batch/record_id.h"
#include "batch/summary.h"
#include "batch/text_list.h"
#include "formats/sgf/lexer.h"
#include "formats/wei7/values.h"
#include "record/record.h"

/* The fields of a header. In wei7 RULES and RESULT are JSON objects, as written, and KOMI is a member of the first. */
enum {
    W7_METADATA_BLACK = 0,
    W7_METADATA_WHITE,
    W7_METADATA_BLACK_RANK,
    W7_METADATA_WHITE_RANK,
    W7_METADATA_BLACK_TEAM,
    W7_METADATA_WHITE_TEAM,
    W7_METADATA_EVENT,
    W7_METADATA_ROUND,
    W7_METADATA_PLACE,
    W7_METADATA_DATE,
    W7_METADATA_KOMI,
    W7_METADATA_RULES,
    W7_METADATA_HANDICAP,
    W7_METADATA_TIME,
    W7_METADATA_OVERTIME,
    W7_METADATA_RESULT,
    W7_METADATA_PROGRAM,
    W7_METADATA_VERSION, /* of SGF, FF: in the first one times are minutes */
    W7_METADATA_INFO,    /* the object `info` of wei7 that the caller reads, an unusual one; no other field is set */
    W7_METADATA_FIELDS
};

enum {
    W7_FIRST_MOVES = 12,
    W7_RECENT_VALUES = 4096, /* values that are looked at for one that is the same */
    W7_RAW_VALUE = 128, /* added to the encoding of the values of a property as written: some bytes are no characters */
    W7_LONGEST_VERTEX = 24 /* bytes of a vertex of GTP and a space */
};

typedef struct {
    int32_t value_numbers[W7_METADATA_FIELDS]; /* the number of the value, -1 where there is none */
    int32_t handicap;                          /* stones of a handicap that are set up */
    int32_t first_size;                        /* bytes among the first moves, -1 where there is no move */
    uint8_t unused[4];
    uint64_t opening_key; /* 0: there is no move */
} w7_metadata_row;

W7_TABLE(w7_metadata_rows, w7_metadata_row);
W7_TABLE(w7_value_ends, int64_t);

/* All zeros at first. */
typedef struct {
    w7_metadata_rows rows;
    w7_metadata_row row; /* of the current record */
    w7_letters values;   /* one after the other, each in the encoding of its record */
    w7_value_ends ends;
    w7_letters charsets; /* a byte for each value */
    w7_letters first;    /* vertices of GTP with spaces between them */
    w7_letters scratch;
    int32_t *recent; /* numbers of values from 1 on, by their hashes; 0 is none */
} w7_metadata;

static inline void w7_metadata_free(w7_metadata *metadata)
{
    free(metadata->rows.at);
    free(metadata->values.at);
    free(metadata->ends.at);
    free(metadata->charsets.at);
    free(metadata->first.at);
    free(metadata->scratch.at);
    free(metadata->recent);
}

static inline int64_t w7_metadata_bytes(const w7_metadata *metadata)
{
    return metadata->rows.count * (int64_t)sizeof(w7_metadata_row) + metadata->values.count + metadata->first.count;
}

static inline void w7_metadata_clear_row(w7_metadata *metadata)
{
    memset(&metadata->row, 0, sizeof metadata->row);
    for (int k = 0; k < W7_METADATA_FIELDS; k++)
        metadata->row.value_numbers[k] = -1;
    metadata->row.first_size = -1;
}

/* Adds the row of the current record. Returns 0, or -1 when memory is short. */
static inline int w7_metadata_add_row(w7_metadata *metadata)
{
    if (W7_TABLE_RESERVE_ONE(&metadata->rows) != 0)
        return -1;
    metadata->rows.at[metadata->rows.count++] = metadata->row;
    return 0;
}

/* --- values ---------------------------------------------------------------------------------------------- */

/* Bytes of the white space of Unicode at p in UTF-8; 0 where something else is there. */
static inline int w7_white_space(const uint8_t *p, const uint8_t *end)
{
    const int64_t size = end - p;
    if (*p == ' ' || (*p >= 0x09 && *p <= 0x0D) || (*p >= 0x1C && *p <= 0x1F))
        return 1;
    if (size >= 2 && *p == 0xC2)
        return p[1] == 0x85 || p[1] == 0xA0 ? 2 : 0;
    if (size < 3)
        return 0;
    if (p[0] == 0xE2 && p[1] == 0x80)
        return (p[2] >= 0x80 && p[2] <= 0x8A) || p[2] == 0xA8 || p[2] == 0xA9 || p[2] == 0xAF ? 3 : 0;
    if (p[0] == 0xE2 && p[1] == 0x81)
        return p[2] == 0x9F ? 3 : 0;
    if (p[0] == 0xE1)
        return p[1] == 0x9A && p[2] == 0x80 ? 3 : 0;
    return p[0] == 0xE3 && p[1] == 0x80 && p[2] == 0x80 ? 3 : 0;
}

/* Whether a text is white space alone, that of ASCII in another encoding than UTF-8. */
static inline int w7_is_blank(const uint8_t *p, const uint8_t *end, uint8_t charset)
{
    while (p < end) {
        const int size = w7_white_space(p, end);
        if (size == 0 || (size > 1 && charset != 0))
            return 0;
        p += size;
    }
    return 1;
}

static inline int w7_value_is(const w7_metadata *metadata, int32_t number, const uint8_t *p, int64_t size,
                              uint8_t charset)
{
    const int64_t begin = number == 0 ? 0 : metadata->ends.at[number - 1];
    return metadata->ends.at[number] - begin == size && (uint8_t)metadata->charsets.at[number] == charset &&
           memcmp(metadata->values.at + begin, p, (size_t)size) == 0;
}

/* Sets a field that has no value yet to a text; white space is no value. Returns 0, or -1 when memory is short. */
static inline int w7_metadata_put(w7_metadata *metadata, int field, const uint8_t *p, int64_t size, uint8_t charset)
{
    int32_t *recent;
    if (size == 0 || w7_is_blank(p, p + size, charset))
        return 0;
    if (metadata->recent == NULL) {
        metadata->recent = (int32_t *)calloc(W7_RECENT_VALUES, sizeof *metadata->recent);
        if (metadata->recent == NULL)
            return -1;
    }
    recent = &metadata->recent[w7_text_hash(p, size, charset) % W7_RECENT_VALUES];
    if (*recent == 0 || !w7_value_is(metadata, *recent - 1, p, size, charset)) {
        if (metadata->ends.count >= INT32_MAX || W7_TABLE_RESERVE_ONE(&metadata->ends) != 0 ||
            w7_letters_reserve(&metadata->values, size) != 0 || w7_letters_reserve(&metadata->charsets, 1) != 0)
            return -1;
        memcpy(metadata->values.at + metadata->values.count, p, (size_t)size);
        metadata->values.count += size;
        metadata->ends.at[metadata->ends.count++] = metadata->values.count;
        metadata->charsets.at[metadata->charsets.count++] = (char)charset;
        *recent = (int32_t)metadata->ends.count;
    }
    metadata->row.value_numbers[field] = *recent - 1;
    return 0;
}

/* Sets a field to the scratch text, and empties that. */
static inline int w7_metadata_put_scratch(w7_metadata *metadata, int field)
{
    const int64_t size = metadata->scratch.count;
    metadata->scratch.count = 0;
    return size == 0 ? 0 : w7_metadata_put(metadata, field, (const uint8_t *)metadata->scratch.at, size, 0);
}

/* --- SGF ------------------------------------------------------------------------------------------------- */

/* The field of a property of SGF; -1 for any other. */
static inline int w7_metadata_field_of(int number)
{
    switch (number) {
    case W7_SGF_PB: return W7_METADATA_BLACK;
    case W7_SGF_PW: return W7_METADATA_WHITE;
    case W7_SGF_BR: return W7_METADATA_BLACK_RANK;
    case W7_SGF_WR: return W7_METADATA_WHITE_RANK;
    case W7_SGF_BT: return W7_METADATA_BLACK_TEAM;
    case W7_SGF_WT: return W7_METADATA_WHITE_TEAM;
    case W7_SGF_EV: return W7_METADATA_EVENT;
    case W7_SGF_RO: return W7_METADATA_ROUND;
    case W7_SGF_PC: return W7_METADATA_PLACE;
    case W7_SGF_DT: return W7_METADATA_DATE;
    case W7_SGF_KM: return W7_METADATA_KOMI;
    case W7_SGF_RU: return W7_METADATA_RULES;
    case W7_SGF_HA: return W7_METADATA_HANDICAP;
    case W7_SGF_TM: return W7_METADATA_TIME;
    case W7_SGF_OT: return W7_METADATA_OVERTIME;
    case W7_SGF_RE: return W7_METADATA_RESULT;
    case W7_SGF_AP: return W7_METADATA_PROGRAM;
    case W7_SGF_FF: return W7_METADATA_VERSION;
    default: return -1;
    }
}

/* The end of the first of the values [p, end) where nothing in it is escaped or white space other than blanks, or NULL. */
static inline const uint8_t *w7_plain_value_end(const uint8_t *p, const uint8_t *end)
{
    if (p >= end || *p != '[')
        return NULL;
    for (p++; p < end && *p != ']'; p++)
        if (*p == '\\' || (uint8_t)(*p - '\t') <= '\r' - '\t')
            return NULL;
    return p;
}

/* Sets the field of a property to its first value, unless it was seen before: *seen has a bit for each. `charset`
 * and `double_byte` are those of the texts, which `is_damaged` where some bytes are no characters. Returns 0, or -1 when
 * memory is short. */
static inline int w7_metadata_put_property(w7_metadata *metadata, const uint8_t *p, const uint8_t *end, int number,
                                           uint8_t charset, int double_byte, int is_damaged, uint32_t *seen)
{
    const uint8_t *plain;
    const int field = w7_metadata_field_of(number);
    int64_t size;
    if (field < 0 || *seen >> field & 1)
        return 0;
    *seen |= 1u << field;
    if (is_damaged && w7_charset_pass_ascii(p, end) < end)
        return w7_metadata_put(metadata, field, p, end - p, charset | W7_RAW_VALUE);
    plain = double_byte ? NULL : w7_plain_value_end(p, end);
    if (plain != NULL)
        return w7_metadata_put(metadata, field, p + 1, plain - p - 1, charset);
    if (w7_name_of_values(p, end, double_byte, &metadata->scratch, &size) != 0)
        return -1;
    metadata->scratch.count = 0;
    return size <= 0 ? 0 : w7_metadata_put(metadata, field, (const uint8_t *)metadata->scratch.at, size, charset);
}

/* Reads the root node; where that has no game info, also the only other node with it, if it is on every line.
 * Arguments and result are those of w7_metadata_put_property. */
static inline int w7_metadata_of_root(w7_metadata *metadata, const w7_record *record, const uint8_t *text,
                                      uint8_t charset, int double_byte, int is_damaged)
{
    const int32_t step = w7_header_step(text, record);
    uint32_t seen = 0;
    int number, lower;
    for (int64_t i = 0; i < record->kept.count && (step >= 0 || record->kept.at[i].owner == W7_OWNER_ROOT); i++) {
        const w7_kept *kept = &record->kept.at[i];
        w7_sgf_read_name(text + kept->key.begin, text + kept->key.end, &number, &lower);
        if (w7_header_is_of(kept, number, step) &&
            w7_metadata_put_property(metadata, text + kept->value.begin, text + kept->value.end, number, charset,
                                     double_byte, is_damaged, &seen) != 0)
            return -1;
    }
    return 0;
}

/* --- wei7 ------------------------------------------------------------------------------------------------ */

typedef struct {
    w7_span name;
    w7_span rank;
} w7_info_participant;

/* Whether a value is a whole number of one to four digits, which becomes *number. */
static inline int w7_read_small_number(const uint8_t *text, w7_span span, int *number)
{
    *number = 0;
    if (span.end - span.begin > 4)
        return 0;
    for (int64_t k = span.begin; k < span.end; k++) {
        if (text[k] < '0' || text[k] > '9')
            return 0;
        *number = *number * 10 + (text[k] - '0');
    }
    return span.end > span.begin;
}

static inline int w7_add_string(w7_metadata *metadata, const uint8_t *text, w7_span span)
{
    return span.begin < 0 ? 0 : w7_name_add_json(&metadata->scratch, text + span.begin + 1, text + span.end - 1);
}

/* Sets a field to the value of a member as it is written. */
static inline int w7_metadata_put_member(w7_metadata *metadata, int field, const uint8_t *text, w7_span span)
{
    return span.begin < 0 ? 0 : w7_metadata_put(metadata, field, text + span.begin, span.end - span.begin, 0);
}

/* The values of the object `info`; sides are the participants and colors of the players. */
typedef struct {
    w7_span time, place, rules, result;
    w7_info_participant people[W7_MOST_HEADER_OBJECTS];
    int sides[W7_MOST_HEADER_OBJECTS][2];
    int people_count;
    int side_count;
} w7_info_values;

/* Takes in a value. Returns whether it is of the usual kind. */
static inline int w7_info_values_add(w7_info_values *info, const w7_header_value *found, const uint8_t *text)
{
    const w7_info_participant nobody = {{-1, -1}, {-1, -1}};
    const uint8_t first = text[found->value.begin];
    const int32_t k = found->index;
    if (k >= W7_MOST_HEADER_OBJECTS)
        return 0;
    switch (found->place << 8 | found->name) {
    case W7_AT_INFO << 8 | W7_N_TIME: info->time = found->value; return first == '"';
    case W7_AT_INFO << 8 | W7_N_PLACE: info->place = found->value; return first == '"';
    case W7_AT_INFO << 8 | W7_N_RULES: info->rules = found->value; return 1;
    case W7_AT_INFO << 8 | W7_N_RESULT: info->result = found->value; return 1;
    case W7_AT_INFO << 8 | W7_N_PARTICIPANTS:
    case W7_AT_INFO << 8 | W7_N_PLAYERS: return first == '[';
    case W7_AT_PARTICIPANTS << 8 | W7_N_PARTICIPANT:
        info->people[k] = nobody;
        info->people_count = k + 1;
        return first == '{';
    case W7_AT_PARTICIPANT << 8 | W7_N_NAME: info->people[k].name = found->value; return first == '"';
    case W7_AT_PARTICIPANT << 8 | W7_N_RANK: info->people[k].rank = found->value; return first == '"';
    case W7_AT_PLAYERS << 8 | W7_N_PLAYERS:
        info->sides[k][0] = W7_MOST_HEADER_OBJECTS;
        info->sides[k][1] = 0;
        info->side_count = k + 1;
        return first == '{';
    case W7_AT_PLAYER << 8 | W7_N_PARTICIPANT: return w7_read_small_number(text, found->value, &info->sides[k][0]);
    case W7_AT_PLAYER << 8 | W7_N_COLOR: return w7_read_small_number(text, found->value, &info->sides[k][1]);
    default: return 1;
    }
}

/* Sets the names of the players of a color, joined, and the first rank. */
static inline int w7_metadata_put_players(w7_metadata *metadata, const uint8_t *text, const w7_info_values *info,
                                          int color)
{
    int with_rank = 0;
    for (int k = 0; k < info->side_count; k++) {
        const int64_t before = metadata->scratch.count;
        if (info->sides[k][1] != color)
            continue;
        if (w7_letters_reserve(&metadata->scratch, 2) != 0)
            return -1;
        if (before > 0) {
            memcpy(metadata->scratch.at + before, ", ", 2);
            metadata->scratch.count += 2;
        }
        if (w7_add_string(metadata, text, info->people[info->sides[k][0]].name) != 0)
            return -1;
        if (metadata->scratch.count == before + (before > 0 ? 2 : 0))
            metadata->scratch.count = before;
    }
    if (w7_metadata_put_scratch(metadata, W7_METADATA_BLACK + color - W7_BLACK) != 0)
        return -1;
    for (int k = 0; k < info->side_count && !with_rank; k++) {
        if (info->sides[k][1] != color)
            continue;
        if (w7_add_string(metadata, text, info->people[info->sides[k][0]].rank) != 0)
            return -1;
        with_rank = metadata->scratch.count > 0;
        if (w7_metadata_put_scratch(metadata, W7_METADATA_BLACK_RANK + color - W7_BLACK) != 0)
            return -1;
    }
    return 0;
}

/* Reads the object `info`, where `is_usual` and of the usual shape. Returns 0, or -1 when memory is short. */
static inline int w7_metadata_of_info(w7_metadata *metadata, const w7_record *record, const uint8_t *text, int is_usual)
{
    w7_info_values info;
    info.time = info.place = info.rules = info.result = w7_no_span();
    info.people_count = info.side_count = 0;
    if (record->info.begin < 0)
        return 0;
    for (int64_t k = 0; is_usual && k < record->header.count; k++)
        is_usual = w7_info_values_add(&info, &record->header.at[k], text);
    for (int k = 0; is_usual && k < info.side_count; k++)
        is_usual = info.sides[k][0] < info.people_count;
    if (!is_usual)
        return w7_metadata_put_member(metadata, W7_METADATA_INFO, text, record->info);
    return w7_add_string(metadata, text, info.time) != 0 || w7_metadata_put_scratch(metadata, W7_METADATA_DATE) != 0 ||
                   w7_add_string(metadata, text, info.place) != 0 ||
                   w7_metadata_put_scratch(metadata, W7_METADATA_PLACE) != 0 ||
                   w7_metadata_put_member(metadata, W7_METADATA_RULES, text, info.rules) != 0 ||
                   w7_metadata_put_member(metadata, W7_METADATA_RESULT, text, info.result) != 0 ||
                   w7_metadata_put_players(metadata, text, &info, W7_BLACK) != 0 ||
                   w7_metadata_put_players(metadata, text, &info, W7_WHITE) != 0
               ? -1
               : 0;
}

/* --- the opening ----------------------------------------------------------------------------------------- */

/* The stones of a handicap: two or more that the start of the game sets up, all black. */
static inline int32_t w7_metadata_handicap(const w7_record *record)
{
    const int32_t row = record->trees.count > 0 ? record->trees.at[0].pre : -1;
    const w7_pre *pre = row >= 0 ? &record->pres.at[row] : NULL;
    if (pre == NULL || pre->problem || pre->stone_count < 2)
        return 0;
    for (int32_t k = 0; k < pre->stone_count; k++)
        if (record->stones.at[pre->stones + k].what != W7_BLACK)
            return 0;
    return pre->stone_count;
}

/* Appends the vertex of GTP of a point and a space; `out` has W7_LONGEST_VERTEX bytes of room. */
static inline void w7_add_vertex(w7_letters *out, int32_t height, int32_t x, int32_t y)
{
    char *at = out->at + out->count;
    char letters[8], digits[12];
    int count = 0;
    if (x < 0) {
        memcpy(at, "pass ", 5);
        out->count += 5;
        return;
    }
    if (x < 25 && height - y < 100) { /* as nearly always */
        const int32_t row = height - y;
        *at++ = (char)('A' + x + (x >= 'I' - 'A'));
        if (row >= 10)
            *at++ = (char)('0' + row / 10);
        *at++ = (char)('0' + row % 10);
        *at++ = ' ';
        out->count = at - out->at;
        return;
    }
    for (int64_t column = x; column >= 0; column = column / 25 - 1) {
        const int letter = (int)(column % 25);
        letters[count++] = (char)('A' + letter + (letter >= 'I' - 'A'));
    }
    while (count > 0)
        *at++ = letters[--count];
    for (int32_t row = height - y; row > 0; row /= 10)
        digits[count++] = (char)('0' + row % 10);
    while (count > 0)
        *at++ = digits[--count];
    *at++ = ' ';
    out->count = at - out->at;
}

/* Appends the vertices of some moves, each separated from the next by a space. Returns 0, or -1 when memory is short.
 */
static inline int w7_add_vertices(w7_letters *out, int32_t height, const w7_placement *moves, int count)
{
    if (w7_letters_reserve(out, (int64_t)count * W7_LONGEST_VERTEX) != 0)
        return -1;
    for (int k = 0; k < count; k++)
        w7_add_vertex(out, height, moves[k].x, moves[k].y);
    out->count -= count > 0;
    return 0;
}

/* The key of the first moves, the same for the images of a game under the symmetries of its board and for the game with
 * its colors exchanged: as the key of a game in game_keys.h, the least of all images. `starts` are the hashes of the
 * position before the first move, as it is and with the colors exchanged. */
static inline uint64_t w7_opening_key(const w7_symmetry_keys *keys, const w7_grid *grid, const uint64_t starts[2][8],
                                      const w7_placement *moves, int count)
{
    const int symmetries = grid->width == grid->height ? 8 : 4;
    uint64_t least[2];
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        uint64_t chain[8];
        memcpy(chain, starts[exchanged], sizeof chain);
        for (int k = 0; k < count; k++) {
            const int color = exchanged ? W7_BLACK + W7_WHITE - moves[k].color : moves[k].color;
            uint64_t image[8] = {0};
            if (moves[k].x >= 0)
                w7_images_add(keys, grid, color, moves[k].x, moves[k].y, image);
            for (int symmetry = 0; symmetry < 8; symmetry++) {
                image[symmetry] ^= moves[k].x < 0 ? w7_game_pass_key(color) : 0;
                chain[symmetry] = chain[symmetry] << 1 ^ ((0 - (chain[symmetry] >> 63)) & 0x1B) ^ image[symmetry];
            }
        }
        least[exchanged] = w7_least_key(chain, symmetries);
    }
    return least[0] < least[1] ? least[0] : least[1];
}

/* Adds the first moves of a game. Returns 0, or -1 when memory is short. */
static inline int w7_metadata_add_moves(w7_metadata *metadata, const w7_symmetry_keys *keys, const w7_grid *grid,
                                        const uint64_t starts[2][8], const w7_placement *moves, int count)
{
    const int64_t before = metadata->first.count;
    if (count == 0)
        return 0;
    if (w7_add_vertices(&metadata->first, grid->height, moves, count) != 0)
        return -1;
    metadata->row.first_size = (int32_t)(metadata->first.count - before);
    metadata->row.opening_key = w7_opening_key(keys, grid, starts, moves, count);
    return 0;
}

/* Adds the first moves of a record that is one line of moves from an empty board. */
static inline int w7_metadata_add_line(w7_metadata *metadata, w7_symmetry_keys *keys, const w7_grid *grid,
                                       const w7_record *record, int64_t count)
{
    w7_placement moves[W7_FIRST_MOVES];
    w7_game_start start;
    uint64_t starts[2][8];
    w7_game_start_empty(&start, keys, grid);
    memcpy(starts[0], start.hashes, sizeof starts[0]);
    memcpy(starts[1], start.hashes, sizeof starts[1]);
    count = count < W7_FIRST_MOVES ? count : W7_FIRST_MOVES;
    for (int64_t k = 0; k < count; k++) {
        moves[k].x = record->steps.at[k].x;
        moves[k].y = record->steps.at[k].y;
        moves[k].color = record->steps.at[k].color;
    }
    return w7_metadata_add_moves(metadata, keys, grid, (const uint64_t (*)[8])starts, moves, (int)count);
}

/* Reads the first moves in force on a board. Returns how many there are. */
static inline int w7_first_moves_of(const w7_board *board, w7_placement moves[W7_FIRST_MOVES])
{
    const int64_t count = board->move_count < W7_FIRST_MOVES ? board->move_count : W7_FIRST_MOVES;
    for (int64_t k = 0; k < count; k++) {
        moves[k].x = board->moves[k].x;
        moves[k].y = board->moves[k].y;
        moves[k].color = board->moves[k].color;
    }
    return (int)count;
}

/* Adds the first moves of a record whose main line has come to its end on the board. */
static inline int w7_metadata_add_board(w7_metadata *metadata, w7_symmetry_keys *keys, const w7_record *record,
                                        int32_t missed, const w7_board *board)
{
    w7_placement moves[W7_FIRST_MOVES];
    const int count = w7_first_moves_of(board, moves);
    uint64_t starts[2][8];
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        w7_game_start start;
        w7_facts_start(&start, keys, record, missed, board, exchanged);
        memcpy(starts[exchanged], start.hashes, sizeof starts[exchanged]);
    }
    return w7_metadata_add_moves(metadata, keys, &board->grid, (const uint64_t (*)[8])starts, moves, count);
}

/* The key of the opening of a game that was not read from a text, of which `game` has the first moves alone. */
static inline w7_status w7_listed_game_opening(const w7_listed_game *game, int32_t width, int32_t height,
                                               uint64_t *opening_key, int64_t *done)
{
    w7_symmetry_keys keys = {0};
    w7_placement moves[W7_FIRST_MOVES];
    uint64_t starts[2][8];
    w7_board board;
    w7_status status = w7_board_init(&board, width, height);
    *done = 0;
    if (status != W7_OK)
        return status;
    status = w7_listed_game_play(game, &board, done);
    if (status == W7_OK) {
        const int count = w7_first_moves_of(&board, moves);
        for (int exchanged = 0; exchanged < 2; exchanged++) {
            w7_game_start start;
            w7_game_start_empty(&start, &keys, &board.grid);
            for (int64_t k = 0; k < game->stone_count; k++)
                w7_game_start_add(&start, &keys, &board.grid, w7_color_or_other(game->stones[k].color, exchanged),
                                  game->stones[k].x, game->stones[k].y, 1);
            w7_game_start_add_edits(&start, &keys, &board, exchanged);
            memcpy(starts[exchanged], start.hashes, sizeof starts[exchanged]);
        }
        *opening_key = w7_opening_key(&keys, &board.grid, (const uint64_t (*)[8])starts, moves, count);
    }
    w7_symmetry_keys_free(&keys);
    w7_board_free(&board);
    return status;
}

#endif

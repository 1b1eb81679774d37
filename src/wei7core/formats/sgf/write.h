/* A record of SGF that nobody has changed as text again, straight from its columns: SGF, or wei7 3.0 (write_wei7.h); and
 * a record of wei7 as SGF.
 *
 * Only records of the plain kind are written here: one step a node, text in UTF-8, names in capitals, no property twice,
 * of wei7 moves with evaluations and comments alone. All others are declined, and are converted as documents, which
 * writes the same bytes of those that are not. */
#ifndef W7_FORMATS_SGF_WRITE_H
#define W7_FORMATS_SGF_WRITE_H

#include "formats/sgf/decode.h"
#include "formats/wei7/json.h"
#include "formats/written.h"

enum { W7_SGF_NODES_IN_A_LINE = 10, W7_SGF_MOST_PROPERTIES = 64 };

/* Names of one capital or two have the place W7_SGF_PLACE_OF, all others this one. */
enum { W7_SGF_LONG_NAME = 26 * 27, W7_SGF_PLACES };

/* Attributes of properties for the writers, by the places of their names; made from the tables of Python. */
typedef struct {
    const uint8_t *rank; /* place in a node */
    const uint8_t *kind; /* W7_SGF_OF_ROOT, and those of write_wei7.h */
    int is_wei7;         /* the record, whose texts are strings of JSON */
} w7_sgf_writing;

enum { W7_SGF_OF_ROOT = 0x80 }; /* of the root, of the whole game, or of setup: no property of any other node */

static inline uint8_t w7_sgf_letter_of(int32_t number)
{
    return (uint8_t)(number < 26 ? 'a' + number : 'A' + number - 26);
}

enum { W7_SGF_JSON = 4 };

/* One property of a node that is written. */
typedef struct {
    const uint8_t *name;
    int64_t name_size;
    const uint8_t *value; /* from the bracket of the first value to after the last; without brackets of a comment */
    int64_t value_size;
    int place; /* of its name */
    int rank;
    int what; /* 0: values, 1: a comment, W7_SGF_JSON: one of wei7, else the stones of color what - 1 */
} w7_sgf_node_property;

typedef struct {
    w7_sgf_node_property at[W7_SGF_MOST_PROPERTIES];
    int count;
} w7_sgf_node_properties;

/* Adds a property to those of a node, by rank; what is of one rank stays in its order. */
static inline int w7_sgf_add_property(w7_sgf_node_properties *properties, const w7_sgf_node_property *one)
{
    int place = properties->count;
    if (properties->count == W7_SGF_MOST_PROPERTIES)
        return 0;
    for (; place > 0 && properties->at[place - 1].rank > one->rank; place--)
        properties->at[place] = properties->at[place - 1];
    properties->at[place] = *one;
    properties->count++;
    return 1;
}

/* Reads a row of kept properties. Returns 0 where it is not plain. */
static inline int w7_sgf_kept_property(const w7_kept *row, const uint8_t *source, const w7_sgf_writing *writing,
                                       w7_sgf_node_property *one)
{
    int64_t k;
    one->name = source + row->key.begin;
    one->name_size = row->key.end - row->key.begin;
    one->value = source + row->value.begin;
    one->value_size = row->value.end - row->value.begin;
    one->what = 0;
    if (one->name_size < 1 || one->value_size < 2 || one->value[0] != '[')
        return 0;
    for (k = 0; k < one->name_size; k++)
        if (!w7_sgf_is_upper(one->name[k]))
            return 0;
    one->place =
        one->name_size > 2 ? W7_SGF_LONG_NAME : W7_SGF_PLACE_OF(one->name[0], one->name_size == 2 ? one->name[1] : 0);
    if (one->place == W7_SGF_PLACE_OF('M', 0) || one->place == W7_SGF_PLACE_OF('L', 0))
        return 0; /* FF[4] has MA and LB */
    one->rank = writing->rank[one->place];
    return 1;
}

static inline int w7_sgf_is_twice(const w7_sgf_node_properties *properties, const w7_sgf_node_property *one)
{
    int k;
    for (k = 0; k < properties->count; k++)
        if (properties->at[k].name_size == one->name_size &&
            memcmp(properties->at[k].name, one->name, (size_t)one->name_size) == 0)
            return 1;
    return 0;
}

/* The end of the value that begins at p, after its bracket: its closing bracket, or NULL where it has none. */
static inline const uint8_t *w7_sgf_closing(const uint8_t *p, const uint8_t *end)
{
    for (; p < end; p++) {
        if (*p == ']')
            return p;
        if (*p == '\\')
            p++;
    }
    return NULL;
}

/* Appends values without what is between them. Returns W7_DECLINED where they are not plain; there is room. */
static inline int w7_sgf_put_values(w7_out *out, const uint8_t *p, const uint8_t *end)
{
    while (p < end) {
        const uint8_t *close;
        if (*p != '[' || (close = w7_sgf_closing(p + 1, end)) == NULL)
            return W7_DECLINED;
        w7_out_put(out, p, close + 1 - p);
        for (p = close + 1; p < end && w7_sgf_is_space(*p); p++)
            ;
    }
    return W7_WRITTEN;
}

/* Appends the characters of a string of JSON as a Text. Returns W7_DECLINED where these are others; there is room. */
static inline int w7_sgf_put_json(w7_out *out, const uint8_t *p, const uint8_t *end)
{
    while (p < end) {
        const uint32_t c = *p < 0x80 && *p != '\\' ? *p++ : w7_next_character(&p, end);
        if ((c >= '\t' && c <= '\r' && c != '\n') || (c & 0xFFFFF800) == 0xD800)
            return W7_DECLINED; /* other white space, or half of a pair */
        if (c == ']' || c == '\\')
            out->at[out->count++] = '\\';
        out->count += w7_utf8_write(out->at + out->count, c);
    }
    return W7_WRITTEN;
}

static inline int w7_sgf_put_properties(w7_out *out, const w7_sgf_node_properties *properties, const w7_record *record,
                                        const w7_pre *pre)
{
    int k;
    for (k = 0; k < properties->count; k++) {
        const w7_sgf_node_property *one = &properties->at[k];
        if (w7_out_reserve(out, one->name_size + one->value_size * 2 + 8))
            return W7_WRITE_NO_MEMORY;
        w7_out_put(out, one->name, one->name_size);
        if (one->what == 0) {
            if (w7_sgf_put_values(out, one->value, one->value + one->value_size) != W7_WRITTEN)
                return W7_DECLINED;
        } else if (one->what == 1 || one->what == W7_SGF_JSON) {
            out->at[out->count++] = '[';
            if (one->what == 1)
                w7_out_put(out, one->value, one->value_size);
            else if (w7_sgf_put_json(out, one->value, one->value + one->value_size) != W7_WRITTEN)
                return W7_DECLINED;
            out->at[out->count++] = ']';
        } else {
            uint64_t taken[W7_SGF_MAX_SIZE] = {0}; /* a bit for each point of a column */
            int32_t x, y, row;
            if (w7_out_reserve(out, (int64_t)pre->stone_count * 4))
                return W7_WRITE_NO_MEMORY;
            for (row = 0; row < pre->stone_count; row++) {
                const w7_placed *stone = &record->stones.at[pre->stones + row];
                if (stone->what == one->what - 1)
                    taken[stone->x] |= UINT64_C(1) << stone->y;
            }
            for (x = 0; x < record->width; x++)
                for (y = 0; taken[x] >> y; y++)
                    if (taken[x] >> y & 1) {
                        out->at[out->count++] = '[';
                        out->at[out->count++] = w7_sgf_letter_of(x);
                        out->at[out->count++] = w7_sgf_letter_of(y);
                        out->at[out->count++] = ']';
                    }
        }
    }
    return W7_WRITTEN;
}

/* Adds a comment to the properties of a node, where there is one. */
static inline int w7_sgf_add_comment(w7_sgf_node_properties *properties, w7_span comment, const uint8_t *source,
                                     int64_t size, const w7_sgf_writing *writing)
{
    static const uint8_t name[] = "C";
    w7_sgf_node_property one = {name, 1, source, 0, W7_SGF_LONG_NAME, 0, 1};
    if (comment.begin < 0)
        return 1;
    if (comment.end + !writing->is_wei7 > size || w7_sgf_is_twice(properties, &one))
        return 0;                                          /* the text ends in it, or it has several values */
    one.value = source + comment.begin + writing->is_wei7; /* without quotes */
    one.value_size = comment.end - comment.begin - 2 * writing->is_wei7;
    one.what = writing->is_wei7 ? W7_SGF_JSON : 1;
    one.rank = writing->rank[W7_SGF_PLACE_OF('C', 0)];
    return w7_sgf_add_property(properties, &one);
}

/* Whether a property is about the text of the record, or written anew. */
static inline int w7_sgf_is_of_text(int place)
{
    return place == W7_SGF_PLACE_OF('F', 'F') || place == W7_SGF_PLACE_OF('C', 'A') ||
           place == W7_SGF_PLACE_OF('G', 'M') || place == W7_SGF_PLACE_OF('S', 'Z');
}

/* Collects the properties of the root node, but for FF, CA, GM and SZ. Returns 0 where they are not plain. */
static inline int w7_sgf_collect_root(const w7_record *record, const uint8_t *source, int64_t size,
                                      const w7_sgf_writing *writing, w7_sgf_node_properties *properties, int64_t *kept)
{
    static const uint8_t names[3][3] = {"AE", "AB", "AW"};
    const w7_pre *pre = record->trees.at[0].pre < 0 ? NULL : &record->pres.at[record->trees.at[0].pre];
    const w7_placed *stones = pre == NULL ? NULL : record->stones.at;
    int has_time = 0, old_time = 0, of_text = 0, color, row;
    properties->count = 0;
    *kept = writing->is_wei7 ? record->kept.count : 0;
    for (; *kept < record->kept.count && record->kept.at[*kept].owner == W7_OWNER_ROOT; ++*kept) {
        w7_sgf_node_property one;
        if (!w7_sgf_kept_property(&record->kept.at[*kept], source, writing, &one) || w7_sgf_is_twice(properties, &one))
            return 0;
        if (w7_sgf_is_of_text(one.place)) {
            const int bit = one.name[0] == 'F' ? 1 : one.name[0] == 'C' ? 2 : one.name[0] == 'G' ? 4 : 8;
            if ((of_text & bit) ||
                w7_sgf_closing(one.value + 1, one.value + one.value_size) != one.value + one.value_size - 1)
                return 0;
            of_text |= bit;
        }
        switch (one.place) {
        case W7_SGF_PLACE_OF('A', 'B'):
        case W7_SGF_PLACE_OF('A', 'W'):
        case W7_SGF_PLACE_OF('A', 'E'): return 0; /* what could not be read as a point */
        case W7_SGF_PLACE_OF('F', 'F'):
            old_time = one.value_size != 3 || (one.value[1] != '3' && one.value[1] != '4');
            break;
        case W7_SGF_PLACE_OF('G', 'M'):
            if (one.value_size != 3 || one.value[1] != '1')
                return 0;
            break;
        case W7_SGF_PLACE_OF('C', 'A'):
        case W7_SGF_PLACE_OF('S', 'Z'): break;
        case W7_SGF_PLACE_OF('T', 'M'): has_time = 1; /* fall through */
        default:
            if (!w7_sgf_add_property(properties, &one))
                return 0;
        }
    }
    if (has_time && old_time)
        return 0; /* it may be in minutes */
    if (pre == NULL)
        return 1;
    if (!w7_sgf_add_comment(properties, pre->comment, source, size, writing))
        return 0;
    for (color = 1; color < 3; color++)
        for (row = 0; row < pre->stone_count; row++)
            if (stones[pre->stones + row].what == color) {
                w7_sgf_node_property one = {names[color], 2, NULL, 0, W7_SGF_LONG_NAME, 0, color + 1};
                one.rank = writing->rank[W7_SGF_PLACE_OF('A', names[color][1])];
                if (!w7_sgf_add_property(properties, &one))
                    return 0;
                break;
            }
    return 1;
}

/* Whether SGF has places for all members of a record of wei7 besides `info`, and none of it changes. */
static inline int w7_sgf_is_plain_wei7(const w7_record *record)
{
    const w7_pre *pre = record->pres.at;
    int64_t row;
    if ((record->kept.count > 0 && record->trees.count > 1) || record->pres.count > (record->trees.at[0].pre >= 0))
        return 0;
    if (record->pres.count > 0 &&
        (pre->problem || pre->mark_count > 0 || (pre->stone_count <= 0 && pre->comment.begin < 0)))
        return 0;
    for (row = 0; row < record->trees.count; row++)
        if (record->trees.at[row].title.begin >= 0)
            return 0;
    for (row = 0; row < record->details.count; row++) {
        const w7_detail *detail = &record->details.at[row];
        if (detail->time.begin >= 0 || detail->actor >= 0 || detail->problem || detail->mark_count > 0)
            return 0;
    }
    return 1;
}

/* Whether all of a record is of the plain kind, as far as its tables show; moves that cannot be read are where the
 * target is SGF, in wei7 of one branch, which ends there. */
static inline int w7_sgf_is_plain(const w7_record *record, const w7_sgf_writing *writing, int is_to_sgf)
{
    const int unreadable =
        is_to_sgf && (!writing->is_wei7 || record->trees.count == 1) ? W7_STEP_UNREADABLE : W7_STEP_MOVE;
    int64_t row;
    if (record->trees.count == 0 || (record->flags & W7_NOT_UTF8) || record->width < 1 || record->height < 1 ||
        record->width > W7_SGF_MAX_SIZE || record->height > W7_SGF_MAX_SIZE ||
        (writing->is_wei7 && !w7_sgf_is_plain_wei7(record)))
        return 0;
    for (row = 0; row < record->stones.count; row++) {
        const w7_placed *stone = &record->stones.at[row];
        if (stone->x < 0 || stone->y < 0 || stone->x >= record->width || stone->y >= record->height)
            return 0;
    }
    for (row = 0; row < record->trees.count; row++)
        if (row > 0 && record->trees.at[row].step_count < 1)
            return 0;
    for (row = 0; row < record->steps.count; row++) {
        const w7_step *step = &record->steps.at[row];
        if (step->joined || (step->kind != W7_STEP_MOVE && step->kind != W7_STEP_NOTE && step->kind != unreadable))
            return 0;
        if (step->kind == W7_STEP_MOVE && (step->x >= record->width || step->y >= record->height))
            return 0;
        if (writing->is_wei7 && step->tag > W7_EVALUATION_GOOD)
            return 0;
    }
    return 1;
}

/* Writes a move as a property of 5 bytes, a pass of 3. */
static inline void w7_sgf_put_move_text(uint8_t *at, const w7_step *step)
{
    at[0] = step->color == 1 ? 'B' : 'W';
    at[1] = '[';
    at[2] = step->x < 0 ? ']' : w7_sgf_letter_of(step->x);
    at[3] = w7_sgf_letter_of(step->y);
    at[4] = ']';
}

/* Appends the node of a step after its semicolon. *kept is the next row of kept properties. */
static inline int w7_sgf_put_node(w7_out *out, const w7_record *record, int64_t row, const uint8_t *source,
                                  int64_t size, const w7_sgf_writing *writing, int64_t *kept)
{
    const w7_step *step = &record->steps.at[row];
    const w7_kept *rows = record->kept.at;
    w7_sgf_node_properties properties;
    uint8_t move[5];
    const int move_size = step->x < 0 ? 3 : 5;
    w7_sgf_put_move_text(move, step);
    properties.count = 0;
    for (; *kept < record->kept.count && rows[*kept].owner == W7_OWNER_STEP && rows[*kept].index == row; ++*kept) {
        w7_sgf_node_property one;
        if (!w7_sgf_kept_property(&rows[*kept], source, writing, &one) || w7_sgf_is_twice(&properties, &one))
            return W7_DECLINED;
        if (writing->kind[one.place] & W7_SGF_OF_ROOT)
            return W7_DECLINED;
        if (!w7_sgf_add_property(&properties, &one))
            return W7_DECLINED;
    }
    if (step->detail >= 0 &&
        !w7_sgf_add_comment(&properties, record->details.at[step->detail].comment, source, size, writing))
        return W7_DECLINED;
    if (writing->is_wei7 && step->tag) {
        static const uint8_t names[] = "BMTE", value[] = "[1]";
        w7_sgf_node_property one = {names + 2 * (step->tag - 1), 2, value, 3, W7_SGF_LONG_NAME, 0, 0};
        one.rank = writing->rank[W7_SGF_PLACE_OF('T', 'E')]; /* there is one of them */
        if (!w7_sgf_add_property(&properties, &one))
            return W7_DECLINED;
    }
    if (step->kind == W7_STEP_MOVE) {
        w7_sgf_node_property one = {move, 1, move + 1, move_size - 1, W7_SGF_LONG_NAME, 0, 0};
        one.rank = writing->rank[W7_SGF_PLACE_OF('B', 0)];
        if (!w7_sgf_add_property(&properties, &one))
            return W7_DECLINED;
    } else if (step->kind == W7_STEP_UNREADABLE) {
        const w7_span text = step->detail < 0 ? w7_no_span() : record->details.at[step->detail].value;
        w7_sgf_node_property one = {
            source + text.begin, 1, source + text.begin + 1, text.end - text.begin - 1, W7_SGF_LONG_NAME, 0, 0};
        one.rank = writing->rank[W7_SGF_PLACE_OF('B', 0)];
        if (text.begin < 0 || one.value_size < 2 || one.value[0] != '[' || !w7_sgf_add_property(&properties, &one))
            return W7_DECLINED; /* its name has small letters, or there is space */
    }
    return w7_sgf_put_properties(out, &properties, record, NULL);
}

/* Appends the start of a record as SGF, up to the end of its root node, of wei7 only what is after the properties of
 * the game; *kept is the first row of kept properties after those of the root. Returns a status. */
static inline int w7_sgf_write_root(const w7_record *record, const uint8_t *source, int64_t size,
                                    const w7_sgf_writing *writing, w7_out *out, int64_t *kept)
{
    w7_sgf_node_properties properties;
    const w7_tree *trees = record->trees.at;
    if (!w7_sgf_is_plain(record, writing, 1) || !w7_sgf_collect_root(record, source, size, writing, &properties, kept))
        return W7_DECLINED;
    if (w7_out_reserve(out, 64))
        return W7_WRITE_NO_MEMORY;
    if (!writing->is_wei7) {
        W7_OUT_PUT(out, "(;FF[4]CA[UTF-8]GM[1]SZ[");
        w7_out_put_number(out, record->width);
        if (record->width != record->height) {
            out->at[out->count++] = ':';
            w7_out_put_number(out, record->height);
        }
        out->at[out->count++] = ']';
    }
    return w7_sgf_put_properties(out, &properties, record, trees[0].pre < 0 ? NULL : &record->pres.at[trees[0].pre]);
}

/* Appends a record as SGF, of wei7 without its kept members. Returns W7_WRITTEN, W7_DECLINED or W7_WRITE_NO_MEMORY. */
static inline int w7_sgf_write(const w7_record *record, const uint8_t *source, int64_t size,
                               const w7_sgf_writing *writing, w7_out *out)
{
    const w7_tree *trees = record->trees.at;
    int64_t kept = 0, row, k;
    int status = w7_sgf_write_root(record, source, size, writing, out, &kept);
    for (row = 0; status == W7_WRITTEN && row < record->trees.count; row++) {
        int left = row == 0 ? 0 : W7_SGF_NODES_IN_A_LINE;
        int64_t above = row == 0 ? 0 : row - 1;
        for (; row > 0; above = trees[above].parent) {
            if (w7_out_reserve(out, 8))
                return W7_WRITE_NO_MEMORY;
            if (above == trees[row].parent)
                break;
            out->at[out->count++] = ')';
        }
        if (row > 0)
            W7_OUT_PUT(out, "\n(");
        for (k = 0; status == W7_WRITTEN && k < trees[row].step_count; k++) {
            const int64_t at = trees[row].first_step + k;
            const w7_step *step = &record->steps.at[at];
            if (writing->is_wei7 && step->kind == W7_STEP_UNREADABLE)
                break;
            if (w7_out_reserve(out, (trees[row].step_count - k) * 8))
                return W7_WRITE_NO_MEMORY;
            if (left == 0) {
                out->at[out->count++] = '\n';
                left = W7_SGF_NODES_IN_A_LINE;
            }
            left--;
            out->at[out->count++] = ';';
            if (step->kind == W7_STEP_MOVE && step->detail < 0 && !(writing->is_wei7 && step->tag) &&
                (kept == record->kept.count || record->kept.at[kept].index != at)) {
                w7_sgf_put_move_text(out->at + out->count, step);
                out->count += step->x < 0 ? 3 : 5;
            } else {
                status = w7_sgf_put_node(out, record, at, source, size, writing, &kept);
            }
        }
    }
    for (row = record->trees.count - 1; status == W7_WRITTEN && row >= 0; row = trees[row].parent) {
        if (w7_out_reserve(out, 2))
            return W7_WRITE_NO_MEMORY;
        out->at[out->count++] = ')';
    }
    if (status == W7_WRITTEN)
        out->at[out->count++] = '\n';
    return status == W7_WRITTEN && kept < record->kept.count ? W7_DECLINED : status;
}

#endif

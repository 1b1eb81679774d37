/* A record of SGF of the plain kind as wei7 3.0, straight from its columns: one that loses only properties of the root. */
#ifndef W7_FORMATS_SGF_WRITE_WEI7_H
#define W7_FORMATS_SGF_WRITE_WEI7_H

#include "formats/sgf/write.h"

/* What becomes of a property of the root node. */
enum {
    W7_SGF_NOT_WRITTEN = 0, /* it takes the way of documents */
    W7_SGF_OF_TEXT,         /* FF, CA, GM, SZ: nothing */
    W7_SGF_MEMBER,          /* GN, PC, PB, BR, PW, WR */
    W7_SGF_EVENT,           /* EV, RO: the name of a game that has none, else a line of the comment */
    W7_SGF_READ,            /* KM, RU, RE: read in Python */
    W7_SGF_HANDICAP,        /* HA: a line where the stones do not say the same */
    W7_SGF_LINE,            /* a line of the comment */
    W7_SGF_LINES            /* GC: lines of the comment */
};

/* What Python says of KM, RU or RE: the parts of JSON that they become. */
typedef struct {
    const uint8_t *first; /* of KM the komi, of RU the scoring, of RE the result; NULL: none */
    int64_t first_size;
    const uint8_t *second; /* of RU the type */
    int64_t second_size;
    int is_complete; /* the comment needs nothing more */
    int is_normal;   /* and the text is in the words of the standard */
} w7_sgf_parts;

/* The text of each move of a board, with a comma before it; rows are copied whole. */
enum { W7_SGF_STEP_ROW = 80 };

typedef struct {
    int32_t width;
    int32_t height;
    uint8_t *text; /* rows of W7_SGF_STEP_ROW bytes: moves of Black by their points, its pass, then those of White */
    uint8_t *size;
} w7_sgf_step_texts;

typedef struct {
    const w7_sgf_step_texts *steps; /* or NULL */
    w7_sgf_writing writing;
    uint8_t *const *label; /* of the lines of the comment, by place; with their sizes */
    const int64_t *label_size;
    w7_sgf_parts komi, rules, result;
} w7_sgf_to_wei7;

/* One value of the root as its SimpleText, or Text, with no spaces around; of size 0 where it says nothing. */
typedef struct {
    int64_t begin; /* in the bytes of texts */
    int64_t size;
} w7_sgf_plain_text;

static inline int w7_sgf_is_break(uint8_t c)
{
    return c == '\n' || c == '\r';
}

/* Appends what [p, end), a Text, means; of a SimpleText line breaks are spaces. There is room. */
static inline void w7_sgf_put_plain(w7_sgf_out *out, const uint8_t *p, const uint8_t *end, int is_simple)
{
    while (p < end) {
        uint8_t c = *p++;
        const int escaped = c == '\\' && p < end;
        if (escaped)
            c = *p++;
        else if (c == '\\')
            return;
        if (w7_sgf_is_break(c)) {
            if (p < end && w7_sgf_is_break(*p) && *p != c)
                p++;
            if (escaped)
                continue;
            c = is_simple ? ' ' : '\n';
        } else if (c == '\t' || c == '\v' || c == '\f') {
            c = ' ';
        }
        out->at[out->count++] = c;
    }
}

/* Appends a string of JSON. Returns 0 where memory is short. */
static inline int w7_sgf_put_string(w7_sgf_out *out, const uint8_t *p, int64_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *end = p + size;
    if (size > (int64_t)(PTRDIFF_MAX / 8) || !w7_sgf_room(out, size * 6 + 2))
        return 0;
    out->at[out->count++] = '"';
    for (; p < end; p++) {
        const uint8_t c = *p;
        if (c >= ' ' && c != '"' && c != '\\') {
            out->at[out->count++] = c;
            continue;
        }
        out->at[out->count++] = '\\';
        switch (c) {
        case '"':
        case '\\': out->at[out->count++] = c; break;
        case '\n': out->at[out->count++] = 'n'; break;
        case '\r': out->at[out->count++] = 'r'; break;
        case '\t': out->at[out->count++] = 't'; break;
        case '\b': out->at[out->count++] = 'b'; break;
        case '\f': out->at[out->count++] = 'f'; break;
        default:
            W7_SGF_PUT(out, "u00");
            out->at[out->count++] = (uint8_t)digits[c >> 4];
            out->at[out->count++] = (uint8_t)digits[c & 15];
        }
    }
    out->at[out->count++] = '"';
    return 1;
}

/* Whether a byte may begin a space that is not ASCII, which Python takes off the ends of texts. */
static inline int w7_sgf_may_be_space(const uint8_t *p, const uint8_t *end)
{
    if (*p == 0xC2)
        return end - p < 2 || p[1] == 0x85 || p[1] == 0xA0;
    if (*p == 0xE1)
        return end - p < 2 || p[1] == 0x9A;
    if (*p == 0xE2)
        return end - p < 3 || (p[1] == 0x80 && (p[2] <= 0x8A || (p[2] & 0xFE) == 0xA8 || p[2] == 0xAF)) ||
               (p[1] == 0x81 && p[2] == 0x9F);
    return *p == 0xE3 && (end - p < 3 || (p[1] == 0x80 && p[2] == 0x80));
}

/* Whether a text is one that is taken over as it is: no control characters, no spaces but plain ones, not too long. */
static inline int w7_sgf_is_short(const uint8_t *p, int64_t size, int64_t most, int with_breaks)
{
    const uint8_t *end = p + size;
    int64_t characters = 0;
    for (; p < end; p++) {
        characters += (*p & 0xC0) != 0x80;
        if ((*p < ' ' && !(with_breaks && *p == '\n')) || *p == 0x7F || w7_sgf_may_be_space(p, end) ||
            (*p == 0xC2 && end - p > 1 && p[1] < 0xA0))
            return 0;
    }
    return characters <= most;
}

/* Reads the one value of a property of the root. Returns a status. */
static inline int w7_sgf_read_plain(const w7_sgf_said *one, w7_sgf_out *texts, w7_sgf_plain_text *text, int64_t most,
                                    int with_breaks)
{
    const uint8_t *p = one->value + 1, *end = one->value + one->value_size;
    const uint8_t *close = w7_sgf_closing(p, end);
    if (close == NULL || close + 1 != end)
        return W7_SGF_DECLINED; /* more values than one */
    if (!w7_sgf_room(texts, close - p + 1))
        return W7_SGF_NO_MEMORY;
    text->begin = texts->count;
    w7_sgf_put_plain(texts, p, close, !with_breaks);
    text->size = texts->count - text->begin;
    if (!w7_sgf_is_short(texts->at + text->begin, text->size, most, with_breaks))
        return W7_SGF_DECLINED;
    return W7_SGF_WRITTEN;
}

/* Whether a text says nothing. */
static inline int w7_sgf_is_blank(const w7_sgf_out *texts, w7_sgf_plain_text text)
{
    int64_t k;
    for (k = 0; k < text.size; k++)
        if (texts->at[text.begin + k] != ' ' && texts->at[text.begin + k] != '\n')
            return 0;
    return 1;
}

static inline w7_sgf_plain_text w7_sgf_stripped(const w7_sgf_out *texts, w7_sgf_plain_text text)
{
    while (text.size > 0 && texts->at[text.begin] == ' ') {
        text.begin++;
        text.size--;
    }
    while (text.size > 0 && texts->at[text.begin + text.size - 1] == ' ')
        text.size--;
    return text;
}

/* Begins a member of an object. Returns 0 where memory is short. */
static inline int w7_sgf_begin_member(w7_sgf_out *out, int *members, const char *name)
{
    const int64_t size = (int64_t)strlen(name);
    if (!w7_sgf_room(out, size + 4))
        return 0;
    if ((*members)++ > 0)
        out->at[out->count++] = ',';
    out->at[out->count++] = '"';
    w7_sgf_out_put(out, name, size);
    W7_SGF_PUT(out, "\":");
    return 1;
}

/* Appends a member that is a text, where there is one. */
static inline int w7_sgf_put_text(w7_sgf_out *out, int *members, const char *name, const w7_sgf_out *texts,
                                  w7_sgf_plain_text text)
{
    return text.size == 0 ||
           (w7_sgf_begin_member(out, members, name) && w7_sgf_put_string(out, texts->at + text.begin, text.size));
}

/* Appends a member that is JSON already, where there is one. */
static inline int w7_sgf_put_part(w7_sgf_out *out, int *members, const char *name, const uint8_t *part, int64_t size)
{
    if (part == NULL)
        return 1;
    if (!w7_sgf_begin_member(out, members, name) || !w7_sgf_room(out, size))
        return 0;
    w7_sgf_out_put(out, part, size);
    return 1;
}

static inline int w7_sgf_put_bytes(w7_sgf_out *out, const char *text)
{
    const int64_t size = (int64_t)strlen(text);
    if (!w7_sgf_room(out, size))
        return 0;
    w7_sgf_out_put(out, text, size);
    return 1;
}

enum { W7_SGF_NAME, W7_SGF_PLACE, W7_SGF_BLACK, W7_SGF_BLACK_RANK, W7_SGF_WHITE, W7_SGF_WHITE_RANK, W7_SGF_MEMBERS };

/* How many properties of a root can be listed as moved, and the flags of those that the name of the game or the stones
 * of the root say, and of those that `info` says in other words. */
enum { W7_SGF_MOST_MOVED = 64, W7_SGF_AS_NAME = 0x8000, W7_SGF_AS_STONES = 0x4000, W7_SGF_NORMALISED = 0x2000 };

/* The properties of the root without a member of their own, which are losses: their places in their order. */
typedef struct {
    uint16_t place[W7_SGF_MOST_MOVED]; /* | W7_SGF_AS_NAME, W7_SGF_AS_STONES or W7_SGF_NORMALISED */
    int count;
} w7_sgf_moved;

/* What the root node says, read: texts of the members of `info`, and the lines that go into the comment. */
typedef struct {
    w7_sgf_plain_text member[W7_SGF_MEMBERS];
    w7_sgf_plain_text event, round;
    w7_sgf_out texts;
    w7_sgf_out lines; /* with a line break before each */
    w7_sgf_moved *moved;
} w7_sgf_root_texts;

/* Lists a property that has no member of its own. Returns a status. */
static inline int w7_sgf_move_property(w7_sgf_root_texts *root, int place)
{
    if (root->moved->count == W7_SGF_MOST_MOVED)
        return W7_SGF_DECLINED;
    root->moved->place[root->moved->count++] = (uint16_t)place;
    return W7_SGF_WRITTEN;
}

static inline int w7_sgf_member_of(int place)
{
    switch (place) {
    case W7_SGF_PLACE_OF('G', 'N'): return W7_SGF_NAME;
    case W7_SGF_PLACE_OF('P', 'C'): return W7_SGF_PLACE;
    case W7_SGF_PLACE_OF('P', 'B'): return W7_SGF_BLACK;
    case W7_SGF_PLACE_OF('B', 'R'): return W7_SGF_BLACK_RANK;
    case W7_SGF_PLACE_OF('P', 'W'): return W7_SGF_WHITE;
    default: return W7_SGF_WHITE_RANK;
    }
}

/* Characters of a text of `info`; half of a name that is made of two texts. */
enum { W7_SGF_SHORT = 128, W7_SGF_HALF = 63 };

/* Appends the line of a property to the comment. */
static inline int w7_sgf_put_line(const w7_sgf_to_wei7 *way, w7_sgf_root_texts *root, int place, w7_sgf_plain_text text)
{
    if (w7_sgf_is_blank(&root->texts, text))
        return W7_SGF_WRITTEN;
    if (!w7_sgf_room(&root->lines, way->label_size[place] + text.size + 3))
        return W7_SGF_NO_MEMORY;
    root->lines.at[root->lines.count++] = '\n';
    w7_sgf_out_put(&root->lines, way->label[place], way->label_size[place]);
    W7_SGF_PUT(&root->lines, ": ");
    w7_sgf_out_put(&root->lines, root->texts.at + text.begin, text.size);
    return w7_sgf_move_property(root, place);
}

/* The number of HA where the stones of the root say the same, as those of any game say 0; else -1. */
static inline int64_t w7_sgf_said_stones(const w7_sgf_out *texts, w7_sgf_plain_text text, int64_t stones)
{
    int64_t number = 0, k;
    text = w7_sgf_stripped(texts, text);
    if (text.size < 1 || text.size > 4 || (texts->at[text.begin] == '0' && text.size > 1))
        return -1;
    for (k = 0; k < text.size; k++) {
        const uint8_t c = texts->at[text.begin + k];
        if (!w7_sgf_is_digit(c))
            return -1;
        number = number * 10 + c - '0';
    }
    return number == 0 || number == stones ? number : -1;
}

/* Reads the kept properties of the root in their order, which is that of the lines. */
static inline int w7_sgf_read_root(const w7_sgf_to_wei7 *way, const w7_record *record, const uint8_t *source,
                                   int64_t stones, w7_sgf_root_texts *root)
{
    int64_t row;
    int pass, status;
    /* First the members of `info`: whether there is a name decides what becomes of the event. */
    for (pass = 0; pass < 2; pass++)
        for (row = 0; row < record->kept.count && record->kept.at[row].owner == W7_OWNER_ROOT; row++) {
            w7_sgf_plain_text text;
            w7_sgf_said one;
            int kind, is_event;
            int64_t most;
            if (!w7_sgf_kept_said(&record->kept.at[row], source, &way->writing, &one))
                return W7_SGF_DECLINED;
            kind = way->writing.kind[one.place] & ~W7_SGF_OF_ROOT;
            if (kind == W7_SGF_NOT_WRITTEN)
                return W7_SGF_DECLINED;
            if (kind == W7_SGF_OF_TEXT || (kind == W7_SGF_MEMBER) != (pass == 0))
                continue;
            is_event = kind == W7_SGF_EVENT && root->member[W7_SGF_NAME].size == 0;
            most = kind == W7_SGF_MEMBER ? W7_SGF_SHORT : is_event ? W7_SGF_HALF : one.value_size;
            status = w7_sgf_read_plain(&one, &root->texts, &text, most, kind == W7_SGF_LINES);
            if (status != W7_SGF_WRITTEN)
                return status;
            switch (kind) {
            case W7_SGF_MEMBER:
                if (!w7_sgf_is_blank(&root->texts, text))
                    root->member[w7_sgf_member_of(one.place)] = text;
                continue;
            case W7_SGF_EVENT:
                if (is_event) {
                    w7_sgf_plain_text *event = one.place == W7_SGF_PLACE_OF('E', 'V') ? &root->event : &root->round;
                    *event = w7_sgf_stripped(&root->texts, text);
                    if (event->size > 0 && w7_sgf_move_property(root, one.place | W7_SGF_AS_NAME) != W7_SGF_WRITTEN)
                        return W7_SGF_DECLINED;
                    continue;
                }
                break;
            case W7_SGF_READ: {
                const int is_komi = one.place == W7_SGF_PLACE_OF('K', 'M');
                const w7_sgf_parts *parts = is_komi                                  ? &way->komi
                                            : one.place == W7_SGF_PLACE_OF('R', 'U') ? &way->rules
                                                                                     : &way->result;
                if (!parts->is_complete)
                    break;
                if (!parts->is_normal && w7_sgf_move_property(root, one.place | W7_SGF_NORMALISED) != W7_SGF_WRITTEN)
                    return W7_SGF_DECLINED;
                continue;
            }
            case W7_SGF_HANDICAP: {
                const int64_t number = w7_sgf_said_stones(&root->texts, text, stones);
                if (number > 0 && w7_sgf_move_property(root, one.place | W7_SGF_AS_STONES) != W7_SGF_WRITTEN)
                    return W7_SGF_DECLINED;
                if (number >= 0)
                    continue;
                break;
            }
            default: break;
            }
            status = w7_sgf_put_line(way, root, one.place, text);
            if (status != W7_SGF_WRITTEN)
                return status;
        }
    return W7_SGF_WRITTEN;
}

/* Appends `info`, where there is any. Returns 0 where memory is short. */
static inline int w7_sgf_put_info(const w7_sgf_to_wei7 *way, const w7_sgf_root_texts *root, w7_sgf_out *out, int *outer)
{
    const w7_sgf_plain_text *member = root->member, name = member[W7_SGF_NAME];
    const int has_rules = way->komi.first != NULL || way->rules.first != NULL || way->rules.second != NULL;
    int members = 0, players, color;
    players = member[W7_SGF_BLACK].size || member[W7_SGF_BLACK_RANK].size || member[W7_SGF_WHITE].size ||
              member[W7_SGF_WHITE_RANK].size;
    if (!name.size && !root->event.size && !root->round.size && !member[W7_SGF_PLACE].size && !players && !has_rules &&
        way->result.first == NULL)
        return 1;
    if (!w7_sgf_begin_member(out, outer, "info") || !w7_sgf_put_bytes(out, "{"))
        return 0;
    if (name.size) {
        if (!w7_sgf_put_text(out, &members, "name", &root->texts, name))
            return 0;
    } else if (root->event.size || root->round.size) {
        if (!w7_sgf_begin_member(out, &members, "name"))
            return 0;
        if (root->event.size && !w7_sgf_put_string(out, root->texts.at + root->event.begin, root->event.size))
            return 0;
        if (root->event.size && root->round.size) {
            out->count--; /* one string of both */
            if (!w7_sgf_put_bytes(out, ", "))
                return 0;
        }
        if (root->round.size) {
            const int64_t quote = out->count;
            if (!w7_sgf_put_string(out, root->texts.at + root->round.begin, root->round.size))
                return 0;
            if (root->event.size) {
                memmove(out->at + quote, out->at + quote + 1, (size_t)(out->count - quote - 1));
                out->count--;
            }
        }
    }
    if (has_rules) {
        int inner = 0;
        if (!w7_sgf_begin_member(out, &members, "rules") || !w7_sgf_put_bytes(out, "{") ||
            !w7_sgf_put_part(out, &inner, "scoring", way->rules.first, way->rules.first_size) ||
            !w7_sgf_put_part(out, &inner, "komi", way->komi.first, way->komi.first_size) ||
            !w7_sgf_put_part(out, &inner, "type", way->rules.second, way->rules.second_size) ||
            !w7_sgf_put_bytes(out, "}"))
            return 0;
    }
    if (!w7_sgf_put_text(out, &members, "place", &root->texts, member[W7_SGF_PLACE]))
        return 0;
    if (players) {
        if (!w7_sgf_begin_member(out, &members, "participants") || !w7_sgf_put_bytes(out, "["))
            return 0;
        for (color = 0; color < 2; color++) {
            int inner = 0;
            if (!w7_sgf_put_bytes(out, color ? ",{" : "{") ||
                !w7_sgf_put_text(out, &inner, "name", &root->texts, member[color ? W7_SGF_WHITE : W7_SGF_BLACK]) ||
                !w7_sgf_put_text(out, &inner, "rank", &root->texts,
                                 member[color ? W7_SGF_WHITE_RANK : W7_SGF_BLACK_RANK]) ||
                !w7_sgf_put_bytes(out, "}"))
                return 0;
        }
        if (!w7_sgf_put_bytes(out, "],\"players\":[{\"participant\":0,\"color\":1},{\"participant\":1,\"color\":2}]"))
            return 0;
    }
    return w7_sgf_put_part(out, &members, "result", way->result.first, way->result.first_size) &&
           w7_sgf_put_bytes(out, "}");
}

/* Whether each stone of the root has a free point next to it, so that no block lacks liberties; and all are of a color. */
static inline int w7_sgf_stones_are_free(const w7_record *record, const w7_pre *pre)
{
    uint64_t taken[W7_SGF_MAX_SIZE + 2] = {0};
    const uint64_t all = ((UINT64_C(1) << record->width) - 1) << 1;
    const w7_placed *stones;
    int32_t k;
    if (pre->stone_count <= 0)
        return 1;
    stones = record->stones.at + pre->stones;
    for (k = 0; k < pre->stone_count; k++) {
        if (stones[k].what != stones[0].what)
            return 0;
        taken[stones[k].y + 1] |= UINT64_C(1) << (stones[k].x + 1);
    }
    for (k = 0; k < pre->stone_count; k++) {
        const int32_t x = stones[k].x + 1, y = stones[k].y + 1;
        const uint64_t sides = UINT64_C(5) << (x - 1), at = UINT64_C(1) << x;
        if ((sides & all & ~taken[y]) == 0 && (y == 1 || (taken[y - 1] & at)) &&
            (y == record->height || (taken[y + 1] & at)))
            return 0;
    }
    return 1;
}

static inline void w7_sgf_put_point(w7_sgf_out *out, int32_t x, int32_t y)
{
    W7_SGF_PUT(out, "{\"x\":");
    w7_sgf_out_number(out, x);
    W7_SGF_PUT(out, ",\"y\":");
    w7_sgf_out_number(out, y);
    out->at[out->count++] = '}';
}

/* Appends `pre`, where the root says anything that belongs there. */
static inline int w7_sgf_put_pre(const w7_record *record, const uint8_t *source, w7_sgf_root_texts *root,
                                 w7_sgf_out *out, int *members)
{
    const w7_pre *pre = record->trees.at[0].pre < 0 ? NULL : &record->pres.at[record->trees.at[0].pre];
    const int has_comment = pre != NULL && pre->comment.begin >= 0;
    const int32_t stones = pre == NULL || pre->stone_count < 0 ? 0 : pre->stone_count;
    int inner = 0;
    int32_t k;
    if (!has_comment && stones == 0 && root->lines.count == 0)
        return 1;
    if (!w7_sgf_begin_member(out, members, "pre") || !w7_sgf_put_bytes(out, "{"))
        return 0;
    if (stones > 0) {
        if (!w7_sgf_begin_member(out, &inner, "stones") || !w7_sgf_put_bytes(out, "["))
            return 0;
        for (k = 0; k < stones; k++) {
            const w7_placed *stone = &record->stones.at[pre->stones + k];
            if (!w7_sgf_room(out, 64))
                return 0;
            if (k > 0)
                out->at[out->count++] = ',';
            W7_SGF_PUT(out, "{\"color\":");
            w7_sgf_out_number(out, stone->what);
            W7_SGF_PUT(out, ",\"point\":");
            w7_sgf_put_point(out, stone->x, stone->y);
            out->at[out->count++] = '}';
        }
        if (!w7_sgf_put_bytes(out, "]"))
            return 0;
    }
    if (has_comment || root->lines.count > 0) {
        const uint8_t *begin = source + (has_comment ? pre->comment.begin : 0);
        const int64_t size = has_comment ? pre->comment.end - pre->comment.begin : 0, at = root->texts.count;
        if (!w7_sgf_begin_member(out, &inner, "comment") || !w7_sgf_room(&root->texts, size + root->lines.count))
            return 0;
        w7_sgf_put_plain(&root->texts, begin, begin + size, 0);
        if (root->lines.count > 0) {
            const int skipped = root->texts.count == at; /* no comment before the lines */
            w7_sgf_out_put(&root->texts, root->lines.at + skipped, root->lines.count - skipped);
        }
        if (!w7_sgf_put_string(out, root->texts.at + at, root->texts.count - at))
            return 0;
    }
    return w7_sgf_put_bytes(out, "}");
}

/* Appends a move with a comma before it, up to the end of its action. There is room. */
static inline void w7_sgf_put_move(w7_sgf_out *out, int color, int32_t x, int32_t y)
{
    W7_SGF_PUT(out, ",{\"action\":{\"type\":\"move\",\"value\":{\"color\":");
    out->at[out->count++] = (uint8_t)('0' + color);
    W7_SGF_PUT(out, ",\"point\":");
    if (x < 0)
        W7_SGF_PUT(out, "null");
    else
        w7_sgf_put_point(out, x, y);
    W7_SGF_PUT(out, "}}");
}

/* Makes the texts of the moves of a board. Returns 0 where memory is short. */
static inline int w7_sgf_make_step_texts(w7_sgf_step_texts *steps, int32_t width, int32_t height)
{
    const int32_t points = width * height, count = 2 * (points + 1);
    int32_t row;
    steps->width = width;
    steps->height = height;
    steps->text = malloc((size_t)count * W7_SGF_STEP_ROW);
    steps->size = malloc((size_t)count);
    if (steps->text == NULL || steps->size == NULL)
        return 0;
    for (row = 0; row < count; row++) {
        const int32_t place = row % (points + 1);
        w7_sgf_out one = {steps->text + (size_t)row * W7_SGF_STEP_ROW, 0, W7_SGF_STEP_ROW};
        w7_sgf_put_move(&one, row > points ? 2 : 1, place == points ? -1 : place % width, place / width);
        one.at[one.count++] = '}';
        memset(one.at + one.count, 0, (size_t)(W7_SGF_STEP_ROW - one.count));
        steps->size[row] = (uint8_t)one.count;
    }
    return 1;
}

/* Appends a step with a comma before it. Returns 0 where memory is short. */
static inline int w7_sgf_put_step(const w7_record *record, const w7_step *step, const w7_sgf_step_texts *steps,
                                  const uint8_t *source, w7_sgf_out *texts, w7_sgf_out *out)
{
    const w7_span comment = step->detail < 0 ? w7_no_span() : record->details.at[step->detail].comment;
    if (!w7_sgf_room(out, 128))
        return 0;
    if (steps != NULL && comment.begin < 0) {
        const int32_t points = steps->width * steps->height;
        const int32_t row =
            (step->color == 2 ? points + 1 : 0) + (step->x < 0 ? points : step->y * steps->width + step->x);
        memcpy(out->at + out->count, steps->text + (size_t)row * W7_SGF_STEP_ROW, W7_SGF_STEP_ROW);
        out->count += steps->size[row];
        return 1;
    }
    w7_sgf_put_move(out, step->color, step->x, step->y);
    if (comment.begin >= 0) {
        W7_SGF_PUT(out, ",\"comment\":");
        texts->count = 0;
        if (!w7_sgf_room(texts, comment.end - comment.begin + 1))
            return 0;
        w7_sgf_put_plain(texts, source + comment.begin, source + comment.end, 0);
        if (!w7_sgf_put_string(out, texts->at, texts->count) || !w7_sgf_room(out, 2))
            return 0;
    }
    out->at[out->count++] = '}';
    return 1;
}

/* Whether wei7 has a place for all that the nodes after the root say. */
static inline int w7_sgf_has_places(const w7_record *record, int64_t size)
{
    const w7_pre *pre = record->trees.at[0].pre < 0 ? NULL : &record->pres.at[record->trees.at[0].pre];
    int64_t row;
    if (record->kept.count > 0 && record->kept.at[record->kept.count - 1].owner != W7_OWNER_ROOT)
        return 0;
    for (row = 0; row < record->steps.count; row++) {
        const w7_step *step = &record->steps.at[row];
        if (step->kind != W7_STEP_MOVE)
            return 0;
        if (step->detail >= 0) {
            const w7_detail *detail = &record->details.at[step->detail];
            if (detail->mark_count > 0 || detail->comment.end >= size)
                return 0;
        }
    }
    return pre == NULL ||
           (pre->mark_count <= 0 && pre->comment.end < size &&
            (pre->comment.begin < 0 || pre->comment.end > pre->comment.begin) && w7_sgf_stones_are_free(record, pre));
}

/* Appends the trees of a record. Returns 0 where memory is short. */
static inline int w7_sgf_put_trees(const w7_record *record, const w7_sgf_step_texts *steps, const uint8_t *source,
                                   w7_sgf_root_texts *root, w7_sgf_out *out)
{
    const w7_tree *trees = record->trees.at;
    w7_sgf_out texts = {NULL, 0, 0};
    int64_t row, above;
    int good = 1;
    for (row = 0; good && row < record->trees.count; row++) {
        const w7_tree *tree = &trees[row];
        int members = 0;
        int32_t k;
        for (above = row - 1; row > 0 && good && above != tree->parent; above = trees[above].parent)
            good = w7_sgf_put_bytes(out, trees[above].first_branch >= 0 ? "]}" : "}");
        good = good && w7_sgf_put_bytes(out, row > 0 && tree->ordinal > 0 ? ",{" : "{") &&
               (row > 0 || w7_sgf_put_pre(record, source, root, out, &members));
        if (good && tree->step_count > 0) {
            int64_t first = 0;
            good = w7_sgf_begin_member(out, &members, "steps");
            first = out->count;
            for (k = 0; good && k < tree->step_count; k++)
                good = w7_sgf_put_step(record, &record->steps.at[tree->first_step + k], steps, source, &texts, out);
            if (good)
                out->at[first] = '['; /* in place of the first comma */
            good = good && w7_sgf_put_bytes(out, "]");
        }
        if (good && tree->first_branch >= 0)
            good = w7_sgf_begin_member(out, &members, "branches") && w7_sgf_put_bytes(out, "[");
    }
    for (above = record->trees.count - 1; good && above >= 0; above = trees[above].parent)
        good = w7_sgf_put_bytes(out, trees[above].first_branch >= 0 ? "]}" : "}");
    free(texts.at);
    return good;
}

/* Finds the text of a property of the root, without brackets. Returns 0 where the root has none in capitals. */
static inline int w7_sgf_find_root(const w7_record *record, const uint8_t *source, const char *name, int64_t *begin,
                                   int64_t *end)
{
    int64_t row;
    for (row = 0; row < record->kept.count && record->kept.at[row].owner == W7_OWNER_ROOT; row++) {
        const w7_kept *kept = &record->kept.at[row];
        if (kept->key.end - kept->key.begin == 2 && memcmp(source + kept->key.begin, name, 2) == 0 &&
            kept->value.end - kept->value.begin >= 2) {
            *begin = kept->value.begin + 1;
            *end = kept->value.end - 1;
            return 1;
        }
    }
    return 0;
}

/* Appends a record as wei7 3.0, and lists in `moved` what it has no member for. Returns W7_SGF_WRITTEN, W7_SGF_DECLINED
 * or W7_SGF_NO_MEMORY. */
static inline int w7_sgf_write_wei7(const w7_record *record, const uint8_t *source, int64_t size,
                                    const w7_sgf_to_wei7 *way, w7_sgf_out *out, w7_sgf_moved *moved)
{
    w7_sgf_root_texts root;
    w7_sgf_node_said said;
    int64_t kept, stones = 0, row;
    int status = W7_SGF_NO_MEMORY, members = 2;
    const int is_size_of_steps =
        way->steps != NULL && way->steps->width == record->width && way->steps->height == record->height;
    const w7_sgf_step_texts *steps = is_size_of_steps ? way->steps : NULL;
    if (!w7_sgf_is_plain(record) || !w7_sgf_has_places(record, size) ||
        !w7_sgf_collect_root(record, source, size, &way->writing, &said, &kept))
        return W7_SGF_DECLINED;
    memset(&root, 0, sizeof root);
    moved->count = 0;
    root.moved = moved;
    if (record->trees.at[0].pre >= 0) {
        const w7_pre *pre = &record->pres.at[record->trees.at[0].pre];
        for (row = 0; row < pre->stone_count; row++)
            stones += record->stones.at[pre->stones + row].what == 1;
    }
    if (w7_sgf_room(out, 128)) {
        W7_SGF_PUT(out, "{\"format\":\"wei7\",\"version\":\"3.0\"");
        if (record->size_form == W7_SIZE_INTEGER) {
            W7_SGF_PUT(out, ",\"size\":");
            w7_sgf_out_number(out, record->width);
        } else if (record->size_form == W7_SIZE_OBJECT) {
            W7_SGF_PUT(out, ",\"size\":{\"width\":");
            w7_sgf_out_number(out, record->width);
            W7_SGF_PUT(out, ",\"height\":");
            w7_sgf_out_number(out, record->height);
            out->at[out->count++] = '}';
        }
        status = w7_sgf_read_root(way, record, source, stones, &root);
    }
    if (status == W7_SGF_WRITTEN &&
        !(w7_sgf_put_info(way, &root, out, &members) && w7_sgf_begin_member(out, &members, "tree") &&
          w7_sgf_put_trees(record, steps, source, &root, out) && w7_sgf_put_bytes(out, "}")))
        status = W7_SGF_NO_MEMORY;
    free(root.texts.at);
    free(root.lines.at);
    return status;
}

#endif

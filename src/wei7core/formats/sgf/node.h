/* One node of the tree: its moves, stones, marks and other properties become rows of the record. */
#ifndef W7_FORMATS_SGF_NODE_H
#define W7_FORMATS_SGF_NODE_H

#include "formats/sgf/values.h"

/* Fast paths of the decoder that are disabled; every choice gives the same record, which tests compare. */
enum { W7_SGF_NOT_PLAIN = 0, W7_SGF_NO_VECTORS, W7_SGF_NO_SHORTCUTS };

typedef struct {
    int64_t max_bytes;
    int64_t max_steps;
    int64_t max_depth;
    int64_t max_points;
    int64_t max_problems;
    int double_byte; /* second bytes of characters that look like `\` or `]`: 0 none, 1 GBK or Big5, 2 Shift_JIS */
    int isa;         /* w7_isa */
    int plainness;   /* W7_SGF_NOT_PLAIN but in tests */
    const uint8_t *charsets; /* tables: bytes are paired from a CA on that only ASCII precedes; NULL: as double_byte */
    const uint8_t **last_name; /* that w7_sgf_charset_of_name has found in them, for the next texts */
} w7_sgf_options;

typedef struct {
    w7_sgf_lexer lexer;
    w7_sgf_board board;
    w7_record *record;
    w7_sgf_options options;
    int64_t points_left; /* rows of stones and marks that the text may still ask for */
    int64_t long_name;   /* offset of the first name with lower-case letters, or -1 */
    int32_t revision;    /* FF, 1 where absent */
    int32_t tree;        /* row of the innermost open tree */
    uint8_t size_form;
    uint8_t points_read; /* points have been read before the size */
    uint8_t again;       /* they were read by another size: read all once more */
    uint8_t reported_upper;
    uint8_t stopped;
    uint8_t late_info;      /* a node after the root has properties of the game or the file */
    uint8_t flags;          /* of the record, from the text before `checked` */
    const uint8_t *checked; /* the bytes from here on have not been looked at for UTF-8 */
    /* The node. */
    uint8_t in_node;
    uint8_t is_root;
    uint8_t reported_repeated;
    uint8_t reported_moves;
    uint8_t has_stones;
    int64_t node; /* offset */
    int64_t first_step;
    int64_t last_move;   /* offset of a move of the node, or -1 */
    int64_t setup_at[3]; /* offset of the property that last set up this colour */
    int64_t first_mark;
    int32_t letters;
    w7_span comment;
    uint64_t seen[2]; /* a bit for each property of W7_SGF_TABLE */
    uint64_t reported_twice[2];
    uint64_t placed[3][W7_SGF_MAX_SIZE]; /* by colour and row, a bit for each column */
} w7_sgf_reader;

static inline int w7_sgf_out_of_memory(w7_sgf_reader *reader)
{
    reader->lexer.no_memory = reader->stopped = 1;
    return 0;
}

/* Adds the problem that ends reading. */
static inline int w7_sgf_stop(w7_sgf_reader *reader, int code, int64_t offset)
{
    w7_sgf_note(&reader->lexer, code, W7_SGF_UNKNOWN, offset, 0);
    reader->record->unreadable = reader->stopped = 1;
    return 0;
}

/* Whether there may be one more row than `count`. */
static inline int w7_sgf_may_add(w7_sgf_reader *reader, int64_t count, int64_t offset)
{
    return count < reader->options.max_steps ? 1 : w7_sgf_stop(reader, W7_LIMIT_STEPS, offset);
}

#define W7_SGF_RESERVE(reader, table, offset)                                                                          \
    (!w7_sgf_may_add((reader), (table)->count, (offset)) ? 0                                                           \
     : W7_TABLE_RESERVE_ONE(table) == 0                  ? 1                                                           \
                                                         : w7_sgf_out_of_memory(reader))

static inline w7_step *w7_sgf_add_step(w7_sgf_reader *reader, int kind, int64_t offset)
{
    w7_steps *steps = &reader->record->steps;
    w7_step *step;
    if (!W7_SGF_RESERVE(reader, steps, offset))
        return NULL;
    step = &steps->at[steps->count];
    memset(step, 0, sizeof *step);
    step->offset = offset;
    step->kind = (uint8_t)kind;
    step->x = step->y = step->detail = -1;
    step->joined = steps->count > reader->first_step || reader->is_root;
    steps->count++;
    return step;
}

/* The details of a step, made where it has none. */
static inline w7_detail *w7_sgf_detail(w7_sgf_reader *reader, int64_t row)
{
    w7_details *details = &reader->record->details;
    w7_step *step = &reader->record->steps.at[row];
    if (step->detail < 0) {
        w7_detail *detail;
        if (W7_TABLE_RESERVE_ONE(details) != 0) {
            w7_sgf_out_of_memory(reader);
            return NULL;
        }
        detail = &details->at[details->count];
        memset(detail, 0, sizeof *detail);
        detail->time = detail->comment = detail->value = w7_no_span();
        detail->seconds = -1;
        detail->mark_count = detail->actor = -1;
        step->detail = (int32_t)details->count++;
    }
    return &details->at[step->detail];
}

/* Keeps the property just read as written, for its node. */
static inline int w7_sgf_keep(w7_sgf_reader *reader)
{
    const w7_sgf_property_read *property = &reader->lexer.property;
    w7_kepts *kept = &reader->record->kept;
    w7_kept *row;
    if (!W7_SGF_RESERVE(reader, kept, property->key.begin))
        return 0;
    row = &kept->at[kept->count++];
    row->key = property->key;
    row->value = property->values;
    row->inside = W7_INSIDE_OWNER;
    row->unused[0] = row->unused[1] = 0;
    row->owner = reader->is_root ? W7_OWNER_ROOT : W7_OWNER_STEP;
    row->index = reader->is_root ? 0 : (int32_t)reader->first_step;
    reader->late_info |= !reader->is_root && w7_sgf_is_of_root(property->number);
    return 1;
}

static inline void w7_sgf_note_upper(w7_sgf_reader *reader, int upper, const uint8_t *p)
{
    if (upper && !reader->reported_upper) {
        reader->reported_upper = 1;
        w7_sgf_note(&reader->lexer, W7_POINT_UPPER_CASE, reader->lexer.property.number, p - reader->lexer.begin, 0);
    }
}

/* Adds the move of the property just read. */
static inline int w7_sgf_read_move(w7_sgf_reader *reader, int color)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const w7_sgf_property_read *property = &lexer->property;
    const uint8_t *p = lexer->begin + property->first.begin, *end = lexer->begin + property->first.end;
    w7_sgf_point point = {-1, -1};
    w7_sgf_point_kind kind = W7_SGF_POINT;
    w7_step *step;
    int upper = 0, readable;
    if (reader->last_move >= 0 && !reader->reported_moves) {
        reader->reported_moves = 1;
        w7_sgf_note(lexer, W7_MOVES_IN_ONE_NODE, property->number, property->key.begin, 0);
    }
    if (property->count > 1)
        w7_sgf_note(lexer, W7_VALUES_TOO_MANY, property->number, property->key.begin, 0);
    reader->last_move = property->key.begin;
    w7_sgf_trim(&p, &end);
    if (end - p == 2)
        kind = w7_sgf_read_point(&reader->board, p, &point, &upper);
    else if (end > p)
        kind = W7_SGF_NO_POINT;
    if (kind == W7_SGF_OFF_BOARD && p[0] == 't' && p[1] == 't' && reader->board.width <= 19 &&
        reader->board.height <= 19)
        kind = W7_SGF_POINT;
    /* Some programs write a pass as the point one past the last, whatever the size, and points as people name them. */
    if (kind == W7_SGF_OFF_BOARD && point.x == reader->board.width && point.y == reader->board.height) {
        kind = W7_SGF_POINT;
        w7_sgf_note(lexer, W7_VALUE_INVALID, property->number, property->first.begin, W7_SGF_PASS_AFTER_LAST);
    } else if (kind == W7_SGF_NO_POINT && w7_sgf_read_name_of_point(&reader->board, p, end, &point)) {
        kind = W7_SGF_POINT;
        w7_sgf_note(lexer, W7_VALUE_INVALID, property->number, property->first.begin, W7_SGF_POINT_AS_NAMED);
    }
    readable = kind == W7_SGF_POINT && (!property->unclosed || property->count > 1);
    if (kind != W7_SGF_POINT && (!property->unclosed || property->count > 1))
        w7_sgf_note(lexer, kind == W7_SGF_OFF_BOARD ? W7_POINT_OFF_BOARD : W7_MOVE_INVALID, property->number,
                    property->first.begin, 0);
    w7_sgf_note_upper(reader, upper, p);
    step = w7_sgf_add_step(reader, readable ? W7_STEP_MOVE : W7_STEP_UNREADABLE, property->key.begin);
    if (step == NULL)
        return 0;
    if (readable) {
        int pass = point.x < 0 || point.x >= reader->board.width || point.y >= reader->board.height;
        step->color = (uint8_t)color;
        step->x = pass ? -1 : point.x;
        step->y = pass ? -1 : point.y;
    } else {
        w7_detail *detail = w7_sgf_detail(reader, reader->record->steps.count - 1);
        if (detail == NULL)
            return 0;
        detail->value.begin = property->key.begin;
        detail->value.end = property->values.end;
    }
    return 1;
}

/* Goes to the next closed value of the property just read, from *p, which starts as its first `[`.
 * Returns the end of the value's text and moves *p to its start; NULL where there is no more. */
static inline const uint8_t *w7_sgf_next_value(const w7_sgf_lexer *lexer, const uint8_t **p)
{
    const uint8_t *end = lexer->begin + lexer->property.values.end;
    const uint8_t *open = *p < end ? memchr(*p, '[', (size_t)(end - *p)) : NULL;
    if (open == NULL)
        return NULL;
    *p = open + 1;
    return w7_sgf_value_end(*p, end, lexer->double_byte);
}

/* Puts a colour on all points of a rectangle, or removes their stones. */
static inline void w7_sgf_place(w7_sgf_reader *reader, int color, w7_sgf_point least, w7_sgf_point most, int64_t offset)
{
    uint64_t columns = ((UINT64_C(1) << (most.x - least.x + 1)) - 1) << least.x, before = 0;
    int32_t y;
    if (!reader->has_stones) {
        memset(reader->placed, 0, sizeof reader->placed);
        reader->setup_at[0] = reader->setup_at[1] = reader->setup_at[2] = -1;
        reader->has_stones = 1;
    }
    for (y = least.y; y <= most.y; y++) {
        int other;
        for (other = 0; other < 3; other++) {
            before |= reader->placed[other][y] & columns;
            reader->placed[other][y] &= ~columns;
        }
        reader->placed[color][y] |= columns;
    }
    reader->setup_at[color] = reader->lexer.property.key.begin;
    if (before != 0 && !reader->reported_repeated) {
        reader->reported_repeated = 1;
        w7_sgf_note(&reader->lexer, W7_SETUP_REPEATED, reader->lexer.property.number, offset, 0);
    }
}

/* Whether the first corner of a rectangle, whose text starts at p, is not its upper left one. */
static inline int w7_sgf_is_turned(const w7_sgf_board *board, const uint8_t *p, w7_sgf_point least)
{
    w7_sgf_point first;
    int upper = 0;
    w7_sgf_read_point(board, p, &first, &upper);
    return first.x != least.x || first.y != least.y;
}

/* Reads AB, AW or AE. *whole becomes 0 where a value was not understood. */
static inline int w7_sgf_read_setup(w7_sgf_reader *reader, int color, int *whole)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *p = lexer->begin + lexer->property.values.begin, *end;
    *whole = !lexer->property.unclosed;
    for (; (end = w7_sgf_next_value(lexer, &p)) != NULL; p = end + 1) {
        w7_sgf_point least, most;
        const uint8_t *text = p, *text_end = end;
        int upper = 0;
        w7_sgf_trim(&text, &text_end);
        if (text == text_end) {
            *whole = 0;
            if (!reader->is_root || lexer->property.count > 1) /* IGS writes AW[] in every root node */
                w7_sgf_note(lexer, W7_VALUE_INVALID, lexer->property.number, p - lexer->begin, W7_SGF_NO_STONE);
        } else if (w7_sgf_read_rectangle(&reader->board, text, text_end, &least, &most, &upper) == W7_SGF_POINT) {
            w7_sgf_note_upper(reader, upper, text);
            if (w7_sgf_is_turned(&reader->board, text, least))
                w7_sgf_note(lexer, W7_VALUE_INVALID, lexer->property.number, p - lexer->begin, W7_SGF_CORNERS_TURNED);
            w7_sgf_place(reader, color, least, most, text - lexer->begin);
        } else {
            *whole = 0;
            w7_sgf_note(lexer, W7_POINT_INVALID, lexer->property.number, p - lexer->begin, 0);
        }
    }
    return 1;
}

/* Reads B or W with several values at the start of a record: games of OGS that fork another one start so. */
static inline int w7_sgf_read_forked(w7_sgf_reader *reader, int color)
{
    const w7_sgf_property_read *property = &reader->lexer.property;
    int whole;
    w7_sgf_note(&reader->lexer, W7_VALUES_TOO_MANY, property->number, property->key.begin, W7_SGF_ALL_SET_UP);
    return w7_sgf_read_setup(reader, color, &whole);
}

/* Whether the property just read, B or W, has several closed values, the first of them a point, and nothing is set up or
 * played in a node before. */
static inline int w7_sgf_is_forked(const w7_sgf_reader *reader)
{
    const w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *text = lexer->begin + lexer->property.values.begin, *end, *second;
    w7_sgf_point least, most;
    int upper = 0;
    if (lexer->property.count < 2 || reader->tree != 0 || reader->record->steps.count != 0)
        return 0;
    end = w7_sgf_next_value(lexer, &text);
    if (end == NULL)
        return 0;
    second = end + 1;
    if (w7_sgf_next_value(lexer, &second) == NULL) /* the text ends in it */
        return 0;
    w7_sgf_trim(&text, &end);
    return w7_sgf_read_rectangle(&reader->board, text, end, &least, &most, &upper) == W7_SGF_POINT;
}

static inline int w7_sgf_add_placed(w7_sgf_reader *reader, w7_placed_table *table, int64_t offset, int32_t x, int32_t y,
                                    int what)
{
    w7_placed *row;
    if (reader->points_left <= 0)
        return w7_sgf_stop(reader, W7_LIMIT_STEPS, offset);
    reader->points_left--;
    if (!W7_SGF_RESERVE(reader, table, offset))
        return 0;
    row = &table->at[table->count++];
    memset(row, 0, sizeof *row);
    row->offset = offset;
    row->x = x;
    row->y = y;
    row->what = (uint8_t)what;
    return 1;
}

static inline int w7_sgf_is_mark(uint8_t c)
{
    return w7_sgf_is_letter(c) || w7_sgf_is_digit(c) || c == '@' || c == '#' || c == '$' || c == '%' || c == '&' ||
           c == '?';
}

/* The symbol of a mark whose label is [p, end). */
static inline int w7_sgf_label(const uint8_t *p, const uint8_t *end)
{
    w7_sgf_trim(&p, &end);
    if (p < end && *p == '\\')
        p++;
    return end - p == 1 && w7_sgf_is_mark(*p) ? *p : '?';
}

static inline int w7_sgf_letter(int32_t number)
{
    return number < 26 ? 'A' + number : number < 52 ? 'a' + number - 26 : '?';
}

/* Reads a property that marks points: its rows go to the table of marks. */
static inline int w7_sgf_read_marks(w7_sgf_reader *reader, const w7_sgf_property *known)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *p = lexer->begin + lexer->property.values.begin, *end;
    for (; (end = w7_sgf_next_value(lexer, &p)) != NULL; p = end + 1) {
        const uint8_t *text = p, *point_end = end, *colon = NULL;
        w7_sgf_point least, most;
        int32_t x, y;
        int what = known->what, upper = 0;
        if (known->use == W7_SGF_LABELS) {
            colon = memchr(p, ':', (size_t)(end - p));
            point_end = colon == NULL ? end : colon;
            what = w7_sgf_label(colon == NULL ? end : colon + 1, end);
        } else if (known->use == W7_SGF_LETTERS) {
            what = w7_sgf_letter(reader->letters);
            reader->letters += reader->letters < 52;
        }
        w7_sgf_trim(&text, &point_end);
        if (text == point_end && colon == NULL)
            continue;
        if (w7_sgf_read_rectangle(&reader->board, text, point_end, &least, &most, &upper) != W7_SGF_POINT) {
            w7_sgf_note(lexer, W7_MARK_INVALID, lexer->property.number, p - lexer->begin, 0);
            continue;
        }
        w7_sgf_note_upper(reader, upper, text);
        for (y = least.y; y <= most.y; y++)
            for (x = least.x; x <= most.x; x++)
                if (!w7_sgf_add_placed(reader, &reader->record->marks, text - lexer->begin, x, y, what))
                    return 0;
    }
    return 1;
}

/* Turns the stones of the node into rows, in the order of the points. Returns their number, -1 to stop. */
static inline int32_t w7_sgf_add_stones(w7_sgf_reader *reader)
{
    w7_placed_table *stones = &reader->record->stones;
    int64_t first = stones->count;
    int32_t x, y;
    if (!reader->has_stones)
        return 0;
    for (y = 0; y < reader->board.height; y++) {
        uint64_t black = reader->placed[1][y], white = reader->placed[2][y];
        /* In the root node there is nothing to take away. */
        uint64_t any = black | white | (reader->is_root ? 0 : reader->placed[0][y]);
        for (x = 0; any != 0; x++, any >>= 1) {
            int color = (int)(black >> x & 1) | (int)(white >> x & 1) << 1;
            if ((any & 1) && !w7_sgf_add_placed(reader, stones, reader->setup_at[color], x, y, color))
                return -1;
        }
    }
    return (int32_t)(stones->count - first);
}

static inline void w7_sgf_begin(w7_sgf_reader *reader, int64_t offset)
{
    const w7_tree *tree = &reader->record->trees.at[reader->tree];
    reader->in_node = 1;
    reader->node = offset;
    reader->first_step = reader->record->steps.count;
    reader->is_root = reader->tree == 0 && tree->pre == -2;
    reader->reported_repeated = reader->reported_moves = reader->has_stones = 0;
    reader->last_move = -1;
    reader->first_mark = reader->record->marks.count;
    reader->letters = 0;
    reader->comment = w7_no_span();
    reader->seen[0] = reader->seen[1] = reader->reported_twice[0] = reader->reported_twice[1] = 0;
}

/* Ends the root node: what the game starts from. */
static inline int w7_sgf_finish_root(w7_sgf_reader *reader)
{
    w7_record *record = reader->record;
    w7_tree *tree = &record->trees.at[0];
    int32_t first = (int32_t)record->stones.count, count = w7_sgf_add_stones(reader);
    int64_t marks = record->marks.count - reader->first_mark;
    w7_pre *pre;
    tree->pre = -1;
    if (count < 0)
        return 0;
    if (count == 0 && !reader->has_stones && marks == 0 && reader->comment.begin < 0)
        return 1;
    if (W7_TABLE_RESERVE_ONE(&record->pres) != 0)
        return w7_sgf_out_of_memory(reader);
    tree->pre = (int32_t)record->pres.count;
    pre = &record->pres.at[record->pres.count++];
    memset(pre, 0, sizeof *pre);
    pre->offset = reader->node;
    pre->comment = reader->comment;
    pre->stones = first;
    pre->stone_count = reader->has_stones ? count : -1;
    pre->marks = (int32_t)reader->first_mark;
    pre->mark_count = marks > 0 ? (int32_t)marks : -1;
    pre->unchecked = 1;
    return 1;
}

/* Puts the step that sets the node's stones up before its moves. */
static inline int w7_sgf_finish_setup(w7_sgf_reader *reader)
{
    w7_steps *steps = &reader->record->steps;
    int32_t first = (int32_t)reader->record->stones.count, count = w7_sgf_add_stones(reader);
    w7_step *step;
    int64_t at = INT64_MAX;
    int color;
    if (count < 0)
        return 0;
    for (color = 0; color < 3; color++)
        if (reader->setup_at[color] >= 0 && reader->setup_at[color] < at)
            at = reader->setup_at[color];
    if (w7_sgf_add_step(reader, W7_STEP_SETUP, at) == NULL)
        return 0;
    step = &steps->at[reader->first_step];
    if (steps->count - reader->first_step > 1) {
        w7_step setup = steps->at[steps->count - 1];
        memmove(step + 1, step, (size_t)(steps->count - 1 - reader->first_step) * sizeof *step);
        step[1].joined = 1;
        *step = setup;
        step->joined = 0;
    }
    step->x = first;
    step->y = count;
    return 1;
}

/* Ends the node. Returns 0 where reading stops. */
static inline int w7_sgf_finish(w7_sgf_reader *reader)
{
    w7_record *record = reader->record;
    int64_t marks = record->marks.count - reader->first_mark;
    if (!reader->in_node)
        return 1;
    reader->in_node = 0;
    if (reader->has_stones && reader->last_move >= 0)
        w7_sgf_note(&reader->lexer, W7_MOVE_WITH_SETUP, W7_SGF_UNKNOWN, reader->last_move, 0);
    /* In the root node TOM writes the komi as KO. */
    if (reader->last_move < 0 && !reader->is_root && reader->seen[W7_SGF_KO / 64] >> W7_SGF_KO % 64 & 1)
        w7_sgf_note(&reader->lexer, W7_PROPERTY_MISPLACED, W7_SGF_KO, reader->node, W7_SGF_WITHOUT_MOVE);
    if (reader->is_root)
        return w7_sgf_finish_root(reader);
    if (reader->has_stones) {
        if (!w7_sgf_finish_setup(reader))
            return 0;
    } else if (record->steps.count == reader->first_step) {
        if (w7_sgf_add_step(reader, W7_STEP_NOTE, reader->node) == NULL)
            return 0;
    }
    if (marks > 0 || reader->comment.begin >= 0) {
        w7_detail *detail = w7_sgf_detail(reader, reader->first_step);
        if (detail == NULL)
            return 0;
        detail->comment = reader->comment;
        detail->marks = (int32_t)reader->first_mark;
        detail->mark_count = marks > 0 ? (int32_t)marks : -1;
    }
    return 1;
}

#endif

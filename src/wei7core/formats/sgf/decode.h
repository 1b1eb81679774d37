/* Entry point of the SGF decoder: bytes in, record of the first game tree out. No Python.
 *
 * A text gives its size in the root node, often after the first points; then all is read once more. */
#ifndef W7_FORMATS_SGF_DECODE_H
#define W7_FORMATS_SGF_DECODE_H

#include "formats/sgf/game_info.h"
#include "formats/sgf/plain_nodes.h"

/* Facts about a game that the record does not contain. */
typedef struct {
    int64_t begin; /* of the game tree */
    int64_t end;
    int32_t revision; /* FF */
    int double_byte;  /* how bytes were paired */
} w7_sgf_facts;

/* Reports a value of a wrong kind; an empty one is ignored. */
static inline void w7_sgf_check_value(w7_sgf_reader *reader, int kind)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *p = lexer->begin + lexer->property.first.begin, *end = lexer->begin + lexer->property.first.end;
    int good, why = W7_SGF_WRONG_KIND;
    w7_sgf_trim(&p, &end);
    if (p == end || (lexer->property.unclosed && lexer->property.count == 1))
        return;
    switch (kind) {
    case W7_SGF_COLOR: good = w7_sgf_is_color(p, end); break;
    case W7_SGF_REAL:
        good = w7_sgf_is_number(p, end, 1);
        /* Fox writes half a point so; values from 100 on are not points. */
        if (end - p == 2 && (memcmp(p, "50", 2) == 0 || memcmp(p, "75", 2) == 0)) {
            good = 0;
            why = W7_SGF_KOMI_OF_HUNDREDTHS;
        }
        break;
    case W7_SGF_NUMBER:
        good = w7_sgf_is_number(p, end, 0) &&
               !(lexer->property.number == W7_SGF_HA && (*p == '-' || (end - p == 1 && *p == '1')));
        break;
    /* In the root node TOM writes the tournament as TE and the komi as KO. */
    case W7_SGF_DOUBLE: good = reader->is_root || (end - p == 1 && (*p == '1' || *p == '2')); break;
    case W7_SGF_NONE: good = reader->is_root; break;
    case W7_SGF_CLOCK: good = reader->revision < 3 || w7_sgf_is_number(p, end, 1); break;
    default: good = reader->revision < 3 || w7_sgf_is_number(p, end, 0);
    }
    if (!good)
        w7_sgf_note(lexer, W7_VALUE_INVALID, lexer->property.number, lexer->property.first.begin, why);
}

/* Reads the property in the lexer. Returns 0 where reading stops. */
static inline int w7_sgf_read_property(w7_sgf_reader *reader)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const w7_sgf_property_read *property = &lexer->property;
    const w7_sgf_property *known = &W7_SGF_TABLE[property->number];
    uint64_t bit = UINT64_C(1) << property->number % 64, *seen = &reader->seen[property->number / 64];
    int twice = (*seen & bit) != 0, whole = 1;
    if (known->use == W7_SGF_MOVE) {
        reader->points_read = 1;
        return w7_sgf_is_forked(reader) ? w7_sgf_read_forked(reader, known->what)
                                        : w7_sgf_read_move(reader, known->what);
    }
    if (property->number == W7_SGF_UNKNOWN)
        return w7_sgf_keep(reader);
    if (property->lower && reader->long_name < 0)
        reader->long_name = property->key.begin;
    *seen |= bit;
    /* Each program that has written a record may have added its AP: several are expected. */
    if (twice && property->number != W7_SGF_AP && !(reader->reported_twice[property->number / 64] & bit))
        w7_sgf_note(lexer, W7_PROPERTY_DUPLICATE, property->number, property->key.begin, !known->list);
    if (twice)
        reader->reported_twice[property->number / 64] |= bit;
    if (property->count > 1 && !known->list)
        w7_sgf_note(lexer, W7_VALUES_TOO_MANY, property->number, property->key.begin, 0);
    if (twice && !known->list)
        return w7_sgf_keep(reader);
    switch (known->use) {
    case W7_SGF_SETUP:
        reader->points_read = 1;
        return w7_sgf_read_setup(reader, known->what, &whole) && (whole || w7_sgf_keep(reader));
    case W7_SGF_MARKS:
    case W7_SGF_LABELS:
    case W7_SGF_LETTERS: reader->points_read = 1; return w7_sgf_read_marks(reader, known) && w7_sgf_keep(reader);
    case W7_SGF_COMMENT: reader->comment = property->first; return property->count == 1 || w7_sgf_keep(reader);
    case W7_SGF_ROOT_ONLY:
        if (reader->is_root)
            w7_sgf_read_root_property(reader);
        else
            w7_sgf_note(lexer, W7_PROPERTY_MISPLACED, property->number, property->key.begin, 0);
        break;
    default:
        if (known->value != W7_SGF_ANY)
            w7_sgf_check_value(reader, known->value);
    }
    return w7_sgf_keep(reader);
}

static inline int w7_sgf_open_tree(w7_sgf_reader *reader)
{
    w7_trees *trees = &reader->record->trees;
    int64_t row = trees->count;
    w7_tree *tree;
    if (!W7_SGF_RESERVE(reader, trees, reader->lexer.opened))
        return 0;
    tree = &trees->at[trees->count++];
    memset(tree, 0, sizeof *tree);
    tree->offset = reader->lexer.opened;
    tree->title = w7_no_span();
    tree->parent = reader->tree;
    tree->first_branch = tree->next_branch = -1;
    tree->first_step = (int32_t)reader->record->steps.count;
    tree->pre = row == 0 ? -2 : -1; /* -2: the root node has not come yet */
    if (row > 0) {
        /* While a tree is open it has no next one: the field holds its last branch so far. */
        w7_tree *parent = &trees->at[reader->tree];
        if (parent->next_branch < 0) {
            parent->first_branch = (int32_t)row;
            parent->step_count = (int32_t)(reader->record->steps.count - parent->first_step);
        } else {
            trees->at[parent->next_branch].next_branch = (int32_t)row;
        }
        tree->ordinal = parent->branch_count++;
        tree->title.end = parent->next_branch; /* while the tree is open: the branch before it */
        parent->next_branch = (int32_t)row;
    }
    reader->tree = (int32_t)row;
    return 1;
}

/* Removes an open tree without nodes, as if it had no parentheses. */
static inline void w7_sgf_drop_tree(w7_sgf_reader *reader)
{
    w7_trees *trees = &reader->record->trees;
    const w7_tree *tree = &trees->at[reader->tree];
    w7_tree *parent = &trees->at[tree->parent];
    const int32_t before = (int32_t)tree->title.end;
    parent->branch_count--;
    parent->next_branch = before;
    if (before >= 0)
        trees->at[before].next_branch = -1;
    else
        parent->first_branch = -1;
    reader->tree = tree->parent;
    trees->count--;
}

static inline void w7_sgf_close_tree(w7_sgf_reader *reader)
{
    w7_tree *tree = &reader->record->trees.at[reader->tree];
    if (tree->parent >= 0 && tree->first_branch < 0 && tree->first_step == reader->record->steps.count) {
        w7_sgf_drop_tree(reader);
        return;
    }
    tree->title.end = -1;
    if (tree->first_branch < 0)
        tree->step_count = (int32_t)(reader->record->steps.count - tree->first_step);
    tree->next_branch = -1;
    if (tree->pre == -2)
        tree->pre = -1;
    reader->tree = tree->parent;
}

/* Whether a plain node may follow here: after another node or at the start of a variation. */
static inline int w7_sgf_may_be_plain(const w7_sgf_reader *reader)
{
    const w7_sgf_lexer *lexer = &reader->lexer;
    return !lexer->node_due &&
           (lexer->state == W7_SGF_IN_NODE || (lexer->state == W7_SGF_AFTER_OPEN && reader->tree > 0));
}

/* Reads the parts of one game. */
static inline void w7_sgf_read_parts(w7_sgf_reader *reader)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const int quick = reader->options.plainness != W7_SGF_NO_SHORTCUTS;
    while (!reader->stopped && !reader->again && !lexer->no_memory) {
        w7_sgf_token token;
        if (quick && reader->in_node && lexer->state == W7_SGF_IN_NODE) {
            lexer->p = w7_sgf_read_kept(reader, lexer->p, reader->is_root ? W7_OWNER_ROOT : W7_OWNER_STEP,
                                        reader->is_root ? 0 : reader->first_step, reader->seen, &reader->comment);
            if (reader->again)
                return;
        }
        if (quick && w7_sgf_may_be_plain(reader)) {
            lexer->p = w7_sgf_pass_spaces(lexer->p, lexer->end);
            if (lexer->p < lexer->end && *lexer->p == ';') {
                const uint8_t *p = lexer->p;
                if (!w7_sgf_finish(reader)) {
                    lexer->p++; /* the node ends after the `;` of the next one */
                    return;
                }
                w7_sgf_read_plain_nodes(reader);
                if (lexer->p > p)
                    lexer->state = W7_SGF_IN_NODE;
            }
        }
        token = w7_sgf_next(lexer);
        if (token == W7_SGF_PROPERTY) {
            if (!w7_sgf_read_property(reader))
                return;
            continue;
        }
        if (!w7_sgf_finish(reader))
            return;
        if (token == W7_SGF_NODE)
            w7_sgf_begin(reader, lexer->node);
        else if (token == W7_SGF_CLOSE)
            w7_sgf_close_tree(reader);
        else if (token != W7_SGF_OPEN || !w7_sgf_open_tree(reader))
            break;
    }
    if (!lexer->finished && !lexer->no_memory)
        reader->record->unreadable = 1;
}

/* Removes the rows of a node that has no step, because a limit has ended reading inside it. */
static inline void w7_sgf_drop_cut_node(w7_sgf_reader *reader)
{
    w7_record *record = reader->record;
    w7_kepts *kept = &record->kept;
    if (!reader->stopped || reader->tree < 0 || reader->is_root || record->steps.count > reader->first_step)
        return;
    while (kept->count > 0 && kept->at[kept->count - 1].owner == W7_OWNER_STEP &&
           kept->at[kept->count - 1].index >= record->steps.count)
        kept->count--;
    if (record->marks.count > reader->first_mark)
        record->marks.count = reader->first_mark;
}

/* Notes what follows the game. */
static inline void w7_sgf_read_rest(w7_sgf_reader *reader)
{
    w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *p = w7_sgf_pass_spaces(lexer->p, lexer->end), *next = w7_sgf_find_start(p, lexer->end);
    if (p < (next == NULL ? lexer->end : next))
        w7_sgf_note(lexer, W7_TEXT_OUTSIDE_TREE, W7_SGF_UNKNOWN, p - lexer->begin, 0);
    if (next != NULL)
        w7_sgf_note(lexer, W7_MORE_GAMES, W7_SGF_UNKNOWN, next - lexer->begin, 0);
}

static inline void w7_sgf_init(w7_sgf_reader *reader, const uint8_t *text, int64_t size)
{
    uint8_t *implied = reader->lexer.implied;
    int64_t room = reader->lexer.implied_room;
    memset(&reader->lexer, 0, sizeof reader->lexer);
    reader->lexer.begin = reader->lexer.p = text;
    reader->lexer.end = text + size;
    reader->lexer.record = reader->record;
    reader->lexer.max_problems = reader->options.max_problems;
    reader->lexer.max_depth = reader->options.max_depth;
    reader->lexer.double_byte = (uint8_t)reader->options.double_byte;
    reader->lexer.implied = implied;
    reader->lexer.implied_room = room;
    /* Text may ask for far more points than it has bytes; so many are enough for every real one. */
    reader->points_left = ((int64_t)1 << 19) + 2 * size;
    reader->long_name = -1;
    reader->revision = 1;
    reader->tree = -1;
    reader->flags = reader->late_info = 0;
    reader->first_step = reader->first_mark = 0;
    reader->stopped = reader->again = reader->reported_upper = reader->in_node = reader->is_root = 0;
}

/* Reads the first game of the text, of the size that the board has now unless the text states another one. */
static inline void w7_sgf_read_game(w7_sgf_reader *reader, w7_sgf_facts *facts)
{
    w7_record *record = reader->record;
    w7_sgf_lexer *lexer = &reader->lexer;
    const uint8_t *begin;
    int found = w7_sgf_begin_game(lexer, lexer->p);
    facts->begin = facts->end = lexer->p - lexer->begin;
    reader->checked = lexer->p;
    if (found < 0)
        record->unreadable = 1;
    if (found <= 0 || (lexer->depth > 0 && !w7_sgf_open_tree(reader)))
        return;
    w7_sgf_read_parts(reader);
    if (reader->again || lexer->no_memory)
        return;
    w7_sgf_drop_cut_node(reader);
    while (reader->tree >= 0)
        w7_sgf_close_tree(reader);
    record->width = reader->board.width;
    record->height = reader->board.height;
    record->size_form = reader->size_form;
    if (reader->long_name >= 0 && reader->revision >= 4)
        w7_sgf_note(lexer, W7_PROPERTY_NAME_LONG, W7_SGF_UNKNOWN, reader->long_name, 0);
    if (!record->unreadable)
        w7_sgf_read_rest(reader);
    facts->end = lexer->p - lexer->begin;
    facts->revision = reader->revision;
    record->flags = reader->flags | w7_sgf_flags_of(reader->checked, lexer->p);
    if (reader->late_info && !w7_sgf_check_game_info(reader))
        return;
    if (record->flags & W7_HAS_HIGH_BYTES)
        return;
    begin = lexer->begin + facts->begin;
    if (record->charset.begin < 0) {
        if ((begin = w7_sgf_find_escapes(begin, lexer->p)) != NULL)
            w7_sgf_note(lexer, W7_CHARSET_ASSUMED, W7_SGF_UNKNOWN, begin - lexer->begin, W7_SGF_ESCAPED);
    } else if (w7_sgf_is_escaped(lexer->begin + record->charset.begin, lexer->begin + record->charset.end, begin,
                                 lexer->p)) {
        w7_sgf_note(lexer, W7_CHARSET_UNKNOWN, W7_SGF_CA, record->charset.begin, W7_SGF_ESCAPED);
    }
}

/* Decodes the first game of `size` bytes into `record`, which is cleared first, and sets `*facts`. Every oddity is
 * a row of record->problems, in no order. Returns 0, or -1 when memory is short. */
static inline int w7_sgf_decode_game(const uint8_t *text, int64_t size, const w7_sgf_options *options,
                                     w7_record *record, w7_sgf_facts *facts)
{
    w7_sgf_reader reader;
    reader.record = record;
    reader.options = *options;
    reader.lexer.implied = NULL;
    reader.lexer.implied_room = 0;
    /* Rows are numbered by int32_t. */
    if (reader.options.max_steps > INT32_MAX / 4)
        reader.options.max_steps = INT32_MAX / 4;
    facts->begin = facts->end = 0;
    facts->revision = 1;
    reader.board.width = reader.board.height = 19;
    do {
        w7_record_clear(record);
        w7_sgf_init(&reader, text, size);
        reader.size_form = W7_SIZE_ABSENT;
        reader.points_read = 0;
        if (size > options->max_bytes)
            w7_sgf_stop(&reader, W7_LIMIT_BYTES, 0);
        else
            w7_sgf_read_game(&reader, facts);
    } while (reader.again);
    free(reader.lexer.implied);
    facts->double_byte = reader.lexer.double_byte;
    record->replaces = 1;
    return reader.lexer.no_memory ? -1 : 0;
}

/* Adds a problem found after decoding. Returns 0, or -1 when memory is short. */
static inline int w7_sgf_add_problem(w7_record *record, int code, int64_t offset, int32_t detail, int64_t max_problems)
{
    w7_sgf_lexer lexer;
    memset(&lexer, 0, sizeof lexer);
    lexer.record = record;
    lexer.max_problems = max_problems;
    w7_sgf_note(&lexer, code, W7_SGF_CA, offset, detail);
    return lexer.no_memory ? -1 : 0;
}

/* The same as w7_sgf_decode_game, for callers that need the record only. */
static inline int w7_sgf_decode(const uint8_t *text, int64_t size, const w7_sgf_options *options, w7_record *record)
{
    w7_sgf_facts facts;
    return w7_sgf_decode_game(text, size, options, record, &facts);
}

#endif

/* Claims about the writers: what is written of a record without a problem has none either and the same moves, and is
 * written as the same bytes again. */
#ifndef WRITERS_H
#define WRITERS_H

#include "records.h"

#include "formats/sgf/write_wei7.h"
#include "formats/wei7/write.h"

enum { BOARD_WITH_TEXTS = 19 };

BEGIN_UNGUIDED

static void set_kinds(uint8_t *kinds, const char *names, int kind)
{
    for (; *names; names += 2)
        kinds[W7_SGF_PLACE_OF(names[0], names[1] == ' ' ? 0 : names[1])] = (uint8_t)kind;
}

/* Tables of properties much as Python makes them; ranks are any numbers. */
static w7_sgf_context some_context(int is_wei7)
{
    static uint8_t kinds[W7_SGF_PLACES], ranks[W7_SGF_PLACES], label[] = "Name";
    static uint8_t *labels[W7_SGF_PLACES];
    static int64_t label_sizes[W7_SGF_PLACES];
    static w7_step_texts texts;
    /* Without a part that Python reads: a komi, rules and a result become lines of the comment. */
    const w7_sgf_parts none = {NULL, 0, NULL, 0, 0, 0, 1};
    const w7_sgf_context context = {&texts, {ranks, kinds, is_wei7}, labels, label_sizes, none, none, none};
    if (texts.text != NULL)
        return context;
    require(w7_make_step_texts(&texts, BOARD_WITH_TEXTS, BOARD_WITH_TEXTS), "there is memory for texts");
    for (int place = 0; place < W7_SGF_PLACES; place++) {
        kinds[place] = W7_SGF_DROPPED;
        ranks[place] = (uint8_t)(place * 7 % 31);
        labels[place] = label;
        label_sizes[place] = (int64_t)sizeof label - 1;
    }
    ranks[W7_SGF_PLACE_OF('W', 0)] = ranks[W7_SGF_PLACE_OF('B', 0)];
    set_kinds(kinds, "FFCAGMSZ", W7_SGF_OF_TEXT);
    set_kinds(kinds, "GNPCPBBRPWWR", W7_SGF_MEMBER | W7_SGF_OF_ROOT);
    set_kinds(kinds, "EVRO", W7_SGF_EVENT | W7_SGF_OF_ROOT);
    set_kinds(kinds, "KMRURE", W7_SGF_READ | W7_SGF_OF_ROOT);
    set_kinds(kinds, "HA", W7_SGF_HANDICAP | W7_SGF_OF_ROOT);
    set_kinds(kinds, "GC", W7_SGF_LINES | W7_SGF_OF_ROOT);
    set_kinds(kinds, "DTTMOTSOUSANCPAPBTWTID", W7_SGF_LINE | W7_SGF_OF_ROOT);
    set_kinds(kinds, "N GBGWDMUCHO", W7_SGF_LINE);
    set_kinds(kinds, "TBTW", W7_SGF_OF_VALUES);
    set_kinds(kinds, "PL", W7_SGF_TO_PLAY);
    set_kinds(kinds, "BLWLOBOW", W7_SGF_UNTIMED);
    set_kinds(kinds, "TRCRSQMASL", W7_SGF_SHAPES);
    set_kinds(kinds, "LB", W7_SGF_LABELS_ON);
    set_kinds(kinds, "TEBM", W7_SGF_WORTH);
    set_kinds(kinds, "ABAWAE", W7_SGF_DROPPED | W7_SGF_OF_ROOT);
    return context;
}

/* The next row of a move from `row` on. */
static int64_t next_move(const w7_record *record, int64_t row)
{
    while (row < record->steps.count && record->steps.at[row].kind != W7_STEP_MOVE)
        row++;
    return row;
}

static void same_moves(const w7_record *a, const w7_record *b)
{
    int64_t i = next_move(a, 0), j = next_move(b, 0);
    require(a->width == b->width && a->height == b->height, "a written board has the same size");
    for (; i < a->steps.count && j < b->steps.count; i = next_move(a, i + 1), j = next_move(b, j + 1)) {
        const w7_step *one = &a->steps.at[i], *other = &b->steps.at[j];
        require(one->x == other->x && one->y == other->y && one->color == other->color, "written moves are the same");
    }
    require(i == a->steps.count && j == b->steps.count, "as many moves are written");
}

static int same_text(const w7_out *a, const w7_out *b)
{
    return same_rows(a->at, a->count, b->at, b->count, 1);
}

END_UNGUIDED

/* Returns whether the record has no problem: neither by its own revision nor by that in which it is written. */
static int read_sgf(const uint8_t *text, int64_t size, w7_record *record)
{
    const w7_sgf_options options = {
        1 << 22, 1 << 16, 1 << 16, 1 << 22, MOST_PROBLEMS, 0, W7_ISA_PORTABLE, W7_SGF_NO_SHORTCUTS, NULL, NULL};
    w7_sgf_facts facts;
    w7_record_init(record);
    require(w7_sgf_decode_game(text, size, &options, record, &facts) == 0, "there is memory for a game of SGF");
    return record->problems.count == 0 && facts.revision == 4;
}

static int read_wei7(const uint8_t *text, int64_t size, w7_record *record)
{
    const w7_decode_options options = {7, 1 << 22, 1 << 16, 1 << 16, 1 << 22, MOST_PROBLEMS, W7_ISA_PORTABLE};
    w7_record_init(record);
    require(w7_decode(text, size, &options, NULL, record) == 0, "there is memory for a record of wei7");
    return record->problems.count == 0;
}

/* Writes a record as Python has it done, without what Python itself adds. Returns a status. */
static int write_record(const w7_record *record, const uint8_t *text, int64_t size, int is_wei7, int as_wei7,
                        w7_out *out)
{
    const w7_sgf_context context = some_context(is_wei7);
    w7_sgf_losses losses;
    int status;
    memset(out, 0, sizeof *out);
    memset(&losses.numbers, 0, sizeof losses.numbers);
    if (!is_wei7 && as_wei7) {
        status = w7_sgf_write_wei7(record, text, size, &context, out, &losses);
        free(losses.numbers.at);
    } else if (as_wei7) {
        status = w7_wei7_put_start(record, out);
        if (status == W7_WRITTEN && record->info.begin >= 0) {
            require(w7_json_put(out, ",\"info\":") &&
                        w7_out_bytes(out, text + record->info.begin, record->info.end - record->info.begin) == 0,
                    "there is memory for info");
        }
        if (status == W7_WRITTEN)
            status = w7_wei7_put_trees(record, text, context.steps, out);
    } else {
        if (is_wei7 && record->width > 0 && record->height > 0) {
            char start[64];
            int end = snprintf(start, sizeof start, "(;FF[4]CA[UTF-8]GM[1]SZ[%d", (int)record->width);
            if (record->width != record->height)
                end += snprintf(start + end, sizeof start - (size_t)end, ":%d", (int)record->height);
            snprintf(start + end, sizeof start - (size_t)end, "]");
            require(w7_out_bytes(out, start, (int64_t)strlen(start)) == 0, "there is memory for a start");
        }
        status = w7_sgf_write(record, text, size, &context.writing, out);
    }
    require(status != W7_WRITE_NO_MEMORY, "there is memory for what is written");
    return status;
}

/* What is claimed of a record, if it `is_good`. */
static void check_written(const w7_record *record, int is_good, const w7_out *out, int is_wei7, int as_wei7)
{
    w7_record again;
    w7_out twice;
    const int is_good_again = (as_wei7 ? read_wei7 : read_sgf)(out->at, out->count, &again);
    if (is_good) {
        require(is_good_again, "what is written has no problem");
        same_moves(record, &again);
        if (write_record(&again, out->at, out->count, as_wei7, as_wei7, &twice) == W7_WRITTEN)
            require(same_text(out, &twice), "what is written is written as the same bytes again");
        else
            require(is_wei7 || as_wei7, "SGF that is written of SGF can be written again");
        free(twice.at);
    }
    w7_record_free(&again);
}

/* Writes a record in one of the two formats; inputs of different sizes come to different ones. */
static void write_in_a_format(const uint8_t *data, size_t size, int is_wei7)
{
    const int as_wei7 = size % 2 == 0;
    w7_record record;
    const int is_good = (is_wei7 ? read_wei7 : read_sgf)(data, (int64_t)size, &record);
    w7_out out;
    if (write_record(&record, data, (int64_t)size, is_wei7, as_wei7, &out) == W7_WRITTEN)
        check_written(&record, is_good, &out, is_wei7, as_wei7);
    free(out.at);
    w7_record_free(&record);
}

#endif

/* Claims about records: all that a row says is in its text and its tables, and two readings say the same. */
#ifndef RECORDS_H
#define RECORDS_H

#include "charsets.h"

#include "batch/engine.h"

enum { MOST_PROBLEMS = 100 };

BEGIN_UNGUIDED

static void check_span(w7_span span, int64_t size, const char *claim)
{
    require(span.begin == -1 || (span.begin >= 0 && span.begin <= span.end && span.end <= size), claim);
}

static void check_offset(int64_t offset, int64_t size, const char *claim)
{
    require(offset >= 0 && offset <= size, claim);
}

static void check_rows(int64_t first, int64_t count, int64_t all, const char *claim)
{
    require(count <= 0 || (first >= 0 && first + count <= all), claim);
}

static int is_on_board(const w7_record *record, int32_t x, int32_t y)
{
    return x >= 0 && x < record->width && y >= 0 && y < record->height;
}

/* Stones that a replay is to put on the board; those of a record without a board are never looked at. */
static void check_stones(const w7_record *record, int64_t first, int64_t count)
{
    check_rows(first, count, record->stones.count, "stones that are set up are rows");
    for (int64_t i = first; record->width > 0 && i < first + count; i++)
        require(is_on_board(record, record->stones.at[i].x, record->stones.at[i].y),
                "a stone has a point of the board");
}

static void check_placed(const w7_placed_table *table, int64_t size)
{
    for (int64_t i = 0; i < table->count; i++) {
        check_offset(table->at[i].offset, size, "stones and marks start in the text");
        require(table->at[i].x >= 0 && table->at[i].y >= 0, "stones and marks have no negative coordinates");
    }
}

static void check_trees(const w7_record *record, int64_t size)
{
    for (int64_t i = 0; i < record->trees.count; i++) {
        const w7_tree *tree = &record->trees.at[i];
        check_offset(tree->offset, size, "a tree starts in the text");
        check_span(tree->title, size, "the title of a tree is in the text");
        require(tree->parent < i && (i == 0) == (tree->parent == -1), "a parent precedes its branches");
        require(tree->first_branch == -1 || (tree->first_branch > i && tree->first_branch < record->trees.count),
                "branches follow their parent");
        require(tree->next_branch == -1 || (tree->next_branch > i && tree->next_branch < record->trees.count),
                "the next branch follows");
        check_rows(tree->first_step, tree->step_count, record->steps.count, "the steps of a tree are rows");
        require(tree->pre == -1 || (tree->pre >= 0 && tree->pre < record->pres.count), "the pre of a tree is a row");
    }
}

static void check_step(const w7_step *step, const w7_record *record, int64_t size)
{
    check_offset(step->offset, size, "a step starts in the text");
    require(step->detail >= -1 && step->detail < record->details.count, "the detail of a step is a row");
    if (step->kind == W7_STEP_SETUP)
        check_stones(record, step->x, step->y);
    if (step->kind == W7_STEP_MOVE) {
        require(step->color == 1 || step->color == 2, "a move has a colour");
        require((step->x == -1 && step->y == -1) || record->width == 0 || is_on_board(record, step->x, step->y),
                "a move is a pass or has a point of the board");
    }
}

static void check_record(const w7_record *record, int64_t size)
{
    check_span(record->info, size, "info is in the text");
    check_span(record->charset, size, "the encoding is in the text");
    check_trees(record, size);
    for (int64_t i = 0; i < record->steps.count; i++)
        check_step(&record->steps.at[i], record, size);
    for (int64_t i = 0; i < record->details.count; i++) {
        const w7_detail *detail = &record->details.at[i];
        check_span(detail->time, size, "a time is in the text");
        check_span(detail->comment, size, "a comment is in the text");
        check_span(detail->value, size, "a value is in the text");
        check_rows(detail->marks, detail->mark_count, record->marks.count, "the marks of a step are rows");
    }
    for (int64_t i = 0; i < record->pres.count; i++) {
        const w7_pre *pre = &record->pres.at[i];
        check_offset(pre->offset, size, "a pre starts in the text");
        if (pre->unreadable)
            check_rows(pre->stones, pre->stone_count, record->stones.count, "the stones of a pre are rows");
        else
            check_stones(record, pre->stones, pre->stone_count);
        check_rows(pre->marks, pre->mark_count, record->marks.count, "the marks of a pre are rows");
    }
    check_placed(&record->stones, size);
    check_placed(&record->marks, size);
    for (int64_t i = 0; i < record->kept.count; i++) {
        check_span(record->kept.at[i].key, size, "a kept name is in the text");
        check_span(record->kept.at[i].value, size, "a kept value is in the text");
    }
    for (int64_t i = 0; i < record->problems.count; i++)
        check_offset(record->problems.at[i].offset, size, "a problem is in the text");
    require(record->problems.count <= MOST_PROBLEMS + 1, "no more problems are listed than are wanted");
}

static int same_rows(const void *a, int64_t a_count, const void *b, int64_t b_count, size_t row_size)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, (size_t)a_count * row_size) == 0);
}

#define SAME_TABLE(a, b) same_rows((a).at, (a).count, (b).at, (b).count, sizeof *(a).at)

static void same_records(const w7_record *a, const w7_record *b)
{
    require(a->width == b->width && a->height == b->height && a->size_form == b->size_form, "the sizes are the same");
    require(a->unreadable == b->unreadable && a->flags == b->flags, "the flags are the same");
    require(memcmp(&a->info, &b->info, sizeof a->info) == 0, "the infos are the same");
    require(memcmp(&a->charset, &b->charset, sizeof a->charset) == 0, "the encodings are the same");
    require(a->participant_count == b->participant_count, "the participants are the same");
    require(SAME_TABLE(a->trees, b->trees), "the trees are the same");
    require(SAME_TABLE(a->steps, b->steps), "the steps are the same");
    require(SAME_TABLE(a->details, b->details), "the details are the same");
    require(SAME_TABLE(a->pres, b->pres), "the pres are the same");
    require(SAME_TABLE(a->stones, b->stones), "the stones are the same");
    require(SAME_TABLE(a->marks, b->marks), "the marks are the same");
    require(SAME_TABLE(a->kept, b->kept), "what is kept is the same");
    require(SAME_TABLE(a->problems, b->problems), "the problems are the same");
}

END_UNGUIDED

/* The error of the row, and what is kept of the text for its words. */
static void check_failures(const w7_failures *failures, const w7_bulk_text *text)
{
    require(failures->rows.count <= 1, "a row has one error");
    for (int64_t k = 0; k < failures->rows.count; k++) {
        const w7_bulk_failure *failure = &failures->rows.at[k];
        check_offset(failure->problem.offset, text->size, "the place of an error is in the text");
        require(failure->base >= 0 && failure->size >= 0 && failure->base + failure->size <= text->size,
                "the stored part is in the text");
        require(failures->texts.count == failure->size, "all of it is kept");
        require(memcmp(failures->texts.at, text->at + failure->base, (size_t)failure->size) == 0,
                "it is kept as it is");
        require(failure->step >= 0 ? failure->problem.offset >= failure->base &&
                                         failure->problem.offset < failure->base + failure->size
                                   : failure->size == text->size,
                "the place of the error is in the stored step");
    }
}

/* What a replay with one instruction set makes of a text: its row, its letters, its name and its positions. */
static void replay_in(int isa, const w7_bulk_text *text, w7_bulk *bulk, w7_bulk_row *row)
{
    w7_facts facts;
    int done;
    memset(bulk, 0, sizeof *bulk);
    bulk->decode_wei7 = w7_decode;
    bulk->decode_sgf = w7_sgf_decode_game;
    bulk->wei7.max_bytes = bulk->sgf.max_bytes = 1 << 20;
    bulk->wei7.max_steps = bulk->sgf.max_steps = 1 << 16;
    bulk->wei7.max_depth = bulk->sgf.max_depth = 1 << 16;
    bulk->wei7.max_points = bulk->sgf.max_points = bulk->max_points = 1 << 12;
    bulk->wei7.max_problems = bulk->sgf.max_problems = MOST_PROBLEMS;
    bulk->wei7.isa = bulk->sgf.isa = bulk->isa = isa;
    bulk->max_moves = text->size % 11 == 3 ? 5 : 1 << 14;
    bulk->max_positions = 1 << 20;
    bulk->charsets = some_charsets();
    bulk->has_all_charsets = 1;
    bulk->wanted_charset = (int)(text->size % (W7_CHARSET_ALL + 1)) - 1;
    bulk->with_letters = bulk->with_ids = bulk->with_positions = 1;
    bulk->positions.with_canonical = 1;
    if (text->size % 3 != 0) { /* else problems leave a text to the caller */
        for (int code = 0; code < W7_CODE_COUNT; code++) {
            bulk->is_counted[code] = (uint8_t)(W7_BULK_COUNTED | (code % 3 ? W7_BULK_ERROR : 0));
            bulk->is_counted[code] |= (uint8_t)(code % 7 ? 0 : W7_BULK_REFUSED | W7_BULK_ERROR);
            bulk->is_counted[code] |= (uint8_t)(code % 5 ? 0 : W7_BULK_BREAK | W7_BULK_ERROR);
        }
        bulk->is_counted[W7_MOVE_INVALID] |= W7_BULK_OF_MOVE;
        bulk->is_strict = text->size % 4 == 1;
        bulk->max_positions = text->size % 5 == 0 ? 64 : 1 << 20;
        bulk->with_failures = 1;
        bulk->with_facts = text->size % 3 == 2;
        bulk->facts.row = &facts;
    }
    done = w7_bulk_one(bulk, text, row);
    require(done == 0, "there is memory for a text");
    check_failures(&bulk->failures, text);
    bulk->facts.row = NULL;
}

/* One of the instruction sets that run here; inputs of different sizes come to different ones. */
static int some_isa(size_t size)
{
    const int isa = (int)(size / 2 % W7_ISA_COUNT);
    return w7_isa_runs(isa) ? isa : W7_ISA_PORTABLE;
}

/* Replays a text with the portable code and with another instruction set. */
/* The least hash under the symmetries, of the points one by one. */
static uint64_t slow_canonical_hash(const uint8_t *packed, int32_t width, int32_t height)
{
    uint64_t least = UINT64_MAX;
    for (int symmetry = 0; symmetry < (width == height ? 8 : 4); symmetry++) {
        uint64_t hash = w7_zobrist_empty(width, height);
        for (int32_t at = 0; at < width * height; at++) {
            const int color = packed[at >> 2] >> 2 * (at & 3) & 3;
            const w7_point point = w7_symmetry_point(symmetry, width, height, at % width, at / width);
            if (color != W7_EMPTY)
                hash ^= w7_zobrist_stone(color, point.x, point.y);
        }
        least = hash < least ? hash : least;
    }
    return least;
}

/* The hashes of positions, which are kept up from move to move, are those of the packed boards, which are as well. */
static void check_positions(const w7_positions *positions)
{
    int64_t place = 0, path = 0;
    for (int64_t k = 0; k < positions->run_count; k++) {
        const w7_position_run *run = &positions->runs[k];
        const int64_t end = k + 1 < positions->run_count ? run[1].begin : positions->count;
        const int64_t size = w7_packed_size(run->width, run->height);
        require(run->begin < end && run->path_size > 0, "a run has positions and a path");
        for (int64_t row = run->begin; row < end; row++, place += size) {
            const uint8_t *packed = (const uint8_t *)positions->boards.at + place;
            require(w7_packed_is_valid(packed, run->width, run->height), "the packed boards are boards");
            require(w7_packed_hash(packed, run->width, run->height) == positions->hashes[row],
                    "the hash of a position is that of its packed board");
            require(row % 8 != 0 ||
                        slow_canonical_hash(packed, run->width, run->height) == positions->canonical_hashes[row],
                    "the canonical hash is the least of the images of the packed board");
        }
        path += run->path_size;
    }
    require(place == positions->boards.count && path == positions->branches.count, "each position has its board");
}

static void replay_in_two_forms(const uint8_t *data, size_t size, uint8_t format)
{
    const w7_bulk_text text = {.at = data, .size = (int64_t)size, .format = format};
    const int isa = some_isa(size);
    w7_bulk first, other;
    w7_bulk_row row, other_row;
    replay_in(W7_ISA_PORTABLE, &text, &first, &row);
    check_positions(&first.positions);
    if (isa != W7_ISA_PORTABLE) {
        replay_in(isa, &text, &other, &other_row);
        require(memcmp(&row, &other_row, sizeof row) == 0, "the rows of two instruction sets are the same");
        require(SAME_TABLE(first.letters, other.letters), "the boards of two instruction sets are the same");
        require(SAME_TABLE(first.ids, other.ids), "the names of two instruction sets are the same");
        require(SAME_TABLE(first.positions.branches, other.positions.branches), "the branches are the same");
        require(same_rows(first.positions.runs, first.positions.run_count, other.positions.runs,
                          other.positions.run_count, sizeof *first.positions.runs),
                "the runs of positions are the same");
        require(SAME_TABLE(first.positions.boards, other.positions.boards), "the packed boards are the same");
        require(same_rows(first.positions.hashes, first.positions.count, other.positions.hashes, other.positions.count,
                          sizeof *first.positions.hashes),
                "the hashes of the positions are the same");
        require(same_rows(first.positions.canonical_hashes, first.positions.count, other.positions.canonical_hashes,
                          other.positions.count, sizeof *first.positions.hashes),
                "the canonical hashes of the positions are the same");
        w7_bulk_free(&other);
    }
    w7_bulk_free(&first);
}

#endif

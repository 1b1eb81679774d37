/* The decoder of wei7 3.0: with and without layouts learned from the text itself, with two instruction sets, both revisions, always
 * the same record; then the places of its problems, its replay, and what the writers make of it. The input is the text. */
#include "writers.h"

#include "formats/wei7/locate.h"

static int by_offset(const void *a, const void *b)
{
    int64_t left = ((const w7_located *)a)->offset, right = ((const w7_located *)b)->offset;
    return (left > right) - (left < right);
}

static void find_places(const uint8_t *data, size_t size, const w7_record *record)
{
    static w7_located found[MOST_PROBLEMS + 1];
    w7_path_text paths = {NULL, 0, 0};
    memset(found, 0, sizeof found);
    for (int64_t i = 0; i < record->problems.count; i++)
        found[i].offset = record->problems.at[i].offset;
    qsort(found, (size_t)record->problems.count, sizeof *found, by_offset);
    require(w7_locate(data, (int64_t)size, found, record->problems.count, &paths) == 0, "places are found");
    for (int64_t i = 0; i < record->problems.count; i++) {
        require(found[i].line >= 1 && found[i].column >= 1, "lines and columns count from 1");
        check_rows(found[i].path, found[i].path_end - found[i].path, paths.count, "a path is part of the paths");
    }
    free(paths.at);
}

static void decode_in_two_ways(const uint8_t *data, size_t size, int revision)
{
    w7_decode_options options = {revision, 1 << 20, 1 << 16, 1 << 16, 1 << 22, MOST_PROBLEMS, W7_ISA_PORTABLE};
    static w7_layouts layouts;
    w7_record plain, other;
    w7_record_init(&plain);
    w7_record_init(&other);
    require(w7_decode(data, (int64_t)size, &options, NULL, &plain) == 0, "there is memory enough");
    check_record(&plain, (int64_t)size);
    memset(&layouts, 0, sizeof layouts);
    options.isa = some_isa(size);
    /* The second time with what was learned the first time. */
    for (int turn = 0; turn < 2; turn++) {
        require(w7_decode(data, (int64_t)size, &options, &layouts, &other) == 0, "there is memory enough");
        same_records(&plain, &other);
    }
    for (int64_t i = 0; i < plain.steps.count && i < 8; i++) {
        int64_t found = plain.steps.at[i].kind == W7_STEP_MOVE
                            ? w7_find_in_step(data, (int64_t)size, plain.steps.at[i].offset, "point")
                            : -1;
        require(found >= -1 && found <= (int64_t)size, "the point of a move is in the text");
    }
    find_places(data, size, &plain);
    w7_record_free(&plain);
    w7_record_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    decode_in_two_ways(data, size, 7);
    if (size % 4 == 0)
        decode_in_two_ways(data, size, 2);
    replay_in_two_forms(data, size, size % 4 == 0 ? W7_BULK_WEI7_2 : W7_BULK_WEI7_7);
    write_in_a_format(data, size, 1);
    return 0;
}

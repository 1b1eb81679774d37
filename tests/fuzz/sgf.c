/* The decoder of SGF: with two instruction sets, with and without what makes it quick, always the same record; then the places of
 * its problems, its replay, and what the writers make of it. The input is the text, read as each of the three kinds of
 * encodings in turn. */
#include "writers.h"

#include "formats/sgf/locate.h"

static int by_offset(const void *a, const void *b)
{
    int64_t left = ((const w7_located *)a)->offset, right = ((const w7_located *)b)->offset;
    return (left > right) - (left < right);
}

static void find_places(const uint8_t *data, size_t size, int double_byte, const w7_record *record)
{
    static w7_located found[MOST_PROBLEMS + 1];
    w7_path_text paths = {NULL, 0, 0};
    memset(found, 0, sizeof found);
    for (int64_t i = 0; i < record->problems.count; i++)
        found[i].offset = record->problems.at[i].offset;
    qsort(found, (size_t)record->problems.count, sizeof *found, by_offset);
    require(w7_sgf_locate(data, (int64_t)size, double_byte, (int)(size % 4), found, record->problems.count, &paths) ==
                0,
            "places are found");
    for (int64_t i = 0; i < record->problems.count; i++) {
        int64_t value = w7_sgf_find_value(data, (int64_t)size, found[i].offset);
        require(value >= found[i].offset && value <= (int64_t)size, "a value follows its name");
        require(found[i].line >= 1 && found[i].column >= 1, "lines and columns count from 1");
        check_rows(found[i].path, found[i].path_end - found[i].path, paths.count, "a path is part of the paths");
    }
    free(paths.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int double_byte = (int)(size % 3);
    w7_sgf_options options = {1 << 20,       1 << 16,     1 << 16,         1 << 22,
                              MOST_PROBLEMS, double_byte, W7_ISA_PORTABLE, W7_SGF_NO_SHORTCUTS,
                              NULL,          NULL};
    w7_record plain, other;
    w7_sgf_facts facts, other_facts;
    w7_record_init(&plain);
    w7_record_init(&other);
    require(w7_sgf_decode_game(data, (int64_t)size, &options, &plain, &facts) == 0, "there is memory enough");
    check_record(&plain, (int64_t)size);
    require(facts.begin >= 0 && facts.begin <= facts.end && facts.end <= (int64_t)size, "the game is in the text");
    options.isa = some_isa(size);
    for (int plainness = W7_SGF_NOT_PLAIN; plainness < W7_SGF_NO_SHORTCUTS; plainness++) {
        options.plainness = plainness;
        require(w7_sgf_decode_game(data, (int64_t)size, &options, &other, &other_facts) == 0, "enough memory");
        same_records(&plain, &other);
        require(facts.begin == other_facts.begin && facts.end == other_facts.end &&
                    facts.revision == other_facts.revision,
                "the facts are the same");
    }
    find_places(data, size, double_byte, &plain);
    w7_record_free(&plain);
    w7_record_free(&other);
    replay_in_two_forms(data, size, W7_BULK_SGF);
    write_in_a_format(data, size, 0);
    return 0;
}

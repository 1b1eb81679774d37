/* The headers without Python: prints those lines of tests/data/golden.txt that a C compiler and its library can make.
 *
 * harness ISA FOLDER FILE...   (ISA as in cpu.h; files are named from FOLDER) */
#include "batch/engine.h"
#include "board/kernel/symmetry.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIZES = 12, MOST_MOVES = 900 };

static const int32_t sizes[SIZES][2] = {{1, 1},  {2, 1},   {5, 5},  {9, 9},   {13, 13}, {19, 19},
                                        {7, 30}, {25, 25}, {26, 3}, {37, 37}, {62, 9},  {70, 41}};

static uint32_t random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static int play_board(int32_t width, int32_t height)
{
    w7_board board;
    uint64_t seed = (uint64_t)width * 1000 + (uint64_t)height;
    if (w7_board_init(&board, width, height) != W7_OK)
        return 1;
    for (int32_t left = 2 * width * height < MOST_MOVES ? 2 * width * height : MOST_MOVES; left > 0; left--) {
        const int32_t x = (int32_t)(random_number(&seed) % (uint32_t)width);
        const int32_t y = (int32_t)(random_number(&seed) % (uint32_t)height);
        if (w7_board_get(&board, x, y) == W7_EMPTY &&
            w7_board_play(&board, 1 + (int)(random_number(&seed) % 2), x, y) != W7_OK)
            return 1;
    }
    printf("board %" PRId32 "x%" PRId32 " hash %016" PRIx64 " %016" PRIx64 "\n", width, height, w7_board_hash(&board),
           w7_board_canonical_hash(&board));
    printf("board %" PRId32 "x%" PRId32 " captured %" PRId64 " %" PRId64 "\n", width, height, board.captured[W7_BLACK],
           board.captured[W7_WHITE]);
    w7_board_free(&board);
    return 0;
}

static void start(w7_bulk *bulk, int isa)
{
    memset(bulk, 0, sizeof *bulk);
    bulk->decode_wei7 = w7_decode;
    bulk->decode_sgf = w7_sgf_decode_game;
    bulk->isa = bulk->wei7.isa = bulk->sgf.isa = isa;
    bulk->wei7.max_bytes = bulk->sgf.max_bytes = 1 << 30;
    bulk->wei7.max_steps = bulk->sgf.max_steps = 50000000;
    bulk->wei7.max_depth = bulk->sgf.max_depth = 100000000;
    bulk->wei7.max_points = bulk->sgf.max_points = bulk->max_points = 4194304;
    bulk->wei7.max_problems = bulk->sgf.max_problems = 10000;
    bulk->max_moves = 1 << 28;
    bulk->max_positions = 1 << 30;
}

/* A file with problems in addition to its row is deferred to Python, and prints nothing. */
static int replay_file(w7_bulk *bulk, const char *folder, const char *name)
{
    static uint8_t text[1 << 20];
    char path[1024];
    w7_bulk_text input = {0};
    w7_bulk_row row = {0};
    FILE *file;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || (file = fopen(path, "rb")) == NULL)
        return 1;
    input.at = text;
    input.size = (int64_t)fread(text, 1, sizeof text, file);
    fclose(file);
    input.format = strstr(name, "rev2/") ? W7_BULK_WEI7_2 : strstr(name, ".sgf") ? W7_BULK_SGF : W7_BULK_WEI7_7;
    if (w7_bulk_one(bulk, &input, &row) != 0)
        return 1;
    if (!row.is_deferred)
        printf("row %s %" PRId32 "x%" PRId32 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %016" PRIx64
               " %016" PRIx64 "\n",
               name, row.width, row.height, row.moves, row.passes, row.takebacks, row.black_captured,
               row.white_captured, row.hash, row.canonical_hash);
    return 0;
}

int main(int count, char **arguments)
{
    static w7_bulk bulk;
    const int isa = count > 2 ? atoi(arguments[1]) : W7_ISA_PORTABLE;
    if (count < 3 || !w7_isa_runs(isa))
        return 2;
    for (int k = 0; k < SIZES; k++)
        if (play_board(sizes[k][0], sizes[k][1]))
            return 1;
    start(&bulk, isa);
    for (int k = 3; k < count; k++)
        if (replay_file(&bulk, arguments[2], arguments[k])) {
            fprintf(stderr, "%s cannot be replayed\n", arguments[k]);
            return 1;
        }
    w7_bulk_free(&bulk);
    return 0;
}

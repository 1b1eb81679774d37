/* Where the records of a text begin and end: of lines against a twin that looks at one byte after the other, and of SGF
 * against what must hold of any division, and of any choice of an encoding. The first two bytes say which limit, what
 * encoding, and where the text is cut. */
#include "charsets.h"

#include "formats/sgf/split.h"
#include "formats/wei7/lines.h"

BEGIN_UNGUIDED

/* The lines of a whole text that hold records, one byte at a time. */
static int64_t slow_lines(const uint8_t *text, int64_t size, int64_t limit, int64_t (*found)[2], int64_t room)
{
    int64_t count = 0, begin = 0;
    for (int64_t at = 0; at <= size; at++) {
        int64_t end = at;
        int blank = 1;
        if (at < size && text[at] != '\n')
            continue;
        while (end > begin && text[end - 1] == '\r')
            end--;
        for (int64_t k = begin; k < end; k++)
            blank &= text[k] == ' ' || (text[k] >= '\t' && text[k] <= '\r');
        if (at - begin < limit + W7_LINES_SLACK && !blank && end - begin <= limit && count < room) {
            found[count][0] = begin;
            found[count++][1] = end;
        }
        begin = at + 1;
    }
    return count;
}

END_UNGUIDED

enum { MOST_LINES = 4096 };

static void check_lines(const uint8_t *text, int64_t size, int64_t limit, int64_t cut)
{
    static int64_t expected[MOST_LINES][2];
    int64_t count = slow_lines(text, size, limit, expected, MOST_LINES), at = 0, seen = 0, begin = 0, end = 0;
    int64_t visible = cut;
    if (count == MOST_LINES)
        return;
    for (;;) {
        const int64_t before = at;
        const w7_lines_piece piece = w7_lines_next(text, visible, &at, visible == size, limit, &begin, &end);
        require(at >= before && at <= visible, "lines continue");
        if (piece == W7_LINES_RECORD) {
            require(seen < count && begin == expected[seen][0] && end == expected[seen][1], "lines are where they are");
            seen++;
        } else if (piece == W7_LINES_REST || piece == W7_LINES_CUT) {
            if (visible == size)
                break;
            visible = size; /* the rest comes in one piece */
        }
    }
    require(seen == count, "no line is left out");
    (void)w7_lines_recognise(text, size, 1, limit);
    if (w7_lines_recognise(text, cut, 0, limit) != W7_LINES_UNKNOWN)
        require(w7_lines_recognise(text, cut, 0, limit) == w7_lines_recognise(text, size, 1, limit),
                "what is known of a part holds for the whole");
}

static void check_games(const uint8_t *text, int64_t size, int double_byte, int64_t cut, const uint8_t *tables)
{
    int64_t begin = 0, end = 0, of_part = 0;
    int rounds = 0;
    w7_sgf_charsets known = {tables, NULL, -1}, known_of_part = known;
    const int is_known_of_part =
        w7_sgf_next_piece(text, cut, 0, 0, double_byte, &known_of_part, &of_part) == W7_SGF_PIECE;
    for (;;) {
        w7_sgf_piece piece = w7_sgf_next_piece(text, size, begin, 1, double_byte, &known, &end);
        if (piece == W7_SGF_REST)
            break;
        require(known.assumed >= -1 && known.assumed <= 2, "what is assumed is a way to pair bytes");
        require(piece == W7_SGF_PIECE || double_byte < 0, "where the encoding is known no piece is unsure");
        require(end > begin && end <= size, "a piece has bytes, and is in the text");
        if (rounds++ == 0 && piece == W7_SGF_PIECE && is_known_of_part)
            require(of_part == end, "a game that has ended is the same whatever follows");
        begin = end;
    }
    require(rounds <= size, "there are no more games than bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes_left left = {data, data + size};
    const uint8_t how = take(&left), where = take(&left);
    const int64_t count = left.end - left.at, cut = count * where / 255;
    /* In memory of its own size, so that a look after its end is seen. */
    uint8_t *text = malloc(count > 0 ? (size_t)count : 1);
    require(text != NULL, "there is memory enough");
    memcpy(text, left.at, (size_t)count);
    check_lines(text, count, how & 0x40 ? how & 15 : 1 << 20, cut);
    check_games(text, count, (how >> 4 & 3) - 1, cut, how & 0x80 ? some_charsets() : NULL);
    check_choice(text, count, (how & 15) % (W7_CHARSET_COUNT + 1) - 1, where % (W7_CHARSET_COUNT + 1) - 1);
    free(text);
    return 0;
}

/* The keys of a game by vector registers: the body of one instruction set. game_keys.h includes it once for AVX2 and
 * once for AVX-512, after defining `w7_eight`, eight words of 64 bits, and its operations. */

/* w7_game_keys_add for a board with moves and without edits between them, whose images are in the table. */
static W7_ISA_TARGET void w7_game_keys_add_eight(const w7_symmetry_keys *keys, const w7_board *board,
                                                 const w7_game_start *start, const w7_played *table, w7_game_keys *out)
{
    const int symmetries = board->grid.width == board->grid.height ? 8 : 4;
    const uint8_t *images = (const uint8_t *)keys->images;
    const w7_move *moves = board->moves, *move = moves, *end = moves + board->move_count;
    const w7_eight_orders orders = w7_eight_orders_of();
    w7_eight chain = w7_eight_load(start->hashes), position = chain;
    w7_played played = *table;
    w7_image_places places;
    int64_t next = w7_moves_before_key(0);
    int32_t same_color = 0;
    int reported = 0, repeats = 0;
    uint8_t color = W7_EMPTY;
    w7_image_places_fill(&places, board->grid.width, board->grid.height);
    w7_played_begin(&played, start->hashes[0]);
    for (; move < end; move++) {
        const int64_t removed = move->removed_opponent + move->removed_own;
        w7_eight image;
        same_color += move->color == color;
        color = move->color;
        if (W7_UNLIKELY(move->x < 0)) {
            image = w7_eight_of(w7_game_pass_key(move->color));
            w7_game_keys_note_pass(out, moves, move - moves);
        } else {
            const uint32_t place = places.columns[move->x] + places.rows[move->y] +
                                   (uint32_t)(move->color - W7_BLACK) * (uint32_t)sizeof(w7_images);
            image = w7_eight_ordered(w7_eight_load(images + (place & 0xFFFF)), &orders, place >> 16);
            position = w7_eight_xor(position, image);
            if (W7_UNLIKELY(removed != 0)) {
                uint64_t hashes[8];
                w7_eight_store(hashes, position);
                w7_images_add_removed(keys, board, move, hashes);
                position = w7_eight_load(hashes);
            }
            repeats |= w7_played_add(&played, w7_eight_first(position), removed);
        }
        chain = w7_eight_chained(chain, image);
        if (W7_UNLIKELY(move - moves + 1 == next)) {
            w7_game_keys_report(out, reported,
                                w7_eight_least(reported < W7_OPENING_MOVES ? position : chain, symmetries));
            next = w7_moves_before_key(++reported);
        }
    }
    out->repeats = repeats;
    out->same_color = same_color;
    out->game_key = w7_eight_least(chain, symmetries);
}

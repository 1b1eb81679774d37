/* The canonical hashes of positions by vector registers: the body of one instruction set. positions.h includes it once
 * for AVX2 and once for AVX-512; image_hashes.h defines `w7_eight`, eight words of 64 bits, and its operations. */

/* Brings `sums`, the hashes under the symmetries, up to `count` moves, and writes the least after each of them. */
static W7_ISA_TARGET W7_NOINLINE void w7_positions_hash_eight(const w7_symmetry_keys *keys, const w7_board *board,
                                                              const w7_move *moves, int64_t count, uint64_t sums[8],
                                                              uint64_t *canonical)
{
    const int symmetries = w7_symmetry_count(&board->grid);
    const int32_t stride = keys->width + 1, half = stride / 2, half_height = (keys->height + 1) / 2;
    const w7_eight_orders orders = w7_eight_orders_of();
    w7_eight position = w7_eight_load(sums);
    for (int64_t k = 0; k < count; k++) {
        const w7_move *move = &moves[k];
        if (move->x >= 0) {
            const uint32_t quadrant = (uint32_t)(move->x >= half) | (uint32_t)(move->y >= half_height) << 1;
            const w7_images *image =
                &keys->images[keys->places[move->y * stride + move->x] + (move->color == W7_WHITE)];
            position = w7_eight_xor(position, w7_eight_ordered(w7_eight_load(image->key), &orders, quadrant));
        }
        if (W7_UNLIKELY(move->removed_opponent + move->removed_own != 0)) {
            w7_eight_store(sums, position);
            w7_images_add_removed(keys, board, move, sums);
            position = w7_eight_load(sums);
        }
        canonical[k] = w7_eight_least(position, symmetries);
    }
    w7_eight_store(sums, position);
}

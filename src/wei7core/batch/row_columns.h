/* Rows of many records as columns of numbers of 64 bits. */
#ifndef W7_BATCH_ROW_COLUMNS_H
#define W7_BATCH_ROW_COLUMNS_H

#include "batch/engine.h"

enum { W7_BULK_COLUMNS = 13 };

/* Puts `count` rows at `place` of columns, which are in the order of the struct. */
static inline void w7_bulk_put_rows(const w7_bulk_row *rows, int64_t count, uint64_t *const columns[W7_BULK_COLUMNS],
                                    uint8_t *is_deferred, uint8_t *lacks, int64_t place)
{
    for (const w7_bulk_row *row = rows; row < rows + count; row++, place++) {
        columns[0][place] = (uint64_t)row->width;
        columns[1][place] = (uint64_t)row->height;
        columns[2][place] = (uint64_t)row->moves;
        columns[3][place] = (uint64_t)row->passes;
        columns[4][place] = (uint64_t)row->takebacks;
        columns[5][place] = (uint64_t)row->suicides;
        columns[6][place] = (uint64_t)row->ko_recaptures;
        columns[7][place] = (uint64_t)row->black_captured;
        columns[8][place] = (uint64_t)row->white_captured;
        columns[9][place] = row->hash;
        columns[10][place] = row->canonical_hash;
        columns[11][place] = (uint64_t)row->id_size;
        columns[12][place] = (uint64_t)row->problems;
        is_deferred[place] = row->is_deferred != 0;
        lacks[place] = row->lacks;
    }
}

#endif

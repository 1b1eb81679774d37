/* A run of consecutive rows of positions, of one branch of one record. */
#ifndef W7_BATCH_POSITION_RUN_H
#define W7_BATCH_POSITION_RUN_H

#include <stdint.h>

typedef struct {
    int64_t begin;     /* the first row */
    int64_t text;      /* number of the record among the texts */
    int64_t path_size; /* bytes of the path of the branch in `branches` */
    int32_t width;
    int32_t height;
} w7_position_run;

#endif

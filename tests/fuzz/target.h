/* What all targets have in common: a claim that must hold, and the door that libFuzzer and run_files.c call.
 *
 * A claim that fails ends the process, so that the fuzzer keeps the input. */
#ifndef TARGET_H
#define TARGET_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "not so: %s\n", claim);
        abort();
    }
}

/* Bytes of an input, taken one after the other; 0 behind its end. */
typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} bytes_left;

static uint8_t take(bytes_left *left)
{
    return left->at < left->end ? *left->at++ : 0;
}

#endif

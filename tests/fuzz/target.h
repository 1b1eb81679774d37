/* What all targets have in common: a claim that must hold, and the entry that libFuzzer and run_files.c call.
 *
 * A claim that fails ends the process, so that the fuzzer keeps the input. */
#ifndef TARGET_H
#define TARGET_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Around claims and slow twins: the fuzzer is guided by the coverage of what is tested, not by theirs, and is quicker
 * for it. */
#ifdef __clang__
#define BEGIN_UNGUIDED _Pragma("clang attribute push(__attribute__((no_sanitize(\"coverage\"))), apply_to = function)")
#define END_UNGUIDED _Pragma("clang attribute pop")
#else
#define BEGIN_UNGUIDED
#define END_UNGUIDED
#endif

static void require(int holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "not so: %s\n", claim);
        abort();
    }
}

/* Bytes of an input, taken one after the other; 0 after its end. */
typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} bytes_left;

static uint8_t take(bytes_left *left)
{
    return left->at < left->end ? *left->at++ : 0;
}

#endif

/* The instruction sets that this build supports, and those that the processor can run.
 *
 * The portable code needs nothing beyond the baseline of the build. The others are functions marked W7_TARGET_AVX2 or
 * W7_TARGET_AVX512, compiled where W7_WITH_X86_ISAS is defined, and called only where w7_isa_runs has returned true.
 * Every instruction set gives the same answers. */
#ifndef W7_UTIL_CPU_H
#define W7_UTIL_CPU_H

typedef enum { W7_ISA_PORTABLE = 0, W7_ISA_AVX2, W7_ISA_AVX512BW, W7_ISA_AVX512, W7_ISA_COUNT } w7_isa;

#if defined(__x86_64__) && defined(__GNUC__)
#define W7_WITH_X86_ISAS 1
#define W7_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
/* Skylake-SP, Cascade Lake and later. */
#define W7_TARGET_AVX512BW __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")))
/* Ice Lake, Zen 4 and later. */
#define W7_TARGET_AVX512                                                                                               \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,"      \
                          "avx512bitalg,avx512vpopcntdq")))
#endif

/* Whether the build has code for the instruction set and the processor, with its operating system, can run it. */
static inline int w7_isa_runs(int isa)
{
    if (isa == W7_ISA_PORTABLE)
        return 1;
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX2 && isa < W7_ISA_COUNT) {
        int runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                   __builtin_cpu_supports("popcnt");
        if (isa >= W7_ISA_AVX512BW)
            runs = runs && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
        if (isa == W7_ISA_AVX512)
            runs = runs && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
                   __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq");
        return runs;
    }
#endif
    return 0;
}

#endif

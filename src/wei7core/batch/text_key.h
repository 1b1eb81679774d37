/* A 128-bit key of a text: the same for equal bytes, on every machine and in every release.
 *
 * The construction is that of UMAC and VMAC (Black, Halevi, Krawczyk, Krovetz, Rogaway 1999; Krovetz, Dai 2007), with
 * public keys. The text, filled up with zeros, is cut into blocks of 128 pairs of words of 32 bits, low
 * bytes first; the keys are such pairs too. For t = 0 .. 3, and then for each of two halves h:
 *
 *     NH[t] = sum of (left[i] + left_key[i + t]) * (right[i] + right_key[i + t]), the sums of 32 bits, modulo 2**64
 *     state[h] = (state[h] * multiplier[h] + NH[2h] + 2**64 * NH[2h + 1]) mod (2**127 - 1), block by block from 0
 *     state[h] = (state[h] * multiplier[h] + bytes of the text + 1) mod (2**127 - 1)
 *     key[h] = low word of state[h] + high word of state[h] * last[h], modulo 2**64
 *
 * With random keys two given texts agree in a half with a probability below 2**-60, and in both with its square
 * (theorems on NH, Toeplitz shifts and polynomials in those papers). The keys are outputs of SplitMix64 here, so the
 * bound does not cover texts chosen to collide. */
#ifndef W7_BATCH_TEXT_KEY_H
#define W7_BATCH_TEXT_KEY_H

#include <string.h>

#include "batch/uint128.h"
#include "_util/cpu.h"
#include "board/kernel/bits.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

enum {
    W7_TEXT_KEY_PAIRS = 128,
    W7_TEXT_KEY_BLOCK = 8 * W7_TEXT_KEY_PAIRS,
    W7_TEXT_KEY_MULTIPLIERS = W7_TEXT_KEY_PAIRS + 3,
    W7_TEXT_KEY_LASTS = W7_TEXT_KEY_MULTIPLIERS + 4
};

/* Number i is w7_zobrist_key(3, 1, i): the keys of pairs, the first one in the low half; low and high word of each
 * multiplier, without its highest two bits; each `last`, of which the lowest bit is set. */
static const uint64_t W7_TEXT_KEYS[W7_TEXT_KEY_LASTS + 2] = {
    0x280565CFCC58C8A4u, 0x0F6418ED8CD7C05Fu, 0xA38DDFB74CE6B667u, 0x43384E462F4B86AFu, 0x762866FC9FA7F0D9u,
    0xC079151E52C0D246u, 0x75795D8C48091DA6u, 0x4D19855C38DB6C26u, 0x8B517D3C85632A01u, 0x07417445B5E7F205u,
    0xFA66C00001FDBE53u, 0xF4B681E6EA7B997Cu, 0x1E2A0BA8467DF992u, 0x19C6F73ED12076C8u, 0x71FBA7F1A8749BD3u,
    0x49B48D880F51FF2Bu, 0xD7A9D2768866133Du, 0xEFC316A076EF0D53u, 0xB407D08E56F04991u, 0x34C396442DE80070u,
    0x182C9EEF1F1B6932u, 0x1F04F4EB3A0ACFADu, 0xA90269C168939DB4u, 0xA5BD11FADD530975u, 0x3BA959678949E2C9u,
    0x1E4A8690B4F70D23u, 0x89E87533A80F19DBu, 0xF30B72986E70EF1Du, 0xFB4F289C9AC4A846u, 0xE71B20EAF7F40E0Eu,
    0x06F36B3EF8A322EEu, 0xCA24FEA00E07CE7Fu, 0x8CE15E295080897Cu, 0x5AE3D39FC942FA6Bu, 0xD981167F253FDBC9u,
    0x7479F6E4197DB9AEu, 0x2F3BF36ABE88D5E4u, 0xE54F3EB0EA203EF4u, 0xC73F3856933D00E5u, 0x413EF920B7578526u,
    0x197A0970E2E7A84Eu, 0x6D90AE98E5C97551u, 0x5F042A758F518C16u, 0xBD5AA2B60028F608u, 0x55178B35A87F1495u,
    0xBFF17F1276D4DCA9u, 0x07BE2C4B9A39A505u, 0xC361FB2C4BED5709u, 0xF8B65764E8ECA781u, 0xD3283A0BD106B6F8u,
    0x2BC150376A83341Du, 0x626D3C4B209243B7u, 0x1162747DBF61AFCBu, 0xB7188F51DD7CEAC1u, 0x4E4FD1AD6D936CF3u,
    0x94D838ED3FFD9681u, 0xF13F2C72DC61823Fu, 0xC167CF674F85EEA7u, 0x050F4A98D31E9113u, 0x65C1AA69E3175C10u,
    0x79C7A94935584D22u, 0x6964D82EF8E8BF89u, 0x001FD58C84C7FBC5u, 0x935BD8B82A78A904u, 0xE5C3C61A787D2211u,
    0x1E3B9535E1251C24u, 0x7CFCF5AF2D491DDCu, 0x64826B50E4852434u, 0xAC8500C2A1E7228Eu, 0x84054CC6CFD60977u,
    0xE6B7850DEEC86813u, 0x32D72F2D5705105Eu, 0xB13A3EC1BBB917B1u, 0xBD7BF7F5844A8432u, 0x751A95B9F7C8F537u,
    0x074BAB4485CA8F9Eu, 0x82BAE52B7486DE79u, 0xFB45CC597323B40Eu, 0x5D807E0A22B50A80u, 0x6C08B5602F9745ACu,
    0xFF7B476DBD35CE7Bu, 0x9FF5AF8CF83DDCC3u, 0x6C65DF889A946664u, 0xDAFEC34D3A5F6FE6u, 0x001118C2BCE9661Eu,
    0x9229CC0D32496498u, 0x0B2F61BE5AEF6181u, 0xE74563E0D34BBD4Eu, 0xA0C5DE83F8B575F0u, 0x169D7F2067A66AE3u,
    0x971BDE748CF8865Eu, 0x8791D4F4BAFCBE74u, 0xD1029F5DF5D6248Cu, 0x415CCB0C96077C26u, 0x3FFC1FBC7584C0CEu,
    0x5A6C50256C94DE03u, 0x1DDD6D5CBB2AFC23u, 0x227C315076F9D8E4u, 0xE946045663A9E45Cu, 0x726B006B7C8CFEEEu,
    0x106A510FAB09D173u, 0xB57CE7A75442016Du, 0xF2804A3A10CC49A3u, 0x5300FBF1F2362F07u, 0x41890EC2F581A92Cu,
    0x83BEEE1727BBD0ABu, 0x98B1EAD71AA3315Cu, 0x1E390997F58AF602u, 0x8E2F5D8A2B449949u, 0xEA817624072035BCu,
    0xDA0FB1F26B5C9E85u, 0x17BFAB9093CD1A22u, 0xB22D0ADAE4476DC9u, 0x06C0D56274552BAEu, 0x62BF6A83661CD813u,
    0x90C8D3910463B40Du, 0xC5C5E7862952C3DDu, 0xE5227D8CC2927018u, 0x1706920B9204E404u, 0x549BFD0067A11D42u,
    0xF0CAF6C2011482AAu, 0x8E7A72AF30164F3Bu, 0xF514817714824DF6u, 0xD361B2CB6F49319Au, 0x79CAFF4F5B43CD2Du,
    0xF9AC947BD85AB274u, 0x4CC1D58DDDBD485Au, 0xBE2BD969F1F76984u, 0x3E0F778B29AAA195u, 0x0C82107B6E24A0B5u,
    0x5C4B1BF4830EE5DCu, 0x49EFD37DE8FE9B1Eu, 0x20D15648C13875ECu, 0x93C4677155E20C95u, 0x3D7A831EBECFC567u,
    0xA8CC4007D964D2C7u, 0x8BDB083FA39C04E9u};

static inline uint64_t w7_text_pair(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static inline void w7_text_key_sums(const uint8_t *block, uint64_t sums[4])
{
    for (int t = 0; t < 4; t++)
        sums[t] = 0;
    for (int i = 0; i < W7_TEXT_KEY_PAIRS; i++) {
        const uint64_t pair = w7_text_pair(block + 8 * i);
        const uint32_t left = (uint32_t)pair, right = (uint32_t)(pair >> 32);
        for (int t = 0; t < 4; t++) {
            const uint64_t key = W7_TEXT_KEYS[i + t];
            sums[t] += (uint64_t)(uint32_t)(left + (uint32_t)key) * (uint32_t)(right + (uint32_t)(key >> 32));
        }
    }
}

#ifdef W7_WITH_X86_ISAS

static W7_TARGET_AVX512BW void w7_text_key_sums_avx512(const uint8_t *block, uint64_t sums[4])
{
    __m512i all[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int i = 0; i < W7_TEXT_KEY_PAIRS; i += 8) {
        const __m512i pairs = _mm512_loadu_si512(block + 8 * i);
        for (int t = 0; t < 4; t++) {
            const __m512i both = _mm512_add_epi32(pairs, _mm512_loadu_si512(W7_TEXT_KEYS + i + t));
            all[t] = _mm512_add_epi64(all[t], _mm512_mul_epu32(both, _mm512_srli_epi64(both, 32)));
        }
    }
    for (int t = 0; t < 4; t++)
        sums[t] = (uint64_t)_mm512_reduce_add_epi64(all[t]);
}

static W7_TARGET_AVX2 void w7_text_key_sums_avx2(const uint8_t *block, uint64_t sums[4])
{
    __m256i all[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int i = 0; i < W7_TEXT_KEY_PAIRS; i += 4) {
        const __m256i pairs = _mm256_loadu_si256((const __m256i *)(block + 8 * i));
        for (int t = 0; t < 4; t++) {
            const __m256i keys = _mm256_loadu_si256((const __m256i *)(W7_TEXT_KEYS + i + t));
            const __m256i both = _mm256_add_epi32(pairs, keys);
            all[t] = _mm256_add_epi64(all[t], _mm256_mul_epu32(both, _mm256_srli_epi64(both, 32)));
        }
    }
    for (int t = 0; t < 4; t++) {
        uint64_t words[4];
        _mm256_storeu_si256((__m256i *)words, all[t]);
        sums[t] = words[0] + words[1] + words[2] + words[3];
    }
}

#endif

static W7_NOINLINE w7_u128 w7_text_key_step(w7_u128 state, int half, uint64_t low, uint64_t high)
{
    const uint64_t *multiplier = W7_TEXT_KEYS + W7_TEXT_KEY_MULTIPLIERS + 2 * half;
    const w7_u128 factor = {multiplier[0], multiplier[1] & (UINT64_MAX >> 2)}, more = {low, high};
    const w7_u128 product = w7_u128_product_folded(state, factor);
    return w7_u128_folded(w7_u128_folded(w7_u128_sum(product, w7_u128_folded(more))));
}

static inline void w7_text_key_add(w7_u128 states[2], const uint8_t *block, int isa)
{
    uint64_t sums[4];
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX512BW)
        w7_text_key_sums_avx512(block, sums);
    else if (isa == W7_ISA_AVX2)
        w7_text_key_sums_avx2(block, sums);
    else
#endif
        w7_text_key_sums(block, sums);
    (void)isa;
    for (int half = 0; half < 2; half++)
        states[half] = w7_text_key_step(states[half], half, sums[2 * half], sums[2 * half + 1]);
}

static inline void w7_text_key(const uint8_t *text, int64_t size, int isa, uint64_t key[2])
{
    w7_u128 states[2] = {{0, 0}, {0, 0}};
    int64_t done = 0;
    for (; size - done >= W7_TEXT_KEY_BLOCK; done += W7_TEXT_KEY_BLOCK)
        w7_text_key_add(states, text + done, isa);
    if (done < size) {
        uint8_t block[W7_TEXT_KEY_BLOCK] = {0};
        memcpy(block, text + done, (size_t)(size - done));
        w7_text_key_add(states, block, isa);
    }
    for (int half = 0; half < 2; half++) {
        const uint64_t last = W7_TEXT_KEYS[W7_TEXT_KEY_LASTS + half] | 1;
        w7_u128 state = w7_text_key_step(states[half], half, (uint64_t)size + 1, 0);
        if (state.low == UINT64_MAX && state.high == UINT64_MAX >> 1) /* the other way to write 0 */
            state.low = state.high = 0;
        key[half] = state.low + state.high * last;
    }
}

#endif

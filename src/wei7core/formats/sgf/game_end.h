/* The end of a game: parentheses counted outside values, 64 bytes at a time if the processor compares many at once. */
#ifndef W7_FORMATS_SGF_GAME_END_H
#define W7_FORMATS_SGF_GAME_END_H

#include "formats/sgf/values.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#define W7_SGF_WITH_WINDOWS 1
#endif

enum { W7_SGF_WINDOW = 64 };

/* How far a game has been followed, all of it as UTF-8. */
typedef struct {
    const uint8_t *p;     /* what precedes it is done */
    const uint8_t *sound; /* what precedes it is whole characters */
    const uint8_t *end;   /* of the text */
    int64_t depth;
    int in_value;
    int escaped; /* inside a value, after a backslash that counts */
} w7_sgf_scan;

/* Takes the parenthesis at p, which is outside values. Returns the end of the game where that is it, else NULL. */
static inline const uint8_t *w7_sgf_parenthesis(w7_sgf_scan *scan, const uint8_t *p)
{
    if (*p == ')')
        return --scan->depth == 0 ? p + 1 : NULL;
    if (w7_sgf_is_new_game(p, scan->end))
        return p;
    scan->depth++;
    return NULL;
}

/* Follows the game up to `limit`, byte by byte. Returns its end or NULL. */
static inline const uint8_t *w7_sgf_scan_bytes(w7_sgf_scan *scan, const uint8_t *limit)
{
    const uint8_t *p = scan->p, *close;
    for (scan->p = limit; p < limit; p++) {
        if (scan->in_value) {
            if (scan->escaped)
                scan->escaped = 0;
            else if (*p == '\\')
                scan->escaped = 1;
            else
                scan->in_value = *p != ']';
            continue;
        }
        /* Most of all text is bare moves. */
        while (limit - p > 6 && p[0] == ';' && p[2] == '[' && p[5] == ']' && w7_sgf_is_letter(p[1]) &&
               w7_sgf_is_letter(p[3]) && w7_sgf_is_letter(p[4]) && p[6] == ';')
            p += 6;
        scan->in_value = *p == '[';
        if (*p != '(' && *p != ')')
            continue;
        close = w7_sgf_parenthesis(scan, p);
        if (close != NULL)
            return close;
    }
    return NULL;
}

/* Whether the game is whole characters up to `limit`, which may cut one in two unless `is_end`. */
static inline int w7_sgf_is_sound(w7_sgf_scan *scan, const uint8_t *limit, int is_end)
{
    if (scan->sound < limit)
        scan->sound = w7_sgf_pass_utf8(scan->sound, limit);
    return limit - scan->sound <= (is_end ? 0 : 3);
}

#ifdef W7_SGF_WITH_WINDOWS

/* A bit for each byte of a window. */
typedef struct {
    uint64_t opens;       /* [ */
    uint64_t closes;      /* ] */
    uint64_t escapes;     /* a backslash */
    uint64_t parentheses; /* ( and ) */
    uint64_t highs;       /* beyond ASCII */
} w7_sgf_window;

/* Puts a bit for each of 16 bytes before those of the bytes that follow them. */
static inline void w7_sgf_put_bits(uint64_t *bits, __m128i bytes)
{
    *bits = *bits << 16 | (uint64_t)(uint32_t)_mm_movemask_epi8(bytes);
}

static inline w7_sgf_window w7_sgf_window_at(const uint8_t *p)
{
    w7_sgf_window window = {0, 0, 0, 0, 0};
    for (int k = W7_SGF_WINDOW - 16; k >= 0; k -= 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + k));
        /* ( and ) differ in the last bit alone. */
        const __m128i odd = _mm_or_si128(bytes, _mm_set1_epi8(1));
        w7_sgf_put_bits(&window.opens, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('[')));
        w7_sgf_put_bits(&window.closes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(']')));
        w7_sgf_put_bits(&window.escapes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        w7_sgf_put_bits(&window.parentheses, _mm_cmpeq_epi8(odd, _mm_set1_epi8(')')));
        w7_sgf_put_bits(&window.highs, bytes);
    }
    return window;
}

/* Whether the window at p has no parenthesis, no backslash and nothing beyond ASCII, as most have, and a bracket near its
 * end, which decides whether that is in a value. */
static inline int w7_sgf_pass_window(const uint8_t *p, int *in_value)
{
    __m128i others = _mm_setzero_si128(), bytes = others;
    int opens, closes;
    for (int k = 0; k < W7_SGF_WINDOW; k += 16) {
        bytes = _mm_loadu_si128((const __m128i *)(p + k));
        others = _mm_or_si128(others, _mm_or_si128(bytes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
        others = _mm_or_si128(others, _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(')')));
    }
    opens = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('[')));
    closes = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(']')));
    if (_mm_movemask_epi8(others) != 0 || opens == closes)
        return 0;
    *in_value = opens > closes;
    return 1;
}

/* Whether a place is in a value: the last bracket before it decides, where none is escaped. */
static inline int w7_sgf_is_in_value(const w7_sgf_window *window, uint64_t before, int in_value)
{
    const uint64_t opens = window->opens & before, closes = window->closes & before;
    return opens > closes || (opens == closes && in_value);
}

/* Drops the brackets of the window at scan->p that are escaped, by backslashes that are in values. */
static inline void w7_sgf_drop_escaped(w7_sgf_scan *scan, w7_sgf_window *window)
{
    uint64_t escaped = (uint64_t)scan->escaped, escapes = window->escapes & ~escaped;
    scan->escaped = 0;
    for (;;) {
        const uint64_t escape = escapes & (0 - escapes);
        window->opens &= ~escaped;
        window->closes &= ~escaped;
        if (escape == 0)
            return;
        escaped = 0;
        if (w7_sgf_is_in_value(window, escape - 1, scan->in_value)) {
            escaped = escape << 1;
            scan->escaped = escaped == 0;
        }
        escapes &= ~(escape | escaped);
    }
}

/* Follows the game through the window at scan->p. Returns its end or NULL. */
static inline const uint8_t *w7_sgf_scan_window(w7_sgf_scan *scan, w7_sgf_window *window)
{
    const uint8_t *p = scan->p, *close;
    if (window->escapes | (uint64_t)scan->escaped)
        w7_sgf_drop_escaped(scan, window);
    scan->p = p + W7_SGF_WINDOW;
    for (uint64_t rest = window->parentheses; rest != 0; rest &= rest - 1) {
        if (w7_sgf_is_in_value(window, (rest & (0 - rest)) - 1, scan->in_value))
            continue;
        close = w7_sgf_parenthesis(scan, p + __builtin_ctzll(rest));
        if (close != NULL)
            return close;
    }
    scan->in_value = w7_sgf_is_in_value(window, UINT64_MAX, scan->in_value);
    return NULL;
}

#endif

/* Finds the end of the game at `start` and sets *close: after its last `)`, or where another game begins inside it;
 * NULL where `limit` comes before. Returns 0, and *close is of no use, where the game up to there is no UTF-8 and
 * `is_utf8` asks for it. */
static inline int w7_sgf_game_end_at(const uint8_t *start, const uint8_t *limit, const uint8_t *end, int is_utf8,
                                     const uint8_t **close)
{
    w7_sgf_scan scan = {start + 1, start + 1, end, 1, 0, 0};
    *close = NULL;
#ifdef W7_SGF_WITH_WINDOWS
    while (limit - scan.p >= W7_SGF_WINDOW) {
        const uint8_t *p = scan.p;
        w7_sgf_window window;
        if (!scan.escaped && (scan.sound == p || !is_utf8) && w7_sgf_pass_window(p, &scan.in_value)) {
            scan.p += W7_SGF_WINDOW;
            scan.sound = scan.sound == p ? scan.p : scan.sound;
            continue;
        }
        window = w7_sgf_window_at(p);
        *close = w7_sgf_scan_window(&scan, &window);
        if (window.highs == 0 && scan.sound == p)
            scan.sound = p + W7_SGF_WINDOW;
        else if (is_utf8 && !w7_sgf_is_sound(&scan, *close == NULL ? scan.p : *close, *close != NULL))
            return 0;
        if (*close != NULL)
            return 1;
    }
#endif
    while (*close == NULL && scan.p < limit) {
        const uint8_t *next = limit - scan.p > W7_SGF_WINDOW ? scan.p + W7_SGF_WINDOW : limit;
        *close = w7_sgf_scan_bytes(&scan, next);
        if (is_utf8 && !w7_sgf_is_sound(&scan, *close == NULL ? next : *close, *close != NULL))
            return 0;
    }
    return *close != NULL || !is_utf8 || w7_sgf_is_sound(&scan, end, 1);
}

/* The same where the game is to be UTF-8 and may go on to the end of the text. */
static inline int w7_sgf_game_end_of_utf8(const uint8_t *start, const uint8_t *end, const uint8_t **close)
{
    return w7_sgf_game_end_at(start, end, end, 1, close);
}

#endif

/* Detection of the encoding of a text: the characters of its bytes in each encoding, and their likelihood.
 *
 * The tables are made in charset_tables.py. They hold, for each encoding of East Asia, what a byte from 80 on is alone,
 * and with each byte after it: the likelihood of the character in a record of Go, W7_CHARSET_LEAD or W7_CHARSET_NONE.
 * No Python. */
#ifndef W7_FORMATS_SGF_CHARSET_H
#define W7_FORMATS_SGF_CHARSET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
    W7_CHARSET_UTF8,
    W7_CHARSET_GB18030,
    W7_CHARSET_BIG5,
    W7_CHARSET_CP932,
    W7_CHARSET_EUC_JP,
    W7_CHARSET_CP949,
    W7_CHARSET_CP1251,
    W7_CHARSET_CP1252,
    W7_CHARSET_COUNT, /* of those that are guessed; the others of one byte follow, then those of pairs */
    W7_CHARSET_JOHAB = W7_CHARSET_COUNT + 65,
    W7_CHARSET_EUC_JIS_2004,
    W7_CHARSET_EUC_JISX0213,
    W7_CHARSET_ALL,
    W7_CHARSET_WIDE = 250 /* UTF-16 or UTF-32 by name */
} w7_charset;

/* Names of encodings follow the tables: letters and digits in lower case, then the number of the encoding. After them the
 * tables of the encodings that are not guessed, first those of one byte. */
enum { W7_CHARSET_NAME_BYTES = 24, W7_CHARSET_NAMES = 416, W7_CHARSET_LONGEST_NAME = 64 };

enum {
    W7_CHARSET_NONE = 255,  /* no character */
    W7_CHARSET_LEAD = 254,  /* the first byte of a character of several */
    W7_CHARSET_LETTER = 1,  /* in the tables of the encodings of one byte */
    W7_CHARSET_CAPITAL = 2, /* a Cyrillic one; small ones are W7_CHARSET_LETTER */
    W7_CHARSET_STRANGE = 3, /* what no word of Cyrillic letters has: a symbol that is no punctuation */
    W7_CHARSET_PAIRS = 128, /* after so many single bytes, the pairs of one encoding begin */
    W7_CHARSET_TABLE = 128 + 128 * 256,
    W7_CHARSET_LETTERS = 5 * W7_CHARSET_TABLE, /* where those of one byte begin, 128 bytes each */
    W7_CHARSET_TABLES = W7_CHARSET_LETTERS + 2 * 128,
    W7_CHARSET_SINGLES = W7_CHARSET_TABLES + W7_CHARSET_NAMES * W7_CHARSET_NAME_BYTES,
    W7_CHARSET_OTHER_PAIRS = W7_CHARSET_SINGLES + 128 * (W7_CHARSET_JOHAB - W7_CHARSET_COUNT),
    W7_CHARSET_WHOLE = W7_CHARSET_OTHER_PAIRS + (W7_CHARSET_ALL - W7_CHARSET_JOHAB) * W7_CHARSET_TABLE,
    W7_CHARSET_HEAD = 16,     /* characters of which half are UTF-8 wherever most are */
    W7_CHARSET_LONG = 8,      /* characters with more weight than words */
    W7_CHARSET_DIFFERENT = 5, /* bytes that are more than the accents of a few names */
    W7_CHARSET_SYLLABLES = 3, /* syllables that are Korean rather than characters of Chinese */
    W7_CHARSET_SAMPLE = 4096  /* characters by which an encoding is guessed */
};

/* What an encoding makes of a text. */
typedef struct {
    int64_t likelihood; /* of all characters beyond ASCII, in hundredths */
    int64_t characters; /* beyond ASCII, with those that are none */
    int64_t bad;        /* bytes or sequences that are no character */
    int64_t first_bad;  /* offset, -1: there is none */
    int64_t high;       /* bytes beyond ASCII */
    int64_t long_ones;  /* characters of three bytes and more, of UTF-8 alone */
    int64_t good_bytes; /* of characters of several bytes, of UTF-8 alone */
} w7_charset_reading;

/* The first byte beyond ASCII at p or after it. */
static inline const uint8_t *w7_charset_pass_ascii(const uint8_t *p, const uint8_t *end)
{
    if (p < end && *p >= 0x80) /* as after most characters beyond ASCII */
        return p;
    for (; end - p >= 16; p += 16) {
        uint64_t words[2];
        memcpy(words, p, sizeof words);
        if (((words[0] | words[1]) & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    while (p < end && *p < 0x80)
        p++;
    return p;
}

/* The end of the last character beyond ASCII of a text, or one byte more; `begin` where there is none. */
static inline const uint8_t *w7_charset_end_of_high(const uint8_t *begin, const uint8_t *end)
{
    const uint8_t *p = end;
    for (; p - begin >= 16; p -= 16) {
        uint64_t words[2];
        memcpy(words, p - 16, sizeof words);
        if (((words[0] | words[1]) & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    while (p > begin && p[-1] < 0x80)
        p--;
    return p > begin && p < end ? p + 1 : p;
}

/* Bytes of the UTF-8 character at p, negative for those of a sequence that breaks off or begins none. */
static inline int w7_charset_utf8_size(const uint8_t *p, const uint8_t *end)
{
    const int size = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
    const uint8_t least = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
    const uint8_t most = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
    for (int k = 1; k < size; k++)
        if (end - p <= k || p[k] < (k == 1 ? least : 0x80) || p[k] > (k == 1 ? most : 0xBF))
            return -k;
    return size == 0 ? -1 : size;
}

/* Bytes of the character of GB18030 at p that has four; 0 where it has none. */
static inline int w7_charset_four(const uint8_t *p, const uint8_t *end)
{
    int32_t number;
    if (end - p < 4 || p[1] < 0x30 || p[1] > 0x39 || p[2] < 0x81 || p[2] > 0xFE || p[3] < 0x30 || p[3] > 0x39)
        return 0;
    number = (((p[0] - 0x81) * 10 + p[1] - 0x30) * 126 + p[2] - 0x81) * 10 + p[3] - 0x30;
    return number < 39420 || (number >= 189000 && number < 189000 + 0x100000) ? 4 : 0;
}

/* Bytes of the character at p, which is beyond ASCII, negative where it is none; *score is how likely it is. */
static inline int w7_charset_size(const uint8_t *tables, w7_charset charset, const uint8_t *p, const uint8_t *end,
                                  int *score)
{
    const uint8_t *table;
    *score = 0;
    if (charset == W7_CHARSET_UTF8)
        return w7_charset_utf8_size(p, end);
    if (charset >= W7_CHARSET_CP1251 && charset < W7_CHARSET_JOHAB) {
        table = charset < W7_CHARSET_COUNT ? tables + W7_CHARSET_LETTERS + 128 * (size_t)(charset - W7_CHARSET_CP1251)
                                           : tables + W7_CHARSET_SINGLES + 128 * (size_t)(charset - W7_CHARSET_COUNT);
        return table[*p & 0x7F] == W7_CHARSET_NONE ? -1 : 1;
    }
    table = charset < W7_CHARSET_COUNT
                ? tables + (size_t)(charset - 1) * W7_CHARSET_TABLE
                : tables + W7_CHARSET_OTHER_PAIRS + (size_t)(charset - W7_CHARSET_JOHAB) * W7_CHARSET_TABLE;
    *score = table[*p & 0x7F];
    if (*score == W7_CHARSET_LEAD && end - p > 1) {
        *score = table[W7_CHARSET_PAIRS + 256 * (*p & 0x7F) + p[1]];
        if (*score != W7_CHARSET_NONE)
            return 2;
        *score = 0;
        if (charset == W7_CHARSET_GB18030 && w7_charset_four(p, end))
            return 4;
        return (charset == W7_CHARSET_EUC_JP || charset > W7_CHARSET_JOHAB) && *p == 0x8F && end - p > 2 &&
                       p[1] >= 0xA1 && p[1] < 0xFF && p[2] >= 0xA1 && p[2] < 0xFF
                   ? 3
                   : -1;
    }
    if (*score < W7_CHARSET_LEAD)
        return 1;
    *score = 0;
    return -1;
}

/* Reads `most` characters of a text at most. */
static inline void w7_charset_read(const uint8_t *tables, w7_charset charset, const uint8_t *begin, const uint8_t *end,
                                   int64_t most, w7_charset_reading *reading)
{
    const uint8_t *p = begin;
    w7_charset_reading found; /* which is in registers */
    memset(&found, 0, sizeof found);
    found.first_bad = -1;
    while ((p = w7_charset_pass_ascii(p, end)) < end && found.characters < most) {
        int score, size = w7_charset_size(tables, charset, p, end, &score);
        found.characters++;
        found.likelihood += score;
        if (size < 0) {
            found.first_bad = found.first_bad < 0 ? p - begin : found.first_bad;
            found.bad++;
            size = -size;
        } else {
            found.long_ones += size > 2;
            found.good_bytes += size;
        }
        for (; size > 0; size--)
            found.high += *p++ >= 0x80;
    }
    *reading = found;
}

/* Whether all bytes of a text are of characters. */
static inline int w7_charset_reads(const uint8_t *tables, w7_charset charset, const uint8_t *begin, const uint8_t *end)
{
    w7_charset_reading reading;
    w7_charset_read(tables, charset, begin, end, INT64_MAX, &reading);
    return reading.bad == 0;
}

/* Adds what one word of letters is worth: accents are few among letters of ASCII; Cyrillic fills words, capitals first. */
static inline void w7_charset_add_word(w7_charset charset, const int64_t kinds[4], int64_t later_capitals, int64_t size,
                                       w7_charset_reading *reading)
{
    const int64_t letters = kinds[W7_CHARSET_LETTER] + kinds[W7_CHARSET_CAPITAL];
    const int is_word = kinds[W7_CHARSET_STRANGE] == 0 && (later_capitals == 0 || letters == kinds[W7_CHARSET_CAPITAL]);
    if (charset == W7_CHARSET_CP1252)
        reading->likelihood += letters * (size <= 2 ? 90 : 10);
    else if (size > 1)
        reading->likelihood += letters * (is_word ? 85 : 10);
}

/* The same for the encodings of one byte, with how likely their words are. */
static inline void w7_charset_read_words(const uint8_t *tables, w7_charset charset, const uint8_t *p,
                                         const uint8_t *end, int64_t most, w7_charset_reading *reading)
{
    const uint8_t *table = tables + W7_CHARSET_LETTERS + 128 * (charset - W7_CHARSET_CP1251);
    memset(reading, 0, sizeof *reading);
    while ((p = w7_charset_pass_ascii(p, end)) < end && reading->characters < most) {
        int64_t kinds[4] = {0, 0, 0, 0}, later = 0, size = 0;
        for (; p < end && *p >= 0x80 && reading->characters < most; p++, size++) {
            const int kind = table[*p & 0x7F];
            reading->characters++;
            reading->bad += kind == W7_CHARSET_NONE;
            kinds[kind & 3] += kind != W7_CHARSET_NONE;
            later += kind == W7_CHARSET_CAPITAL && size > 0;
        }
        w7_charset_add_word(charset, kinds, later, size, reading);
    }
}

/* How sure it is that a text is UTF-8 with some damage: 2 nothing else looks so, 1 a guess does not count against it.
 * Sets *reading, to that of the first characters alone where most of them are none. */
static inline int w7_charset_is_nearly_utf8(const uint8_t *begin, const uint8_t *end, w7_charset_reading *reading)
{
    int64_t good, high;
    w7_charset_read(NULL, W7_CHARSET_UTF8, begin, end, W7_CHARSET_HEAD, reading);
    if (reading->bad * 2 > W7_CHARSET_HEAD)
        return 0;
    if (reading->characters == W7_CHARSET_HEAD)
        w7_charset_read(NULL, W7_CHARSET_UTF8, begin, end, INT64_MAX, reading);
    good = reading->good_bytes;
    high = reading->high;
    if ((reading->long_ones >= 4 && good * 10 >= high * 8) ||
        (reading->characters - reading->bad >= 8 && good * 10 >= high * 9))
        return 2;
    return reading->long_ones >= 2 && good * 10 >= high * 7;
}

/* Whether nearly all of a text can be read so: a few bytes may be damaged. */
static inline int w7_charset_fits(const w7_charset_reading *reading)
{
    return reading->bad * 20 <= reading->high;
}

/* The encoding in which the characters of a text are likeliest, W7_CHARSET_UTF8 where none fits. *is_doubtful: another
 * one is nearly as likely. */
static inline w7_charset w7_charset_guess(const uint8_t *tables, const uint8_t *begin, const uint8_t *end,
                                          int *is_doubtful)
{
    w7_charset best = W7_CHARSET_UTF8;
    double first = 0, second = 0;
    for (int k = W7_CHARSET_GB18030; k < W7_CHARSET_COUNT; k++) {
        w7_charset_reading reading;
        double score;
        if (k < W7_CHARSET_CP1251)
            w7_charset_read(tables, (w7_charset)k, begin, end, W7_CHARSET_SAMPLE, &reading);
        else
            w7_charset_read_words(tables, (w7_charset)k, begin, end, W7_CHARSET_SAMPLE, &reading);
        if (reading.characters == 0 || reading.bad * 20 > reading.characters)
            continue;
        score = (double)reading.likelihood / (double)reading.characters;
        /* The syllables of Korean are as many as the common characters of Chinese, in half as many rows: what keeps to
         * these rows for three characters and more is rather Korean. */
        if (k == W7_CHARSET_CP949 && reading.characters >= W7_CHARSET_SYLLABLES)
            score *= 1.25;
        if (score > first) {
            second = first;
            first = score;
            best = (w7_charset)k;
        } else if (score > second) {
            second = score;
        }
    }
    *is_doubtful = second > 0.9 * first;
    return best;
}

/* How second bytes that are of ASCII are to be paired (w7_sgf_lexer.double_byte). */
static inline int w7_charset_double_byte(w7_charset charset)
{
    return charset == W7_CHARSET_CP932
               ? 2
               : charset == W7_CHARSET_GB18030 || charset == W7_CHARSET_BIG5 || charset == W7_CHARSET_JOHAB;
}

/* The order of evidence is that of EVIDENCE in charset.py. */
enum {
    W7_EVIDENCE_UTF8,
    W7_EVIDENCE_GUESSED,
    W7_EVIDENCE_ASKED,
    W7_EVIDENCE_NOTHING,
    W7_EVIDENCE_ZEROS,
    W7_EVIDENCE_NEARLY_UTF8,
    W7_EVIDENCE_DOUBTFUL
};

typedef struct {
    w7_charset charset;
    int is_named;        /* named by the record */
    int evidence;        /* else why it is taken */
    int64_t undecodable; /* offset of the first bytes that are no character, -1: there are none */
} w7_charset_choice;

/* Whether a text that is UTF-8 is rather in the encoding of East Asia that the record names: both take two bytes for each
 * character, as they do for some names of two characters in GB 2312, and no letter of ASCII is next to one. */
static inline int w7_charset_is_pairs_of(const uint8_t *tables, int declared, const uint8_t *begin, const uint8_t *end)
{
    const uint8_t *p = begin;
    if (declared < W7_CHARSET_GB18030 || declared > W7_CHARSET_CP949)
        return 0;
    while ((p = w7_charset_pass_ascii(p, end)) < end) {
        int score;
        if (p > begin && (p[-1] | 0x20) >= 'a' && (p[-1] | 0x20) <= 'z')
            return 0;
        for (; p < end && *p >= 0x80; p += 2)
            if (w7_charset_utf8_size(p, end) != 2 || w7_charset_size(tables, (w7_charset)declared, p, end, &score) != 2)
                return 0;
        if (p < end && (*p | 0x20) >= 'a' && (*p | 0x20) <= 'z')
            return 0;
    }
    return 1;
}

/* Whether a text has what no text of Latin letters has: many different bytes beyond ASCII, nearly all of them three and
 * more in a row, or, where second bytes may be of ASCII, most of them no letters in the encodings of Western Europe. */
static inline int w7_charset_is_no_latin(const uint8_t *p, const uint8_t *end)
{
    int64_t bytes = 0, few = 0, symbols = 0;
    uint8_t has[128] = {0};
    int different = 0;
    while ((p = w7_charset_pass_ascii(p, end)) < end && bytes < W7_CHARSET_SAMPLE) {
        int64_t size = 0;
        for (; p < end && *p >= 0x80; p++, size++) {
            different += !has[*p & 0x7F];
            symbols += *p < 0xC0;
            has[*p & 0x7F] = 1;
        }
        bytes += size;
        few += size <= 2 ? size : 0;
    }
    return bytes >= W7_CHARSET_LONG && different >= W7_CHARSET_DIFFERENT && (few * 4 <= bytes || symbols * 2 > bytes);
}

/* Whether a text that can be read in the encoding that the record names is in another one all the same: no byte is damaged
 * in that, and its characters are far likelier. An encoding of one byte, which has a letter for each, does not contradict
 * one of pairs that lacks a byte. */
static inline int w7_charset_is_contradicted(const uint8_t *tables, w7_charset declared, const uint8_t *begin,
                                             const uint8_t *end, const w7_charset_reading *as_named)
{
    w7_charset_reading reading;
    w7_charset other;
    int is_doubtful;
    if (declared == W7_CHARSET_CP1252 ? !w7_charset_is_no_latin(begin, end)
                                      : as_named->bad == 0 || as_named->characters < 2 * W7_CHARSET_LONG)
        return 0;
    other = w7_charset_guess(tables, begin, end, &is_doubtful);
    if (other == declared || other == W7_CHARSET_UTF8 || other == W7_CHARSET_CP1252)
        return 0;
    if (is_doubtful && declared != W7_CHARSET_CP1252) /* what is no Latin is none, whichever of two others it is */
        return 0;
    w7_charset_read(tables, other, begin, end, INT64_MAX, &reading);
    if (reading.bad > 0 || declared == W7_CHARSET_CP1252)
        return reading.bad == 0;
    return other < W7_CHARSET_CP1251 && (double)reading.likelihood / (double)reading.characters >
                                            1.5 * (double)as_named->likelihood / (double)as_named->characters;
}

/* Chooses the encoding of a text with bytes beyond ASCII: `declared` is the one that the record names, `wanted` the one
 * that the user asks for, -1 where there is none. */
static inline void w7_charset_choose(const uint8_t *tables, const uint8_t *begin, const uint8_t *end, int is_utf8,
                                     int declared, int wanted, w7_charset_choice *choice)
{
    w7_charset_reading utf8, reading;
    int nearly, is_doubtful;
    choice->charset = W7_CHARSET_UTF8;
    if (is_utf8) {
        choice->is_named = declared == W7_CHARSET_UTF8;
        choice->evidence = W7_EVIDENCE_UTF8;
        choice->undecodable = -1;
        if (w7_charset_is_pairs_of(tables, declared, begin, end)) {
            choice->charset = (w7_charset)declared;
            choice->is_named = 1;
        }
        return;
    }
    nearly = w7_charset_is_nearly_utf8(begin, end, &utf8);
    choice->is_named = declared == W7_CHARSET_UTF8;
    choice->evidence = W7_EVIDENCE_NEARLY_UTF8;
    choice->undecodable = utf8.first_bad;
    if (nearly == 2 || (declared == W7_CHARSET_UTF8 && w7_charset_fits(&utf8)))
        return;
    choice->is_named = 0;
    if (declared > W7_CHARSET_UTF8) {
        w7_charset_read(tables, (w7_charset)declared, begin, end, INT64_MAX, &reading);
        choice->is_named = w7_charset_fits(&reading) &&
                           !w7_charset_is_contradicted(tables, (w7_charset)declared, begin, end, &reading);
    }
    if (choice->is_named) {
        choice->charset = (w7_charset)declared;
    } else if (wanted >= 0) {
        choice->charset = (w7_charset)wanted;
        choice->evidence = W7_EVIDENCE_ASKED;
    } else if (nearly) {
        return;
    } else {
        choice->charset = w7_charset_guess(tables, begin, end, &is_doubtful);
        choice->evidence = choice->charset == W7_CHARSET_UTF8 ? W7_EVIDENCE_NOTHING
                           : is_doubtful                      ? W7_EVIDENCE_DOUBTFUL
                                                              : W7_EVIDENCE_GUESSED;
        if (choice->charset == W7_CHARSET_UTF8)
            choice->charset = W7_CHARSET_CP1252;
    }
    if (!choice->is_named)
        w7_charset_read(tables, choice->charset, begin, end, INT64_MAX, &reading);
    choice->undecodable = reading.first_bad;
}

#endif

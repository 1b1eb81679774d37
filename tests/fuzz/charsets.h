/* Tables of encodings as charset.h describes them, made without Python: which bytes are characters is nearly as in the
 * encodings that they are named after, how likely they are is any number. What is claimed holds for all tables. */
#ifndef CHARSETS_H
#define CHARSETS_H

#include "target.h"

#include "formats/sgf/charset.h"

BEGIN_UNGUIDED

static int is_alone(int charset, int byte)
{
    return byte == 0x80 || byte == 0xFF || (charset == W7_CHARSET_CP932 && byte >= 0xA0 && byte < 0xE0);
}

static uint8_t score_of_pair(int charset, int lead, int trail)
{
    const int least = charset == W7_CHARSET_EUC_JP ? 0xA1 : charset == W7_CHARSET_CP949 ? 0x41 : 0x40;
    if (is_alone(charset, lead) || trail < least || trail == 0x7F || trail == 0xFF || lead % 32 == trail % 32)
        return W7_CHARSET_NONE;
    return (uint8_t)((lead * 31 + trail * 7 + charset * 13) % 151);
}

static void name_charset(uint8_t *row, const char *name, int number)
{
    memset(row, 0, W7_CHARSET_NAME_BYTES);
    memcpy(row, name, strlen(name));
    row[W7_CHARSET_NAME_BYTES - 1] = (uint8_t)number;
}

static const uint8_t *some_charsets(void)
{
    static const char *const names[W7_CHARSET_COUNT] = {"utf8",  "gbk",   "big5",   "sjis",
                                                        "eucjp", "euckr", "cp1251", "latin1"};
    static uint8_t tables[W7_CHARSET_WHOLE];
    if (tables[W7_CHARSET_TABLES] != 0)
        return tables;
    for (int k = W7_CHARSET_GB18030; k < W7_CHARSET_CP1251; k++) {
        uint8_t *table = tables + (k - 1) * W7_CHARSET_TABLE;
        for (int lead = 0x80; lead < 0x100; lead++) {
            table[lead - 0x80] = !is_alone(k, lead) ? W7_CHARSET_LEAD : lead == 0xFF ? W7_CHARSET_NONE : 20;
            for (int trail = 0; trail < 0x100; trail++)
                table[W7_CHARSET_PAIRS + 256 * (lead - 0x80) + trail] = score_of_pair(k, lead, trail);
        }
    }
    for (int k = 0; k < 2 * 128; k++)
        tables[W7_CHARSET_LETTERS + k] = k % 31 == 0 ? W7_CHARSET_NONE : (uint8_t)(k / 8 % 4);
    memset(tables + W7_CHARSET_TABLES, 0xFF, W7_CHARSET_NAMES * W7_CHARSET_NAME_BYTES);
    for (int k = 0; k < W7_CHARSET_COUNT; k++)
        name_charset(tables + W7_CHARSET_TABLES + k * W7_CHARSET_NAME_BYTES, names[k], k);
    for (int k = 0; k < W7_CHARSET_OTHER_PAIRS - W7_CHARSET_SINGLES; k++)
        tables[W7_CHARSET_SINGLES + k] = k % 29 == 0 ? W7_CHARSET_NONE : 0;
    for (int k = 0; k < W7_CHARSET_ALL - W7_CHARSET_JOHAB; k++)
        memcpy(tables + W7_CHARSET_OTHER_PAIRS + k * W7_CHARSET_TABLE, tables + (k + 1) * W7_CHARSET_TABLE,
               W7_CHARSET_TABLE);
    name_charset(tables + W7_CHARSET_TABLES + 8 * W7_CHARSET_NAME_BYTES, "koi8r", W7_CHARSET_COUNT + 5);
    name_charset(tables + W7_CHARSET_TABLES + 9 * W7_CHARSET_NAME_BYTES, "johab", W7_CHARSET_JOHAB);
    name_charset(tables + W7_CHARSET_TABLES + 10 * W7_CHARSET_NAME_BYTES, "utf16", W7_CHARSET_WIDE);
    return tables;
}

/* What is chosen for a text, whatever it names and whatever is asked for. */
static void check_choice(const uint8_t *text, int64_t size, int declared, int wanted)
{
    w7_charset_choice choice;
    w7_charset_choose(some_charsets(), text, text + size, 0, declared, wanted, &choice);
    require(choice.charset >= W7_CHARSET_UTF8 && choice.charset < W7_CHARSET_ALL, "the choice is an encoding");
    require(!choice.is_named || (int)choice.charset == declared, "what is named is what the record declares");
    require(choice.is_named || (choice.evidence > W7_EVIDENCE_UTF8 && choice.evidence <= W7_EVIDENCE_DOUBTFUL),
            "a choice that is not named has its evidence");
    require(choice.undecodable >= -1 && choice.undecodable < size, "what is undecodable is a byte of the text");
    require(choice.undecodable < 0 || text[choice.undecodable] >= 0x80, "a byte of ASCII is a character");
}

END_UNGUIDED

#endif

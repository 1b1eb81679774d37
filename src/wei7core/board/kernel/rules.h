/* Rule sets beyond the rules of the board, and their verdicts. */
#ifndef W7_BOARD_KERNEL_RULES_H
#define W7_BOARD_KERNEL_RULES_H

#include <stdint.h>

/* The forbidden repetitions. The numbers are those of wei7core.rules.Ko. */
typedef enum {
    W7_KO_NONE = 0,    /* anything may */
    W7_KO_SIMPLE,      /* by a ko recapture, the position of two moves before */
    W7_KO_POSITIONAL,  /* any earlier position */
    W7_KO_SITUATIONAL, /* such a position with the same player to move next */
    W7_KO_NATURAL      /* a position that the same player made before, with a stone */
} w7_ko_rule;

typedef struct {
    uint8_t ko;      /* w7_ko_rule */
    uint8_t suicide; /* allowed */
} w7_rules;

/* The first that applies to a move, except for a point off the board, which precedes all. The numbers are those of
 * wei7core.rules.Verdict. */
typedef enum {
    W7_LEGAL = 0,
    W7_POINT_OCCUPIED,
    W7_SUICIDE,
    W7_KO_RECAPTURE,
    W7_POSITIONAL_REPEAT,
    W7_SITUATIONAL_REPEAT,
    W7_NATURAL_REPEAT,
    W7_POINT_OFF_BOARD
} w7_verdict;

/* The verdict of a superko rule on a repetition. */
static inline w7_verdict w7_verdict_of_repeat(int ko)
{
    return (w7_verdict)(W7_POSITIONAL_REPEAT + (ko - W7_KO_POSITIONAL));
}

#endif

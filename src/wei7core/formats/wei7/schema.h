/* What the wei7 3.0 format names: places and members.
 *
 * The places are the rows of CONSTRUCTS in wei7_places.py; a test holds the two together. */
#ifndef W7_FORMATS_WEI7_SCHEMA_H
#define W7_FORMATS_WEI7_SCHEMA_H

#include "record/problem_codes.h"

enum w7_place {
    W7_AT_TEXT,
    W7_AT_ROOT,
    W7_AT_FORMAT,
    W7_AT_VERSION,
    W7_AT_SIZE,
    W7_AT_SIDE,
    W7_AT_INFO,
    W7_AT_INFO_TEXT,
    W7_AT_RULES,
    W7_AT_SCORING,
    W7_AT_KOMI,
    W7_AT_RULES_TYPE,
    W7_AT_INFO_TIME,
    W7_AT_INFO_PLACE,
    W7_AT_PARTICIPANTS,
    W7_AT_PARTICIPANT,
    W7_AT_PARTICIPANT_TEXT,
    W7_AT_PLAYERS,
    W7_AT_PLAYER,
    W7_AT_PLAYER_PARTICIPANT,
    W7_AT_PLAYER_COLOR,
    W7_AT_INFO_RESULT,
    W7_AT_WINNER,
    W7_AT_MARGIN,
    W7_AT_TREE,
    W7_AT_TITLE,
    W7_AT_PRE,
    W7_AT_STONES,
    W7_AT_STONE,
    W7_AT_STONE_COLOR,
    W7_AT_SETUP,
    W7_AT_SETUP_ORDER,
    W7_AT_PROBLEM,
    W7_AT_PROBLEM_COLOR,
    W7_AT_PROBLEM_NESTED,
    W7_AT_PRE_MARKS,
    W7_AT_PRE_COMMENT,
    W7_AT_STEPS,
    W7_AT_STEP,
    W7_AT_STEP_TIME,
    W7_AT_TIME_ORDER,
    W7_AT_ACTION,
    W7_AT_ACTION_TYPE,
    W7_AT_ACTOR,
    W7_AT_STEP_MARKS,
    W7_AT_STEP_COMMENT,
    W7_AT_MOVE,
    W7_AT_MOVE_COLOR,
    W7_AT_MOVE_POINT,
    W7_AT_EVALUATION,
    W7_AT_MOVE_PROBLEM,
    W7_AT_TAKEBACK,
    W7_AT_RESULT,
    W7_AT_MARK_ACTION,
    W7_AT_MESSAGE,
    W7_AT_MARK,
    W7_AT_SYMBOL,
    W7_AT_POINT,
    W7_AT_COORDINATE,
    W7_AT_BRANCHES,
    W7_AT_GO,
    W7_PLACE_COUNT
};

/* Every member name of the format, once. */
enum w7_name {
    W7_N_ACTION,
    W7_N_ACTOR,
    W7_N_BRANCHES,
    W7_N_COLOR,
    W7_N_COMMENT,
    W7_N_DOMAIN,
    W7_N_EVALUATION,
    W7_N_FORMAT,
    W7_N_HEIGHT,
    W7_N_ID,
    W7_N_INFO,
    W7_N_KOMI,
    W7_N_MARGIN,
    W7_N_MARKS,
    W7_N_NAME,
    W7_N_PARTICIPANT,
    W7_N_PARTICIPANTS,
    W7_N_PLACE,
    W7_N_PLAYERS,
    W7_N_POINT,
    W7_N_PRE,
    W7_N_PROBLEM,
    W7_N_RANK,
    W7_N_RESULT,
    W7_N_RULES,
    W7_N_SCORING,
    W7_N_SIZE,
    W7_N_STEPS,
    W7_N_STONES,
    W7_N_SYMBOL,
    W7_N_TIME,
    W7_N_TITLE,
    W7_N_TREE,
    W7_N_TYPE,
    W7_N_VALUE,
    W7_N_VERSION,
    W7_N_WIDTH,
    W7_N_WINNER,
    W7_N_X,
    W7_N_Y,
    W7_NAME_COUNT
};

static const char *const W7_NAMES[W7_NAME_COUNT] = {
    "action", "actor",   "branches", "color",  "comment", "domain",      "evaluation",   "format", "height",  "id",
    "info",   "komi",    "margin",   "marks",  "name",    "participant", "participants", "place",  "players", "point",
    "pre",    "problem", "rank",     "result", "rules",   "scoring",     "size",         "steps",  "stones",  "symbol",
    "time",   "title",   "tree",     "type",   "value",   "version",     "width",        "winner", "x",       "y",
};

/* The same names with the quote that ends them, in rows of one block (bytes.h), and their lengths without it. */
enum { W7_NAME_ROOM = 16 };

static const char W7_QUOTED_NAMES[W7_NAME_COUNT][W7_NAME_ROOM] = {
    "action\"",       "actor\"",   "branches\"", "color\"",   "comment\"", "domain\"",  "evaluation\"", "format\"",
    "height\"",       "id\"",      "info\"",     "komi\"",    "margin\"",  "marks\"",   "name\"",       "participant\"",
    "participants\"", "place\"",   "players\"",  "point\"",   "pre\"",     "problem\"", "rank\"",       "result\"",
    "rules\"",        "scoring\"", "size\"",     "steps\"",   "stones\"",  "symbol\"",  "time\"",       "title\"",
    "tree\"",         "type\"",    "value\"",    "version\"", "width\"",   "winner\"",  "x\"",          "y\"",
};

static const uint8_t W7_NAME_LENGTHS[W7_NAME_COUNT] = {
    6, 5, 8, 5, 7, 6, 10, 6, 6, 2, 4, 4, 6, 5, 4, 11, 12, 5, 7, 5,
    3, 7, 4, 6, 5, 7, 4,  5, 6, 6, 4, 5, 4, 4, 5, 7,  5,  6, 1, 1,
};

#define W7_BIT(name) ((uint64_t)1 << (name))

/* The first name that starts with each letter or a later one: the names are in order. */
static const uint8_t W7_FIRST_NAME[27] = {
    W7_N_ACTION,      W7_N_BRANCHES,    W7_N_COLOR, W7_N_DOMAIN, W7_N_EVALUATION, W7_N_FORMAT,   W7_N_HEIGHT,
    W7_N_HEIGHT,      W7_N_ID,          W7_N_KOMI,  W7_N_KOMI,   W7_N_MARGIN,     W7_N_MARGIN,   W7_N_NAME,
    W7_N_PARTICIPANT, W7_N_PARTICIPANT, W7_N_RANK,  W7_N_RANK,   W7_N_SCORING,    W7_N_TIME,     W7_N_VALUE,
    W7_N_VALUE,       W7_N_WIDTH,       W7_N_X,     W7_N_Y,      W7_NAME_COUNT,   W7_NAME_COUNT,
};

/* The members an object may have and must have, as sets of names. */
typedef struct {
    uint64_t allowed;
    uint64_t required;
    int place;
} w7_object_rule;

#define W7_RULE(name, place, allowed, required)                                                                        \
    static const w7_object_rule name = {(allowed) | (required), (required), place}

W7_RULE(W7_ROOT_RULE, W7_AT_ROOT, W7_BIT(W7_N_SIZE) | W7_BIT(W7_N_INFO),
        W7_BIT(W7_N_FORMAT) | W7_BIT(W7_N_VERSION) | W7_BIT(W7_N_TREE));
W7_RULE(W7_SIZE_RULE, W7_AT_SIZE, 0, W7_BIT(W7_N_WIDTH) | W7_BIT(W7_N_HEIGHT));
W7_RULE(W7_INFO_RULE, W7_AT_INFO,
        W7_BIT(W7_N_DOMAIN) | W7_BIT(W7_N_ID) | W7_BIT(W7_N_NAME) | W7_BIT(W7_N_RULES) | W7_BIT(W7_N_TIME) |
            W7_BIT(W7_N_PLACE) | W7_BIT(W7_N_PARTICIPANTS) | W7_BIT(W7_N_PLAYERS) | W7_BIT(W7_N_RESULT),
        0);
W7_RULE(W7_RULES_RULE, W7_AT_RULES, W7_BIT(W7_N_SCORING) | W7_BIT(W7_N_KOMI) | W7_BIT(W7_N_TYPE), 0);
W7_RULE(W7_PARTICIPANT_RULE, W7_AT_PARTICIPANT,
        W7_BIT(W7_N_DOMAIN) | W7_BIT(W7_N_ID) | W7_BIT(W7_N_NAME) | W7_BIT(W7_N_TITLE) | W7_BIT(W7_N_RANK), 0);
W7_RULE(W7_PLAYER_RULE, W7_AT_PLAYER, W7_BIT(W7_N_COLOR), W7_BIT(W7_N_PARTICIPANT));
W7_RULE(W7_INFO_RESULT_RULE, W7_AT_INFO_RESULT, W7_BIT(W7_N_MARGIN), W7_BIT(W7_N_WINNER));
W7_RULE(W7_RESULT_RULE, W7_AT_RESULT, W7_BIT(W7_N_MARGIN), W7_BIT(W7_N_WINNER));
W7_RULE(W7_TREE_RULE, W7_AT_TREE, W7_BIT(W7_N_TITLE) | W7_BIT(W7_N_PRE) | W7_BIT(W7_N_STEPS) | W7_BIT(W7_N_BRANCHES),
        0);
W7_RULE(W7_PRE_RULE, W7_AT_PRE, W7_BIT(W7_N_STONES) | W7_BIT(W7_N_PROBLEM) | W7_BIT(W7_N_MARKS) | W7_BIT(W7_N_COMMENT),
        0);
W7_RULE(W7_STONE_RULE, W7_AT_STONE, 0, W7_BIT(W7_N_COLOR) | W7_BIT(W7_N_POINT));
W7_RULE(W7_PROBLEM_RULE, W7_AT_PROBLEM, 0, W7_BIT(W7_N_COLOR));
W7_RULE(W7_STEP_RULE, W7_AT_STEP, W7_BIT(W7_N_TIME) | W7_BIT(W7_N_ACTOR) | W7_BIT(W7_N_MARKS) | W7_BIT(W7_N_COMMENT),
        W7_BIT(W7_N_ACTION));
W7_RULE(W7_ACTION_RULE, W7_AT_ACTION, 0, W7_BIT(W7_N_TYPE) | W7_BIT(W7_N_VALUE));
W7_RULE(W7_MOVE_RULE, W7_AT_MOVE, W7_BIT(W7_N_EVALUATION), W7_BIT(W7_N_COLOR) | W7_BIT(W7_N_POINT));
W7_RULE(W7_MOVE_RULE_REVISION_2, W7_AT_MOVE, W7_BIT(W7_N_EVALUATION) | W7_BIT(W7_N_PROBLEM),
        W7_BIT(W7_N_COLOR) | W7_BIT(W7_N_POINT));
W7_RULE(W7_MOVE_PROBLEM_RULE, W7_AT_MOVE_PROBLEM, 0, W7_BIT(W7_N_COLOR));
W7_RULE(W7_MARK_RULE, W7_AT_MARK, 0, W7_BIT(W7_N_POINT) | W7_BIT(W7_N_SYMBOL));
W7_RULE(W7_POINT_RULE, W7_AT_POINT, 0, W7_BIT(W7_N_X) | W7_BIT(W7_N_Y));

#endif

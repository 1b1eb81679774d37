/* Reading `size` and `info`. Of info only what other clauses look at is held (participants,
 * players, the result); the rest stays in the text. */
#ifndef W7_FORMATS_WEI7_INFO_H
#define W7_FORMATS_WEI7_INFO_H

#include "formats/wei7/speculate.h"

/* One element of `players`, held until the participants are counted. */
typedef struct {
    int64_t offset; /* of the player */
    int64_t participant_offset;
    int32_t participant;
    uint8_t color;
} w7_player;

W7_TABLE(w7_players, w7_player);

typedef struct {
    int64_t size_offset; /* of the value of size, or of the root where size is absent */
    w7_players players;
    int has_result;
    w7_result result;
} w7_info;

static inline int w7_read_size(w7_reader *reader, w7_info *info)
{
    w7_record *record = reader->record;
    int status = W7_GOOD;
    int32_t width = 0, height = 0;

    info->size_offset = w7_at(reader, reader->p);
    if (w7_peek(reader) == '{') {
        w7_members members = w7_members_of(reader, &W7_SIZE_RULE);
        int name;
        record->size_form = W7_SIZE_OBJECT;
        while ((name = w7_next_known_member(reader, &members, W7_OWNER_ROOT, 0, W7_INSIDE_SIZE)) != W7_MEMBERS_END) {
            if (name == W7_MEMBERS_STOPPED)
                return W7_STOPPED;
            if (w7_read_integer(reader, W7_AT_SIDE, 1, W7_BOARD_SIZE_UNSUPPORTED,
                                name == W7_N_WIDTH ? &width : &height) == W7_STOPPED)
                return W7_STOPPED;
        }
        status = width > 0 && height > 0 ? W7_GOOD : W7_BAD;
    } else {
        record->size_form = W7_SIZE_INTEGER;
        status = w7_read_integer(reader, W7_AT_SIZE, 1, W7_BOARD_SIZE_UNSUPPORTED, &width);
        height = width;
    }
    if (status == W7_GOOD) {
        record->width = width;
        record->height = height;
    } else if (status == W7_BAD) {
        record->width = record->height = 0; /* not known: no point can be judged, no move replayed */
    }
    return status;
}

/* Adds a value of the header, from offset `begin` up to the reader. */
static inline int w7_add_header_value(w7_reader *reader, int place, int name, int64_t index, int64_t begin)
{
    w7_header_values *values = &reader->record->header;
    w7_header_value *value;
    if (name < 0 || index > W7_MOST_HEADER_OBJECTS) /* one more marks that there are more */
        return W7_GOOD;
    if (W7_TABLE_RESERVE_ONE(values) != 0)
        return w7_out_of_memory(reader);
    value = &values->at[values->count++];
    value->value.begin = begin;
    value->value.end = w7_at(reader, reader->p);
    value->index = (int32_t)index;
    value->place = (uint16_t)place;
    value->name = (uint16_t)name;
    return W7_GOOD;
}

static inline int w7_read_rules(w7_reader *reader)
{
    static const char *const SCORINGS[] = {"area", "territory", NULL};
    static const char *const TYPES[] = {"Chinese", "Japanese", "Korean", NULL};
    w7_members members;
    w7_span span;
    int index;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_RULES);
    members = w7_members_of(reader, &W7_RULES_RULE);
    for (;;) {
        int status, name = w7_next_member(reader, &members);
        int64_t value = w7_at(reader, reader->p);
        switch (name) {
        case W7_MEMBERS_END: return W7_GOOD;
        case W7_MEMBERS_STOPPED: return W7_STOPPED;
        case W7_MEMBERS_UNKNOWN: status = w7_pass_value(reader) ? W7_GOOD : W7_STOPPED; break;
        case W7_N_SCORING: status = w7_read_word(reader, W7_AT_SCORING, SCORINGS, &index); break;
        case W7_N_KOMI: status = w7_read_points(reader, W7_AT_KOMI, 10, 1, &span); break;
        default: status = w7_read_word(reader, W7_AT_RULES_TYPE, TYPES, &index); break;
        }
        if (status == W7_STOPPED || !w7_add_header_value(reader, W7_AT_RULES, name, 0, value))
            return W7_STOPPED;
    }
}

static inline int w7_read_participant(w7_reader *reader)
{
    const int64_t index = reader->record->participant_count;
    w7_members members;
    if (!w7_add_header_value(reader, W7_AT_PARTICIPANTS, W7_N_PARTICIPANT, index, w7_at(reader, reader->p)))
        return W7_STOPPED;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_PARTICIPANT);
    members = w7_members_of(reader, &W7_PARTICIPANT_RULE);
    for (;;) {
        int status, name = w7_next_member(reader, &members);
        int64_t value = w7_at(reader, reader->p);
        if (name == W7_MEMBERS_END)
            return W7_GOOD;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN)
            status = w7_pass_value(reader) ? W7_GOOD : W7_STOPPED;
        else
            status = w7_read_short_string(reader, W7_AT_PARTICIPANT_TEXT);
        if (status == W7_STOPPED || !w7_add_header_value(reader, W7_AT_PARTICIPANT, name, index, value))
            return W7_STOPPED;
    }
}

static inline int w7_read_participants(w7_reader *reader)
{
    w7_elements elements = {0};
    int more;
    if (w7_peek(reader) != '[')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_PARTICIPANTS);
    while ((more = w7_next_element(reader, &elements)) > 0) {
        if (w7_read_participant(reader) == W7_STOPPED)
            return W7_STOPPED;
        reader->record->participant_count++;
    }
    return more < 0 ? W7_STOPPED : W7_GOOD;
}

static inline int w7_read_player(w7_reader *reader, w7_info *info, int64_t index)
{
    w7_player player = {w7_at(reader, reader->p), -1, -1, 0};
    w7_members members;
    if (!w7_add_header_value(reader, W7_AT_PLAYERS, W7_N_PLAYERS, index, player.offset))
        return W7_STOPPED;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_PLAYER);
    members = w7_members_of(reader, &W7_PLAYER_RULE);
    for (;;) {
        int status, name = w7_next_member(reader, &members);
        int64_t value = w7_at(reader, reader->p);
        if (name == W7_MEMBERS_END)
            break;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN) {
            status = w7_pass_value(reader) ? W7_GOOD : W7_STOPPED;
        } else if (name == W7_N_PARTICIPANT) {
            player.participant_offset = value;
            status = w7_read_integer(reader, W7_AT_PLAYER_PARTICIPANT, 0, W7_PARTICIPANT_INDEX, &player.participant);
        } else {
            status = w7_read_color(reader, W7_AT_PLAYER_COLOR, &player.color);
        }
        if (status == W7_STOPPED || !w7_add_header_value(reader, W7_AT_PLAYER, name, index, value))
            return W7_STOPPED;
    }
    if (player.participant < 0)
        return W7_BAD;
    if (W7_TABLE_RESERVE_ONE(&info->players) != 0)
        return w7_out_of_memory(reader);
    info->players.at[info->players.count++] = player;
    return W7_GOOD;
}

static inline int w7_read_players(w7_reader *reader, w7_info *info)
{
    w7_elements elements = {0};
    int64_t index = 0;
    int more;
    if (w7_peek(reader) != '[')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_PLAYERS);
    while ((more = w7_next_element(reader, &elements)) > 0) {
        if (w7_at_row_limit(reader, info->players.count))
            return W7_STOPPED;
        if (w7_read_player(reader, info, index++) == W7_STOPPED)
            return W7_STOPPED;
    }
    return more < 0 ? W7_STOPPED : W7_GOOD;
}

static inline int w7_read_info(w7_reader *reader, w7_info *info)
{
    w7_members members;
    int64_t offset = w7_at(reader, reader->p);
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_INFO);
    members = w7_members_of(reader, &W7_INFO_RULE);
    for (;;) {
        int status, name = w7_next_member(reader, &members);
        int64_t value = w7_at(reader, reader->p);
        if (name == W7_MEMBERS_END)
            break;
        switch (name) {
        case W7_MEMBERS_STOPPED: return W7_STOPPED;
        case W7_MEMBERS_UNKNOWN: status = w7_pass_value(reader) ? W7_GOOD : W7_STOPPED; break;
        case W7_N_RULES: status = w7_read_rules(reader); break;
        case W7_N_TIME: status = w7_read_datetime(reader); break;
        case W7_N_PLACE: status = w7_read_short_string(reader, W7_AT_INFO_PLACE); break;
        case W7_N_PARTICIPANTS: status = w7_read_participants(reader); break;
        case W7_N_PLAYERS: status = w7_read_players(reader, info); break;
        case W7_N_RESULT:
            status = w7_read_result(reader, &W7_INFO_RESULT_RULE, -1, 0, &info->result);
            info->has_result = status == W7_GOOD;
            break;
        default: status = w7_read_short_string(reader, W7_AT_INFO_TEXT); break;
        }
        if (status == W7_STOPPED || !w7_add_header_value(reader, W7_AT_INFO, name, 0, value))
            return W7_STOPPED;
    }
    reader->record->info.begin = offset;
    reader->record->info.end = w7_at(reader, reader->p);
    return W7_GOOD;
}

#endif

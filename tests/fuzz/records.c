/* The targets of wei7 and of SGF in one program, since most of what is compiled is the same: its name says which it is. */
#define LLVMFuzzerTestOneInput test_wei7
#define by_offset by_offset_of_wei7
#define find_places find_places_of_wei7
#include "wei7.c"
#undef LLVMFuzzerTestOneInput
#undef by_offset
#undef find_places

int test_sgf(const uint8_t *data, size_t size);
#define LLVMFuzzerTestOneInput test_sgf
#include "sgf.c"
#undef LLVMFuzzerTestOneInput

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_sgf;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *name = (*arguments)[0], *end = strrchr(name, '/');
    name = end == NULL ? name : end + 1;
    is_sgf = strcmp(name, "sgf") == 0;
    require(*count > 0 && (is_sgf || strcmp(name, "wei7") == 0), "the program has the name of a target");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return is_sgf ? test_sgf(data, size) : test_wei7(data, size);
}

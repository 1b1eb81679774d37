/* Hands each file named on the command line to a target, in memory of exactly its size: for compilers without
 * libFuzzer. With HAS_NAMES the target is first told the name of the program. */
#include "target.h"

#ifdef HAS_NAMES
int LLVMFuzzerInitialize(int *count, char ***arguments);
#endif

int main(int count, char **names)
{
#ifdef HAS_NAMES
    LLVMFuzzerInitialize(&count, &names);
#endif
    for (int k = 1; k < count; k++) {
        FILE *file = fopen(names[k], "rb");
        uint8_t *data;
        long size;
        if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
            fprintf(stderr, "%s cannot be read\n", names[k]);
            return 2;
        }
        rewind(file);
        data = malloc(size > 0 ? (size_t)size : 1);
        if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
            fprintf(stderr, "%s cannot be read\n", names[k]);
            return 2;
        }
        fclose(file);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        free(data);
    }
    printf("%d inputs\n", count - 1);
    return 0;
}

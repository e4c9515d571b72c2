/* Shared by the native programs: clock and file reader. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef float vector __attribute__((vector_size(16)));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static uint32_t *readWords(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(1);
  fseek(file, 0, SEEK_END);
  *count = ftell(file) / 4;
  rewind(file);
  uint32_t *words = malloc(*count * 4);
  if (fread(words, 4, *count, file) != *count) exit(1);
  fclose(file);
  return words;
}

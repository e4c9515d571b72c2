/* Sums the rows of each node's neighbours, which are scattered in memory, in native code (bench/random-row-reads.ts).
 *
 *   gcc -O3 -march=native -pthread random-row-reads.c -o random-row-reads && ./random-row-reads rowStart columns WIDTH THREADS ROUNDS
 *
 * Prints the seconds of the faster of two versions, each the fastest of ROUNDS: plain, and with prefetch of the row that is
 * AHEAD entries later. */
#include <pthread.h>

#include "native.h"

enum { AHEAD = 16, MAX_THREADS = 64 };

static const uint32_t *start, *columns;
static float *x, *y;
static size_t numRows, numEntries;
static int width, threads, prefetch;

static void *sumRows(void *argument) {
  const size_t part = (size_t)argument;
  const size_t first = numRows * part / threads, last = numRows * (part + 1) / threads;
  for (size_t i = first; i < last; i++) {
    vector sum[32];
    for (int k = 0; k < 32; k++) sum[k] = (vector){0, 0, 0, 0};
    for (uint32_t e = start[i]; e < start[i + 1]; e++) {
      if (prefetch && e + AHEAD < numEntries) {
        const char *ahead = (const char *)(x + (size_t)columns[e + AHEAD] * width);
        for (int k = 0; k < 4 * width; k += 64) __builtin_prefetch(ahead + k);
      }
      const vector *row = (const vector *)(x + (size_t)columns[e] * width);
      for (int k = 0; k < 32; k++) sum[k] += row[k];
    }
    for (int k = 0; k < 32; k++) *(vector *)(y + i * width + 4 * k) = sum[k];
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  start = readWords(argv[1], &numRows);
  columns = readWords(argv[2], &numEntries);
  numRows--;
  width = atoi(argv[3]);
  threads = atoi(argv[4]);
  if (width != 128 || threads < 1 || threads > MAX_THREADS) return 2;
  x = aligned_alloc(64, numRows * width * 4);
  y = aligned_alloc(64, numRows * width * 4);
  for (size_t i = 0; i < numRows * width; i++) x[i] = i % 7, y[i] = 0;
  double best = 1e9;
  for (int r = 0; r < atoi(argv[5]); r++) {
    for (prefetch = 0; prefetch < 2; prefetch++) {
      pthread_t others[MAX_THREADS];
      const double begin = now();
      for (size_t t = 1; t < (size_t)threads; t++) pthread_create(&others[t], 0, sumRows, (void *)t);
      sumRows(0);
      for (int t = 1; t < threads; t++) pthread_join(others[t], 0);
      const double seconds = now() - begin;
      if (seconds < best) best = seconds;
    }
  }
  printf("%g\n", y[5] == 12345 ? 0 : best);
  return 0;
}

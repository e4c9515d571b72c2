/* Speed of native code on this machine with one thread, to compare with the kernels (bench/against-native.ts).
 *
 *   gcc -O3 -march=native native.c -o native && ./native rowStart columns ROWS WIDTH ROUNDS
 *
 * Prints JSON: seconds of a product of a 0/1 matrix (compressed rows, files of 32-bit unsigned integers) with a dense matrix,
 * computed in three ways (whole rows; tiles of 64 or 32 columns, each packed first), and multiply-adds per second in registers.
 * Each number is the fastest of ROUNDS. */
#include <string.h>

#include "native.h"

/* Sums of neighbours, T columns at a time in T/4 registers; rows are `stride` floats apart. */
#define PRODUCT(T)                                                                                                        \
  static void product##T(int rows, const uint32_t *restrict start, const uint32_t *restrict columns,                      \
                         const float *restrict x, size_t stride, float *restrict y, size_t out) {                         \
    for (int i = 0; i < rows; i++) {                                                                                      \
      vector sum[T / 4];                                                                                                  \
      _Pragma("GCC unroll 32") for (int k = 0; k < T / 4; k++) sum[k] = (vector){0, 0, 0, 0};                             \
      for (uint32_t e = start[i]; e < start[i + 1]; e++) {                                                                \
        const vector *restrict row = (const vector *)(x + columns[e] * stride);                                           \
        _Pragma("GCC unroll 32") for (int k = 0; k < T / 4; k++) sum[k] += row[k];                                        \
      }                                                                                                                   \
      _Pragma("GCC unroll 32") for (int k = 0; k < T / 4; k++) *(vector *)(y + i * out + 4 * k) = sum[k];                 \
    }                                                                                                                     \
  }
PRODUCT(32)
PRODUCT(64)
PRODUCT(128)

static void tiled(int tile, int rows, int width, const uint32_t *start, const uint32_t *columns, const float *x, float *y,
                  float *packed) {
  for (int k = 0; k < width; k += tile) {
    for (int i = 0; i < rows; i++) memcpy(packed + (size_t)i * tile, x + (size_t)i * width + k, tile * 4);
    if (tile == 32) product32(rows, start, columns, packed, tile, y + k, width);
    else product64(rows, start, columns, packed, tile, y + k, width);
  }
}

/* u += a·v, v -= a·u on ten pairs of registers: the peak rate of multiply-adds. */
static double peak(long count) {
  vector u[10], v[10], a = {0.5f, 0.5f, 0.5f, 0.5f};
  for (int i = 0; i < 10; i++) u[i] = v[i] = (vector){i, 1, 2, 3};
  const double begin = now();
  for (long c = 0; c < count; c++) {
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++) u[i] += a * v[i];
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++) v[i] -= a * u[i];
  }
  const double seconds = now() - begin;
  vector sum = u[0];
  for (int i = 0; i < 10; i++) sum += u[i] + v[i];
  if (sum[0] == 12345) printf(" ");
  return count * 20.0 * 4 / seconds;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  size_t n;
  const uint32_t *start = readWords(argv[1], &n), *columns = readWords(argv[2], &n);
  const int rows = atoi(argv[3]), width = atoi(argv[4]), rounds = atoi(argv[5]);
  if (width != 128) return 2;
  float *x = aligned_alloc(64, (size_t)rows * width * 4), *y = aligned_alloc(64, (size_t)rows * width * 4);
  float *packed = aligned_alloc(64, (size_t)rows * 64 * 4);
  for (size_t i = 0; i < (size_t)rows * width; i++) x[i] = i % 7;
  double whole = 1e9, wide = 1e9, narrow = 1e9, fastest = 0;
  for (int r = 0; r < rounds; r++) {
    double begin = now();
    product128(rows, start, columns, x, width, y, width);
    double a = now();
    tiled(64, rows, width, start, columns, x, y, packed);
    double b = now();
    tiled(32, rows, width, start, columns, x, y, packed);
    double c = now();
    if (a - begin < whole) whole = a - begin;
    if (b - a < wide) wide = b - a;
    if (c - b < narrow) narrow = c - b;
    double rate = peak(400000);
    if (rate > fastest) fastest = rate;
  }
  printf("{\"whole\": %g, \"tiles64\": %g, \"tiles32\": %g, \"multiplyAdds\": %g, \"check\": %g}\n", whole, wide, narrow, fastest, y[7]);
  return 0;
}

"""Exact nearest neighbours by numpy: X @ X.T in blocks, argpartition, sort. Reads float32 vectors of length one.

    python3 bench/neighbors.py FILE NODES DIM QUERIES K

prints the seconds of QUERIES evenly spaced queries, the seconds of processor time, and the version of numpy. Threads:
OPENBLAS_NUM_THREADS.
"""

import sys
import time

import numpy

path, nodes, dim, queries, k = sys.argv[1], *map(int, sys.argv[2:])
x = numpy.fromfile(path, numpy.float32).reshape(nodes, dim)
own = numpy.linspace(0, nodes - 1, queries).astype(int)
BLOCK = 256
begin, used = time.perf_counter(), time.process_time()
for start in range(0, queries, BLOCK):
    rows = own[start : start + BLOCK]
    scores = x[rows] @ x.T
    scores[numpy.arange(len(rows)), rows] = -2
    best = numpy.argpartition(scores, nodes - k, axis=1)[:, nodes - k :]
    order = numpy.argsort(-numpy.take_along_axis(scores, best, axis=1), axis=1)
    numpy.take_along_axis(best, order, axis=1)
print(time.perf_counter() - begin, time.process_time() - used, numpy.__version__)

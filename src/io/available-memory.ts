/** Determines the available memory. */

import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";

/** Bytes that this process can use now without swapping; respects the limit of a container. */
export function availableBytes(): number {
  const limit = process.constrainedMemory?.() || Infinity;
  const withinLimit = limit > totalmem() ? Infinity : limit - process.memoryUsage.rss();
  return Math.min(withinLimit, machineBytes());
}

function machineBytes(): number {
  if (process.platform === "linux") {
    try {
      const match = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "utf8"));
      if (match !== null) return Number(match[1]) * 1024;
    } catch {
      // Without /proc, freemem() is the best estimate.
    }
  }
  // On macOS, freemem() counts the file cache as used.
  return process.platform === "darwin" ? totalmem() : freemem();
}

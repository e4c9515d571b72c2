/** The memory this machine can give. */

import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";

/** Bytes a process can take now without pushing others out; the limit of a container counts too. */
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
      // no /proc here: the next best number
    }
  }
  // macOS counts its file cache as used
  return process.platform === "darwin" ? totalmem() : freemem();
}

/** The largest memory that this process has used. */

import { readFileSync } from "node:fs";

/**
 * Bytes of the peak. On Linux from /proc: the system call that other systems need also counts the process that started this one, until
 * it became this program.
 */
export function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // another system
  }
  return process.resourceUsage().maxRSS * 1024;
}

/** Progress of long work on standard error: a refreshed line on a terminal, otherwise a line now and then. */

import { formatCount, formatSeconds } from "../report/terminal.js";
import type { EpochReport } from "../train/run.js";
import { showsUnicode, terminalColumns } from "./output.js";

/** Between two lines without a terminal. */
const LINE_SECONDS = 10;
/** Between two refreshes on a terminal. */
const REFRESH_SECONDS = 0.1;
/** Weight of the newest epoch in the smoothed seconds per epoch. */
const SMOOTHING = 0.1;

export interface ProgressBar {
  /** Steps done; `words` are asked for when they are shown, the most important first. */
  update(done: number, words: () => string[]): void;
  /** Clears the line, or prints the last one. */
  end(): void;
}

/** What is written without a terminal. */
export interface Lines {
  /** Seconds between two of them. */
  readonly seconds?: number;
  /** Whether the last step has one though it came before any other. */
  readonly last?: boolean;
}

/** A bar over `total` steps. */
export function showBar(
  total: number,
  quiet: boolean,
  { seconds = LINE_SECONDS, last = true }: Lines = {},
): ProgressBar {
  if (quiet) return { update: () => {}, end: () => {} };
  const terminal = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  const ascii = !showsUnicode();
  let shown = performance.now() / 1000 - (terminal ? REFRESH_SECONDS : 0);
  let latest: { done: number; words: () => string[] } | undefined;
  let printed = 0;

  const draw = (done: number, words: string[]) => {
    if (!terminal) {
      process.stderr.write(`${clean(words.join(", "))}\n`);
      printed = done;
      return;
    }
    const columns = terminalColumns(process.stderr) - 1;
    let parts = words;
    while (parts.length > 1 && parts.join("  ").length > columns) parts = parts.slice(0, -1);
    const text = parts.join("  ");
    const room = Math.min(30, columns - text.length - 3);
    const full = Math.round((done / total) * room);
    const bar = ascii ? `[${"#".repeat(full).padEnd(room, ".")}]` : `${"━".repeat(full)}${"─".repeat(room - full)} `;
    process.stderr.write(`\r\u001b[K${clean(room >= 8 ? `${bar} ${text}` : text)}`);
  };
  const clean = (text: string) => (ascii ? text.replace("≤", "at most") : text);

  return {
    update(done, words) {
      latest = { done, words };
      const now = performance.now() / 1000;
      if (now - shown < (terminal ? REFRESH_SECONDS : seconds)) return;
      shown = now;
      draw(done, words());
    },
    end() {
      if (terminal) process.stderr.write("\r\u001b[K");
      else if (latest !== undefined && latest.done > printed && (last || printed > 0))
        draw(latest.done, latest.words());
      latest = undefined;
    },
  };
}

export interface Progress {
  update(report: EpochReport): void;
  /** Clears the line, or prints the last one. */
  end(): void;
}

/** The progress of what comes before the training of a run: other trainings and steps of other work, each under its name. */
export function showParts(quiet: boolean, lines?: Lines) {
  let current: { readonly name: string; readonly progress: { end(): void } } | undefined;
  const end = () => {
    current?.progress.end();
    current = undefined;
  };
  const of = <T extends { end(): void }>(name: string, begin: () => T): T => {
    if (current?.name !== name) {
      end();
      current = { name, progress: begin() };
    }
    return current?.progress as T;
  };
  return {
    update(name: string, report: EpochReport, epochs: number): void {
      of(name, () => showProgress(epochs, quiet, name, lines)).update(report);
    },
    step(name: string, done: number, steps: number): void {
      of(name, () => showBar(steps, quiet, { ...lines, last: false })).update(done, () => [
        `${name}: step ${done}/${steps}`,
      ]);
    },
    end,
  };
}

/** The progress of a training; one of several has a name. */
export function showProgress(epochs: number, quiet: boolean, name?: string, lines?: Lines): Progress {
  const bar = showBar(epochs, quiet, lines);
  let perEpoch = 0;
  return {
    update(report) {
      perEpoch = perEpoch === 0 ? report.seconds : perEpoch + SMOOTHING * (report.seconds - perEpoch);
      bar.update(report.epoch, () => [
        `${name === undefined ? "" : `${name}: `}epoch ${report.epoch}/${epochs}`,
        `loss ${report.loss.toFixed(4)}`,
        ...(report.bestLoss < report.loss ? [`best ${report.bestLoss.toFixed(4)}`] : []),
        `${perEpoch > 0 ? rateText(1 / perEpoch) : "?"} epochs/s`,
        ...(report.epoch < epochs ? [`≤ ${formatSeconds((epochs - report.epoch) * perEpoch)} left`] : []),
      ]);
    },
    end: () => bar.end(),
  };
}

/** Three digits, whose number does not change from epoch to epoch; of thousands all. */
function rateText(perSecond: number): string {
  return perSecond < 999.5 ? perSecond.toPrecision(3) : formatCount(Math.round(perSecond));
}

/** Progress of long work on standard error: a refreshed line on a terminal, otherwise a line now and then. */

import { formatCount, formatLoss, formatSeconds } from "../../report/terminal.js";
import { clip, displayWidth, oneLine } from "../../report/text-width.js";
import type { EpochReport } from "../../train/run.js";
import { DEFAULT_COLUMNS, showsUnicode, writeError } from "./output.js";

/** Seconds between two lines without a terminal. */
const LINE_SECONDS = 10;
/** Seconds between two refreshes on a terminal. */
const REFRESH_SECONDS = 0.1;
/** Weight of the newest epoch in the smoothed seconds per epoch. */
const SMOOTHING = 0.1;

export interface ProgressBar {
  /** Steps done, or NaN for no bar; `words` is called when the line is drawn and returns the most important part first. */
  update(done: number, words: () => string[]): void;
  /** Clears the line, or prints the last one. */
  end(): void;
}

/** Terminal cells of a bar; if there is less room, no bar is drawn. */
const MIN_BAR = 8;
const MAX_BAR = 30;
/** Moves to the start of the line and clears it. */
const CLEAR_LINE = "\r\u001b[K";

/** One line of at most `columns` - 1 cells: on some terminals a cursor behind the last cell starts a new line. */
export function progressLine({
  done,
  total,
  words,
  columns,
  ascii,
}: {
  readonly done: number;
  readonly total: number;
  readonly words: readonly string[];
  readonly columns: number;
  readonly ascii: boolean;
}): string {
  const width = Math.max(0, columns - 1);
  let parts = words.map((word) => oneLine(ascii ? word.replace("≤", "at most") : word, ascii));
  while (parts.length > 1 && displayWidth(parts.join("  ")) > width) parts = parts.slice(0, -1);
  const text = clip(parts.join("  "), width, ascii);
  const cells = Math.min(MAX_BAR, width - displayWidth(text) - 3);
  if (!(cells >= MIN_BAR) || Number.isNaN(done)) return text;
  const share = Math.min(1, Math.max(0, done / total)) || 0; // 0 of 0 steps is NaN
  const full = Math.round(share * cells);
  const bar = ascii ? `[${"#".repeat(full).padEnd(cells, ".")}]` : `${"━".repeat(full)}${"─".repeat(cells - full)} `;
  return `${bar} ${text}`;
}

/** Lines that are written without a terminal. */
export interface Lines {
  /** Seconds between two of them. */
  readonly seconds?: number;
  /** Whether `end` prints a line even if none was printed before. */
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
  let broken = false;

  const draw = (done: number, words: () => string[]) => {
    // an error of the display must not end a run
    try {
      if (terminal) {
        const columns = process.stderr.columns || DEFAULT_COLUMNS;
        writeError(`${CLEAR_LINE}${progressLine({ done, total, words: words(), columns, ascii })}`);
      } else {
        writeError(
          `${oneLine(
            words()
              .join(", ")
              .replace("≤", ascii ? "at most" : "≤"),
          )}\n`,
        );
        printed = done;
      }
    } catch {
      broken = true;
    }
  };

  return {
    update(done, words) {
      if (broken) return;
      latest = { done, words };
      const now = performance.now() / 1000;
      if (now - shown < (terminal ? REFRESH_SECONDS : seconds)) return;
      shown = now;
      draw(done, words);
    },
    end() {
      if (terminal) writeError(CLEAR_LINE);
      else if (latest !== undefined && latest.done > printed && (last || printed > 0)) draw(latest.done, latest.words);
      latest = undefined;
    },
  };
}

export interface Progress {
  update(report: EpochReport): void;
  /** Clears the line, or prints the last one. */
  end(): void;
}

/** Progress of the work before a training: trainings of parts and steps of other work, each with its name. */
export function showParts(quiet: boolean, lines?: Lines) {
  let current: { readonly key: string; readonly progress: { end(): void } } | undefined;
  const end = () => {
    current?.progress.end();
    current = undefined;
  };
  const progressFor = <T extends { end(): void }>(key: string, begin: () => T): T => {
    if (current?.key !== key) {
      end();
      current = { key, progress: begin() };
    }
    return current?.progress as T;
  };
  return {
    update(name: string, report: EpochReport, epochs: number): void {
      progressFor(`training ${name}`, () => showProgress(epochs, quiet, name, lines)).update(report);
    },
    step(name: string, done: number, steps: number): void {
      progressFor(`steps ${name}`, () => showBar(steps, quiet, { ...lines, last: false })).update(done, () => [
        `${name}: step ${done}/${steps}`,
      ]);
    },
    end,
  };
}

/** Progress of a training; `name` distinguishes one of several. */
export function showProgress(epochs: number, quiet: boolean, name?: string, lines?: Lines): Progress {
  const bar = showBar(epochs, quiet, lines);
  let perEpoch = 0;
  return {
    update(report) {
      perEpoch = perEpoch === 0 ? report.seconds : perEpoch + SMOOTHING * (report.seconds - perEpoch);
      bar.update(report.epoch, () => [
        `${name === undefined ? "" : `${name}: `}epoch ${report.epoch}/${epochs}`,
        `loss ${formatLoss(report.loss)}`,
        ...(report.bestLoss < report.loss ? [`best ${formatLoss(report.bestLoss)}`] : []),
        `${perEpoch > 0 ? rateText(1 / perEpoch) : "?"} epochs/s`,
        ...(report.epoch < epochs ? [`≤ ${formatSeconds((epochs - report.epoch) * perEpoch)} left`] : []),
      ]);
    },
    end: () => bar.end(),
  };
}

/** Three digits below a thousand, so that the width does not change between epochs. */
function rateText(perSecond: number): string {
  return perSecond < 999.5 ? perSecond.toPrecision(3) : formatCount(Math.round(perSecond));
}

/** The sections left and right of the map. A visitor can close each one. A narrow page has them below the map, in one column. */

import { type Component, element } from "../dom.js";
import { CATEGORY_COLORS } from "../questions/palette.js";
import { isRecord } from "./state/state-check.js";

/** Pages up to this many pixels wide have one column; the same number is in style.css. */
const NARROW = "(max-width: 760px)";
/** Where the browser keeps which sections a visitor opened and closed. */
const KEY = "hmge-sections";

/**
 * A section that can be closed; the browser remembers whether it is. `isOptional`: on a narrow page, where it would be between the
 * visitor and the next sections, it is closed at first.
 */
export function createSection(title: string, { isOptional = false } = {}) {
  const content = element("div");
  const summary = element("summary", { class: "app-section-title" }, element("h2", {}, title));
  const root = element("details", { class: "app-section" }, summary, content);
  root.open = keptSections()[title] ?? !(isOptional && matchMedia(NARROW).matches);
  // the event "toggle" also comes when the page itself opens a section
  summary.addEventListener("click", () => keepSections({ ...keptSections(), [title]: !root.open }));
  return { root, content };
}

/** Puts `narrow` into the one column of a narrow page, and calls `placeWide` on a wide one; again whenever the width passes the limit. */
export function placeByWidth(column: HTMLElement, narrow: readonly HTMLElement[], placeWide: () => void): Component {
  const query = matchMedia(NARROW);
  const place = () => {
    if (query.matches) column.append(...narrow);
    else placeWide();
  };
  place();
  query.addEventListener("change", place);
  return { dispose: () => query.removeEventListener("change", place) };
}

/** Shown above the selection while the address of the page leaves it out. */
export const LINK_NOTE =
  "This selection is too long for a link, so the address of this page leaves it out. Save the state as a file instead: Save and open, This state (JSON).";

/** Says that there are more relations than colours; undefined if there are not. */
export function grayNote(numRelations: number): string | undefined {
  const { length } = CATEGORY_COLORS.light;
  if (numRelations <= length) return undefined;
  return `There are only ${length} colours that everybody can distinguish: the other relations (${numRelations - length}) are grey. To see one of them, switch the rest off.`;
}

/** Whether each section is open, by its title; sections that the visitor did not touch are missing. */
function keptSections(): Readonly<Record<string, boolean>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return isRecord(kept)
      ? Object.fromEntries(Object.entries(kept).map(([title, open]) => [title, open === true]))
      : {};
  } catch {
    return {}; // pages from file:// may have no storage
  }
}

function keepSections(open: Readonly<Record<string, boolean>>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(open));
  } catch {
    // without storage a section stays as it is while the page is open
  }
}

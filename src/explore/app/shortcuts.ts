/** Short ways through the page: skip links at its top, and a line on the map of a narrow page that leads to the selection. */

import { button, element, fill } from "../dom.js";
import { countText } from "../questions/node-facts.js";

/** Buttons that are seen only while the keyboard is on them: each moves the keyboard to a part of the page. */
export function createSkipLinks(targets: Readonly<Record<string, () => void>>): HTMLElement {
  const links = Object.entries(targets).map(([label, go]) => button(label, go));
  return element("nav", { class: "app-skip", "aria-label": "Skip links" }, ...links);
}

export interface SelectionNote {
  readonly root: HTMLElement;
  update(numSelected: number): void;
}

/** "50 nodes selected: see Selection". A narrow page shows it, because the section of the selection is out of view there. */
export function createSelectionNote(section: HTMLDetailsElement): SelectionNote {
  const root = element("p", { class: "app-selection-note", role: "status" });
  const see = () => {
    section.open = true;
    section.scrollIntoView();
    section.querySelector("summary")?.focus({ preventScroll: true });
  };
  return {
    root,
    update(numSelected) {
      const text = `${countText(numSelected, "node")} selected: see Selection`;
      fill(root, numSelected === 0 ? undefined : button(text, see));
    },
  };
}

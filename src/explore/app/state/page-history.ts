/** Keeps the page's address in step with the state: a new focus is a step that back and forward undo and repeat. */

import type { Component } from "../../dom.js";
import type { State, Store } from "./state.js";
import { isRecord } from "./state-check.js";
import { readStateLink, stateLink } from "./state-link.js";

/** Rest after a change before the address follows, in milliseconds: browsers refuse more than some hundred changes in half a minute. */
const REST = 300;

export interface PageHistory extends Component {
  back(): void;
  forward(): void;
}

export interface PageHistoryOptions {
  readonly store: Store;
  /** The state without a link: what a link leaves out has these values. */
  readonly initial: State;
  /** Names of all relations. */
  readonly relations: readonly string[];
  /** Called when there is, or no longer is, a step to go back or forward to. */
  readonly onSteps: (can: { readonly back: boolean; readonly forward: boolean }) => void;
  /** Called with each new address: whether it leaves out the selection, because it would be too long. */
  readonly onLink: (isSelectionLeftOut: boolean) => void;
}

export function connectHistory({ store, initial, relations, onSteps, onLink }: PageHistoryOptions): PageHistory {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReturning = false;
  let step = stepOf(history.state);
  let last = step;
  const first = step;
  const address = () => {
    const { text, isSelectionLeftOut } = stateLink(store.state, relations);
    onLink(isSelectionLeftOut);
    return `#${text}`;
  };
  const reportSteps = () => onSteps({ back: step > first, forward: step < last });
  const unsubscribe = store.subscribe((_, changed) => {
    if (isReturning) return;
    clearTimeout(timer);
    if (changed.has("focus")) {
      last = ++step;
      history.pushState({ step }, "", address());
      reportSteps();
    } else timer = setTimeout(() => history.replaceState({ step }, "", address()), REST);
  });
  const onReturn = (event: PopStateEvent) => {
    clearTimeout(timer);
    step = stepOf(event.state);
    isReturning = true;
    // what the link leaves out has its first value again
    store.set({ ...initial, focus: undefined, camera: undefined, ...readStateLink(location.hash) });
    isReturning = false;
    onLink(false);
    reportSteps();
  };
  addEventListener("popstate", onReturn);
  reportSteps();
  return {
    back: () => history.back(),
    forward: () => history.forward(),
    dispose() {
      clearTimeout(timer);
      unsubscribe();
      removeEventListener("popstate", onReturn);
    },
  };
}

function stepOf(state: unknown): number {
  return isRecord(state) && typeof state["step"] === "number" ? state["step"] : 0;
}

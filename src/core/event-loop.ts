/** Waits until pending events, such as an interrupt, have been handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Returns a function that calls `nextTurn` if the last call was more than so many milliseconds ago. */
export function turnsEvery(milliseconds: number): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last <= milliseconds) return;
    await nextTurn();
    last = performance.now();
  };
}

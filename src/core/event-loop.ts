/** Lets waiting events, such as an interrupt, be served before long work goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Lets others in when called, if the last time is so long ago. */
export function turnsEvery(milliseconds: number): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last <= milliseconds) return;
    await nextTurn();
    last = performance.now();
  };
}

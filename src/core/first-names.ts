/** The first `most` names, and how many more there are. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The same, each in quotation marks; without `most` all of them. */
export function quotedNames(names: readonly string[], most = names.length): string {
  return firstNames(
    names.map((name) => JSON.stringify(name)),
    most,
  );
}

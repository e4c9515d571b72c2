import { cutText, quoteValue } from "./quote-value.js";

/** Characters of a name that a list shows: enough for most paths. */
const MAX_NAME = 160;

/** The first `most` names, and how many more there are. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return (
    names
      .slice(0, most)
      .map((name) => cutText(name, MAX_NAME))
      .join(", ") + (more > 0 ? ` and ${more} more` : "")
  );
}

/** The same, each in quotation marks; without `most` all of them. */
export function quotedNames(names: readonly string[], most = names.length): string {
  return firstNames(
    names.map((name) => quoteValue(name)),
    most,
  );
}

/** Calls without types, as of a program in JavaScript. */

// biome-ignore lint/complexity/noBannedTypes: any function is called here with any words
export const call = (work: Function, ...words: unknown[]): unknown => Reflect.apply(work, undefined, words);

export function slowTests(args: readonly string[]): string[];

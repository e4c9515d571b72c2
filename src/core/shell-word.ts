/** A word as a POSIX shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A query as a shell reads it: in double quotes, since texts in it have single ones, where nothing in it means more there. */
export function shellQuery(sql: string): string {
  return /["$`\\!]/.test(sql) ? shellWord(sql) : `"${sql}"`;
}

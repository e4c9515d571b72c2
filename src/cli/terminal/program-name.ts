/** How the program is called, so that commands it suggests work when pasted. */
export function programName(): string {
  return process.env["npm_lifecycle_event"] === "start" ? "npm start --" : "npx hmge";
}

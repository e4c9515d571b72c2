/** How this program was started, so that suggested commands work when pasted. */
export function programName(): string {
  return process.env["npm_lifecycle_event"] === "start" ? "npm start --" : "npx hmge";
}

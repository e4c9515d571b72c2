/** Opens an address in the user's browser. */

import { spawn } from "node:child_process";

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Whether this machine has a screen for a browser. */
function hasDisplay(): boolean {
  return process.platform in OPENERS || Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
}

/** Does nothing on a machine without a display. A browser that cannot be started is no error: the address is printed as well. */
export function openBrowser(address: string): void {
  if (!hasDisplay()) return;
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, address], { detached: true, stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}

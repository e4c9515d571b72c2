/** Opens the runs that came with the page; without any, the page trains on a file that is dropped on it. */

import { element, fill } from "../dom.js";
import { openScene } from "../scene/open-scene.js";
import { pageSources } from "../scene/scene-sources.js";
import { createExplorer } from "./explorer.js";

const page = document.getElementById("page");
if (page !== null) await open(page);

async function open(host: HTMLElement): Promise<void> {
  const progress = element("progress", { max: 1, value: 0, "aria-label": "Reading the graph" });
  fill(host, element("p", { class: "app-notice" }, "Reading the graph … ", progress));
  try {
    const sources = pageSources(document);
    const shares = sources.map(() => 0);
    const [first, second] = await Promise.all(
      sources.map((source, k) =>
        openScene(source, {
          onProgress(share) {
            shares[k] = share;
            progress.value = shares.reduce((sum, value) => sum + value, 0) / shares.length;
          },
        }),
      ),
    );
    createExplorer(host, { scenes: [first, second] });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    fill(host, element("p", { class: "app-notice app-error", role: "alert" }, text));
  }
}

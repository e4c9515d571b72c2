/** Opens the runs that came with the page; without any, the page trains on a file that is dropped on it. */

import { type Component, element, fill } from "../dom.js";
import { download } from "../download.js";
import type { SceneParts } from "../scene/build-scene.js";
import { openScene } from "../scene/open-scene.js";
import type { Scene } from "../scene/scene.js";
import { memorySource, pageSources } from "../scene/scene-sources.js";
import { createExplorer } from "./explorer.js";
import { pageTemplate, savedPage, savedState, type Visit } from "./files/saved-page.js";
import type { State } from "./state/state.js";
import { createTrainingPage } from "./training-page.js";

const template = pageTemplate(document);
const page = document.getElementById("page");
if (page !== null) await open(page);

async function open(host: HTMLElement): Promise<void> {
  let shown: Component | undefined;
  const show = (create: () => Component) => {
    shown?.dispose();
    shown = create();
  };
  /** `parts` if the run was trained in the page: it can be saved with it. */
  const explore = (scenes: readonly [Scene, Scene?], parts?: SceneParts, saved?: Partial<State>) => {
    const save = async (visit: Visit) => download(await savedPage(template, parts!, visit), "explorer.html");
    show(() =>
      createExplorer(host, {
        scenes,
        saved,
        onTrain(file) {
          const { href } = location;
          train(file, () => {
            history.replaceState(undefined, "", href);
            explore(scenes, parts, saved);
          });
        },
        files: parts === undefined ? [] : [{ label: "This page with its data (HTML)", run: save }],
      }),
    );
  };
  const train = (file?: File, onBack?: () => void) => {
    history.replaceState(undefined, "", "#");
    const onExplore = (parts: SceneParts) =>
      void openScene(memorySource(parts)).then((scene) => explore([scene], parts), showError);
    show(() => createTrainingPage(host, { file, onBack, onExplore }));
  };

  const showError = (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    fill(host, element("p", { class: "app-notice app-error", role: "alert" }, text));
  };

  const sources = pageSources(document);
  if (sources.length === 0) return train();
  const progress = element("progress", { max: 1, value: 0, "aria-label": "Reading the graph" });
  fill(host, element("p", { class: "app-notice" }, "Reading the graph … ", progress));
  try {
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
    explore([first, second], undefined, savedState(document));
  } catch (error) {
    showError(error);
  }
}

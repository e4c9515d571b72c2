/** The page: opens the scenes that came with it and says what they hold. */

import { element, fill } from "../dom.js";
import { openScene } from "../scene/open-scene.js";
import { pageSources } from "../scene/scene-sources.js";

const page = document.getElementById("page");
if (page !== null) {
  try {
    const scenes = await Promise.all(pageSources(document).map((source) => openScene(source)));
    fill(
      page,
      ...scenes.map(({ header, ids }) =>
        element("p", {}, `${header.title}: ${ids.length} nodes, ${header.relations.length} relations`),
      ),
    );
  } catch (error) {
    fill(page, element("p", { role: "alert", class: "app-error" }, String(error)));
  }
}

/** The entries of the menu "Save and open" that save what the page shows. */

import { download } from "../../download.js";
import type { MapView } from "../../map/map-view.js";
import type { LegendLine } from "../../map/picture-legend.js";
import type { SceneHeader } from "../../scene/scene.js";
import type { State } from "../state/state.js";
import { stateFile } from "../state/state-file.js";

export interface SaveEntriesOptions {
  readonly map: MapView;
  readonly legend: () => readonly LegendLine[];
  readonly state: () => State;
  readonly header: SceneHeader;
  readonly onError: (error: unknown) => void;
}

export function saveEntries({ map, legend, state, header, onError }: SaveEntriesOptions) {
  const save = (text: string, type: string, name: string) => download(new Blob([text], { type }), name);
  return [
    {
      label: "Picture (PNG)",
      run: () => void map.png(legend()).then((png) => download(png, "map.png"), onError),
    },
    { label: "Picture (SVG)", run: () => save(map.svg(legend()), "image/svg+xml", "map.svg") },
    {
      label: "This state (JSON)",
      run: () => save(stateFile(state(), header), "application/json", "explorer-state.json"),
    },
  ];
}

/** The models. To add one, write its file and add a line here; everything else derives from the definition. */

export { crossmna } from "./crossmna.js";
export { dmgi } from "./dmgi.js";
export { dmne } from "./dmne/dmne.js";
export { gatne } from "./gatne.js";
export { hdmi } from "./hdmi.js";
export { hmge } from "./hmge.js";
export { mell } from "./mell.js";
export { mne } from "./mne.js";
export { mtne } from "./mtne.js";
export { multiverse } from "./multiverse/multiverse.js";
export { multiview } from "./multiview/multiview.js";
export { pmne } from "./pmne.js";
export { ssdcm } from "./ssdcm/ssdcm.js";

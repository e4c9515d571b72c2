/** Trains in the page: drop a file, check its columns, choose a model, watch the training, save the vectors. */

import { InputError } from "../../index.js";
import { button, type Component, element, fill } from "../dom.js";
import { download } from "../download.js";
import { createLossCurve, type LossCurve } from "./loss-curve.js";
import type { MapSnapshot, TrainingResult } from "./messages.js";
import { type AcceptedEdges, createPreview } from "./preview.js";
import { vectorsAsNpy, vectorsAsTsv } from "./save-vectors.js";
import { startTraining, type Training } from "./start-training.js";
import { openEdgeTable } from "./table/open-table.js";
import { createTrainingForm, type TrainingChoice } from "./training-form.js";

export interface TrainingPanelOptions {
  /** Called about once a second while a training runs. */
  readonly onSnapshot?: (snapshot: MapSnapshot) => void;
  /** Shows the trained run on a map of its own; with it, the result has a button "Explore this run". */
  readonly onExplore?: (result: TrainingResult) => void;
  /** Called at the end of a training, also of one that was stopped. */
  readonly onTrained?: (result: TrainingResult) => void;
}

export interface TrainingPanel extends Component {
  /** Opens a file as if it had been dropped on the panel. */
  open(file: File): Promise<void>;
}

export function createTrainingPanel(
  host: HTMLElement,
  { onSnapshot, onExplore, onTrained }: TrainingPanelOptions = {},
): TrainingPanel {
  const fileHost = element("div", {});
  const formHost = element("div", { hidden: true });
  const runHost = element("div", {});
  const message = element("p", { class: "training-panel-error", role: "alert" });
  const chooser = element("input", { type: "file", id: "training-panel-file", class: "visually-hidden" });
  const zone = element(
    "label",
    { class: "training-panel-drop", for: chooser.id },
    element("strong", {}, "Drop an edge file here"),
    element(
      "span",
      {},
      " or choose one: CSV, TSV, blanks, JSON lines or Parquet, also .gz, up to 200 MB. It stays on this computer.",
    ),
  );
  const root = element(
    "section",
    { class: "training-panel", "aria-label": "Train" },
    chooser,
    zone,
    message,
    runHost,
    fileHost,
    formHost,
  );
  let preview: Component | undefined;
  let accepted: AcceptedEdges | undefined;
  let training: Training | undefined;
  let opening = 0;

  const start = (choice: TrainingChoice) => {
    if (accepted === undefined) return;
    message.textContent = "";
    form.setEnabled(false);
    const view = createRunView(runHost);
    const end = () => {
      training = undefined;
      form.setEnabled(true);
    };
    training = startTraining(
      { ...accepted, ...choice },
      {
        onStage: ({ stage, share }) => view.showStage(stage, share),
        onProgress: (progress) => view.showEpoch(progress),
        onSnapshot,
        onTrained(result) {
          end();
          view.showResult(result, onExplore);
          onTrained?.(result);
        },
        onFailed(text) {
          end();
          fill(runHost);
          message.textContent = text;
        },
      },
    );
    view.control(training);
    runHost.scrollIntoView({ block: "nearest" });
  };
  const form = createTrainingForm(formHost, { onSubmit: start });

  const open = async (file: File) => {
    const turn = ++opening;
    preview?.dispose();
    preview = undefined;
    accepted = undefined;
    formHost.hidden = true;
    message.textContent = "";
    try {
      const table = await openEdgeTable(file);
      if (turn !== opening) return;
      preview = createPreview(fileHost, {
        file,
        table,
        onAccept(edges) {
          accepted = edges;
          formHost.hidden = false;
          formHost.querySelector("select")?.focus();
        },
        onChange() {
          accepted = undefined;
          formHost.hidden = true;
        },
      });
    } catch (error) {
      if (turn === opening) message.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    chooser.value = "";
    if (file !== undefined) void open(file);
  });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("training-panel-over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("training-panel-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("training-panel-over");
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    if (files.length === 1) void open(files[0]);
    else
      message.textContent = `Drop: ${files.length} files; expected one. Join them into one table with a relation column.`;
  });
  host.append(root);
  return {
    open,
    dispose() {
      opening++;
      training?.dispose();
      preview?.dispose();
      form.dispose();
      root.remove();
    },
  };
}

/** Shows a running training and its result. */
function createRunView(host: HTMLElement) {
  const bar = element("progress", { max: 1, "aria-label": "Training" });
  const status = element("p", { class: "training-panel-status", role: "status" });
  const curveHost = element("div", {});
  const buttons = element("div", { class: "training-panel-buttons" });
  fill(host, element("div", { class: "training-panel-run" }, bar, status, curveHost, buttons));
  const losses: number[] = [];
  let curve: LossCurve | undefined;
  let frame: number | undefined;
  let draw: (() => void) | undefined;
  let isStopping = false;
  return {
    control(training: Training) {
      let isPaused = false;
      const pause = button("Pause", () => {
        isPaused = !isPaused;
        if (isPaused) training.pause();
        else training.continue();
        pause.textContent = isPaused ? "Continue" : "Pause";
      });
      const stop = button("Stop", () => {
        isStopping = true;
        training.stop();
        stop.disabled = pause.disabled = true;
        status.textContent = "Stopping after this epoch …";
      });
      fill(buttons, pause, stop);
    },
    showStage(stage: string, share: number) {
      bar.value = share;
      if (isStopping) return;
      // maps are computed after the last epoch
      const when = losses.length === 0 ? "Preparation" : "Trained";
      status.textContent = `${when}: ${stage}, ${Math.round(100 * share)} %`;
    },
    showEpoch({
      epoch,
      epochs,
      loss,
      secondsLeft,
    }: {
      epoch: number;
      epochs: number;
      loss: number;
      secondsLeft: number;
    }) {
      losses.push(loss);
      const text = `Epoch ${epoch} of at most ${epochs}, loss ${loss.toPrecision(4)}, ${duration(secondsLeft)} left`;
      // Short epochs end more often than the screen is drawn.
      if (frame === undefined) frame = requestAnimationFrame(() => draw?.());
      draw = () => {
        frame = undefined;
        curve ??= createLossCurve(curveHost);
        curve.update(losses);
        bar.value = epoch / epochs;
        if (!isStopping) status.textContent = text;
      };
    },
    showResult(result: TrainingResult, onExplore?: (result: TrainingResult) => void) {
      const { model, losses: all, dim, vectors, graph, title, stopped } = result;
      const embedding = { ids: graph.ids, dim, vectors };
      const seconds = result.preparationSeconds + result.epochSeconds;
      draw?.();
      draw = undefined;
      bar.hidden = true;
      status.textContent = `${stopped ? "Stopped" : "Trained"}: ${model}, ${graph.numNodes.toLocaleString("en")} nodes, width ${dim}, ${all.length} epochs in ${duration(seconds)}.`;
      const explore =
        onExplore && button("Explore this run", () => onExplore(result), { class: "training-panel-explore" });
      fill(
        buttons,
        explore,
        button("Save vectors (TSV)", () => download(vectorsAsTsv(embedding), `${title}-vectors.tsv`)),
        button("Save vectors (NumPy)", () => {
          try {
            const { npy, ids } = vectorsAsNpy(embedding);
            download(npy, `${title}-vectors.npy`);
            download(ids, `${title}-vectors.ids.txt`);
          } catch (error) {
            if (!(error instanceof InputError)) throw error;
            status.textContent = error.message;
          }
        }),
      );
      explore?.focus();
    },
  };
}

function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

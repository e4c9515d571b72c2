/** Functions that the test calls: a training on the thread of the page, or in a worker. */

import { type Trained, trainOnAuto, trainOnDevice, tryTraining } from "./training.js";

type Training = (threads?: number) => Promise<Trained | string>;

declare global {
  interface Window {
    trainHere: Training;
    trainInWorker: Training;
    trainOnAuto: typeof trainOnAuto;
    trainOnDevice: typeof trainOnDevice;
  }
}

window.trainHere = tryTraining;
window.trainOnAuto = trainOnAuto;
window.trainOnDevice = trainOnDevice;

window.trainInWorker = (threads) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      resolve(data);
      worker.terminate();
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(threads);
  });

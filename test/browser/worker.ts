import { tryTraining } from "./training.js";

addEventListener("message", ({ data }: MessageEvent<number | undefined>) => {
  void tryTraining(data).then((answer) => postMessage(answer));
});

/** Preloaded by tests (`node --import`): destroys the GPU device of the process as soon as the file LOSE_DEVICE_AT exists. */
import { existsSync } from "node:fs";
import { globals } from "webgpu";

const { requestDevice } = globals.GPUAdapter.prototype;
globals.GPUAdapter.prototype.requestDevice = async function (...args) {
  const device = await requestDevice.apply(this, args);
  const timer = setInterval(() => {
    if (!existsSync(process.env.LOSE_DEVICE_AT)) return;
    clearInterval(timer);
    device.destroy();
  }, 5);
  timer.unref();
  return device;
};

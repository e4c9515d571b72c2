import { matrixOf } from "../../kernel.js";
import { productLaunch } from "./product-launch.js";

export const launch = productLaunch(["plainSource", "hubs"], (call) => ({
  matrices: [matrixOf(call)],
  x: call.inputs[0],
}));

import { matricesOf } from "../../kernel.js";
import { productLaunch } from "./product-launch.js";

export const launch = productLaunch(["plainSource", "listHubs"], (call) => ({
  matrices: matricesOf(call),
  x: call.inputs[1],
}));

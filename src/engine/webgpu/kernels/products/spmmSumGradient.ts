import { type Call, groupsOf, type Launch, matricesOf, rowWidth } from "../../kernel.js";
import { type Product, productLaunch, productPhases, productScratch, productShape } from "./product-launch.js";

const productOf = (call: Call): Product => ({ matrices: matricesOf(call), x: call.inputs[2] });

export const launch: Launch = {
  ...productLaunch(["plainSource", "listHubs"], productOf),
  scratch: (call) => {
    const product = productOf(call);
    const dots = productShape(product).rowGroups * product.matrices.length;
    return { floats: productScratch(product) + dots * rowWidth(product.x) };
  },
  phases: (call) => {
    const product = productOf(call);
    const finish = { entry: "finish", workgroups: groupsOf(product.matrices.length, rowWidth(product.x)) };
    return [...productPhases(product), finish];
  },
};

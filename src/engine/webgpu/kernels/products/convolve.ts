export { launch } from "./spmm.js";

/** A quarter of the models of src/models/index.ts, so that quarters can run side by side. */

import { describeShare } from "./model-suite.js";

await describeShare(1, 4);

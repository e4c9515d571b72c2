/** A quarter of the models, so that four files can run in parallel. */

import { describeShare } from "./model-suite.js";

await describeShare(2, 4);

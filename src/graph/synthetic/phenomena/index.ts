/** The phenomena, in the order of the help. `hmge generate` and the tests derive from this list. */

import { cliques } from "./cliques.js";
import { degreesOnly } from "./degrees-only.js";
import { featuresOnly } from "./features-only.js";
import { fewLabels } from "./few-labels.js";
import { manyRelations } from "./many-relations.js";
import { noiseRelations } from "./noise-relations.js";
import { opposedGroups } from "./opposed-groups.js";
import type { Phenomenon } from "./phenomenon.js";

export const phenomena: readonly Phenomenon[] = [
  featuresOnly,
  degreesOnly,
  fewLabels,
  cliques,
  manyRelations,
  opposedGroups,
  noiseRelations,
];

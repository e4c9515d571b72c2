/**
 * The spectral facet: the significant directions of a multiplex.
 *
 * 1. Leading eigenvectors of the normalised adjacency Â are computed from one half of the edges and tested on the other half
 *    (significance/direction-test.ts). If k are significant, the first k eigenvectors of the whole graph are used.
 * 2. The first column is the eigenvector of the degrees. The significant directions of the union of all relations follow.
 * 3. If columns are left, single relations add theirs: tanh(2.5·√n·v) of each direction v, which makes v nearly constant
 *    within each of two groups, minus its projection onto the columns so far. The leading left singular vectors of all of
 *    them are appended; directions that several relations share thus come once and first.
 * 4. If the significant directions are complete, that is if the edges show no further structure, single relations come
 *    before the union: their directions are nearer to the groups than those of the union, which mix groups of several relations.
 * 5. Opposed directions come last: neighbours have opposite signs, as in bipartite relations or relations between unlike nodes.
 * 6. If no direction is significant, half of the edges is too few to confirm anything, for example in a tree. The first
 *    eigenvectors then fill the columns untested and at a small length.
 */

import { ALONE } from "../../../core/sharing.js";
import { addWork, eigenWork, type Stage, scaleWork, type Work } from "../../../core/work.js";
import { inStage, type PrecomputeTools } from "../../../nn/model.js";
import { joinColumns, leadingColumns, NO_COLUMNS } from "../../../numeric/columns.js";
import { largestOf } from "../../../numeric/extremes.js";
import type { Rows } from "../../../numeric/rows.js";
import { SPECTRAL } from "../constants.js";
import { newDirections, squashed } from "../significance/new-directions.js";
import {
  afterDegrees,
  type Found,
  findDirections,
  findOpposed,
  isComplete,
  significantColumns,
} from "../significance/significant-directions.js";
import { type DirectionRequest, type GraphSizes, leadStage, testStage } from "../significance/tested-directions.js";
import type { SimpleGraph } from "../weights/edge-copies.js";

/** Names of the stages. */
const COMMON = "directions of all relations";
const SINGLE = "directions of single relations";
const COMMON_OPPOSED = `opposed ${COMMON}`;
const SINGLE_OPPOSED = `opposed ${SINGLE}`;
const COLUMNS = "columns of the directions";

/** The relations that are searched one by one, and the number of directions computed in each. */
function singleRelations<T>(nonEmpty: readonly T[], tried: number): { readonly searched: readonly T[]; each: number } {
  const searched = nonEmpty.slice(0, SPECTRAL.maxOfRelations);
  return { searched, each: Math.max(1, Math.min(tried, Math.floor(SPECTRAL.maxOfRelations / searched.length))) };
}

/**
 * The stages of `spectralFacet` and of its `columns(max)`. Single relations are searched unless all directions of the union are
 * significant. Opposed directions of whole graphs are computed only for graphs in which some are significant.
 */
export function spectralStages(
  { numNodes, entries, copies }: GraphSizes,
  union: Pick<GraphSizes, "entries" | "copies">,
  tried: number,
  max: number,
): Stage[] {
  const whole = { numNodes, ...union };
  const all = entries.reduce((sum, count) => sum + count, 0);
  const { searched, each } = singleRelations(
    entries.filter((count) => count > 0),
    tried,
  );
  const several = searched.length >= 2;
  const share = searched.reduce((a, b) => a + b, 0);
  const single = { numNodes, entries: searched, copies: (copies * share) / Math.max(1, all) };
  const maybe = ({ name, work }: Stage, usual: number): Stage => ({
    name,
    work: scaleWork(work, usual),
    minWork: {},
    maxWork: work,
  });
  const found = (sizes: GraphSizes, request: Pick<DirectionRequest, "count" | "stageName">) => [
    testStage(sizes, request),
    leadStage(sizes, request),
  ];
  const [testUnion, leadUnion] = found(whole, { count: SPECTRAL.maxOpposed, stageName: COMMON_OPPOSED });
  const [testSingle, leadSingle] = found(single, {
    count: Math.min(SPECTRAL.maxOpposed, each),
    stageName: SINGLE_OPPOSED,
  });
  const ofRelations = several ? searched.length * Math.min(each, SPECTRAL.maxOfRelation) : 0;
  const columns = (candidates: number, known: number): Work =>
    addWork(eigenWork(candidates), { loops: numNodes * candidates * (2 * known + candidates / 2 + 8) });
  return [
    ...found(whole, { count: tried + 1, stageName: COMMON }),
    ...(several ? found(single, { count: each + 1, stageName: SINGLE }).map((stage) => maybe(stage, 1)) : []),
    ...(max <= 0
      ? []
      : [
          testUnion,
          maybe(leadUnion, 1 / 4),
          ...(several ? [testSingle, maybe(leadSingle, 1 / 4)] : []),
          {
            name: COLUMNS,
            work: columns(ofRelations, max / 2),
            minWork: {},
            maxWork: columns(
              several ? Math.min(SPECTRAL.maxOfRelations, searched.length * each) : SPECTRAL.maxOpposed,
              2 * max,
            ),
          },
        ]),
  ];
}

/** The first directions after that of the degrees, at most `max`, untested. They are short, because they may be noise. */
function fillers(leading: Rows<Float32Array>, max: number): Rows<Float32Array> {
  const { data, width } = afterDegrees(leading, Math.min(SPECTRAL.maxFillers, max));
  return { data: data.map((x) => SPECTRAL.fillerLength * x), width };
}

export interface SpectralColumns extends Rows<Float32Array> {
  /** Number of significant columns, after that of the degrees, along which neighbours have similar values. */
  readonly numAssortative: number;
  /** Number of opposed columns, which are the last ones. */
  readonly numOpposed: number;
}

export interface SpectralFacet {
  /** Largest number of significant directions among the union and the relations; at most `tried`. */
  readonly numDirections: number;
  /** Whether the significant directions explain all structure that the edges show. */
  readonly complete: boolean;
  /** The columns of the facet, at most `max`, of unit length, in the order of the header. */
  columns(max: number): Promise<SpectralColumns>;
}

/** Computes `tried` directions of the union; searches single relations too unless all of them are significant. */
export async function spectralFacet(
  union: SimpleGraph,
  relations: readonly SimpleGraph[],
  tried: number,
  tools: PrecomputeTools,
): Promise<SpectralFacet> {
  const { sharing = ALONE } = tools;
  const numNodes = union.numRows;
  const [common] = await findDirections([union], tried, { purpose: "spectral.common", stageName: COMMON }, tools);
  const { searched: nonEmpty, each } = singleRelations(
    relations.filter(({ columns }) => columns.length > 0),
    tried,
  );
  let ofRelations: Promise<Found[]> | undefined;
  const single = (): Promise<Found[]> =>
    (ofRelations ??=
      nonEmpty.length < 2
        ? Promise.resolve([])
        : findDirections(nonEmpty, each, { purpose: "spectral.relation", stageName: SINGLE }, tools));
  const opposed = async (): Promise<Rows<Float32Array>> => {
    const ofUnion = { count: SPECTRAL.maxOpposed, purpose: "spectral.common.opposed", stageName: COMMON_OPPOSED };
    const ofSingle = {
      count: Math.min(SPECTRAL.maxOpposed, each),
      purpose: "spectral.relation.opposed",
      stageName: SINGLE_OPPOSED,
    };
    const inUnion = await findOpposed([union], ofUnion, tools);
    const inSingle = nonEmpty.length < 2 ? [] : await findOpposed(nonEmpty, ofSingle, tools);
    if (inUnion.length + inSingle.length === 0) return NO_COLUMNS;
    return sharing.once(() => {
      const squashedColumns = inSingle.map((directions) =>
        squashed(leadingColumns(directions, SPECTRAL.maxOfRelation), numNodes),
      );
      const candidates = joinColumns(numNodes, [...inUnion, ...squashedColumns]);
      return newDirections(candidates, NO_COLUMNS, numNodes, candidates.width);
    });
  };
  const found = common.numSignificant < tried ? [common, ...(await single())] : [common];
  const complete = isComplete(found);
  return {
    numDirections: largestOf(found.map(({ numSignificant }) => numSignificant)),
    complete,
    async columns(max) {
      if (max <= 0) return { ...NO_COLUMNS, numAssortative: 0, numOpposed: 0 };
      const candidates = await opposed();
      const isFull = 1 + common.numSignificant >= roomOf(candidates, max);
      const ofSingle = complete || !isFull ? await single() : [];
      return inStage(tools, COLUMNS, () => sharing.once(() => chosen(candidates, ofSingle, max)));
    },
  };

  /** Columns for all but opposed directions. */
  function roomOf(opposedCandidates: Rows<Float32Array>, max: number): number {
    return max - Math.min(opposedCandidates.width, Math.floor(SPECTRAL.opposedShare * max));
  }

  function chosen(opposedCandidates: Rows<Float32Array>, singles: readonly Found[], max: number): SpectralColumns {
    const degree = leadingColumns(common.leading, 1);
    const room = roomOf(opposedCandidates, max);
    const ofUnion = significantColumns(common, room - 1);
    const ofEach = (limit: number): Rows<Float32Array> =>
      joinColumns(
        numNodes,
        singles.map((directions) => squashed(significantColumns(directions, limit), numNodes)),
      );
    const extended = (
      known: Rows<Float32Array>,
      candidates: Rows<Float32Array>,
      share = SPECTRAL.newShare,
    ): Rows<Float32Array> =>
      joinColumns(numNodes, [known, newDirections(candidates, known, numNodes, room - known.width, share)]);
    let known = joinColumns(numNodes, [degree, ofUnion]);
    if (complete) known = extended(extended(degree, ofEach(room), SPECTRAL.newShareOfRelations), ofUnion);
    else if (known.width < room) known = extended(known, ofEach(SPECTRAL.maxOfRelation));
    const last = newDirections(opposedCandidates, known, numNodes, max - known.width);
    const isEmpty = known.width === degree.width && last.width === 0;
    const rest = isEmpty ? fillers(common.leading, max - degree.width) : last;
    const numAssortative = known.width - degree.width;
    return { ...joinColumns(numNodes, [known, rest]), numAssortative, numOpposed: last.width };
  }
}

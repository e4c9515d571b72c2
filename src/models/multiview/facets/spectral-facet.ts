/**
 * Directions of a multiplex that stand above noise: those of all relations together first, then what single relations add.
 *
 * The leading directions of Â are found on half of the edges and tested on the other half (direction-test.ts); as many as
 * pass are taken from the whole graph. Relations come in only while there is room: tanh(2.5·√n·v) of each of their own
 * directions, which takes out the spread within two groups, less what the common ones hold of it; of all these the
 * leading left singular vectors, so that what several relations share is taken once and before what one has alone.
 * Where all that stands above noise has room, single relations come first: their directions lie nearer to the groups than
 * those of the union, which mix the groups of several.
 *
 * Last come opposed directions, along which neighbours differ: of bipartite relations, or of those that join unlike nodes.
 * Where nothing passes at all, halves have too few edges to agree on anything, as those of a tree: then the leading
 * directions fill the room as they are.
 */

import { addWork, eigenWork, type Stage, timesWork, type Work } from "../../../core/work.js";
import { inStage, type PrecomputeTools } from "../../../nn/model.js";
import { largestOf } from "../../../numeric/extremes.js";
import { besides, type Columns, leadingColumns, selectColumns } from "../columns.js";
import { MIN_DEVIATIONS } from "../significance/direction-test.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { NEW_SHARE, newDirections, squashed } from "../significance/new-directions.js";
import {
  type DirectionRequest,
  type GraphSizes,
  leadGraphs,
  leadStage,
  testGraphs,
  testStage,
} from "../significance/tested-directions.js";

/** Directions that a relation adds at most, and those tried in all of them. */
const MAX_OF_RELATION = 4;
export const MAX_OF_RELATIONS = 256;
/** Opposed directions tried in a graph, and the part of the columns that is kept for them. */
const MAX_OPPOSED = 8;
const OPPOSED_SHARE = 1 / 2;
/**
 * Directions of a graph none of which passes: 16 and 48 of a tree have macro-F1 98 and 95 on its branches; of length 1, 0.3
 * and 0.1 beside the degrees' 1 they leave 58, 64 and 65 for roles that degrees tell, where none leave 86.
 */
const MAX_FILLERS = 16;
const FILLER_LENGTH = 0.3;
/** The same among single relations: what several share they hold with different noise, which must not count as new. */
const OWN_SHARE = 0.5;
/**
 * Closed paths beyond the directions, in deviations, of any graph and of all together, that are still noise. Graphs of planted
 * groups alone have −6 to 2; 60 to 400 nodes of real ones between 3.3 and 15 in one of their relations.
 */
const MAX_CLOSURE = 3;
const MAX_CLOSURE_TOGETHER = 2;
/** Of a graph all of whose directions pass, which has more for all one knows. */
const ALL_PASS = { others: Number.POSITIVE_INFINITY, closure: Number.POSITIVE_INFINITY };

/** Directions of one graph, unit columns, strongest first. */
interface Found {
  /** All that were looked for; the first is the one of the degrees. */
  readonly leading: Columns;
  /** How many of the next pass the test. */
  readonly passed: number;
  /** How far the others, taken together, stand above noise, and so do paths that edges close beyond those that pass. */
  readonly others: number;
  readonly closure: number;
}

const NO_COLUMNS: Columns = { data: new Float32Array(0), count: 0 };
const COMMON = "directions of all relations";
const SINGLE = "directions of single relations";
const COMMON_OPPOSED = `opposed ${COMMON}`;
const SINGLE_OPPOSED = `opposed ${SINGLE}`;
const COLUMNS = "columns of the directions";

/** Relations that are looked at by themselves, and directions tried in each. */
function singleRelations<T>(nonEmpty: readonly T[], tried: number): { readonly looked: readonly T[]; each: number } {
  const looked = nonEmpty.slice(0, MAX_OF_RELATIONS);
  return { looked, each: Math.max(1, Math.min(tried, Math.floor(MAX_OF_RELATIONS / looked.length))) };
}

/**
 * The stages of `spectralView` and of its columns, at most `most`. Single relations are looked at unless all directions of
 * the union pass; opposed directions of whole graphs are found where some pass the test.
 */
export function spectralStages(
  { numNodes, entries, copies }: GraphSizes,
  union: Pick<GraphSizes, "entries" | "copies">,
  tried: number,
  most: number,
): Stage[] {
  const whole = { numNodes, ...union };
  const all = entries.reduce((sum, own) => sum + own, 0);
  const { looked, each } = singleRelations(
    entries.filter((own) => own > 0),
    tried,
  );
  const several = looked.length >= 2;
  const single = { numNodes, entries: looked, copies: (copies * looked.reduce((a, b) => a + b, 0)) / Math.max(1, all) };
  const maybe = ({ name, work }: Stage, usual: number): Stage => ({
    name,
    work: timesWork(work, usual),
    least: {},
    most: work,
  });
  const found = (sizes: GraphSizes, request: Pick<DirectionRequest, "count" | "what">) => [
    testStage(sizes, request),
    leadStage(sizes, request),
  ];
  const [testUnion, leadUnion] = found(whole, { count: MAX_OPPOSED, what: COMMON_OPPOSED });
  const [testSingle, leadSingle] = found(single, { count: Math.min(MAX_OPPOSED, each), what: SINGLE_OPPOSED });
  const ofRelations = several ? looked.length * Math.min(each, MAX_OF_RELATION) : 0;
  const columns = (candidates: number, known: number): Work =>
    addWork(eigenWork(candidates), { loops: numNodes * candidates * (2 * known + candidates / 2 + 8) });
  return [
    ...found(whole, { count: tried + 1, what: COMMON }),
    ...(several ? found(single, { count: each + 1, what: SINGLE }).map((stage) => maybe(stage, 1)) : []),
    ...(most <= 0
      ? []
      : [
          testUnion,
          maybe(leadUnion, 1 / 4),
          ...(several ? [testSingle, maybe(leadSingle, 1 / 4)] : []),
          {
            name: COLUMNS,
            work: columns(ofRelations, most / 2),
            least: {},
            most: columns(several ? Math.min(MAX_OF_RELATIONS, looked.length * each) : MAX_OPPOSED, 2 * most),
          },
        ]),
  ];
}

/** The leading directions of each graph, at most `most` beside the one of the degrees. */
async function findDirections(
  graphs: readonly SimpleGraph[],
  most: number,
  names: Pick<DirectionRequest, "purpose" | "what">,
  tools: PrecomputeTools,
): Promise<Found[]> {
  const request = { ...names, count: most + 1 };
  const tested = await testGraphs(graphs, request, tools);
  const whole = await leadGraphs(graphs, request, tools);
  return whole.map(({ vectors, count }, m) => {
    const scores = tested[m].scores.subarray(1);
    const passed = Math.min(count - 1, numPassed(scores));
    const more =
      passed < count - 1 ? { others: othersTogether(scores), closure: tested[m].closure(passed + 1) } : ALL_PASS;
    return { leading: { data: vectors, count }, passed, ...more };
  });
}

/** The opposed directions of each graph that pass the test. */
async function findOpposed(
  graphs: readonly SimpleGraph[],
  asked: DirectionRequest,
  tools: PrecomputeTools,
): Promise<Columns[]> {
  const request = { ...asked, opposed: true };
  const passed = (await testGraphs(graphs, request, tools)).map(({ scores }) => numPassed(scores));
  const some = graphs.filter((_, m) => passed[m] > 0);
  if (some.length === 0) return [];
  const counts = passed.filter((count) => count > 0);
  const whole = await leadGraphs(some, request, tools);
  return whole.map(({ vectors, count }, m) => leadingColumns({ data: vectors, count }, counts[m]));
}

function numPassed(scores: Float64Array): number {
  return scores.reduce((sum, score) => sum + (score > MIN_DEVIATIONS ? 1 : 0), 0);
}

/** Deviations of the directions that do not pass, each too weak alone; none counts for more than one that passes. */
function othersTogether(scores: Float64Array): number {
  const others = scores.filter((score) => score <= MIN_DEVIATIONS).map((score) => Math.max(score, -MIN_DEVIATIONS));
  return others.reduce((sum, score) => sum + score, 0) / Math.sqrt(others.length);
}

/** Whether the directions that pass are all that these graphs tell. A graph too small to tell has more, for all one knows. */
function isComplete(found: readonly Found[]): boolean {
  const closures = found.map(({ closure }) => closure);
  const together = closures.reduce((sum, closure) => sum + closure, 0) / Math.sqrt(found.length);
  return (
    found.every(({ others }) => others <= MIN_DEVIATIONS) &&
    largestOf(closures) <= MAX_CLOSURE &&
    together <= MAX_CLOSURE_TOGETHER
  );
}

/** The directions that passed, at most `most`; without that of the degrees. */
function passedColumns({ leading, passed }: Found, most: number): Columns {
  return afterDegrees(leading, Math.min(passed, most));
}

function afterDegrees(leading: Columns, most: number): Columns {
  const count = Math.max(0, Math.min(most, leading.count - 1));
  return selectColumns(
    leading,
    Array.from({ length: count }, (_, k) => k + 1),
  );
}

/** The first directions after that of the degrees, tested or not, at most `most`; faint, since they may be noise. */
function fillers(leading: Columns, most: number): Columns {
  const { data, count } = afterDegrees(leading, Math.min(MAX_FILLERS, most));
  return { data: data.map((x) => FILLER_LENGTH * x), count };
}

export interface SpectralColumns extends Columns {
  /** How many of them, after that of the degrees, passed the test as directions along which neighbours are alike. */
  readonly numAlike: number;
  /** How many of them, the last ones, are opposed. */
  readonly numOpposed: number;
}

export interface SpectralView {
  /** Directions above noise of all relations together, or of the one relation that has most; at most as many as were tried. */
  readonly numDirections: number;
  /** Whether these directions are all that can be told of the graph from its edges. */
  readonly complete: boolean;
  /** The directions for at most `most` columns, of unit length: degrees, common ones, those of relations, opposed ones. */
  columns(most: number): Promise<SpectralColumns>;
}

/** Tries at most `tried` directions of all relations together. Single relations are looked at where these are fewer. */
export async function spectralView(
  union: SimpleGraph,
  relations: readonly SimpleGraph[],
  tried: number,
  tools: PrecomputeTools,
): Promise<SpectralView> {
  const numNodes = union.numRows;
  const [common] = await findDirections([union], tried, { purpose: "spectral.common", what: COMMON }, tools);
  const { looked: nonEmpty, each } = singleRelations(
    relations.filter(({ columns }) => columns.length > 0),
    tried,
  );
  let found: Promise<Found[]> | undefined;
  const single = (): Promise<Found[]> =>
    (found ??=
      nonEmpty.length < 2
        ? Promise.resolve([])
        : findDirections(nonEmpty, each, { purpose: "spectral.relation", what: SINGLE }, tools));
  const opposed = async (): Promise<Columns> => {
    const ofUnion = { count: MAX_OPPOSED, purpose: "spectral.common.opposed", what: COMMON_OPPOSED };
    const ofSingle = {
      count: Math.min(MAX_OPPOSED, each),
      purpose: "spectral.relation.opposed",
      what: SINGLE_OPPOSED,
    };
    const candidates = besides(numNodes, [
      ...(await findOpposed([union], ofUnion, tools)),
      ...(nonEmpty.length < 2 ? [] : await findOpposed(nonEmpty, ofSingle, tools)).map((own) =>
        squashed(leadingColumns(own, MAX_OF_RELATION), numNodes),
      ),
    ]);
    return newDirections(candidates, NO_COLUMNS, numNodes, candidates.count);
  };
  const looked = common.passed < tried ? [common, ...(await single())] : [common];
  const complete = isComplete(looked);
  return {
    numDirections: largestOf(looked.map(({ passed }) => passed)),
    complete,
    async columns(most) {
      if (most <= 0) return { ...NO_COLUMNS, numAlike: 0, numOpposed: 0 };
      const others = await opposed();
      return inStage(tools, COLUMNS, () => chosen(others, most));
    },
  };

  async function chosen(others: Columns, most: number): Promise<SpectralColumns> {
    const kept = Math.min(others.count, Math.floor(OPPOSED_SHARE * most));
    const degree = leadingColumns(common.leading, 1);
    const room = most - kept;
    const ofAll = passedColumns(common, room - 1);
    const ofEach = async (limit: number): Promise<Columns> =>
      besides(
        numNodes,
        (await single()).map((own) => squashed(passedColumns(own, limit), numNodes)),
      );
    const beyond = (known: Columns, candidates: Columns, share = NEW_SHARE): Columns =>
      besides(numNodes, [known, newDirections(candidates, known, numNodes, room - known.count, share)]);
    let known = besides(numNodes, [degree, ofAll]);
    if (complete) known = beyond(beyond(degree, await ofEach(room), OWN_SHARE), ofAll);
    else if (known.count < room) known = beyond(known, await ofEach(MAX_OF_RELATION));
    const last = newDirections(others, known, numNodes, most - known.count);
    const nothing = known.count === degree.count && last.count === 0;
    const rest = nothing ? fillers(common.leading, most - degree.count) : last;
    const numAlike = known.count - degree.count;
    return { ...besides(numNodes, [known, rest]), numAlike, numOpposed: last.count };
  }
}

/** `hmge embed`: reads a graph, trains a model on it and writes the folder of the run. */

import { InputError } from "../../core/errors.js";
import { partitionedEngine } from "../../engine/partition/partitioned-engine.js";
import { contentHash } from "../../graph/content-hash.js";
import { checkWritable, formatByName } from "../../io/formats/embedding-files.js";
import { peakMemory } from "../../io/peak-memory.js";
import { diagnose, weightMovement } from "../../tasks/diagnostics/diagnostics.js";
import { spectralRecovery } from "../../tasks/diagnostics/spectral-recovery.js";
import { estimateRun } from "../../train/estimate/estimate.js";
import { resolveTraining, startRun } from "../../train/train.js";
import { commandLine } from "../folder/machine-facts.js";
import { checkOutputFolder, requireDiskSpace, requireOutputFolder } from "../folder/output-folder.js";
import { buildRecord, commandOptions, median } from "../folder/run-record.js";
import { readEngine } from "../options/engine-option.js";
import { readModelOptions } from "../options/model-options.js";
import { modelFileOf } from "../options/own-model.js";
import { labelColumns, readSourceOptions } from "../options/source-options.js";
import { gatherExchanges } from "../ranks/exchange-report.js";
import type { Job } from "../ranks/job.js";
import { STAGE_NAMES, stagesAfterTraining } from "../run/after-training.js";
import { kernelsBefore, removeCheckpoint } from "../run/checkpoint.js";
import { loadSource } from "../run/load-source.js";
import {
  dataSizes,
  estimateMachineBytes,
  estimateProcessBytes,
  requireEngineMemory,
  requireMemory,
} from "../run/memory-estimate.js";
import {
  findResumePoint,
  graphSettings,
  requireSameSettings,
  type Settings,
  shareResumePoint,
  shortHash,
} from "../run/resume.js";
import { runResults } from "../run/run-results.js";
import { afterEpochs, busyThreads, estimateRunTime, longRunNotice } from "../run/time-estimate.js";
import { checkTrainLabels } from "../run/train-labels.js";
import { type Lead, trainWithCheckpoints } from "../run/train-with-checkpoints.js";
import { interruptRun, NO_INTERRUPT } from "../terminal/interrupt.js";
import { showPreparation, showStages } from "../terminal/preparation-progress.js";
import { showProgress } from "../terminal/progress.js";
import { type EmbedArguments, readFormats } from "./embed-options.js";
import { preparePage, readReportLabels } from "./embed-report.js";
import { embedSummary } from "./embed-summary.js";
import { explainLostEngine, failTraining } from "./failed-training.js";
import { readRunGraph } from "./read-run-graph.js";
import { writeRun } from "./write-run.js";

/** Bytes of one number in the output files. */
const NUMBER_BYTES = 4;
/** Numbers per parameter in the output files: one in the model file and four in the checkpoint. */
const NUMBERS_PER_PARAMETER = 5;

/** Advice if ranks do not agree. */
const SAME_OPTIONS = "Start every rank with the same options, on machines of the same kind.";

/** Trains on this process alone, or as one of the ranks of a job. */
export async function embedGraph(args: EmbedArguments, job: Job): Promise<number | undefined> {
  const { values } = args;
  const { output } = job;
  const { resume, allowOtherEngine, overwrite, perRelation } = values;
  const out = requireOutputFolder(values.out);
  if (resume && overwrite)
    throw new InputError("--overwrite: found together with --resume; expected only one of them.");
  if (allowOtherEngine && !resume) {
    throw new InputError("--allow-other-engine: belongs to --resume, which is not given.");
  }
  const source = readSourceOptions(args);
  const request = await readModelOptions(args);
  const resolved = resolveTraining(request.model, request.settings);
  const formats = readFormats(values);
  await checkTrainLabels(values.trainLabels, request.model);
  if (perRelation && request.model.relationVectors === undefined) {
    throw new InputError(
      `--per-relation: ${request.model.name} has no vectors per relation; leave out --per-relation or choose another model.`,
    );
  }
  const withReport = !values.noReport;
  if (!withReport && values.labels !== undefined) {
    throw new InputError(
      "--labels: found together with --no-report; expected only one of them, because labels only colour the report.",
    );
  }
  const ownEngine = await readEngine(values, output, { numRanks: job.ranks?.size, localRanks: job.localSize });
  const divided = job.ranks === undefined ? undefined : partitionedEngine(ownEngine, job.ranks);
  const engine = divided ?? ownEngine;
  const lead: Lead = (work) => divided?.lead(work) ?? work();

  const folder = await job.share(() => checkOutputFolder(out, { overwrite, resume, args }));
  const modelFile = modelFileOf(request.model);
  const constantRate = (request.model.optimization?.finalRate ?? 1) === 1;
  const requested: Settings = {
    ...resolved.options,
    ...resolved.training,
    model: request.model.name,
    "model file": shortHash(modelFile),
    ...graphSettings(commandOptions(args)),
  };
  job.requireAgreement(settingsInWords({ ...requested, "instruction set": engine.kernels }), SAME_OPTIONS);
  const saved = resume
    ? await shareResumePoint(job, () => findResumePoint(out, folder, { requested, constantRate }, output))
    : undefined;
  if (saved !== undefined && saved !== "finished" && saved.modelFile !== modelFile?.sha256) {
    throw new InputError(
      `--resume: the checkpoint in ${out} was made with another version of the model's file. Restore that version, or train again with --overwrite instead of --resume.`,
    );
  }
  if (saved === "finished" && folder.earlier !== undefined && job.leads) {
    requireSameSettings(out, folder.earlier, requested, constantRate);
    if (contentHash(await loadSource(source, output.quiet)) !== folder.earlier.graph.hash) {
      throw new InputError(
        `--resume: ${out} holds a finished run of another graph. Add --overwrite to train again, or choose another --out.`,
      );
    }
    output.print(`${out}: the run is finished (${folder.earlier.epochs} epochs); nothing to resume.`);
    output.document({ ...folder.earlier, out });
  }
  if (saved === "finished") {
    job.leave();
    return 0;
  }

  const startTime = performance.now();
  const { graph, trainLabels } = await readRunGraph(source, values, request.model, job);
  const trainable = { ...graph, labels: trainLabels?.input };
  for (const note of request.model.notes?.(trainable, resolved.options) ?? []) output.note(`note: ${note}`);
  const loaded = performance.now();
  if (job.leads) checkWritable(graph, formats.map(formatByName));
  const labels =
    withReport && job.leads ? await readReportLabels(values.labels, graph, output, labelColumns(values)) : undefined;
  const withRelations = request.model.relationVectors !== undefined;
  const numRanks = job.ranks?.size ?? 1;
  const dim = Number(resolved.options["dim"] ?? 0);
  const sizes = dataSizes(graph, dim);
  const estimate = await job.sharing.once(async () => {
    const whole = await estimateRun(trainable, request.model, { ...request.settings, engine, withRelations });
    await requireEngineMemory(trainable, request, whole, { numRanks, engine, force: values.force });
    const needed = estimateMachineBytes(whole, sizes, { numRanks, localSize: job.localSize });
    if (!values.force) requireMemory(needed, { limit: values.memoryLimit, advice: memoryAdvice(numRanks) });
    return { ...whole, engineBytes: whole.engineBytes / numRanks };
  });
  const numbers = estimate.numParameters * NUMBERS_PER_PARAMETER + graph.numNodes * dim;
  if (job.leads) await requireDiskSpace(out, numbers * NUMBER_BYTES);

  const interrupt = job.ranks === undefined ? interruptRun(output.note) : NO_INTERRUPT;
  const started = saved?.started ?? new Date().toISOString();
  const { numParameters } = estimate;
  const finalStages = stagesAfterTraining(graph, {
    dim,
    numParameters,
    report: withReport,
    numFormats: formats.length,
  });
  const threads = busyThreads(engine.numThreads, { numRanks, localSize: job.localSize });
  const shape = { threads, numNodes: graph.numNodes, dim };
  const left = afterEpochs(estimate, saved?.snapshot.progress.epoch ?? 0);
  for (const line of longRunNotice(estimateRunTime(left, shape, { finalStages }), left)) output.note(line);
  const preparation = showPreparation(output.quiet);
  const run = await startRun(trainable, request.model, {
    ...request.settings,
    engine,
    signal: interrupt.signal,
    resume: saved?.snapshot,
    allowOtherEngine,
    processes: job.sharing,
    withRelations,
    onPart: preparation.update,
    onStep: preparation.step,
  }).finally(preparation.end);
  job.freeMemory();
  interrupt.begin("training");
  try {
    const prepared = performance.now();
    if (saved !== undefined) output.note(`resuming after epoch ${run.numEpochs}`);
    const earlierKernels = kernelsBefore(saved, engine.kernels);
    if (earlierKernels.length > 0) {
      output.note(
        `note: epochs were trained with ${earlierKernels.join(" and ")}: the vectors differ from those of an unbroken run.`,
      );
    }
    const progress = showProgress(resolved.training.epochs, output.quiet);
    const seconds = await trainWithCheckpoints(
      run,
      {
        out,
        started,
        every: values.checkpointEvery,
        modelFile: modelFile?.sha256,
        earlierKernels,
        keepLast: constantRate,
        job,
        lead,
      },
      progress,
    ).catch((error: unknown) => failTraining(error, out, folder, job));
    if (run.bestEpoch === 0) {
      output.note("stopped before the first epoch; nothing was written");
      return 130;
    }
    const exchanged = divided?.exchanged();
    if (job.ranks !== undefined && exchanged !== undefined) {
      output.note(gatherExchanges(job.ranks, exchanged, run));
    }
    const writeResults = async () => {
      interrupt.begin(withReport ? "report" : "files");
      const results = await runResults(run, request.model, graph);
      const trained = performance.now();
      const stages = showStages("report and files", finalStages, { ...output, ...shape });
      stages.step(STAGE_NAMES.diagnostics);
      const { vectors, relationWeights } = results;
      const diagnostics = {
        ...diagnose(vectors),
        weightMovement: weightMovement(relationWeights),
        spectralRecovery: spectralRecovery(graph, vectors),
      };
      const command = commandLine("embed", args);
      if (withReport) stages.step(STAGE_NAMES.report);
      const onStep = (done: number, of: number) => stages.step(STAGE_NAMES.report, done, of);
      const page = withReport
        ? await preparePage(
            { graph, vectors, labels, engine: ownEngine, signal: interrupt.signal, command, onStep },
            output.note,
          )
        : undefined;
      const report = (performance.now() - trained) / 1000;
      interrupt.begin("files");
      const outputOptions = { formats, perRelation };
      return writeRun(out, folder, run, results, request, graph, outputOptions, page, stages, (outputs, write) => {
        const total = (performance.now() - startTime) / 1000;
        return buildRecord({
          args,
          out,
          started,
          resolved,
          graph,
          labels: trainLabels?.record ?? null,
          engine,
          earlierKernels,
          run,
          seconds: {
            load: (loaded - startTime) / 1000,
            start: (prepared - loaded) / 1000,
            write,
            report,
            total,
            perEpoch: seconds.length > 0 ? median(seconds) : run.seconds / run.numEpochs,
          },
          memory: {
            peakBytes: peakMemory(),
            engineBytes: run.memoryBytes,
            estimatedBytes: estimateProcessBytes(estimate, sizes),
          },
          relationWeights,
          diagnostics,
          modelFile,
          outputs,
        });
      }).finally(stages.end);
    };
    const record = await lead(writeResults)
      .catch((error: unknown) => explainLostEngine(error, out))
      .finally(() => job.leave());
    if (record === undefined) return 0; // another rank
    const keepCheckpoint = record.stopReason === "aborted" || (constantRate && record.stopReason === "epochs");
    if (!keepCheckpoint) await removeCheckpoint(out);
    if (!output.quiet) output.print(embedSummary(record, out, graph, output));
    output.document({ ...record, out });
    return 0;
  } finally {
    await run.discard();
    interrupt.stop();
  }
}

function memoryAdvice(numRanks: number): string {
  const machines = numRanks > 1 ? "use more machines, " : "";
  return `Lower --dim or a width of the model (--set), leave out relations, ${machines}or add --force to try anyway.`;
}

function settingsInWords(settings: Settings): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

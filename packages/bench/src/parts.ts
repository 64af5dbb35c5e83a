// Exports parts of the harness for its companion packages: data sets, prompts, recorded answers, random numbers, the probe table, processes, figures, forgetting.
export { QUESTION_TYPES } from './datasets/halumem.ts'
export { memDialogueThemeSchema } from './datasets/mem-dialogue.ts'
export { readTime } from './datasets/read-time.ts'
export { seededDraw, type Draw } from './metrics/seeded-draw.ts'
export { seededRandom } from './metrics/seeded-random.ts'
export { fence, type Shown } from './prompts/fence.ts'
export { promptRules } from './prompts/data-prompt.ts'
export { insertProbes, type InsertProbesOptions } from './probe-table/insert-probes.ts'
export { readProbeTable, type Probe } from './probe-table/probe-table.ts'
export { readRecording } from './recordings/recording.ts'
export { replayingModel } from './recordings/replaying-model.ts'
export { replayOrRecord } from './recordings/replay-or-record.ts'
export { defineBenchmark, stepEntry, type Step } from './benchmark/benchmark.ts'
export {
  folderOption,
  oneOf,
  OptionError,
  seedOption,
  shareNumber,
  wholeNumber,
} from './benchmark/options.ts'
export { EVERYDAY_FOLDER, loadEveryday } from './datasets/everyday.ts'
export { ALL, type Figure, type SystemFigures } from './log/figure.ts'
export type { LogEntry } from './log/log-entry.ts'
export { meanProcessorTime, quantilesNamed, round, timeCalls, timeFigures } from './metrics/time-calls.ts'
export { answerFurther, answerParent, askChild, Child, isChild } from './processes/child.ts'
export { processUsage, type ProcessUsage } from './processes/process-usage.ts'
export { plainFigures } from './results/plain-figures.ts'
export { auroc } from './metrics/auroc.ts'
export { mean } from './metrics/means.ts'
export { resampleClusters, type Interval } from './metrics/bootstrap-interval.ts'
export { engineSystem } from './forgetting/engine-run.ts'
export type { ForgettingTalk, TalkUnit } from './forgetting/forgetting-talk.ts'
export { LUFY } from './forgetting/policies.ts'
export { loadLufyTalks } from './forgetting/read-lufy-talks.ts'
export { scoreForgetting } from './forgetting/score-forgetting.ts'
export {
  estimate,
  estimateLead,
  estimateMean,
  scorePeople,
  type Estimate,
  type ForgettingEstimates,
  type PersonScore,
} from './forgetting/summarise-scores.ts'

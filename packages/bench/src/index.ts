export {
  defineBenchmark,
  stepEntry,
  type BenchContext,
  type Benchmark,
  type Measurement,
  type RunContext,
  type Step,
} from './benchmark/benchmark.ts'
export { describeOptions, OptionError, type OptionForm } from './benchmark/options.ts'
export { runBenchmark, runMeasurement, type FinishedRun } from './benchmark/run-benchmark.ts'
export { RunError } from './benchmark/run-error.ts'
export { BENCHMARKS } from './benchmarks.ts'
export type {
  BenchConversation,
  Dataset,
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
  GoldMemory,
  GoldOperation,
  OpenedDataset,
} from './datasets/conversation.ts'
export { DatasetError } from './datasets/dataset-error.ts'
export { loadLocomo } from './datasets/locomo.ts'
export { loadLufy } from './datasets/lufy.ts'
export type { MemDialogueTheme } from './datasets/mem-dialogue.ts'
export { loadMemoryBank } from './datasets/memorybank.ts'
export { openDataset, DATASET_NAMES, type DatasetName } from './datasets/open-dataset.ts'
export { loadOwnTalk, type Talk } from './datasets/own-talk.ts'
export { deterministicJudge } from './judges/deterministic-judge.ts'
export type { Judge } from './judges/judge.ts'
export { JudgeError } from './judges/judge-error.ts'
export { modelJudge } from './judges/model-judge.ts'
export { TASKS, type Figure, type SystemFigures, type TaskName } from './log/figure.ts'
export type { LogEntry } from './log/log-entry.ts'
export { numberText as paperNumber } from './papers/doc/markdown.ts'
export { measureItem, type PaperOptions, type PaperReport } from './papers/measure-item.ts'
export { PAPER_OPTIONS } from './papers/paper-options.ts'
export { findItem, findPaper, PAPERS } from './papers/papers.ts'
export type { Paper, PaperItem } from './papers/registry/paper.ts'
export { stateWords } from './papers/states.ts'
export { loadProbe, sampleProbe, PROBE_KINDS } from './probes/probe-items.ts'
export { probeJudge, type ProbeReport } from './probes/probe-judge.ts'
export { extractiveReader } from './readers/extractive-reader.ts'
export { modelReader } from './readers/model-reader.ts'
export type { Reader } from './readers/reader.ts'
export { ReaderError } from './readers/reader-error.ts'
export { RecordingError } from './recordings/recording.ts'
export { replayingModel, type ReplayingModel } from './recordings/replaying-model.ts'
export { replayOrRecord, type RecordedModel } from './recordings/replay-or-record.ts'
export { compareRuns } from './reports/compare-runs.ts'
export { headlineTable } from './reports/headline-table.ts'
export { readRuns, ReportError } from './reports/read-runs.ts'
export { renderHtml, type HtmlOptions } from './reports/render-html.ts'
export { renderMarkdown } from './reports/render-markdown.ts'
export type { PairedDifference, ReportRun } from './reports/report-run.ts'
export type { RunSummary } from './results/run-summary.ts'
export { comparePaired, type PairedFigure } from './runs/figures/compare-paired.ts'
export { measureSystem, type MeasureSystemOptions } from './runs/measure-system.ts'
export {
  isHttpSystem,
  openSystem,
  SYSTEM_NAMES,
  type HttpSystemName,
  type SystemName,
} from './systems/open-system.ts'
export type {
  AddedDialogue,
  Dialogue,
  MemorySystem,
  OpenSystemMemory,
  Retrieved,
  RetrievedMemory,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
  SystemOperation,
  SystemUsage,
} from './systems/memory-system.ts'

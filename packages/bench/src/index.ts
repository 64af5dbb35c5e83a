/** The harness: data sets, metrics and benchmarks, for the command line and for those who measure. */
export { loadLocomo } from './datasets/locomo.ts'
export { loadLufy } from './datasets/lufy.ts'
export { loadMemoryBank } from './datasets/memorybank.ts'
export { loadOwnTalk, type Talk } from './datasets/own-talk.ts'
export { DatasetError } from './datasets/dataset-error.ts'
export type { BenchConversation, Dataset } from './datasets/conversation.ts'
export { benchCost, type CostBenchOptions, type CostReport } from './cost/bench-cost.ts'
export { shippedAnswers, type AnswerSource } from './cost/choose-answers.ts'
export { inspectMemory } from './cost/inspect-memory.ts'
export type { TalkSource } from './cost/open-talk.ts'
export { renderCost } from './cost/render-cost.ts'
export {
  benchForgetting,
  type BenchForgettingOptions,
  type ForgettingDataset,
  type ForgettingReport,
} from './forgetting/bench-forgetting.ts'
export type { Capacity } from './forgetting/capacities.ts'
export { benchPeers, type BenchPeersOptions, type PeersReport } from './peers/bench-peers.ts'
export { renderPeers } from './peers/render-peers.ts'
export { benchPerf, type BenchPerfOptions, type PerfReport } from './perf/bench-perf.ts'
export { benchVectorScan } from './perf/vector-scan.ts'
export { benchServer, type BenchServerOptions, type ServerReport } from './server-load/bench-server.ts'
export {
  benchServerKills,
  type ServerKillsOptions,
  type ServerKillsReport,
} from './server-load/bench-server-kills.ts'
export { LOAD_SETTING_NAMES, type LoadSettingName } from './server-load/load-plan.ts'
export { renderServer } from './server-load/render-server.ts'
export { benchRetrieval } from './retrieval/bench-retrieval.ts'
export { keepsakeSystem, turnLevelBm25 } from './retrieval/keepsake-system.ts'
export { RecordingError } from './recordings/recording-error.ts'
export { recordingModel } from './recordings/recording-model.ts'
export { replayingModel, type ReplayingModel } from './recordings/replaying-model.ts'
export { replayOrRecord, type RecordedModel } from './recordings/replay-or-record.ts'
export { withoutUsage } from './recordings/without-usage.ts'

export { openDataset, DATASET_NAMES, type DatasetName } from './datasets/open-dataset.ts'
export type {
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
  GoldMemory,
  GoldOperation,
  OpenedDataset,
} from './datasets/conversation.ts'
export type { MemDialogueTheme } from './datasets/mem-dialogue.ts'
export { deterministicJudge } from './judges/deterministic-judge.ts'
export type { Judge } from './judges/judge.ts'
export { JudgeError } from './judges/judge-error.ts'
export { modelJudge } from './judges/model-judge.ts'
export { loadProbe, sampleProbe, PROBE_KINDS } from './probes/probe-items.ts'
export { probeJudge, type ProbeReport } from './probes/probe-judge.ts'
export { extractiveReader } from './readers/extractive-reader.ts'
export { modelReader } from './readers/model-reader.ts'
export type { Reader } from './readers/reader.ts'
export { ReaderError } from './readers/reader-error.ts'
export { cachedModel } from './runs/cached-model.ts'
export type { Figure, RunSummary } from './runs/figure.ts'
export { comparePaired, type PairedFigure } from './runs/figures/compare-paired.ts'
export { TASKS, type LogEntry, type TaskName } from './runs/log-entry.ts'
export {
  compareRuns,
  nameRuns,
  readReportInputs,
  readRun,
  renderHtml,
  renderMarkdown,
  ReportError,
  type BesideRuns,
  type HtmlOptions,
  type PairedDifference,
  type ReportRun,
  type RetentionReport,
} from './reports/index.ts'
export { runBench, type FinishedRun, type RunOptions } from './runs/run-bench.ts'
export { RunError } from './runs/run-error.ts'
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

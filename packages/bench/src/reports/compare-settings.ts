import type { ReportRun } from './report-run.ts'

/** The conditions of a run. Two runs can be compared only if all of them are equal. */
const CONDITIONS = [
  ['data set', ({ summary }) => summary.dataset],
  ['data, sha256', ({ summary }) => summary.dataHash],
  ['reader', ({ summary }) => nameWithVersion(summary.reader, summary.config['readerVersion'])],
  ['judge', ({ summary }) => nameWithVersion(summary.judge, summary.config['judgeVersion'])],
  ['protocol', ({ summary }) => show(summary.config['protocol'] ?? 'own')],
  ['context tokens', ({ summary }) => show(summary.config['contextTokens'])],
  ['memories a question', ({ summary }) => show(summary.config['memoriesWanted'] ?? 20)],
  ['conversations at most', ({ summary }) => show(summary.config['limit'] ?? 'all')],
  ['conversations measured', ({ summary }) => show(summary.conversations)],
  ['embedder of likeness', ({ summary }) => show(summary.config['likeness'])],
  ['encoder of BERTScore', ({ summary }) => show(summary.config['bertscore'] ?? null)],
  ['own answers', ({ summary }) => show(summary.config['ownAnswers'])],
  ['harness', ({ summary }) => show(summary.config['harness'])],
] as const satisfies readonly (readonly [name: string, valueOf: (run: ReportRun) => string])[]

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The runs that can be compared, and the reasons why others cannot. */
export interface Comparison {
  /** The letter of each run. Runs of a benchmark with the same letter are comparable. If all are, the letter is empty. */
  readonly groupOf: ReadonlyMap<ReportRun, string>
  /** The conditions in which runs differ, with the value of each run. */
  readonly differing: readonly { readonly setting: string; readonly values: readonly string[] }[]
}

/** Groups runs by equal conditions, and lists the differences. Runs of different benchmarks are never compared. */
export function compareSettings(runs: readonly ReportRun[]): Comparison {
  const runsByBenchmark = [...Map.groupBy(runs, ({ summary }) => summary.benchmark).values()]
  const differing = CONDITIONS.filter(([, valueOf]) =>
    runsByBenchmark.some((benchmarkRuns) => new Set(benchmarkRuns.map(valueOf)).size > 1),
  ).map(([setting, valueOf]) => ({ setting, values: runs.map(valueOf) }))
  const groupOf = new Map<ReportRun, string>()
  for (const benchmarkRuns of runsByBenchmark) {
    const conditions = [...new Set(benchmarkRuns.map(conditionsOf))]
    for (const run of benchmarkRuns)
      groupOf.set(run, conditions.length < 2 ? '' : (LETTERS[conditions.indexOf(conditionsOf(run))] ?? '?'))
  }
  return { groupOf, differing }
}

function conditionsOf(run: ReportRun): string {
  return JSON.stringify(CONDITIONS.map(([, valueOf]) => valueOf(run)))
}

function nameWithVersion(name: string | null, version: unknown): string {
  if (name === null) return 'none'
  return typeof version === 'string' ? `${name} (${version})` : name
}

function show(value: unknown): string {
  if (value === undefined) return 'not said'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

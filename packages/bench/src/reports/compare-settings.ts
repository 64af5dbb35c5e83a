import type { ReportRun } from './report-run.ts'

/** Settings that must be equal for figures of two runs to share a column. */
const MUST_BE_EQUAL = [
  ['data set', ({ summary }) => summary.dataset],
  ['data, sha256', ({ summary }) => summary.dataHash],
  ['reader', ({ summary }) => named(summary.reader, summary.config['readerVersion'])],
  ['judge', ({ summary }) => named(summary.judge, summary.config['judgeVersion'])],
  ['protocol', ({ summary }) => show(summary.config['protocol'] ?? 'own')],
  ['context tokens', ({ summary }) => show(summary.config['contextTokens'])],
  ['memories a question', ({ summary }) => show(summary.config['memoriesWanted'] ?? 20)],
  ['conversations at most', ({ summary }) => show(summary.config['limit'] ?? 'all')],
  ['conversations measured', ({ summary }) => show(summary.conversations)],
  ['embedder of likeness', ({ summary }) => show(summary.config['likeness'])],
  ['encoder of BERTScore', ({ summary }) => show(summary.config['bertscore'] ?? null)],
  ['own answers', ({ summary }) => show(summary.config['ownAnswers'])],
  ['harness', ({ summary }) => show(summary.config['harness'])],
] as const satisfies readonly (readonly [name: string, of: (run: ReportRun) => string])[]

export interface Comparison {
  /** Each run's letter: runs of a benchmark with the same letter are comparable. Empty letters: all are. */
  readonly groupOf: ReadonlyMap<ReportRun, string>
  readonly differing: readonly { readonly setting: string; readonly values: readonly string[] }[]
}

/** Groups runs by equal conditions, and lists the differences. Benchmarks are not compared with each other. */
export function compareSettings(runs: readonly ReportRun[]): Comparison {
  const benchmarks = [...Map.groupBy(runs, ({ summary }) => summary.benchmark).values()]
  const differing = MUST_BE_EQUAL.filter(([, of]) =>
    benchmarks.some((own) => new Set(own.map(of)).size > 1),
  ).map(([setting, of]) => ({ setting, values: runs.map(of) }))
  const letters = benchmarks.flatMap((own) => {
    const conditionsOf = (run: ReportRun): string => JSON.stringify(MUST_BE_EQUAL.map(([, of]) => of(run)))
    const kinds = [...new Set(own.map(conditionsOf))]
    return own.map((run): [ReportRun, string] => [
      run,
      kinds.length < 2 ? '' : String.fromCodePoint(65 + kinds.indexOf(conditionsOf(run))),
    ])
  })
  return { groupOf: new Map(letters), differing }
}

function named(name: string | null, version: unknown): string {
  if (name === null) return 'none'
  return typeof version === 'string' ? `${name} (${version})` : name
}

function show(value: unknown): string {
  if (value === undefined) return 'not said'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

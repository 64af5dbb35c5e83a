import type { ReportRun } from './report-run.ts'

/** What must be equal for figures of two runs to stand in one column. */
const MUST_BE_EQUAL = [
  ['data set', (run) => run.summary.dataset],
  ['data, sha256', (run) => run.summary.dataHash],
  ['reader', (run) => named(run.summary.reader, run.summary.config['readerVersion'])],
  ['judge', (run) => named(run.summary.judge, run.summary.config['judgeVersion'])],
  ['context tokens', (run) => told(run.summary.config['contextTokens'])],
  ['conversations at most', (run) => told(run.summary.config['limit'] ?? 'all')],
  ['conversations measured', (run) => told(run.summary.conversations)],
  ['embedder of likeness', (run) => told(run.summary.config['likeness'])],
  ['own answers', (run) => told(run.summary.config['ownAnswers'])],
  ['harness', (run) => told(run.summary.config['harness'])],
] as const satisfies readonly (readonly [name: string, of: (run: ReportRun) => string])[]

export interface Comparison {
  /** Each run's letter: runs with the same letter can be compared. Empty letters: all can. */
  readonly groupOf: ReadonlyMap<ReportRun, string>
  /** What differs, and each run's value of it. */
  readonly differing: readonly { readonly setting: string; readonly values: readonly string[] }[]
}

/** Which runs were made under the same conditions, and what parts the others. */
export function compareSettings(runs: readonly ReportRun[]): Comparison {
  const differing = MUST_BE_EQUAL.flatMap(([setting, of]) => {
    const values = runs.map(of)
    return new Set(values).size < 2 ? [] : [{ setting, values }]
  })
  const conditions = (run: ReportRun): string => JSON.stringify(MUST_BE_EQUAL.map(([, of]) => of(run)))
  const kinds = [...new Set(runs.map(conditions))]
  const letter = (run: ReportRun): string =>
    kinds.length < 2 ? '' : String.fromCodePoint(65 + kinds.indexOf(conditions(run)))
  return { groupOf: new Map(runs.map((run) => [run, letter(run)])), differing }
}

function named(name: string | null, version: unknown): string {
  if (name === null) return 'none'
  return typeof version === 'string' ? `${name} (${version})` : name
}

function told(value: unknown): string {
  if (value === undefined) return 'not said'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

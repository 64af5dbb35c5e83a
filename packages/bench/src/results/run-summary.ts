import { createHash } from 'node:crypto'
import { z } from 'zod'
import { FIGURE_TASKS, UNITS, type Figure } from '../log/figure.ts'

/** Version of the files of a run: `run.json`, `log.jsonl` and `summary.json`. */
export const FORMAT = 2
/** Version of what the harness counts and how. Figures of different versions are not comparable. */
export const HARNESS_VERSION = '3'

const text = z.string()
const number = z.number()

const machine = z.object({
  node: text,
  v8: text,
  platform: text,
  arch: text,
  processors: number,
  /** Version of Keepsake's packages. */
  keepsake: text,
  /** Load average over a minute, before and after the run. It shows whether the machine did other work. */
  load: z.tuple([number, number.nullable()]),
})

export type Machine = z.infer<typeof machine>

/** Fields that decide the figures of a run. Two runs that agree in them measure the same. */
const conditions = {
  /** The name of the benchmark, such as `run` or `forgetting`. */
  benchmark: text,
  dataset: text,
  /** sha256 of the data. For generated data, a text that names its seed. */
  dataHash: text,
  /** Settings of the systems, limits, budgets, seeds and versions. Never a key. */
  config: z.record(text, z.unknown()),
  /** The reader, which answered the questions. `null`: none was needed. */
  reader: text.nullable(),
  /** The judge. `null`: nothing was judged. */
  judge: text.nullable(),
  tasks: z.array(z.enum(FIGURE_TASKS)),
}

/** Fields that say when and where a run was made. They do not decide its figures. */
const circumstances = {
  /** The command of the run. Secrets are in the environment, not in the command. */
  command: text,
  /** `null`: an older run, which did not record it. */
  machine: machine.nullable(),
  startedAt: text,
}

/** The content of `run.json`, which is written before the run begins. */
export const runManifest = z.object({
  format: z.literal(FORMAT),
  ...conditions,
  systems: z.array(text),
  ...circumstances,
})
export type RunManifest = z.infer<typeof runManifest>

/** Reads an interval. JSON has no NaN, so an interval that could not be computed has ends of `null`. */
function bothEnds(ends: { low: number | null; high: number | null } | null): Figure['interval'] {
  return ends === null || ends.low === null || ends.high === null ? null : { low: ends.low, high: ends.high }
}

const figure: z.ZodType<Figure> = z.object({
  task: z.enum(FIGURE_TASKS),
  metric: text.min(1),
  slice: text.min(1),
  value: number.nullable(),
  interval: z.object({ low: number.nullable(), high: number.nullable() }).nullable().transform(bothEnds),
  count: number.int().min(0),
  unit: z.enum(UNITS),
  judge: text.nullable(),
})

/** The result of one system. `summary.json` contains it, or a list if a run measured several systems. `--json` prints it. */
export const runSummary = z.object({
  format: z.literal(FORMAT),
  ...conditions,
  system: text,
  /** `null`: the benchmark has no conversations. */
  conversations: number.nullable(),
  failures: number,
  /** Numbers of questions that were not scored, by reason. */
  leftOut: z.record(text, number),
  figures: z.array(figure),
  /** Further facts about the run, in sentences. */
  remarks: z.array(text),
  ...circumstances,
  finishedAt: text,
})
/** A summary as it is written to a file. */
export type RunSummary = z.infer<typeof runSummary>

/** Hashes the conditions of a run. A run can resume another one that has the same fingerprint. */
export function fingerprintOf({ command: _c, startedAt: _s, machine: _m, ...rest }: RunManifest): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(rest)))
    .digest('hex')
    .slice(0, 12)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([keyA], [keyB]) => (keyA < keyB ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

/** Describes the first problem of a value and its place, such as `figures[3].value: …`. */
export function describeProblem({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue === undefined) return 'is not in the expected form'
  const place = z.core.toDotPath(issue.path)
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${place === '' ? 'the value' : `\`${place}\``}: ${issue.message}${more}`
}

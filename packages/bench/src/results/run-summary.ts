import { createHash } from 'node:crypto'
import { z } from 'zod'
import { FIGURE_TASKS, UNITS, type Figure } from '../log/figure.ts'

/** Of the files of a run: `run.json`, `log.jsonl`, `summary.json`. */
export const FORMAT = 2
/** Of what the harness counts and how: a figure of another version is another figure. */
export const HARNESS_VERSION = '3'

const text = z.string()
const number = z.number()

const machine = z.object({
  node: text,
  v8: text,
  platform: text,
  arch: text,
  processors: number,
  /** Of Keepsake's packages. */
  keepsake: text,
  /** Load average over a minute, before the run and after: what else the machine did. */
  load: z.tuple([number, number.nullable()]),
})

/** Where and when something was run. */
export type Machine = z.infer<typeof machine>

/** What decides a run's figures: two runs that agree in it measure the same. */
const measured = {
  /** The benchmark's name: `run`, `forgetting`, … */
  benchmark: text,
  dataset: text,
  /** sha256 of what was read; of what is generated, what it is generated from. */
  dataHash: text,
  /** Settings of the systems, limits, budgets, seeds, versions; never a key. */
  config: z.record(text, z.unknown()),
  /** Who answered from what was retrieved, and who judged; `null`: no one was asked. */
  reader: text.nullable(),
  judge: text.nullable(),
  /** What was to be measured. */
  tasks: z.array(z.enum(FIGURE_TASKS)),
}

const circumstances = {
  /** The command that made it; no secrets, which are in the environment. */
  command: text,
  /** `null`: an older run, which did not note it. */
  machine: machine.nullable(),
  startedAt: text,
}

/** `run.json`: what is measured, written before anything is. */
export const runManifest = z.object({
  format: z.literal(FORMAT),
  ...measured,
  systems: z.array(text),
  ...circumstances,
})
export type RunManifest = z.infer<typeof runManifest>

/** JSON has no NaN: an interval that could not be made has ends of null. */
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

/** A system as it was measured: `summary.json`, which holds a list where a run measured several, and what `--json` prints. */
export const runSummary = z.object({
  format: z.literal(FORMAT),
  ...measured,
  system: text,
  /** `null`: the benchmark is not of conversations. */
  conversations: number.nullable(),
  failures: number,
  /** Questions left out of what is scored, by reason. */
  leftOut: z.record(text, number),
  figures: z.array(figure),
  /** What else is to be known of it, in sentences. */
  remarks: z.array(text),
  ...circumstances,
  finishedAt: text,
})
/** The result file of a run: its conditions and its figures. */
export type RunSummary = z.infer<typeof runSummary>

/** Names what is measured: of two runs with one fingerprint one can go on where the other stopped. */
export function fingerprintOf({ command: _c, startedAt: _s, machine: _m, ...rest }: RunManifest): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(rest)))
    .digest('hex')
    .slice(0, 12)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

/** Where in a value, and what is wrong there: `figures[3].value: …`. The first problem only. */
export function tellProblem({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue === undefined) return 'is not in the expected form'
  const place = z.core.toDotPath(issue.path)
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${place === '' ? 'the value' : `\`${place}\``}: ${issue.message}${more}`
}

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { TASKS } from './log-entry.ts'

/** Of what the harness counts and how: a figure of another version is another figure. */
export const HARNESS_VERSION = '1'

const named = z.object({ name: z.string(), version: z.string() })

/** What a run is, written as `run.json` before anything is measured. */
export const runManifest = z.object({
  format: z.literal(1),
  harness: z.string(),
  dataset: z.string(),
  dataHash: z.string(),
  /** Conversations measured at most; `null`: all. */
  limit: z.number().nullable(),
  system: z.string(),
  /** Settings of the system; never a key. */
  config: z.record(z.string(), z.unknown()),
  /** The language model the system works with, and the embedder where it is not the system's own. */
  model: z.string().nullable(),
  embedding: z.string().nullable(),
  /** The embedder that texts are compared with. */
  likeness: z.string(),
  reader: named,
  judge: named,
  /** Whether a system that has replies of its own gives them. */
  ownAnswers: z.boolean(),
  tasks: z.array(z.enum(TASKS)),
  /** Budget of the context a question is answered from. */
  contextTokens: z.number(),
  command: z.string(),
  startedAt: z.string(),
})

export type RunManifest = z.infer<typeof runManifest>

/** Names what is measured: two runs of one fingerprint measure the same, so one can go on where the other stopped. */
export function fingerprintOf(manifest: RunManifest): string {
  const { command: _command, startedAt: _startedAt, ...measured } = manifest
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(measured)))
    .digest('hex')
    .slice(0, 12)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

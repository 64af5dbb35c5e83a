// Defines the schema of an export's lines.
import { z } from 'zod'
import { GROUNDING_LABELS, MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES } from '../memories/memory.ts'
import { OPERATION_KINDS } from '../memories/operation.ts'
import { MAX_LINE_LENGTH, MAX_LINES } from '../guidelines/guidelines.ts'
import { readMetadata } from '@keepsake/text/names'
import { ROLES } from '../turns/turn.ts'

const text = z.string()
const time = z.number()
const integer = z.int()
const evidence = z.object({
  turn: text,
  quote: text.nullable(),
  against: z.boolean().optional(),
  corrected: z.boolean().optional(),
})

const header = z.object({ row: z.literal('keepsake-export'), format: z.literal(1), tenant: text, user: text })
const scope = z.object({
  row: z.literal('scope'),
  scope: integer,
  agent: text.nullable(),
  app: text.nullable(),
})
const session = z.object({
  row: z.literal('session'),
  scope: integer,
  id: text,
  number: integer,
  startedAt: time,
  lastAt: time,
  endedAt: time.nullable(),
})
/** Metadata, checked like the metadata of a caller. */
const metadata = z.unknown().superRefine((value, context) => {
  try {
    readMetadata(value, 'metadata')
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
})
const erasedTurn = z.object({
  row: z.literal('erased-turn'),
  id: text,
  scope: integer,
  session: text,
  position: integer,
  // Earlier versions exported the assistant as `agent`.
  role: z.enum([...ROLES, 'agent']),
  at: time,
})
const turn = z.looseObject({
  ...erasedTurn.shape,
  row: z.literal('turn'),
  speaker: text.nullable(),
  text,
  timeZone: text.nullable(),
  // Absent if the turn has no metadata, and in exports of earlier versions.
  metadata: metadata.optional(),
})
const origin = z.object({
  preset: text,
  step: text,
  promptVersion: text.nullable(),
  model: text.nullable(),
  actor: text.optional(),
})
const past = z.looseObject({
  text,
  value: text.nullable(),
  validFrom: time,
  validUntil: time,
  evidence: z.array(evidence),
})
const tally = z.object({
  first: integer,
  second: integer,
  rounds: z.array(integer),
  secondAt: integer.nullable().optional(),
  lastSession: integer,
  lastAt: time,
})
const measure = time.nullable()
/** The changed fields of a memory. Only fields that recalls, lists and profiles read are checked. */
const change = z
  .looseObject({
    form: z.enum(MEMORY_FORMS),
    type: z.enum(MEMORY_TYPES),
    subject: text,
    text,
    searchWords: text,
    key: text.nullable(),
    value: text.nullable(),
    level: integer,
    label: z.enum(GROUNDING_LABELS),
    evidence: z.array(evidence),
    sources: z.array(text),
    status: z.enum(MEMORY_STATUSES),
    reason: text.nullable(),
    pinned: z.boolean(),
    learnedAt: time,
    validFrom: time,
    validUntil: time.nullable(),
    past: z.array(past),
    session: text,
    sessionNumber: integer,
    round: integer,
    signals: z.looseObject({ arousal: measure, surprise: measure, importance: measure }).partial(),
    use: tally.loose(),
    origin,
    name: text.nullable(),
    limit: integer.nullable(),
    metadata: z.union([z.null(), metadata]),
  })
  .partial()
const operation = z.looseObject({
  row: z.literal('operation'),
  id: text,
  sequence: integer,
  scope: integer,
  kind: z.enum(OPERATION_KINDS),
  memory: text.nullable(),
  at: time,
  origin,
  parent: text.nullable(),
  undoes: text.nullable(),
  touched: z.array(z.object({ memory: text, rank: z.enum(['first', 'second']), tally: tally.optional() })),
  sessionNumber: integer,
  round: integer,
  payload: z.object({ before: change.nullable(), after: change }).nullable(),
})
const usage = z.object({ row: z.literal('usage'), memory: text, tally })
const progress = z.object({ row: z.literal('progress'), scope: integer, branch: text, position: integer })
const jobFields = z.looseObject({
  row: z.literal('job'),
  id: text,
  kind: z.enum(['consolidate', 'end-session', 'read-segment']),
  scope: integer,
  session: text.nullable(),
  at: time,
  state: z.enum(['queued', 'parked']),
  attempts: integer,
  reason: text.nullable(),
  // Exports of earlier versions do not have the fields below.
  branch: text.nullish(),
  from: integer.nullish(),
  to: integer.nullish(),
  answer: text.nullish(),
})
const job = jobFields.refine(({ kind, session: of }) => kind !== 'end-session' || of !== null, {
  path: ['session'],
  error: 'must name the session that is to end',
})

const lines = z.array(text.max(MAX_LINE_LENGTH)).max(MAX_LINES)
const guidelines = z.object({ row: z.literal('guidelines'), scope: integer, keep: lines, never: lines })
/** The schema of a line. Unknown fields of a memory are imported without a check. */
export const exportRowSchema = z.discriminatedUnion('row', [
  header,
  scope,
  session,
  turn,
  erasedTurn,
  operation,
  progress,
  usage,
  job,
  guidelines,
])

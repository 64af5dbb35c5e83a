// Describes the lines of an export.
import { z } from 'zod'
import { GROUNDING_LABELS, MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES } from '../memories/memory.ts'
import { OPERATION_KINDS } from '../memories/operation.ts'
import { LONGEST_LINE, MOST_LINES } from '../guidelines/guidelines.ts'
import { readMetadata } from '@keepsake/text/names'
import { ROLES } from '../turns/turn.ts'

const text = z.string()
const time = z.number()
const whole = z.int()
const evidence = z.object({ turn: text, quote: text.nullable(), against: z.boolean().optional() })

const header = z.object({ row: z.literal('keepsake-export'), format: z.literal(1), tenant: text, user: text })
const scope = z.object({
  row: z.literal('scope'),
  scope: whole,
  agent: text.nullable(),
  app: text.nullable(),
})
const session = z.object({
  row: z.literal('session'),
  scope: whole,
  id: text,
  number: whole,
  startedAt: time,
  lastAt: time,
  endedAt: time.nullable(),
})
/** Metadata is checked in the same way as that of a caller. */
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
  scope: whole,
  session: text,
  position: whole,
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
  // Absent without metadata, and in exports of earlier versions.
  metadata: metadata.optional(),
})
const origin = z.object({
  preset: text,
  step: text,
  promptVersion: text.nullable(),
  model: text.nullable(),
})
const past = z.looseObject({
  text,
  value: text.nullable(),
  validFrom: time,
  validUntil: time,
  evidence: z.array(evidence),
})
const tally = z.object({
  first: whole,
  second: whole,
  rounds: z.array(whole),
  secondAt: whole.nullable().optional(),
  lastSession: whole,
  lastAt: time,
})
const measure = time.nullable()
/** The fields of a memory that recalls, lists and profiles read. */
const change = z
  .looseObject({
    form: z.enum(MEMORY_FORMS),
    type: z.enum(MEMORY_TYPES),
    subject: text,
    text,
    key: text.nullable(),
    value: text.nullable(),
    level: whole,
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
    sessionNumber: whole,
    round: whole,
    signals: z.looseObject({ arousal: measure, surprise: measure, importance: measure }).partial(),
    use: tally.loose(),
    origin,
    name: text.nullable(),
    limit: whole.nullable(),
    metadata: z.union([z.null(), metadata]),
  })
  .partial()
const operation = z.looseObject({
  row: z.literal('operation'),
  id: text,
  sequence: whole,
  scope: whole,
  kind: z.enum(OPERATION_KINDS),
  memory: text.nullable(),
  at: time,
  origin,
  parent: text.nullable(),
  undoes: text.nullable(),
  touched: z.array(z.object({ memory: text, rank: z.enum(['first', 'second']), tally: tally.optional() })),
  sessionNumber: whole,
  round: whole,
  payload: z.object({ before: change.nullable(), after: change }).nullable(),
})
const usage = z.object({ row: z.literal('usage'), memory: text, tally })
const progress = z.object({ row: z.literal('progress'), scope: whole, branch: text, position: whole })
const jobFields = z.looseObject({
  row: z.literal('job'),
  id: text,
  kind: z.enum(['consolidate', 'end-session', 'read-segment']),
  scope: whole,
  session: text.nullable(),
  at: time,
  state: z.enum(['queued', 'parked']),
  attempts: whole,
  reason: text.nullable(),
  // Exports of earlier versions do not have the fields below.
  branch: text.nullish(),
  from: whole.nullish(),
  to: whole.nullish(),
  answer: text.nullish(),
})
const job = jobFields.refine(({ kind, session: of }) => kind !== 'end-session' || of !== null, {
  path: ['session'],
  error: 'must name the session that is to end',
})

const lines = z.array(text.max(LONGEST_LINE)).max(MOST_LINES)
const guidelines = z.object({ row: z.literal('guidelines'), scope: whole, keep: lines, never: lines })
/** The shape of a line of an export. Other fields of a memory are imported as they are. */
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

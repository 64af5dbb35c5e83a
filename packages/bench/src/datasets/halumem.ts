import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import type {
  BenchConversation,
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
  GoldMemory,
  GoldMemoryType,
  OpenedDataset,
} from './conversation.ts'
import { gatherRounds } from './gather-units.ts'
import { opaqueId } from './opaque-id.ts'
import { timeField } from './read-time.ts'
import { openJsonLines } from './record-file.ts'
import { readFirst, streamConversations } from './stream-conversations.ts'

const ZONE = 'UTC'
/** A question about what was never said: its reference answer says so, and the data gives no evidence. */
const BOUNDARY = 'memory boundary'
const USER_NAME = /Name:\s*([^;\n]+)/
const MEMORY_TYPE = /^(persona|event|relationship)(?: memory)?$/i

const TimeField = timeField('Dec 15, 2025, 08:41:23')

const FlagField = z.unknown().transform((value, context): boolean => {
  const text = typeof value === 'boolean' ? String(value) : value
  if (typeof text === 'string' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  context.addIssue({ code: 'custom', message: 'should be "True" or "False"' })
  return z.NEVER
})

const TypeField = z.string().transform((text, context): GoldMemoryType => {
  const type = MEMORY_TYPE.exec(text)?.[1]?.toLowerCase()
  if (type === 'persona' || type === 'event' || type === 'relationship') return type
  context.addIssue({
    code: 'custom',
    message: 'should be Persona Memory, Event Memory or Relationship Memory',
  })
  return z.NEVER
})

const PointSchema = z.object({
  memory_content: z.string(),
  memory_type: TypeField.nullish(),
  memory_source: z.enum(['primary', 'secondary', 'interference', 'system']),
  is_update: FlagField,
  original_memories: z.array(z.string()).nullish(),
  importance: z.number().nonnegative('should not be below 0').nullish(),
})

const QuestionSchema = z.object({
  question: z.string(),
  answer: z.union([z.string(), z.number()], 'should be a string or a number').transform(String),
  evidence: z.array(z.object({ memory_content: z.string() })).nullish(),
  question_type: z.string(),
})

const TurnSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: TimeField.nullish(),
})

const SessionSchema = z
  .object({
    start_time: TimeField.nullish(),
    end_time: TimeField.nullish(),
    dialogue: z.array(TurnSchema).min(1, 'should have a turn'),
    memory_points: z.array(PointSchema).nullish(),
    questions: z.array(QuestionSchema).nullish(),
    is_generated_qa_session: z.boolean().nullish(),
  })
  .refine((session) => session.is_generated_qa_session === true || Array.isArray(session.memory_points), {
    path: ['memory_points'],
    error: 'should be a list',
  })
  .refine((session) => startOf(session) !== null, 'has no time: neither start_time nor a timestamp')

const UserSchema = z.object({
  uuid: z.string(),
  user_name: z.string().nullish(),
  persona_info: z.unknown(),
  language: z.enum(['en', 'zh']).nullish(),
  sessions: z.array(SessionSchema).min(1, 'should have a session'),
})

type PublishedSession = z.infer<typeof SessionSchema>

/** `null` when nothing tells a session's time. */
function startOf(session: {
  readonly start_time?: number | null | undefined
  readonly dialogue: readonly z.infer<typeof TurnSchema>[]
}): number | null {
  const first = session.dialogue.find(({ timestamp }) => typeof timestamp === 'number')
  return session.start_time ?? first?.timestamp ?? null
}

/**
 * HaluMem, Medium or Long, as released (`halumem.txt`, section 4 and appendix E.3): JSON Lines, a user a line, read
 * line by line. A unit is a round.
 *
 * - Sessions stand in the file's order, which is that of the published evaluation. The Long variant's inserted ones
 *   (`is_generated_qa_session`) have sampled times that do not follow it; they are not scored and carry no gold.
 *   Irrelevant rounds that it inserts inside other sessions are not marked in the data and cannot be recognised.
 * - Questions are asked right after their session, at its end. `keyPoints` are their evidence's memories. The data
 *   names no turns, so gold memories have none and questions have no evidence units: retrieval of turns cannot be
 *   scored on this data set.
 * - A question of the type “Memory Boundary” asks for what was never said: not answerable; only its type tells.
 *   The published evaluation judges it against its reference answer like any other, so the reference (“Unknown; …”)
 *   is kept as `answer`. “Memory Conflict” asks from a false premise, which its reference corrects: answerable.
 * - `importance` is the data's, and 1 where it is absent or 0.
 * - The turns' times are UTC; a turn without one has that of the turn before it.
 * - A set of one's own may name its `language` (`en`, `zh`); the published one is English.
 *
 * @throws DatasetError naming the file, line and field.
 */
export async function openHaluMem(file: string): Promise<OpenedDataset> {
  const source = await openJsonLines(file)
  const { language } = checkRecord(UserSchema.pick({ language: true }), file, await readFirst(source))
  return streamConversations(source, {
    name: 'halumem',
    language: language ?? 'en',
    schema: UserSchema,
    build: buildUser,
  })
}

function buildUser(entry: z.infer<typeof UserSchema>): BenchConversation {
  const user = entry.user_name ?? readName(entry.persona_info)
  const counts = { turns: 0, memories: 0, questions: 0 }
  const sessions: DatasetSession[] = []
  const questions: DatasetQuestion[] = []
  for (const [index, published] of entry.sessions.entries()) {
    const id = opaqueId('s', index + 1)
    const turns = buildTurns(published, user, counts)
    if (published.is_generated_qa_session === true) {
      sessions.push({ id, turns, isScored: false })
      continue
    }
    sessions.push({ id, turns, gold: buildGold(published, counts) })
    const endsAt = Math.max(published.end_time ?? Number.NEGATIVE_INFINITY, ...turns.map(({ at }) => at))
    questions.push(...buildQuestions(published, id, endsAt, counts))
  }
  return { name: entry.uuid, person: entry.uuid, user, sessions, questions, ...gatherRounds(sessions) }
}

function readName(persona: unknown): string {
  return (typeof persona === 'string' ? USER_NAME.exec(persona)?.[1]?.trim() : undefined) ?? 'user'
}

function buildTurns(session: PublishedSession, user: string, counts: { turns: number }): DatasetTurn[] {
  let at = startOf(session) ?? 0
  return session.dialogue.map(({ role, content: text, timestamp }) => {
    at = timestamp ?? at
    const said = { id: opaqueId('t', ++counts.turns), text, at, zone: ZONE }
    return role === 'user'
      ? { ...said, role, speaker: user }
      : { ...said, role: 'agent', speaker: 'assistant' }
  })
}

function buildGold(session: PublishedSession, counts: { memories: number }): GoldMemory[] {
  return (session.memory_points ?? []).map((point) => ({
    id: opaqueId('g', ++counts.memories),
    text: point.memory_content,
    type: point.memory_type ?? null,
    source: point.memory_source,
    isUpdate: point.is_update,
    replaces: point.is_update ? (point.original_memories ?? []) : [],
    importance: point.importance === 0 ? 1 : (point.importance ?? 1),
    turns: [],
  }))
}

function buildQuestions(
  session: PublishedSession,
  after: string,
  askedAt: number,
  counts: { questions: number },
): DatasetQuestion[] {
  return (session.questions ?? []).map((entry) => ({
    id: opaqueId('q', ++counts.questions),
    text: entry.question,
    askedAt,
    category: entry.question_type,
    evidence: [],
    answerable: entry.question_type.toLowerCase() !== BOUNDARY,
    answer: entry.answer,
    keyPoints: (entry.evidence ?? []).map(({ memory_content: text }) => text),
    after,
  }))
}

import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import type {
  BenchConversation,
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
  GoldMemory,
  OpenedDataset,
} from './conversation.ts'
import { gatherUnits } from './gather-units.ts'
import { languageOf } from './language-of.ts'
import { opaqueIds } from './opaque-id.ts'
import { timeField } from './read-time.ts'
import { openJsonLines } from './record-file.ts'
import { readFirst, streamConversations } from './stream-conversations.ts'

/** The six types of questions (appendix A.2). */
export const QUESTION_TYPES = [
  'Basic Fact Recall',
  'Multi-hop Inference',
  'Dynamic Update',
  'Memory Boundary',
  'Memory Conflict',
  'Generalization & Application',
] as const

const ZONE = 'UTC'
/** A question about what was never said: its reference answer says so, and the data gives no evidence. */
const BOUNDARY = 'memory boundary'
const USER_NAME = /Name:\s*([^;\n]+)/

const TimeField = timeField('Dec 15, 2025, 08:41:23')

const FlagField = z
  .union([z.boolean().transform(String), z.string()], 'should be "True" or "False"')
  .refine((text) => /^(true|false)$/i.test(text), 'should be "True" or "False"')
  .transform((text) => text.toLowerCase() === 'true')

const TypeField = z
  .string()
  .toLowerCase()
  .regex(
    /^(persona|event|relationship)( memory)?$/,
    'should be Persona Memory, Event Memory or Relationship Memory',
  )
  .transform((text) => text.replace(' memory', ''))
  .pipe(z.enum(['persona', 'event', 'relationship']))

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

type NextId = ReturnType<typeof opaqueIds>
type PublishedSession = z.infer<typeof SessionSchema>

/** `null` without any time. */
function startOf(session: {
  readonly start_time?: number | null | undefined
  readonly dialogue: readonly z.infer<typeof TurnSchema>[]
}): number | null {
  const first = session.dialogue.find(({ timestamp }) => typeof timestamp === 'number')
  return session.start_time ?? first?.timestamp ?? null
}

/**
 * HaluMem, Medium or Long, as released (the HaluMem paper, section 4 and appendix E.3): JSON Lines, a user a line, read
 * line by line. A unit is a round.
 *
 * - Sessions stand in the file's order, which is that of the published evaluation. The Long variant's inserted ones
 *   (`is_generated_qa_session`) have sampled times that do not follow it; they are not scored and carry no gold.
 *   Irrelevant rounds that it inserts inside other sessions are not marked in the data and cannot be recognised.
 * - Questions are asked right after their session, at its end. `keyPoints` are their evidence's memories. The data
 *   names no turns, so gold memories have none and questions have no evidence units: retrieval of turns cannot be
 *   scored on this data set.
 * - A question of the type “Memory Boundary” asks for what was never said: not answerable, by its type alone.
 *   The published evaluation judges it against its reference answer like any other, so the reference (“Unknown; …”)
 *   is kept as `answer`. “Memory Conflict” asks from a false premise, which its reference corrects: answerable.
 * - `importance` is the data's, and 1 where it is absent. What weighs 0 counts in recall and not in weighted recall.
 * - An update that names nothing it replaces is a new memory, as in the published script: nothing is retrieved for it, and it counts
 *   under extraction (the paper's gold updates are pairs of old and new, section 3).
 * - The turns' times are UTC; a turn without one has that of the turn before it.
 * - A person's talk is read and judged in its own language: the `language` (`en`, `zh`) that a set of one's own may name,
 *   else that of its script. The published set is English.
 *
 * @throws DatasetError naming the file, line and field.
 */
export async function openHaluMem(file: string): Promise<OpenedDataset> {
  const source = await openJsonLines(file)
  const first = checkRecord(UserSchema, file, await readFirst(source))
  return streamConversations(source, {
    name: 'halumem',
    language: languageOfUser(first),
    schema: UserSchema,
    build: buildUser,
  })
}

function languageOfUser({ language, sessions }: z.infer<typeof UserSchema>): 'en' | 'zh' {
  return language ?? languageOf(sessions.flatMap(({ dialogue }) => dialogue.map(({ content }) => content)))
}

function buildUser(entry: z.infer<typeof UserSchema>): BenchConversation {
  const user = entry.user_name ?? readName(entry.persona_info)
  const nextId = opaqueIds()
  const sessions: DatasetSession[] = []
  const questions: DatasetQuestion[] = []
  for (const published of entry.sessions) {
    const id = nextId('s')
    const turns = buildTurns(published, user, nextId)
    if (published.is_generated_qa_session === true) {
      sessions.push({ id, turns, isScored: false })
      continue
    }
    sessions.push({ id, turns, gold: buildGold(published, nextId) })
    const askedAt = Math.max(published.end_time ?? Number.NEGATIVE_INFINITY, ...turns.map(({ at }) => at))
    for (const asked of published.questions ?? [])
      questions.push({ ...readQuestion(asked), id: nextId('q'), askedAt, after: id })
  }
  const { uuid: name } = entry
  const language = languageOfUser(entry)
  const isOwnSet = entry.language !== undefined && entry.language !== null
  return {
    name,
    person: name,
    user,
    language,
    isOwnSet,
    sessions,
    questions,
    ...gatherUnits(sessions, 'rounds'),
  }
}

function readName(persona: unknown): string {
  return (typeof persona === 'string' ? USER_NAME.exec(persona)?.[1]?.trim() : undefined) ?? 'user'
}

function buildTurns(session: PublishedSession, user: string, nextId: NextId): DatasetTurn[] {
  let at = startOf(session) ?? 0
  return session.dialogue.map(({ role, content: text, timestamp }) => {
    at = timestamp ?? at
    const said = { id: nextId('t'), text, at, zone: ZONE }
    return role === 'user'
      ? { ...said, role, speaker: user }
      : { ...said, role: 'assistant', speaker: 'assistant' }
  })
}

function buildGold(session: PublishedSession, nextId: NextId): GoldMemory[] {
  return (session.memory_points ?? []).map((point) => ({
    id: nextId('g'),
    text: point.memory_content,
    type: point.memory_type ?? null,
    source: point.memory_source,
    isUpdate: point.is_update && (point.original_memories ?? []).length > 0,
    isCalledUpdate: point.is_update,
    replaces: point.is_update ? (point.original_memories ?? []) : [],
    importance: point.importance ?? 1,
    turns: [],
  }))
}

function readQuestion({ question, question_type, answer, evidence }: z.infer<typeof QuestionSchema>) {
  return {
    text: question,
    category: question_type,
    evidence: [],
    answerable: question_type.toLowerCase() !== BOUNDARY,
    answer,
    keyPoints: (evidence ?? []).map(({ memory_content: text }) => text),
  }
}

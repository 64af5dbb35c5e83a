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

/** The six types of questions (HaluMem paper, appendix A.2). */
export const QUESTION_TYPES = [
  'Basic Fact Recall',
  'Multi-hop Inference',
  'Dynamic Update',
  'Memory Boundary',
  'Memory Conflict',
  'Generalization & Application',
] as const

const ZONE = 'UTC'
/** The type of questions about what was never said. Their reference answers say “Unknown”. */
const BOUNDARY = 'memory boundary'
/** Matches the name in a user's description: “Name: Ada Bell; …”. */
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

/** Returns the start of a session. `null`: neither the session nor a turn has a time. */
function startOf(session: {
  readonly start_time?: number | null | undefined
  readonly dialogue: readonly z.infer<typeof TurnSchema>[]
}): number | null {
  const first = session.dialogue.find(({ timestamp }) => typeof timestamp === 'number')
  return session.start_time ?? first?.timestamp ?? null
}

/**
 * Opens HaluMem, Medium or Long, as released (HaluMem paper, section 4 and appendix E.3). The file is JSON Lines with one user per line, and
 * is read line by line. A unit is a round: a user's turn with its reply.
 *
 * - Sessions keep the order of the file, as in the published evaluation. The Long variant inserts irrelevant sessions
 *   (`is_generated_qa_session`). Their times do not follow the order. They are not scored and have no gold memories. Irrelevant rounds
 *   inside other sessions are not marked, so they cannot be recognised.
 * - Questions are asked right after their session. `keyPoints` are the memories that answer them. The data names no turns, so retrieval of
 *   turns cannot be scored.
 * - A question of the type “Memory Boundary” asks for what was never said, so it is not answerable. The published evaluation judges it by
 *   its reference answer (“Unknown; …”), which is therefore kept as `answer`. “Memory Conflict” asks from a false premise, which the
 *   reference corrects, so it is answerable.
 * - A memory of importance 0 counts in recall but not in weighted recall. Without a value, importance is 1.
 * - An update that does not name what it replaces counts as a new memory, as in the published script. The paper's updates are pairs of old
 *   and new (section 3).
 * - Times are UTC. A turn without a time has that of the turn before it.
 * - Only files that this harness generated name the language of a user. Otherwise the script decides it.
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
    for (const question of published.questions ?? [])
      questions.push({ ...readQuestion(question), id: nextId('q'), askedAt, after: id })
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

/** Reads the user's name from the description of the person. */
function readName(persona: unknown): string {
  return (typeof persona === 'string' ? USER_NAME.exec(persona)?.[1]?.trim() : undefined) ?? 'user'
}

function buildTurns(session: PublishedSession, user: string, nextId: NextId): DatasetTurn[] {
  let at = startOf(session) ?? 0
  return session.dialogue.map(({ role, content: text, timestamp }) => {
    at = timestamp ?? at
    const speaker = role === 'user' ? user : 'assistant'
    return { id: nextId('t'), text, at, zone: ZONE, role, speaker }
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

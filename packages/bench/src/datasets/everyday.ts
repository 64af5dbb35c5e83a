import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import {
  TurnRoleField,
  nameOfRole,
  type BenchConversation,
  type Dataset,
  type DatasetQuestion,
  type DatasetSession,
} from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherUnits } from './gather-units.ts'
import { languageOf } from './language-of.ts'
import { hashFiles } from './read-input.ts'
import { timeField } from './read-time.ts'
import { openJsonLines } from './record-file.ts'

/** The folder of the talks that ship with the harness, English and Chinese. */
export const EVERYDAY_FOLDER = fileURLToPath(new URL('../../data/everyday', import.meta.url))

const ZONE = 'UTC'
const TURNS = '.turns.jsonl'
const QUESTIONS = '.questions.jsonl'

const TimeField = timeField('2026-01-05T09:00:00Z')

const TurnSchema = z.object({
  id: z.string(),
  session: z.string(),
  at: TimeField,
  role: TurnRoleField,
  text: z.string(),
  speaker: z.string().optional(),
})

/** Kinds of questions. The writer of a question labelled it. */
export const EVERYDAY_KINDS = [
  'first-person',
  'third-person',
  'reworded',
  'about-others',
  'changed',
  'when',
  'several',
  'overview',
  'agent',
  'never-said',
  'false-premise',
] as const

const QuestionSchema = z
  .object({
    id: z.string(),
    text: z.string(),
    kind: z.enum(EVERYDAY_KINDS),
    asked_at: TimeField,
    answerable: z.boolean(),
    answer: z.string(),
    evidence: z.array(z.array(z.string()).min(1, 'should name a turn')),
  })
  .refine(({ answerable, evidence }) => answerable === evidence.length > 0, {
    path: ['evidence'],
    error: 'should name turns for what is answerable, and none for what is not',
  })

/** Loads everyday talk with plain questions. `path` is a folder with `NAME.turns.jsonl` and `NAME.questions.jsonl`, a folder of such folders, or one file. */
export async function loadEveryday(path: string): Promise<Dataset> {
  const files = await findTalks(path)
  if (files.length === 0)
    throw new DatasetError(path, `holds no talk: a NAME${TURNS} with its NAME${QUESTIONS}`)
  const conversations: BenchConversation[] = []
  for (const file of files) conversations.push(await readTalk(file))
  const hashed = files.flatMap((file) => [file, questionsOf(file)])
  const dataHash = await hashFiles(hashed.map((file) => ({ name: basename(file), path: file })))
  return { name: 'everyday', dataHash, conversations, leftOut: {} }
}

async function findTalks(path: string): Promise<string[]> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new DatasetError(path, 'there is no such file or folder', error)
  })
  if (stats.isFile()) return [path]
  const entries = await readdir(path, { recursive: true })
  return entries
    .filter((entry) => entry.endsWith(TURNS))
    .map((entry) => join(path, entry))
    .toSorted()
}

function questionsOf(file: string): string {
  return join(dirname(file), `${basename(file, TURNS)}${QUESTIONS}`)
}

async function readTalk(file: string): Promise<BenchConversation> {
  const name = basename(file, TURNS)
  const sessions = await readSessions(file)
  const turns = sessions.flatMap((session) => session.turns)
  const questions = await readQuestions(questionsOf(file), new Set(turns.map(({ id }) => id)))
  return {
    name,
    person: name,
    user: name,
    language: languageOf(turns.map(({ text }) => text)),
    sessions,
    questions,
    ...gatherUnits(sessions, 'turns'),
  }
}

async function readSessions(file: string): Promise<DatasetSession[]> {
  const sessions = new Map<string, DatasetSession['turns'][number][]>()
  for await (const record of (await openJsonLines(file)).records()) {
    const { session, speaker, ...turn } = checkRecord(TurnSchema, file, record)
    const name = speaker === undefined ? { speaker: nameOfRole(turn.role), isNamed: false } : { speaker }
    sessions.set(session, [...(sessions.get(session) ?? []), { ...turn, ...name, zone: ZONE }])
  }
  return [...sessions].map(([id, turns]) => ({ id, turns }))
}

async function readQuestions(file: string, turns: ReadonlySet<string>): Promise<DatasetQuestion[]> {
  const questions: DatasetQuestion[] = []
  for await (const record of (await openJsonLines(file)).records()) {
    const { kind, asked_at: askedAt, evidence, ...question } = checkRecord(QuestionSchema, file, record)
    const absent = evidence.flat().find((id) => !turns.has(id))
    if (absent !== undefined)
      throw new DatasetError(file, `${record.where}: evidence names ${absent}, which is no turn of the talk`)
    const evidenceTurns = [...new Set(evidence.flat())]
    questions.push({
      ...question,
      category: kind,
      askedAt,
      evidence: evidenceTurns,
      evidenceGroups: evidence,
    })
  }
  return questions
}

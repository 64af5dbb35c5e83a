import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import {
  TurnRoleField,
  nameOfRole,
  type BenchConversation,
  type DatasetQuestion,
  type DatasetTurn,
} from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherUnits } from './gather-units.ts'
import { languageOf } from './language-of.ts'
import { opaqueIds } from './opaque-id.ts'
import { hashFiles, readJson } from './read-input.ts'
import { timeField } from './read-time.ts'
import { openJsonLines } from './record-file.ts'

/** Questions without a time are asked this long after the last turn. */
const AFTER_THE_LAST_TURN_MS = 60_000
/** The kind of questions that nothing answers. */
const UNANSWERABLE_KIND = 'unknown'

const TimeField = timeField('2026-01-05T09:00:00Z')

const TurnSchema = z.object({
  session: z.string(),
  role: TurnRoleField,
  text: z.string(),
  at: TimeField,
  id: z.string().optional(),
  speaker: z.string().optional(),
  timeZone: z.string().default('UTC'),
})

const NotesSchema = z.object({
  user: z.string().optional(),
  language: z.enum(['en', 'zh']).optional(),
  asOf: TimeField.optional(),
  questions: z
    .array(
      z.object({
        question: z.string(),
        evidence: z.array(z.string()),
        kind: z.string().default('other'),
        answer: z.string().optional(),
      }),
    )
    .default([]),
})

type Notes = z.infer<typeof NotesSchema>

/** A talk with the questions of its notes. */
export interface Talk {
  readonly name: string
  /** sha256 of the input. */
  readonly dataHash: string
  readonly conversation: BenchConversation
  /** The language that the notes name. Otherwise the script decides. */
  readonly language?: 'en' | 'zh'
}

/**
 * Loads a talk in JSON Lines with one turn per line, as `keepsake import` reads it. Its questions are in a file `.notes.json` of the same
 * name, which may be absent.
 *
 * @param talk the name of a shipped talk, or a file
 * @throws DatasetError naming the file and the problem.
 */
export async function loadOwnTalk(talk: string): Promise<Talk> {
  const isFile = talk.endsWith('.jsonl')
  const file = isFile ? talk : fileURLToPath(new URL(`../../data/talks/${talk}.jsonl`, import.meta.url))
  const name = basename(file, '.jsonl')
  const notesFile = file.replace(/\.jsonl$/, '.notes.json')
  const files = existsSync(notesFile) ? [file, notesFile] : [file]
  const sessions = await readSessions(file)
  const value = files.length > 1 ? await readJson(notesFile) : {}
  const notes = checkRecord(NotesSchema, notesFile, { where: 'the notes', value })
  const turns = sessions.flatMap((session) => session.turns)
  const user = notes.user ?? turns.find((turn) => turn.role === 'user')?.speaker ?? 'user'
  const questions = buildQuestions(notesFile, notes, turns)
  return {
    name,
    dataHash: await hashFiles(files.map((path) => ({ name: basename(path), path }))),
    conversation: { name, person: user, user, sessions, questions, ...gatherUnits(sessions, 'turns') },
    language: notes.language ?? languageOf(turns.map(({ text }) => text)),
  }
}

async function readSessions(file: string) {
  const sessions = new Map<string, DatasetTurn[]>()
  const nextId = opaqueIds(0)
  for await (const record of (await openJsonLines(file)).records()) {
    const { session, timeZone: zone, ...turn } = checkRecord(TurnSchema, file, record)
    const newId = nextId('t')
    const { role, text, at, id = newId, speaker = nameOfRole(role) } = turn
    sessions.set(session, [...(sessions.get(session) ?? []), { id, role, speaker, text, at, zone }])
  }
  return [...sessions].map(([id, turns]) => ({ id, turns }))
}

function buildQuestions(file: string, notes: Notes, turns: readonly DatasetTurn[]): DatasetQuestion[] {
  const ids = new Set(turns.map(({ id }) => id))
  const askedAt = notes.asOf ?? (turns.at(-1)?.at ?? 0) + AFTER_THE_LAST_TURN_MS
  return notes.questions.map(({ question, evidence, kind: category, answer }, index) => {
    const absent = evidence.find((id) => !ids.has(id))
    if (absent !== undefined)
      throw new DatasetError(file, `question ${index + 1} names ${absent}, which is no turn of the talk`)
    const answerable = category !== UNANSWERABLE_KIND && evidence.length > 0
    return {
      id: `q${index + 1}`,
      text: question,
      askedAt,
      category,
      evidence: answerable ? evidence : [],
      answerable,
      ...(answer ? { answer } : {}),
    }
  })
}

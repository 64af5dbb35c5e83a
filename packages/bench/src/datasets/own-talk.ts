import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchConversation, DatasetQuestion, DatasetSession, DatasetTurn } from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { hashInputs, isRecord, parseJson, readInput } from './read-input.ts'

const AFTER_THE_LAST_TURN_MS = 60_000
/** Chinese talk has Latin names, numbers and punctuation in it; English talk has hardly a Han character. */
const MOSTLY_HAN = 0.2
/** Kinds of questions that nothing in the talk answers, or that must not be answered. */
const UNANSWERABLE = new Set(['unknown'])

/** A talk with what is asked about it. */
export interface Talk {
  readonly name: string
  /** sha256 of the input. */
  readonly dataHash: string
  readonly conversation: BenchConversation
  /** As its notes say; else by its script. Absent where the talk is of a published data set. */
  readonly language?: 'en' | 'zh'
}

/** The talks this package ships, written for it. */
export function ownTalkFile(name: string): string {
  return fileURLToPath(new URL(`../../data/talks/${name}.jsonl`, import.meta.url))
}

/**
 * A talk in JSON Lines, a turn a line, as `keepsake import` takes it, and the questions of the `.notes.json` beside
 * it where there is one.
 *
 * @param talk the name of a talk that is shipped, or a file
 * @throws DatasetError naming the file and what is wrong in it.
 */
export async function loadOwnTalk(talk: string): Promise<Talk> {
  const file = talk.endsWith('.jsonl') ? talk : ownTalkFile(talk)
  const name = basename(file, '.jsonl')
  const bytes = await readInput(file)
  const notesFile = file.replace(/\.jsonl$/, '.notes.json')
  const notesBytes = existsSync(notesFile) ? await readInput(notesFile) : null
  const sessions = readSessions(file, bytes)
  const notes = notesBytes === null ? {} : readNotes(notesFile, notesBytes)
  const inputs = [
    { name: basename(file), bytes },
    ...(notesBytes === null ? [] : [{ name: basename(notesFile), bytes: notesBytes }]),
  ]
  const turns = sessions.flatMap((session) => session.turns)
  const user = textOr(notes['user'], turns.find((turn) => turn.role === 'user')?.speaker ?? 'user')
  const conversation = {
    name,
    person: user,
    user,
    sessions,
    questions: readQuestions(notesFile, notes, turns),
    unitOf: new Map(turns.map(({ id }) => [id, id])),
    sessionOf: new Map(sessions.flatMap(({ id, turns: said }) => said.map((turn) => [turn.id, id] as const))),
  }
  return {
    name,
    dataHash: hashInputs(inputs),
    conversation,
    language: readLanguage(notes['language'], turns),
  }
}

function readSessions(file: string, bytes: Buffer): DatasetSession[] {
  const sessions = new Map<string, DatasetTurn[]>()
  for (const [index, line] of bytes.toString('utf8').split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const where = `${file}, line ${index + 1}`
    const { session, turn } = readTurn(where, parseJson(where, Buffer.from(line)), index)
    sessions.set(session, [...(sessions.get(session) ?? []), turn])
  }
  if (sessions.size === 0) throw new DatasetError(file, 'has no turns')
  return [...sessions].map(([id, turns]) => ({ id, turns }))
}

function readTurn(where: string, value: unknown, index: number): { session: string; turn: DatasetTurn } {
  if (!isRecord(value) || typeof value['text'] !== 'string' || typeof value['session'] !== 'string')
    throw new DatasetError(where, 'should be a turn with `role`, `text`, `at` and `session`')
  const { role, text, session } = value
  const at = typeof value['at'] === 'string' ? Date.parse(value['at']) : Number.NaN
  if (Number.isNaN(at)) throw new DatasetError(where, '`at` should be a time such as 2026-03-03T19:05:00Z')
  if (role !== 'user' && role !== 'agent') throw new DatasetError(where, '`role` should be user or agent')
  const id = textOr(value['id'], `t${String(index).padStart(5, '0')}`)
  const zone = textOr(value['timeZone'], 'UTC')
  return { session, turn: { id, role, speaker: textOr(value['speaker'], role), text, at, zone } }
}

function readNotes(file: string, bytes: Buffer): Record<string, unknown> {
  const notes = parseJson(file, bytes)
  if (!isRecord(notes)) throw new DatasetError(file, 'should be an object with `questions`')
  return notes
}

function readQuestions(
  file: string,
  notes: Readonly<Record<string, unknown>>,
  turns: readonly DatasetTurn[],
): DatasetQuestion[] {
  const ids = new Set(turns.map(({ id }) => id))
  const asOf = Date.parse(textOr(notes['asOf'], ''))
  const askedAt = Number.isNaN(asOf) ? (turns.at(-1)?.at ?? 0) + AFTER_THE_LAST_TURN_MS : asOf
  const asked: unknown = notes['questions'] ?? []
  if (!Array.isArray(asked)) throw new DatasetError(file, '`questions` should be a list')
  return asked.map((entry: unknown, index) => {
    if (!isRecord(entry) || typeof entry['question'] !== 'string' || !Array.isArray(entry['evidence']))
      throw new DatasetError(file, `question ${index + 1} lacks \`question\` or \`evidence\``)
    const evidence = entry['evidence'].map(String)
    const unknown = evidence.find((id) => !ids.has(id))
    if (unknown !== undefined)
      throw new DatasetError(file, `question ${index + 1} names ${unknown}, which is no turn of the talk`)
    const category = textOr(entry['kind'], 'other')
    const answerable = !UNANSWERABLE.has(category) && evidence.length > 0
    const id = `q${index + 1}`
    const answer = textOr(entry['answer'], '')
    return {
      id,
      text: entry['question'],
      askedAt,
      category,
      evidence: answerable ? evidence : [],
      answerable,
      ...(answer === '' ? {} : { answer }),
    }
  })
}

function readLanguage(named: unknown, turns: readonly DatasetTurn[]): 'en' | 'zh' {
  if (named === 'en' || named === 'zh') return named
  const text = turns.map((turn) => turn.text).join('')
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > text.length * MOSTLY_HAN ? 'zh' : 'en'
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

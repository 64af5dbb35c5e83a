import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import readSheets from 'read-excel-file/node'
import type { BenchConversation, Dataset, DatasetQuestion, DatasetSession } from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherUnits } from './gather-units.ts'
import { answerStems, isCorrectUnit, stemsOf } from './lufy-correctness.ts'
import { opaqueIds } from './opaque-id.ts'
import { hashFiles, readInput } from './read-input.ts'

const TIME_ZONE = 'UTC'
/** An arbitrary time, because the published files have none. Sessions are a week apart, and turns a minute. */
const FIRST_SESSION_TIME = Date.UTC(2024, 0, 1, 12)
const SESSION_GAP_MS = 7 * 86_400_000
const TURN_GAP_MS = 60_000
const SESSION_NUMBERS = [1, 2, 3, 4]
/** The folders of all three systems repeat the same Session1. Its questions count only in this folder. */
const FOLDER_OF_SHARED_SESSION = 'LUFY'

type Row = readonly unknown[]

/** The file of one annotator: turns with marks of importance, and questions about the session. */
export interface LufySession {
  readonly turns: readonly LufyTurn[]
  readonly questions: readonly { readonly question: string; readonly answer: string }[]
}

interface LufyTurn {
  readonly role: 'user' | 'assistant'
  readonly speaker: string
  readonly text: string
  /** Whether the annotator marked the turn as important. */
  readonly important: boolean
}

/**
 * Loads the published LUFY data: talks of people with three chatbots, in `{system}/{person}/Session{n}/Annotator0.xlsx`. The directory has
 * these folders, or has them in `Dataset`. Each person with each system is one conversation. A unit is an utterance of the agent with the
 * user's answer. The data does not name the units that answer a question, so `lufy-correctness.ts` decides by words.
 *
 * @param asked `once`: each question is asked after the last session, if some unit answers it by its words. `after-each-session`: after each
 * session every question so far is asked (LUFY, section 5.4). Category `S4 Q1` is then asked after session 4 about session 1.
 * @throws DatasetError naming the file and the problem
 */
export async function loadLufy(
  directory: string,
  { asked = 'once' }: { readonly asked?: 'once' | 'after-each-session' } = {},
): Promise<Dataset> {
  const root = await findRoot(directory)
  const files: { name: string; path: string }[] = []
  const conversations: BenchConversation[] = []
  // `nothingToLookFor`: the answer has no word that the question lacks. `noCorrectUnit`: no unit has the answer's words.
  const leftOut = { nothingToLookFor: 0, noCorrectUnit: 0 }
  for (const system of await listFolders(root)) {
    for (const person of await listFolders(join(root, system))) {
      const sessions: LufySession[] = []
      for (const n of SESSION_NUMBERS) {
        const name = `${system}/${person}/Session${n}/Annotator0.xlsx`
        const path = join(root, name)
        files.push({ name, path })
        sessions.push(await readLufySession(path))
      }
      const built = buildConversation(system, person, sessions, leftOut)
      conversations.push(
        asked === 'once' ? built : { ...built, questions: askedAfterEach(system, sessions, built) },
      )
    }
  }
  return { name: 'lufy', dataHash: await hashFiles(files), conversations, leftOut }
}

/** Finds the folder that has one folder for each system. */
async function findRoot(directory: string): Promise<string> {
  const folders = await listFolders(directory)
  const root = folders.includes('Dataset') ? join(directory, 'Dataset') : directory
  const systems = root === directory ? folders : await listFolders(root)
  if (!systems.includes(FOLDER_OF_SHARED_SESSION)) {
    throw new DatasetError(
      root,
      `should hold a folder a system (${FOLDER_OF_SHARED_SESSION}, MemoryBank, Naive RAG)`,
    )
  }
  return root
}

async function listFolders(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .toSorted()
  } catch (error) {
    throw new DatasetError(directory, 'is not a folder that can be read', error)
  }
}

/** Reads one annotator's workbook. In one published file the column of marks has no name. It is the column before the speaker's. */
export async function readLufySession(file: string): Promise<LufySession> {
  const sheets = await readSheets(await readInput(file)).catch((error: unknown) => {
    throw new DatasetError(file, 'is not a workbook (.xlsx)', error)
  })
  const talk: Row[] | undefined = sheets[0]?.data
  const asked: Row[] | undefined = sheets[1]?.data
  if (talk === undefined || asked === undefined) {
    throw new DatasetError(file, 'should have two sheets, the conversation and its questions')
  }
  const header = (talk[0] ?? []).map((cell) => cellText(cell).toLowerCase())
  const speakerAt = header.indexOf('speaker')
  const utteranceAt = header.indexOf('utterance')
  const importantAt = header.includes('important?') ? header.indexOf('important?') : speakerAt - 1
  if (speakerAt < 0 || utteranceAt < 0 || importantAt < 0) {
    throw new DatasetError(file, 'its first sheet should have the columns important?, speaker, utterance')
  }
  const turns: LufyTurn[] = []
  // The agent speaks first.
  let agent: string | undefined
  for (const row of talk.slice(1)) {
    const text = cellText(row[utteranceAt])
    const speaker = cellText(row[speakerAt])
    if (text === '' || speaker === '') continue
    agent ??= speaker
    const important = Number(row[importantAt] ?? 0) === 1
    turns.push({ role: speaker === agent ? 'assistant' : 'user', speaker, text, important })
  }
  return { turns, questions: readQuestions(file, asked) }
}

function readQuestions(file: string, rows: readonly Row[]): { question: string; answer: string }[] {
  const cells = new Map(rows.map((row) => [cellText(row[0]).toUpperCase(), cellText(row[1])]))
  const questions: { question: string; answer: string }[] = []
  for (let n = 1; cells.has(`Q${n}`); n++) {
    const question = cells.get(`Q${n}`) ?? ''
    const answer = cells.get(`A${n}`) ?? ''
    if (question !== '') questions.push({ question, answer })
  }
  if (questions.length === 0) throw new DatasetError(file, 'its second sheet has no row Q1')
  return questions
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? String(cell).trim()
    : ''
}

function buildConversation(
  system: string,
  person: string,
  read: readonly LufySession[],
  leftOut: { nothingToLookFor: number; noCorrectUnit: number },
): BenchConversation {
  const sessions = buildSessions(read)
  const units = gatherUnits(sessions, 'answers')
  const textOf = new Map<string, string>()
  for (const { id, text } of sessions.flatMap(({ turns }) => turns)) {
    const unit = units.unitOf.get(id) ?? id
    textOf.set(unit, `${textOf.get(unit) ?? ''}\n${text}`)
  }
  const stemsOfUnits = [...textOf].map(([id, text]) => ({ id, stems: stemsOf(text) }))
  const askedAt = (sessions.at(-1)?.turns.at(-1)?.at ?? FIRST_SESSION_TIME) + TURN_GAP_MS
  const questions: DatasetQuestion[] = []
  for (const [s, session] of read.entries()) {
    if (!countsHere(system, s)) continue
    for (const [n, { question: text, answer }] of session.questions.entries()) {
      const expectedStems = answerStems(text, answer)
      const correctUnits = stemsOfUnits.filter(({ stems }) => isCorrectUnit(stems, expectedStems))
      const evidence = correctUnits.map(({ id }) => id)
      if (expectedStems.size === 0) leftOut.nothingToLookFor++
      else if (evidence.length === 0) leftOut.noCorrectUnit++
      if (evidence.length === 0) continue
      const labels = { id: `s${s + 1}q${n + 1}`, category: `session ${s + 1}` }
      const reference = answer === '' ? {} : { answer }
      questions.push({ ...labels, text, askedAt, evidence, answerable: true, ...reference })
    }
  }
  return { name: `${system}/${person}`, person, user: person, sessions, questions, ...units }
}

/** Reports whether questions about a session, or right after it, count in a system's folder. Questions about the shared first session count once. */
function countsHere(system: string, session: number): boolean {
  return session > 0 || system === FOLDER_OF_SHARED_SESSION
}

/** Lists the questions of a conversation if every question so far is asked after each session. */
export function askedAfterEach(
  system: string,
  read: readonly LufySession[],
  { sessions, questions }: BenchConversation,
): DatasetQuestion[] {
  const evidenceOf = new Map(questions.map(({ text, evidence }) => [text, evidence]))
  const asked: DatasetQuestion[] = []
  for (const [s, { id: after, turns }] of sessions.entries()) {
    if (!countsHere(system, s)) continue
    const askedAt = (turns.at(-1)?.at ?? FIRST_SESSION_TIME) + TURN_GAP_MS
    for (const [about, session] of read.slice(0, s + 1).entries())
      for (const [n, { question: text, answer }] of session.questions.entries()) {
        const labels = { id: `${after}.s${about + 1}q${n + 1}`, category: `S${s + 1} Q${about + 1}` }
        const evidence = evidenceOf.get(text) ?? []
        asked.push({ ...labels, text, answer, askedAt, after, evidence, answerable: true })
      }
  }
  return asked
}

function buildSessions(read: readonly LufySession[]): DatasetSession[] {
  const nextId = opaqueIds(0)
  return read.map((session, s) => ({
    id: `s${s + 1}`,
    turns: session.turns.map(({ role, speaker, text }, place) => {
      const at = FIRST_SESSION_TIME + s * SESSION_GAP_MS + place * TURN_GAP_MS
      return { id: nextId('t'), role, speaker, text, at, zone: TIME_ZONE }
    }),
  }))
}

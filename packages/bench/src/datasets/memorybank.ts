import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  BenchConversation,
  Dataset,
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
} from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { hashInputs, isRecord, parseJson, readInput } from './read-input.ts'

const ZONE = 'UTC'
/** The published file gives days only: a day's talk starts at noon, and its turns are a minute apart. */
const NOON_MS = 12 * 3_600_000
const TURN_GAP_MS = 60_000
const DAY = /^\d{4}-\d\d-\d\d$/

/** Which query–response pairs (`2023-04-27#0`) answer each question: by language, then user, then question. */
export interface MemoryBankLabels {
  readonly en: readonly (readonly (readonly string[])[])[]
  readonly cn: readonly (readonly (readonly string[])[])[]
}

/** The labels this package ships. @throws DatasetError when they are missing or of another form. */
export async function readMemoryBankLabels(): Promise<MemoryBankLabels> {
  const file = new URL('../../data/memorybank-labels.json', import.meta.url)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new DatasetError(
      file.pathname,
      'the labels that say which pair answers which question are missing',
      error,
    )
  })
  const labels = parseJson(file.pathname, Buffer.from(text))
  if (!isRecord(labels)) throw new DatasetError(file.pathname, 'should map `en` and `cn` to labels')
  return { en: readLabels(file.pathname, labels['en']), cn: readLabels(file.pathname, labels['cn']) }
}

function readLabels(file: string, users: unknown): string[][][] {
  if (!Array.isArray(users)) throw new DatasetError(file, 'lacks a language: one list of labels a user')
  return users.map((questions: unknown) => {
    if (!Array.isArray(questions)) throw new DatasetError(file, "a user's labels should be a list a question")
    return questions.map((ids: unknown) => (Array.isArray(ids) ? ids.map(String) : []))
  })
}

/**
 * MemoryBank's evaluation memories in one language. A unit is a query–response pair. Questions name no evidence
 * in the data; `labels` do. Without labels no question counts as answerable.
 *
 * @param directory the folder of `memory_bank_{en,cn}.json` and `probing_questions_{en,cn}.jsonl`.
 * @throws DatasetError naming the file and what is wrong in it.
 */
export async function loadMemoryBank(
  directory: string,
  language: 'en' | 'cn',
  labels: MemoryBankLabels,
): Promise<Dataset> {
  const bankFile = join(directory, `memory_bank_${language}.json`)
  const questionFile = join(directory, `probing_questions_${language}.jsonl`)
  const bankBytes = await readInput(bankFile)
  const questionBytes = await readInput(questionFile)
  const people = readPeople(bankFile, bankBytes)
  const asked = readProbingQuestions(questionFile, questionBytes)
  const leftOut = { unlabelled: 0 }
  const conversations = people.map(([name, history], index) => {
    const questions = asked[index]
    if (questions === undefined)
      throw new DatasetError(questionFile, `has no questions for user ${index + 1}`)
    // The users of both languages are the same people in the same order: pairs of questions share this name.
    const person = `user ${index + 1}`
    return buildPerson(
      bankFile,
      name.trim(),
      person,
      history,
      questions,
      labels[language][index] ?? [],
      leftOut,
    )
  })
  const dataHash = hashInputs([
    { name: `memory_bank_${language}.json`, bytes: bankBytes },
    { name: `probing_questions_${language}.jsonl`, bytes: questionBytes },
  ])
  return { name: `memorybank-${language}`, dataHash, conversations, leftOut }
}

function readPeople(file: string, bytes: Buffer): [string, Record<string, unknown>][] {
  const data = parseJson(file, bytes)
  if (!isRecord(data)) throw new DatasetError(file, 'should map user names to their memories')
  return Object.entries(data).map(([name, memory]) => {
    if (!isRecord(memory) || !isRecord(memory['history']))
      throw new DatasetError(file, `${name} has no \`history\``)
    return [name, memory['history']]
  })
}

function readProbingQuestions(file: string, bytes: Buffer): string[][] {
  const lines = bytes
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  return lines.map((line, n) => {
    const entry = parseJson(`${file}, line ${n + 1}`, Buffer.from(line))
    const questions: unknown = isRecord(entry) ? Object.values(entry)[0] : undefined
    if (!Array.isArray(questions))
      throw new DatasetError(file, `line ${n + 1} should map a name to questions`)
    return questions.map((question) =>
      String(question)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    )
  })
}

function buildPerson(
  file: string,
  user: string,
  person: string,
  history: Record<string, unknown>,
  asked: readonly string[],
  labels: readonly (readonly string[])[],
  leftOut: { unlabelled: number },
): BenchConversation {
  const unitOf = new Map<string, string>()
  const sessionOf = new Map<string, string>()
  const unitOfPair = new Map<string, string>()
  const sessions = Object.entries(history).map(([day, pairs], index): DatasetSession => {
    if (!DAY.test(day) || !Array.isArray(pairs))
      throw new DatasetError(file, `${user}: “${day}” is not a day of pairs`)
    const id = `s${index + 1}`
    const turns = pairs.flatMap((pair: unknown, n): DatasetTurn[] => {
      if (!isRecord(pair) || typeof pair['query'] !== 'string' || typeof pair['response'] !== 'string') {
        throw new DatasetError(file, `${user}, ${day}: pair ${n} lacks \`query\` or \`response\``)
      }
      const first = `t${String(unitOf.size).padStart(5, '0')}`
      const second = `t${String(unitOf.size + 1).padStart(5, '0')}`
      unitOf.set(first, first).set(second, first)
      sessionOf.set(first, id)
      unitOfPair.set(`${day}#${n}`, first)
      const at = Date.parse(`${day}T00:00:00Z`) + NOON_MS + 2 * n * TURN_GAP_MS
      return [
        { id: first, role: 'user', speaker: user, text: pair['query'], at, zone: ZONE },
        {
          id: second,
          role: 'agent',
          speaker: 'AI',
          text: pair['response'],
          at: at + TURN_GAP_MS,
          zone: ZONE,
        },
      ]
    })
    return { id, turns }
  })
  const held = sessions.filter((session) => session.turns.length > 0)
  const askedAt = Math.max(...held.flatMap((s) => s.turns.map((t) => t.at))) + TURN_GAP_MS
  const questions: DatasetQuestion[] = asked.map((text, n) => {
    const evidence = (labels[n] ?? []).flatMap((pair) => unitOfPair.get(pair) ?? [])
    if (labels[n] === undefined) leftOut.unlabelled++
    return { id: `q${n + 1}`, text, askedAt, category: 'probing', evidence, answerable: evidence.length > 0 }
  })
  return { name: user, person, user, sessions: held, questions, unitOf, sessionOf }
}

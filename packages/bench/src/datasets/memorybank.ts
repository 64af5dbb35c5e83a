import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import type { BenchConversation, Dataset, DatasetQuestion, DatasetTurn } from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherUnits } from './gather-units.ts'
import { opaqueIds } from './opaque-id.ts'
import { hashFiles, readJson } from './read-input.ts'
import { openJsonLines } from './record-file.ts'

const ZONE = 'UTC'
/** The time of a day's first turn. The published file gives only days, so the turns of a day follow each other by a minute. */
const NOON_MS = 12 * 3_600_000
const TURN_GAP_MS = 60_000
const LABELS_FILE = fileURLToPath(new URL('../../data/memorybank-labels.json', import.meta.url))

const UsersLabelsSchema = z.array(z.array(z.array(z.string())))
const LabelsSchema = z.object({ en: UsersLabelsSchema, cn: UsersLabelsSchema })

const PairSchema = z.object({ query: z.string(), response: z.string() })
const HistorySchema = z.record(
  z.string().regex(/^\d{4}-\d\d-\d\d$/, 'should have days for keys'),
  z.array(PairSchema),
)
const BankSchema = z.record(z.string(), z.object({ history: HistorySchema }))
const AskedSchema = z.record(z.string(), z.array(z.string()))

/** The query–response pairs that answer a question, such as `2023-04-27#0`, by language, user and question. */
type MemoryBankLabels = z.infer<typeof LabelsSchema>

/** Reads the labels that ship with the harness. @throws DatasetError if they are missing or malformed */
export async function readMemoryBankLabels(): Promise<MemoryBankLabels> {
  const value = await readJson(LABELS_FILE)
  return checkRecord(LabelsSchema, LABELS_FILE, { where: 'the labels', value })
}

/**
 * Loads the evaluation data of the MemoryBank paper in one language. A unit is a query–response pair. The data does not name the pairs that
 * answer a question, so `labels` do. A question without labels counts as unanswerable.
 *
 * @param directory the folder of `memory_bank_{en,cn}.json` and `probing_questions_{en,cn}.jsonl`.
 * @throws DatasetError naming the file and the problem.
 */
export async function loadMemoryBank(
  directory: string,
  language: 'en' | 'cn',
  labels: MemoryBankLabels,
): Promise<Dataset> {
  const names = [`memory_bank_${language}.json`, `probing_questions_${language}.jsonl`] as const
  const [bankFile, askedFile] = [join(directory, names[0]), join(directory, names[1])]
  const bank = checkRecord(BankSchema, bankFile, { where: 'the bank', value: await readJson(bankFile) })
  const asked = await readQuestions(askedFile)
  const leftOut = { unlabelled: 0 }
  const conversations = Object.entries(bank).map(([name, { history }], index) => {
    const questions = asked[index]
    if (questions === undefined) throw new DatasetError(askedFile, `has no questions for user ${index + 1}`)
    const userLabels = labels[language][index] ?? []
    leftOut.unlabelled += questions.filter((_, place) => userLabels[place] === undefined).length
    // Both languages have the same people in the same order, so a person has one name in both.
    return { ...buildPerson(name.trim(), history, questions, userLabels), person: `user ${index + 1}` }
  })
  const dataHash = await hashFiles(names.map((name) => ({ name, path: join(directory, name) })))
  return { name: `memorybank-${language}`, dataHash, conversations, leftOut }
}

/** Reads the questions, one line per user. Quotation marks around a question are removed. */
async function readQuestions(file: string): Promise<string[][]> {
  const people = await Array.fromAsync((await openJsonLines(file)).records())
  return people.map((record) => {
    const questions = Object.values(checkRecord(AskedSchema, file, record))[0] ?? []
    return questions.map((question) => question.trim().replace(/^"(.*)"$/, '$1'))
  })
}

function buildPerson(
  user: string,
  history: z.infer<typeof HistorySchema>,
  asked: readonly string[],
  labels: readonly (readonly string[])[],
): Omit<BenchConversation, 'person'> {
  const unitOfPair = new Map<string, string>()
  const nextId = opaqueIds(0)
  const sessions = Object.entries(history).map(([day, pairs], index) => {
    const startsAt = Date.parse(`${day}T00:00:00Z`) + NOON_MS
    const turns = pairs.flatMap(({ query, response }, place): DatasetTurn[] => {
      const at = startsAt + 2 * place * TURN_GAP_MS
      const first = nextId('t')
      unitOfPair.set(`${day}#${place}`, first)
      const answer = { speaker: 'AI', text: response, at: at + TURN_GAP_MS, zone: ZONE }
      return [
        { id: first, role: 'user', speaker: user, text: query, at, zone: ZONE },
        { id: nextId('t'), role: 'assistant', ...answer },
      ]
    })
    return { id: `s${index + 1}`, turns }
  })
  const filled = sessions.filter(({ turns }) => turns.length > 0)
  const askedAt = Math.max(...filled.flatMap(({ turns }) => turns.map(({ at }) => at))) + TURN_GAP_MS
  const questions = asked.map((text, place): DatasetQuestion => {
    const evidence = (labels[place] ?? []).flatMap((pair) => unitOfPair.get(pair) ?? [])
    const id = `q${place + 1}`
    return { id, text, askedAt, category: 'probing', evidence, answerable: evidence.length > 0 }
  })
  return { name: user, user, sessions: filled, questions, ...gatherUnits(filled, 'rounds') }
}

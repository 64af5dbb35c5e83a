import { basename } from 'node:path'
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
/** The published file gives a session one time; its turns follow each other by this much, to keep their order. */
const TURN_GAP_MS = 1_000
const EVIDENCE_ID = /D\d+:\d+/g
const SESSION_TIME = /^(\d{1,2}):(\d\d)\s*([ap]m) on (\d{1,2}) ([A-Za-z]+),? (\d{4})$/
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
}

/**
 * LoCoMo's published file. A turn's text is its utterance, then its image's caption. Both speakers are people
 * being remembered, so both have the role `user` and their names. Evidence is read as `metrics.md` of the design
 * says: every `D<n>:<m>` in the evidence strings that exists; questions left with none are counted, not scored.
 * Reference answers may be numbers. Questions of category 5 carry none: nothing answers them, `adversarial_answer` is
 * the wrong answer, and the `answer` that stands beside it in a few denies a premise rather than answers.
 *
 * @throws DatasetError naming the file and what is wrong in it.
 */
export async function loadLocomo(file: string): Promise<Dataset> {
  const bytes = await readInput(file)
  const data = parseJson(file, bytes)
  if (!Array.isArray(data)) throw new DatasetError(file, 'should hold a list of conversations')
  const leftOut = { noEvidence: 0 }
  const conversations = data.map((sample: unknown, index) => readSample(file, sample, index, leftOut))
  return { name: 'locomo', dataHash: hashInputs([{ name: basename(file), bytes }]), conversations, leftOut }
}

function readSample(
  file: string,
  sample: unknown,
  index: number,
  leftOut: { noEvidence: number },
): BenchConversation {
  const where = `conversation ${index}`
  if (!isRecord(sample) || !isRecord(sample['conversation']) || !Array.isArray(sample['qa'])) {
    throw new DatasetError(file, `${where} lacks \`conversation\` or \`qa\``)
  }
  const name = typeof sample['sample_id'] === 'string' ? sample['sample_id'] : `locomo-${index}`
  const idOf = new Map<string, string>()
  const sessionOf = new Map<string, string>()
  const sessions = readSessions(file, where, sample['conversation'], idOf, sessionOf)
  const last = sessions.at(-1)?.turns.at(-1)
  if (last === undefined) throw new DatasetError(file, `${where} has no turns`)
  const questions: DatasetQuestion[] = []
  for (const [number, entry] of sample['qa'].entries()) {
    const question = readQuestion(file, `${where}, question ${number}`, entry, idOf, `q${number}`, last.at)
    if (question.answerable && question.evidence.length === 0) leftOut.noEvidence++
    else questions.push(question)
  }
  const unitOf = new Map([...sessionOf.keys()].map((id) => [id, id]))
  return { name, person: name, user: name, sessions, questions, unitOf, sessionOf }
}

function readSessions(
  file: string,
  where: string,
  conversation: Record<string, unknown>,
  idOf: Map<string, string>,
  sessionOf: Map<string, string>,
): DatasetSession[] {
  const sessions: DatasetSession[] = []
  for (
    let n = 1;
    conversation[`session_${n}_date_time`] !== undefined || `session_${n}` in conversation;
    n++
  ) {
    const turns = conversation[`session_${n}`]
    if (turns === undefined) continue
    if (!Array.isArray(turns)) throw new DatasetError(file, `${where}: session_${n} is not a list of turns`)
    const start = readSessionTime(
      file,
      `${where}: session_${n}_date_time`,
      conversation[`session_${n}_date_time`],
    )
    const id = `s${String(n).padStart(3, '0')}`
    const read = turns.map((turn: unknown, i): DatasetTurn => {
      if (!isRecord(turn) || typeof turn['text'] !== 'string' || typeof turn['speaker'] !== 'string') {
        throw new DatasetError(file, `${where}: turn ${i} of session_${n} lacks \`speaker\` or \`text\``)
      }
      const turnId = `t${String(idOf.size).padStart(5, '0')}`
      idOf.set(String(turn['dia_id']), turnId)
      sessionOf.set(turnId, id)
      const caption = typeof turn['blip_caption'] === 'string' ? `\n${turn['blip_caption']}` : ''
      const at = start + i * TURN_GAP_MS
      return {
        id: turnId,
        role: 'user',
        speaker: turn['speaker'],
        text: turn['text'] + caption,
        at,
        zone: ZONE,
      }
    })
    if (read.length > 0) sessions.push({ id, turns: read })
  }
  return sessions
}

function readQuestion(
  file: string,
  where: string,
  entry: unknown,
  idOf: ReadonlyMap<string, string>,
  id: string,
  askedAt: number,
): DatasetQuestion {
  if (!isRecord(entry) || typeof entry['question'] !== 'string' || typeof entry['category'] !== 'number') {
    throw new DatasetError(file, `${where} lacks \`question\` or \`category\``)
  }
  const answerable = entry['category'] !== 5
  const named = Array.isArray(entry['evidence']) ? entry['evidence'].join(' ').match(EVIDENCE_ID) : null
  const evidence = [...new Set(named ?? [])].flatMap((dia) => idOf.get(dia) ?? [])
  return {
    id,
    text: entry['question'],
    askedAt,
    category: CATEGORIES[entry['category']] ?? String(entry['category']),
    evidence: answerable ? evidence : [],
    answerable,
    ...(answerable ? readAnswer(file, where, entry['answer']) : {}),
  }
}

function readAnswer(file: string, where: string, answer: unknown): { answer?: string } {
  if (answer === undefined || answer === null) return {}
  if (typeof answer === 'string' || typeof answer === 'number') return { answer: String(answer) }
  throw new DatasetError(file, `${where}: \`answer\` should be a string or a number`)
}

function readSessionTime(file: string, where: string, value: unknown): number {
  const match = typeof value === 'string' ? SESSION_TIME.exec(value.trim()) : null
  const month = match === null ? -1 : MONTHS.indexOf((match[5] ?? '').toLowerCase())
  if (match === null || month < 0) {
    throw new DatasetError(file, `${where} should read like “1:56 pm on 8 May, 2023”`)
  }
  const hour = (Number(match[1]) % 12) + (match[3] === 'pm' ? 12 : 0)
  return Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]))
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'
import { DatasetError } from '../datasets/dataset-error.ts'
import { loadLufy, readLufySession, type LufySession } from '../datasets/lufy.ts'
import { readInput } from '../datasets/read-input.ts'
import { answerStems, isCorrectUnit } from '../datasets/lufy-correctness.ts'
import type { ForgettingTalk, ForgettingTalks, TalkQuestion, TalkUnit } from './forgetting-talk.ts'
import { readMarks, type MarkedTurn } from './read-marks.ts'

/** LUFY was read by three annotators: Annotator0 and these. */
const OTHERS = [1, 2] as const

/**
 * The LUFY dataset with all three annotators' marks, and with every session's questions in each system: unlike
 * retrieval, forgetting differs by system from the second session on, so the first session's questions are asked
 * there again.
 *
 * @throws DatasetError naming the file and what is wrong in it
 */
export async function loadLufyTalks(directory: string): Promise<ForgettingTalks> {
  const { conversations, dataHash } = await loadLufy(directory)
  const nested = join(directory, 'Dataset')
  const root = existsSync(nested) ? nested : directory
  const talks: ForgettingTalk[] = []
  for (const conversation of conversations) talks.push(await annotate(root, conversation))
  const unanswered = talks.flatMap(({ questions }) => questions.filter(({ correct }) => correct.size === 0))
  return { talks, dataHash, leftOut: { noCorrectUnit: unanswered.length } }
}

async function annotate(root: string, conversation: BenchConversation): Promise<ForgettingTalk> {
  const units: TalkUnit[] = []
  const asked: { text: string; answer: string; session: number }[] = []
  for (const [s, session] of conversation.sessions.entries()) {
    const folder = join(root, conversation.name, `Session${s + 1}`)
    const { readings, questions } = await readSession(folder)
    units.push(...gatherUnits(session.turns, conversation.unitOf, readings, s + 1))
    for (const { question, answer } of questions) asked.push({ text: question, answer, session: s + 1 })
  }
  const questions = asked.map(({ text, answer, session }): TalkQuestion => {
    const wanted = answerStems(text, answer)
    const right = units.filter((unit) => isCorrectUnit(textOf(unit), wanted))
    return { text, session, correct: new Set(right.map((unit) => unit.id)) }
  })
  const { name, person } = conversation
  const countsFrom = name.startsWith('LUFY/') ? 1 : 2
  const sessions = conversation.sessions.length
  return { name, person, sessions, units, questions, evidence: 'by-words', countsFrom }
}

function textOf(unit: TalkUnit): string {
  return unit.turns.map((turn) => turn.text).join('\n')
}

/** What was asked, which all annotators' workbooks hold, and what each of them marked. */
async function readSession(
  folder: string,
): Promise<Pick<LufySession, 'questions'> & { readings: MarkedTurn[][] }> {
  const first = join(folder, 'Annotator0.xlsx')
  const others = OTHERS.map((annotator) => join(folder, `Annotator${annotator}.xlsx`))
  const { turns, questions } = await readLufySession(first, await readInput(first))
  const readings = [turns.map(({ text, important }) => ({ text, important: important === true }))]
  for (const file of others) readings.push(await readMarks(file, await readInput(file)))
  for (const reading of readings) {
    if (reading.some((turn, i) => turn.text !== turns[i]?.text)) {
      throw new DatasetError(folder, 'its annotators read different texts')
    }
  }
  return { readings, questions }
}

function gatherUnits(
  turns: readonly DatasetTurn[],
  unitOf: ReadonlyMap<string, string>,
  readings: readonly (readonly MarkedTurn[])[],
  session: number,
): TalkUnit[] {
  const units = new Map<string, { turns: DatasetTurn[]; marked: boolean[] }>()
  for (const [i, turn] of turns.entries()) {
    const id = unitOf.get(turn.id) ?? turn.id
    const unit = units.get(id) ?? { turns: [], marked: readings.map(() => false) }
    units.set(id, unit)
    unit.turns.push(turn)
    for (const [a, reading] of readings.entries()) {
      if (turn.role === 'user' && reading[i]?.important === true) unit.marked[a] = true
    }
  }
  return [...units].map(([id, unit]) => ({ id, session, ...unit }))
}

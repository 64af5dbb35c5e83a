import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchConversation } from '../datasets/conversation.ts'
import { DatasetError } from '../datasets/dataset-error.ts'
import { loadLufy, readLufySession, type LufySession } from '../datasets/lufy.ts'
import { answerStems, isCorrectUnit, stemsOf } from '../datasets/lufy-correctness.ts'
import {
  unitsOf,
  type ForgettingTalk,
  type ForgettingTalks,
  type TalkQuestion,
  type TalkUnit,
} from './forgetting-talk.ts'

const ANNOTATORS = [0, 1, 2] as const

/** Loads LUFY with all annotators' marks. Questions about the shared first session are asked with each of the three systems. */
export async function loadLufyTalks(directory: string): Promise<ForgettingTalks> {
  const { conversations, dataHash } = await loadLufy(directory)
  const nested = join(directory, 'Dataset')
  const root = existsSync(nested) ? nested : directory
  const talks: ForgettingTalk[] = []
  for (const conversation of conversations) talks.push(await addAnnotations(root, conversation))
  const unanswered = talks.flatMap(({ questions }) => questions.filter(({ correct }) => correct.size === 0))
  return { talks, dataHash, leftOut: { noCorrectUnit: unanswered.length } }
}

/** Adds the marks of all annotators and the questions of each session to a talk. */
async function addAnnotations(root: string, conversation: BenchConversation): Promise<ForgettingTalk> {
  const marks = new Map<string, readonly boolean[]>()
  const questionsOfSessions: { text: string; answer: string; session: number }[] = []
  for (const [s, { turns }] of conversation.sessions.entries()) {
    const { readings, questions } = await readSession(join(root, conversation.name, `Session${s + 1}`))
    for (const [place, { id, role }] of turns.entries())
      marks.set(
        id,
        readings.map((reading) => role === 'user' && reading[place]?.important === true),
      )
    for (const { question, answer } of questions)
      questionsOfSessions.push({ text: question, answer, session: s + 1 })
  }
  const units = unitsOf(conversation).map((unit) => ({
    ...unit,
    marked: ANNOTATORS.map((annotator) => unit.turns.some(({ id }) => marks.get(id)?.[annotator] === true)),
  }))
  // Each unit is compared with every question.
  const stemsOfUnits = units.map((unit) => ({ id: unit.id, stems: stemsOf(textOf(unit)) }))
  const questions = questionsOfSessions.map(({ text, answer, session }): TalkQuestion => {
    const expectedStems = answerStems(text, answer)
    const right = stemsOfUnits.filter(({ stems }) => isCorrectUnit(stems, expectedStems))
    return { text, session, correct: new Set(right.map(({ id }) => id)) }
  })
  const { name, person } = conversation
  // Three systems share the first session of a person, which counts only in the talk with LUFY.
  const countsFrom = name.startsWith('LUFY/') ? 1 : 2
  const sessions = conversation.sessions.length
  return { name, person, sessions, units, questions, evidence: 'by-words', countsFrom }
}

function textOf(unit: TalkUnit): string {
  return unit.turns.map((turn) => turn.text).join('\n')
}

/** Reads the workbooks of a session. All have the same questions, and each has the marks of one annotator. */
async function readSession(folder: string) {
  const read: LufySession[] = []
  for (const annotator of ANNOTATORS)
    read.push(await readLufySession(join(folder, `Annotator${annotator}.xlsx`)))
  const readings = read.map(({ turns }) => turns)
  const [texts, ...others] = readings.map((turns) => JSON.stringify(turns.map(({ text }) => text)))
  if (others.some((other) => other !== texts))
    throw new DatasetError(folder, 'its annotators read different texts')
  return { readings, questions: read[0]?.questions ?? [] }
}

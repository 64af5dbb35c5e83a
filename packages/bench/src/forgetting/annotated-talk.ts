import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'
import { DatasetError } from '../datasets/dataset-error.ts'
import { loadLufy, readLufySession } from '../datasets/lufy.ts'
import { readInput } from '../datasets/read-input.ts'
import { answerStems, isCorrectUnit } from '../metrics/lufy-correctness.ts'
import { readMarks, type MarkedTurn } from './read-marks.ts'

/** LUFY was read by three annotators. */
const ANNOTATORS = [0, 1, 2] as const

/** An agent's utterance and the user's answer to it: what a policy keeps or lets go. */
export interface TalkUnit {
  /** The id of its first turn. */
  readonly id: string
  /** From 1. */
  readonly session: number
  readonly turns: readonly DatasetTurn[]
  /** Whether each annotator marked the user's words as important. */
  readonly marked: readonly boolean[]
}

export interface TalkQuestion {
  readonly text: string
  /** The session it is about: it is asked from that session's end on. */
  readonly session: number
  /** Units that answer it, of all sessions. */
  readonly correct: ReadonlySet<string>
}

/** One person's talk with one system, with what people thought of it. */
export interface AnnotatedTalk {
  readonly name: string
  readonly person: string
  readonly sessions: number
  readonly units: readonly TalkUnit[]
  readonly questions: readonly TalkQuestion[]
  /** Session1 is one conversation under three systems: its end counts in one of them only. */
  readonly countsFrom: number
}

/**
 * The LUFY dataset with all three annotators' marks, and with every session's questions in each system: unlike
 * retrieval, forgetting differs by system from the second session on, so the first session's questions are asked
 * there again.
 *
 * @throws DatasetError naming the file and what is wrong in it
 */
export async function loadAnnotatedTalks(
  directory: string,
): Promise<{ talks: AnnotatedTalk[]; dataHash: string }> {
  const { conversations, dataHash } = await loadLufy(directory)
  const nested = join(directory, 'Dataset')
  const root = existsSync(nested) ? nested : directory
  const talks: AnnotatedTalk[] = []
  for (const conversation of conversations) talks.push(await annotate(root, conversation))
  return { talks, dataHash }
}

async function annotate(root: string, conversation: BenchConversation): Promise<AnnotatedTalk> {
  const units: TalkUnit[] = []
  const asked: { text: string; answer: string; session: number }[] = []
  for (const [s, session] of conversation.sessions.entries()) {
    const folder = join(root, conversation.name, `Session${s + 1}`)
    const readings = await readAnnotators(folder)
    units.push(...gatherUnits(session.turns, conversation.unitOf, readings, s + 1))
    for (const { question, answer } of await readQuestions(folder)) {
      asked.push({ text: question, answer, session: s + 1 })
    }
  }
  const questions = asked.map(({ text, answer, session }): TalkQuestion => {
    const wanted = answerStems(text, answer)
    const right = units.filter((unit) => isCorrectUnit(textOf(unit), wanted))
    return { text, session, correct: new Set(right.map((unit) => unit.id)) }
  })
  const { name, person } = conversation
  const countsFrom = name.startsWith('LUFY/') ? 1 : 2
  return { name, person, sessions: conversation.sessions.length, units, questions, countsFrom }
}

function textOf(unit: TalkUnit): string {
  return unit.turns.map((turn) => turn.text).join('\n')
}

async function readQuestions(folder: string): Promise<{ question: string; answer: string }[]> {
  const file = join(folder, 'Annotator0.xlsx')
  const { questions } = await readLufySession(file, await readInput(file))
  return [...questions]
}

async function readAnnotators(folder: string): Promise<MarkedTurn[][]> {
  const readings: MarkedTurn[][] = []
  for (const annotator of ANNOTATORS) {
    const file = join(folder, `Annotator${annotator}.xlsx`)
    readings.push(await readMarks(file, await readInput(file)))
  }
  const [first] = readings
  for (const reading of readings) {
    if (reading.some((turn, i) => turn.text !== first?.[i]?.text)) {
      throw new DatasetError(folder, 'its annotators read different texts')
    }
  }
  return readings
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

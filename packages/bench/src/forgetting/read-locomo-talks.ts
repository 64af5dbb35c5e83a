import type { BenchConversation, DatasetQuestion } from '../datasets/conversation.ts'
import { loadLocomo } from '../datasets/locomo.ts'
import {
  unitsOf,
  type ForgettingTalk,
  type ForgettingTalks,
  type TalkQuestion,
  type TalkUnit,
} from './forgetting-talk.ts'

/** Loads LoCoMo. A unit is a turn of either speaker. A question is asked after the session of its last evidence. Category 5, which has no answers, is left out. */
export async function loadLocomoTalks(file: string): Promise<ForgettingTalks> {
  const { conversations, dataHash, leftOut } = await loadLocomo(file)
  const unanswerable = conversations.flatMap(({ questions }) => questions.filter((one) => !one.answerable))
  return {
    talks: conversations.map(toTalk),
    dataHash,
    leftOut: { ...leftOut, unanswerable: unanswerable.length },
  }
}

/** Converts a conversation whose questions name their evidence. */
export function toTalk(conversation: BenchConversation): ForgettingTalk {
  const { name, person, sessions } = conversation
  const units = unitsOf(conversation)
  const byId = new Map(units.map((unit) => [unit.id, unit]))
  const questions = conversation.questions
    .filter((question) => question.answerable)
    .flatMap((question) => readQuestion(question, byId))
  return { name, person, sessions: sessions.length, units, questions, evidence: 'named', countsFrom: 1 }
}

/** Converts a question. A question without evidence (units that answer it) is left out. */
function readQuestion(
  { text, evidence }: DatasetQuestion,
  units: ReadonlyMap<string, TalkUnit>,
): TalkQuestion[] {
  const correct = evidence.flatMap((id) => units.get(id) ?? [])
  if (correct.length === 0) return []
  const session = Math.max(...correct.map((unit) => unit.session))
  return [{ text, session, correct: new Set(correct.map(({ id }) => id)) }]
}

import type { DatasetQuestion } from '../../datasets/conversation.ts'
import type { Retrieved, SystemMemoryItem } from '../../systems/memory-system.ts'
import type { LostStep } from '../../log/log-entry.ts'
import { withDay } from '../../text/day-mark.ts'
import { askTool, attempt, type Measuring } from './measuring.ts'

/** Maximum memories of a search for a statement by its own words. */
const SEARCH_LIMIT = 20

/** Facts about a wrong answer; `null` where unknown. */
export interface LossEvidence {
  /** Whether everything that the answer needs was ever extracted. */
  readonly wasExtracted: boolean | null
  /** Whether a needed statement is an update that failed. */
  readonly isWronglyUpdated: boolean
  /** Whether all of it still exists as memories. */
  readonly stillExists: boolean | null
  /** Whether all of it was retrieved for the question. */
  readonly wasRetrieved: boolean
}

/**
 * The first step at which the needed statements were lost. Unknown steps are skipped: a system that does not list its memories loses
 * answers in retrieval, as far as can be observed.
 */
export function lostStep(facts: LossEvidence): LostStep {
  if (facts.wasRetrieved) return facts.isWronglyUpdated ? 'wrongly-updated' : 'misread'
  if (facts.wasExtracted === false) return facts.isWronglyUpdated ? 'wrongly-updated' : 'never-extracted'
  if (facts.isWronglyUpdated) return 'wrongly-updated'
  if (facts.stillExists === false) return 'forgotten'
  return 'not-retrieved'
}

interface NeededStatement {
  readonly words: string
  /** The unit of its evidence; `null` when the data names none. */
  readonly unit: string | null
  /** The statement to find where a system does not name the turns of its memories; `null`: unknown. */
  readonly statement: string | null
}

/**
 * Finds the step that lost an answer. The answer needs its statements where the data names them (HaluMem), else its evidence turns, else
 * the reference itself. Something exists when it is listed or found by its own words, since systems also recall what they do not list. An
 * unanswerable question can only be misread.
 */
export async function findLostStep(
  measuring: Measuring,
  question: DatasetQuestion,
  retrieved: Retrieved,
): Promise<LostStep | null> {
  if (!question.answerable) return 'misread'
  const statements = needsOf(measuring, question)
  if (statements.length === 0) return null
  const { left, updates } = measuring
  const listed = (await attempt(() => measuring.memory.memories())).value
  const stands = await allOf(statements, async (need) => {
    if (listed !== null && (await isContained(measuring, need, listed))) return true
    return isContained(measuring, need, await searchMemories(measuring, question, need))
  })
  const everExtracted = [...left.values()].flat()
  const isKnown = left.size > 0 || listed !== null
  return lostStep({
    wasExtracted: stands
      ? true
      : isKnown
        ? await allOf(statements, (need) => isContained(measuring, need, everExtracted))
        : null,
    isWronglyUpdated: statements.some(({ words }) => updates.has(words) && updates.get(words) !== 'correct'),
    stillExists: stands,
    wasRetrieved: await allOf(statements, (need) => isContained(measuring, need, retrieved.memories)),
  })
}

function needsOf({ conversation }: Measuring, question: DatasetQuestion): NeededStatement[] {
  const { keyPoints = [], evidence, answer = null } = question
  if (keyPoints.length > 0) return keyPoints.map((words) => ({ words, unit: null, statement: words }))
  if (evidence.length === 0) return answer === null ? [] : [{ words: answer, unit: null, statement: answer }]
  const turns = conversation.sessions.flatMap((session) => session.turns)
  const wordsOf = (unit: string): string =>
    turns.flatMap(({ id, text }) => (conversation.unitOf.get(id) === unit ? [text] : [])).join('\n')
  return evidence.map((unit) => ({ words: wordsOf(unit), unit, statement: answer }))
}

async function searchMemories(
  { memory, contextTokens: tokens }: Measuring,
  { askedAt: at }: DatasetQuestion,
  { words }: NeededStatement,
): Promise<readonly SystemMemoryItem[]> {
  const search = await attempt(() => memory.retrieve(words, { limit: SEARCH_LIMIT, at, tokens }))
  return search.value?.memories ?? []
}

async function isContained(
  measuring: Measuring,
  { unit, statement }: NeededStatement,
  items: readonly SystemMemoryItem[],
): Promise<boolean> {
  const { judge, conversation } = measuring
  if (unit !== null && items.some((item) => item.turns !== null)) {
    return items.some((item) => item.turns?.some((turn) => (conversation.unitOf.get(turn) ?? turn) === unit))
  }
  if (statement === null || items.length === 0) return false
  const memories = [...new Set(items.map(withDay))]
  const judged = await askTool(measuring, 'verdict on what an answer needs', () =>
    judge.integrity({ expected: statement, memories, user: conversation.user }),
  )
  return judged?.verdict === 2
}

async function allOf(
  statements: readonly NeededStatement[],
  holds: (need: NeededStatement) => Promise<boolean>,
): Promise<boolean> {
  for (const need of statements) if (!(await holds(need))) return false
  return true
}

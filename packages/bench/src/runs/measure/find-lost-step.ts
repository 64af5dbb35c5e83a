import type { DatasetQuestion } from '../../datasets/conversation.ts'
import type { Retrieved, SystemMemoryItem } from '../../systems/memory-system.ts'
import type { LostStep } from '../../log/log-entry.ts'
import { withDay } from '../../text/day-mark.ts'
import { askTool, attempt, type Measuring } from './measuring.ts'

/** Maximum number of memories that a search for a statement returns. */
const SEARCH_LIMIT = 20

/** What is known about the statements that a wrongly answered question needs. `null`: unknown. */
export interface LossEvidence {
  /** Whether all needed statements were extracted at some time. */
  readonly wasExtracted: boolean | null
  /** Whether a needed statement is an update that failed. */
  readonly isWronglyUpdated: boolean
  /** Whether all needed statements still exist as memories. */
  readonly stillExists: boolean | null
  /** Whether all needed statements were retrieved for the question. */
  readonly wasRetrieved: boolean
}

/** Returns the first step at which needed statements were lost, skipping unknown steps. */
export function lostStep(facts: LossEvidence): LostStep {
  if (facts.wasRetrieved) return facts.isWronglyUpdated ? 'wrongly-updated' : 'misread'
  if (facts.wasExtracted === false) return facts.isWronglyUpdated ? 'wrongly-updated' : 'never-extracted'
  if (facts.isWronglyUpdated) return 'wrongly-updated'
  if (facts.stillExists === false) return 'forgotten'
  return 'not-retrieved'
}

interface NeededStatement {
  /** The text by which it is searched for. */
  readonly words: string
  /** The unit, a turn or round, that contains it. `null` when the data names none. */
  readonly unit: string | null
  /** The statement to find in memories that name no turns. `null`: unknown. */
  readonly statement: string | null
}

/** Finds the step that lost an answer, by the statements that the data names, else evidence turns, else the reference answer. */
export async function findLostStep(
  measuring: Measuring,
  question: DatasetQuestion,
  retrieved: Retrieved,
): Promise<LostStep | null> {
  if (!question.answerable) return 'misread'
  const statements = neededStatements(measuring, question)
  if (statements.length === 0) return null
  const { left, updates } = measuring
  const listed = (await attempt(() => measuring.memory.memories())).value
  const stillExists = await holdsForAll(statements, async (need) => {
    if (listed !== null && (await isContained(measuring, need, listed))) return true
    return isContained(measuring, need, await searchMemories(measuring, question, need))
  })
  const listsMemories = left.size > 0 || listed !== null
  const everExtracted = [...left.values()].flat()
  let wasExtracted: boolean | null = null
  if (stillExists) wasExtracted = true
  else if (listsMemories)
    wasExtracted = await holdsForAll(statements, (need) => isContained(measuring, need, everExtracted))
  return lostStep({
    wasExtracted,
    isWronglyUpdated: statements.some(({ words }) => updates.has(words) && updates.get(words) !== 'correct'),
    stillExists,
    wasRetrieved: await holdsForAll(statements, (need) => isContained(measuring, need, retrieved.memories)),
  })
}

function neededStatements({ conversation }: Measuring, question: DatasetQuestion): NeededStatement[] {
  const { keyPoints = [], evidence, answer = null } = question
  if (keyPoints.length > 0) return keyPoints.map((words) => ({ words, unit: null, statement: words }))
  if (evidence.length === 0) return answer === null ? [] : [{ words: answer, unit: null, statement: answer }]
  const turns = conversation.sessions.flatMap((session) => session.turns)
  const textOf = (unit: string): string => {
    const unitTurns = turns.filter(({ id }) => conversation.unitOf.get(id) === unit)
    return unitTurns.map(({ text }) => text).join('\n')
  }
  return evidence.map((unit) => ({ words: textOf(unit), unit, statement: answer }))
}

async function searchMemories(
  { memory, contextTokens: tokens }: Measuring,
  { askedAt: at }: DatasetQuestion,
  { words }: NeededStatement,
): Promise<readonly SystemMemoryItem[]> {
  const search = await attempt(() => memory.retrieve(words, { limit: SEARCH_LIMIT, at, tokens }))
  return search.value?.memories ?? []
}

/** Reports whether memories contain a statement: by the turns that they name, or else by the judge. */
async function isContained(
  measuring: Measuring,
  { unit, statement }: NeededStatement,
  items: readonly SystemMemoryItem[],
): Promise<boolean> {
  const { judge, conversation } = measuring
  if (unit !== null && items.some((item) => item.turns !== null)) {
    const turns = items.flatMap((item) => item.turns ?? [])
    return turns.some((turn) => (conversation.unitOf.get(turn) ?? turn) === unit)
  }
  if (statement === null || items.length === 0) return false
  const memories = [...new Set(items.map(withDay))]
  const judged = await askTool(measuring, 'verdict on what an answer needs', () =>
    judge.integrity({ expected: statement, memories, user: conversation.user }),
  )
  return judged?.verdict === 2
}

/** Reports whether a condition holds for every statement. Statements are checked one by one, because checks may ask a model. */
async function holdsForAll(
  statements: readonly NeededStatement[],
  condition: (need: NeededStatement) => Promise<boolean>,
): Promise<boolean> {
  for (const statement of statements) if (!(await condition(statement))) return false
  return true
}

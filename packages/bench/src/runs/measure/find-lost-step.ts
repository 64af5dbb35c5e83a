import type { DatasetQuestion } from '../../datasets/conversation.ts'
import type { Retrieved, SystemMemoryItem } from '../../systems/memory-system.ts'
import type { LostStep } from '../../log/log-entry.ts'
import { withDay } from '../../text/day-mark.ts'
import { askTool, attempt, type ConversationRun } from './conversation-run.ts'

/** Maximum number of memories that a search for a statement returns. */
const SEARCH_LIMIT = 20

/** Facts about the statements that a wrongly answered question needs. `null`: unknown. */
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

/** A statement that the right answer needs. */
interface NeededStatement {
  /** The text by which the statement is searched for. */
  readonly words: string
  /** The unit (turn or round) that contains the statement. `null`: the data names none. */
  readonly unit: string | null
  /** The statement to find in memories that name no turns. `null`: unknown. */
  readonly statement: string | null
}

/** Finds the step that lost an answer. It looks for the statements that the data names, else for the evidence turns, else for the reference answer. */
export async function findLostStep(
  run: ConversationRun,
  question: DatasetQuestion,
  retrieved: Retrieved,
): Promise<LostStep | null> {
  if (!question.answerable) return 'misread'
  const statements = neededStatements(run, question)
  if (statements.length === 0) return null
  const { left, updates } = run
  const listed = (await attempt(() => run.memory.memories())).value
  const stillExists = await holdsForAll(statements, async (need) => {
    if (listed !== null && (await isContained(run, need, listed))) return true
    return isContained(run, need, await searchMemories(run, question, need))
  })
  const listsMemories = left.size > 0 || listed !== null
  const everExtracted = [...left.values()].flat()
  let wasExtracted: boolean | null = null
  if (stillExists) wasExtracted = true
  else if (listsMemories)
    wasExtracted = await holdsForAll(statements, (need) => isContained(run, need, everExtracted))
  return lostStep({
    wasExtracted,
    isWronglyUpdated: statements.some(({ words }) => updates.has(words) && updates.get(words) !== 'correct'),
    stillExists,
    wasRetrieved: await holdsForAll(statements, (need) => isContained(run, need, retrieved.memories)),
  })
}

function neededStatements({ conversation }: ConversationRun, question: DatasetQuestion): NeededStatement[] {
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
  { memory, contextTokens: tokens }: ConversationRun,
  { askedAt: at }: DatasetQuestion,
  { words }: NeededStatement,
): Promise<readonly SystemMemoryItem[]> {
  const search = await attempt(() => memory.retrieve(words, { limit: SEARCH_LIMIT, at, tokens }))
  return search.value?.memories ?? []
}

/** Reports whether memories contain a statement: by the turns that they name, or else by the judge. */
async function isContained(
  run: ConversationRun,
  { unit, statement }: NeededStatement,
  items: readonly SystemMemoryItem[],
): Promise<boolean> {
  const { judge, conversation } = run
  if (unit !== null && items.some((item) => item.turns !== null)) {
    const turns = items.flatMap((item) => item.turns ?? [])
    return turns.some((turn) => (conversation.unitOf.get(turn) ?? turn) === unit)
  }
  if (statement === null || items.length === 0) return false
  const memories = [...new Set(items.map(withDay))]
  const judged = await askTool(run, 'verdict on what an answer needs', () =>
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

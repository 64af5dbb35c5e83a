import { memDialogueThemeSchema } from '@keepsake/bench/parts'
import type { z } from 'zod'
import { failedChecks } from '../generate-prompt.ts'
import { CONFLICTS_PER_THEME, MEMORIES_PER_THEME, type ThemeOperation } from './theme-record.ts'

type ParsedTheme = z.infer<typeof memDialogueThemeSchema>

/** Lists the problems of a theme. Each memory must be stated once before it changes, each change must have an effect, none may follow a deletion, and the question must be about a final outcome. */
export function validateTheme(record: unknown): readonly string[] {
  const parsed = memDialogueThemeSchema.safeParse(record)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `"${path.join('.')}" is wrong: ${message}.`)
  const theme = parsed.data
  return [
    ...memoryProblems(theme),
    ...turnProblems(theme),
    ...operationProblems(theme),
    ...questionProblems(theme),
  ]
}

function memoryProblems({ memories, operations }: ParsedTheme): string[] {
  const count = memories.length
  const ids = new Set(memories.map(({ id }) => id))
  const texts = new Set(memories.map(({ text }) => text))
  const conflicts = operations.filter(isConflict).length
  return failedChecks({
    [`There are ${count} memories; there must be ${MEMORIES_PER_THEME}.`]: count === MEMORIES_PER_THEME,
    'Two memories have one id.': ids.size === count,
    'Two memories have the same text.': texts.size === count,
    [`There are ${conflicts} conflicts; there must be ${CONFLICTS_PER_THEME}.`]:
      conflicts === CONFLICTS_PER_THEME,
  })
}

function turnProblems({ dialogue, operations }: ParsedTheme): string[] {
  const problems = dialogue.flatMap(({ role, at }, index) => {
    const expected = index % 2 === 0 ? 'user' : 'assistant'
    return failedChecks({
      [`Turn ${index} must be the ${expected}'s.`]: role === expected,
      [`Turn ${index} is earlier than the one before it.`]: at >= (dialogue[index - 1]?.at ?? at),
    })
  })
  const userTurns = dialogue.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const isCovered =
    userTurns.join() === operations.map(({ turn }) => turn).join() && dialogue.length % 2 === 0
  return [...problems, ...failedChecks({ 'Operations must be one for each user turn, in order.': isCovered })]
}

/** Applies the operations in order and reports those that are not possible. */
function operationProblems({ memories, operations }: ParsedTheme): string[] {
  const texts = new Map(memories.map(({ id, text }) => [id, text]))
  const current = new Map<string, string | null>()
  const problems = operations.flatMap((operation, index) => {
    const problem = operationProblem(operation, texts, current)
    if (operation.memory && operation.kind !== 'none') current.set(operation.memory, operation.after)
    return problem === null ? [] : [`Operation ${index} ${problem}`]
  })
  const unstated = memories
    .filter(({ id }) => !current.has(id))
    .map(({ id }) => `Memory ${id} is never stated.`)
  return [...problems, ...unstated]
}

/** Returns the problem of an operation; `null`: there is none. */
function operationProblem(
  { kind, memory, before, after }: ThemeOperation,
  texts: ReadonlyMap<string, string>,
  currentTexts: ReadonlyMap<string, string | null>,
): string | null {
  if (kind === 'none') return before === null && after === null ? null : 'does nothing, and names a text.'
  if (!memory || !texts.has(memory)) return `names memory ${memory}, which there is not.`
  const current = currentTexts.get(memory)
  if (kind === 'add') {
    if (current !== undefined) return `adds ${memory} a second time.`
    return before === null && after === texts.get(memory) ? null : `adds ${memory} with another text.`
  }
  if (current === undefined) return `changes ${memory} before it is stated.`
  if (current === null) return `changes ${memory} after it was deleted.`
  if (before !== current) return `says that ${memory} was otherwise than it was.`
  if (kind === 'delete') return after === null ? null : `deletes ${memory} and leaves a text.`
  if (after === null || after.trim() === '') return `modifies ${memory} without a new text.`
  return after === before ? `leaves ${memory} as it was.` : null
}

function questionProblems({ operations, question }: ParsedTheme): string[] {
  const conflict = operations[question.operation]
  if (conflict === undefined || !isConflict(conflict))
    return ['The question is not about one of the conflicts.']
  const later = operations.slice(question.operation + 1)
  const isLast = later.every(({ memory }) => memory !== conflict.memory)
  return failedChecks({ 'The question is about a conflict whose outcome no longer holds.': isLast })
}

function isConflict({ kind }: ThemeOperation): boolean {
  return kind === 'modify' || kind === 'delete'
}

import {
  CONFLICTS_PER_THEME,
  MEMORIES_PER_THEME,
  themeRecordSchema,
  type ThemeOperation,
  type ThemeRecord,
} from './theme-record.ts'

/**
 * What is wrong with a theme, a sentence each; empty when it can be measured with: every memory is told once and
 * before it is changed, a change changes something, nothing is changed after it was deleted, and the question is
 * about a conflict whose outcome still holds at the end.
 */
export function validateTheme(record: unknown): readonly string[] {
  const read = themeRecordSchema.safeParse(record)
  if (!read.success)
    return read.error.issues.map(({ path, message }) => `"${path.join('.')}" is wrong: ${message}.`)
  const theme = read.data
  return [
    ...memoryProblems(theme),
    ...turnProblems(theme),
    ...operationProblems(theme),
    ...questionProblems(theme),
  ]
}

function memoryProblems({ memories, operations }: ThemeRecord): string[] {
  const conflicts = operations.filter(isConflict).length
  return [
    ...(memories.length === MEMORIES_PER_THEME
      ? []
      : [`There are ${memories.length} memories; there must be ${MEMORIES_PER_THEME}.`]),
    ...(new Set(memories.map(({ id }) => id)).size === memories.length ? [] : ['Two memories have one id.']),
    ...(new Set(memories.map(({ text }) => text)).size === memories.length
      ? []
      : ['Two memories have the same text.']),
    ...(conflicts === CONFLICTS_PER_THEME
      ? []
      : [`There are ${conflicts} conflicts; there must be ${CONFLICTS_PER_THEME}.`]),
  ]
}

function turnProblems({ dialogue, operations }: ThemeRecord): string[] {
  const order = dialogue.flatMap(({ role }, place) => {
    const expected = place % 2 === 0 ? 'user' : 'agent'
    return role === expected ? [] : [`Turn ${place} must be the ${expected}'s.`]
  })
  const time = dialogue.flatMap(({ at }, place) =>
    place > 0 && Date.parse(at) < Date.parse(dialogue[place - 1]?.at ?? '')
      ? [`Turn ${place} is earlier than the one before it.`]
      : [],
  )
  const users = dialogue.flatMap(({ role }, place) => (role === 'user' ? [place] : []))
  const covered = operations.map(({ turn }) => turn)
  const each = users.join() === covered.join() && dialogue.length % 2 === 0
  return [...order, ...time, ...(each ? [] : ['Operations must be one for each user turn, in order.'])]
}

/** Walks through the operations as a memory would. */
function operationProblems({ memories, operations }: ThemeRecord): string[] {
  const base = new Map(memories.map(({ id, text }) => [id, text]))
  const now = new Map<string, string | null>()
  const problems = operations.flatMap((operation, place) => {
    const found = stepProblems(operation, base, now).map((problem) => `Operation ${place} ${problem}`)
    if (operation.memory !== null && operation.kind !== 'none') now.set(operation.memory, operation.after)
    return found
  })
  const untold = memories.filter(({ id }) => !now.has(id)).map(({ id }) => `Memory ${id} is never told.`)
  return [...problems, ...untold]
}

function stepProblems(
  { kind, memory, before, after }: ThemeOperation,
  base: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string | null>,
): string[] {
  if (kind === 'none') return before === null && after === null ? [] : ['does nothing, and names a text.']
  if (memory === null || !base.has(memory)) return [`names memory ${memory}, which there is not.`]
  if (kind === 'add') {
    if (now.has(memory)) return [`adds ${memory} a second time.`]
    return before === null && after === base.get(memory) ? [] : [`adds ${memory} with another text.`]
  }
  const current = now.get(memory)
  if (current === undefined) return [`changes ${memory} before it is told.`]
  if (current === null) return [`changes ${memory} after it was deleted.`]
  if (before !== current) return [`says that ${memory} was otherwise than it was.`]
  if (kind === 'delete') return after === null ? [] : [`deletes ${memory} and leaves a text.`]
  if (after === null || after.trim() === '') return [`modifies ${memory} without a new text.`]
  return after === before ? [`leaves ${memory} as it was.`] : []
}

function questionProblems({ operations, question }: ThemeRecord): string[] {
  const asked = operations[question.operation]
  if (asked === undefined || !isConflict(asked)) return ['The question is not about one of the conflicts.']
  const later = operations.slice(question.operation + 1).some(({ memory }) => memory === asked.memory)
  return later ? ['The question is about a conflict whose outcome no longer holds.'] : []
}

function isConflict({ kind }: ThemeOperation): boolean {
  return kind === 'modify' || kind === 'delete'
}

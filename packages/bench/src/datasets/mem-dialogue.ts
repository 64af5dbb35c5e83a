import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import {
  TurnRoleField,
  nameOfRole,
  type BenchConversation,
  type DatasetTurn,
  type GoldOperation,
  type OpenedDataset,
} from './conversation.ts'
import { gatherUnits } from './gather-units.ts'
import { opaqueId } from './opaque-id.ts'
import { timeField } from './read-time.ts'
import { openJsonLines } from './record-file.ts'
import { readFirst, streamConversations } from './stream-conversations.ts'

const ZONE = 'UTC'
const SESSION = opaqueId('s', 1)

const TimeField = timeField('2026-01-05T09:00:00Z')

const OperationSchema = z.object({
  turn: z.int('should be an index of `dialogue`').nonnegative('should be an index of `dialogue`'),
  kind: z.enum(['add', 'modify', 'delete', 'none']),
  memory: z.string().nullish(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

/** The form of a theme in a file. `checkOperations` checks how its fields fit each other. */
export const memDialogueThemeSchema = z.object({
  id: z.string(),
  theme: z.string(),
  language: z.enum(['en', 'zh']),
  split: z.enum(['train', 'test']),
  user: z.string(),
  startedAt: TimeField,
  memories: z.array(z.object({ id: z.string(), text: z.string() })).min(1, 'should have a memory'),
  dialogue: z
    .array(z.object({ role: TurnRoleField, text: z.string(), at: TimeField }))
    .min(1, 'should have a turn'),
  operations: z.array(OperationSchema),
  question: z.object({
    question: z.string(),
    answer: z.string(),
    operation: z.int('should be an index of `operations`').nonnegative('should be an index of `operations`'),
  }),
})

/** A theme of Mem_Dialogue in a file: ten memories, and the rounds of dialogue that state and change them. */
export type MemDialogueTheme = z.input<typeof memDialogueThemeSchema>
type ReadTheme = z.infer<typeof memDialogueThemeSchema>
type Operation = z.infer<typeof OperationSchema>

/**
 * Opens Mem_Dialogue-100 (MMM paper, section 2.2). A theme has ten memories, a round of dialogue for each, rounds that change four of them,
 * and a question about one change. The paper publishes no file. This form is ours, written by `keepsake bench generate`: JSON Lines with one
 * theme per line.
 *
 * ```json
 * {"id": "theme-001", "theme": "career development", "language": "en", "split": "train", "user": "Ada",
 *  "startedAt": "2026-01-05T09:00:00Z",
 *  "memories": [{"id": "m1", "text": "Ada works as a baker"}],
 *  "dialogue": [{"role": "user", "text": "I bake for a living.", "at": "2026-01-05T09:00:00Z"},
 *               {"role": "agent", "text": "Lovely!", "at": "2026-01-05T09:00:20Z"}],
 *  "operations": [{"turn": 0, "kind": "add", "memory": "m1", "before": null, "after": "Ada works as a baker"}],
 *  "question": {"question": "What is Ada's job?", "answer": "Baker.", "operation": 0}}
 * ```
 *
 * `operations` has one operation for every user turn, in the order of the talk. `turn` is the turn's index in `dialogue`, and `before` the
 * text of the memory before the change. A theme becomes a conversation of one session. Its name, such as `train/theme-001`, shows its split.
 * A unit is a round. The category of the question is the kind of change that it is about.
 *
 * @throws DatasetError naming the file, line and field; also when operations contradict each other
 */
export async function openMemDialogue(file: string): Promise<OpenedDataset> {
  const source = await openJsonLines(file)
  const { language } = checkRecord(
    memDialogueThemeSchema.pick({ language: true }),
    file,
    await readFirst(source),
  )
  return streamConversations(source, {
    name: 'mem-dialogue',
    language,
    // A file has one language: that of its first line.
    schema: memDialogueThemeSchema.extend({ language: z.literal(language) }).superRefine(checkOperations),
    build: buildTheme,
  })
}

/** Checks that every user turn has one operation, and that each operation names the text of the memory at that time. */
function checkOperations(
  { dialogue, memories, operations, question }: ReadTheme,
  context: z.RefinementCtx<ReadTheme>,
): void {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  const expected = dialogue.flatMap((turn, index) => (turn.role === 'user' ? [index] : []))
  const texts = new Map(memories.map(({ id, text }) => [id, text]))
  for (const [index, operation] of operations.entries()) {
    if (operation.turn !== expected[index]) {
      const turn = String(expected[index] ?? 'absent')
      refuse(['operations', index, 'turn'], `should be ${turn}: one operation a user turn, in order`)
    }
    const wrong = applyOperation(operation, texts)
    if (wrong !== null) refuse(['operations', index, wrong.field], wrong.message)
  }
  if (operations.length < expected.length) {
    const counts = `${operations.length} entries for ${expected.length} user turns`
    refuse(['operations'], `has ${counts}: one a turn is wanted`)
  }
  if (question.operation >= operations.length) {
    const counts = `${question.operation}, and operations has ${operations.length} entries`
    refuse(['question', 'operation'], `is ${counts}`)
  }
}

/** Applies an operation to the texts of the memories. @returns the problem of an impossible operation, or `null` */
function applyOperation({ kind, memory, before, after }: Operation, texts: Map<string, string>) {
  const hasBefore = kind === 'modify' || kind === 'delete'
  const hasAfter = kind === 'add' || kind === 'modify'
  const expectation = (hasText: boolean) => `should be ${hasText ? 'a text' : 'null'} for ${kind}`
  if ((before !== null) !== hasBefore) return { field: 'before', message: expectation(hasBefore) }
  if ((after !== null) !== hasAfter) return { field: 'after', message: expectation(hasAfter) }
  if (kind === 'none') return null
  if (memory === null || memory === undefined) return { field: 'memory', message: `is needed for ${kind}` }
  if (hasBefore && texts.get(memory) !== before) {
    const statement = texts.get(memory) ?? 'nothing'
    return { field: 'before', message: `is not what ${memory} says by then: “${statement}”` }
  }
  if (after === null) texts.delete(memory)
  else texts.set(memory, after)
  return null
}

function buildTheme(theme: ReadTheme): BenchConversation {
  const turnId = (index: number) => opaqueId('t', index + 1)
  const turns = theme.dialogue.map(({ role, text, at }, index): DatasetTurn => {
    return {
      id: turnId(index),
      role,
      speaker: role === 'user' ? theme.user : nameOfRole(role),
      text,
      at,
      zone: ZONE,
    }
  })
  const operations = theme.operations.map(({ turn, kind, before, after }): GoldOperation => {
    return { turn: turnId(turn), kind, target: before, text: after }
  })
  const sessions = [{ id: SESSION, turns, operations }]
  const name = `${theme.split}/${theme.id}`
  const change = operations[theme.question.operation]
  const question = {
    id: opaqueId('q', 1),
    text: theme.question.question,
    askedAt: Math.max(...turns.map(({ at }) => at)),
    category: change?.kind ?? 'none',
    evidence: change === undefined ? [] : [change.turn],
    answerable: true,
    answer: theme.question.answer,
  }
  const units = gatherUnits(sessions, 'rounds')
  return { name, person: name, user: theme.user, sessions, questions: [question], ...units }
}

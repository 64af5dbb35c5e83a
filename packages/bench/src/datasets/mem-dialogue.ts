import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import type {
  BenchConversation,
  DatasetQuestion,
  DatasetTurn,
  GoldOperation,
  OpenedDataset,
} from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherRounds } from './gather-units.ts'
import { openJsonLines } from './json-lines.ts'
import { opaqueId } from './opaque-id.ts'
import { readIso, timeField } from './read-time.ts'
import { readFirst, streamConversations } from './stream-conversations.ts'

const ZONE = 'UTC'
const SESSION = opaqueId('s', 1)

const TimeField = timeField(readIso, '2026-01-05T09:00:00Z')

const OperationSchema = z.object({
  turn: z.int('should be an index of `dialogue`').nonnegative('should be an index of `dialogue`'),
  kind: z.enum(['add', 'modify', 'delete', 'none']),
  memory: z.string().nullish(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

const ThemeSchema = z.object({
  id: z.string(),
  theme: z.string(),
  language: z.enum(['en', 'zh']),
  split: z.enum(['train', 'test']),
  user: z.string(),
  startedAt: TimeField,
  memories: z.array(z.object({ id: z.string(), text: z.string() })).min(1, 'should have a memory'),
  dialogue: z
    .array(z.object({ role: z.enum(['user', 'agent']), text: z.string(), at: TimeField }))
    .min(1, 'should have a turn'),
  operations: z.array(OperationSchema),
  question: z.object({
    question: z.string(),
    answer: z.string(),
    operation: z.int('should be an index of `operations`').nonnegative('should be an index of `operations`'),
  }),
})

type Theme = z.infer<typeof ThemeSchema>
type Operation = z.infer<typeof OperationSchema>

/**
 * Mem_Dialogue-100 (`mmm.txt`, section 2.2): themes of ten memories, a dialogue pair each, pairs that change four of
 * them, and a question about one of the changes. The paper publishes no file, so this form is ours, written by our
 * own SSMF generator: JSON Lines, a theme a line:
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
 * `operations` has one for every user turn, in the order of the talk; `turn` is its index in `dialogue` and
 * `before` the memory's text as it stood. A theme is a conversation of one session, named `train/theme-001` so that
 * the splits stay apart in a log. A unit is a round, the question's category the kind of the change it is about.
 *
 * @throws DatasetError naming the file, line and field; also when operations contradict each other.
 */
export async function openMemDialogue(file: string): Promise<OpenedDataset> {
  const source = await openJsonLines(file)
  const { language } = checkRecord(ThemeSchema.pick({ language: true }), file, await readFirst(source))
  return streamConversations(source, {
    name: 'mem-dialogue',
    language,
    build: (record) => {
      const theme = checkRecord(ThemeSchema, file, record)
      const problem = findProblem(theme, language)
      if (problem !== null) throw new DatasetError(file, `${record.where}: ${problem}`)
      return buildTheme(theme)
    },
  })
}

/** What is wrong with a theme whose fields are all of the right kind, or `null`. */
function findProblem(theme: Theme, language: 'en' | 'zh'): string | null {
  if (theme.language !== language) return `language should be ${language}, as it is in the first line`
  const expected = theme.dialogue.flatMap((turn, index) => (turn.role === 'user' ? [index] : []))
  const texts = new Map(theme.memories.map(({ id, text }) => [id, text]))
  for (const [index, operation] of theme.operations.entries()) {
    const field = `operations[${index}]`
    if (operation.turn !== expected[index])
      return `${field}.turn should be ${String(expected[index] ?? 'absent')}: one operation a user turn, in order`
    const problem = applyOperation(operation, texts)
    if (problem !== null) return `${field}${problem}`
  }
  if (theme.operations.length < expected.length)
    return `operations has ${theme.operations.length} entries for ${expected.length} user turns: one a turn is wanted`
  if (theme.question.operation >= theme.operations.length)
    return `question.operation is ${theme.question.operation}, and operations has ${theme.operations.length} entries`
  return null
}

/** Applies it to what each memory says, and tells what is wrong with it, or `null`. */
function applyOperation(
  { kind, memory, before, after }: Operation,
  texts: Map<string, string>,
): string | null {
  const hasBefore = kind === 'modify' || kind === 'delete'
  const hasAfter = kind === 'add' || kind === 'modify'
  if ((before !== null) !== hasBefore) return `.before should be ${hasBefore ? 'a text' : 'null'} for ${kind}`
  if ((after !== null) !== hasAfter) return `.after should be ${hasAfter ? 'a text' : 'null'} for ${kind}`
  if (kind === 'none') return null
  if (memory === null || memory === undefined) return `.memory is missing`
  if (hasBefore && texts.get(memory) !== before)
    return `.before is not what ${memory} says by then: “${texts.get(memory) ?? 'nothing'}”`
  if (after === null) texts.delete(memory)
  else texts.set(memory, after)
  return null
}

function buildTheme(theme: Theme): BenchConversation {
  const turns = theme.dialogue.map(({ role, text, at }, index): DatasetTurn => ({
    id: turnId(index),
    role,
    speaker: role === 'user' ? theme.user : 'agent',
    text,
    at,
    zone: ZONE,
  }))
  const operations = theme.operations.map(({ turn, kind, before, after }): GoldOperation => ({
    turn: turnId(turn),
    kind,
    target: before,
    text: after,
  }))
  const sessions = [{ id: SESSION, turns, operations }]
  const name = `${theme.split}/${theme.id}`
  const askedAt = Math.max(...turns.map(({ at }) => at))
  const questions = [buildQuestion(theme, operations, askedAt)]
  return { name, person: name, user: theme.user, sessions, questions, ...gatherRounds(sessions) }
}

function buildQuestion(
  { question }: Theme,
  operations: readonly GoldOperation[],
  askedAt: number,
): DatasetQuestion {
  const change = operations[question.operation]
  return {
    id: opaqueId('q', 1),
    text: question.question,
    askedAt,
    category: change?.kind ?? 'none',
    evidence: change === undefined ? [] : [change.turn],
    answerable: true,
    answer: question.answer,
  }
}

function turnId(index: number): string {
  return opaqueId('t', index + 1)
}

import { estimateTokens } from 'keepsake'
import type { DatasetQuestion } from '../../datasets/conversation.ts'
import type { Retrieved } from '../../systems/memory-system.ts'
import { attempt, questionEntryOf, type ConversationRun } from './conversation-run.ts'

/** The number of memories that a recall returns by default. */
const RECALL_LIMIT = 10
/** `evidence@4` asks whether the evidence is among this many first memories. */
const FIRST_MEMORIES = 4
/** A text counts as present in a context if its first 60 characters are. Contexts may cut the rest. */
const HEAD_LENGTH = 60

const NOTHING_FOUND: Retrieved = { memories: [], turns: [], sessions: null, confidence: null, context: '' }

/** Asks a question in plain words as an application would, and checks whether the context for the reply contains the whole answer. */
export async function measureEveryday(run: ConversationRun, question: DatasetQuestion): Promise<void> {
  const { evidenceGroups: groups = [], answerable } = question
  const options = {
    limit: RECALL_LIMIT,
    asUsual: true,
    at: question.askedAt,
    tokens: run.contextTokens,
  }
  const { value, failure, milliseconds } = await attempt(() => run.memory.retrieve(question.text, options))
  const retrieved = value ?? NOTHING_FOUND
  run.write({
    entry: 'everyday',
    ...questionEntryOf(run, question),
    language: run.language,
    answerable,
    evidence: groups,
    amongFirst: answerable ? isAmongFirst(groups, retrieved) : null,
    inContext: answerable ? isInContext(groups, retrieved, turnTexts(run)) : null,
    known: retrieved.known ?? null,
    confidence: retrieved.confidence,
    context: retrieved.context,
    contextTokens: estimateTokens(retrieved.context),
    milliseconds,
    failure,
  })
}

/** Evidence of a question, one group for each part of its answer. Any turn of a group is enough for its part. */
type Groups = NonNullable<DatasetQuestion['evidenceGroups']>

/** Reports whether the first memories rest on a turn of every group. `null`: the system does not name the turns of its memories. */
function isAmongFirst(groups: Groups, { memories }: Retrieved): boolean | null {
  const first = memories.slice(0, FIRST_MEMORIES)
  if (first.some(({ turns }) => turns === null)) return null
  const turns = new Set(first.flatMap((memory) => memory.turns ?? []))
  return groups.every((group) => group.some((turn) => turns.has(turn)))
}

/** Reports whether the context contains every group. A turn is contained by its own words, or by a statement that rests on it. */
function isInContext(groups: Groups, retrieved: Retrieved, textOf: ReadonlyMap<string, string>): boolean {
  const context = onOneLine(retrieved.context)
  // Items with `saidAt` are quoted turns. The others are statements.
  const statements = [...retrieved.memories, ...(retrieved.profile ?? [])].filter(
    ({ saidAt }) => saidAt === undefined,
  )
  const shown = statements.filter(({ text }) => containsHead(context, text))
  const supported = new Set(shown.flatMap(({ turns }) => turns ?? []))
  const isContained = (turn: string): boolean =>
    supported.has(turn) || containsHead(context, textOf.get(turn) ?? '')
  return groups.every((group) => group.some(isContained))
}

/** Reports whether a context contains the beginning of a text, as it is or with escaped quotation marks. */
function containsHead(context: string, text: string): boolean {
  const head = onOneLine(text).slice(0, HEAD_LENGTH)
  return head !== '' && (context.includes(head) || context.includes(JSON.stringify(head).slice(1, -1)))
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Maps the id of every turn to its text. */
function turnTexts({ conversation }: ConversationRun): Map<string, string> {
  const turns = conversation.sessions.flatMap((session) => session.turns)
  return new Map(turns.map(({ id, text }) => [id, text]))
}

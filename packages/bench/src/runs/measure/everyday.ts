import { estimateTokens } from 'keepsake'
import type { DatasetQuestion } from '../../datasets/conversation.ts'
import type { Retrieved } from '../../systems/memory-system.ts'
import { attempt, entryOf, type Measuring } from './measuring.ts'

/** Memories that a recall usually returns. */
const LIMIT = 10
/** Memories that count as first. */
const FIRST = 4
/** This much of a text proves its presence: the rest may be cut. */
const HEAD = 60

const NOTHING: Retrieved = { memories: [], turns: [], sessions: null, confidence: null, context: '' }

/** Asks a plain question as an application would, and checks whether the reply's context has the whole answer. */
export async function measureEveryday(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { evidenceGroups: groups = [], answerable } = question
  const options = { limit: LIMIT, asUsual: true, at: question.askedAt, tokens: measuring.contextTokens }
  const { value, failure, milliseconds } = await attempt(() =>
    measuring.memory.retrieve(question.text, options),
  )
  const retrieved = value ?? NOTHING
  measuring.write({
    entry: 'everyday',
    ...entryOf(measuring),
    question: question.id,
    category: question.category,
    language: measuring.language,
    text: question.text,
    answerable,
    evidence: groups,
    amongFirst: answerable ? isAmongFirst(groups, retrieved) : null,
    inContext: answerable ? isInContext(groups, retrieved, wordsOf(measuring)) : null,
    known: retrieved.known ?? null,
    confidence: retrieved.confidence,
    context: retrieved.context,
    contextTokens: estimateTokens(retrieved.context),
    milliseconds,
    failure,
  })
}

type Groups = NonNullable<DatasetQuestion['evidenceGroups']>

/** `null` for a system that does not name the turns of its memories. */
function isAmongFirst(groups: Groups, { memories }: Retrieved): boolean | null {
  const first = memories.slice(0, FIRST)
  if (first.some(({ turns }) => turns === null)) return null
  const turns = new Set(first.flatMap((memory) => memory.turns ?? []))
  return groups.every((group) => group.some((turn) => turns.has(turn)))
}

/** A turn is in the context by its own words, or by a statement that rests on it. */
function isInContext(groups: Groups, found: Retrieved, words: ReadonlyMap<string, string>): boolean {
  const holds = holderOf(found.context)
  const statements = [...found.memories, ...(found.profile ?? [])].filter(
    ({ saidAt }) => saidAt === undefined,
  )
  const held = new Set(statements.flatMap(({ text, turns }) => (holds(text) ? (turns ?? []) : [])))
  return groups.every((group) => group.some((turn) => held.has(turn) || holds(words.get(turn) ?? '')))
}

/** Whether a context has the head of a text, also with escaped quotation marks. */
function holderOf(context: string): (text: string) => boolean {
  const plain = onOneLine(context)
  return (text) => {
    const head = onOneLine(text).slice(0, HEAD)
    return head !== '' && (plain.includes(head) || plain.includes(JSON.stringify(head).slice(1, -1)))
  }
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function wordsOf({ conversation }: Measuring): Map<string, string> {
  const turns = conversation.sessions.flatMap((session) => session.turns)
  return new Map(turns.map(({ id, text }) => [id, text]))
}

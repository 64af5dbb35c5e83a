import type { MemDialogueTheme } from '@keepsake/bench'
import type { Memory, Turn } from 'keepsake'
import { analyseText, splitSentences } from '@keepsake/text'
import { requestRules } from 'keepsake/preset'
import { operationsReader } from '@keepsake/papers'
import { applyOperation } from 'keepsake/store'
import { makeExample, type CheckedExample } from '../examples/make-example.ts'
import { questionOf } from '../examples/ask-engine.ts'

type ThemeOperation = MemDialogueTheme['operations'][number]

/** Turns before a round that the engine shows as context. */
const TURNS_BEFORE = 4

/** A memory in the current list of a theme. A theme is the talk with one invented user. */
interface ListedMemory {
  readonly id: string
  readonly text: string
  readonly at: number
}

/** MMM's examples from a theme (section 2.1): the list before a round, the round, and the gold operation as answer. */
export async function memDialogueExamples(theme: MemDialogueTheme): Promise<CheckedExample[]> {
  const turns = turnsOf(theme)
  const listed: ListedMemory[] = []
  const examples: (CheckedExample | null)[] = []
  for (const operation of theme.operations) {
    // A round as the engine reads it: what the agent said, and the user's answer.
    const start = Math.max(0, operation.turn - 1)
    const round = turns.slice(start, operation.turn + 1)
    const before = turns.slice(Math.max(0, start - TURNS_BEFORE), start)
    examples.push(await exampleOf({ round, before }, listed, operation))
    applyToList(listed, operation, round.at(-1)?.at ?? 0)
  }
  return examples.flatMap((one) => one ?? [])
}

/** The list after an operation; a modified memory keeps its place. */
function applyToList(listed: ListedMemory[], { kind, memory, after }: ThemeOperation, at: number): void {
  const place = listed.findIndex(({ id }) => id === memory)
  if (kind === 'delete' && place !== -1) listed.splice(place, 1)
  if (after === null || memory === null || memory === undefined) return
  if (place === -1) listed.push({ id: memory, text: after, at })
  else listed[place] = { id: memory, text: after, at }
}

async function exampleOf(
  { round, before }: { readonly round: readonly Turn[]; readonly before: readonly Turn[] },
  listed: readonly ListedMemory[],
  operation: ThemeOperation,
): Promise<CheckedExample | null> {
  const segment = { scope: 1, session: 's1', sessionNumber: 1, round: 1, turns: round, before }
  const related = listed.map(memoryOf)
  const question = await questionOf((ask) => operationsReader().extract(segment, { ask, related }))
  const userTurn = round.at(-1)
  if (question === null || userTurn === undefined) return null
  const operations = await expectedOperations(operation, { userTurn, turn: round.length }, listed)
  return makeExample('operations', question, {
    answer: { operations },
    worse: null,
    by: 'generator',
    isEmpty: operations.length === 0,
    basis: { turns: [], memories: [] },
  })
}

async function expectedOperations(
  { kind, memory, before, after }: ThemeOperation,
  { userTurn, turn }: { readonly userTurn: Turn; readonly turn: number },
  listed: readonly ListedMemory[],
) {
  if (kind === 'none') return []
  const index = kind === 'add' ? null : listed.findIndex(({ id }) => id === memory) + 1
  const deletionReason = (await asksToForget(userTurn)) ? 'asked' : 'no-longer-so'
  const why = kind === 'delete' ? deletionReason : null
  const quote = quoteFor(userTurn.text, after ?? before ?? '')
  return [{ type: kind, index, content: after, why, turn, quote }]
}

async function asksToForget(userTurn: Turn): Promise<boolean> {
  const segment = { scope: 1, session: 's1', sessionNumber: 1, round: 1, turns: [userTurn] }
  const { requests } = await requestRules().extract(segment)
  return requests.some(({ kind }) => kind === 'forget')
}

/** The sentence that shares most words with the statement; the whole turn where none does. */
function quoteFor(text: string, statement: string): string {
  const words = new Set(analyseText(statement).terms)
  const scored = splitSentences(text).map(({ text: sentence }) => ({
    sentence,
    shared: new Set(analyseText(sentence).terms.filter((term) => words.has(term))).size,
  }))
  const best = scored.toSorted((one, other) => other.shared - one.shared)[0]
  return best === undefined || best.shared === 0 ? text : best.sentence
}

function turnsOf(theme: MemDialogueTheme): Turn[] {
  return theme.dialogue.map(({ role, text, at }, place) => ({
    id: `${theme.id}/${place}`,
    scope: 1,
    session: 's1',
    position: place + 1,
    role: role === 'user' ? 'user' : 'assistant',
    // The memories call the user by name, so the model needs it.
    speaker: role === 'user' ? theme.user : null,
    text,
    at: Date.parse(at),
    timeZone: 'UTC',
    metadata: null,
  }))
}

function memoryOf({ id, text, at }: ListedMemory): Memory {
  const origin = { preset: 'mmm', step: 'generated', promptVersion: null, model: null }
  const after = {
    form: 'fact',
    type: 'persona',
    subject: 'user',
    text,
    validFrom: at,
    learnedAt: at,
    origin,
  } as const
  const nothing = { parent: null, undoes: null, touched: [], sessionNumber: 1, round: 1 }
  const operation = { id, scope: 1, kind: 'add', memory: id, at, origin, ...nothing } as const
  const memory = applyOperation(undefined, { ...operation, payload: { before: null, after } }, id)
  if (memory === undefined) throw new Error(`no memory came of adding ${id}`)
  return memory
}

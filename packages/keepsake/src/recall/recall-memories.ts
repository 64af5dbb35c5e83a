import { composeContext } from '../composition/compose-context.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { Touched } from '../memories/operation.ts'
import { KNOWN_FROM } from '../retrieval/measure-confidence.ts'
import type { Recall, RecalledMemory, RecallOptions } from '../retrieval/recall-types.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import { describe, readTime } from '../turns/normalise-turns.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { presentMemories } from './present-memories.ts'
import { rankMemories, type AskedQuestion } from './rank-memories.ts'
import { standingMemories } from './standing-memories.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'

const DEFAULT_TOKENS = 1_000
const MOST = 1_000
const LONGEST_QUESTION = 100_000

/** A whole number within bounds. */
function readCount(value: number | undefined, fallback: number, what: string, most: number): number {
  const count = value ?? fallback
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw new InvalidInputError(
      `${what} must be a whole number from 1 to ${most}, but it is ${describe(value)}.`,
    )
  }
  return count
}

function readQuestion(engine: Engine, question: string, options: RecallOptions): AskedQuestion {
  if (typeof question !== 'string')
    throw new InvalidInputError(`The question must be a string, but it is ${describe(question)}.`)
  const now = options.now === undefined ? engine.now() : readTime(options.now, 'now')
  return {
    text: question.slice(0, LONGEST_QUESTION).toWellFormed(),
    limit: readCount(options.limit, engine.preset.use.limit, 'limit', MOST),
    now,
    asOf: options.asOf === undefined ? null : readTime(options.asOf, 'asOf'),
    types: options.types ?? null,
    forms: readForms(engine, options.forms),
    timeZone: options.timeZone ?? null,
    speaker: options.speaker ?? null,
  }
}

/** Which memories a recall touches: the first ones count as used, the next are only counted. */
function touchedBy(engine: Engine, ranked: readonly Memory[]): Touched[] {
  const { first, second } = engine.preset.use
  const lasting = ranked.slice(0, first + second)
  return lasting.map((memory, index) => ({ memory: memory.id, rank: index < first ? 'first' : 'second' }))
}

/** Counts what a recall returned, as far as it is still live, and forgets what a capacity then has no room for. */
async function reinforceIn(engine: Engine, row: ScopeRow, touched: readonly Touched[]): Promise<void> {
  const reinforce = ({ changes }: UnitOfWork): void => {
    const live = touched.filter((entry) => changes.read(entry.memory)?.status === 'live')
    if (live.length > 0) changes.reinforce(live, originOf(engine, 'recall'))
  }
  // Nobody waits for it: a recall must not make the disk flush.
  await decideAndCommit(engine, row, reinforce, { flush: false })
  const suppressed = touched.filter((entry) => entry.rank === 'second').map((entry) => entry.memory)
  await forgetOverCapacity(engine, row, new Set(suppressed))
}

/** Writes what a recall reinforced, off the caller's path, as one entry of the log a scope. */
function reinforceLater(engine: Engine, resolved: ResolvedScope, ranked: readonly Memory[]): void {
  const scopeOf = new Map(ranked.map((memory) => [memory.id, memory.scope]))
  const touched = touchedBy(engine, ranked)
  for (const row of resolved.rows) {
    const own = touched.filter((entry) => scopeOf.get(entry.memory) === row.scope)
    if (own.length > 0) engine.worker.later(() => reinforceIn(engine, row, own))
  }
}

/** Forms a recall may name: those the preset recalls. Others are not in the index. */
function readForms(engine: Engine, forms: readonly MemoryForm[] | undefined): readonly MemoryForm[] | null {
  const { name, recalls } = engine.preset
  const other = forms?.find((form) => !recalls.includes(form))
  if (other !== undefined) {
    throw new InvalidInputError(
      `forms names "${other}", but preset ${name} recalls ${recalls.join(' and ')}. Others can be listed with memories() and story().`,
    )
  }
  return forms ?? null
}

const NOTHING = {
  memories: [],
  sessions: [],
  context: { text: '', tokens: 0, memories: 0 },
  confidence: 0,
  known: false,
} as const

/** Answers a question from memory. See `ScopedMemory.recall`. */
export async function recallMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  question: string,
  options: RecallOptions,
): Promise<Recall> {
  const started = performance.now()
  const asked = readQuestion(engine, question, options)
  const tokens = readCount(options.tokens, DEFAULT_TOKENS, 'tokens', 10_000_000)
  options.abortSignal?.throwIfAborted()
  if (resolved === null) return { question, ...NOTHING, milliseconds: performance.now() - started }
  const ranking = await rankMemories(engine, resolved, asked, options.abortSignal)
  const head = await standingMemories(engine, resolved, asked)
  const memories: RecalledMemory[] = await presentMemories(
    engine,
    resolved.owner,
    [...head, ...ranking.memories.slice(0, asked.limit)],
    asked.asOf,
  )
  const context = composeContext(memories, tokens, engine.countTokens)
  const { confidence } = ranking
  if (options.reinforce ?? engine.preset.use.reinforce) {
    reinforceLater(
      engine,
      resolved,
      ranking.memories.filter((found) => !found.pending).map((found) => found.memory),
    )
  }
  const milliseconds = performance.now() - started
  const [row] = resolved.rows
  if (row !== undefined) {
    const ids = memories.map((recalled) => recalled.memory.id)
    engine.events.emit('recall-answered', { scope: eventScope(row), memories: ids, confidence, milliseconds })
  }
  // Where nothing is searched for, nothing tells how sure a finding is: what there is must speak for itself.
  const isWhole = engine.preset.ranking.kind === 'whole'
  const known = memories.length > 0 && (isWhole || confidence >= KNOWN_FROM)
  return { question, memories, sessions: ranking.sessions, context, confidence, known, milliseconds }
}

import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import { leastScore } from '../read/answer-context.ts'
import { KNOWN_FROM } from '../retrieval/measure-confidence.ts'
import type { Recall, RecallContext, RecalledMemory, RecallOptions } from '../retrieval/recall-types.ts'
import { eventScope } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import { TurnReader } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { momentOf } from '../work/scope-view.ts'
import { readAskedQuestion, type Asking } from './asked-question.ts'
import { findAnswer, type FoundAnswer } from './find-answer.ts'
import type { FoundMemory } from './found-memory.ts'
import { presentMemories } from './present-memories.ts'
import { rankMemories } from './rank-memories.ts'
import { betweenParts } from './read-in-part.ts'
import { standingMemories } from './standing-memories.ts'
import { repeatsShown, tellContext } from './tell-context.ts'
import { touchedBy, type Ranked } from './touch-memories.ts'

/** Takes note of what a recall reinforced; it is written off the caller's path, with what others did. */
async function reinforceLater(
  { engine, resolved }: Asking,
  cache: UserState,
  ranked: readonly Ranked[],
): Promise<void> {
  const scopeOf = new Map(ranked.map(({ memory }) => [memory.id, memory.scope]))
  const touched = touchedBy(engine, ranked)
  for (const row of resolved.rows) {
    const own = touched.filter((entry) => scopeOf.get(entry.memory) === row.scope)
    if (own.length === 0) continue
    engine.usage.note(row, own, momentOf({ engine, row, state: cache }))
    if (engine.preset.retention.when === 'capacity')
      engine.worker.later(() => forgetOverCapacity(engine, row))
  }
}

const NOTHING = {
  memories: [],
  sessions: [],
  context: { text: '', tokens: 0, memories: 0, shown: [] },
  profile: { lines: [] },
  confidence: 0,
  known: false,
} as const

/** Looked through at most when what is shown anyway has to be left out. */
const MOST_RANKED = 1_000

/** Memories looked at, so that enough are left once those that are shown anyway are taken out. */
function mostRead({ asked, engine }: Asking): number {
  const { first, second, passesOverShown = false } = engine.preset.use
  if (!passesOverShown) return Math.min(MOST_RANKED, asked.limit + asked.shown.size)
  const wanted = Math.max(asked.limit, first + second)
  return Math.min(MOST_RANKED, wanted + Math.max(asked.shown.size, asked.shownTurns.size))
}

/** Searches, as the preset does; whether a question asks for the whole of something is read where the preset tells contexts so. */
async function find(asking: Asking, cache: UserState): Promise<FoundAnswer> {
  if (asking.engine.preset.context !== 'list') return findAnswer(asking, cache)
  const limit = mostRead(asking)
  return {
    ...(await rankMemories({ ...asking, asked: { ...asking.asked, limit } }, cache)),
    as: 'answer',
    isWide: false,
  }
}

/** Those that are handed out or may stand in the context: the words of no other need be read. */
function worthReading(
  { engine, asked }: Asking,
  found: readonly FoundMemory[],
  sure: Pick<FoundAnswer, 'confidence' | 'isWide'>,
): readonly FoundMemory[] {
  const passesOver = asked.shown.size > 0 || asked.shownTurns.size > 0 || asked.asOf !== null
  if (engine.preset.context !== 'answer' || passesOver) return found
  const least = leastScore(found, sure)
  return found.filter(({ score }, place) => place < asked.limit || score >= least)
}

/** Whether finding waits for a model that lives elsewhere. */
function asksElsewhere({ embedding, reranking }: Engine): boolean {
  return embedding.embedNow === undefined || reranking !== null
}

/** Answers a question from memory. See `ScopedMemory.recall`. */
export async function recallMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  question: string,
  options: RecallOptions & { readonly shownTurns?: readonly string[] },
): Promise<Recall> {
  const started = performance.now()
  const asked = readAskedQuestion(engine, question, options)
  const { abortSignal } = options
  abortSignal?.throwIfAborted()
  if (resolved === null) return { question, ...NOTHING, milliseconds: performance.now() - started }
  const turns = new TurnReader(engine, resolved.owner)
  const asking = { engine, resolved, asked, turns, options: abortSignal === undefined ? {} : { abortSignal } }
  const before = await engine.users.load(resolved.owner, resolved.version)
  const { memories: ranked, sessions, confidence, as, isWide } = await find(asking, before)
  const waited = await betweenParts(asked.text, ranked.length)
  const cache = waited || asksElsewhere(engine) ? await engine.users.load(resolved.owner) : before
  const standing = standingMemories(asking, cache)
  // Where nothing is searched for, nothing tells how sure a finding is: what there is must speak for itself.
  const isWhole = engine.preset.ranking.kind === 'whole'
  const isSure = isWhole || confidence >= KNOWN_FROM
  // Of what is most likely not known the context shows a few lines: the words of more need not be read.
  const isFilled = engine.preset.context === 'statements'
  const looksAt = isSure || isWide || isFilled ? ranked : ranked.slice(0, mostRead(asking))
  const read = as === 'answer' ? worthReading(asking, looksAt, { confidence, isWide }) : looksAt
  const presented = await presentMemories(asking, cache, [...standing, ...read])
  await betweenParts(asked.text, presented.length)
  const passesOver = engine.preset.use.passesOverShown === true
  const looked = passesOver ? presented.filter((one) => !repeatsShown(one, asked)) : presented
  const known = looked.length > 0 && isSure
  const changed = changesOf(ranked)
  const told = { memories: looked, standing: standing.length, confidence, known, as, isWide, changed }
  const { context, profile } = await tellContext(asking, told, options.limit, cache)
  const isGathered = as === 'told' && options.limit === undefined
  const memories = isGathered ? shownOf(looked, context) : looked.slice(0, standing.length + asked.limit)
  if (options.reinforce ?? engine.preset.use.reinforce) {
    await reinforceLater(asking, cache, passesOver ? looked.slice(standing.length) : ranked)
  }
  engine.worker.asked(asking.resolved.owner)
  const milliseconds = performance.now() - started
  tellOf(asking, { memories, confidence, milliseconds })
  return { question, memories, sessions, context, profile, confidence, known, milliseconds }
}

/** Since when what a memory told is no longer so, of those of which it is known. */
function changesOf(found: readonly FoundMemory[]): ReadonlyMap<string, number> {
  return new Map(
    found.flatMap(({ memory, changed }) => (changed === undefined ? [] : [[memory.id, changed]])),
  )
}

/** Those that stand in the context, in the order they were found. */
function shownOf(memories: readonly RecalledMemory[], { shown }: RecallContext): RecalledMemory[] {
  const ids = new Set(shown)
  return memories.filter(({ memory }) => ids.has(memory.id))
}

function tellOf(
  { engine, resolved }: Asking,
  { memories, confidence, milliseconds }: Pick<Recall, 'memories' | 'confidence' | 'milliseconds'>,
): void {
  const [row] = resolved.rows
  if (row === undefined) return
  const ids = memories.map((recalled) => recalled.memory.id)
  engine.events.emit('recall-answered', { scope: eventScope(row), memories: ids, confidence, milliseconds })
}

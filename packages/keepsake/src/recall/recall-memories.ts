import { composeAnswer } from '../composition/compose-answer.ts'
import { composeContext } from '../composition/compose-context.ts'
import { composeTold } from '../composition/compose-told.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import type { Memory } from '../memories/memory.ts'
import type { Touched } from '../memories/operation.ts'
import type { Profile } from '../profile/profile.ts'
import { readProfile } from '../profile/read-profile.ts'
import { fitProfile, PROFILE_TOKENS, profileLine } from '../profile/render-profile.ts'
import { KNOWN_FROM } from '../retrieval/measure-confidence.ts'
import type { Recall, RecallContext, RecalledMemory, RecallOptions } from '../retrieval/recall-types.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { TurnReader } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { readAskedQuestion, type Asking } from './asked-question.ts'
import { findAnswer, type FoundAnswer } from './find-answer.ts'
import { presentMemories } from './present-memories.ts'
import { rankMemories } from './rank-memories.ts'
import { standingMemories } from './standing-memories.ts'

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

const NOTHING = {
  memories: [],
  sessions: [],
  context: { text: '', tokens: 0, memories: 0, shown: [] },
  profile: { lines: [] },
  confidence: 0,
  known: false,
} as const

/** Of a profile, where nothing is known: who it is, and what to mind. */
const LEAST_PROFILE_TOKENS = 50

/** Searches, as the preset does; whether a question asks for the whole of something is read where the preset tells contexts so. */
async function find(asking: Asking, cache: OwnerCache): Promise<FoundAnswer> {
  if (asking.engine.preset.context === 'answer') return findAnswer(asking, cache)
  return { ...(await rankMemories(asking)), as: 'answer' }
}

/** The profile that stands ahead, within what it may take of the context. */
async function profileAhead(asking: Asking, known: boolean): Promise<Profile> {
  const { engine, resolved, asked } = asking
  if (!asked.profile) return { lines: [] }
  const whole = await readProfile(engine, resolved, asked.now)
  const lines = known ? whole.lines : whole.lines.filter(({ isQuoted, slot }) => !isQuoted && slot !== 'now')
  const most = Math.min(known ? PROFILE_TOKENS : LEAST_PROFILE_TOKENS, Math.round(asked.tokens / 4))
  return { lines: fitProfile({ lines }, most, engine.countTokens) }
}

interface Told {
  readonly memories: readonly RecalledMemory[]
  readonly profile: Profile
  readonly confidence: number
  readonly known: boolean
  readonly as: FoundAnswer['as']
}

function compose({ engine, asked }: Asking, { memories, profile, confidence, known, as }: Told): RecallContext {
  const { countTokens, preset } = engine
  const budget = { tokens: asked.tokens, countTokens }
  if (preset.context === 'list') return composeContext(memories, asked.tokens, countTokens)
  const ahead = profile.lines.map(profileLine)
  const question = asked.text
  if (as === 'told') return composeTold(memories, { question, ahead }, budget)
  return composeAnswer(memories, { question, confidence, known, ahead }, budget)
}

/** Answers a question from memory. See `ScopedMemory.recall`. */
export async function recallMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  question: string,
  options: RecallOptions,
): Promise<Recall> {
  const started = performance.now()
  const asked = readAskedQuestion(engine, question, options)
  const { abortSignal } = options
  abortSignal?.throwIfAborted()
  if (resolved === null) return { question, ...NOTHING, milliseconds: performance.now() - started }
  const turns = new TurnReader(engine, resolved.owner)
  const asking = { engine, resolved, asked, turns, options: abortSignal === undefined ? {} : { abortSignal } }
  const before = await engine.caches.get(resolved.owner)
  const { memories: ranked, sessions, confidence, as } = await find(asking, before)
  const cache = await engine.caches.get(resolved.owner)
  const standing = standingMemories(asking, cache)
  const looked = await presentMemories(asking, cache, [...standing, ...ranked])
  // Where nothing is searched for, nothing tells how sure a finding is: what there is must speak for itself.
  const isWhole = engine.preset.ranking.kind === 'whole'
  const known = looked.length > 0 && (isWhole || confidence >= KNOWN_FROM)
  const profile = await profileAhead(asking, known)
  const handed = looked.slice(0, standing.length + asked.limit)
  const fromWhich = engine.preset.context === 'list' ? handed : looked
  const context = compose(asking, { memories: fromWhich, profile, confidence, known, as })
  const memories = as === 'told' && options.limit === undefined ? shownOf(looked, context) : handed
  if (options.reinforce ?? engine.preset.use.reinforce) {
    const lasting = ranked.filter((found) => !found.pending).map((found) => found.memory)
    reinforceLater(engine, resolved, lasting)
  }
  const milliseconds = performance.now() - started
  const [row] = resolved.rows
  if (row !== undefined) {
    const ids = memories.map((recalled) => recalled.memory.id)
    engine.events.emit('recall-answered', { scope: eventScope(row), memories: ids, confidence, milliseconds })
  }
  return { question, memories, sessions, context, profile, confidence, known, milliseconds }
}

/** Those that stand in the context, in the order they were found. */
function shownOf(memories: readonly RecalledMemory[], { shown }: RecallContext): RecalledMemory[] {
  const ids = new Set(shown)
  return memories.filter(({ memory }) => ids.has(memory.id))
}

import { ModelError, cosine, tellsProperty } from '@keepsake/text'
import { isOver, type Memory } from '../memories/memory.ts'
import { matchesMetadata } from '../metadata/metadata-filter.ts'
import type { Ranking } from '../presets/preset.ts'
import { type PromptLanguage, promptVersion } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { scoreOf, withPart } from '../retrieval/recall-types.ts'
import { eventScope } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { isForgotten } from '../work/usable-turns.ts'
import { textOf, withTexts, turnsOf } from '../work/read-memories.ts'
import { momentOf } from '../work/scope-view.ts'
import { pendingMemory, type FoundMemory, type MemoryRanking } from './found-memory.ts'
import { isMeant } from './overview.ts'
import { isInSpans } from '../memories/time-span.ts'
import type { RecallRequest } from './query.ts'
import { requireModel, type AskModel } from '../models/ask-model.ts'
import { chooseMemosPrompt } from '../prompts/choose-memos.ts'
import { isLine } from '../prompts/check-answer.ts'

/** Lists the turns of open sessions, newest first: what a memory that is read whole does not hold yet. */
export async function listOpenSessions({ engine, resolved, query }: RecallRequest): Promise<MemoryRanking> {
  const state = await engine.users.load(resolved.owner)
  const { where } = query
  const turns = resolved.scopes.flatMap((scope) =>
    state
      .sessions(scope)
      .filter(({ endedAt }) => endedAt === null)
      .flatMap(({ id }) => state.turnsOfSession(scope, id)),
  )
  const memories = turns
    .filter((turn) => where === null || matchesMetadata(where, turn.metadata))
    .filter((turn) => isInSpans(query, pendingMemory(engine, turn), () => turn.at))
    .filter((turn) => !isForgotten(state, turn) && turn.at <= (query.asOf ?? query.now))
    .sort((a, b) => b.at - a.at)
    .slice(0, query.limit)
    .map((turn, index): FoundMemory => {
      const memory = pendingMemory(engine, turn)
      return { memory, score: 1 / (1 + index), parts: {}, turns: new Map([[turn.id, 0]]), pending: true }
    })
  return { memories, sessions: [], confidence: 0, isNear: false }
}

/** Share of its score that an ended statement loses: it answers only questions about the past. */
const ENDED_SHARE = 0.25
/** Distance by which the words of an ended statement stay behind its successor. */
const BEHIND = 1e-6

/**
 * Puts ended statements behind those that hold: they lose a share of their score, and the utterances that stated them stand behind
 * the statement that came in their place.
 */
export function demoteEnded(found: readonly FoundMemory[], time: number): FoundMemory[] {
  const lowered = found.map((hit) =>
    isOver(hit.memory, time) ? withPart(hit, 'ended', -ENDED_SHARE * Math.abs(hit.score)) : hit,
  )
  const ranked = withSuccessors(lowered, time, (hit, successors) => {
    const least = Math.min(...successors.map(({ score }) => score))
    const changed = markChanged(hit, successors)
    return least <= hit.score ? withPart(changed, 'ended', least - BEHIND - hit.score) : changed
  })
  return ranked.sort((a, b) => b.score - a.score)
}

/** Marks utterances that stated what no longer holds, and keeps the order. */
export function markEnded(found: readonly FoundMemory[], time: number): FoundMemory[] {
  return withSuccessors(found, time, markChanged)
}

function markChanged(hit: FoundMemory, successors: readonly FoundMemory[]): FoundMemory {
  return { ...hit, changed: Math.max(...successors.map(({ memory }) => memory.validFrom)) }
}

/** Changes utterances that stated a found fact which ended, where the fact that came in its place was found as well. */
function withSuccessors(
  found: readonly FoundMemory[],
  time: number,
  change: (one: FoundMemory, successors: readonly FoundMemory[]) => FoundMemory,
): FoundMemory[] {
  const facts = found.filter(({ memory }) => memory.form === 'fact' && memory.key !== null)
  const subjectOf = ({ memory: { subject, key } }: FoundMemory): string => `${subject}/${key}`
  const current = new Map(
    facts
      .filter(({ memory }) => !isOver(memory, time))
      .reverse()
      .map((hit) => [subjectOf(hit), hit]),
  )
  const byTurn = new Map<string, FoundMemory[]>()
  for (const hit of facts) {
    const successor = current.get(subjectOf(hit))
    if (successor === undefined || !isOver(hit.memory, time)) continue
    for (const turn of turnsOf(hit.memory)) byTurn.set(turn, [...(byTurn.get(turn) ?? []), successor])
  }
  if (byTurn.size === 0) return [...found]
  return found.map((hit) => {
    if (hit.memory.form !== 'utterance') return hit
    const turns = turnsOf(hit.memory)
    const successors = turns
      .flatMap((turn) => byTurn.get(turn) ?? [])
      .filter(({ memory }) => !memory.evidence.some(({ turn }) => turns.includes(turn)))
    return successors.length === 0 ? hit : change(hit, successors)
  })
}

/** Results examined for the property. */
export const LOOKED_AT_FOR_PROPERTY = 40
/** Score gain of a memory that states the property asked for; the same as for a number where one is asked for. */
const STATES_PROPERTY = 0.45

/** Memories in which the property that a question asks for stands come before others that match as well. */
export function rankByProperty(
  state: UserState,
  property: RegExp,
  found: readonly FoundMemory[],
): readonly FoundMemory[] {
  const looked = found.slice(0, LOOKED_AT_FOR_PROPERTY)
  const ranked = looked.map((hit) =>
    tellsProperty(property, textOf(state, hit.memory)) ? withPart(hit, 'property', STATES_PROPERTY) : hit,
  )
  ranked.sort((a, b) => b.score - a.score)
  return [...ranked, ...found.slice(LOOKED_AT_FOR_PROPERTY)]
}

/** Lists live memories that were not found, the latest learned first, behind all that were found. */
export function restOf(
  request: RecallRequest,
  state: UserState,
  found: readonly FoundMemory[],
): FoundMemory[] {
  const known = new Set(found.map(({ memory }) => memory.id))
  const last = Math.min(0, found.at(-1)?.score ?? 0)
  return [...state.listMemories({ scopes: new Set(request.resolved.scopes), statuses: ['live'] })]
    .filter((memory) => !known.has(memory.id) && isListed(request, state, memory))
    .sort((a, b) => b.learnedAt - a.learnedAt)
    .map((memory, index) => {
      const score = last - 1 - index
      return { memory, score, parts: { listed: score }, turns: new Map(), pending: false }
    })
}

/** Whether a live memory that was not found is listed: its form is recalled, and it held at the time asked about. */
function isListed(request: RecallRequest, state: UserState, memory: Memory): boolean {
  const { form, validFrom, validUntil, past } = memory
  const isRecalled = form === 'note' || request.engine.preset.recalls.includes(form)
  if (!isRecalled || !isMeant(request, state, memory)) return false
  const at = request.query.asOf ?? request.query.now
  const held = [{ validFrom, validUntil }, ...(request.query.asOf === null ? [] : past)]
  return held.some((one) => one.validFrom <= at && (one.validUntil === null || one.validUntil > at))
}

/** The documents by which a memory was found: its turns, or itself. */
function documentsOf({ memory, turns }: FoundMemory): string[] {
  const found = turnsOf(memory).filter((turn) => turns.has(turn))
  return found.length > 0 ? found : [memory.id]
}

/** What the policy says each memory is worth now, 0 to 1. */
async function worthOf({ engine, resolved }: RecallRequest, state: UserState, found: readonly FoundMemory[]) {
  const [row] = resolved.rows
  if (row === undefined) return []
  const moment = { ...momentOf({ engine, row, state: state }), underWay: true }
  const memories = found.map(({ memory }) => engine.usage.counted(state, memory))
  return engine.preset.policy.strengths(memories, moment).map(({ value }) => Math.min(1, Math.max(0, value)))
}

async function readThreshold(
  { thresholds }: Engine,
  given: (Ranking & { readonly kind: 'cosine' })['threshold'],
  language: PromptLanguage,
): Promise<number> {
  if (given === 'calibrated') return thresholds.of(language)
  return typeof given === 'number' ? given : given[language]
}

/** LUFY's and MemoryBank's ranking: cosine over a threshold, and a share of what the policy says the memory is worth. */
export async function rankByCosine(
  request: RecallRequest,
  state: UserState,
  found: readonly FoundMemory[],
  vector: Float32Array,
): Promise<readonly FoundMemory[]> {
  const { engine, query } = request
  const { ranking } = engine.preset
  if (ranking.kind !== 'cosine') return found
  const threshold = await readThreshold(engine, ranking.threshold, promptLanguage([query.text]))
  const worth = await worthOf(request, state, found)
  const ranked = found.flatMap((hit, index): FoundMemory[] => {
    const documents = documentsOf(hit)
    const cosines = documents.map((id) => cosine(vector, state.vectors?.get(id)))
    const best = Math.max(...cosines)
    if (best < threshold) return []
    const importance = ranking.importance * (worth[index] ?? 0)
    const turns = new Map(documents.map((id, i) => [id, cosines[i] ?? 0]))
    return [{ ...hit, ...scoreOf({ cosine: best, importance }), turns }]
  })
  return ranked.sort((a, b) => b.score - a.score)
}

/**
 * Reorders the first results where a model can: a reranking model by its score, or
 * the language model by picking (MemoChat). A model that fails costs the better order, never the recall.
 */
export async function rankByModel(
  request: RecallRequest,
  state: UserState,
  found: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const { engine, options } = request
  const { ranking } = engine.preset
  try {
    if (ranking.kind === 'hybrid') return await rerank(request, state, found, ranking.rerank ?? 0)
    if (ranking.kind === 'chosen' && (engine.language?.modelOf('recall') ?? null) !== null)
      return await choose(request, state, found.slice(0, ranking.from))
    return found
  } catch (error) {
    options.abortSignal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    engine.events.emit('background-failed', { error })
    return found
  }
}

/** Puts reranked results before the rest. Their scores continue from the best score. */
async function rerank(
  { engine, query, options }: RecallRequest,
  state: UserState,
  found: readonly FoundMemory[],
  most: number,
): Promise<readonly FoundMemory[]> {
  const head = found.slice(0, Math.min(most, engine.reranking?.most ?? most))
  // One alone has no order, but a model that gives probabilities says whether it answers.
  const fewest = engine.reranking?.isProbability === true ? 1 : 2
  if (engine.reranking === null || head.length < fewest) return found
  const memories = withTexts(
    state,
    head.map((hit) => hit.memory),
  )
  const texts = memories.map((memory) => memory.text)
  const saidAt = memories.map((memory) => memory.validFrom)
  const scores = await engine.reranking.rerank(query.text, texts, { ...options, saidAt, now: query.now })
  const lift = head[0]?.score ?? 0
  const best = Math.max(...scores)
  const worst = Math.min(...scores)
  // From 0 to 1, so that nothing which was reranked falls behind what was not.
  const shares = scores.map((score) => (best === worst ? 1 : (score - worst) / (best - worst)))
  const ranked = head
    .map((hit, index) => ({
      one: engine.reranking?.isProbability === true ? { ...hit, relevance: scores[index] ?? 0 } : hit,
      share: shares[index] ?? 0,
    }))
    .sort((left, right) => right.share - left.share)
    .map(({ one: hit, share }) => withPart(hit, 'reranked', lift + share - hit.score))
  return [...ranked, ...found.slice(most)]
}

/** Keeps what the model picked, in its order. */
async function choose(
  { engine, resolved, query, options }: RecallRequest,
  state: UserState,
  likely: readonly FoundMemory[],
): Promise<FoundMemory[]> {
  const [row] = resolved.rows
  const ask = row === undefined ? null : (engine.language?.for(eventScope(row), 'recall') ?? null)
  if (ask === null || likely.length === 0) return []
  const memos = withTexts(
    state,
    likely.map((hit) => hit.memory),
  )
  const { now, timeZone } = query
  const chosen = await chooseMemos(query.text, memos, { ...options, ask, now, timeZone })
  return chosen.flatMap((memo) => likely.find((hit) => hit.memory.id === memo.id) ?? [])
}

/** The least a memo must tell of itself to be chosen. */
export interface ChoosableMemo {
  readonly text: string
  /** When its content was said, milliseconds since 1970. */
  readonly validFrom: number
}

export interface ChooseMemosOptions {
  readonly ask: AskModel | null
  /** The moment of asking, milliseconds since 1970. */
  readonly now: number
  readonly timeZone?: string | null
  readonly abortSignal?: AbortSignal
}

/**
 * MemoChat's retrieval: a language model picks the memos that bear on a question. One call, none for no memos.
 *
 * @returns those chosen, best first; may be none
 * @throws InvalidInputError when there is no language model
 */
export async function chooseMemos<Memo extends ChoosableMemo>(
  question: string,
  memos: readonly Memo[],
  { ask, now, timeZone, abortSignal }: ChooseMemosOptions,
): Promise<Memo[]> {
  const model = requireModel(ask, promptVersion(chooseMemosPrompt))
  if (memos.length === 0) return []
  const language = promptLanguage([question, ...memos.map((memo) => memo.text)])
  const input = {
    question,
    memos: memos.map(({ text, validFrom }) => ({ text, at: validFrom })),
    now,
    timeZone: timeZone ?? null,
  }
  const asking = { language, abortSignal }
  const answer = await model.ask(chooseMemosPrompt, input, asking)
  const numbers = new Set(answer.memos.filter((number) => isLine(number, memos.length)))
  return [...numbers].flatMap((number) => memos[number - 1] ?? [])
}

// Changes the order of search results: by validity, by property, by exact cosine, and by models.
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
import { isAccepted } from './overview.ts'
import { isInSpans } from '../memories/time-span.ts'
import type { RecallRequest } from './query.ts'
import { requireModel, type AskModel } from '../models/ask-model.ts'
import { chooseMemosPrompt } from '../prompts/choose-memos.ts'
import { isLine } from '../prompts/check-answer.ts'

/** Lists the turns of open sessions, newest first. A memory that is read whole does not contain them yet. */
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

/** Share of its score that an ended statement loses, since it answers only questions about the past. */
const ENDED_SHARE = 0.25
/** Smallest lead of a statement over the utterances that stated its predecessor. */
const SUCCESSOR_LEAD = 1e-6

/**
 * Ranks ended statements below current ones. An ended statement loses a share of its score. An utterance that stated it comes after the
 * statement that replaced it.
 */
export function demoteEnded(found: readonly FoundMemory[], time: number): FoundMemory[] {
  const lowered = found.map((hit) =>
    isOver(hit.memory, time) ? withPart(hit, 'ended', -ENDED_SHARE * Math.abs(hit.score)) : hit,
  )
  const ranked = withSuccessors(lowered, time, (hit, successors) => {
    const lowest = Math.min(...successors.map(({ score }) => score))
    const changed = markChanged(hit, successors)
    return lowest <= hit.score ? withPart(changed, 'ended', lowest - SUCCESSOR_LEAD - hit.score) : changed
  })
  return ranked.sort((a, b) => b.score - a.score)
}

/** Marks utterances whose statement no longer holds, and keeps the order. */
export function markEnded(found: readonly FoundMemory[], time: number): FoundMemory[] {
  return withSuccessors(found, time, markChanged)
}

function markChanged(hit: FoundMemory, successors: readonly FoundMemory[]): FoundMemory {
  return { ...hit, changed: Math.max(...successors.map(({ memory }) => memory.validFrom)) }
}

/** Applies a change to each utterance that stated an ended fact, if both this fact and the one that replaced it were found. */
function withSuccessors(
  found: readonly FoundMemory[],
  time: number,
  change: (utterance: FoundMemory, successors: readonly FoundMemory[]) => FoundMemory,
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

/** Number of results that are checked for the property. */
export const MAX_CHECKED_FOR_PROPERTY = 40
/** Score gain of a memory that states the property asked for. The search gives the same for a number. */
const PROPERTY_GAIN = 0.45

/** Ranks memories that state the property asked for, such as “plumber” for “job”, before others that match equally. */
export function rankByProperty(
  state: UserState,
  property: RegExp,
  found: readonly FoundMemory[],
): readonly FoundMemory[] {
  const checked = found.slice(0, MAX_CHECKED_FOR_PROPERTY)
  const ranked = checked.map((hit) =>
    tellsProperty(property, textOf(state, hit.memory)) ? withPart(hit, 'property', PROPERTY_GAIN) : hit,
  )
  ranked.sort((a, b) => b.score - a.score)
  return [...ranked, ...found.slice(MAX_CHECKED_FOR_PROPERTY)]
}

/** Lists live memories that were not found, the latest learned first. Their scores are below those of all found memories. */
export function listRest(
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
  if (!isRecalled || !isAccepted(request, state, memory)) return false
  const at = request.query.asOf ?? request.query.now
  const versions = [{ validFrom, validUntil }, ...(request.query.asOf === null ? [] : past)]
  return versions.some((version) => {
    const hasEnded = version.validUntil !== null && version.validUntil <= at
    return version.validFrom <= at && !hasEnded
  })
}

/** Lists the documents by which a memory was found: its turns, or itself. */
function documentsOf({ memory, turns }: FoundMemory): string[] {
  const found = turnsOf(memory).filter((turn) => turns.has(turn))
  return found.length > 0 ? found : [memory.id]
}

/** Computes the strength of each memory by the forgetting policy, from 0 to 1. */
async function strengthsOf(
  { engine, resolved }: RecallRequest,
  state: UserState,
  found: readonly FoundMemory[],
) {
  const [row] = resolved.rows
  if (row === undefined) return []
  const moment = { ...momentOf({ engine, row, state }), underWay: true }
  const memories = found.map(({ memory }) => engine.usage.counted(state, memory))
  return engine.preset.policy.strengths(memories, moment).map(({ value }) => Math.min(1, Math.max(0, value)))
}

async function readThreshold(
  { thresholds }: Engine,
  threshold: (Ranking & { readonly kind: 'cosine' })['threshold'],
  language: PromptLanguage,
): Promise<number> {
  if (threshold === 'calibrated') return thresholds.of(language)
  return typeof threshold === 'number' ? threshold : threshold[language]
}

/** Ranks as LUFY and MemoryBank do: by cosine above a threshold, plus a share of the memory's strength. */
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
  const strengths = await strengthsOf(request, state, found)
  const ranked = found.flatMap((hit, index): FoundMemory[] => {
    const documents = documentsOf(hit)
    const cosines = documents.map((id) => cosine(vector, state.vectors?.get(id)))
    const best = Math.max(...cosines)
    if (best < threshold) return []
    const importance = ranking.importance * (strengths[index] ?? 0)
    const turns = new Map(documents.map((id, i) => [id, cosines[i] ?? 0]))
    return [{ ...hit, ...scoreOf({ cosine: best, importance }), turns }]
  })
  return ranked.sort((a, b) => b.score - a.score)
}

/**
 * Reorders the first results by a model: by the scores of a reranking model, or by the choice of the language model (MemoChat). If the
 * model fails, the results keep their order.
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

/** Puts reranked results before the rest. Their new scores start at the best score. */
async function rerank(
  { engine, query, options }: RecallRequest,
  state: UserState,
  found: readonly FoundMemory[],
  limit: number,
): Promise<readonly FoundMemory[]> {
  const head = found.slice(0, Math.min(limit, engine.reranking?.most ?? limit))
  const givesProbability = engine.reranking?.isProbability === true
  // A single result has no order, but a probability still says whether it answers the question.
  const minResults = givesProbability ? 1 : 2
  if (engine.reranking === null || head.length < minResults) return found
  const texts = head.map(({ memory }) => textOf(state, memory))
  const saidAt = head.map(({ memory }) => memory.validFrom)
  const scores = await engine.reranking.rerank(query.text, texts, { ...options, saidAt, now: query.now })
  const bestBefore = head[0]?.score ?? 0
  const highest = Math.max(...scores)
  const lowest = Math.min(...scores)
  // Scaled to 0 to 1 and added to the best score, so that no reranked result comes after the others.
  const shares = scores.map((score) => (highest === lowest ? 1 : (score - lowest) / (highest - lowest)))
  const ranked = head
    .map((hit, index) => ({
      hit: givesProbability ? { ...hit, relevance: scores[index] ?? 0 } : hit,
      share: shares[index] ?? 0,
    }))
    .sort((a, b) => b.share - a.share)
    .map(({ hit, share }) => withPart(hit, 'reranked', bestBefore + share - hit.score))
  return [...ranked, ...found.slice(limit)]
}

/** Keeps the memories that the language model chose, in its order. */
async function choose(
  { engine, resolved, query, options }: RecallRequest,
  state: UserState,
  likely: readonly FoundMemory[],
): Promise<FoundMemory[]> {
  const [row] = resolved.rows
  const ask = row === undefined ? null : (engine.language?.for(eventScope(row), 'recall') ?? null)
  if (ask === null || likely.length === 0) return []
  const likelyMemories = likely.map(({ memory }) => memory)
  const memos = withTexts(state, likelyMemories)
  const { now, timeZone } = query
  const chosen = await chooseMemos(query.text, memos, { ...options, ask, now, timeZone })
  return chosen.flatMap((memo) => likely.find((hit) => hit.memory.id === memo.id) ?? [])
}

export interface ChooseMemosOptions {
  readonly ask: AskModel | null
  /** Time of the question, in milliseconds since 1970. */
  readonly now: number
  readonly timeZone?: string | null
  readonly abortSignal?: AbortSignal
}

/**
 * Retrieves as MemoChat does: in one call, a language model chooses the memos that bear on a question.
 *
 * @returns the chosen memos, best first; may be empty
 * @throws InvalidInputError when there is no language model
 */
export async function chooseMemos<Memo extends Pick<Memory, 'text' | 'validFrom'>>(
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

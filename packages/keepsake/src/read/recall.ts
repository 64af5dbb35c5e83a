// Answers a question: finds memories, composes the context, and judges whether they answer it.
import {
  asksAdvice,
  asksChange,
  asksOfAgent,
  readAsked,
  readKind,
  readTimeRanges,
  statesOnly,
  type TimeRange,
  withPronouns,
  zoneOffset,
} from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { matchesMetadata, prepareFilter } from '../metadata/metadata-filter.ts'
import { KNOWN_FROM, readAnswerable } from '../retrieval/measure-confidence.ts'
import {
  type Answerable,
  type Recall,
  type RecallContext,
  type RecallOptions,
  type RecalledMemory,
  withPart,
} from '../retrieval/recall-types.ts'
import { eventScope } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { minUsefulScore } from './choose-lines.ts'
import {
  answerGathered,
  gatherWhole,
  spreadOverSessions,
  withFollowUps,
  withOwnValue,
} from './add-answers.ts'
import { keepOfPerson, withRelations } from './add-relations.ts'
import { repeatsShown, composeRecallContext, presentMemories, withWords } from './context.ts'
import { withReadings } from './add-readings.ts'
import type { FoundMemory, FoundAnswer, MemoryRanking } from './found-memory.ts'
import { yieldBetweenParts, readRecallQuery, type RecallRequest, findNames } from './query.ts'
import { rankMemories } from './rank.ts'
import { reinforceLater } from './reinforce.ts'
import { gatherTimes } from './overview.ts'
import { isInSpans } from '../memories/time-span.ts'

const NOTHING = {
  memories: [],
  sessions: [],
  context: { text: '', tokens: 0, memories: 0, shown: [] },
  profile: { lines: [] },
  confidence: 0,
} as const

/** Maximum number of memories that are searched for. */
const MAX_RANKED = 1_000

/** Tokens of a short line of the context. They give the number of memories that may fill it, and so the number to search for. */
const LINE_TOKENS = { exchange: 25, statement: 12 } as const

/** Score of a turn that the search did not find but that was said at the time asked about, as a share of the best score. */
const TIME_SHARE = 0.7

/** Answers a question from memory. See `ScopedMemory.recall`. */
export async function recallMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  question: string,
  options: RecallOptions & { readonly shownTurns?: readonly string[] },
): Promise<Recall> {
  const started = performance.now()
  const query = readRecallQuery(engine, question, options)
  const { abortSignal } = options
  abortSignal?.throwIfAborted()
  const isStatement = statesOnly(query.text)
  if (resolved === null) {
    const answerable = isStatement ? null : 'no'
    return { question, ...NOTHING, answerable, known: false, milliseconds: performance.now() - started }
  }
  const request = { engine, resolved, query, options: abortSignal === undefined ? {} : { abortSignal } }
  const loaded = resolved.state ?? (await engine.users.load(resolved.owner))
  const isPrepared = await prepareFilter(query.where, [loaded.turns, loaded.memories])
  const before = isPrepared ? await engine.users.load(resolved.owner) : loaded
  const found = await find(request, before)
  // Memories added after the search, such as follow-ups, may lie outside the time spans of the query.
  const timeOf = (turn: string): number | undefined => before.turns.get(turn)?.at
  const ranked = found.memories.filter(({ memory }) => isInSpans(query, memory, timeOf))
  const answer = { ...found, memories: ranked }
  const { sessions, confidence, wordsOnly } = answer
  const hasYielded = await yieldBetweenParts(query.text, ranked.length)
  const mayHaveChanged = hasYielded || usesRemoteModel(engine)
  const state = mayHaveChanged ? await engine.users.load(resolved.owner) : before
  const { memories, used, ...shown } = await presentAnswer(request, state, answer, options.limit)
  const reinforces = options.reinforce ?? engine.preset.use.reinforce
  if (reinforces) await reinforceLater(request, state, used)
  engine.worker.markActive(request.resolved.owner)
  const milliseconds = performance.now() - started
  emitAnswered(request, { memories, confidence, milliseconds })
  const answerable = isStatement ? null : answerableOf(engine, answer, memories)
  const verdict = { confidence, answerable, known: answerable === 'yes' }
  const recall = { question, memories, sessions, ...shown, ...verdict, milliseconds }
  return wordsOnly === undefined ? recall : { ...recall, wordsOnly }
}

/** A preset that reads its whole memory does not search, so it has no confidence. */
const readsWhole = ({ preset }: Engine): boolean => preset.ranking.kind === 'whole'

/** Chooses the memories to return, and composes the context. `used`: the memories whose usage counts. */
async function presentAnswer(
  request: RecallRequest,
  state: UserState,
  { memories: ranked, confidence, isNear, as, isWide, asks }: FoundAnswer,
  limit: number | undefined,
) {
  const { engine, query } = request
  const standing = standingMemories(request, state)
  const mayAnswer = readsWhole(engine) || isNear || confidence >= KNOWN_FROM
  // If nothing near the question was found, the context shows a few lines only.
  const isFilled = engine.preset.context === 'statements'
  const candidates = mayAnswer || isWide || isFilled ? ranked : ranked.slice(0, candidateLimit(request))
  const shortlist = as === 'answer' ? dropNoise(request, candidates) : candidates
  const presented = presentMemories(query.asOf, state, [...standing, ...shortlist])
  await yieldBetweenParts(query.text, presented.length)
  const skipsShown = engine.preset.use.passesOverShown === true
  const unshown = skipsShown ? presented.filter((memory) => !repeatsShown(memory, query)) : presented
  const changed = changesOf(ranked)
  const hasAnswer = mayAnswer && unshown.length > 0
  const found = {
    memories: unshown,
    standing: standing.length,
    mayAnswer: hasAnswer,
    as,
    isWide,
    asks,
    changed,
  }
  const { context, profile } = await composeRecallContext(request, found, limit, state)
  const returnsAllOfContext = as === 'gathered' && limit === undefined
  const first = unshown.slice(0, standing.length + query.limit)
  const returned = returnsAllOfContext ? memoriesIn(context, unshown) : first
  const memories = returned.map((recalled) => withWords(state, recalled))
  return { memories, context, profile, used: skipsShown ? unshown.slice(standing.length) : ranked }
}

/** Judges whether the returned memories answer the question. Gathered memories, and a memory that is read whole, count as near. */
function answerableOf(
  engine: Engine,
  { confidence, isNear, as }: FoundAnswer,
  memories: readonly RecalledMemory[],
): Answerable {
  if (memories.length === 0) return 'no'
  return readsWhole(engine) ? 'yes' : readAnswerable(confidence, isNear || as === 'gathered')
}

/** Finds memories as the preset asks. A preset whose context is a list only searches. */
async function find(request: RecallRequest, state: UserState): Promise<FoundAnswer> {
  if (request.engine.preset.context !== 'list') return findAnswer(request, state)
  const limit = candidateLimit(request)
  return {
    ...(await rankMemories({ ...request, query: { ...request.query, limit } }, state)),
    as: 'answer',
    isWide: false,
    asks: null,
  }
}

/**
 * Finds the memories that answer a question. For a question about a whole person, conversation or time it gathers all that was said of
 * it. For other questions, or if there is nothing to gather, it searches.
 */
export async function findAnswer(unnamed: RecallRequest, state: UserState): Promise<FoundAnswer> {
  const names = findNames(unnamed, state)
  const request = { ...unnamed, names }
  const { query } = request
  const text = withPronouns(query.text, { ...names, agent: [] })
  const ranges = readTimeRanges(text, query.now, zoneOffset(query.timeZone, query.now))
  const kind = readKind(text, ranges)
  const gathered = await gatherWhole(request, state, kind, ranges)
  await yieldBetweenParts(query.text)
  // For “What do you know about Bo?” only the subject “Bo” is searched, since no turn contains the other words.
  const searched = kind.kind === 'subject' ? { ...request, query: { ...query, text: kind.subject } } : request
  const ranking = await search(searched, state)
  if (gathered.length > 0) return answerGathered(gathered, ranking, kind)
  const question = withPronouns(text, { self: [], agent: names.agent })
  const hasFollowUps = asksChange(text) || asksOfAgent(text) || asksAdvice(question)
  const memories = hasFollowUps ? await withFollowUps(request, state, ranking.memories) : ranking.memories
  const answer = answerOf(request, state, { ...ranking, memories, asks: readAsked(question) }, ranges)
  const read = withReadings(request, state, withOwnValue(request, state, text, answer))
  const related = await withRelations(request, state, read)
  if (kind.kind !== 'subject') return related
  const concerning = await keepOfPerson(request, state, kind.subject, related.memories)
  return { ...related, memories: spreadOverSessions(concerning), as: 'gathered', isWide: true }
}

async function search(request: RecallRequest, state: UserState): Promise<MemoryRanking> {
  const { query, engine } = request
  const lineTokens = engine.preset.context === 'statements' ? LINE_TOKENS.statement : LINE_TOKENS.exchange
  const maxLines = Math.min(MAX_RANKED, Math.ceil(query.tokens / lineTokens))
  return rankMemories({ ...request, query: { ...query, limit: Math.max(query.limit, maxLines) } }, state)
}

/** Adds other turns of the time that a question names to the search results. */
function answerOf(
  request: RecallRequest,
  state: UserState,
  ranking: MemoryRanking & Pick<FoundAnswer, 'asks'>,
  ranges: readonly TimeRange[],
): FoundAnswer {
  const found = { ...ranking, as: 'answer', isWide: asksChange(request.query.text) } as const
  if (ranges.length === 0) return found
  const best = ranking.memories[0]?.score ?? 0
  const known = new Set(ranking.memories.map(({ memory }) => memory.id))
  const said = gatherTimes(request, state, ranges).filter(({ memory }) => !known.has(memory.id))
  const added = said.map((hit) => withPart(hit, 'told', TIME_SHARE * best - hit.score))
  const memories = [...ranking.memories, ...added].sort((a, b) => b.score - a.score)
  return { ...found, memories, isWide: found.isWide || said.length > 0 }
}

/** Lists the memories that the preset puts first in every recall, such as a portrait: the newest of each form in each scope. */
export function standingMemories(
  { engine, resolved, query }: RecallRequest,
  state: UserState,
): FoundMemory[] {
  const forms = engine.preset.always ?? []
  if (forms.length === 0) return []
  const time = query.asOf ?? Number.POSITIVE_INFINITY
  const newest = new Map<string, Memory>()
  for (const memory of state.listMemories({ scopes: new Set(resolved.scopes), forms, statuses: ['live'] })) {
    if (memory.validFrom > time) continue
    if (query.where !== null && !matchesMetadata(query.where, memory.metadata)) continue
    const scopeAndForm = `${memory.scope}/${memory.form}`
    const known = newest.get(scopeAndForm)
    if (known === undefined || known.validFrom <= memory.validFrom) newest.set(scopeAndForm, memory)
  }
  const found = { score: 0, parts: {}, turns: new Map<string, number>(), pending: false }
  return [...newest.values()].map((memory) => ({ ...found, memory }))
}

/** Returns the number of memories to search for. It is higher if the prompt already shows some, which are left out later. */
function candidateLimit({ query, engine }: RecallRequest): number {
  const { first, second, passesOverShown = false } = engine.preset.use
  if (!passesOverShown) return Math.min(MAX_RANKED, query.limit + query.shown.size)
  const wanted = Math.max(query.limit, first + second)
  return Math.min(MAX_RANKED, wanted + Math.max(query.shown.size, query.shownTurns.size))
}

/** Drops memories that are neither returned nor good enough for the context, so that their words need not be read. */
function dropNoise({ engine, query }: RecallRequest, found: readonly FoundMemory[]): readonly FoundMemory[] {
  const mayDropMoreLater = query.shown.size > 0 || query.shownTurns.size > 0 || query.asOf !== null
  if (engine.preset.context !== 'answer' || mayDropMoreLater) return found
  const minScore = minUsefulScore(found)
  return found.filter(({ score }, index) => index < query.limit || score >= minScore)
}

/** Maps memories whose statement has ended to the time since when it no longer holds. */
function changesOf(found: readonly FoundMemory[]): ReadonlyMap<string, number> {
  return new Map(
    found.flatMap(({ memory, changed }) => (changed === undefined ? [] : [[memory.id, changed]])),
  )
}

/** Lists the memories that stand in the context, in the order they were found. */
function memoriesIn({ shown }: RecallContext, memories: readonly RecalledMemory[]): RecalledMemory[] {
  const ids = new Set(shown)
  return memories.filter(({ memory }) => ids.has(memory.id))
}

function emitAnswered(
  { engine, resolved }: RecallRequest,
  { memories, confidence, milliseconds }: Pick<Recall, 'memories' | 'confidence' | 'milliseconds'>,
): void {
  const [row] = resolved.rows
  if (row === undefined) return
  const ids = memories.map((recalled) => recalled.memory.id)
  engine.events.emit('recall-answered', { scope: eventScope(row), memories: ids, confidence, milliseconds })
}

/** Whether a recall waits for a model outside this process. */
function usesRemoteModel({ embedding, reranking }: Engine): boolean {
  return embedding.embedNow === undefined || reranking !== null
}

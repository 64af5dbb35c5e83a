// Gathers memories about a whole person, a session, a time or an event.
import { cosine, findTerms, simplifyChinese, type Matter, type Side, type TimeRange } from '@keepsake/text'
import { isRecallable } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { matchesMetadata } from '../metadata/metadata-filter.ts'
import { isInSpans } from '../memories/time-span.ts'
import type { SessionRow } from '../store/store.ts'
import type { Role, Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { usableTurns } from '../work/usable-turns.ts'
import { searchableMemory, type FoundMemory } from './found-memory.ts'
import { chooseOverview, readWorth, type OverviewText } from './choose-overview.ts'
import { aboutOf, strandsOf } from './life-areas.ts'
import { nameStrands } from './name-strands.ts'
import { findNames, type RecallRequest } from './query.ts'

/** Maximum number of turns that an overview is chosen from: the latest ones, which are some years of daily talk. */
const MAX_TURNS = 5_000
/** Maximum number of texts that are chosen by meaning only. */
const MAX_BY_MEANING = 60
/** Shares of texts that may be chosen by meaning only: a fifth of the first 20, half of the others. In short talk, few texts are byMeaning. */
const SHARE_BY_MEANING = { few: 20, ofFew: 0.2, ofOthers: 0.5 } as const
/** Minimum cosine of such a text. It is low, since a question for everything should fill the budget. */
const MIN_SIMILARITY = 0.05
/** The user's first turns: how many may be chosen, the terms that each must have, and the number of texts that come before them. */
const OPENING = { turns: 4, minTerms: 2, after: 8 } as const
/** Maximum number of chosen texts: as many lines as fit in a context of the default size. */
const MAX_CHOSEN = 80
/** Tokens of the shortest lines of a context. */
const SHORTEST_LINE_TOKENS = 5

/** Number of people included because the user names them often, for matters about people. A whole life includes only a few. */
const MAX_NAMED: Readonly<Partial<Record<Matter, number>>> = { people: 12, family: 8, friends: 8, person: 4 }

function maxNamedPeople(matters: readonly Matter[]): number {
  return Math.max(...matters.map((matter) => MAX_NAMED[matter] ?? 0))
}

/** Gathers the statements and turns of the user that say most about the matters asked for. */
export function gatherOverview(
  request: RecallRequest,
  state: UserState,
  matters: readonly Matter[],
): FoundMemory[] {
  const { engine, resolved } = request
  const turns = resolved.scopes.toSorted((a, b) => a - b).flatMap((scope) => state.turnsAfter(scope, 0))
  const saidBy = (role: Role): TurnChoice[] =>
    listTurnChoices(request, state, turns.filter((turn) => turn.role === role).slice(-MAX_TURNS))
  const userTurns = saidBy('user')
  const entries = new Map<string, OverviewEntry>(userTurns.map((choice) => [choice.turn.id, choice]))
  const places = new Map(userTurns.map(({ turn }, place) => [turn.id, place]))
  for (const memory of listFactChoices(request, state)) {
    // A turn says more than the fact that rules extracted from it, so the turn stands for the fact.
    const sources = memory.origin.model === null ? memory.evidence.map(({ turn }) => turn) : []
    const source = userTurns[Math.max(-1, ...sources.map((id) => places.get(id) ?? -1))]
    if (source === undefined) entries.set(memory.id, { memory, pending: false })
    else entries.set(source.turn.id, { ...source, key: memory.key })
  }
  const texts = [...entries].map(([id, entry]) => ({
    ...entryText(state, id, entry),
    textBefore: readTextBefore(id, state, entry),
  }))
  const names = nameStrands({
    ofUser: userTurns.map(({ turn }) => turn),
    ofAgent: saidBy('assistant').map(({ turn }) => turn),
    ownNames: findNames(request, state).self,
  })
  const strands = [...strandsOf(matters), ...names.slice(0, maxNamedPeople(matters))]
  const fills = matters.some((matter) => matter === 'person' || matter === 'people')
  const opening = matters.includes('person') ? findOpening(userTurns) : new Set<string>()
  const chosen = chooseOverview(texts, strands, { limit: MAX_CHOSEN, fills })
  const byMeaning = findByMeaning(engine, aboutOf(matters), texts)
  const firstTurns = texts.filter(({ id }) => opening.has(id))
  const chosenTexts = insertOpening([...chosen, ...byMeaning], firstTurns)
  return resultsInOrder(putRepeatedLast(chosenTexts.flatMap(({ id }) => entries.get(id) ?? [])))
}

/** Finds the first turns of the first talk that say something, since people begin with who they are. */
function findOpening(userTurns: readonly TurnChoice[]): ReadonlySet<string> {
  const [first] = userTurns
  const begun = userTurns.filter(({ turn }) => turn.session === first?.turn.session).slice(0, OPENING.turns)
  const informative = begun.filter(({ turn }) => findTerms(turn.text).length >= OPENING.minTerms)
  return new Set(informative.map(({ turn }) => turn.id))
}

/** Inserts the first turns of the talk after the first few chosen texts. */
function insertOpening(chosen: readonly OverviewText[], opening: readonly OverviewText[]): OverviewText[] {
  const inOrder = [...chosen.slice(0, OPENING.after), ...opening, ...chosen.slice(OPENING.after)]
  return [...new Map(inOrder.map((text) => [text.id, text])).values()]
}

/** A memory that an overview may show, by itself or by one of its turns. */
interface OverviewEntry extends Pick<TurnChoice, 'memory' | 'pending'> {
  readonly turn?: Turn
  /** For a turn: the key of a fact that rules extracted from it. */
  readonly key?: string | null
}

/** Matches first words that refer to the turn before: “She died in May.” */
const REFERS_BACK =
  /^[\s\p{P}]*(?:(?:是的?|对|嗯|没|yes|yeah|aye|no|nah)[\s\p{P}]*)?(?:[他她它]|(?:he|she|they|his|her|their)(?![\p{L}]))/iu

/** Returns the turn before, if the first words of a turn refer to it; otherwise an empty text. */
function readTextBefore(id: string, { index, turns }: UserState, { turn }: OverviewEntry): string {
  if (turn === undefined || !REFERS_BACK.test(turn.text)) return ''
  const before = turns.get(index.turnBefore(id) ?? '')
  return before?.session === turn.session ? simplifyChinese(before.text) : ''
}

function entryText(
  { index }: UserState,
  id: string,
  { memory, turn, key = null }: OverviewEntry,
): OverviewText {
  return turn === undefined
    ? { id, text: simplifyChinese(memory.text), at: memory.validFrom, key: memory.key, isStatement: true }
    : { id, text: simplifyChinese(turn.text), at: turn.at, key, isStatement: false, document: index.get(id) }
}

/** Puts a turn last if a chosen statement already says the same. */
function putRepeatedLast(chosen: readonly OverviewEntry[]): OverviewEntry[] {
  const statements = chosen.filter(({ turn }) => turn === undefined)
  const stated = new Set(statements.flatMap(({ memory }) => memory.evidence.map(({ turn }) => turn)))
  const isRepeated = ({ turn }: OverviewEntry): boolean => turn !== undefined && stated.has(turn.id)
  return [...chosen.filter((entry) => !isRepeated(entry)), ...chosen.filter(isRepeated)]
}

/** Finds the texts nearest to the matters by meaning, for the budget that is left. */
function findByMeaning(
  { wordVectors }: Engine,
  about: string,
  texts: readonly OverviewText[],
): OverviewText[] {
  if (about === '') return []
  const aboutVector = wordVectors.embedNow(about)
  return texts
    .map((text) => ({ text, similarity: cosine(aboutVector, wordVectors.embedNow(text.text)) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, Math.min(MAX_BY_MEANING, maxByMeaning(texts.length)))
    .map(({ text }) => text)
}

/** Returns how many texts may be chosen by meaning only. */
function maxByMeaning(texts: number): number {
  const { few, ofFew, ofOthers } = SHARE_BY_MEANING
  return Math.floor(Math.min(texts, few) * ofFew + Math.max(0, texts - few) * ofOthers)
}

const DAY_MS = 86_400_000
/** Span of time around an event. What happened before an event may be reported some days after it. */
const AROUND = {
  before: { from: -10 * DAY_MS, to: 4 * DAY_MS },
  after: { from: -1 * DAY_MS, to: 14 * DAY_MS },
  around: { from: -10 * DAY_MS, to: 14 * DAY_MS },
} as const satisfies Readonly<Record<Side, { readonly from: number; readonly to: number }>>

function sessionsOf({ resolved, query }: RecallRequest, state: UserState): SessionRow[] {
  const until = query.asOf ?? query.now
  return resolved.scopes
    .toSorted((a, b) => a - b)
    .flatMap((scope) => state.sessions(scope))
    .filter(({ startedAt }) => startedAt <= until)
    .sort((a, b) => a.startedAt - b.startedAt)
}

/** Orders turns by worth, the user's turns before the agent's, and keeps as many as could fit in the context. */
function byWorth({ query }: RecallRequest, state: UserState, turns: readonly TurnChoice[]): TurnChoice[] {
  return turns
    .map((choice) => ({
      choice,
      worth: choice.turn.role === 'assistant' ? -1 : readWorth(entryText(state, choice.turn.id, choice)),
    }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, Math.max(MAX_CHOSEN, query.limit, query.tokens / SHORTEST_LINE_TOKENS))
    .map(({ choice }) => choice)
}

/** Gathers the talk before this one: the last session that ended or had no turn for longer than the preset's gap. */
export function gatherLastSession(request: RecallRequest, state: UserState): FoundMemory[] {
  const { engine, query } = request
  const sessions = sessionsOf(request, state)
  const hasEnded = ({ endedAt, lastAt }: SessionRow): boolean =>
    endedAt !== null || query.now - lastAt > engine.preset.sessionGap
  const last = sessions.findLast(hasEnded) ?? sessions.at(-1)
  if (last === undefined) return []
  return resultsInOrder(byWorth(request, state, turnsOfSessions(request, state, [last])))
}

/** Gathers the turns that were userTurns in ranges of time. */
export function gatherTimes(
  request: RecallRequest,
  state: UserState,
  ranges: readonly TimeRange[],
): FoundMemory[] {
  const isIn = (time: number): boolean => ranges.some(({ from, to }) => time >= from && time < to)
  const sessions = sessionsOf(request, state).filter(({ startedAt, lastAt }) =>
    ranges.some(({ from, to }) => startedAt < to && lastAt >= from),
  )
  const turns = turnsOfSessions(request, state, sessions).filter(({ turn }) => isIn(turn.at))
  return resultsInOrder(byWorth(request, state, turns))
}

/** Gathers the turns before, after or around an event, by its time. The session before or after it is always included. */
export function gatherAround(
  request: RecallRequest,
  state: UserState,
  event: FoundMemory,
  side: Side,
): FoundMemory[] {
  const { from, to } = AROUND[side]
  const time = event.memory.validFrom
  const sessions = sessionsOf(request, state)
  const index = sessions.findIndex(({ startedAt, lastAt }) => startedAt <= time && time <= lastAt)
  const neighbours = new Set<SessionRow | undefined>()
  if (side !== 'after') neighbours.add(sessions[index - 1])
  if (side !== 'before') neighbours.add(sessions[index + 1])
  const isInSpan = ({ startedAt, lastAt }: SessionRow): boolean =>
    startedAt < time + to && lastAt >= time + from
  const byMeaning = sessions.filter((session) => neighbours.has(session) || isInSpan(session))
  const chosenTurns = byWorth(request, state, turnsOfSessions(request, state, byMeaning))
  return resultsInOrder([event, ...chosenTurns])
}

/** A turn that may be chosen, with the memory by which it is recalled. */
export interface TurnChoice {
  readonly turn: Turn
  readonly memory: Memory
  readonly pending: boolean
}

/** Whether a memory passes the filters of a question: types, forms, metadata and spans. */
export function isAccepted({ query }: RecallRequest, state: UserState, memory: Memory): boolean {
  const { types, forms, where } = query
  if (!isRecallable(memory)) return false
  if (types?.includes(memory.type) === false || forms?.includes(memory.form) === false) return false
  if (!isInSpans(query, memory, (turn) => state.turns.get(turn)?.at)) return false
  return where === null || matchesMetadata(where, memory.metadata)
}

/** Lists the turns that may be chosen: they are searchable, pass the filters, and were userTurns by the time asked about. */
export function listTurnChoices(
  request: RecallRequest,
  state: UserState,
  turns: readonly Turn[],
): TurnChoice[] {
  const until = request.query.asOf ?? Number.POSITIVE_INFINITY
  return usableTurns(state, turns).flatMap((turn): TurnChoice[] => {
    if (turn.at > until) return []
    const found = searchableMemory(request.engine, state, turn.id)
    return found !== null && isAccepted(request, state, found.memory) ? [{ turn, ...found }] : []
  })
}

/** Lists the live statements that may be chosen: they pass the filters and hold at the time asked about. */
export function listFactChoices(request: RecallRequest, state: UserState): Memory[] {
  const { query, resolved } = request
  const time = query.asOf ?? query.now
  const live = state.listMemories({
    scopes: new Set(resolved.scopes),
    forms: ['fact', 'note'],
    statuses: ['live'],
  })
  return [...live].filter(
    (memory) =>
      memory.validFrom <= time &&
      (memory.validUntil === null || memory.validUntil > time) &&
      isAccepted(request, state, memory),
  )
}

/** Makes results from memories that are already in order, with falling scores. Several turns of one memory become one result. */
export function resultsInOrder(entries: readonly Pick<TurnChoice, 'memory' | 'pending'>[]): FoundMemory[] {
  const found = new Map<string, FoundMemory>()
  for (const { memory, pending } of entries) {
    if (found.has(memory.id)) continue
    const score = 1 / (1 + found.size)
    found.set(memory.id, { memory, pending, score, parts: { told: score }, turns: new Map() })
  }
  return [...found.values()]
}

/** Lists the turns of sessions that may be chosen. */
function turnsOfSessions(
  request: RecallRequest,
  state: UserState,
  sessions: readonly Pick<SessionRow, 'scope' | 'id'>[],
): TurnChoice[] {
  const turns = sessions.flatMap(({ scope, id }) => state.turnsOfSession(scope, id))
  return listTurnChoices(request, state, turns)
}

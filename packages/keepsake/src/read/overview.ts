import {
  cosine,
  escapePattern,
  findTerms,
  simplifyChinese,
  type Matter,
  type Side,
  type TimeRange,
} from '@keepsake/text'
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
import { aboutOf, chooseTelling, readWorth, strandsOf, type Strand, type Telling } from './life-areas.ts'
import { findNames, type RecallRequest } from './query.ts'

/** Turns of the user that an overview is chosen from: the latest, some years of daily talk. */
const MOST_TURNS = 5_000
/** Most texts added for their meaning alone. Little likeness is enough: a question for everything should fill the budget. */
const MOST_NEAR = 60
/** Shares that may be chosen by meaning alone: a fifth of the first few texts, half of the others. In short talk the nearest texts soon differ. */
const NEAR_SHARE = { few: 20, ofFew: 0.2, ofOthers: 0.5 } as const
const LEAST_LIKENESS = 0.05
/** Turns of the user at the start of a first talk: how many, and the fewest terms a chosen one has. */
const OPENING = { turns: 4, terms: 2, after: 8 } as const
/** As many as could ever stand in a context of the usual length. */
const MOST_CHOSEN = 80
/** Tokens of a short line of a context. */
const LEAST_LINE_TOKENS = 5

/** Matters that people are part of: those named most often are included, of a whole life only a few. */
const NAMED: Readonly<Partial<Record<Matter, number>>> = { people: 12, family: 8, friends: 8, person: 4 }

function mostNamed(matters: readonly Matter[]): number {
  return Math.max(...matters.map((matter) => NAMED[matter] ?? 0))
}

/** Finds the most telling statements and words of the user about the matters asked for, spread over the matters. */
export function gatherOverview(
  request: RecallRequest,
  state: UserState,
  matters: readonly Matter[],
): FoundMemory[] {
  const { engine, resolved } = request
  const turns = resolved.scopes.toSorted((a, b) => a - b).flatMap((scope) => state.turnsAfter(scope, 0))
  const saidBy = (role: Role): ToldTurn[] =>
    tellable(request, state, turns.filter((turn) => turn.role === role).slice(-MOST_TURNS))
  const said = saidBy('user')
  const choosable = new Map<string, Choosable>(said.map((turn) => [turn.turn.id, turn]))
  for (const memory of tellableFacts(request, state)) {
    // A turn says more than the fact that rules drew from it.
    const own = memory.origin.model === null ? memory.evidence.map(({ turn }) => turn) : []
    const source = said.findLast(({ turn }) => own.includes(turn.id))
    if (source === undefined) choosable.set(memory.id, { memory, pending: false })
    else choosable.set(source.turn.id, { ...source, key: memory.key })
  }
  const tellings = [...choosable].map(([id, entry]) => ({
    ...tellingOf(state, id, entry),
    answers: wordsBefore(id, state, entry),
  }))
  const names = nameStrands({
    said: said.map(({ turn }) => turn.text),
    heard: saidBy('assistant').map(({ turn }) => turn.text),
    own: findNames(request, state).self,
  })
  const strands = [...strandsOf(matters), ...names.slice(0, mostNamed(matters))]
  const fills = matters.some((matter) => matter === 'person' || matter === 'people')
  const opening = matters.includes('person') ? openingOf(said) : new Set<string>()
  const chosen = chooseTelling(tellings, strands, { most: MOST_CHOSEN, fills })
  const near = nearest(engine, aboutOf(matters), tellings)
  const early = withOpening(
    [...chosen, ...near],
    tellings.filter(({ id }) => opening.has(id)),
  )
  return inOrderOf(statedFirst(early.flatMap(({ id }) => choosable.get(id) ?? [])))
}

/** The first turns of the first talk that say something: people begin with who they are. */
function openingOf(said: readonly ToldTurn[]): ReadonlySet<string> {
  const [first] = said
  const begun = said.filter(({ turn }) => turn.session === first?.turn.session).slice(0, OPENING.turns)
  const telling = begun.filter(({ turn }) => findTerms(turn.text).length >= OPENING.terms)
  return new Set(telling.map(({ turn }) => turn.id))
}

/** What opens the talk after the most telling few. */
function withOpening(chosen: readonly Telling[], opening: readonly Telling[]): Telling[] {
  const inOrder = [...chosen.slice(0, OPENING.after), ...opening, ...chosen.slice(OPENING.after)]
  return [...new Map(inOrder.map((telling) => [telling.id, telling])).values()]
}

/** A memory that may be chosen, for itself or for one of its turns. */
interface Choosable extends Pick<ToldTurn, 'memory' | 'pending'> {
  readonly turn?: Turn
  /** Of a turn: the key of a fact that rules drew from it. */
  readonly key?: string | null
}

/** Words that point back to the message before: “She died in May.” */
const POINTS_BACK =
  /^[\s\p{P}]*(?:(?:是的?|对|嗯|没|yes|yeah|aye|no|nah)[\s\p{P}]*)?(?:[他她它]|(?:he|she|they|his|her|their)(?![\p{L}]))/iu

/** What a turn answers, where its first words point back to it. */
function wordsBefore(id: string, { index, turns }: UserState, { turn }: Choosable): string {
  if (turn === undefined || !POINTS_BACK.test(turn.text)) return ''
  const before = turns.get(index.turnBefore(id) ?? '')
  return before?.session === turn.session ? simplifyChinese(before.text) : ''
}

function tellingOf({ index }: UserState, id: string, { memory, turn, key = null }: Choosable): Telling {
  return turn === undefined
    ? { id, text: simplifyChinese(memory.text), at: memory.validFrom, key: memory.key, isStatement: true }
    : { id, text: simplifyChinese(turn.text), at: turn.at, key, isStatement: false, document: index.get(id) }
}

/** Puts turns last whose chosen statement already says the same. */
function statedFirst(chosen: readonly Choosable[]): Choosable[] {
  const statements = chosen.filter(({ turn }) => turn === undefined)
  const stated = new Set(statements.flatMap(({ memory }) => memory.evidence.map(({ turn }) => turn)))
  const isStated = ({ turn }: Choosable): boolean => turn !== undefined && stated.has(turn.id)
  return [...chosen.filter((tellable) => !isStated(tellable)), ...chosen.filter(isStated)]
}

/** What comes nearest to the matters by meaning, for the room that is left. */
function nearest({ wordVectors }: Engine, about: string, tellings: readonly Telling[]): Telling[] {
  if (about === '') return []
  const meant = wordVectors.embedNow(about)
  return tellings
    .map((telling) => ({ telling, likeness: cosine(meant, wordVectors.embedNow(telling.text)) }))
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, Math.min(MOST_NEAR, nearShare(tellings.length)))
    .map(({ telling }) => telling)
}

/** Returns how many of a number of texts may be chosen for their meaning alone. */
function nearShare(tellings: number): number {
  const { few, ofFew, ofOthers } = NEAR_SHARE
  return Math.floor(Math.min(tellings, few) * ofFew + Math.max(0, tellings - few) * ofOthers)
}

const DAY_MS = 86_400_000
/** How far from something its surroundings reach. What came before it is reported at the latest some days after. */
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

/** Turns with most to say first, the user's words before an agent's; as many as could stand in the context. */
function byWorth({ query }: RecallRequest, state: UserState, turns: readonly ToldTurn[]): ToldTurn[] {
  return turns
    .map((turn) => ({
      one: turn,
      worth: turn.turn.role === 'assistant' ? -1 : readWorth(tellingOf(state, turn.turn.id, turn)),
    }))
    .sort((left, right) => right.worth - left.worth)
    .slice(0, Math.max(MOST_CHOSEN, query.limit, query.tokens / LEAST_LINE_TOKENS))
    .map(({ one: turn }) => turn)
}

/** The talk before this one: of the session that ended last, or that had no turn for as long as ends one. */
export function gatherLastSession(request: RecallRequest, state: UserState): FoundMemory[] {
  const { engine, query } = request
  const sessions = sessionsOf(request, state)
  const isOver = ({ endedAt, lastAt }: SessionRow): boolean =>
    endedAt !== null || query.now - lastAt > engine.preset.sessionGap
  const last = sessions.findLast(isOver) ?? sessions.at(-1)
  if (last === undefined) return []
  return inOrderOf(byWorth(request, state, turnsOfSessions(request, state, [last])))
}

/** What was said in stretches of time. */
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
  return inOrderOf(byWorth(request, state, turns))
}

/** What was said before or after something: by the time of the turns about it, and always from one session more. */
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
  const beside = new Set([
    ...(side === 'after' ? [] : [sessions[index - 1]]),
    ...(side === 'before' ? [] : [sessions[index + 1]]),
  ])
  const near = sessions.filter(
    (session) => beside.has(session) || (session.startedAt < time + to && session.lastAt >= time + from),
  )
  const chosenTurns = byWorth(request, state, turnsOfSessions(request, state, near))
  return inOrderOf([event, ...chosenTurns])
}

/** A turn that may be chosen, with the memory it is recalled by. */
export interface ToldTurn {
  readonly turn: Turn
  readonly memory: Memory
  readonly pending: boolean
}

/** Whether a question that narrows to types, forms, metadata or spans takes this memory. */
export function isMeant({ query }: RecallRequest, state: UserState, memory: Memory): boolean {
  const { types, forms, where } = query
  if (!isRecallable(memory)) return false
  if (types?.includes(memory.type) === false || forms?.includes(memory.form) === false) return false
  if (!isInSpans(query, memory, (turn) => state.turns.get(turn)?.at)) return false
  return where === null || matchesMetadata(where, memory.metadata)
}

/** Returns the turns that may be chosen: searchable, meant, and said by the time asked about. */
export function tellable(request: RecallRequest, state: UserState, turns: readonly Turn[]): ToldTurn[] {
  const until = request.query.asOf ?? Number.POSITIVE_INFINITY
  return usableTurns(state, turns).flatMap((turn): ToldTurn[] => {
    if (turn.at > until) return []
    const found = searchableMemory(request.engine, state, turn.id)
    return found !== null && isMeant(request, state, found.memory) ? [{ turn, ...found }] : []
  })
}

/** The live statements that a question may be answered from, those that hold at the time asked about. */
export function tellableFacts(request: RecallRequest, state: UserState): Memory[] {
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
      isMeant(request, state, memory),
  )
}

/** Memories in an order of their own, with scores that keep it. Several turns of one memory are one. */
export function inOrderOf(entries: readonly Pick<ToldTurn, 'memory' | 'pending'>[]): FoundMemory[] {
  const found = new Map<string, FoundMemory>()
  for (const { memory, pending } of entries) {
    if (found.has(memory.id)) continue
    const score = 1 / (1 + found.size)
    found.set(memory.id, { memory, pending, score, parts: { told: score }, turns: new Map() })
  }
  return [...found.values()]
}

/** Returns the turns of the sessions that may be chosen. */
function turnsOfSessions(
  request: RecallRequest,
  state: UserState,
  sessions: readonly Pick<SessionRow, 'scope' | 'id'>[],
): ToldTurn[] {
  return tellable(
    request,
    state,
    sessions.flatMap(({ scope, id }) => state.turnsOfSession(scope, id)),
  )
}

/** People given by name: each is a strand of its own, since people whom a user names often matter to them. */
const MOST_NAMES = 12
/** A name said in fewer turns is a person met once. */
const LEAST_TURNS = 2

/** A capitalised word inside a sentence, or one after a title. */
const ENGLISH_NAME =
  /(?:(?<=[\p{Ll},;:'’)]\s)|(?<=\b(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Auntie|Uncle)\.?\s))\p{Lu}\p{Ll}{2,}/gu
const SMALL_WORD = /(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu
const NO_NAME = new Set(
  `Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
  November December Christmas Easter English`.split(/\s+/),
)
/** Forms of address made of a surname or a given name: 小方, 老严, 阿芸, 秀珍姐, 贺叔. */
const CHINESE_NAME =
  /(?:[小老阿](?=\p{Script=Han})(?![时候说师板家公婆妈爸人区学心是去来家乡头大子])\p{Script=Han}|\p{Script=Han}{1,2}(?:姐|哥|叔|姨|婶|伯|总)(?!姐|哥|弟|妹|夫|母|们))/gu
/** Matches 叫…: a person or thing given by its name. */
const CALLED = /(?:叫做?|全名|名叫)(?!我|你|他|她|什么|啥|人|车|外卖)(\p{Script=Han}{2,3})/gu

function namesIn(text: string): Set<string> {
  const english = [...text.matchAll(ENGLISH_NAME)].map(([name]) => name).filter((name) => !NO_NAME.has(name))
  const chinese = [...text.matchAll(CHINESE_NAME)].map(([name]) => name)
  const called = [...text.matchAll(CALLED)].map(([, name = '']) => name)
  return new Set([...english, ...chinese, ...called])
}

/** What people talk of, as far as it is looked at for names. */
export interface Talked {
  /** What the person said. */
  readonly said: readonly string[]
  /** What the agent said, who names them as well. */
  readonly heard: readonly string[]
  /** Names of the person that no other person has. */
  readonly own: readonly string[]
}

/** A strand for each name that the person says again and again, the most often said first. */
export function nameStrands({ said, heard, own }: Talked): Strand[] {
  const mine = new Set(own.map((name) => name.toLowerCase()))
  const small = new Set(said.flatMap((text) => text.match(SMALL_WORD) ?? []))
  const names = new Set([...said, ...heard].flatMap((text) => [...namesIn(text)]))
  return [...names]
    .filter((name) => !mine.has(name.toLowerCase()) && !small.has(name.toLowerCase()))
    .map((name) => ({ name, turns: said.filter((text) => text.includes(name)).length }))
    .filter(({ turns }) => turns >= LEAST_TURNS)
    .sort((a, b) => b.turns - a.turns)
    .slice(0, MOST_NAMES)
    .map(({ name }) => ({ id: 'named', keys: [], cues: new RegExp(escapePattern(name), 'u') }))
}

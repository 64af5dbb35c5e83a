import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { ForgetRequest, Segment, Request } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Evidence } from '../memories/evidence.ts'
import { tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { BM25_ONLY } from '@keepsake/search'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { continuingSentences } from './continue-topic.ts'
import { holdsAny, type RequestTarget, type Saying } from './match-request.ts'
import {
  conceptOf,
  findKeptTerms,
  findTerms,
  readPartOfLife,
  readStatedKind,
  type StatedKind,
} from '@keepsake/text'

/** Maximum number of utterances searched for a request. */
const MOST_UTTERANCES = 5_000
/** Minimum number of words before a request in its turn that count as "just said". */
const LEAST_JUST_SAID = 4
/** Maximum number of the user's turns that one statement spans. */
const LONGEST_TELLING = 4

function isStatement(memory: Memory): boolean {
  const { form } = memory
  return (form === 'fact' || form === 'note') && !tellsOfRequest(memory)
}

function kindOf(about: string): StatedKind | null {
  return readStatedKind(about) ?? readPartOfLife(about)
}

/** Returns live facts and notes, including those of this change set, and the utterances nearest to the request's words. */
export function candidatesFor({ engine, row, state, changes }: UnitOfWork, about: string): Memory[] {
  const stored = state.listMemories({ scopes: new Set([row.scope]), forms: ['fact', 'note'] })
  const facts = [...stored].filter(isStatement)
  const own = changes.memories.filter(isStatement)
  const now = engine.now()
  const words = `${about} ${kindOf(about)?.words ?? ''}`
  const read = readQuestionFor(state.index, words, { now })
  const { hits } = searchIndex(state.index, { read, vector: null }, BM25_ONLY, {
    limit: MOST_UTTERANCES,
    now,
    kind: 'turn',
    scopes: new Set([row.scope]),
  })
  const utterances = hits.flatMap((hit) => state.utteranceOf(hit.id) ?? [])
  return liveNow(changes, [...facts, ...own, ...utterances])
}

/** Minimum share of a request's words that a memory holds to be asked about. */
const LEAST_SHARE = 0.5
/** A word in more memories than this is too general to find one. */
const MOST_SHARING = 8

/**
 * Finds what a request may mean where no memory holds all of its words: those of earlier turns that hold most of the words that any
 * memory holds. They are asked about, never removed at once.
 */
export async function findPlausible(
  unit: UnitOfWork,
  request: ForgetRequest & { readonly about: string },
): Promise<string[]> {
  const before = unit.state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
  const isEarlier = (source: Evidence): boolean => (unit.state.turns.get(source.turn)?.position ?? 0) < before
  const saidBy = ({ turn, quote }: Evidence): string => quote ?? unit.state.turns.get(turn)?.text ?? ''
  const kept = findKeptTerms(request.evidence.quote ?? '')
  const found = candidatesFor(unit, request.about).filter(
    (memory) =>
      memory.evidence.every(isEarlier) &&
      !holdsAny(memory.text || memory.evidence.map(saidBy).join(' '), kept),
  )
  const kind = kindOf(request.about)
  const stated = found.filter(
    ({ key, text, evidence }) =>
      kind?.keys?.includes(key ?? '?') === true ||
      [text, ...evidence.map(saidBy)].some((said) => kind?.states.test(said)),
  )
  if (stated.length > 0) return stated.map(({ id }) => id)
  // The index has the terms of whole turns.
  const termsOf = ({ turn, quote }: Evidence): readonly string[] =>
    quote === null ? (unit.state.index.get(turn)?.terms ?? []) : findTerms(quote)
  const read = ({ id, text, evidence }: Memory) => ({
    id,
    terms: new Set([...findTerms(text), ...evidence.flatMap(termsOf)].map(conceptOf)),
  })
  const targets = await flatMapInPieces(found, read)
  const askedTerms = [...new Set(findTerms(request.about).map(conceptOf))]
  const known = askedTerms.filter((term) => {
    const holding = targets.filter(({ terms }) => terms.has(term)).length
    return holding > 0 && holding <= MOST_SHARING
  })
  if (known.length === 0 || (request.doubt !== undefined && known.length < LEAST_SHARE * askedTerms.length))
    return []
  const shares = targets.map(({ id, terms }) => ({
    id,
    share: known.filter((term) => terms.has(term)).length,
  }))
  const best = Math.max(...shares.map(({ share }) => share))
  return best < LEAST_SHARE * known.length
    ? []
    : shares.flatMap(({ id, share }) => (share === best ? [id] : []))
}

/** Applies the change set and keeps live memories, each once. */
function liveNow(changes: ChangeSet, memories: readonly Memory[]): Memory[] {
  const current = new Map(memories.map((memory) => [memory.id, changes.read(memory.id) ?? memory]))
  return [...current.values()].filter((memory) => memory.status === 'live')
}

export function withEvidence(memories: readonly Memory[], turns: ReadonlyMap<string, Turn>): RequestTarget[] {
  return memories.map((memory) => ({
    memory,
    evidenceTexts: memory.evidence.map(({ turn, quote }) => quote ?? turns.get(turn)?.text ?? ''),
  }))
}

export async function saidIn(
  { engine, row }: Pick<UnitOfWork, 'engine' | 'row'>,
  memories: readonly Memory[],
): Promise<ReadonlyMap<string, Turn>> {
  return readTurns(engine, row.owner, memories.flatMap(turnsOf))
}

/** Positions evidence relative to the request, by turn and, within its own turn, by word. */
export function placesAround(
  state: UserState,
  request: Request,
  source: Turn | undefined,
): (one: Evidence) => Saying {
  const { turn, quote } = request.evidence
  const position = state.turns.get(turn)?.position ?? Number.POSITIVE_INFINITY
  return (one) => {
    if (one.turn !== turn) return (state.turns.get(one.turn)?.position ?? 0) < position ? 'before' : 'after'
    if (quote === null || one.quote === null || one.quote === quote || source === undefined) return 'request'
    return source.text.indexOf(one.quote) < source.text.indexOf(quote) ? 'before' : 'after'
  }
}

export function openingOf(request: Request, source: Turn | undefined): string {
  const { quote } = request.evidence
  const before = source?.text.slice(0, Math.max(0, source.text.indexOf(quote ?? source.text))) ?? ''
  return request.kind === 'forget' ? `${before} ${request.lead ?? ''}` : before
}

export function turnsBefore(
  { row, state }: Pick<UnitOfWork, 'row' | 'state'>,
  request: Request,
  most: number,
): Turn[] {
  const source = state.turns.get(request.evidence.turn)
  if (source === undefined) return []
  const from = Math.max(0, source.position - most - 1)
  return state
    .turnsAfter(row.scope, from, { upTo: source.position - 1 })
    .filter(({ session }) => session === source.session)
    .toReversed()
}

/**
 * Returns the text right before the request: in its own turn, or the user's previous turn of the session and the turns that it continues by
 * a pronoun.
 */
export async function turnsJustSaid(
  unit: UnitOfWork,
  request: Request,
  requestTurn: Turn | undefined,
): Promise<string[]> {
  const opening = openingOf(request, requestTurn)
  if ((opening.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu)?.length ?? 0) >= LEAST_JUST_SAID)
    return [request.evidence.turn]
  const before = turnsBefore(unit, request, 2 * LONGEST_TELLING).filter((turn) => turn.role === 'user')
  const begins = before.findIndex(({ text }) => continuingSentences(text, []).length === 0)
  const statement = before.slice(0, begins < 0 ? 1 : Math.min(begins + 1, LONGEST_TELLING))
  return statement.map((turn) => turn.id)
}

export function restingOn({ state, changes }: UnitOfWork, turns: Iterable<string>): Memory[] {
  const ids = new Set(turns)
  const resting = [...ids].flatMap((turn) => [...state.memoriesOfTurn(turn)])
  const drawn = changes.memories.filter((memory) => memory.evidence.some((source) => ids.has(source.turn)))
  return liveNow(changes, [...resting, ...drawn]).filter((memory) => !tellsOfRequest(memory))
}

export function speakersOf({ turns }: Segment): string[] {
  return [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))]
}

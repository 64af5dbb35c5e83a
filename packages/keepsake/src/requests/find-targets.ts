import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Evidence } from '../memories/evidence.ts'
import { tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { BM25_ONLY } from '@keepsake/search'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { TurnReader, turnsOf } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { continuingSentences } from './continue-topic.ts'
import type { Asked } from './forget-topic.ts'
import type { RequestTarget, Saying } from './match-request.ts'

/** Utterances looked at for a request: those that hold most of its words. */
const MOST_UTTERANCES = 5_000
/** Words before a request in its own turn that make it what was just said. */
const LEAST_JUST_SAID = 4
/** Turns of theirs that somebody may have told one thing in. */
const LONGEST_TELLING = 4

/** Whether it states something in words of its own. */
function isStatement(memory: Memory): boolean {
  const { form } = memory
  return (form === 'fact' || form === 'note') && !tellsOfRequest(memory)
}

/** Live facts and notes, those of this very change set included, and the utterances whose words come nearest to the request's. */
export function candidatesFor({ engine, row, state, changes }: UnitOfWork, about: string): Memory[] {
  const told = state.listMemories({ scopes: new Set([row.scope]), forms: ['fact', 'note'] })
  const facts = [...told].filter(isStatement)
  const own = changes.memories.filter(isStatement)
  const now = engine.now()
  const read = readQuestionFor(state.index, about, { now })
  const { hits } = searchIndex(state.index, { read, vector: null }, BM25_ONLY, {
    limit: MOST_UTTERANCES,
    now,
    kind: 'turn',
    scopes: new Set([row.scope]),
  })
  const utterances = hits.flatMap((hit) => state.utteranceOf(hit.id) ?? [])
  return liveNow(changes, [...facts, ...own, ...utterances])
}

/** As the changes leave them, each once. */
function liveNow(changes: ChangeSet, memories: readonly Memory[]): Memory[] {
  const all = new Map(memories.map((memory) => [memory.id, changes.read(memory.id) ?? memory]))
  return [...all.values()].filter((memory) => memory.status === 'live')
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
  return new TurnReader(engine, row.owner).read(memories.flatMap(turnsOf))
}

/** Where evidence stands to the request, by the order of turns and, within its own, of words. */
export function placesAround(
  state: UserState,
  request: Asked,
  asked: Turn | undefined,
): (one: Evidence) => Saying {
  const { turn, quote } = request.evidence
  const position = state.turns.get(turn)?.position ?? Number.POSITIVE_INFINITY
  return (one) => {
    if (one.turn !== turn) return (state.turns.get(one.turn)?.position ?? 0) < position ? 'before' : 'after'
    if (quote === null || one.quote === null || one.quote === quote || asked === undefined) return 'request'
    return asked.text.indexOf(one.quote) < asked.text.indexOf(quote) ? 'before' : 'after'
  }
}

/** Words of a request's own turn before it. */
export function openingOf(request: Asked, asked: Turn | undefined): string {
  const { quote } = request.evidence
  const before = asked?.text.slice(0, Math.max(0, asked.text.indexOf(quote ?? asked.text))) ?? ''
  return request.kind === 'forget' ? `${before} ${request.lead ?? ''}` : before
}

/** The session's turns before a request, the latest first. */
export async function turnsBefore(
  { engine, row, state }: Pick<UnitOfWork, 'engine' | 'row' | 'state'>,
  request: Asked,
  most: number,
): Promise<Turn[]> {
  const asked = state.turns.get(request.evidence.turn)
  if (asked === undefined) return []
  const turns = await engine.store.turns({
    owner: row.owner,
    scopes: [row.scope],
    afterPosition: Math.max(0, asked.position - most - 1),
    limit: most + 1,
  })
  return turns.filter((turn) => turn.position < asked.position && turn.session === asked.session).toReversed()
}

/**
 * What was said just before the request: words of its own turn, or the person's turn before in the same session, with
 * those before it that it goes on from by a pronoun.
 */
export async function turnsJustSaid(
  unit: UnitOfWork,
  request: Asked,
  asked: Turn | undefined,
): Promise<string[]> {
  const opening = openingOf(request, asked)
  if ((opening.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu)?.length ?? 0) >= LEAST_JUST_SAID)
    return [request.evidence.turn]
  const before = (await turnsBefore(unit, request, 2 * LONGEST_TELLING)).filter(
    (turn) => turn.role === 'user',
  )
  const begins = before.findIndex(({ text }) => continuingSentences(text, []).length === 0)
  const told = before.slice(0, begins < 0 ? 1 : Math.min(begins + 1, LONGEST_TELLING))
  return told.map((turn) => turn.id)
}

/** Live memories that rest on turns, those of this very change set included, but not that there was a request. */
export function restingOn({ state, changes }: UnitOfWork, turns: Iterable<string>): Memory[] {
  const ids = new Set(turns)
  const resting = [...ids].flatMap((turn) => [...state.memoriesOfTurn(turn)])
  const drawn = changes.memories.filter((memory) => memory.evidence.some((one) => ids.has(one.turn)))
  return liveNow(changes, [...resting, ...drawn]).filter((memory) => !tellsOfRequest(memory))
}

/** Who speaks in a segment, by name. */
export function speakersOf({ turns }: Segment): string[] {
  return [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))]
}

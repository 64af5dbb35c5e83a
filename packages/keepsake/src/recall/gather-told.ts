import { tellableTurns } from '../work/living-turns.ts'
import { asksOfRequests, tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { matchesMetadata } from '../metadata/metadata-filter.ts'
import type { SessionRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import { searchableMemory, type FoundMemory } from './found-memory.ts'

/** A turn that may be told, with the memory it is recalled by. */
export interface ToldTurn {
  readonly turn: Turn
  readonly memory: Memory
  readonly pending: boolean
}

/** Whether a question that narrows to types, forms or metadata takes this memory. */
export function isMeant({ asked }: Asking, memory: Memory): boolean {
  const { types, forms, where } = asked
  if (tellsOfRequest(memory) && !asksOfRequests(asked.text)) return false
  if (types?.includes(memory.type) === false || forms?.includes(memory.form) === false) return false
  return where === null || matchesMetadata(where, memory.metadata)
}

/** Turns as far as they may be told: searchable, meant, and said by the time asked about. */
export function tellable(asking: Asking, cache: UserState, turns: readonly Turn[]): ToldTurn[] {
  const until = asking.asked.asOf ?? Number.POSITIVE_INFINITY
  return tellableTurns(cache, turns).flatMap((turn): ToldTurn[] => {
    if (turn.at > until) return []
    const found = searchableMemory(asking.engine, cache, turn.id)
    return found !== null && isMeant(asking, found.memory) ? [{ turn, ...found }] : []
  })
}

/** The live statements that a question may be answered from, those that hold at the time asked about. */
export function tellableFacts(asking: Asking, cache: UserState): Memory[] {
  const { asked, resolved } = asking
  const at = asked.asOf ?? asked.now
  const live = cache.listMemories({
    scopes: new Set(resolved.scopes),
    forms: ['fact', 'note'],
    statuses: ['live'],
  })
  return [...live].filter(
    (memory) =>
      memory.validFrom <= at &&
      (memory.validUntil === null || memory.validUntil > at) &&
      isMeant(asking, memory),
  )
}

/** Memories in an order of their own, with scores that keep it. Several turns of one memory are one. */
export function inOrderOf(told: readonly Pick<ToldTurn, 'memory' | 'pending'>[]): FoundMemory[] {
  const found = new Map<string, FoundMemory>()
  for (const { memory, pending } of told) {
    if (found.has(memory.id)) continue
    const score = 1 / (1 + found.size)
    found.set(memory.id, { memory, pending, score, parts: { told: score }, turns: new Map() })
  }
  return [...found.values()]
}

/** The sessions' turns that may be told. */
export async function turnsOfSessions(
  asking: Asking,
  cache: UserState,
  sessions: readonly Pick<SessionRow, 'scope' | 'id'>[],
): Promise<ToldTurn[]> {
  const { engine, resolved } = asking
  const read = sessions.map(({ scope, id }) =>
    engine.store.turns({ owner: resolved.owner, scopes: [scope], session: id }),
  )
  return tellable(asking, cache, (await Promise.all(read)).flat())
}

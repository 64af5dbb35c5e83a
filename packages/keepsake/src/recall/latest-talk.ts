import { isDropped } from '../work/living-turns.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory, MemoryRanking } from './found-memory.ts'
import { pendingMemory } from './pending-memory.ts'

/** The talk of sessions that have not ended, newest first: what a memory that is read whole does not hold yet. */
export async function latestTalk({ engine, resolved, asked }: Asking): Promise<MemoryRanking> {
  const cache = await engine.users.load(resolved.owner)
  const open = (await engine.store.sessions(resolved.owner, resolved.scopes)).filter(
    (session) => session.endedAt === null,
  )
  const found: FoundMemory[] = []
  for (const { scope, id } of open) {
    const where = asked.where ?? undefined
    const turns = await engine.store.turns({ owner: resolved.owner, scopes: [scope], session: id, where })
    for (const turn of turns) {
      if (isDropped(cache, turn) || turn.at > (asked.asOf ?? asked.now)) continue
      const memory = pendingMemory(engine, cache.turns.get(turn.id))
      found.push({ memory, score: turn.at, parts: {}, turns: new Map([[turn.id, 0]]), pending: true })
    }
  }
  found.sort((one, other) => other.score - one.score)
  const memories = found.slice(0, asked.limit).map((one, place) => ({ ...one, score: 1 / (1 + place) }))
  return { memories, sessions: [], confidence: 0 }
}

import type { Recall, RecalledMemory, ScopeKey } from 'keepsake'
import { given } from '../given.ts'
import type { ServerRequest } from '../server-context.ts'
import { noteIds } from './known-names.ts'
import { keyOf, type Mem0Door } from './mem0-door.ts'
import { isOver, presentMemory, type Mem0Memory } from './present-memory.ts'
import type { SearchRequest } from './read-lookups.ts'
import { scopeIfMeant, selectPeople, type SelectedPerson } from './select-people.ts'

/** A memory that was found, and how sure that is, 0 to 1. */
export interface Mem0Found extends Mem0Memory {
  readonly score: number
}

/** As many as the engine hands out: filters that it does not know choose among them. */
const MOST = 1_000

/** Memories that bear on a query, best first. @throws Problem 400, 403 */
export async function searchMemories(
  door: Mem0Door,
  c: ServerRequest,
  request: SearchRequest,
): Promise<readonly Mem0Found[]> {
  const people = await selectPeople(door, c, request.filter, 'read')
  const found: Mem0Found[] = []
  for (const person of people) found.push(...(await searchOne(door, person, request, c.req.raw.signal)))
  return found.sort((one, other) => other.score - one.score).slice(0, request.limit)
}

async function searchOne(
  { deps }: Mem0Door,
  selected: SelectedPerson,
  request: SearchRequest,
  abortSignal: AbortSignal,
): Promise<readonly Mem0Found[]> {
  const { key, isExact } = scopeOf(selected)
  const recall = await deps.keepsake.scope(key).recall(request.query, {
    // Twice as many: some are no longer so.
    limit: isExact ? Math.min(MOST, request.limit * 2) : MOST,
    // Mem0's answer has no context, so none is composed.
    tokens: 1,
    // What a filter hides was not used.
    ...(isExact ? {} : { reinforce: false }),
    ...given({ now: request.now ?? undefined, where: selected.where ?? undefined }),
    abortSignal,
  })
  const found = choose(selected, request, recall, request.now ?? deps.now())
  const [any] = selected.scopes
  const lasting = found.map(({ id }) => id).filter((id) => !id.startsWith('pending:'))
  if (any !== undefined) await noteIds(deps.keepsake.records, any.row, lasting)
  return found
}

/** Those of a recall that the request means, as many as it asks for. */
function choose(
  selected: SelectedPerson,
  { threshold, over, limit }: SearchRequest,
  recall: Recall,
  now: number,
): readonly Mem0Found[] {
  const best = Math.max(...recall.memories.map((one) => one.score))
  const found: Mem0Found[] = []
  for (const recalled of recall.memories) {
    const memory = withSession(recalled)
    const score = scoreOf(recalled, recall, best)
    if (score < threshold || (!over && isOver(memory, now))) continue
    const row = scopeIfMeant(selected, memory)
    if (row !== null) found.push({ ...presentMemory(memory, row), score })
    if (found.length === limit) break
  }
  return found
}

/** A turn that is not consolidated yet is in the session of its turn. */
function withSession({ memory, pending, evidence }: RecalledMemory): RecalledMemory['memory'] {
  return pending ? { ...memory, session: evidence[0]?.session ?? '' } : memory
}

/** The narrowest scope that holds all that is meant, and whether it holds nothing else. */
function scopeOf({ person, scopes, isWhole, isDecided }: SelectedPerson): {
  readonly key: ScopeKey
  readonly isExact: boolean
} {
  const [only] = scopes
  const isNarrow = scopes.length === 1 && only !== undefined && (only.row.agent ?? only.row.app) !== null
  if (!isNarrow) return { key: person, isExact: isWhole && isDecided }
  return { key: keyOf(only.row), isExact: isDecided }
}

/**
 * Mem0's scores are between 0 and 1 and are compared with a threshold. Keepsake's are comparable within one recall only, so
 * each is taken relative to the best and times how sure the recall is that what was asked was ever said.
 */
function scoreOf({ score }: RecalledMemory, { confidence }: Recall, best: number): number {
  return best > 0 ? Math.max(0, (confidence * score) / best) : 0
}
